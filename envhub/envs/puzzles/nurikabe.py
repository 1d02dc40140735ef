"""nurikabe-v0: find islands of given sizes in one sea.

Action: a grid of 0 and 1. Any grid that satisfies the rules counts; there is exactly one (proved). With
``variant="number wall"``, the sea is called a wall. Difficulty: the size, then fewer given cells; effort is the number of
propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any, Final

from envhub.core.types import Instance
from envhub.families.cells import grid_text
from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.hinted import Hinted
from envhub.generators.cells.board import beside, pairs, squares, turned
from envhub.generators.cells.connectivity import Connected
from envhub.generators.cells.islands import SEA, islands, labelled
from envhub.generators.cells.laws import Count, Rows, Table, Within

_SEA: Final = 1 << SEA
_WORDS: Final = {"nurikabe": "sea", "number wall": "wall"}


class Nurikabe(Hinted):
    """Find islands of given sizes in one sea."""

    Params = levels(
        size=knob("side of the grid", 6, 6, 6, 7, 7, 7, 8, 8, 9, 9, at_least=5),
        island=knob("greatest number of cells of an island", 5, 5, 5, 5, 5, 6, 6, 7, 7, 8, at_least=3),
        given=knob("percentage of the cells that are given at least", 10, 5, 0, 0, 0, 0, 0, 0, 0, 0, at_most=90),
        least=knob("minimum effort: steps of a search", 4, 6, 8, 11, 15, 20, 26, 34, 44, 60, at_most=100_000),
        most=knob("maximum effort: steps of a search", 8, 10, 14, 19, 26, 35, 50, 70, 110, 5000, at_most=100_000),
        variant=knob("name of the puzzle", "nurikabe", choices=("nurikabe", "number wall")),
    )
    task = Phrase(
        "Solve this {size}x{size} puzzle ({title}): decide which cells belong to the {sea} and which to islands.",
        "This is a {title} puzzle on a grid of {size} rows and {size} columns. Find the cells of the {sea}.",
        "Divide this {size}x{size} grid into one {sea} and several islands ({title}).",
        held_out="Determine the {sea} of this {title} puzzle with side {size}.",
    )
    rules = (
        Phrase(
            "Each cell belongs either to the {sea} or to an island. Island cells that share a side belong to the same island; "
            "two islands may touch at a corner.",
            "A cell is part of the {sea} or part of an island. An island is a group of cells that are connected horizontally "
            "and vertically; two islands never share a side, but they may touch at a corner.",
            "There are two kinds of cells: {sea} and island. Island cells that are next to each other horizontally or "
            "vertically are in the same island. Contact at a corner alone does not join islands.",
            held_out="Every cell is {sea} or island; the islands are the groups of island cells that are connected by sides, "
            "so that different islands may meet at corners only.",
        ),
        Phrase(
            "Each island contains exactly one number. The number is the number of cells of the island.",
            "In each island there is exactly one cell with a number, and it states how many cells the island has.",
            "Every island has one and only one number, which is equal to its size in cells. Every number belongs to an island.",
            held_out="Islands and numbers correspond one to one, and a number counts the cells of its island, its own "
            "included.",
        ),
        Phrase(
            "All cells of the {sea} are connected through their sides.",
            "The {sea} is connected: from each of its cells you can get to each other one by steps up, down, left and right "
            "within it.",
            "The cells of the {sea} form a single group, connected horizontally and vertically.",
            held_out="The {sea} is one region, connected by sides.",
        ),
        Phrase(
            "No 2x2 square of cells may belong entirely to the {sea}.",
            "The {sea} may not contain a square of 2 by 2 cells.",
            "Each 2x2 square contains at least one cell that is not {sea}.",
            held_out="There is no 2x2 block of {sea}.",
        ),
        Phrase(
            "The answer is a grid of {height} rows and {width} columns: 1 for each cell of the {sea}, 0 for each cell of an "
            "island.",
            "Answer with {height} rows of {width} digits. The digit is 1 if the cell belongs to the {sea}, and 0 if it "
            "belongs to an island.",
            "Write the whole grid, {height} rows by {width} columns, with 1 for {sea} and 0 for island.",
            held_out="Return a 0/1 matrix with {height} rows and {width} columns, in which 1 is {sea} and 0 is island.",
        ),
    )

    def values(self, problem: JSON) -> dict[str, str]:
        """The names of the puzzle and of the sea."""
        return {"title": problem["variant"].title(), "sea": _WORDS[problem["variant"]]}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Islands at random, each with its number in a random cell."""
        label = islands(rng, p.size, p.size, p.island)
        if label is None:
            return None
        cells = [[cell for cell, found in enumerate(label) if found == name] for name in range(1, max(label) + 1)]
        numbers = sorted([rng.choice(island), len(island)] for island in cells)
        names = {label[cell]: name for name, (cell, _) in enumerate(numbers, 1)}
        problem = {"height": p.size, "width": p.size, "variant": p.variant, "numbers": numbers}
        return problem, tuple(names.get(found, SEA) for found in label)

    def outline(self, content: JSON, turn: int) -> list[int]:
        """Sea, land and numbered cells."""
        numbered = {cell for cell, _ in content["numbers"]}
        kinds = [(found > 0) + (cell in numbered) for cell, found in enumerate(content["solution"])]
        return turned(kinds, content["height"], content["width"], turn)

    def domains(self, problem: JSON) -> list[int]:
        """The sea, and the islands whose number is near enough."""
        height, width, numbers = problem["height"], problem["width"], problem["numbers"]
        found = [_SEA] * (height * width)
        for name, (start, size) in enumerate(numbers, 1):
            for cell in range(height * width):
                steps = abs(cell // width - start // width) + abs(cell % width - start % width)
                found[cell] |= (steps < size) << name
        for name, (start, _) in enumerate(numbers, 1):
            found[start] = 1 << name
        return found

    def laws(self, problem: JSON) -> Laws:
        """Islands of the right sizes in a sea without squares."""
        height, width, numbers = problem["height"], problem["width"], problem["numbers"]
        near, apart, every = beside(height, width), _apart(len(numbers)), range(height * width)
        return {
            "Two numbers are in the same island.": [Table(pair, apart) for pair in pairs(height, width)],
            "An island is not connected.": [Connected(near, 1 << name) for name in range(1, len(numbers) + 1)],
            "The size of an island is wrong.": [
                Count(every, size, size, 1 << name) for name, (_, size) in enumerate(numbers, 1)
            ],
            "There is a 2x2 square without an island.": [
                Count(square, 0, 3, _SEA) for square in squares(height, width)
            ],
            "The cells outside the islands are not connected.": [Connected(near, _SEA)],
        }

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """For each cell without a number, 1 for sea, 0 for land."""
        numbered = {cell for cell, _ in problem["numbers"]}
        return [[cell, int(found == SEA)] for cell, found in enumerate(solution) if cell not in numbered]

    def clue(self, problem: JSON, clue: JSON) -> Within:
        """Sea or land in a cell."""
        cell, sea = clue
        return Within(cell, _SEA if sea else ~_SEA)

    def written(self, problem: JSON, solution: Grid) -> str:
        """1 for the sea and 0 for land."""
        return grid_text([int(found == SEA) for found in solution], problem["width"])

    def example(self, problem: JSON) -> str:
        """Columns of sea and land."""
        return grid_text(
            [cell % problem["width"] % 2 for cell in range(problem["height"] * problem["width"])], problem["width"]
        )

    def cells(self, problem: JSON, value: Any) -> Grid | str:
        """The island of each cell, or what is wrong."""
        flat = super().cells(problem, value)
        if isinstance(flat, str) or max(flat) > 1:
            return flat if isinstance(flat, str) else "Each cell must be 0 or 1."
        names = {cell: name for name, (cell, _) in enumerate(problem["numbers"], 1)}
        label = labelled(beside(problem["height"], problem["width"]), [not sea for sea in flat], names)
        return "An island does not contain exactly one number." if label is None else tuple(label)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Those that are written differently from the solution."""
        right = self.solve(inst)
        yield from (text for text in super().mistakes(inst) if text != right)

    def pieces(self, problem: JSON) -> Pieces:
        """The numbers and the given cells."""
        numbers = picture("Grid", problem, dict(problem["numbers"]), empty="a cell without a number")
        return [numbers, *self.hints(problem)]


@lru_cache(maxsize=64)
def _apart(count: int) -> Rows:
    """Two neighbouring cells: the same island, or one in the sea."""
    return Rows([(a, b) for a, b in product(range(count + 1), repeat=2) if a == b or SEA in (a, b)])
