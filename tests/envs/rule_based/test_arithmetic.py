"""arithmetic-v0: what is the same expression, and what is an answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.core.seeding import fingerprint
from envhub.core.types import Instance
from envhub.envs.rule_based.arithmetic import Arithmetic, Params
from envhub.generators.expressions.text import parse
from envhub.generators.expressions.trees import evaluate


def fingerprint_of(expression: str) -> str:
    return fingerprint("expression-value", Arithmetic().canonical({"expression": expression}))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1 + 2", "2 + 1"),
        ("2 * 3", "3 * 2"),
        ("1 + 2 + 3", "3 + (1 + 2)"),
        ("(1 + 2) * 3", "3 * (2 + 1)"),
        ("5 - 2 + 1", "5 + 1 - 2"),
        ("8 / 2 * 3", "3 * 8 / 2"),
        ("((7))", "7"),
    ],
)
def test_expressions_that_differ_in_order_only_are_the_same_problem(one: str, other: str) -> None:
    assert fingerprint_of(one) == fingerprint_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1 - 2", "2 - 1"),
        ("1 + 2", "1 + 3"),
        ("1 + 2", "1 * 2"),
        ("1 + 2 * 3", "(1 + 2) * 3"),
        ("8 / 2", "2 / 8"),
        ("1 + 3", "2 + 2"),
    ],
)
def test_other_expressions_are_other_problems(one: str, other: str) -> None:
    assert fingerprint_of(one) != fingerprint_of(other)


@given(st.integers(0, 2**63 - 1), st.integers(1, 10))
def test_the_value_is_that_of_the_expression_and_every_step_is_whole(seed: int, difficulty: int) -> None:
    env = envhub.make("arithmetic-v0", difficulty=difficulty)
    env.reset(seed=seed)
    text = env.task.problem["expression"]
    value = evaluate(parse(text))
    assert value is not None
    assert value.denominator == 1
    python = eval(text.replace("/", "//"), {"__builtins__": {}})  # our own text, never a policy's
    assert python == value == Fraction(env.episode.instance.key)
    assert text in env.environment.worded(env.task.problem)
    assert env.step(f"<answer>{python}</answer>")[1] == 1.0


@pytest.mark.parametrize(
    ("text", "solved"),
    [
        ("1024", True),
        ("1,024", True),
        ("1024.0", True),
        ("+1024", True),
        ("-1024", False),
        ("1023", False),
        ("10242", False),
        ("2048/2", False),
        ("1024 or 1023", False),
        ("1000 + 24", False),
        ("0", False),
        ("", False),
        ("1024.5", False),
    ],
)
def test_only_the_value_solves(text: str, solved: bool) -> None:
    environment = Arithmetic()
    inst = Instance({"expression": "1000 + 24"}, key=1024)
    turn: Any = environment.advance(inst, None, f"<answer>{text}</answer>", None)  # type: ignore[arg-type]
    assert turn.verdict.solved == solved


def test_the_parameters_shape_the_expression() -> None:
    env = envhub.make("arithmetic-v0", terms=5, digits=3, operators="+", nesting=0)
    env.reset(seed=2)
    numbers = env.task.problem["expression"].split(" + ")
    assert [len(n) for n in numbers] == [3] * 5


def test_higher_levels_are_more_work() -> None:
    def effort(difficulty: int) -> float:
        env = envhub.make("arithmetic-v0", difficulty=difficulty)
        total = 0.0
        for seed in range(15):
            env.reset(seed=seed)
            total += env.environment.effort(env.episode.instance)
        return total

    assert effort(1) < effort(4) < effort(7) < effort(10)
    assert Params.at(10).terms > Params.at(1).terms
