"""survo-v0: fill a table with 1 to n for given sums.

Action: the whole table without the sums. Any table with the right sums counts; there is exactly one (proved). Difficulty: the
size, then fewer given numbers; effort is the number of propagation steps of a search. Rotations and reflections are the same
problem; other exchanges of rows or columns are not folded.
"""

from __future__ import annotations

from typing import Any

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels
from envhub.families.given import FILLED, Given
from envhub.families.pieces import Numbers
from envhub.generators.cells.board import columns, rows
from envhub.generators.cells.laws import Different, Total
from envhub.verifiers.answers.grids import Grid as GridAnswer


class Survo(Given):
    """Fill a table with 1 to n so that all sums hold."""

    Params = levels(
        height=knob("number of rows", 3, 3, 3, 3, 3, 4, 4, 4, 4, 4),
        width=knob("number of columns", 3, 3, 4, 4, 4, 4, 4, 5, 5, 5),
        given=knob(
            "percentage of the numbers that are given at least", 60, 40, 45, 30, 0, 32, 26, 34, 29, 24, at_most=80
        ),
    )
    answer = GridAnswer()
    task = Phrase(
        "Solve this Survo puzzle: fill the {height}x{width} table with the numbers 1 to {count}.",
        "This is a Survo puzzle with {height} rows and {width} columns. Place the numbers 1 to {count} in its cells.",
        "Complete a table of {height} rows and {width} columns with the numbers 1 to {count} (a Survo puzzle).",
        held_out="Find the arrangement of 1 to {count} in this {height}x{width} Survo table.",
    )
    rules = (
        Phrase(
            "Each of the numbers 1 to {count} occurs exactly once in the table.",
            "Use each number from 1 to {count} exactly once.",
            "All numbers from 1 to {count} occur, each in one cell.",
            held_out="The cells contain a permutation of 1 to {count}.",
        ),
        Phrase(
            "The numbers of each row add up to the given sum of the row.",
            "The sum of every row must be the one that is stated for it.",
            "In each row, the numbers must sum to its given total.",
            held_out="Row totals must equal the stated row sums.",
        ),
        Phrase(
            "The numbers of each column add up to the given sum of the column.",
            "The sum of every column must be the one that is stated for it.",
            "In each column, the numbers must sum to its given total.",
            held_out="Column totals must equal the stated column sums.",
        ),
        FILLED,
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """A random permutation and its sums."""
        size = p.height * p.width
        grid = tuple(rng.sample(range(1, size + 1), size))
        sums = [[sum(grid[cell] for cell in line) for line in way(p.height, p.width)] for way in (rows, columns)]
        return {"height": p.height, "width": p.width, "row_sums": sums[0], "column_sums": sums[1]}, grid

    def values(self, problem: JSON) -> dict[str, int]:
        """The number of cells."""
        return {"count": problem["height"] * problem["width"]}

    def domains(self, problem: JSON) -> list[int]:
        """1 to the number of cells."""
        size = problem["height"] * problem["width"]
        return [(1 << size + 1) - 2] * size

    def laws(self, problem: JSON) -> Laws:
        """A permutation with the given sums."""
        height, width = problem["height"], problem["width"]
        size = height * width
        across = zip(rows(height, width), problem["row_sums"], strict=True)
        down = zip(columns(height, width), problem["column_sums"], strict=True)
        return {
            "A number is used twice.": [Different(range(size), (1 << size + 1) - 2)],
            "A row has a wrong sum.": [Total(line, total, total) for line, total in across],
            "A column has a wrong sum.": [Total(line, total, total) for line, total in down],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The given numbers and the sums."""
        return [
            *super().pieces(problem),
            Numbers("Sums of the rows, from top to bottom", problem["row_sums"], "right"),
            Numbers("Sums of the columns, from left to right", problem["column_sums"], "bottom"),
        ]
