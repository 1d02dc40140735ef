"""knights-knaves-v0: the roles that fit what is said, and no others."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from envhub.audit.controls import NASTY
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Verdict
from envhub.envs.logic.knights_knaves.environment import KnightsKnaves, Params
from envhub.envs.logic.knights_knaves.statements import solutions

# Ann: "Bob is a knave." Bob: "Ann and Cy are of different kinds." Cy: "I am a knave, or Ann is a knight."
PROBLEM = {"names": ["Ann", "Bob", "Cy"], "statements": [["knave", 1], ["differ", 0, 2], ["knight", 0]]}
INSTANCE = Instance(PROBLEM, key="not consulted")


def verdict(text: str, instance: Instance = INSTANCE) -> Verdict:
    turn: Any = KnightsKnaves().advance(instance, None, f"<answer>{text}</answer>", None)  # type: ignore[arg-type]
    return turn.verdict  # type: ignore[no-any-return]


def drawn(level: int, seed: int) -> Instance | None:
    staged = KnightsKnaves().sample(Stream(b"test", level, seed), Params.at(level))
    try:
        next(staged)
        next(staged)
    except StopIteration as stop:
        return stop.value  # type: ignore[no-any-return]
    raise AssertionError


def test_every_assignment_is_judged_by_the_statements() -> None:
    for roles in product(["knight", "knave"], repeat=3):
        a, b, c = (role == "knight" for role in roles)
        fits = (a == (not b)) and (b == (a != c)) and (c == a)
        text = ", ".join(f"{n}: {r}" for n, r in zip(PROBLEM["names"], roles, strict=True))
        assert verdict(text).solved == fits


@pytest.mark.parametrize(
    "text",
    [
        "Ann: knight, Bob: knave",
        "Ann: knight, Bob: knave, Cy: knight, Dan: knave",
        "Ann: knight, Bob: knave, Di: knight",
    ],
)
def test_missing_and_extra_names_do_not_count(text: str) -> None:
    assert verdict("Cy is a knight; Bob is a knave; Ann is a knight").solved
    assert (verdict(text).solved, verdict(text).status) == (False, "graded")


@pytest.mark.parametrize("text", ["Ann: knight, Bob: knave, Cy: knight, Bob: knight", "knight knave knight", "Ann"])
def test_what_contradicts_itself_is_no_answer(text: str) -> None:
    assert verdict(text).status == "no_answer"


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_solve_nothing(text: str) -> None:
    found = verdict(text)
    assert (found.solved, found.score) == (False, 0.0)


@pytest.mark.parametrize("level", LEVELS)
def test_problems_have_one_solution_and_the_oracle_gives_it(level: int) -> None:
    for seed in range(5):
        inst = drawn(level, seed)
        if inst is not None:
            assert len(solutions(inst.problem["statements"])) == 1
            assert len(set(inst.problem["names"])) == Params.at(level).people
            assert verdict(inst.key, inst).solved


def test_no_constant_answer_is_right_too_often() -> None:
    made = [inst for seed in range(400) if (inst := drawn(1, seed))]
    found = Counter(solutions(inst.problem["statements"])[0] for inst in made)
    assert len(made) > 380
    assert len(found) == 8
    assert max(found.values()) < 0.19 * len(made)  # 1/8 with some room for chance
