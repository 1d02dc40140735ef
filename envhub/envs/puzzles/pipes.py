"""pipes-v0: rotate tiles until all are joined without a loop.

Action: a grid of numbers that name the open sides. Any grid that satisfies the rules counts; there is exactly one (proved).
Difficulty: the size, then fewer given tiles; effort is the number of propagation steps of a search. Rotations and reflections
are the same problem.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.hinted import Hinted
from envhub.generators.cells.board import turned
from envhub.generators.cells.directions import inner, opening, rotations, tree
from envhub.generators.cells.law import mask_of
from envhub.generators.cells.spanning import Spanning
from envhub.verifiers.answers.grids import Grid as GridAnswer

_KINDS: Final = {1: "E", 3: "C", 5: "S", 7: "T", 15: "X"}
"""The letter of a tile, by the least of its rotations."""
_LEGEND: Final = {
    "E": "an end with one open side",
    "S": "a straight tile with two open sides that are opposite to each other",
    "C": "a corner with two open sides that are next to each other",
    "T": "a branch with three open sides",
    "X": "a crossing with four open sides",
}


class Pipes(Hinted):
    """Rotate tiles with pipes until all tiles are joined without a loop."""

    Params = levels(
        size=knob("side of the grid", 4, 4, 5, 5, 6, 6, 7, 7, 8, 9),
        given=knob("percentage of the tiles that are given at least", 50, 20, 20, 5, 10, 0, 5, 0, 0, 0, at_most=90),
    )
    answer = GridAnswer()
    task = Phrase(
        "Solve this {size}x{size} Pipes puzzle: rotate the tiles so that the pipes form one network.",
        "This is a Pipes puzzle with {size} rows and {size} columns of tiles. Find the rotation of each tile.",
        "Rotate the tiles of this {size}x{size} grid so that their pipes connect all tiles (Pipes, also called Net).",
        held_out="Determine the rotation of every tile in this Pipes (Net) puzzle with side {size}.",
    )
    rules = (
        Phrase(
            "Each cell contains a tile whose pipe has one to four open sides. You may rotate each tile, but not move or flip "
            "it.",
            "There is one tile per cell. Its pipe leads to one to four sides of the cell, the open sides. Tiles can be "
            "rotated, but they stay in their cells.",
            "Every cell has a tile with a pipe that reaches some sides of the cell, called open. A tile may be turned by 0, "
            "90, 180 or 270 degrees and may not change its place.",
            held_out="Tiles stay in place and may only be rotated by quarter turns. The sides that the pipe of a tile reaches "
            "are its open sides.",
        ),
        Phrase(
            "An open side must meet an open side of the adjacent tile. No open side may be at the edge of the grid, and none "
            "may meet a closed side.",
            "If a side of a tile is open, there must be an adjacent tile on that side, and its side must be open as well.",
            "Where two tiles touch, the sides must be both open or both closed. Sides at the edge of the grid must be closed.",
            held_out="Touching sides agree (open with open, closed with closed), and all sides at the edge are closed.",
        ),
        Phrase(
            "All tiles are connected by pipes, directly or through other tiles.",
            "The pipes must form one network that reaches every tile.",
            "From any tile you can get to each other tile along the pipes.",
            held_out="The network of pipes is connected and covers all tiles.",
        ),
        Phrase(
            "The pipes may not form a loop.",
            "There may be no closed loop of pipes.",
            "No loop is allowed in the network.",
            held_out="The network has no cycle.",
        ),
        Phrase(
            "The answer is a grid of {height} rows and {width} columns. The number of a tile is the sum of its open sides: 1 "
            "for the top, 2 for the right, 4 for the bottom, 8 for the left. For example, 6 is open to the right and to the "
            "bottom.",
            "Answer with {height} rows of {width} numbers from 1 to 15. Add 1 if the top side of the tile is open, 2 if the "
            "right side is, 4 if the bottom side is, and 8 if the left side is. A tile that is open at the right and the "
            "bottom is 6.",
            "Write {height} rows with {width} numbers each. A number is the sum over the open sides of its tile: top 1, right "
            "2, bottom 4, left 8. Thus 6 means that exactly the right and the bottom are open.",
            held_out="Return a matrix with {height} rows and {width} columns. Each entry encodes the open sides of a tile as "
            "a sum (top = 1, right = 2, bottom = 4, left = 8), so that 6 stands for right and bottom.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """A random spanning tree."""
        sides = tree(rng, p.size, p.size)
        return {"height": p.size, "width": p.size, "tiles": [rotations(code)[0] for code in sides]}, tuple(sides)

    def outline(self, content: JSON, turn: int) -> list[int]:
        """The tiles without their rotations."""
        return turned(content["tiles"], content["height"], content["width"], turn)

    def domains(self, problem: JSON) -> list[int]:
        """The rotations with no open side at the edge."""
        inside = inner(problem["height"], problem["width"])
        return [
            mask_of([code for code in rotations(tile) if not code & ~sides])
            for tile, sides in zip(problem["tiles"], inside, strict=True)
        ]

    def laws(self, problem: JSON) -> Laws:
        """Sides that agree, and a tree."""
        height, width = problem["height"], problem["width"]
        return {
            "An open side meets a closed side.": opening(height, width),
            "The tiles are not all connected, or there is a loop.": [Spanning(height, width)],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The tiles, and those whose rotation is given."""
        kinds = {cell: _KINDS[tile] for cell, tile in enumerate(problem["tiles"])}
        return [picture("Tiles", problem, kinds, **_LEGEND), *self.hints(problem)]
