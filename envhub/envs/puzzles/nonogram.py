"""nonogram-v0: find the picture whose lines have blocks of given lengths.

Action: a grid of 0 and 1. Any grid with the given blocks counts; there is exactly one (proved). Difficulty: the size; effort is
the number of propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from envhub.families.cells_kit import JSON, Grid, Marks, Phrase, Pieces, Stream, knob, levels, marked
from envhub.families.pieces import Facts
from envhub.families.seen import seen
from envhub.generators.cells.board import lines
from envhub.generators.cells.laws import Table
from envhub.generators.cells.tables import runs
from envhub.scenes import Scene


class Nonogram(Marks):
    """Find the picture whose rows and columns have blocks of given lengths."""

    Params = levels(
        size=knob("side of the grid", 4, 5, 5, 6, 7, 8, 10, 11, 12, 14),
        filled=knob("percentage of filled cells", 60, 60, 55, 55, 55, 55, 60, 60, 60, 62, at_least=40, at_most=80),
    )
    task = Phrase(
        "Solve this {size}x{size} Nonogram: find the filled cells.",
        "Decide which cells of a {size}x{size} grid are filled (Nonogram).",
        "This is a Nonogram on a grid of {size} rows and {size} columns. Find the picture.",
        held_out="Reconstruct the {size}x{size} picture of this Nonogram.",
    )
    rules = (
        Phrase(
            "The clue of a row states the lengths of its blocks of filled cells, in order from left to right.",
            "For each row, the clue lists the lengths of all blocks of filled cells from left to right.",
            "Read from left to right, the blocks of filled cells in a row have exactly the lengths in its clue.",
            held_out="A row's clue is the sequence of its block lengths, left to right.",
        ),
        Phrase(
            "The clue of a column states the lengths of its blocks of filled cells, in order from top to bottom.",
            "For each column, the clue lists the lengths of all blocks of filled cells from top to bottom.",
            "Read from top to bottom, the blocks of filled cells in a column have exactly the lengths in its clue.",
            held_out="A column's clue is the sequence of its block lengths, top to bottom.",
        ),
        Phrase(
            "A block is a group of consecutive filled cells. Two blocks of a line are separated by at least one empty cell. "
            "The clue 0 means that no cell of the line is filled.",
            "Blocks are maximal groups of filled cells in succession, with one or more empty cells between them. A line with "
            "the clue 0 has no filled cell.",
            "Filled cells in succession form a block, and at least one empty cell lies between two blocks of a line. If the "
            "clue is 0, the line is empty.",
            held_out="A block is a maximal run of filled cells; different blocks are at least one empty cell apart; 0 stands "
            "for an empty line.",
        ),
        marked("filled cell"),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """Filled cells at random."""
        grid = tuple(int(rng.below(100) < p.filled) for _ in range(p.size**2))
        return {"height": p.size, "width": p.size}, grid

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The blocks of every line: rows, then columns."""
        both = lines(problem["height"], problem["width"])
        return [[at, _blocks([solution[cell] for cell in line])] for at, line in enumerate(both)]

    def clue(self, problem: JSON, clue: JSON) -> Table:
        """The blocks of a line."""
        at, blocks = clue
        line = lines(problem["height"], problem["width"])[at]
        return Table(line, runs(len(line), tuple(blocks)))

    def pieces(self, problem: JSON) -> Pieces:
        """The blocks of rows and columns."""
        height = problem["height"]
        texts = [" ".join(map(str, blocks)) or "0" for _, blocks in problem["clues"]]
        return [
            Facts(
                "Rows",
                [f"row {at}: {text}" for at, text in enumerate(texts[:height], 1)],
                located=False,
                seen="The numbers to the left of a row are its blocks, from left to right.",
            ),
            Facts(
                "Columns",
                [f"column {at}: {text}" for at, text in enumerate(texts[height:], 1)],
                located=False,
                seen="The numbers above a column are its blocks, from top to bottom.",
            ),
        ]

    def drawing(self, problem: JSON) -> Scene:
        """An empty board with the blocks at its sides."""
        height, width = problem["height"], problem["width"]
        texts = [" ".join(map(str, blocks)) or "0" for _, blocks in problem["clues"]]
        return seen(height, width, [], sides={"left": texts[:height], "top": texts[height:]})


def _blocks(line: list[int]) -> list[int]:
    return [len(list(group)) for filled, group in groupby(line) if filled]
