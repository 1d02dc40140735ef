"""spot-difference-v0: find the cells in which two pictures of figures differ.

Action: the names of these cells, ``B3, D1``. Right if exactly the cells that differ are named. The number of differences is
stated. A figure differs in shape, colour, size, or the direction in which a triangle points, or it is missing. Difficulty: more
cells, more differences, and rather in size and direction than in shape and colour.

As text, the contents of the cells of both pictures are listed. The answer is one of at least 120 sets of cells.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, SingleTurn
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.scenes import Scene, Text
from envhub.scenes.figures import figure
from envhub.scenes.grid import CELL, grid, middle
from envhub.scenes.palette import HUES
from envhub.scenes.shapes import moved
from envhub.verifiers.answers.places import CellNames
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (  # height, width, differences, subtle
    (4, 4, 2, 0),
    (4, 5, 2, 20),
    (5, 5, 3, 30),
    (5, 6, 3, 40),
    (6, 6, 4, 50),
    (6, 7, 4, 60),
    (7, 7, 5, 70),
    (7, 8, 5, 80),
    (8, 8, 6, 90),
    (9, 9, 7, 100),
)
_FIGURES: Final = ("circle", "square", "triangle", "diamond", "cross", "star", "hexagon")
_SIZES: Final = {"small": 10, "large": 17}
_WAYS: Final = ("up", "right", "down", "left")
_GAP: Final = 24
_TASK: Final = Phrase(
    "Two pictures differ in {cells}. Name these cells.",
    "Find the {cells} in which the two pictures differ.",
    "The left and the right picture are equal except for {cells}. Which cells are these?",
    held_out="Identify the {cells} whose contents are not the same in both pictures.",
)
_NAMES: Final = Phrase(
    "A cell is named by the letter of its column and the number of its row. A1 is the upper left cell.",
    "The name of a cell is its column's letter followed by its row's number; the upper left cell is A1.",
    "Columns have letters from the left and rows have numbers from the top, so A1 is the upper left cell.",
    held_out="Cells are designated by column letter and row number, starting with A1 in the upper left corner.",
)
_DIFFER: Final = Phrase(
    "A cell differs if its figures have another shape, colour or size, if a triangle points another way, or if one "
    "cell is empty.",
    "Cells differ in the shape, the colour or the size of the figure, in the direction of a triangle, or because a "
    "figure is missing.",
    "What may differ is the shape, the colour or the size of a figure, or the way a triangle points. A figure may "
    "also be missing.",
    held_out="Differences concern the shape, colour, size or presence of a figure, or the orientation of a triangle.",
)
_ALL: Final = Phrase(
    "Name all of these cells and no others.",
    "The answer must contain each cell that differs, and no other cell.",
    "Give exactly the cells that differ.",
    held_out="The answer is the complete set of differing cells.",
)


class Params(BaseParams):
    """The pictures and their differences."""

    height: int = Field(5, ge=4, le=9, description="number of rows")
    width: int = Field(5, ge=4, le=9, description="number of columns")
    differences: int = Field(3, ge=2, le=8, description="how many cells differ")
    subtle: int = Field(40, ge=0, le=100, description="share of differences in size or direction, in per cent")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.differences * 4 > self.height * self.width:
            raise ValueError("differences * 4 <= height * width must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        height, width, differences, subtle = _LEVELS[difficulty - 1]
        return cls(height=height, width=width, differences=differences, subtle=subtle)


class SpotDifference(SingleTurn):
    """Find the cells in which two pictures differ."""

    Params = Params
    unique: ClassVar[bool] = True
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer: AnswerType = CellNames()

    def sample(self, rng: Stream, p: Any) -> Instance:
        """A picture, and a copy with some cells changed."""
        left = [[_drawn(rng) for _ in range(p.width)] for _ in range(p.height)]
        right = [[*row] for row in left]
        cells = rng.sample([(row, column) for row in range(p.height) for column in range(p.width)], p.differences)
        for row, column in cells:
            right[row][column] = _changed(rng, left[row][column], rng.below(100) < p.subtle)
        if rng.below(2):
            left, right = right, left
        return Instance({"left": left, "right": right}, key=sorted(_name(*cell) for cell in cells))

    def canonical(self, content: JSON) -> JSON:
        """The two pictures, in any order."""
        return sorted([content["left"], content["right"]], key=json.dumps)

    def prompt(self, problem: JSON) -> Statement:
        """The number of differences, and the pictures."""
        values = {"cells": counted(len(_different(problem)), "cell")}
        return Statement(_TASK, _DATA, problem, rules=(_NAMES, _DIFFER, _ALL), values=values)

    def example(self, problem: JSON) -> str:
        """As many cells as differ, of a board with ten rows."""
        return ", ".join(f"{chr(ord('A') + at)}10" for at in range(len(_different(problem))))

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The pictures side by side."""
        scenes = [_picture(inst.problem[side], side.capitalize()) for side in ("left", "right")]
        shift = scenes[0].width + _GAP
        shapes = (*scenes[0].shapes, *(moved(shape, shift, 0) for shape in scenes[1].shapes))
        return Scene(shift + scenes[1].width, scenes[0].height, shapes)

    def grade(self, inst: Instance, value: frozenset[str]) -> Verdict:
        """The cells named must be those that differ."""
        return Verdict.exact(value == {_name(*cell).lower() for cell in _different(inst.problem)})

    def solve(self, inst: Instance) -> str:
        """The cells that differ."""
        return ", ".join(inst.key)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """One cell too few, one too many, and rows and columns exchanged."""
        yield ", ".join(inst.key[1:])
        yield ", ".join([*inst.key, next(name for name in ("A1", "B2", "C3", "D4", "A2") if name not in inst.key)][-9:])
        swapped = [f"{chr(ord('A') + int(name[1:]) - 1)}{ord(name[0]) - ord('A') + 1}" for name in inst.key]
        if sorted(swapped) != sorted(inst.key):
            yield ", ".join(swapped)

    def effort(self, inst: Instance) -> float:
        """Cells to compare."""
        return float(len(inst.problem["left"]) * len(inst.problem["left"][0]))


def _drawn(rng: Stream) -> JSON:
    """A random figure: shape, colour, size and, for a triangle, its direction."""
    name = rng.choice(_FIGURES)
    way = rng.choice(_WAYS) if name == "triangle" or not rng.below(4) else ""
    name = "triangle" if way else name
    return [name, rng.choice(HUES), rng.choice([*_SIZES]), way]


def _changed(rng: Stream, cell: JSON, subtle: bool) -> JSON:
    """Another content of a cell."""
    name, tone, size, way = cell
    if subtle:
        if way and rng.below(2):
            return [name, tone, size, rng.choice([other for other in _WAYS if other != way])]
        return [name, tone, "small" if size == "large" else "large", way]
    kind = rng.below(5)
    if kind == 0:
        return None
    if kind in (1, 2):
        return [name, rng.choice([other for other in HUES if other != tone]), size, way]
    other = rng.choice([other for other in _FIGURES if other != name])
    return [other, tone, size, "up" if other == "triangle" else ""]


def _different(problem: JSON) -> list[tuple[int, int]]:
    """The cells that differ, as row and column."""
    pairs = zip(problem["left"], problem["right"], strict=True)
    return [
        (row, column)
        for row, (one, other) in enumerate(pairs)
        for column, (a, b) in enumerate(zip(one, other, strict=True))
        if a != b
    ]


def _name(row: int, column: int) -> str:
    return f"{chr(ord('A') + column)}{row + 1}"


def _picture(rows: JSON, title: str) -> Scene:
    """One picture with the names of its columns and rows."""
    over = [
        figure(cell[0], *middle(row, column), _SIZES[cell[2]], cell[1], _WAYS.index(cell[3]) if cell[3] else 0)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if cell is not None
    ]
    columns = [chr(ord("A") + at) for at in range(len(rows[0]))]
    board = grid(
        [[""] * len(rows[0])] * len(rows), columns=columns, lines=[str(at + 1) for at in range(len(rows))], over=over
    )
    down = CELL // 2
    shapes = (Text(board.width // 2, 14, title, 16), *(moved(shape, 0, down) for shape in board.shapes))
    return Scene(board.width, board.height + down, shapes)


def _told(cell: JSON) -> str:
    if cell is None:
        return "empty"
    name, tone, size, way = cell
    return f"{size} {tone} {name}" + (f" pointing {way}" if way else "")


def _in_lists(problem: JSON) -> str:
    parts = []
    for side in ("left", "right"):
        cells = (
            f"{_name(row, column)}: {_told(cell)}"
            for row, line in enumerate(problem[side])
            for column, cell in enumerate(line)
        )
        parts.append(f"{side.capitalize()} picture:\n" + "\n".join(cells))
    return "\n\n".join(parts)


def _in_rows(problem: JSON) -> str:
    parts = []
    for side in ("left", "right"):
        rows = (f"Row {at}: {'; '.join(map(_told, line))}" for at, line in enumerate(problem[side], 1))
        parts.append(f"{side.capitalize()} picture, columns from A on:\n" + "\n".join(rows))
    return "\n\n".join(parts)


def _as_json(problem: JSON) -> str:
    told = {side: [[_told(cell) for cell in line] for line in problem[side]] for side in ("left", "right")}
    return f"Both pictures as JSON, row by row from the top:\n\n{json.dumps(told)}"


_DATA: Final[Variants[Rendering]] = Variants(
    _in_lists,
    _in_rows,
    held_out=_as_json,
    name="data",
    seen=in_picture(
        "The picture shows both of them side by side.",
        "Both are drawn next to each other in the picture.",
        "See the picture, which shows the two side by side.",
        held_out="The attached figure depicts both of them side by side.",
    ),
)
