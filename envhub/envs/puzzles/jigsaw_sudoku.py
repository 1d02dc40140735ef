"""jigsaw-sudoku-v0: complete a Sudoku with irregular regions, diagonals or windows.

Action: the whole grid. Any grid that satisfies the rules counts; there is exactly one (proved). Variants: ``jigsaw`` (irregular
regions), ``x`` (boxes and both diagonals), ``windoku`` (boxes and four windows, side 9 only). Difficulty: the size, then fewer
given numbers; effort is the number of propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.core.errors import InvalidParameters
from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels
from envhub.families.given import FILLED
from envhub.families.latin import EACH_NUMBER_ONCE, LatinSquare, full_mask
from envhub.families.pieces import regions_of
from envhub.generators.cells.board import members
from envhub.generators.cells.laws import Different
from envhub.generators.cells.sudoku import BOXES, boxes, diagonals, filled, irregular, windows

_EXTRA: Final = {
    "x": Phrase(
        "Each of the two long diagonals contains each of the numbers 1 to {size} exactly once.",
        "Both diagonals from corner to corner use all numbers from 1 to {size}, each of them once.",
        "On each diagonal that joins two corners of the grid, the numbers 1 to {size} occur exactly once each.",
        held_out="The main diagonal and the antidiagonal are permutations of 1 to {size}.",
    ),
    "windoku": Phrase(
        "There are four windows: squares of 3 rows and 3 columns in rows 2 to 4 or 6 to 8 and in columns 2 to 4 or 6 to 8. "
        "Each window contains each of the numbers 1 to {size} exactly once.",
        "Each of the four 3x3 windows uses all numbers from 1 to {size}, each of them once. The windows cover rows 2 to 4 and"
        " 6 to 8 in columns 2 to 4 and 6 to 8; rows and columns are counted from 1.",
        "In each of four 3x3 windows, the numbers 1 to {size} occur exactly once each. A window covers rows 2 to 4 or rows 6 "
        "to 8, and columns 2 to 4 or columns 6 to 8.",
        held_out="Four windows (rows 2-4 or 6-8, columns 2-4 or 6-8, counted from 1) are permutations of 1 to {size} as well.",
    ),
}


class JigsawSudoku(LatinSquare):
    """Complete a Sudoku with irregular regions, diagonals or windows."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, at_least=4),
        given=knob("percentage of the numbers that are given at least", 60, 40, 50, 35, 40, 30, 35, 25, 30, 0),
        variant=knob("kind of regions", "jigsaw", choices=("jigsaw", "x", "windoku")),
    )
    layers = ("regions",)
    task = Phrase(
        "Solve this {size}x{size} Sudoku.",
        "Complete this Sudoku on a grid of {size} rows and {size} columns.",
        "Fill in every cell of the {size}x{size} grid of this Sudoku.",
        held_out="Find the completed grid of the Sudoku with side {size}.",
    )
    rules = (
        *EACH_NUMBER_ONCE,
        Phrase(
            "Each region contains each of the numbers 1 to {size} exactly once.",
            "Every region uses all numbers from 1 to {size}, each of them once.",
            "In each region, the numbers 1 to {size} occur exactly once each.",
            held_out="The numbers in every region are a permutation of 1 to {size}.",
        ),
    )

    def check(self, p: Any) -> None:
        """Boxes and windows exist for some sides only."""
        if p.variant == "windoku" and p.size != 9:
            raise InvalidParameters(f"`size` must be 9 for the variant windoku, got {p.size}.")
        if p.variant == "x" and p.size not in BOXES:
            raise InvalidParameters(f"`size` must be 4, 6, 8 or 9 for the variant x, got {p.size}.")

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """With the rule of the variant."""
        extra = _EXTRA.get(problem["variant"])
        return (*self.rules, *([extra] if extra else []), FILLED)

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Regions, and a full grid found by a random search."""
        regions = irregular(rng, p.size, 40 * p.size**2) if p.variant == "jigsaw" else boxes(p.size)
        problem = {"height": p.size, "width": p.size, "variant": p.variant, "regions": regions}
        grid = filled(rng, p.size, _groups(problem), 20 * p.size**2)
        return None if grid is None else (problem, grid)

    def laws(self, problem: JSON) -> Laws:
        """A Latin square with regions."""
        regions = [Different(group, full_mask(problem["width"])) for group in _groups(problem)]
        return {**super().laws(problem), "A region, diagonal or window repeats a number.": regions}

    def pieces(self, problem: JSON) -> Pieces:
        """The given numbers and the regions."""
        return [*super().pieces(problem), regions_of(problem)]


def _groups(problem: JSON) -> list[list[int]]:
    """Regions, diagonals and windows."""
    extra = {"jigsaw": [], "x": diagonals(problem["width"]), "windoku": windows()}
    return [*members(problem["regions"]), *extra[problem["variant"]]]
