"""Grid puzzles that are answered by marking cells with 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.authoring.wording import Phrase
from envhub.core.types import JSON
from envhub.families.cells import Cells
from envhub.families.pieces import Numbers
from envhub.generators.cells.board import lines
from envhub.generators.cells.laws import Count
from envhub.generators.cells.model import Grid


def marked(cell: str) -> Phrase:
    """The rule on marking cells, such as "cell with a star"."""
    return Phrase(
        f"The answer is a grid of {{height}} rows and {{width}} columns: 1 for each {cell}, 0 for each other cell.",
        f"Answer with {{height}} rows of {{width}} digits. A digit is 1 for a {cell}, and 0 for any other cell.",
        f"Write the whole grid, {{height}} rows by {{width}} columns, with 1 for each {cell} and 0 for every other cell.",
        held_out=f"Return a 0/1 matrix with {{height}} rows and {{width}} columns. A {cell} is 1, and any other cell is 0.",
    )


def counted(marks: str, stated: str, cells: str = "") -> Phrase:
    """The rule on counts per line.

    Args:
        marks: What is counted: "water cells".
        stated: The end of "how many ...": "cells of its row or column contain water".
        cells: The same as ``marks`` in other words: "cells with water".
    """
    return Phrase(
        f"The number of {marks} in each row and column must equal its given number.",
        f"Every given number states how many {stated}.",
        f"Where a number is given for a row or column, the line has exactly this many {cells or marks}.",
        held_out=f"The given counts of {marks} per row and column are exact.",
    )


SHADED_APART: Final = Phrase(
    "Two shaded cells may not share a side. They may touch at a corner.",
    "Shaded cells may not be next to each other horizontally or vertically; diagonally they may.",
    "No shaded cell has another shaded cell at any of its four sides. Diagonal contact is allowed.",
    held_out="Shaded cells are never adjacent by a side, though corners may meet.",
)


class Marks(Cells):
    """A puzzle whose cells are marked or not."""

    def domains(self, problem: JSON) -> Sequence[int]:
        """Marked or not."""
        return [0b11] * (problem["height"] * problem["width"])


class LineCounts(Marks):
    """A puzzle with counts of marked cells per row and column."""

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The number of marks in every line: rows, then columns."""
        both = lines(problem["height"], problem["width"])
        return [[at, sum(solution[cell] for cell in line)] for at, line in enumerate(both)]

    def clue(self, problem: JSON, clue: JSON) -> Count:
        """The number of marks in a line."""
        at, number = clue
        return Count(lines(problem["height"], problem["width"])[at], number, number)


def line_numbers(problem: JSON, name: str) -> list[Numbers]:
    """The clues ``[line, number]`` under a name such as "Sums"."""
    height, width, known = problem["height"], problem["width"], dict(problem["clues"])
    return [
        Numbers(f"{name} in the rows, from top to bottom", [known.get(at) for at in range(height)], "left"),
        Numbers(f"{name} in the columns, from left to right", [known.get(height + at) for at in range(width)], "top"),
    ]
