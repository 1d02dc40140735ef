"""Grid puzzles that give some cells of the answer."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase
from envhub.core.types import JSON
from envhub.families.given import Given
from envhub.families.pieces import Facts, Pieces
from envhub.generators.cells.model import Grid

_HINTS: Final = Phrase(
    "Some cells of the answer are given. The answer must contain them unchanged.",
    "You are given some cells of the answer. Your answer must have the same numbers in these cells.",
    "A part of the answer is known already. The known cells must stay as they are.",
    held_out="Given cells of the answer are fixed; do not change them.",
)


class Hinted(Given):
    """A grid puzzle whose only removable clues are given cells."""

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """With the rule on given cells, if there are any."""
        return (*self.rules[:-1], _HINTS, self.rules[-1]) if problem["clues"] else self.rules

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The value of every cell that has a choice."""
        domains = self.domains(problem)
        return [[cell, value] for cell, value in enumerate(solution) if domains[cell] & domains[cell] - 1]

    def hints(self, problem: JSON) -> Pieces:
        """The given cells of the answer, if there are any."""
        given = [f"{place(problem, cell)} = {value}" for cell, value in problem["clues"]]
        return [Facts("Given cells of the answer", given)] if given else []


def place(problem: JSON, cell: int) -> str:
    """The coordinates of a cell."""
    row, column = divmod(cell, problem["width"])
    return f"({row + 1}, {column + 1})"
