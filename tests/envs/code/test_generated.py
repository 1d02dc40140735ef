"""code-output-v0, code-input-v0, code-induction-v0: what counts, and what does not."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import envhub
from envhub.core.difficulty import LEVELS
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.code.generated import ProgramParams
from envhub.envs.code.input import Input
from envhub.generators.straight_line import draw_arguments, run
from envhub.gymnasium.env import Env
from envhub.verifiers.answers.literals import read_literal, write_literal
from tests.sandbox import jails

IDS = ("code-output-v0", "code-input-v0", "code-induction-v0")


@pytest.fixture(scope="module")
def jailed() -> None:
    """Programs can be run here."""
    jails.backend()


def begun(id: str, level: int, seed: int) -> Env:
    env = envhub.make(id, difficulty=level)
    env.reset(seed=seed)
    return env


def judged(env: Env, answer: str) -> Verdict:
    trial = env.fork()
    trial.step(answer)
    verdict = trial.episode.turns[-1].verdict
    assert verdict is not None
    trial.close()
    return verdict


def tagged(text: str) -> str:
    return f"<answer>{text}</answer>"


# -- output ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_the_output_counts_with_its_types_and_nothing_else_does(level: int) -> None:
    for seed in range(4):
        env = begun("code-output-v0", level, seed)
        problem = env.task.problem
        value = run(problem["program"], problem["arguments"]).value
        assert judged(env, tagged(write_literal(value))).solved
        others: list[Any] = [[value], str(write_literal(value)), None, (value,), *problem["arguments"]]
        others += [float(value), value + 1, -value - 1] if type(value) is int else []
        others += [tuple(value), value[::-1] + value] if type(value) is list else []
        others += [list(value)] if type(value) is tuple else []
        for other in others:
            assert not judged(env, tagged(write_literal(other))).solved, other


def test_the_output_is_in_neither_prompt_nor_problem() -> None:
    for seed in range(10):
        env = begun("code-output-v0", 5, seed)
        assert env.episode.instance.key[0] not in str(env.task.problem["program"])
        assert f"\n{env.episode.instance.key[0]}\n" not in env.task.prompt


# -- input -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_any_input_that_gives_the_output_counts_and_no_other_does(level: int) -> None:
    right = tried = 0
    for seed in range(6):
        env = begun("code-input-v0", level, seed)
        problem = env.task.problem
        rng = Stream(b"input", level, seed)
        for _ in range(20):
            arguments = draw_arguments(problem["program"]["takes"], rng)
            gives = write_literal(run(problem["program"], arguments).value) == problem["output"]
            verdict = judged(env, tagged(", ".join(map(write_literal, arguments))))
            assert verdict.solved == gives
            right, tried = right + gives, tried + 1
    assert right <= 0.1 * tried


# f(xs) = sum(xs) of two or three integers from 0 to 9, and (len(s), n) of a string and an integer
SUM: JSON = {
    "takes": [{"kind": "ints", "least": 2, "most": 3, "low": 0, "high": 9}],
    "helpers": [],
    "main": {"arguments": 1, "names": ["xs"], "body": [["return", ["call", "sum", ["var", 0]]]]},
}
PAIR: JSON = {
    "takes": [
        {"kind": "str", "least": 2, "most": 3, "letters": "abc"},
        {"kind": "int", "low": 0, "high": 9},
    ],
    "helpers": [],
    "main": {
        "arguments": 2,
        "names": ["s", "n"],
        "body": [["return", ["tuple", ["call", "len", ["var", 0]], ["var", 1]]]],
    },
}

# f(s, n) = [len(s), n], and f(s, n) = {(len(s), n): 0}
LISTED: JSON = {
    **PAIR,
    "main": {**PAIR["main"], "body": [["return", ["list", ["call", "len", ["var", 0]], ["var", 1]]]]},
}
KEYED: JSON = {
    **PAIR,
    "main": {
        "arguments": 2,
        "names": ["s", "n", "d"],
        "body": [
            ["set", 2, ["dict"]],
            ["put", 2, ["tuple", ["call", "len", ["var", 0]], ["var", 1]], ["int", 0]],
            ["return", ["var", 2]],
        ],
    },
}


def graded(program: JSON, output: str, text: str) -> bool:
    """Whether a text solves the problem of this program and output; the key is not consulted."""
    instance = Instance({"program": program, "output": output}, key="not consulted")
    turn: Any = Input().advance(instance, None, tagged(text), Stream(b""))
    return bool(turn.verdict.solved)


@pytest.mark.parametrize("text", ["[4, 5]", "[5, 4]", "[9, 0]", "[3, 3, 3]", "([4, 5])"])
def test_every_input_of_the_domain_counts(text: str) -> None:
    assert graded(SUM, "9", text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "[4, 6]",
            "[9]",
            "[3, 3, 2, 1]",
            "[10, -1]",
            "[4.0, 5]",
            "[True, 8]",
            "(4, 5)",
            "{4, 5}",
            "9",
            "[[4, 5]]",
            "[]",
        ),
        *("[4, 5], [4, 5]", "'45'", "None", "{4: 5, 5: 4}"),
    ],
)
def test_what_is_not_of_the_domain_does_not_count_even_if_it_gives_the_output(text: str) -> None:
    assert not graded(SUM, "9", text)


def test_the_output_must_be_of_the_same_types() -> None:
    assert graded(PAIR, "(2, 1)", "'ab', 1")
    assert not graded(PAIR, "(2, True)", "'ab', 1")
    assert not graded(PAIR, "[2, 1]", "'ab', 1")
    assert not graded(PAIR, "(2, 1)", "'ad', 1")
    assert not graded(PAIR, "(2, 1)", "['a', 'b'], 1")
    assert not graded(PAIR, "(2, 1)", "'ab', True")


@pytest.mark.parametrize(("program", "form"), [(LISTED, "[2, {}]"), (KEYED, "{{(2, {}): 0}}")])
def test_the_parts_of_the_output_must_be_of_the_same_types(program: JSON, form: str) -> None:
    assert graded(program, form.format("1"), "'ab', 1")
    assert not graded(program, form.format("True"), "'ab', 1")
    assert not graded(program, form.format("1.0"), "'ab', 1")


def of_two(seed: int = 0) -> Env:
    """A task with two arguments."""
    return begun("code-input-v0", 6, seed)


def test_arguments_come_with_commas_in_brackets_or_without() -> None:
    env = of_two()
    one, other = map(write_literal, env.episode.instance.key)
    assert judged(env, tagged(f"{one}, {other}")).solved
    assert judged(env, tagged(f"({one}, {other})")).solved
    assert judged(env, tagged(f"[{one}, {other}]")).solved


def test_what_is_no_call_within_the_domains_does_not_count() -> None:
    env = of_two()
    one, other = env.episode.instance.key
    texts = [
        write_literal(one),
        f"{write_literal(other)}, {write_literal(one)}",
        "1, 2, 3",
        "None, None",
        "(), ()",
        "17",
    ]
    for text in texts:
        verdict = judged(env, tagged(text))
        assert (verdict.status, verdict.solved) == ("graded", False), text
    huge = judged(env, tagged(f"{write_literal(one)}, {10**900}"))
    assert not huge.solved


@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_output_given_back_as_the_input_does_not_count(level: int) -> None:
    for seed in range(6):
        env = begun("code-input-v0", level, seed)
        assert not judged(env, tagged(env.task.problem["output"])).solved


# -- induction -------------------------------------------------------------------------------------------------------


def table(env: Env, rest: str = "None") -> str:
    """A program that knows the pairs of the prompt by heart."""
    rows = ", ".join(f"({tuple(given)!r}, {output})" for given, output in env.task.problem["pairs"])
    lines = ["def f(*given):", f"    for known, output in [{rows}]:", "        if known == given:"]
    return "\n".join(["```python", *lines, "            return output", f"    return {rest}", "```"])


@pytest.mark.usefixtures("jailed")
@pytest.mark.parametrize("level", [1, 6, 10])
def test_the_pairs_by_heart_do_not_count(level: int) -> None:
    for seed in range(3):
        env = begun("code-induction-v0", level, seed)
        first = env.task.problem["pairs"][0][1]
        for rest in ("None", first, "given[0]"):
            verdict = judged(env, table(env, rest))
            assert (verdict.status, verdict.solved) == ("graded", False)


def test_the_pairs_are_right_and_the_hidden_inputs_are_others() -> None:
    for level in (1, 5, 10):
        env = begun("code-induction-v0", level, 3)
        key, pairs = env.episode.instance.key, env.task.problem["pairs"]
        assert all(write_literal(run(key["program"], given).value) == output for given, output in pairs)
        shown = [given for given, _ in pairs]
        assert len(key["inputs"]) >= 20
        assert all(hidden not in shown for hidden in key["inputs"])


@pytest.mark.usefixtures("jailed")
def test_another_program_that_gives_the_same_counts_and_one_with_other_types_does_not() -> None:
    env = begun("code-induction-v0", 2, 1)
    text = env.environment.solve(env.episode.instance)  # type: ignore[attr-defined]
    body = text.removeprefix("```python\n").removesuffix("\n```").replace("def f(", "def inner(")
    wrapped = f"```python\n{body}\n\n\ndef f(*given):\n    value = inner(*given)\n    return value\n```"
    assert judged(env, wrapped).solved
    for spoilt in (
        "[value]",
        "value if sum(map(ord, repr(given))) % 3 else None",
        "str(value)",
        "type('L', (list,), {})([value])",
    ):
        assert not judged(env, wrapped.replace("return value", f"return {spoilt}")).solved


# -- all three -------------------------------------------------------------------------------------------------------


def test_a_program_is_of_one_split_whoever_asks_about_it() -> None:
    authors = [envhub.make(id).environment for id in IDS]
    assert {environment.family for environment in authors} == {"straight-programs"}
    program = begun("code-output-v0", 3, 5).task.problem["program"]
    assert len({str(environment.canonical({"program": program})) for environment in authors}) == 1


def test_levels_are_in_order_of_what_they_cost() -> None:
    for id in IDS:
        bounds = [envhub.make(id).environment.Params.at(level) for level in LEVELS]
        assert all(isinstance(p, ProgramParams) and p.least <= p.most for p in bounds)
        assert all(a.most < b.least for a, b in pairwise(bounds))  # type: ignore[attr-defined]


def test_bounds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(InvalidParameters, match="least must not be larger than most"):
        envhub.make("code-output-v0", least=9, most=3)


def test_literals_written_are_literals_read() -> None:
    for seed in range(20):
        text = begun("code-output-v0", 8, seed).episode.instance.key[0]
        assert write_literal(read_literal(text)) == text
