"""killer-sudoku-v0: complete a Sudoku in which every cage has a given sum.

Action: the whole grid. Any grid that satisfies the rules counts; there is exactly one (proved). Difficulty: the size, then
larger cages and fewer given numbers; effort is the number of propagation steps of a search. Rotations and reflections are the
same problem.
"""

from __future__ import annotations

from typing import Any

from envhub.core.errors import InvalidParameters
from envhub.families.cages import cages_of
from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels
from envhub.families.given import FILLED
from envhub.families.latin import EACH_NUMBER_ONCE, LatinSquare, full_mask
from envhub.generators.cells.board import divided, members
from envhub.generators.cells.laws import Different, Table
from envhub.generators.cells.sudoku import BOXES, boxes, filled
from envhub.generators.cells.tables import adding_up


class KillerSudoku(LatinSquare):
    """Complete a Sudoku in which every cage has a given sum."""

    Params = levels(
        side=knob("side of the grid: 4, 6, 8 or 9", 4, 4, 6, 6, 6, 8, 8, 9, 9, 9),
        cage=knob("maximum number of cells of a cage", 2, 3, 2, 3, 3, 2, 3, 2, 3, 3, at_most=4),
        given=knob("percentage of the numbers that are given at least", 20, 0, 20, 10, 0, 20, 12, 15, 12, 8),
    )
    layers = ("regions",)
    task = Phrase(
        "Solve this {size}x{size} Killer Sudoku.",
        "Complete this Killer Sudoku on a grid of {size} rows and {size} columns, which is divided into cages.",
        "Fill in every cell of the {size}x{size} grid of this Killer Sudoku.",
        held_out="Find the completed grid of the Killer Sudoku with side {size}.",
    )
    rules = (
        *EACH_NUMBER_ONCE,
        Phrase(
            "The grid is divided into boxes of {box_height} rows and {box_width} columns, starting at the top left corner. "
            "Each box contains each of the numbers 1 to {size} exactly once.",
            "Boxes of {box_height} rows by {box_width} columns tile the grid. Every box uses all numbers from 1 to {size}, "
            "each of them once.",
            "In each of the boxes of {box_height} rows and {box_width} columns that tile the grid, the numbers 1 to {size} "
            "occur exactly once each.",
            held_out="The grid is tiled by boxes ({box_height} rows, {box_width} columns), each a permutation of 1 to {size}.",
        ),
        Phrase(
            "The numbers of each cage are different and add up to its result.",
            "No number repeats in a cage, and the sum of its numbers is its result.",
            "Each cage contains different numbers whose sum is the result of the cage.",
            held_out="A cage has pairwise different numbers with the stated sum.",
        ),
        FILLED,
    )

    def check(self, p: Any) -> None:
        """Boxes exist for some sides only."""
        if p.side not in BOXES:
            raise InvalidParameters(f"`side` must be 4, 6, 8 or 9, got {p.side}.")

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """A full Sudoku and cages without equal numbers."""
        size = p.side
        grid = filled(rng, size, members(boxes(size)), 20 * size**2)
        cages = divided(rng, size, size, range(1, p.cage + 1))
        if grid is None or cages is None or len(set(cages)) > 0.7 * size**2:
            return None
        numbers = [[grid[cell] for cell in cage] for cage in members(cages)]
        if any(len(set(found)) < len(found) for found in numbers):
            return None
        return {"height": size, "width": size, "regions": cages, "sums": [sum(found) for found in numbers]}, grid

    def values(self, problem: JSON) -> dict[str, int]:
        """The shape of a box."""
        height, width = BOXES[problem["width"]]
        return {"box_height": height, "box_width": width}

    def laws(self, problem: JSON) -> Laws:
        """A Sudoku, and the sum of each cage."""
        size = problem["width"]
        cages = zip(members(problem["regions"]), problem["sums"], strict=True)
        return {
            **super().laws(problem),
            "A box repeats a number.": [Different(box, full_mask(size)) for box in members(boxes(size))],
            "A cage repeats a number or has a wrong sum.": [
                Table(cage, adding_up(size, len(cage), total)) for cage, total in cages
            ],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The given numbers, the cages and their sums."""
        return [*super().pieces(problem), *cages_of(problem, [str(total) for total in problem["sums"]])]
