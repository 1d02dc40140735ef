"""kakurasu-v0: mark cells so that weighted sums of rows and columns hold.

Action: a grid of 0 and 1. Any grid with the right sums counts; there is exactly one (proved). Difficulty: the size, then sums
that are not given; effort is the number of propagation steps of a search. Exchanging rows and columns gives the same problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.cells_kit import JSON, Grid, Marks, Phrase, Pieces, Stream, knob, levels, marked
from envhub.families.marks import line_numbers
from envhub.generators.cells.board import TRANSPOSITION, lines
from envhub.generators.cells.laws import Total


class Kakurasu(Marks):
    """Mark cells so that weighted sums of rows and columns hold."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 6, 6, 7, 7, 7, 8, 8, 8),
        given=knob(
            "percentage of the sums that are given at least", 100, 80, 100, 80, 100, 85, 70, 100, 80, 70, at_least=60
        ),
    )
    symmetries = TRANSPOSITION
    task = Phrase(
        "Solve this {size}x{size} Kakurasu: mark cells so that the marked cells of each row and column add up to a given sum.",
        "This is a Kakurasu puzzle on a grid of {size} rows and {size} columns. Decide which cells are marked.",
        "Choose cells of a {size}x{size} grid so that the stated sum of every row and every column is reached (Kakurasu).",
        held_out="Find the set of marked cells of this Kakurasu with side {size}.",
    )
    rules = (
        Phrase(
            "Columns are numbered from 1 at the left. A marked cell adds the number of its column to the sum of its row.",
            "In the sum of a row, a marked cell counts as much as the number of its column; the leftmost column is number 1.",
            "The sum of a row is the sum of the column numbers of its marked cells. Column 1 is the leftmost.",
            held_out="For each row, add the column numbers (1 = leftmost) of its marked cells; this is the sum of the row.",
        ),
        Phrase(
            "Rows are numbered from 1 at the top. A marked cell adds the number of its row to the sum of its column.",
            "In the sum of a column, a marked cell counts as much as the number of its row; the topmost row is number 1.",
            "The sum of a column is the sum of the row numbers of its marked cells. Row 1 is the topmost.",
            held_out="For each column, add the row numbers (1 = topmost) of its marked cells; this is the sum of the column.",
        ),
        Phrase(
            "Each given sum must be exact. A line without marked cells has the sum 0.",
            "Every sum that is given must be reached exactly; a line with no marked cell has sum 0.",
            "The sums must equal the given numbers. If no cell of a line is marked, its sum is 0.",
            held_out="All given sums hold with equality, and an unmarked line counts 0.",
        ),
        marked("marked cell"),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """Marks at random."""
        return {"height": p.size, "width": p.size}, tuple(rng.below(2) for _ in range(p.size**2))

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The sum of every line: rows, then columns."""
        size = problem["width"]
        return [
            [at, sum(weight * solution[cell] for weight, cell in enumerate(line, 1))]
            for at, line in enumerate(lines(size, size))
        ]

    def clue(self, problem: JSON, clue: JSON) -> Total:
        """The weighted sum of a line."""
        size, (at, total) = problem["width"], clue
        return Total(lines(size, size)[at], total, total, range(1, size + 1))

    def pieces(self, problem: JSON) -> Pieces:
        """The sums of the rows and of the columns."""
        return line_numbers(problem, "Sums")
