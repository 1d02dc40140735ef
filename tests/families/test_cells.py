"""Members of the family Cells: clingo finds the same solutions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from envhub.core.difficulty import LEVELS
from envhub.core.types import JSON
from envhub.families.cells import Cells
from tests.families.members import members, problems
from tests.families.second.cells import asp, digits, directions, joined, marks

pytestmark = pytest.mark.slow

PROGRAMS: Final[Mapping[str, Callable[[JSON], str]]] = {
    **digits.PROGRAMS,
    **directions.PROGRAMS,
    **joined.PROGRAMS,
    **marks.PROGRAMS,
}
"""By member: its problem as a program for clingo."""


def test_every_member_has_a_second_implementation() -> None:
    assert set(members(Cells)) == set(PROGRAMS)


@pytest.mark.parametrize("member", PROGRAMS)
@pytest.mark.parametrize("count", [2, pytest.param(20, marks=pytest.mark.nightly)])
def test_clingo_finds_the_solution_and_no_other(member: str, count: int) -> None:
    for level in LEVELS:
        for environment, instance in problems(member, level, count):
            program = PROGRAMS[member](instance.problem)
            assert asp.accepts(program, instance.key)
            if environment.unique:
                assert asp.solved(program) == [tuple(instance.key)]
            for mistake in environment.mistakes(instance):
                cells = environment.cells(instance.problem, environment.answer.parse(mistake))
                assert isinstance(cells, str) or not asp.accepts(program, cells)


def test_a_lost_clue_would_be_seen() -> None:
    [(_, instance)] = problems("futoshiki-v0", 5, 1)
    for dropped in range(len(instance.problem["clues"])):
        clues = [clue for at, clue in enumerate(instance.problem["clues"]) if at != dropped]
        if len(asp.solved(digits.futoshiki({**instance.problem, "clues": clues}))) == 2:
            return
    pytest.fail("a Futoshiki without one of its clues has one solution still")
