"""norinori-v0: shade dominoes so that every region has two shaded cells.

Action: a grid of 0 and 1. Any grid that satisfies the rules counts; there is exactly one (proved). Difficulty: the size; effort
is the number of propagation steps of a search. The dominoes and the regions
as first drawn decide the split; rotations and reflections are the same problem.
"""

from __future__ import annotations

from typing import Any

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.families.cells import Laws
from envhub.families.levels import knob, levels
from envhub.families.marks import Marks, marked
from envhub.families.pieces import Pieces, regions_of
from envhub.generators.cells.board import beside, members
from envhub.generators.cells.laws import Count, Table
from envhub.generators.cells.model import Grid
from envhub.generators.cells.regions import round_marks, sharpened
from envhub.generators.cells.tables import partnered


class Norinori(Marks):
    """Shade dominoes so that every region has two shaded cells."""

    Params = levels(
        size=knob("side of the grid", 6, 6, 6, 6, 6, 7, 7, 7, 8, 8, at_most=10),
        least=knob(
            "minimum effort: steps of a search", 0, 100, 150, 160, 200, 250, 350, 450, 600, 1000, at_most=100_000
        ),
        most=knob(
            "maximum effort: steps of a search", 140, 230, 350, 450, 700, 1000, 1600, 2500, 4000, 9000, at_most=100_000
        ),
    )
    layers = ("regions",)
    task = Phrase(
        "Solve this Norinori: shade cells of the {size}x{size} grid.",
        "Decide which cells of this {size}x{size} grid are shaded. The grid is divided into regions (Norinori).",
        "This is a Norinori puzzle on a grid of {size} rows and {size} columns. Find the shaded cells.",
        held_out="Determine the set of shaded cells in this {size}x{size} Norinori.",
    )
    rules = (
        Phrase(
            "Each region contains exactly two shaded cells.",
            "Exactly two cells of every region are shaded.",
            "In each region, shade two cells, neither more nor fewer.",
            held_out="The number of shaded cells per region is two.",
        ),
        Phrase(
            "Each shaded cell shares a side with exactly one other shaded cell. The other cell may belong to another region.",
            "Shaded cells form pairs: every shaded cell has exactly one shaded cell among its horizontal and vertical "
            "neighbours. A pair may cross the border of a region.",
            "Among the up to four cells that share a side with a shaded cell, exactly one is shaded. It may lie in the same "
            "region or in another.",
            held_out="Shaded cells come in dominoes: each has one side in common with one shaded cell and with no other. "
            "Dominoes may lie across regions.",
        ),
        marked("shading"),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Dominoes at random, and regions grown round them."""
        found = _dominoes(rng, p.size)
        marks = [cell for cell, value in enumerate(found) if value]
        regions = round_marks(rng, p.size, p.size, marks, 2)
        return ({"height": p.size, "width": p.size, "regions": regions}, found) if regions else None

    def finished(self, rng: Stream, p: Any, problem: JSON, solution: Grid) -> JSON:
        """Regions changed until no other solution remains."""
        size, regions = p.size, problem["regions"]
        sharp = sharpened(
            rng,
            size,
            size,
            regions,
            solution,
            lambda r: self.model({**problem, "regions": r, ("clues"): []}),
            2 * size,
            self.budget,
        )
        return {**problem, "regions": sharp} if sharp else None

    def laws(self, problem: JSON) -> Laws:
        """Two cells per region, and one shaded neighbour per shaded cell."""
        near = beside(problem["height"], problem["width"])
        pairs = [Table((cell, *others), partnered(len(others))) for cell, others in enumerate(near)]
        return {
            "A region does not have two shaded cells.": [Count(region, 2, 2) for region in members(problem["regions"])],
            "A shaded cell does not have exactly one shaded neighbour.": pairs,
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The regions."""
        return [regions_of(problem)]


def _dominoes(rng: Stream, size: int) -> Grid:
    """Dominoes that do not touch, packed closely."""
    near = beside(size, size)
    halo = {
        (cell, other): {cell, other, *near[cell], *near[other]}
        for cell, others in enumerate(near)
        for other in others
        if cell < other
    }
    grid, free = [0] * size**2, set(range(size**2))
    places = list(halo)
    rng.shuffle(places)
    while places := [place for place in places if free.issuperset(place)]:
        early = len(free) > size**2 - 2 * size  # the first ones anywhere, so that solutions are spread
        one, other = places[0] if early else min(places, key=lambda place: len(halo[place] & free))
        grid[one] = grid[other] = 1
        free -= halo[one, other]
    return tuple(grid)
