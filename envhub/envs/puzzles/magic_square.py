"""magic-square-v0: complete a magic square.

Action: the whole grid. Any magic square with the given numbers counts; there may be several. Difficulty: the size, then fewer
given numbers; effort is the number of propagation steps of a search for one square. Rotations and reflections are the same
problem.
"""

from __future__ import annotations

from typing import Any, ClassVar

from envhub.families.cells import ANY_SOLUTION
from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Stream, knob, levels
from envhub.families.given import FILLED, Given
from envhub.generators.cells.board import columns, rows
from envhub.generators.cells.laws import Different, Total
from envhub.generators.cells.sudoku import diagonals
from envhub.verifiers.answers.grids import Grid as GridAnswer


class MagicSquare(Given):
    """Complete a magic square."""

    Params = levels(
        size=knob("side of the grid", 4, 4, 4, 4, 4, 5, 5, 5, 5, 5),
        given=knob("percentage of the numbers that are given", 70, 60, 50, 40, 32, 60, 52, 44, 36, 28, at_least=20),
    )
    answer = GridAnswer()
    unique: ClassVar[bool] = False
    note = ANY_SOLUTION
    task = Phrase(
        "Complete this {size}x{size} magic square.",
        "Fill in the empty cells of this magic square with {size} rows and {size} columns.",
        "Some numbers of a {size}x{size} magic square are given. Find the others.",
        held_out="Extend the given numbers to a magic square of order {size}.",
    )
    rules = (
        Phrase(
            "Each of the numbers 1 to {count} occurs exactly once.",
            "Use each number from 1 to {count} exactly once.",
            "All numbers from 1 to {count} occur, each in one cell.",
            held_out="The cells contain a permutation of 1 to {count}.",
        ),
        Phrase(
            "The numbers of each row, of each column and of each of the two long diagonals add up to {total}.",
            "Every row, every column and both diagonals from corner to corner have the sum {total}.",
            "All rows, all columns and the two main diagonals must sum to {total}.",
            held_out="Row sums, column sums and the sums of the main diagonal and the antidiagonal equal {total}.",
        ),
        FILLED,
    )

    def values(self, problem: JSON) -> dict[str, int]:
        """The number of cells and the magic sum."""
        size = problem["width"]
        return {"count": size**2, "total": size * (size**2 + 1) // 2}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """A square of two orthogonal patterns, or one found by search."""
        problem: JSON = {"height": p.size, "width": p.size}
        if p.size == 5:
            tens, ones = rng.sample(range(5), 5), rng.sample(range(5), 5)
            one, other = rng.sample((2, 3), 2)
            grid = [
                5 * tens[(column + one * row) % 5] + ones[(column + other * row) % 5] + 1
                for row in range(5)
                for column in range(5)
            ]
            return problem, tuple(grid)
        found = self.model(problem).solutions(most=1, budget=3000, rng=rng)
        return (problem, found.grids[0]) if found.grids else None

    def chosen(self, rng: Stream, p: Any, problem: JSON, clues: Any, solution: Grid) -> list[int]:
        """Some of the numbers at random."""
        return sorted(rng.sample(range(len(clues)), self.kept(p, clues)))

    def domains(self, problem: JSON) -> list[int]:
        """1 to the number of cells."""
        size = problem["width"] ** 2
        return [(1 << size + 1) - 2] * size

    def laws(self, problem: JSON) -> Laws:
        """Different numbers, and equal sums."""
        size = problem["width"]
        total = size * (size**2 + 1) // 2
        return {
            "A number is used twice.": [Different(range(size**2), (1 << size**2 + 1) - 2)],
            "A row has a wrong sum.": [Total(line, total, total) for line in rows(size, size)],
            "A column has a wrong sum.": [Total(line, total, total) for line in columns(size, size)],
            "A diagonal has a wrong sum.": [Total(line, total, total) for line in diagonals(size)],
        }
