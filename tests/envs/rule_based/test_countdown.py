"""countdown-v0: any right expression counts, and nothing that bends a rule."""

from __future__ import annotations

from typing import Any

import pytest

import envhub
from envhub.core.seeding import fingerprint
from envhub.core.types import Instance, Verdict
from envhub.envs.rule_based.countdown.environment import Countdown

INSTANCE = Instance({"numbers": [3, 8, 8, 1, 25], "target": 24, "operators": "+-*/"}, key="3 * 8")


def verdict(text: str, instance: Instance = INSTANCE) -> Verdict:
    turn: Any = Countdown().advance(instance, None, f"<answer>{text}</answer>", None)  # type: ignore[arg-type]
    return turn.verdict  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "text",
    [
        "3 * 8",
        "8*3",
        "(8 + 8) * 3 / (3 - 1)",
        "25 - 1",
        "8 + 8 + 8",
        "3 \u00d7 8",
        "3 * 8 = 24",
        "25 - 1 = 24",
        "8 / (1 / 3)",
        "(3*(8))",
        "1 * 25 - 1",
        "8 - 8 + 3 * 8",
    ],
)
def test_right_expressions_count_and_numbers_are_used_once(text: str) -> None:
    uses = [int(n) for n in "".join(c if c.isdigit() else " " for c in text.partition("=")[0]).split()]
    fair = all(uses.count(n) <= INSTANCE.problem["numbers"].count(n) for n in uses)
    assert verdict(text).solved == fair


@pytest.mark.parametrize(
    "text",
    ["3 * 8", "25 - 1", "8 / (1 / 3)", "(8 + 8) * 3 / (25 - 8 - 8)", "25 - 8 + 8 - 1", "3 + 8 + 8 + 25 / 1 - 25"],
)
def test_expressions_are_worth_what_they_are_worth(text: str) -> None:
    worth = {"3 * 8": 24, "25 - 1": 24, "8 / (1 / 3)": 24, "25 - 8 + 8 - 1": 24}
    assert verdict(text).solved == (text in worth)


@pytest.mark.parametrize(
    ("text", "breach"),
    [
        ("3 * 3 + 8 + 8 - 1", "a number used twice"),
        ("8 + 8 + 8", "a number used more often than it is listed"),
        ("38 - 8 - 8 + 1 + 1", "digits joined"),
        ("24", "a number that is not given"),
        ("24 * 1", "a number that is not given"),
        ("12 * 2", "numbers that are not given"),
        ("-1 + 25", "a minus sign in front of a number"),
        ("25 + (-1)", "a minus sign in front of a number"),
        ("-(1 - 25)", "a minus sign in front of a bracket"),
        ("3 * 8 = 25", "a false claim"),
        ("3 * 8 = -24", "a false claim"),
        ("3 + 8 = 24", "a true claim of a false sum"),
        ("3 / (8 - 8)", "a division by zero"),
        ("3 * 8 + 1 / (8 - 8)", "a division by zero"),
        ("3 * 8 + 1", "another value"),
        ("25 - 1 - 3 + 8 / 3", "another value"),
        ("8 - 3", "another value"),
    ],
)
def test_expressions_that_bend_a_rule_do_not_count(text: str, breach: str) -> None:
    found = verdict(text)
    assert (found.solved, found.score, found.status) == (False, 0.0, "graded"), breach
    assert found.feedback


@pytest.mark.parametrize(
    "text",
    [
        "3 * 8 or 25 - 1",
        "24 = 3 * 8",
        "3 * 8 = 24 = 24",
        "3(8)",
        "3 ** 8",
        "3 xx 8",
        "3 * 8; 1",
        "(3 * 8",
        "eval('24')",
        "3*8 # 24",
        "",
        "3,8",
        "3.0 * 8",
        "sum([8,8,8])",
        "<b>3*8</b>",
        "3 * 8 = 24.5",
        "not 3 * 8",
    ],
)
def test_what_is_no_expression_is_no_answer(text: str) -> None:
    found = verdict(text)
    assert (found.solved, found.score, found.status) == (False, 0.0, "no_answer")


def test_operators_that_are_not_allowed_do_not_count() -> None:
    plus = Instance({"numbers": [3, 8, 25, 1], "target": 24, "operators": "+-"}, key="25 - 1")
    assert verdict("25 - 1", plus).solved
    assert not verdict("3 * 8", plus).solved
    assert not verdict("(25 - 1) / 1", plus).solved


def test_two_right_expressions_that_differ_are_ambiguous() -> None:
    assert verdict("3 * 8</answer> <answer>25 - 1").reason == "ambiguous"


def test_the_order_of_the_numbers_makes_no_other_problem() -> None:
    def fingerprint_of(numbers: list[int], target: int, operators: str = "+-") -> str:
        return fingerprint(
            "countdown", Countdown().canonical({"numbers": numbers, "target": target, "operators": operators})
        )

    assert fingerprint_of([3, 1, 2], 6) == fingerprint_of([1, 2, 3], 6)
    assert fingerprint_of([3, 1, 2], 6) != fingerprint_of([3, 1, 2], 5)
    assert fingerprint_of([3, 1], 6) != fingerprint_of([3, 1, 1], 6)


@pytest.mark.parametrize("difficulty", [1, 5, 10])
def test_problems_are_as_the_parameters_say_and_the_plan_is_not_in_the_prompt(difficulty: int) -> None:
    env = envhub.make("countdown-v0", difficulty=difficulty)
    for seed in range(5):
        env.reset(seed=seed)
        problem, params = env.task.problem, env.task.params
        assert len(problem["numbers"]) == params["numbers"]
        assert params["target_low"] <= problem["target"] <= params["target_high"]
        assert all(params["low"] <= n <= params["high"] for n in problem["numbers"])
        assert env.episode.instance.key not in env.task.prompt
        assert envhub.verify(env.task, env.solve()).solved


@pytest.mark.parametrize(
    "bad", [{"needed": 5}, {"low": 50, "high": 10}, {"operators": "++"}, {"target_low": 500}, {"operators": ""}]
)
def test_parameters_that_contradict_each_other_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(envhub.EnvhubError):
        envhub.make("countdown-v0", difficulty=None, **bad)
