"""stitches-v0: join every two neighbouring regions by stitches.

Action: a grid of directions. Any grid that satisfies the rules counts; there is exactly one (proved). Difficulty: the size, the
number of regions, then fewer given cells; effort is the number of propagation steps of a search. Rotations and reflections are
the same problem.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels
from envhub.families.hinted import Hinted
from envhub.families.pieces import Numbers, regions_of
from envhub.generators.cells.board import grown, lines, turned
from envhub.generators.cells.directions import links, pointing
from envhub.generators.cells.laws import Count
from envhub.generators.cells.tally import Tally

_HOLES: Final = 0b11110

Border = dict[tuple[int, int], list[tuple[int, int, int]]]
"""For every two neighbouring regions, the links that cross their border."""


class Stitches(Hinted):
    """Join every two neighbouring regions by stitches."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 5, 6, 6, 7, 7, 8, 8, 9, at_least=4),
        regions=knob("number of regions", 4, 4, 4, 5, 6, 6, 7, 7, 9, 11, at_least=2),
        given=knob("percentage of the cells that are given at least", 35, 25, 12, 8, 0, 3, 0, 2, 0, 0, at_most=90),
    )
    layers = ("regions",)
    task = Phrase(
        "Solve this {size}x{size} Stitches puzzle: place stitches that join the regions of the grid.",
        "This is a Stitches puzzle on a grid of {size} rows and {size} columns. Find all stitches.",
        "Place stitches between cells of this {size}x{size} grid so that all neighbouring regions are joined (Stitches).",
        held_out="Determine the stitches of this Stitches puzzle with side {size}.",
    )
    rules = (
        Phrase(
            "A stitch joins two cells that share a side and belong to different regions. Each of the two cells has a hole, "
            "one end of the stitch.",
            "Each stitch connects two cells of different regions that are next to each other horizontally or vertically. Its "
            "two ends are holes, one in each cell.",
            "A stitch crosses the border between two regions: it connects two cells on both sides of the border that share a "
            "side. Both cells then have a hole.",
            held_out="Stitches connect orthogonally adjacent cells of different regions; each puts one hole into both cells.",
        ),
        Phrase(
            "Every two regions that share a border are joined by exactly one stitch. Regions that touch only at a corner "
            "share no border.",
            "For each pair of regions with a common border there is exactly one stitch between them. Touching at a corner is "
            "not a common border.",
            "Two regions with a common border must have exactly one stitch across it. A corner alone is not a border.",
            held_out="There is one and only one stitch per pair of regions that are adjacent by a side (not by a corner "
            "alone).",
        ),
        Phrase(
            "A cell has at most one hole, so it belongs to at most one stitch.",
            "No cell may be part of two stitches; a cell has one hole or none.",
            "Each cell contains at most one end of a stitch.",
            held_out="Stitches never share a cell: each cell has no hole or one.",
        ),
        Phrase(
            "The number of cells with a hole in each row and each column must equal the given number.",
            "For each row and each column, the number of its cells with a hole is given and must be exact.",
            "Every row and every column has exactly the given number of cells with a hole.",
            held_out="Row and column numbers count the cells with a hole and hold with equality.",
        ),
        Phrase(
            "The answer is a grid of {height} rows and {width} columns. Write 0 for a cell without a hole. For a cell with a "
            "hole, write the direction of the other end of its stitch: 1 up, 2 right, 3 down, 4 left.",
            "Answer with {height} rows of {width} digits. A digit states in which direction the stitch of the cell goes: 1 "
            "up, 2 right, 3 down, 4 left. It is 0 if the cell has no hole.",
            "Write the whole grid, {height} rows by {width} columns, one digit per cell: 0 for no hole, otherwise the "
            "direction of the other hole of its stitch (1 up, 2 right, 3 down, 4 left).",
            held_out="Return a matrix with {height} rows and {width} columns. Its entries are 0 for no hole, and for holes the "
            "direction of the stitch: 1 up, 2 right, 3 down, 4 left.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Random regions, and stitches found by a search that decides at random."""
        problem = {
            "height": p.size,
            "width": p.size,
            "regions": grown(rng, p.size, p.size, rng.sample(range(p.size**2), p.regions)),
            "counts": [],
        }
        found = self.model(problem).solutions(most=1, budget=20 * p.size**2, rng=rng).grids
        if not found:
            return None
        counts = [sum(found[0][cell] > 0 for cell in line) for line in lines(p.size, p.size)]
        return {**problem, "counts": counts}, found[0]

    def outline(self, content: JSON, turn: int) -> list[int]:
        """The cells with a hole."""
        return turned([int(value > 0) for value in content["solution"]], content["height"], content["width"], turn)

    def domains(self, problem: JSON) -> list[int]:
        """No hole, or a direction that leads into another region."""
        found = [1] * (problem["height"] * problem["width"])
        for border in _borders(problem["height"], problem["width"], problem["regions"]).values():
            for cell, way, other in border:
                found[cell] |= 1 << way
                found[other] |= 1 << (way + 1) % 4 + 1
        return found

    def laws(self, problem: JSON) -> Laws:
        """Two ends, one stitch per border, and the counts."""
        height, width = problem["height"], problem["width"]
        borders = _borders(height, width, problem["regions"]).values()
        counted = zip(lines(height, width), problem["counts"], strict=False)  # none are known yet in a draw
        return {
            "A stitch has only one end.": pointing(height, width),
            "Two regions are not joined by exactly one stitch.": [
                Tally([(cell, 1 << way) for cell, way, _ in border], 1, 1) for border in borders
            ],
            "A row or column has a wrong number of holes.": [
                Count(line, count, count, _HOLES) for line, count in counted
            ],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The regions, the counts and the given cells."""
        height, counts = problem["height"], problem["counts"]
        return [
            regions_of(problem),
            Numbers("Numbers of cells with a hole in the rows, from top to bottom", counts[:height], "left"),
            Numbers("Numbers of cells with a hole in the columns, from left to right", counts[height:], "top"),
            *self.hints(problem),
        ]


def _borders(height: int, width: int, label: list[int]) -> Border:
    found: Border = {}
    for link in links(height, width):
        one, other = label[link[0]], label[link[2]]
        if one != other:
            found.setdefault((min(one, other), max(one, other)), []).append(link)
    return found
