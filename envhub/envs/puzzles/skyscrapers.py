"""skyscrapers-v0: place towers so that each edge sees a given number.

Action: the whole grid of heights. Any grid that satisfies rules and clues counts; there is exactly one (proved). With
``variant="sums"``, a clue is the sum of the heights that are seen. Difficulty: the size, then fewer clues; effort is the number
of propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.families.cells_kit import JSON, Grid, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.given import FILLED
from envhub.families.latin import EACH_NUMBER_ONCE, LatinSquare
from envhub.families.pieces import Numbers
from envhub.generators.cells.board import columns, rows
from envhub.generators.cells.latin import latin
from envhub.generators.cells.law import Law
from envhub.generators.cells.laws import Table, Within
from envhub.generators.cells.tables import clue_of, visible

_SIDES: Final = {
    "left": "from the left, for each row from top to bottom",
    "right": "from the right, for each row from top to bottom",
    "top": "from the top, for each column from left to right",
    "bottom": "from the bottom, for each column from left to right",
}
_SEEN: Final = {
    "count": Phrase(
        "A clue is the number of towers that are visible from its side of the row or column.",
        "Each clue states how many towers of its row or column can be seen from that side.",
        "The clue at a side counts the visible towers of the row or column, looking in from that side.",
        held_out="A clue equals the number of towers seen along its line from the stated side.",
    ),
    "sums": Phrase(
        "A clue is the sum of the heights of the towers that are visible from its side of the row or column.",
        "Each clue states the total height of those towers of its row or column that can be seen from that side.",
        "The clue at a side adds up the heights of the visible towers of the row or column, looking in from that side.",
        held_out="A clue equals the sum of the heights of all towers seen along its line from the stated side.",
    ),
}


class Skyscrapers(LatinSquare):
    """Place towers so that each edge sees the given number of them."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 5, 5, 6, 6, 6, 7, 7, 7, at_least=4),
        given=knob("percentage of the clues that are given at least", 80, 65, 50, 0, 60, 45, 0, 55, 35, 0, at_most=80),
        variant=knob(
            "what a clue states: how many towers are seen, or the sum of their heights",
            "count",
            choices=("count", "sums"),
        ),
    )
    task = Phrase(
        "Solve this {size}x{size} Skyscrapers puzzle: place a tower in each cell.",
        "Place towers of height 1 to {size} on a grid of {size} rows and {size} columns (a Skyscrapers puzzle).",
        "Find the heights of all towers in this {size}x{size} Skyscrapers puzzle.",
        held_out="Determine the skyline: a height for each cell of the {size}x{size} grid.",
    )
    rules = (
        *EACH_NUMBER_ONCE,
        Phrase(
            "The number in a cell is the height of its tower. A tower hides all lower towers behind it.",
            "Numbers are heights of towers. From a side, a tower is visible if it is taller than all towers in front of it.",
            "Each number is the height of a tower. You see a tower only if all towers in front of it are lower.",
            held_out="Cells are tower heights, and a tower blocks the view of every lower tower behind it.",
        ),
    )

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """With the meaning of a clue."""
        return (*self.rules, _SEEN[problem["variant"]], FILLED)

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """A random Latin square."""
        return {"height": p.size, "width": p.size, "variant": p.variant}, latin(rng, p.size)

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The view along every line from both ends, and some heights."""
        sums = problem["variant"] == "sums"
        views = [
            ["view", at, clue_of([solution[cell] for cell in line], sums)]
            for at, line in enumerate(_views(problem["width"]))
        ]
        return [*views, *(["=", cell, value] for cell, value in enumerate(solution) if (3 * cell + value) % 4 == 0)]

    def clue(self, problem: JSON, clue: JSON) -> Law:
        """A view along a line, or a given height."""
        kind, at, number = clue
        if kind == "=":
            return Within(at, 1 << number)
        size = problem["width"]
        return Table(_views(size)[at], visible(size, number, problem["variant"] == "sums"))

    def pieces(self, problem: JSON) -> Pieces:
        """The given heights and the clues of each side."""
        size = problem["width"]
        views = {at: number for kind, at, number in problem["clues"] if kind == "view"}
        given = {at: number for kind, at, number in problem["clues"] if kind == "="}
        sides = [
            Numbers(f"Clues {stated}", [views.get(number * size + at) for at in range(size)], side)
            for number, (side, stated) in enumerate(_SIDES.items())
        ]
        return [picture("Grid", problem, given), *sides]


def _views(size: int) -> list[list[int]]:
    """The cells along each line as seen from each side."""
    across, down = rows(size, size), columns(size, size)
    return [*across, *(line[::-1] for line in across), *down, *(line[::-1] for line in down)]
