"""dominosa-v0: divide a grid of numbers into dominoes, all different.

Action: a grid of directions. Any grid that satisfies the rules counts; there is exactly one (proved). Difficulty: the greatest
number, then fewer given cells; effort is the number of propagation steps of a search. Rotations, reflections and other names
for the numbers are the same problem.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.hinted import Hinted
from envhub.generators.cells.board import relabelled, turned
from envhub.generators.cells.directions import inner, links, pointing, towards
from envhub.generators.cells.model import Model
from envhub.generators.cells.tally import Tally


class Dominosa(Hinted):
    """Divide a grid of numbers into dominoes, all different."""

    Params = levels(
        top=knob("greatest number on a domino", 3, 3, 4, 4, 5, 5, 6, 6, 7, 8, at_most=9),
        given=knob("percentage of the cells that are given at least", 35, 15, 18, 6, 8, 0, 4, 0, 0, 0, at_most=90),
    )
    layers = ("numbers",)
    task = Phrase(
        "Solve this Dominosa puzzle: divide the {height}x{width} grid of numbers into dominoes.",
        "This is a Dominosa puzzle with {height} rows and {width} columns of numbers. Find the domino of each cell.",
        "Divide this grid of {height} rows and {width} columns into dominoes so that no domino occurs twice (Dominosa).",
        held_out="Determine the layout of the dominoes on this {height}x{width} Dominosa board.",
    )
    rules = (
        Phrase(
            "A domino covers two cells that share a side. Each cell belongs to exactly one domino.",
            "Each domino consists of two cells next to each other, horizontally or vertically. The dominoes cover all cells "
            "and do not overlap.",
            "Pair each cell with a cell that shares a side with it; such a pair is a domino. Every cell is in one pair.",
            held_out="Dominoes are pairs of orthogonally adjacent cells that cover every cell exactly once.",
        ),
        Phrase(
            "Each pair of numbers from 0 to {top}, including pairs of equal numbers, occurs on exactly one domino. The order "
            "of the two numbers does not matter: the pair 1 2 is the same as 2 1.",
            "The dominoes form a full set: every unordered pair of numbers from 0 to {top}, doubles such as 0 0 included, is "
            "on one domino and not on another.",
            "No two dominoes have the same two numbers, in whatever order. So each unordered pair of numbers from 0 to {top}, "
            "doubles included, occurs once.",
            held_out="All unordered pairs from 0 to {top} (doubles included) occur, each on one domino.",
        ),
        Phrase(
            "The answer is a grid of {height} rows and {width} columns. For each cell, write where the other cell of its "
            "domino is: 1 up, 2 right, 3 down, 4 left.",
            "Answer with {height} rows of {width} digits. Each digit is the direction from its cell to the other half of the "
            "domino: 1 up, 2 right, 3 down, 4 left.",
            "Write {height} rows with {width} digits each. A digit states the direction of the other half of the cell's "
            "domino (1 up, 2 right, 3 down, 4 left).",
            held_out="Return a matrix with {height} rows and {width} columns that gives, for each cell, the direction of its "
            "partner: 1 up, 2 right, 3 down, 4 left.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """A full set of dominoes in random order on a random tiling."""
        height, width = p.top + 1, p.top + 2
        problem = {"height": height, "width": width, "top": p.top}
        tiling = Model(self.domains(problem), pointing(height, width))
        found = tiling.solutions(most=1, budget=40 * height * width, rng=rng).grids
        if not found:
            return None
        numbers = [0] * (height * width)
        pairs = list(combinations_with_replacement(range(p.top + 1), 2))
        rng.shuffle(pairs)
        for cell, way, other in links(height, width):
            if found[0][cell] == way:
                one, two = pairs.pop()
                numbers[cell], numbers[other] = (one, two) if rng.below(2) else (two, one)
        return {**problem, "numbers": numbers}, found[0]

    def outline(self, content: JSON, turn: int) -> list[int]:
        """The domino of each cell, as a name."""
        height, width = content["height"], content["width"]
        dominoes = [min(cell, towards(height, width, cell, way)) for cell, way in enumerate(content["solution"])]
        return relabelled(turned(dominoes, height, width, turn))

    def domains(self, problem: JSON) -> list[int]:
        """The directions of the neighbours."""
        return [sides << 1 for sides in inner(problem["height"], problem["width"])]

    def laws(self, problem: JSON) -> Laws:
        """Two halves, and each pair of numbers once."""
        height, width, numbers = problem["height"], problem["width"], problem["numbers"]
        places: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for cell, way, other in links(height, width):
            one, two = sorted((numbers[cell], numbers[other]))
            places.setdefault((one, two), []).append((cell, 1 << way))
        return {
            "Two cells do not name each other as halves of a domino.": pointing(height, width),
            "A pair of numbers is not on exactly one domino.": [Tally(terms, 1, 1) for terms in places.values()],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The numbers and the given cells."""
        return [picture("Numbers", problem, dict(enumerate(problem["numbers"]))), *self.hints(problem)]
