"""futoshiki-v0: complete a Latin square under inequalities.

Action: the whole grid. Any grid that satisfies rules and clues counts; there is exactly one (proved). Difficulty: the size,
then fewer clues; effort is the number of propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.cells_kit import JSON, Grid, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.given import FILLED
from envhub.families.latin import EACH_NUMBER_ONCE, LatinSquare
from envhub.families.pieces import Facts
from envhub.generators.cells.board import pairs
from envhub.generators.cells.latin import latin
from envhub.generators.cells.law import Law
from envhub.generators.cells.laws import Less, Within
from envhub.scenes import Shape, Text
from envhub.scenes.grid import middle


class Futoshiki(LatinSquare):
    """Complete a Latin square under inequalities."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 5, 6, 6, 6, 7, 7, 8, 9),
        given=knob("percentage of the clues that are given at least", 70, 50, 0, 60, 40, 0, 40, 0, 30, 30, at_most=80),
    )
    task = Phrase(
        "Solve this {size}x{size} Futoshiki.",
        "Complete this Futoshiki puzzle on a grid of {size} rows and {size} columns.",
        "Fill in every cell of the {size}x{size} grid of this Futoshiki.",
        held_out="Find the completed grid of the Futoshiki with side {size}.",
    )
    rules = (
        *EACH_NUMBER_ONCE,
        Phrase(
            "Each inequality holds between the numbers in its two cells.",
            "The numbers in two compared cells must satisfy their inequality.",
            "Every stated inequality must be true of the numbers in the two cells.",
            held_out="The comparisons between cells must all be true in the completed grid.",
        ),
        FILLED,
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """A random Latin square."""
        return {"height": p.size, "width": p.size}, latin(rng, p.size)

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """All inequalities between neighbours, and a third of the numbers."""
        size = problem["width"]
        given = [["=", cell, value] for cell, value in enumerate(solution) if (cell + value) % 3 == 0]
        return [*given, *(["<", *sorted(pair, key=solution.__getitem__)] for pair in pairs(size, size))]

    def clue(self, problem: JSON, clue: JSON) -> Law:
        """A given number or an inequality."""
        sign, one, other = clue
        return Within(one, 1 << other) if sign == "=" else Less(one, other)

    def pieces(self, problem: JSON) -> Pieces:
        """The given numbers and the inequalities."""
        size = problem["width"]
        given = {cell: value for sign, cell, value in problem["clues"] if sign == "="}
        names = [f"({cell // size + 1}, {cell % size + 1})" for cell in range(size**2)]
        return [
            picture("Grid", problem, given),
            Facts(
                "Inequalities",
                [f"{names[a]} < {names[b]}" for sign, a, b in problem["clues"] if sign == "<"],
                seen="A sign between two cells opens towards the cell with the greater number.",
            ),
        ]

    def marks(self, problem: JSON) -> list[Shape]:
        """A sign between the cells of each inequality."""
        size = problem["width"]
        pairs = [(divmod(a, size), divmod(b, size)) for sign, a, b in problem["clues"] if sign == "<"]
        return [
            Text(*middle((r + row) / 2, (c + column) / 2), _SIGNS[row - r, column - c], 20)
            for (r, c), (row, column) in pairs
        ]


_SIGNS = {(0, 1): "<", (0, -1): ">", (1, 0): "\N{LOGICAL AND}", (-1, 0): "\N{LOGICAL OR}"}
