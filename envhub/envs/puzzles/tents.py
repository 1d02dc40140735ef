"""tents-v0: pitch a tent beside each tree so that none touch.

Action: a grid of 0 and 1. Any grid that satisfies the rules counts; there is exactly one (proved). The preset campsite-v0 gives
all counts. Difficulty: the size, then fewer counts; effort is the number of propagation steps of a search. Rotations and
reflections are the same problem.
"""

from __future__ import annotations

from typing import Any, ClassVar

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels, marked, picture
from envhub.families.marks import LineCounts, counted, line_numbers
from envhub.families.seen import Signs
from envhub.generators.cells.board import around, beside, squares
from envhub.generators.cells.laws import Count
from envhub.generators.cells.matching import Paired
from envhub.scenes.grid import Tile


class Tents(LineCounts):
    """Pitch a tent beside each tree so that no two tents touch."""

    Params = levels(
        size=knob("side of the grid", 5, 6, 6, 7, 8, 8, 9, 10, 11, 12),
        given=knob("percentage of the counts that are given at least", 100, 100, 80, 80, 80, 60, 60, 60, 60, 60),
    )
    family: ClassVar[str | None] = "tents"
    layers = ("trees",)
    task = Phrase(
        "Solve this Tents puzzle: pitch the tents on the {size}x{size} campsite.",
        "Each tree on this campsite of {size} rows and {size} columns needs a tent. Find the cells with tents.",
        "Place one tent for each tree on this {size}x{size} grid.",
        held_out="Find the positions of all tents in this {size}x{size} Tents puzzle.",
    )
    rules = (
        Phrase(
            "Trees and tents form pairs: each tree belongs to exactly one tent, each tent to exactly one tree, and the tent "
            "is in a cell that shares a side with its tree.",
            "There are as many tents as trees. They can be paired so that each tent shares a side with its tree.",
            "Each tree gets a tent of its own in one of the up to four cells that share a side with the tree. There are no "
            "other tents.",
            held_out="A one-to-one pairing of tents and trees exists in which paired cells share a side; no tent is unpaired.",
        ),
        Phrase(
            "Two tents may not touch each other, not even at a corner.",
            "Tents may not be in neighbouring cells, horizontally, vertically or diagonally.",
            "No tent has another tent in any of the eight cells around it.",
            held_out="Cells that share a side or a corner may not both contain a tent.",
        ),
        Phrase(
            "A tent may not be in a cell with a tree.",
            "Tents are placed only in cells without a tree.",
            "No cell contains both a tree and a tent.",
            held_out="The cells of trees contain no tents.",
        ),
        counted("tents", "tents its row or column contains"),
        marked("cell with a tent"),
    )
    signs: ClassVar[Signs] = {"T": Tile("T", "tint2")}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Tents at random, each with a tree beside it."""
        near, touching = beside(p.size, p.size), around(p.size, p.size)
        tents, trees = [0] * p.size**2, [0] * p.size**2
        for cell in rng.sample(range(p.size**2), p.size**2):
            free = [other for other in near[cell] if not tents[other] and not trees[other]]
            alone = not trees[cell] and not any(tents[other] for other in touching[cell])
            if free and alone and 5 * sum(tents) < p.size**2:
                tents[cell] = trees[rng.choice(free)] = 1
        return {"height": p.size, "width": p.size, "trees": trees}, tuple(tents)

    def domains(self, problem: JSON) -> list[int]:
        """A tent is possible beside a tree."""
        trees, near = problem["trees"], beside(problem["height"], problem["width"])
        return [
            0b11 if not tree and any(trees[other] for other in near[cell]) else 0b01 for cell, tree in enumerate(trees)
        ]

    def laws(self, problem: JSON) -> Laws:
        """Pairs, and at most one tent in each 2x2 square."""
        height, width, trees = problem["height"], problem["width"], problem["trees"]
        near = [
            [other for other in others if not trees[other]]
            for cell, others in enumerate(beside(height, width))
            if trees[cell]
        ]
        return {
            "Two tents touch.": [Count(square, 0, 1) for square in squares(height, width)],
            "Trees and tents cannot be paired.": [*(Count(cells, 1, len(cells)) for cells in near), Paired(near)],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The trees and the counts."""
        trees = picture("Grid", problem, {at: "T" for at, tree in enumerate(problem["trees"]) if tree}, T="a tree")
        return [trees, *line_numbers(problem, "Numbers of tents")]
