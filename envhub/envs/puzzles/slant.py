"""slant-v0: draw a diagonal in each cell without closing a loop.

Action: a grid of 0 and 1. Any grid that satisfies rules and clues counts; there is exactly one (proved). Difficulty: the size,
then fewer numbers; effort is the number of propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.cells_kit import JSON, Grid, Laws, Marks, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.seen import seen
from envhub.generators.cells.board import turned
from envhub.generators.cells.diagonals import NoLoops, forest, touching
from envhub.generators.cells.tally import Tally
from envhub.scenes import Oval, Scene, Shape, Text
from envhub.scenes.grid import middle


class Slant(Marks):
    """Draw a diagonal in each cell without closing a loop."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 5, 6, 6, 7, 7, 7, 8, 9, at_least=4),
        given=knob(
            "percentage of the numbers that are given at least", 90, 70, 55, 70, 55, 65, 50, 0, 0, 0, at_most=90
        ),
    )
    task = Phrase(
        "Solve this {size}x{size} Slant puzzle: draw one diagonal in each cell.",
        "This is a Slant puzzle (Gokigen Naname) on a grid of {size} rows and {size} columns of cells. Find the diagonal of "
        "each cell.",
        "Choose one of the two diagonals for each cell of this {size}x{size} Slant grid.",
        held_out="Determine the diagonal of every cell in this Slant (Gokigen Naname) with side {size}.",
    )
    rules = (
        Phrase(
            "Each cell contains exactly one diagonal. Either it joins the top left corner of the cell to the bottom right one "
            "(\\), or it joins the top right corner to the bottom left one (/).",
            "Draw one diagonal per cell: \\ joins the top left and the bottom right corner, / joins the top right and the "
            "bottom left corner.",
            "In each cell there is one diagonal, \\ (from the top left to the bottom right corner) or / (from the top right "
            "to the bottom left corner).",
            held_out="Every cell has either \\ (corners top left and bottom right) or / (corners top right and bottom left), "
            "never both.",
        ),
        Phrase(
            "The numbers belong to the corners of the cells, {corners} rows of {corners} corners each. The corners of the "
            "cell in row r and column c are in rows r and r + 1 and in columns c and c + 1.",
            "Numbers are placed at corners of cells. The first row of numbers belongs to the top edge of the grid and the "
            "last one to its bottom edge; each of the {corners} rows has {corners} corners, from the left edge to the right "
            "edge.",
            "A number is at a corner where up to four cells meet. There are {corners} rows and {corners} columns of corners; "
            "the first row is the top edge of the grid, and the first column is its left edge.",
            held_out="Corners form a grid of {corners} rows and {corners} columns of their own; the cell (r, c) lies between "
            "the corner rows r and r + 1 and between the corner columns c and c + 1.",
        ),
        Phrase(
            "A number states how many diagonals end at its corner. A corner without a number may have any number of them.",
            "The number at a corner is the number of diagonals that touch it. Corners without a number are not restricted.",
            "If a corner has a number, exactly that many diagonals have an end there. No number means that any count is "
            "possible.",
            held_out="A numbered corner is the end of exactly that many diagonals; an unnumbered one, of any number of them.",
        ),
        Phrase(
            "The diagonals may not form a closed loop of any size.",
            "No group of diagonals may form a closed loop.",
            "If you walk along diagonals from corner to corner, you may never get back to your start without using a diagonal "
            "twice.",
            held_out="The graph of corners joined by diagonals has no cycle.",
        ),
        Phrase(
            "The answer is a grid of {height} rows and {width} columns: 1 for each cell with /, 0 for each cell with \\.",
            "Answer with {height} rows of {width} digits. The digit is 1 for the diagonal / and 0 for the diagonal \\.",
            "Write the whole grid, {height} rows by {width} columns, with 1 for / and 0 for \\.",
            held_out="Return a 0/1 matrix with {height} rows and {width} columns, in which / is 1 and \\ is 0.",
        ),
    )

    def values(self, problem: JSON) -> dict[str, int]:
        """The number of corners in a row."""
        return {"corners": problem["width"] + 1}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """Diagonals at random."""
        return {"height": p.size, "width": p.size}, tuple(forest(rng, p.size, p.size))

    def outline(self, content: JSON, turn: int) -> list[int]:
        """The diagonals, which change into each other when the board is mirrored."""
        mirrored = bool(turn & 2) != bool(turn & 4)
        diagonals = [value ^ mirrored for value in content["solution"]]
        return turned(diagonals, content["height"], content["width"], turn)

    def laws(self, problem: JSON) -> Laws:
        """No loops."""
        return {"The diagonals form a closed loop.": [NoLoops(problem["height"], problem["width"])]}

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The number of diagonals at each corner."""
        corners = touching(problem["height"], problem["width"])
        return [[at, sum(mask >> solution[cell] & 1 for cell, mask in terms)] for at, terms in enumerate(corners)]

    def clue(self, problem: JSON, clue: JSON) -> Tally:
        """The number of diagonals at a corner."""
        at, number = clue
        return Tally(touching(problem["height"], problem["width"])[at], number, number)

    def pieces(self, problem: JSON) -> Pieces:
        """The numbers at the corners."""
        corners = {"height": problem["height"] + 1, "width": problem["width"] + 1}
        name, numbers = "Numbers at the corners of the cells", dict(problem["clues"])
        return [
            picture(name, corners, numbers, empty="a corner without a number")._replace(
                seen=f"{name}: the small discs."
            )
        ]

    def drawing(self, problem: JSON) -> Scene:
        """The empty board with its numbers at the corners."""
        shapes: list[Shape] = []
        for corner, number in problem["clues"]:
            row, column = divmod(corner, problem["width"] + 1)
            x, y = middle(row - 0.5, column - 0.5)
            shapes += [Oval(x, y, 10, 10, "paper", "ink"), Text(x, y, str(number), 13)]
        return seen(problem["height"], problem["width"], [], over=shapes)
