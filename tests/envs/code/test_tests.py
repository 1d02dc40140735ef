"""code-tests-v0: a user's problems are read, said wrong with row and field, and judged by their tests alone."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.audit import play
from envhub.core.errors import InvalidAction, InvalidParameters
from envhub.core.seeding import SPLITS
from envhub.core.types import Verdict
from envhub.generators.user_files.problems import problem_of, row_of
from envhub.sandbox import resource
from envhub.sandbox.broker import plain
from envhub.verifiers.code import judging
from envhub.verifiers.code.own_tests import AgainstTests
from tests.sandbox import jails

Row = dict[str, Any]

DOUBLE: Row = {
    "prompt": "Read an integer, print its double.",
    "cases": [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in (3, 71, -5)],
}
CALL: Row = {
    "prompt": "Write double.",
    "function": "double",
    "cases": [{"args": [3], "expected": 6}, {"args": [71], "expected": 142}],
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def sandbox() -> None:
    """Programs can be run here."""
    jails.backend()


def write(*rows: Any, name: str = "p.jsonl") -> str:
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return name


def block(source: str, language: str = "python") -> str:
    return f"```{language}\n{source}\n```"


def judged(row: Row, source: str, language: str = "python") -> Verdict:
    return AgainstTests(json.dumps(row))(block(source, language))


# -- rows --------------------------------------------------------------------------------------------------------------


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
def test_what_does_not_fit_is_told_with_its_row_and_field(change: Row, said: str) -> None:
    path = write(DOUBLE, {**DOUBLE, **change})
    with pytest.raises(InvalidParameters, match=f"p.jsonl, row 2: .*{said}"):
        envhub.make("code-tests-v0", path=path)


def test_a_line_that_is_no_object_is_told() -> None:
    Path("bad.jsonl").write_text('{"prompt": 1')
    with pytest.raises(InvalidParameters, match="line 1, is not JSON"):
        envhub.make("code-tests-v0", path="bad.jsonl")
    with pytest.raises(InvalidParameters, match="line 1, is not an object"):
        envhub.make("code-tests-v0", path=write([1]))


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


# -- judging -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    ("row", "source", "score"),
    [
        (DOUBLE, "print(2 * int(input()))", 1.0),
        (DOUBLE, "print(6)", 0.0),
        (DOUBLE, "print({3: 6, 71: 142}.get(int(input()), 0))", 0.0),
        (DOUBLE, "import sys\nprint(2 * int(input()))\nsys.exit(3)", 0.0),
        (CALL, "def double(n): return 2 * n", 1.0),
        (CALL, "def double(n): return 2.0 * n", 0.0),
        (CALL, "def double(n): return '6'", 0.0),
        (CALL, "def twice(n): return 2 * n", 0.0),
        (
            {**CALL, "compare": "close", "cases": [{"args": [3], "expected": 6.0}]},
            "def double(n): return 2 * n + 1e-9",
            1.0,
        ),
        ({**CALL, "cases": [{"args": [3], "expected": [3, [3]]}]}, "def double(n): return (n, (n,))", 1.0),
        ({**CALL, "cases": [{"args": [3], "expected": {"a": 1}}]}, "def double(n): return {'a': 1}", 1.0),
        ({**DOUBLE, "compare": "exact"}, "print(2 * int(input()), end='')", 0.0),
        ({**DOUBLE, "compare": "tokens"}, "print('', 2 * int(input()))", 1.0),
        ({**DOUBLE, "limits": {"wall_s": 2, "cpu_s": 1}}, "while True: pass", 0.0),
    ],
)
def test_programs_are_judged_by_the_tests(row: Row, source: str, score: float) -> None:
    verdict = judged(row, source)
    assert (verdict.score, verdict.status) == (score, "graded")
    assert "142" not in verdict.feedback


def public(outputs: list[Any], *, name: str = "double", inputs: Any = ([3], [71]), **more: Any) -> Row:
    tests = {"inputs": list(inputs), "outputs": outputs, "fn_name": name}
    return {"prompt": "x", "input_output": tests, **more}


RIGHT, LISTED = "def double(n): return 2 * n", "def double(n): return [2 * n]"
METHOD = "class Solution:\n    def double(self, n): return 2 * n"


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    ("row", "source", "score"),
    [
        (public([[6], [142]]), RIGHT, 1.0),
        (public([[6], [142]]), LISTED, 1.0),
        (public([[6], [142]]), "def double(n): return (2 * n,)", 1.0),
        (public([[6], [142]]), "def double(n): return [[2 * n]]", 0.0),
        (public([[6], [142]]), "def double(n): return []", 0.0),
        (public([[6], [142]]), "def double(n): return 6", 0.0),
        (public([[6.0], [142.0]], compare="close"), "def double(n): return 2 * n + 1e-9", 1.0),
        (public([6, 142]), RIGHT, 1.0),
        (public([6, 142]), LISTED, 0.0),
        (public([[6], [142, 1]]), RIGHT, 0.0),
        (public(["[6]", "[142]"]), RIGHT, 0.0),
        (public(["[6]", "[142]"]), LISTED, 1.0),
        (public([[[6]], [[142]]]), LISTED, 1.0),
        (public([6, 142]), METHOD, 1.0),
        (public([[6], [142]]), METHOD, 1.0),
        (public(["6", "142"], inputs=("3", "71")), METHOD, 1.0),
        (public([6, 142]), METHOD.replace("2 *", "3 *"), 0.0),
        (public([6, 142]), METHOD + "\n# no line ends here", 1.0),
        (public([6, 142]), METHOD.replace("self, ", "").replace("    def", "    @staticmethod\n    def"), 1.0),
        (public([6, 142]), METHOD.replace("Solution", "Answer"), 0.0),
        (public([6, 142]), METHOD.replace("double", "twice") + "  # double", 0.0),
        (public([6, 142]), METHOD + "\ndef double(n): return 0", 0.0),  # the function comes first
        (public([6, 142]), METHOD.replace("2 *", "0 *") + "\n" + RIGHT, 1.0),
        (public([6, 142]), METHOD + "\n    def __init__(self, a): pass", 0.0),
        (public([6, 142]), "def double(n: List[int] | Optional[Dict]) -> Any: return 2 * n", 1.0),
        (
            public([6, 142]),
            "def double(n): return sum(Counter(a=n, b=n).values()) + math.floor(heapq.nsmallest(1, [0])[0])",
            1.0,
        ),
        (public([6, 142]), "'Words.'\nfrom __future__ import annotations\ndef double(n: Unknown): return 2 * n", 1.0),
        (public([6, 142]), "def double(n, k=Unknown): return 2 * n", 0.0),
        (
            public([6, 142], name="cast"),
            "class Solution:\n    def cast(self, n): return 2 * n",
            1.0,
        ),  # typing has one too
        (public([6, 142], name="Counter"), "x = 1  # Counter", 0.0),
        (public([6, 142]), "import sys\ndef double(n): return 2 * n + sys._getframe().f_lineno - 2", 1.0),
        (public([6, 142]), "double = ''", 0.0),
        (public([6, 142]), "double\\", 0.0),
        (public([6, 142]), "')))\ndouble = lambda n: 2 * n", 0.0),
        ({**CALL}, METHOD, 0.0),  # what is no public row promises a function
        ({**CALL}, "Numbers = List[int]\ndef double(n): return 2 * n", 0.0),
        ({**CALL, "cases": [{"args": [3], "expected": [6]}]}, RIGHT, 0.0),
    ],
)
def test_what_public_rows_take_for_granted(row: Row, source: str, score: float) -> None:
    verdict = judged(row, source)
    assert (verdict.score, verdict.status) == (score, "graded")


@pytest.mark.usefixtures("sandbox")
def test_a_checker_may_judge_methods_and_a_missing_function_is_said() -> None:
    row = public([[6], [142]], checker="def check(args, value, right): return value == 2 * args[0] == right[0]")
    assert judged(row, METHOD).score == judged(row, RIGHT).score == 1.0
    assert judged(row, METHOD.replace("2 *", "3 *")).score == 0.0
    assert "There is no function double" in judged(public([6, 142]), "class Solution: pass").feedback


@pytest.mark.usefixtures("sandbox")
def test_an_episode_of_a_public_row() -> None:
    env = envhub.make(
        "code-tests-v0", path=write(*[public([[6], [142]], id=str(n)) | {"prompt": f"{n}"} for n in range(40)])
    )
    prompt, _ = env.reset(seed=3)
    assert "the function double in Python, or a class Solution that has it as a method" in prompt
    for source, score in ((METHOD, 1.0), (RIGHT, 1.0), (LISTED, 1.0), (METHOD.replace("2 *", "3 *"), 0.0)):
        assert play(env.fork(), iter([block(source)])).score == score
    other = envhub.make("code-tests-v0", path=write(*[{**CALL, "prompt": f"{n}"} for n in range(40)], name="q.jsonl"))
    assert "Solution" not in other.reset(seed=3)[0]


SQUARE: Row = {
    "prompt": "Print two factors of n.",
    "cases": [{"input": "12\n", "output": "12"}, {"input": "35\n", "output": "35"}],
    "checker": "def check(n, text, right):\n  a, b = map(int, text.split())\n  return a * b == int(right) and 1 < a < int(n)",
}


@pytest.mark.usefixtures("sandbox")
def test_a_checker_says_which_outputs_are_right() -> None:
    right = "n = int(input())\na = next(a for a in range(2, n) if n % a == 0)\nprint(a, n // a)"
    assert judged(SQUARE, right).score == 1.0
    assert judged(SQUARE, "print(1, input())").components == {"passed": 0.0, "format": 1.0}
    assert judged(SQUARE, "print('no numbers')").score == 0.0  # what the checker raises is the output's doing
    assert judged(SQUARE, "print(3, 4)").components["passed"] == 0.5
    half = {**SQUARE, "checker": "def check(i, o, e): return 0.5"}
    assert judged(half, right).score == 0.0
    call = {**CALL, "checker": "def check(args, value, expected): return value == expected and args[0] * 2 == value"}
    assert judged(call, "def double(n): return n + n").score == 1.0
    assert judged(call, "def double(n): return expected").score == 0.0
    for lying in (
        "def check(i, o, e): return 'yes'",
        "def check(i, o, e): return None",
        "class B(int): pass\ndef check(i, o, e): return B(1)",
    ):
        assert judged({**SQUARE, "checker": lying}, right).score == 0.0


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize("depth", [0, 10, 62, 63, 64, 65, 200])
@pytest.mark.parametrize("around", ["[a]", "(a,)", "{1: a}"])
def test_what_is_nested_too_deep_for_the_checker_is_wrong(depth: int, around: str) -> None:
    row = {**CALL, "checker": "def check(args, value, right): return isinstance(value, (list, dict))"}
    deep = f"def double(a):\n    for _ in range({depth}): a = {around}\n    return a"
    verdict = judged(row, deep)
    assert (verdict.status, verdict.score) == ("graded", float(0 < depth < 64))


@pytest.mark.usefixtures("sandbox")
def test_much_output_in_many_cases_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    most = plain.MAX_MESSAGE // 100  # as long as it is, and a hundred times the cases, take a minute
    monkeypatch.setattr(plain, "MAX_MESSAGE", most)
    for module in (resource, judging):
        monkeypatch.setattr(module, "MAX_BATCH", most // 2, raising=False)
    cases = [{"input": f"{n}\n", "output": f"{n}" * 30_000} for n in range(10)]
    checker = "def check(i, output, right): return output == right"
    loud = "import sys\nprint('x' * 60000)\nprint('y' * 60000, file=sys.stderr)"
    for row in ({"prompt": "x", "cases": cases}, {"prompt": "x", "cases": cases, "checker": checker}):
        verdict = judged(row, f"{loud}\nprint('\\0' * (1 << 19))")
        assert (verdict.status, verdict.score) == ("graded", 0.0)
        assert judged(row, f"{loud}").score == 0.0
        assert judged(row, "print(input() * 30000, end='')").score == 1.0


@pytest.mark.usefixtures("sandbox")
def test_a_checker_that_cannot_be_run_is_no_score() -> None:
    verdict = judged({**SQUARE, "checker": "import nowhere\ndef check(i, o, e): return True"}, "print(3, 4)")
    assert (verdict.status, verdict.score) == ("error", None)
    assert verdict.error is not None
    assert verdict.error.code == "checker"


FRAGILE = (
    "import os\ndef check(n, text, right):\n  if 'die' in text: os._exit(3)\n"
    "  if 'loop' in text:\n    while True: pass\n  return text.strip() == right"
)


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize("word", ["die", "loop"])
def test_an_output_that_makes_the_checker_fail_scores_0_with_the_reason(word: str) -> None:
    row = {**SQUARE, "checker": FRAGILE, "limits": {"cpu_s": 0.3, "wall_s": 60}}
    verdict = judged(row, f"n = input()\nprint('{word}' if n == '12' else n)")
    assert (verdict.status, verdict.score, verdict.reason) == ("no_answer", 0.0, "checker_failed_on_answer")
    assert verdict.components["passed"] == 0.5  # the other case was checked all the same
    assert judged(row, "print(input())").score == 1.0
    assert judged(row, "print(7)").status == "graded"


@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize(
    "broken",
    [
        "import os\ndef check(n, text, right): os._exit(0)",
        "import os\ndef check(n, text, right):\n  if n.startswith('12'): os._exit(0)\n  return True",
        "def check(n, text, right):\n  while True: pass",
    ],
)
def test_a_checker_that_fails_on_right_outputs_as_well_is_an_error(broken: str) -> None:
    verdict = judged({**SQUARE, "checker": broken, "limits": {"cpu_s": 0.3, "wall_s": 60}}, "print(input())")
    assert (verdict.status, verdict.score) == ("error", None)
    assert verdict.error is not None
    assert verdict.error.code == "checker"


@pytest.mark.usefixtures("sandbox")
def test_a_checker_that_recurses_into_the_output_raises_or_fails_and_never_is_an_error() -> None:
    checker = "import ast\ndef check(n, text, right): return ast.literal_eval(text) == int(right)"
    assert judged({**SQUARE, "checker": checker}, "print(input())").score == 1.0
    verdict = judged({**SQUARE, "checker": checker}, "print('(' * 5000 + '1' + ')' * 5000)")
    assert (verdict.status in ("graded", "no_answer"), verdict.score) == (True, 0.0)
    deep = "import ctypes\ndef check(n, text, right):\n  if len(text) > 99: ctypes.string_at(0)\n  return text.strip() == right"
    verdict = judged({**SQUARE, "checker": deep}, "print('(' * 5000)")
    assert (verdict.score, verdict.reason) == (0.0, "checker_failed_on_answer")


@pytest.mark.usefixtures("sandbox")
def test_other_languages() -> None:
    row = {**DOUBLE, "language": "bash"}
    assert judged(row, "read n; echo $((2 * n))", "bash").score == 1.0
    assert judged(row, "print(2 * int(input()))", "python").status == "no_answer"


def test_what_is_posted_is_read_or_refused() -> None:
    with pytest.raises(InvalidParameters, match="cases: expected a list"):
        AgainstTests({"prompt": "x"})
    with pytest.raises(InvalidParameters, match="cannot be read"):
        AgainstTests("{")
    with pytest.raises(InvalidAction):
        AgainstTests(DOUBLE)(["a"])
    assert AgainstTests({"cases": DOUBLE["cases"]})("no program").status == "no_answer"


# -- the environment ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("sandbox")
def test_an_episode_from_a_file() -> None:
    rows = [
        {**DOUBLE, "prompt": f"Read an integer, print it plus {n}.", "difficulty": 1 + n % 2}
        | {
            "cases": [{"input": f"{k}", "output": f"{k + n}"} for k in (1009, 2003)],
            "solution": f"print(int(input()) + {n})",
        }
        for n in range(60)
    ]
    path = write(*rows)
    seen: dict[str, set[str]] = {}
    for split in SPLITS[:1]:
        env = envhub.make("code-tests-v0", path=path, split=split, difficulty=1)
        for seed in range(6):
            prompt, info = env.reset(seed=seed)
            seen.setdefault(split, set()).add(env.task.fingerprint)
            assert not {"1009", "2003"} & set(prompt.replace(".", " ").split())
            assert "cases" not in json.dumps([env.task.to_json(), info, env.snapshot()])
            wrong = play(env.fork(), iter([block("print(int(input()))" if "plus 0." not in prompt else "print(1)")]))
            assert wrong.score == 0.0
            assert env.step(env.solve())[1] == 1.0
    with pytest.raises(InvalidParameters, match="has the difficulty 3; there are 1, 2"):
        envhub.make("code-tests-v0", path=path, difficulty=3)
    lone = envhub.make("code-tests-v0", path=write(*[{**DOUBLE, "prompt": f"{n}"} for n in range(40)], name="q.jsonl"))
    lone.reset(seed=1)
    with pytest.raises(InvalidParameters, match="without a solution"):
        lone.solve()
