"""bridges-v0: join all islands by bridges.

Action: a grid of digits, the bridges over each cell. Any grid that satisfies the rules counts; there is exactly one (proved).
Difficulty: the size, the number of islands, then fewer given cells; effort is the number of propagation steps of a search.
Rotations and reflections are the same problem.
"""

from __future__ import annotations

from typing import Any, ClassVar

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.hinted import Hinted
from envhub.families.seen import Signs
from envhub.generators.cells.board import turned
from envhub.generators.cells.bridges import Joined, archipelago, count, crossings, ending, possible, unbroken
from envhub.generators.cells.directions import DOWN, RIGHT
from envhub.scenes.grid import Tile


class Bridges(Hinted):
    """Join all islands by bridges."""

    Params = levels(
        size=knob("side of the grid", 5, 6, 6, 7, 7, 8, 8, 9, 9, 10),
        islands=knob("number of islands", 7, 8, 9, 10, 12, 13, 15, 17, 19, 23, at_least=3),
        given=knob("percentage of the cells that are given at least", 0, at_least=0, at_most=90),
    )
    task = Phrase(
        "Solve this {size}x{size} Bridges puzzle: join all islands by bridges.",
        "This is a Bridges puzzle (Hashiwokakero) on a grid of {size} rows and {size} columns. Find all bridges.",
        "Build bridges on this {size}x{size} grid so that all islands are connected (Bridges).",
        held_out="Determine the bridges of this Hashiwokakero with side {size}.",
    )
    rules = (
        Phrase(
            "Each number is an island. A bridge joins two islands in the same row or column, in a straight line over the cells "
            "between them. No other island may be between them.",
            "The cells with numbers are islands. Bridges are straight lines, horizontal or vertical, from an island to the "
            "next island in that direction.",
            "Islands are the cells that contain numbers. A bridge runs horizontally or vertically from one island to another "
            "one, with no island in between.",
            held_out="Numbered cells are islands; a bridge is a straight horizontal or vertical line between two islands that "
            "have no third island between them.",
        ),
        Phrase(
            "At most two bridges may join the same two islands.",
            "Between two islands there may be no bridge, one bridge or two bridges.",
            "The same two islands may be joined by up to two bridges.",
            held_out="A pair of islands has zero, one or two bridges.",
        ),
        Phrase(
            "Bridges may not cross each other.",
            "No horizontal bridge may cross a vertical bridge.",
            "A cell may not have both horizontal and vertical bridges.",
            held_out="Crossings of bridges are forbidden.",
        ),
        Phrase(
            "The number of an island is the number of bridges that end there. Two bridges to the same island count as two.",
            "Exactly as many bridges end at each island as its number states; a double connection counts twice.",
            "Each island has as many bridges in total as its number. Both bridges of a pair count.",
            held_out="Counted with multiplicity, the bridges at an island are equal to its number.",
        ),
        Phrase(
            "All islands are connected: you can get from each island to each other one over bridges.",
            "The bridges must connect all islands, directly or through other islands.",
            "From any island, every other island can be reached over bridges.",
            held_out="The islands and bridges form one connected network.",
        ),
        Phrase(
            "The answer is a grid of {height} rows and {width} columns. Write 1 for a cell under one horizontal bridge, 2 for "
            "two horizontal bridges, 3 for one vertical bridge, 4 for two vertical bridges, and 0 for an island or an empty "
            "cell.",
            "Answer with {height} rows of {width} digits: 0 for islands and for cells without a bridge, 1 or 2 for one or two "
            "horizontal bridges, 3 or 4 for one or two vertical bridges.",
            "Write the whole grid, {height} rows by {width} columns, one digit per cell. A digit is 1 (one horizontal "
            "bridge), 2 (two horizontal bridges), 3 (one vertical bridge) or 4 (two vertical bridges). It is 0 for islands "
            "and cells without a bridge.",
            held_out="Return a matrix with {height} rows and {width} columns. Its entries are 0 for islands and empty cells, "
            "1 and 2 for single and double horizontal bridges, 3 and 4 for single and double vertical bridges.",
        ),
    )
    signs: ClassVar[Signs] = {str(number): Tile(str(number), disc="tint1") for number in range(1, 9)}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Islands that grow from each other, and the numbers of their bridges."""
        drawn = archipelago(rng, p.size, p.size, p.islands)
        if drawn is None:
            return None
        islands, grid = drawn
        ends = dict.fromkeys(islands, 0)
        for one, other, way, cells in crossings(p.size, p.size, islands):
            for island in (one, other):
                ends[island] += count(grid[cells[0]], way)
        return {"height": p.size, "width": p.size, "numbers": [list(end) for end in ends.items()]}, tuple(grid)

    def outline(self, content: JSON, turn: int) -> list[int]:
        """The number of bridges over each cell, and -1 for islands."""
        bridges = [max(count(value, way) for way in (RIGHT, DOWN)) for value in content["solution"]]
        for cell, _ in content["numbers"]:
            bridges[cell] = -1
        return turned(bridges, content["height"], content["width"], turn)

    def domains(self, problem: JSON) -> list[int]:
        """Bridges where islands see each other."""
        return possible(problem["height"], problem["width"], _islands(problem))

    def laws(self, problem: JSON) -> Laws:
        """Unbroken bridges, their numbers, and connected islands."""
        height, width, islands = problem["height"], problem["width"], _islands(problem)
        return {
            "A bridge does not reach an island.": unbroken(height, width, islands),
            "An island has a wrong number of bridges.": [ending(height, width, *one) for one in problem["numbers"]],
            "The islands are not all connected.": [Joined(crossings(height, width, islands), islands)],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The islands and the given cells."""
        islands = picture("Grid", problem, dict(problem["numbers"]), empty="a cell without an island")
        return [islands, *self.hints(problem)]


def _islands(problem: JSON) -> list[int]:
    return [cell for cell, _ in problem["numbers"]]
