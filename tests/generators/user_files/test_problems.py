"""Problems from files: rows of our own and of public datasets are read, or an error names the row and the field."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.core.errors import InvalidParameters
from envhub.generators.user_files.problems import problem_of, row_of
from tests.dataset.workshop import write_lines
from tests.verifiers.code.problems import CALL, DOUBLE, SQUARE, Row


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"prompt": None}, "prompt: it is missing"),
        ({"prompt": " "}, "prompt: expected text"),
        ({"promt": "x"}, "unknown field 'promt'. Did you mean 'prompt'?"),
        ({"language": "pyton"}, "language: expected one of python, .* got 'pyton'. Did you mean 'python'"),
        ({"kind": "stdn"}, "kind: expected one of stdin, call, got 'stdn'. Did you mean 'stdin'"),
        ({"kind": "call"}, "function: it is missing"),
        ({"kind": "call", "function": "f"}, "cases: case 1 must have exactly args and expected"),
        ({"function": "f", "kind": "stdin"}, "function: it belongs to the kind 'call'"),
        ({"cases": []}, "cases: expected a list of 1 to"),
        ({"cases": [{"input": 3, "output": "6"}]}, "in case 1 input and output must be text"),
        (
            {**CALL, "cases": [{"args": [json.loads("[" * 70 + "]" * 70)], "expected": 1}]},
            "case 1 cannot be handed to a program: nested too deep",
        ),
        (
            {**CALL, "cases": [{"args": [10**4100], "expected": 1}]},
            "case 1 cannot be handed to a program: an integer of more than 4000 digits",
        ),
        ({"cases": [{"input": "3"}]}, "case 1 must have exactly input and output"),
        ({"compare": "token"}, "compare: expected one of lines, .* Did you mean 'tokens'"),
        ({"checker": "def check("}, "checker: it is no Python"),
        ({"checker": "x = 1"}, "checker: it must define check"),
        ({"checker": "def check(i, o, e): return True", "compare": "lines"}, "compare or checker, not both"),
        ({"limits": {"wall": 1}}, "limits: unknown limit 'wall'.*Did you mean 'wall_s'"),
        ({"limits": {"wall_s": -1}}, "limits: The limit wall_s must be"),
        ({"limits": 3}, "limits: expected an object"),
        ({"difficulty": 11}, "difficulty: expected an integer 1..10, got 11"),
        ({"input_output": {}}, "cases or input_output, not both"),
        ({"cases": None, "input_output": "{"}, "input_output: it is not JSON"),
        ({"cases": None, "input_output": {"inputs": ["1"], "outputs": []}}, "1 inputs and 0 outputs"),
    ],
)
def test_what_does_not_fit_is_told_with_its_row_and_field(change: Row, said: str, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "p.jsonl", [DOUBLE, {**DOUBLE, **change}])
    with pytest.raises(InvalidParameters, match=f"p.jsonl, row 2: .*{said}"):
        envhub.make("code-tests-v0", path=str(path))


def test_a_line_that_is_no_object_is_told(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text('{"prompt": 1')
    with pytest.raises(InvalidParameters, match="line 1, is not JSON"):
        envhub.make("code-tests-v0", path=str(path))
    with pytest.raises(InvalidParameters, match="line 1, is not an object"):
        envhub.make("code-tests-v0", path=str(write_lines(path, [[1]])))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda x: st.lists(x, max_size=3), max_leaves=5
    )
)
def test_no_row_raises_anything_else(value: Any) -> None:
    for name in (
        "prompt",
        "kind",
        "language",
        "function",
        "cases",
        "compare",
        "checker",
        "limits",
        "difficulty",
        "input_output",
        "id",
    ):
        for row in (DOUBLE, CALL):
            with suppress(ValueError):
                problem_of({**row, name: value})


def test_public_shapes_are_read() -> None:
    stdin = problem_of(
        {"prompt": "x", "input_output": json.dumps({"inputs": ["3\n", ["4", "5"]], "outputs": ["6\n", ["9"]]})}
    )
    assert (stdin.kind, stdin.cases) == ("stdin", (("3\n", "6\n"), ("4\n5", "9")))
    call = problem_of(
        {"prompt": "x", "input_output": {"inputs": [[1, [2]], [3, []]], "outputs": [3, [4]], "fn_name": "f"}}
    )
    assert (call.kind, call.function, call.cases) == ("call", "f", (([1, [2]], 3), ([3, []], [4])))
    lines = problem_of(
        {"prompt": "x", "input_output": {"inputs": ['[1, 2]\n"ab"'], "outputs": ["true"], "fn_name": "f"}}
    )
    assert lines.cases == (([[1, 2], "ab"], True),)


@pytest.mark.parametrize(
    ("outputs", "boxed"),
    [
        ([[3], [[4]]], True),
        ([["3"], [None]], True),
        ([3, 4], False),
        ([[3], 4], False),
        ([[3], []], False),
        ([[3, 4], [5]], False),
        (["[3]", "[4]"], False),  # as JSON text nothing is wrapped
        (["3", '"3"'], False),
        ([True, None], False),
    ],
)
def test_a_row_is_made_of_a_problem_that_makes_it_again(outputs: list[Any], boxed: bool) -> None:
    tests = {"inputs": [["1", [2]], '[3]\n"4"'], "outputs": outputs}
    call = problem_of({"prompt": "x", "input_output": {**tests, "fn_name": "f"}})
    assert (call.method, call.boxed) == (True, boxed)
    for problem in (call, problem_of(DOUBLE), problem_of(CALL), problem_of({**SQUARE, "solution": "s", "id": "a"})):
        row = json.loads(json.dumps(row_of(problem)))
        assert problem_of(row) == problem
    own = problem_of({**CALL, "cases": [{"args": [1], "expected": [1]}]})
    assert (own.method, own.boxed) == (False, False)
