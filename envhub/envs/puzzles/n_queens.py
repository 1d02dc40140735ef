"""n-queens-v0: complete a placement of queens that do not attack each other.

Action: a grid of 0 and 1. Any placement that satisfies the rules counts; there may be several. Difficulty: the size, then fewer
given queens and more blocked cells; effort is the number of propagation steps of a search for one placement. Rotations and
reflections are the same problem.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, ClassVar

from envhub.families.cells import ANY_SOLUTION
from envhub.families.cells_kit import JSON, Grid, Laws, Marks, Phrase, Pieces, Stream, knob, levels, marked, picture
from envhub.families.seen import Signs
from envhub.generators.cells.board import lines
from envhub.generators.cells.laws import Count, Within
from envhub.scenes.grid import Tile


class NQueens(Marks):
    """Complete a placement of queens that do not attack each other."""

    Params = levels(
        size=knob("side of the board", 8, 8, 8, 9, 10, 11, 12, 13, 14, 16, at_most=20),
        given=knob("percentage of the queens that are given", 50, 40, 35, 30, 30, 25, 25, 20, 20, 15, at_most=80),
        blocked=knob(
            "percentage of the free cells that are blocked", 10, 15, 15, 20, 20, 25, 25, 30, 30, 35, at_most=60
        ),
    )
    unique: ClassVar[bool] = False
    note = ANY_SOLUTION
    layers = ("blocked",)
    task = Phrase(
        "Place {size} queens on this {size}x{size} chessboard; some of them are given.",
        "Complete the placement of {size} queens on a chessboard of {size} rows and {size} columns.",
        "Some queens are on this {size}x{size} chessboard already. Add queens until there are {size}.",
        held_out="Extend the given queens to {size} queens on the {size}x{size} board.",
    )
    rules = (
        Phrase(
            "No two queens may be in the same row, column or diagonal, whatever lies between them.",
            "Queens may not attack each other: no two of them share a row, a column or a diagonal of any length.",
            "Each row, each column and each diagonal, long or short, contains at most one queen.",
            held_out="Two queens never lie on a common row, column or diagonal.",
        ),
        Phrase(
            "The given queens stay where they are.",
            "You may not move or remove a given queen.",
            "Your placement must contain all given queens.",
            held_out="All given queens belong to the answer.",
        ),
        Phrase(
            "A queen may not be placed on a blocked cell. Blocked cells do not stop an attack.",
            "Blocked cells contain no queen, but queens attack across them.",
            "No queen may stand on a blocked cell, and a blocked cell does not protect a queen.",
            held_out="Blocked cells stay without a queen and do not interrupt rows, columns or diagonals.",
        ),
        marked("cell with a queen"),
    )
    signs: ClassVar[Signs] = {"Q": Tile("\N{BLACK CHESS QUEEN}")}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """A placement found by a random search, and blocked cells beside it."""
        problem: JSON = {"height": p.size, "width": p.size, "blocked": [0] * p.size**2}
        found = self.model(problem).solutions(most=1, budget=60 * p.size**2, rng=rng)
        if not found.grids:
            return None
        blocked = [int(not queen and rng.below(100) < p.blocked) for queen in found.grids[0]]
        return {**problem, "blocked": blocked}, found.grids[0]

    def chosen(self, rng: Stream, p: Any, problem: JSON, clues: Any, solution: Grid) -> list[int]:
        """Some of the queens at random."""
        return sorted(rng.sample(range(len(clues)), self.kept(p, clues)))

    def domains(self, problem: JSON) -> list[int]:
        """A queen is possible where no cell is blocked."""
        return [0b01 if blocked else 0b11 for blocked in problem["blocked"]]

    def laws(self, problem: JSON) -> Laws:
        """One queen per row and column, at most one per diagonal."""
        size = problem["width"]
        falling, rising = defaultdict(list), defaultdict(list)
        for cell in range(size**2):
            falling[cell // size - cell % size].append(cell)
            rising[cell // size + cell % size].append(cell)
        diagonals = [line for line in (*falling.values(), *rising.values()) if len(line) > 1]
        return {
            "A row or column does not have exactly one queen.": [Count(line, 1, 1) for line in lines(size, size)],
            "Two queens share a diagonal.": [Count(line, 0, 1) for line in diagonals],
        }

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The cells of all queens."""
        return [cell for cell, queen in enumerate(solution) if queen]

    def clue(self, problem: JSON, clue: JSON) -> Within:
        """A given queen."""
        return Within(clue, 0b10)

    def pieces(self, problem: JSON) -> Pieces:
        """Given queens and blocked cells."""
        blocked = {cell: "#" for cell, found in enumerate(problem["blocked"]) if found}
        given = dict.fromkeys(problem["clues"], "Q")
        return [picture("Board", problem, {**blocked, **given}, Q="a given queen", **{"#": "a blocked cell"})]
