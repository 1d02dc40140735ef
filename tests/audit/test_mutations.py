"""Verifiers of ours, broken on purpose: any text accepted, one constraint dropped, one stored solution compared with.

A verifier that is wrong in one of these ways must not get through the audit; so each is broken here, under an id of its own,
and the audit has to say so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from envhub.audit import CHECKS, Breach
from envhub.authoring import SingleTurn
from envhub.core.types import Instance, Turn, Verdict
from envhub.envs.games.guess_number import GuessNumber
from envhub.envs.games.mastermind.environment import Mastermind
from envhub.envs.games.maze.environment import Maze
from envhub.envs.logic.knights_knaves import statements
from envhub.envs.logic.knights_knaves.environment import KnightsKnaves
from envhub.envs.logic.shortest_path import ShortestPath
from envhub.envs.logic.sudoku import grid
from envhub.envs.logic.sudoku.environment import Sudoku
from envhub.envs.logic.zebra.environment import Zebra
from envhub.envs.rule_based.arithmetic import Arithmetic
from envhub.envs.rule_based.countdown.environment import Countdown
from envhub.envs.rule_based.equation import equations as equations_of
from envhub.envs.rule_based.equation.environment import Equation
from envhub.generators.expressions.trees import leaves
from tests.audit.registering import registered

SINGLE: list[type[SingleTurn]] = [
    Arithmetic,
    Countdown,
    Equation,
    KnightsKnaves,
    ShortestPath,
    Sudoku,
    Zebra,
]
SEVERAL = [Countdown, Equation]
"""Where other answers than the one on record are right, and always at hand."""


def found_out(cls: type[Any], *checks: str) -> bool:
    """Whether one of the checks finds a breach."""
    with registered(cls) as subject:
        for name in checks or CHECKS:
            try:
                CHECKS[name](subject)
            except Breach:
                return True
        return False


def graded(cls: type[SingleTurn], grade: Callable[[Instance, Any], Verdict]) -> type[SingleTurn]:
    """The environment with another verifier."""
    changed = {"grade": lambda self, inst, value: grade(inst, value), "accepts": lambda self, inst: True}
    return type(f"Mutant{cls.__name__}", (cls,), changed)


@pytest.mark.parametrize("cls", SINGLE)
def test_any_answer_accepted_is_found_out(cls: type[SingleTurn]) -> None:
    assert found_out(graded(cls, lambda inst, value: Verdict.exact(True)), "wrong_answers")


@pytest.mark.parametrize("cls", SEVERAL)
def test_one_stored_solution_compared_with_is_found_out(cls: type[SingleTurn]) -> None:
    class Stored(cls):  # type: ignore[valid-type, misc]
        def grade(self, inst: Instance, value: Any) -> Verdict:
            return Verdict.exact(repr(value) == repr(self.answer.parse(self.solve(inst))))

    assert found_out(Stored, "alternatives")


def without_clues(inst: Instance, value: Any) -> Verdict:
    size, cells = inst.problem["size"], [cell for row in value for cell in row]
    return Verdict.exact(len(cells) == size * size and grid.fits(size, [0] * (size * size), cells))


def without_the_target(inst: Instance, value: Any) -> Verdict:
    used = leaves(value[0])
    return Verdict.exact(all(used.count(n) <= inst.problem["numbers"].count(n) for n in used))


def without_the_last_statement(inst: Instance, value: dict[str, str]) -> Verdict:
    names = [name.casefold() for name in inst.problem["names"]]
    if set(names) != set(value):
        return Verdict.exact(False)
    world = [value[name] == "knight" for name in names]
    said = [statements.holds(statement, world) for statement in inst.problem["statements"]]
    return Verdict.exact(said[:-1] == world[:-1])


def without_any_clue(inst: Instance, value: dict[int, dict[str, str]]) -> Verdict:
    words = sorted(word.casefold() for _, listed in inst.problem["attributes"] for word in listed)
    return Verdict.exact(sorted(word for row in value.values() for word in row) == words)


def without_one_clue(inst: Instance, value: dict[int, dict[str, str]]) -> Verdict:
    """By our own verifier, on a problem that lacks its last clue."""
    return Zebra().grade(Instance({**inst.problem, "clues": inst.problem["clues"][:-1]}, inst.key), value)


def without_completeness(inst: Instance, value: Any) -> Verdict:
    names, equations = inst.problem["unknowns"], inst.problem["equations"]
    if set(value) != set(names):
        return Verdict.exact(False)
    some = [{name: min(values) for name, values in value.items()}]
    return Verdict.exact(all(equations_of.satisfies(equations, one) for one in some))


def without_the_optimum(inst: Instance, value: Any) -> Verdict:
    return Verdict.exact((value.nodes[0], value.nodes[-1]) == (inst.problem["start"], inst.problem["goal"]))


def congruent(value: dict[str, Any], inst: Instance, modulus: int) -> bool:
    """Whether every unknown has as many values as it should, each congruent to one of them."""
    right = Equation().answer.parse(Equation().solve(inst))
    rests = [{name: sorted(x % modulus for x in one[name]) for name in one} for one in (value, right)]
    return rests[0] == rests[1]


@pytest.mark.parametrize(
    ("cls", "grade"),
    [
        (Sudoku, without_clues),
        (Countdown, without_the_target),
        (KnightsKnaves, without_the_last_statement),
        (Zebra, without_any_clue),
        (Zebra, without_one_clue),
        (Equation, without_completeness),
        (ShortestPath, without_the_optimum),
        (Arithmetic, lambda inst, value: Verdict.exact(abs(value) == abs(inst.key))),
        (Arithmetic, lambda inst, value: Verdict.exact(str(value)[-1] == str(inst.key)[-1])),
        (Arithmetic, lambda inst, value: Verdict.exact((value - inst.key) % 9 == 0)),
        (Arithmetic, lambda inst, value: Verdict.exact((value - inst.key) % 1000 == 0)),
        (Equation, lambda inst, value: Verdict.exact(congruent(value, inst, 11))),
    ],
)
def test_a_dropped_constraint_is_found_out(cls: type[SingleTurn], grade: Callable[[Instance, Any], Verdict]) -> None:
    assert found_out(graded(cls, grade))


@pytest.mark.parametrize("cls", [GuessNumber, Mastermind, Maze])
def test_a_game_that_is_won_at_once_is_found_out(cls: type[Any]) -> None:
    class Won(cls):  # type: ignore[misc]
        def act(self, inst: Instance, state: Any, value: Any, rng: Any) -> Turn:
            return Turn.end(state, Verdict.exact(True))

    assert found_out(Won, "wrong_answers", "blind_policies")


@pytest.mark.parametrize("cls", [*SINGLE, GuessNumber, Mastermind, Maze])
def test_what_is_not_broken_passes_the_same_checks(cls: type[Any]) -> None:
    assert not found_out(type("Same", (cls,), {}), "alternatives", "wrong_answers")
