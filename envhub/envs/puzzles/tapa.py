"""tapa-v0: build a connected wall from clues about the cells around them.

Action: a grid of 0 and 1. Any grid that satisfies rules and clues counts; there is exactly one (proved). Difficulty: the size,
then fewer clues; effort is the number of propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from typing import Any, ClassVar

from envhub.families.cells_kit import JSON, Grid, Laws, Marks, Phrase, Pieces, Stream, knob, levels, marked, picture
from envhub.families.pieces import Facts
from envhub.families.seen import Signs
from envhub.generators.cells.board import beside, circle, squares
from envhub.generators.cells.connectivity import Connected
from envhub.generators.cells.laws import Count, Table
from envhub.generators.cells.shapes import wall
from envhub.generators.cells.tables import circled, groups
from envhub.scenes import Shape, Text
from envhub.scenes.grid import CELL, Tile, fitting, middle


class Tapa(Marks):
    """Build a connected wall from clues about the cells around them."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 6, 6, 7, 7, 8, 8, 9, 10),
        given=knob("percentage of the clues that are given at least", 80, 45, 60, 35, 45, 25, 40, 25, 25, 25),
    )
    task = Phrase(
        "Solve this {size}x{size} Tapa puzzle: build the wall.",
        "Decide which cells of this {size}x{size} grid belong to the wall (Tapa).",
        "This is a Tapa puzzle on a grid of {size} rows and {size} columns. Find the cells of the wall.",
        held_out="Determine the wall of this {size}x{size} Tapa.",
    )
    rules = (
        Phrase(
            "A clue is in a cell without wall. It states the lengths of the groups of consecutive wall cells among the up to "
            "eight cells around it, in any order.",
            "Go once round the cell of a clue, through the up to eight cells around it: the lengths of the groups of wall "
            "cells in succession are the numbers of the clue, in any order. The cell of a clue is not part of the wall.",
            "The numbers of a clue are the lengths of the blocks of wall cells in the ring of up to eight cells around it; "
            "their order has no meaning. A clue's own cell has no wall.",
            held_out="Around each clue, which is itself not wall, the maximal groups of successive wall cells have the stated "
            "lengths as a multiset.",
        ),
        Phrase(
            "Groups around a clue are separated by at least one cell without wall or by the edge of the grid. The clue 0 "
            "means that no cell around it is wall.",
            "Between two groups around a clue lies a cell without wall, or the edge of the grid. With the clue 0, there is no"
            " wall around the cell.",
            "Two groups of the same clue have a cell without wall, or the edge of the grid, between them. A clue 0 has no "
            "wall cell around it.",
            held_out="A cell without wall or the edge of the grid separates groups; 0 stands for no wall around.",
        ),
        Phrase(
            "The cells of the wall are connected through their sides.",
            "All wall cells form one group that is connected horizontally and vertically.",
            "From each wall cell, every other one can be reached by steps up, down, left and right inside the wall.",
            held_out="The wall is a single group, connected by sides.",
        ),
        Phrase(
            "No square of 2 rows and 2 columns is wall entirely.",
            "The wall may not cover all four cells of any 2x2 square.",
            "Each 2x2 square contains at least one cell without wall.",
            held_out="Full 2x2 squares of wall do not occur.",
        ),
        marked("cell of the wall"),
    )
    signs: ClassVar[Signs] = {"C": Tile(fill="shade")}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """A wall grown at random, unless both mirror images equal it.

        On small grids there are few such walls, and each is drawn often.
        """
        grid = tuple(wall(rng, p.size, p.size))
        rows = [grid[start : start + p.size] for start in range(0, len(grid), p.size)]
        mirrored = rows == rows[::-1] and all(row == row[::-1] for row in rows)
        return None if mirrored else ({"height": p.size, "width": p.size}, grid)

    def laws(self, problem: JSON) -> Laws:
        """A connected wall without 2x2 squares."""
        height, width = problem["height"], problem["width"]
        return {
            "The wall covers a 2x2 square.": [Count(square, 0, 3) for square in squares(height, width)],
            "The wall is not connected.": [Connected(beside(height, width))],
        }

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The groups around every cell without wall."""
        rings = [circle(problem["height"], problem["width"], cell) for cell in range(len(solution))]
        return [
            [cell, groups([0 if at < 0 else solution[at] for at in ring])]
            for cell, ring in enumerate(rings)
            if not solution[cell]
        ]

    def clue(self, problem: JSON, clue: JSON) -> Table:
        """Groups of the given lengths around a cell without wall."""
        cell, lengths = clue
        ring = circle(problem["height"], problem["width"], cell)
        rows = circled(tuple(at >= 0 for at in ring), tuple(lengths))
        return Table((cell, *(at for at in ring if at >= 0)), rows)

    def pieces(self, problem: JSON) -> Pieces:
        """The clues."""
        width = problem["width"]
        texts = [(cell, " ".join(map(str, lengths)) or "0") for cell, lengths in problem["clues"]]
        facts = [f"({cell // width + 1}, {cell % width + 1}): {text}" for cell, text in texts]
        return [
            picture("Grid", problem, {cell: "C" for cell, _ in texts}, C="a cell with a clue"),
            Facts("Clues", facts, seen="The numbers in a cell are its clue."),
        ]

    def marks(self, problem: JSON) -> list[Shape]:
        """The clues in their cells."""
        width = problem["width"]
        texts = [(cell, " ".join(map(str, lengths)) or "0") for cell, lengths in problem["clues"]]
        return [Text(*middle(*divmod(cell, width)), text, fitting(text, CELL - 4, 22)) for cell, text in texts]
