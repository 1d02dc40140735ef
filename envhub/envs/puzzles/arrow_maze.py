"""arrow-maze-v0: fill a grid with arrows that lead away from numbers.

Action: a grid of directions. Any grid that satisfies the rules counts; there is exactly one (proved). Difficulty: the size,
then fewer given arrows; effort is the number of propagation steps of a search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.hinted import Hinted
from envhub.generators.cells.board import ray, relabelled, turned
from envhub.generators.cells.directions import EIGHT
from envhub.generators.cells.rays import Rays

_DIRECTIONS: Final = range(1, 9)


class ArrowMaze(Hinted):
    """Fill a grid with arrows that lead away from numbers."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 5, 6, 6, 6, 7, 7, 8, 9, at_least=4),
        given=knob("percentage of the arrows that are given at least", 60, 40, 20, 30, 15, 0, 8, 0, 0, 0, at_most=90),
    )
    task = Phrase(
        "Solve this {size}x{size} Arrow Maze: place an arrow in each empty cell.",
        "This is an Arrow Maze on a grid of {size} rows and {size} columns. Place an arrow in every empty cell.",
        "Fill each empty cell of the {size}x{size} Arrow Maze with an arrow.",
        held_out="Determine the direction of the arrow in each empty cell of this Arrow Maze with side {size}.",
    )
    rules = (
        Phrase(
            "Rays of arrows start at the cells with numbers. A ray starts in one of the eight cells next to the number (also "
            "diagonally) and continues straight on. All its arrows point away from the number, along the ray.",
            "A ray is a straight line of adjacent arrows, horizontal, vertical or diagonal. Its first arrow is next to a cell "
            "with a number, and all its arrows point along the line, away from that number.",
            "From a number, rays of arrows may go in up to eight directions: up, down, left, right and diagonally. A ray "
            "begins in the cell next to the number, has no gaps, and all its arrows point in the direction in which it leaves "
            "the number.",
            held_out="A ray consists of consecutive arrows on a straight line (in one of eight directions) that begins right "
            "beside a number; every arrow points in the direction that leads away from the number.",
        ),
        Phrase(
            "Each arrow belongs to a ray: directly behind it is a number, or another arrow with the same direction.",
            "No arrow may be outside a ray. The cell directly behind an arrow contains a number or an arrow that points the "
            "same way.",
            "Behind each arrow, in the cell opposite to where it points, there must be a number or an arrow with the same "
            "direction.",
            held_out="The predecessor of an arrow (the adjacent cell on the side that it points away from) is a number or an "
            "equal arrow.",
        ),
        Phrase(
            "A number is the total number of arrows in all rays that start at it. No ray starts at a 0.",
            "The lengths of all rays of a number, counted in arrows, add up to the number. A 0 has no rays.",
            "Each number states how many arrows its rays have in total; 0 means that it has no ray.",
            held_out="Summed over its rays, a number counts arrows; a number 0 starts none.",
        ),
        Phrase(
            "The answer is a grid of {height} rows and {width} columns. Write 0 for a cell with a number. Write an arrow as a "
            "digit: 1 up, 2 up and right, 3 right, 4 down and right, 5 down, 6 down and left, 7 left, 8 up and left.",
            "Answer with {height} rows of {width} digits. Arrows are numbered clockwise: 1 up, 2 up and right, 3 right, 4 "
            "down and right, 5 down, 6 down and left, 7 left, 8 up and left. A cell with a number becomes 0.",
            "Write the whole grid, {height} rows by {width} columns, one digit per cell: 0 if the cell has a number, "
            "otherwise the direction of its arrow (1 up, 2 up and right, 3 right, 4 down and right, 5 down, 6 down and left, "
            "7 left, 8 up and left).",
            held_out="Return a matrix with {height} rows and {width} columns. Its entries are 0 for number cells and "
            "directions for arrows: 1 up, 2 up and right, 3 right, 4 down and right, 5 down, 6 down and left, 7 left, 8 up "
            "and left.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """Free cells continue a ray or send out rays, in random order."""
        height = width = p.size
        grid = [-1] * (height * width)
        for start in rng.sample(range(height * width), height * width):
            if grid[start] >= 0:
                continue
            behind = [_behind(height, width, start, direction)[:1] for direction in _DIRECTIONS]
            ways = [way for way, cells in zip(_DIRECTIONS, behind, strict=True) if cells and grid[cells[0]] in (0, way)]
            if ways and rng.below(4):
                grid[start] = rng.choice(ways)
                continue
            grid[start] = 0
            for way in rng.sample(_DIRECTIONS, rng.between(3, 8)):
                for cell in ray(height, width, start, *EIGHT[way - 1]):
                    if grid[cell] >= 0 or not rng.below(5):
                        break
                    grid[cell] = way
        arrows = Counter(_sources(height, width, grid))
        numbers = [arrows[cell] - 1 if not value else None for cell, value in enumerate(grid)]
        return {"height": height, "width": width, "numbers": numbers}, tuple(grid)

    def outline(self, content: JSON, turn: int) -> list[int]:
        """The cell at which each ray starts, as a name."""
        height, width = content["height"], content["width"]
        return relabelled(turned(_sources(height, width, content["solution"]), height, width, turn))

    def domains(self, problem: JSON) -> list[int]:
        """0 for numbers; for other cells, directions away from a number."""
        height, width, numbers = problem["height"], problem["width"], problem["numbers"]
        found = [int(number is not None) for number in numbers]
        for rays, _ in _rays(height, width, numbers):
            for mask, cells in rays:
                for cell in cells:
                    found[cell] |= mask
        return found

    def laws(self, problem: JSON) -> Laws:
        """Rays without gaps, with the right number of arrows."""
        rays = _rays(problem["height"], problem["width"], problem["numbers"])
        return {"The arrows of a number are too many or too few, or have gaps.": [Rays(*one) for one in rays]}

    def pieces(self, problem: JSON) -> Pieces:
        """The numbers and the given arrows."""
        known = {cell: number for cell, number in enumerate(problem["numbers"]) if number is not None}
        return [picture("Grid", problem, known), *self.hints(problem)]


def _sources(height: int, width: int, grid: Sequence[int]) -> list[int]:
    """For each cell, the number at which its ray starts."""
    return [
        next((at for at in _behind(height, width, cell, value) if not grid[at]), cell)
        for cell, value in enumerate(grid)
    ]


def _behind(height: int, width: int, cell: int, value: int) -> list[int]:
    """The cells behind an arrow, the nearest first."""
    down, right = EIGHT[value - 1]
    return ray(height, width, cell, -down, -right) if value else []


def _rays(height: int, width: int, numbers: list[int | None]) -> list[tuple[list[tuple[int, list[int]]], int]]:
    """For each number, its possible rays with their masks, and the number."""
    found = []
    for start, number in enumerate(numbers):
        if number is not None:
            rays = []
            for direction, (down, right) in enumerate(EIGHT, 1):
                line = ray(height, width, start, down, right)
                free = next((at for at, cell in enumerate(line) if numbers[cell] is not None), len(line))
                rays.append((1 << direction, line[: min(free, number)]))
            found.append((rays, number))
    return found
