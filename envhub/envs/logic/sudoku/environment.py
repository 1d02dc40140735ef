"""sudoku-v0: complete a 4x4, 6x6 or 9x9 Sudoku with one solution.

Action: the whole grid. Any grid that satisfies the rules and the clues counts; every puzzle has exactly one (proved).
Difficulty: the size, then fewer clues and harder techniques; effort is the work of a solver that always takes the
easiest step.

Content is the complete grid for side 9 and the puzzle for the small sides, where few complete grids exist. Relabellings,
rotations and reflections are the same content; exchanges of rows, columns or bands within the rules are not folded.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, SingleTurn, Staged
from envhub.authoring.board import Board
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.logic.sudoku import grid as sudoku, wording
from envhub.envs.logic.sudoku.grid import Technique
from envhub.scenes import Scene
from envhub.scenes.grid import grid
from envhub.verifiers.answers.grids import Grid
from envhub.verifiers.answers.types import AnswerType

TechniqueName = Literal["any", "hidden_single", "naked_single", "locked", "subset", "wing", "trial"]

_LEVELS: Final[tuple[tuple[Literal[4, 6, 9], int, TechniqueName], ...]] = (
    (4, 8, "hidden_single"),
    (6, 26, "hidden_single"),
    (6, 20, "hidden_single"),
    (6, 12, "hidden_single"),
    (9, 45, "hidden_single"),
    (9, 36, "naked_single"),
    (9, 30, "naked_single"),
    (9, 28, "locked"),
    (9, 27, "subset"),
    (9, 25, "trial"),
)
_SLACK: Final = 1


class Params(BaseParams):
    """The size and the techniques the puzzle needs."""

    size: Literal[4, 6, 9] = Field(9, description="side of the grid")
    clues: int = Field(36, ge=0, le=81, description="how many cells are given (one more may be left)")
    technique: TechniqueName = Field("any", description="the hardest technique needed, exactly; any: no matter")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        least = {4: 4, 6: 8, 9: 22}[self.size]
        if not least <= self.clues < self.size**2:
            raise ValueError(f"a grid of side {self.size} has {least}..{self.size**2 - 1} clues here")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        size, clues, technique = _LEVELS[difficulty - 1]
        return cls(size=size, clues=clues, technique=technique)


class _Filled(Grid):
    """The completed grid."""

    noun = "the completed grid, one row per line, digits separated by spaces, with no labels,"


class Sudoku(SingleTurn):
    """Complete a Sudoku grid."""

    Params = Params
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer: AnswerType = _Filled(digits=True)
    unique: ClassVar[bool] = True
    slow: ClassVar[bool] = True

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A complete grid, then clues removed while the solution stays unique."""
        technique = None if p.technique == "any" else Technique[p.technique.upper()]
        solution = sudoku.random_solution(rng, p.size)
        if p.size == 9:
            yield {"size": 9, "grid": list(solution)}
        puzzle = sudoku.carve(rng, solution, p.size, p.clues, technique, slack=_SLACK)
        if puzzle is None:
            return None
        problem = {"size": p.size, "grid": list(puzzle)}
        if p.size != 9:
            yield problem
        return Instance(problem, key=solution)

    def canonical(self, content: JSON) -> JSON:
        """The grid up to relabelling, rotation and reflection."""
        return sudoku.canonical(content["size"], content["grid"])

    def prompt(self, problem: JSON) -> Statement:
        """The puzzle and the rules."""
        return wording.statement(problem)

    def example(self, problem: JSON) -> str:
        """Equal rows, which no solution has."""
        size = problem["size"]
        return wording.drawn(size, [*range(1, size + 1)] * size)

    def board(self, problem: JSON) -> Board:
        """The grid with its given digits and its boxes."""
        size, digits = problem["size"], tuple(range(1, problem["size"] + 1))
        choices = tuple((digit,) if digit else digits for digit in problem["grid"])
        return Board(size, size, choices, sudoku.shape(size).box_of)

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The grid with its boxes."""
        size, digits = inst.problem["size"], [str(digit or "") for digit in inst.problem["grid"]]
        return grid([digits[at : at + size] for at in range(0, size**2, size)], regions=sudoku.shape(size).box_of)

    def grade(self, inst: Instance, value: tuple[tuple[int, ...], ...]) -> Verdict:
        """Check rules and clues."""
        size = inst.problem["size"]
        if {len(value), *map(len, value)} != {size}:
            return Verdict.exact(False, f"The grid must have {size} rows of {size} cells.")
        return Verdict.exact(sudoku.fits(size, inst.problem["grid"], [cell for row in value for cell in row]))

    def solve(self, inst: Instance) -> str:
        """The complete grid."""
        return wording.drawn(inst.problem["size"], inst.key)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The grid without spaces, and as a list of lists."""
        rows = self.solve(inst).splitlines()
        yield "\n".join(row.replace(" ", "") for row in rows)
        yield "[" + ",\n".join(f"[{row.replace(' ', ', ')}]" for row in rows) + "]"

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Complete grids that break only one kind of rule.

        The rows, the columns, the boxes or a clue; and the right one with rows moved.
        """
        size, clues, key = inst.problem["size"], inst.problem["grid"], list(inst.key)
        this, cells = sudoku.shape(size), range(size * size)
        yield wording.drawn(size * this.width, key)
        swapped = next(c for c in cells if clues[c])
        other = key[swapped] % size + 1  # every rule still holds when two digits are exchanged everywhere
        yield wording.drawn(size, [{key[swapped]: other, other: key[swapped]}.get(digit, digit) for digit in key])
        kinds = [[c // size for c in cells], [c % size for c in cells], this.box_of]
        for broken in kinds:
            kept = [[c for c in cells if of[c] == i] for of in kinds if of is not broken for i in range(size)]
            found = sudoku.exchanged(key, [c for c in cells if not clues[c]], kept)
            if found is not None:
                yield wording.drawn(size, found)

    def effort(self, inst: Instance) -> float:
        """The work of a solver that always takes the easiest step."""
        return sudoku.rate(inst.problem["size"], inst.problem["grid"]).effort
