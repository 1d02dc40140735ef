"""Members of the family Cells: clingo finds the same solutions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import pytest

from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.puzzles.kakurasu import Kakurasu
from envhub.envs.puzzles.mines import Mines
from envhub.families.cells import Cells, Laws
from envhub.generators.cells.bridges import Joined
from envhub.generators.cells.connectivity import Connected
from envhub.generators.cells.diagonals import NoLoops
from envhub.generators.cells.distinct import DifferentLines
from envhub.generators.cells.equation import Equation
from envhub.generators.cells.law import Law
from envhub.generators.cells.laws import Count, Different, Less, Table, Total, Within
from envhub.generators.cells.matching import Paired
from envhub.generators.cells.rays import Rays
from envhub.generators.cells.spanning import Spanning
from envhub.generators.cells.steps import Step
from envhub.generators.cells.symmetry import Together
from envhub.generators.cells.tally import Tally
from tests.families.members import members, problems
from tests.families.second.cells import asp, digits, directions, joined, marks

pytestmark = pytest.mark.slow  # clingo comes with the extra test, not with quick

PROGRAMS: Final[Mapping[str, Callable[[JSON], str]]] = {
    **digits.PROGRAMS,
    **directions.PROGRAMS,
    **joined.PROGRAMS,
    **marks.PROGRAMS,
}
"""By member: its problem as a program for clingo."""

LOST: Final[Mapping[type[Law], str]] = {
    Connected: "heyawake-v0",
    Count: "star-battle-v0",
    Different: "kakuro-v0",
    DifferentLines: "binario-v0",
    Equation: "math-path-v0",
    Joined: "bridges-v0",
    Less: "futoshiki-v0",
    NoLoops: "slant-v0",
    Paired: "tents-v0",
    Rays: "arrow-maze-v0",
    Spanning: "pipes-v0",
    Step: "numbrix-v0",
    Table: "aquarium-v0",
    Tally: "dominosa-v0",
    Together: "galaxies-v0",
    Total: "kakurasu-v0",
    Within: "survo-v0",
}
"""By kind of law, a member that needs it."""


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


def test_every_kind_of_law_is_lost_once() -> None:
    assert set(LOST) == set(Law.__subclasses__())


@pytest.mark.parametrize(("kind", "member"), LOST.items())
def test_clingo_notices_a_lost_law(kind: type[Law], member: str) -> None:
    for environment, instance in problems(member, 8, 4):
        model = environment.model(instance.problem)
        off = [at for at, law in enumerate(model.laws) if isinstance(law, kind)]
        for grid in model.another(instance.key, 20_000, off).grids:
            assert not asp.accepts(PROGRAMS[member](instance.problem), grid)
            return
    pytest.fail(f"{member} has one solution without {kind.__name__}")


def test_a_lost_clue_would_be_seen() -> None:
    [(_, instance)] = problems("futoshiki-v0", 5, 1)
    for dropped in range(len(instance.problem["clues"])):
        clues = [clue for at, clue in enumerate(instance.problem["clues"]) if at != dropped]
        if len(asp.solved(digits.futoshiki({**instance.problem, "clues": clues}))) == 2:
            return
    pytest.fail("a Futoshiki without one of its clues has one solution still")


def test_two_pairings_of_one_grid_are_one_solution() -> None:
    trees = [int(at in (2, 6, 8, 12, 23)) for at in range(25)]
    counts = enumerate((2, 0, 2, 0, 1, 0, 2, 1, 2, 0))
    problem = {"height": 5, "width": 5, "trees": trees, "clues": [list(count) for count in counts]}
    assert len(asp.solved(marks.tents(problem))) == 1


def test_a_mine_in_a_numbered_cell_breaks_the_clue() -> None:
    mines, problem = Mines(), {"height": 2, "width": 2, "clues": [[0, 1]]}
    assert mines.broken(problem, (0, 0, 0, 1)) == ""
    assert mines.broken(problem, (1, 0, 0, 1)) == mines.broken(problem, (1, 0, 0, 0)) == "A clue is not satisfied."


class WrongClues(Kakurasu):
    """Its clues are sums that no grid has."""

    def clues(self, problem: JSON, solution: tuple[int, ...]) -> list[JSON]:
        return [[at, 1000] for at, _ in super().clues(problem, solution)]


class WrongLaws(Kakurasu):
    """Its law forbids the value of a cell in every grid."""

    def laws(self, problem: JSON) -> Laws:
        return {"The first cell has a value.": [Within(0, 0)]}


def drawn(member: Cells) -> Any:
    staged = member.sample(Stream(b"drawn"), member.Params.at(1))
    next(staged)
    with pytest.raises(StopIteration) as stop:
        next(staged)
    return stop.value.value


@pytest.mark.parametrize("member", [WrongClues, WrongLaws])
def test_a_solution_that_breaks_a_rule_is_never_handed_out(member: type[Cells]) -> None:
    assert drawn(Kakurasu()) is not None
    assert drawn(member()) is None


def test_a_clue_without_a_law_names_the_class() -> None:
    with pytest.raises(NotImplementedError, match="Kakurasu"):
        Cells.clue(Kakurasu(), {}, [0, 1])
