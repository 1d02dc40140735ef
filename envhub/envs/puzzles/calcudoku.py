"""calcudoku-v0: complete a Latin square with given results of cages.

Action: the whole grid. Any grid that satisfies rules and clues counts; there is exactly one (proved). Difficulty: the size,
then larger cages and fewer given numbers; effort is the number of propagation steps of a search. Rotations and reflections are
the same problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.cages import cages_of
from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels
from envhub.families.given import FILLED
from envhub.families.latin import EACH_NUMBER_ONCE, LatinSquare
from envhub.generators.cells.board import divided, members
from envhub.generators.cells.latin import latin
from envhub.generators.cells.laws import Table
from envhub.generators.cells.tables import OPERATIONS, calculated


class Calcudoku(LatinSquare):
    """Complete a Latin square in which every cage has a given result."""

    Params = levels(
        size=knob("side of the grid", 4, 4, 4, 5, 5, 6, 6, 7, 7, 8),
        cage=knob("maximum number of cells of a cage", 2, 2, 3, 2, 3, 3, 3, 3, 3, 3, at_least=2, at_most=4),
        given=knob("percentage of the numbers that are given at least", 30, 0, 0, 15, 0, 15, 0, 12, 0, 0),
    )
    layers = ("regions",)
    task = Phrase(
        "Solve this {size}x{size} Calcudoku.",
        "Complete this Calcudoku on a grid of {size} rows and {size} columns, which is divided into cages.",
        "Fill in every cell of the {size}x{size} grid of this Calcudoku.",
        held_out="Find the completed grid of the Calcudoku with side {size}.",
    )
    rules = (
        *EACH_NUMBER_ONCE,
        Phrase(
            "The numbers of each cage, combined by the operation of the cage, give its result. Sums (+) and products (*) are "
            "taken of all numbers of the cage; a number may occur more than once in a cage.",
            "Each cage has an operation and a result: + means that its numbers add up to the result, * that their product is "
            "the result. Within a cage, numbers may repeat.",
            "For a cage with +, the sum of its numbers is the result; for a cage with *, the product is. A cage may contain "
            "the same number more than once.",
            held_out="A cage marked + has its result as the sum of its numbers, a cage marked * as the product; equal numbers "
            "may occur in one cage.",
        ),
        Phrase(
            "In a cage with - or /, which has two cells, the result is the larger number minus the smaller one, or the larger"
            " number divided by the smaller one.",
            "A cage with - or / has two cells. Its result is their difference or their quotient, with the larger number first.",
            "The operations - and / occur in cages of two cells: subtract the smaller number from the larger one, or divide "
            "the larger number by the smaller one, to get the result.",
            held_out="Two-cell cages marked - or / state the difference or the quotient of the larger and the smaller number.",
        ),
        Phrase(
            "A cage of one cell contains its result.",
            "If a cage has one cell only, its result is the number of this cell.",
            "The number of a single-cell cage is its result.",
            held_out="Cages with one cell hold the stated result itself.",
        ),
        FILLED,
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """A random Latin square with random cages and operations."""
        grid = latin(rng, p.size)
        cages = divided(rng, p.size, p.size, range(1, p.cage + 1))
        if cages is None or len(set(cages)) > 0.7 * p.size**2:
            return None
        results = [_result(rng, [grid[cell] for cell in cage]) for cage in members(cages)]
        return {"height": p.size, "width": p.size, "regions": cages, "results": results}, grid

    def laws(self, problem: JSON) -> Laws:
        """A Latin square, and the result of each cage."""
        size = problem["width"]
        cages = zip(members(problem["regions"]), problem["results"], strict=True)
        laws = [Table(cage, calculated(size, len(cage), sign, number)) for cage, (sign, number) in cages]
        return {**super().laws(problem), "A cage has a wrong result.": laws}

    def pieces(self, problem: JSON) -> Pieces:
        """The given numbers, the cages and their results."""
        return [
            *super().pieces(problem),
            *cages_of(problem, [f"{number} {sign}".strip() for sign, number in problem["results"]]),
        ]


def _result(rng: Stream, numbers: list[int]) -> list[Any]:
    """An operation that suits the numbers of a cage, and its result."""
    if len(numbers) == 1:
        return ["", numbers[0]]
    signs = [sign for sign in "+*-/" if OPERATIONS[sign](numbers) is not None]
    sign = rng.choice(signs)
    return [sign, OPERATIONS[sign](numbers)]
