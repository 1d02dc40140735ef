"""rotation-v0: say how shapes were turned, mirrored or changed.

Action: one entry per shape, ``90, mirror, 180``: the degrees by which it was turned clockwise, ``mirror`` if it is a mirror
image in any position, and from level 4 on ``other`` if it is another shape. Right if all entries are. Difficulty: larger
shapes, more of them, and other shapes that differ in one square.

Every shape differs from all its turns and mirror images, so exactly one entry is right. Entries are drawn uniformly from at
least five, three or more of them, so a fixed answer is right once in 125 tasks or less. Turning a whole task does not change
its content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, SingleTurn
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, in_picture
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.pictures import polyominoes
from envhub.scenes import Rect, Scene, Shape, Text
from envhub.verifiers.answers.types import AnswerType, Unreadable

_LEVELS: Final = (  # cells, shapes, whether there are other shapes
    (5, 3, False),
    (5, 4, False),
    (6, 4, False),
    (6, 5, True),
    (7, 5, True),
    (8, 6, True),
    (9, 6, True),
    (10, 7, True),
    (11, 8, True),
    (12, 9, True),
)
_DEGREES: Final = ("0", "90", "180", "270")
_MIRROR: Final = "mirror"
_OTHER: Final = "other"
_CELL: Final = 20
_ROOM: Final = 5 * _CELL + 28
_ACROSS: Final = 4
_TASK: Final = Phrase(
    "Compare each numbered shape with the reference shape. Say by how many degrees clockwise the reference was "
    "turned to get it.",
    "By how many degrees was the reference shape turned clockwise to give each of the numbered shapes?",
    "For each numbered shape, find the clockwise turn, in degrees, that makes it from the reference shape.",
    held_out="Determine, for every numbered shape, the clockwise rotation in degrees that maps the reference shape "
    "onto it.",
)
_DEGREE: Final = Phrase(
    "The entry of a shape is 0, 90, 180 or 270 if the reference was only turned.",
    "Write 0, 90, 180 or 270 for a shape that is the reference after a turn.",
    "A shape that was only turned gets the entry 0, 90, 180 or 270.",
    held_out="Pure rotations are denoted by 0, 90, 180 or 270.",
)
_FLIPPED: Final = Phrase(
    "The entry is mirror if the shape is a mirror image of the reference, turned or not.",
    "Write mirror for a shape that is a mirror image of the reference, in any position.",
    "A mirror image of the reference gets the entry mirror, however it is turned.",
    held_out="Reflections, combined with any rotation, are denoted by mirror.",
)
_CHANGED: Final = Phrase(
    "The entry is other if the shape is neither the reference nor a mirror image of it, however it is turned.",
    "Write other for a shape that cannot be made from the reference by turning and mirroring.",
    "A shape that is neither a turn nor a mirror image of the reference gets the entry other.",
    held_out="Shapes that are not congruent to the reference are denoted by other.",
)
_ENTRIES: Final = Phrase(
    "Give {count} entries, in the order of the numbers of the shapes.",
    "Your answer has {count} entries, for the shapes 1 to {count} in this order.",
    "Answer with {count} entries: the first is for shape 1, the last for shape {count}.",
    held_out="The answer is a sequence of {count} entries, ordered by shape number.",
)


class Params(BaseParams):
    """The shapes."""

    cells: int = Field(7, ge=5, le=12, description="squares of a shape")
    shapes: int = Field(5, ge=3, le=9, description="how many shapes are compared with the reference")
    others: bool = Field(True, description="whether some shapes may differ from the reference in one square")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        cells, shapes, others = _LEVELS[difficulty - 1]
        return cls(cells=cells, shapes=shapes, others=others)


@dataclass(frozen=True)
class Turns(AnswerType):
    """Degrees, ``mirror`` or ``other`` per shape: ``90, mirror, 180``.

    Its value is a tuple of ``str``.
    """

    noun: ClassVar[str] = "the entries in order, separated by commas,"
    example: ClassVar[str] = "180, mirror, 180"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ("90, mirror, 180", "[90, mirror, 180]", "90 mirror 180", "90\u00b0, Mirror, 180\u00b0", "90; mirror; 180"),
        *(("90, mirror", "90, mirrored", "90, MIRROR"), ("mirror, 90, 180",), ("90, other, 180",)),
        ("1: 90, 2: 0", "90, 0", "1. 90\n2. 0"),
    )
    refused: ClassVar[Sequence[str]] = (
        *("90, left, 180", "45, 90", "90, -90", "360", "90 or 180", "90,, 180", "not 90", "mirror?", "\uff19\uff10"),
    )

    _PART: ClassVar[re.Pattern[str]] = re.compile(
        r"(?:[0-9]{1,2} ?[:.)] ?)?[\"']?(0|90|180|270|mirror|mirrored|other)(?: ?\u00b0| degrees)?[\"']?", re.I | re.A
    )

    def parse(self, text: str) -> tuple[str, ...]:
        """The entries of a span."""
        if len(text) > 1_000:
            raise Unreadable("it is too long.")
        if text[:1] + text[-1:] in ("()", "[]"):
            text = text[1:-1].strip()
        parts = [" ".join(part.split()) for part in re.split(r"[,;\n]", text)]
        if len(parts) == 1:
            parts = text.split()
        found = [self._PART.fullmatch(part) for part in parts]
        if None in found:
            raise Unreadable("write 0, 90, 180, 270, mirror or other for each shape, separated by commas.")
        return tuple(_MIRROR if match[1].lower() == "mirrored" else match[1].lower() for match in found if match)

    def random(self, rng: Stream) -> str:
        """Three entries."""
        return ", ".join(rng.choice((*_DEGREES, _MIRROR)) for _ in range(3))


class Rotation(SingleTurn):
    """Find the turns that make shapes from a reference."""

    Params = Params
    unique: ClassVar[bool] = True
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer: AnswerType = Turns()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A shape, and what was made from it."""
        shape = polyominoes.drawn(rng, p.cells)
        if shape is None:
            return None
        entries = [rng.choice((*_DEGREES, _MIRROR, *([_OTHER] if p.others else ()))) for _ in range(p.shapes)]
        made = []
        for entry in entries:
            form: polyominoes.Cells | None = shape
            turns = rng.below(4)
            if entry == _MIRROR:
                form = polyominoes.mirrored(shape)
            elif entry == _OTHER:
                form = polyominoes.altered(rng, shape)
            else:
                turns = _DEGREES.index(entry)
            if form is None:
                return None
            made.append(polyominoes.turned(form, turns))
        problem = {"shape": _listed(shape), "shapes": [_listed(form) for form in made], "others": p.others}
        return Instance(problem, key=entries)

    def canonical(self, content: JSON) -> JSON:
        """All shapes turned together in the way that gives the least list."""
        every = [_cells(content["shape"]), *map(_cells, content["shapes"])]
        return min([_listed(polyominoes.turned(form, turns)) for form in every] for turns in range(4))

    def prompt(self, problem: JSON) -> Statement:
        """The entries, and the shapes."""
        rules = (_DEGREE, _FLIPPED, *([_CHANGED] if problem["others"] else ()), _ENTRIES)
        return Statement(_TASK, _DATA, problem, rules=rules, values={"count": len(problem["shapes"])})

    def example(self, problem: JSON) -> str:
        """Entries that are drawn nowhere else: 180 and mirror in turn."""
        return ", ".join(("180", _MIRROR)[at % 2] for at in range(len(problem["shapes"])))

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The reference above the numbered shapes."""
        count = len(inst.problem["shapes"])
        shapes = _tile("Reference", inst.problem["shape"], 0, "tint5")
        for at, cells in enumerate(inst.problem["shapes"]):
            shapes += _tile(str(at + 1), cells, _ACROSS + at, "tint0")
        rows = 1 + -(-count // _ACROSS)
        return Scene(_ACROSS * _ROOM + 12, rows * (_ROOM + 8) + 12, tuple(shapes))

    def grade(self, inst: Instance, value: tuple[str, ...]) -> Verdict:
        """All entries must be right."""
        reference = polyominoes.images(_cells(inst.problem["shape"]))
        names = (*_DEGREES, *([_MIRROR] * 4))
        shown = [_cells(cells) for cells in inst.problem["shapes"]]
        if len(value) != len(shown):
            return Verdict.exact(False, f"Expected {len(shown)} entries, one per shape; got {len(value)}.")
        right = [names[reference.index(form)] if form in reference else _OTHER for form in shown]
        return Verdict.exact(list(value) == right)

    def solve(self, inst: Instance) -> str:
        """The entries."""
        return ", ".join(inst.key)

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Turns counted the other way round, and mirror images taken for turns."""
        back = {"90": "270", "270": "90"}
        for wrong in ([back.get(entry, entry) for entry in inst.key], ["0" if e == _MIRROR else e for e in inst.key]):
            if wrong != inst.key:
                yield ", ".join(wrong)

    def effort(self, inst: Instance) -> float:
        """Squares to compare."""
        return float(len(inst.problem["shape"]) * len(inst.problem["shapes"]))


def _listed(shape: polyominoes.Cells) -> list[list[int]]:
    return [list(cell) for cell in shape]


def _cells(listed: JSON) -> polyominoes.Cells:
    return tuple((row, column) for row, column in listed)


def _tile(name: str, cells: JSON, place: int, tone: str) -> list[Shape]:
    """A shape with its name, in its place of the picture."""
    x, y = 12 + place % _ACROSS * _ROOM, 8 + place // _ACROSS * (_ROOM + 8)
    squares = [Rect(x + column * _CELL, y + 24 + row * _CELL, _CELL, _CELL, tone, "ink", 2) for row, column in cells]
    return [Text(x, y + 10, name, 16, anchor="start"), *squares]


def _rows(cells: JSON) -> list[str]:
    height, width = max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1
    return ["".join("#" if [row, column] in cells else "." for column in range(width)) for row in range(height)]


def _drawing(problem: JSON) -> str:
    parts = ["Reference:\n" + "\n".join(_rows(problem["shape"]))]
    parts += [f"Shape {at}:\n" + "\n".join(_rows(cells)) for at, cells in enumerate(problem["shapes"], 1)]
    return "A # is a square of the shape.\n\n" + "\n\n".join(parts)


def _as_json(problem: JSON) -> str:
    record = {"reference": _rows(problem["shape"])}
    record |= {str(at): _rows(cells) for at, cells in enumerate(problem["shapes"], 1)}
    return f"The rows of each shape as JSON, # for a square of the shape:\n\n{json.dumps(record)}"


def _as_cells(problem: JSON) -> str:
    def told(cells: JSON) -> str:
        return " ".join(f"({row + 1},{column + 1})" for row, column in cells)

    lines = [f"Reference: {told(problem['shape'])}"]
    lines += [f"Shape {at}: {told(cells)}" for at, cells in enumerate(problem["shapes"], 1)]
    return "The squares of each shape as (row, column), rows from the top and columns from the left:\n\n" + "\n".join(
        lines
    )


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _as_json,
    held_out=_as_cells,
    name="data",
    seen=in_picture(
        "The picture shows the reference shape and the numbered shapes.",
        "The reference and the numbered shapes are drawn in the picture.",
        "See the picture for the reference shape at the top and for the numbered shapes.",
        held_out="The attached figure depicts the reference shape and the numbered shapes.",
    ),
)
