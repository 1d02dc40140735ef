"""jigsaw-v0: put tiles together so that all edges match.

Action: the numbers of the tiles, row by row; where tiles may have to be turned, each with its degrees clockwise, ``3@90``.
Right if the edges of neighbours have the same colours and the border is outside. Difficulty: more tiles, and from level 6 on
turned tiles.

Every puzzle is proved to have exactly one solution: all arrangements are searched. Where tiles are turned, tile 1 is not, so
that the whole picture cannot be turned. The numbers of the tiles are not content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, SingleTurn, Staged
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.pictures import edges
from envhub.scenes import Line, Oval, Polygon, Rect, Scene, Shape, Text
from envhub.scenes.shapes import moved
from envhub.verifiers.answers.types import AnswerType, Unreadable

_LEVELS: Final = (  # height, width, codes, turned
    (2, 3, 8, False),
    (2, 4, 8, False),
    (3, 3, 8, False),
    (3, 4, 8, False),
    (4, 4, 9, False),
    (2, 3, 10, True),
    (2, 4, 10, True),
    (3, 3, 10, True),
    (3, 4, 10, True),
    (4, 4, 12, True),
)
_COLOURS: Final = {"r": "red", "g": "green", "b": "blue", "y": "yellow"}
_SIDES: Final = ("top", "right", "bottom", "left")
_TILE: Final = 96
_ROOM: Final = _TILE + 20
_MOST: Final = 20
_FENCE: Final = re.compile(r"```[a-z]{0,12}")
_TASK: Final = Phrase(
    "A picture was cut into {tiles}. Put them together again in {rows} and {columns}.",
    "Assemble this picture from its {tiles}, in {rows} and {columns}.",
    "The {tiles} are a picture of {rows} and {columns} that was cut up. Find the place of each tile.",
    held_out="Reconstruct the picture of {rows} and {columns} from which the {tiles} were cut.",
)
_MATCH: Final = Phrase(
    "Where two tiles touch, their edges must show the same three colours at the same places.",
    "The edges of neighbouring tiles must match: the three colours on both sides of the cut are the same, in the "
    "same order.",
    "Two tiles may be neighbours only if their touching edges have the same three colours in the same order.",
    held_out="Adjacent edges must carry identical sequences of three colours.",
)
_BORDER: Final = Phrase(
    "Black edges are the border of the picture: they must be on the outside, and the outside must be black all around.",
    "A black edge belongs on the outside of the picture. No other edge may be there.",
    "The outside of the picture consists of all black edges, and only of them.",
    held_out="Black edges are precisely the outer edges of the picture.",
)
_FIXED: Final = Phrase(
    "The tiles must not be turned.",
    "No tile is turned.",
    "Leave the tiles as they are; do not turn them.",
    held_out="Rotations of tiles are not permitted.",
)
_TURNED: Final = Phrase(
    "Tiles may have to be turned, except for tile 1, which is the right way up. Write each tile as its number, @, "
    "and the degrees by which you turn it clockwise: 0, 90, 180 or 270.",
    "Tile 1 is not turned. Each other tile may need a turn. Give every tile as number@degrees, where the degrees "
    "are 0, 90, 180 or 270, clockwise.",
    "Every tile but tile 1 may have to be turned clockwise by 90, 180 or 270 degrees. Write number@degrees for each "
    "tile, with 0 degrees for a tile that is not turned.",
    held_out="Tiles other than tile 1 may require a clockwise rotation; every entry has the form number@degrees "
    "with degrees in 0, 90, 180, 270.",
)
_ONE: Final = Phrase(
    "There is exactly one solution.",
    "Exactly one arrangement satisfies all rules.",
    "The puzzle has one solution and no other.",
    held_out="The solution exists and is unique.",
)


class Params(BaseParams):
    """The tiles."""

    height: int = Field(3, ge=2, le=5, description="number of rows")
    width: int = Field(3, ge=3, le=5, description="number of columns")
    codes: int = Field(8, ge=4, le=24, description="how many different edges there are at most")
    turned: bool = Field(False, description="whether tiles may have to be turned")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.height * self.width > (16 if self.turned else _MOST):
            raise ValueError(f"height * width must be at most {_MOST}, or 16 with turned tiles")
        if self.codes * 3 < self.height * self.width * (2 if self.turned else 1):
            raise ValueError("codes * 3 >= height * width must hold, twice as many with turned tiles")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        height, width, codes, turned = _LEVELS[difficulty - 1]
        return cls(height=height, width=width, codes=codes, turned=turned)


@dataclass(frozen=True)
class Arrangement(AnswerType):
    """Rows of tiles, each with its degrees if it is turned: ``3@90 1``.

    Its value is a tuple of equally long tuples of pairs of ``int``: the tile and its quarter turns.
    """

    noun: ClassVar[str] = "the tiles of each row on a line, separated by spaces,"
    example: ClassVar[str] = "1 2 3\n4 5 6"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        (
            "3 1\n2 4",
            "3, 1\n2, 4",
            "[3, 1]\n[2, 4]",
            "[[3, 1], [2, 4]]",
            "3@0 1@0\n2@0 4@0",
            "3 1 \n 2 4",
            "| 3 | 1 |\n| 2 | 4 |",
        ),
        *(("3@90 1\n2 4", "3@90\u00b0 1@0\n2 4"), ("1 3\n2 4",), ("3 1 2 4",), ("3@180 1\n2 4",)),
    )
    refused: ClassVar[Sequence[str]] = (
        *(
            "3 1\n2",
            "3 1\n2 x",
            "3@45 1\n2 4",
            "-3 1\n2 4",
            "3 @90 1\n2 4",
            "3.1\n2.4",
            "3 1 or\n1 3",
            "",
            "333 1\n2 4",
        ),
    )

    _ENTRY: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{1,2})(?:@(0|90|180|270)\u00b0?)?", re.A)

    def parse(self, text: str) -> tuple[tuple[tuple[int, int], ...], ...]:
        """The rows of a span."""
        if len(text) > 2_000:
            raise Unreadable("it is too long.")
        text = re.sub(r"\]\s{0,4},?\s{0,4}\[", "\n", text)
        lines = [_words(line) for line in text.splitlines()]
        rows = [[self._ENTRY.fullmatch(word) for word in line] for line in lines if line]
        if not rows or any(None in row for row in rows):
            raise Unreadable("write only numbers of tiles, such as 3, or 3@90 for a tile that is turned.")
        if len({len(row) for row in rows}) != 1:
            raise Unreadable("its rows are not equally long.")
        return tuple(tuple((int(word[1]), int(word[2] or 0) // 90) for word in row if word) for row in rows)

    def tail(self, text: str) -> str:
        """The last lines that hold tiles alone."""
        kept: list[str] = []
        for line in reversed(text.rstrip().splitlines()[-30:]):
            words = _words(line[:400])
            if not (words or line.startswith("```")) or not all(self._ENTRY.fullmatch(word) for word in words):
                break
            kept.append(line)
        return "\n".join(reversed(kept))

    def wrap(self, text: str) -> str:
        """The rows on lines of their own."""
        return super().wrap(f"\n{text}\n" if self.form == "tag" else text)

    def random(self, rng: Stream) -> str:
        """Six tiles in two rows."""
        numbers = rng.sample(range(1, 7), 6)
        return "\n".join(" ".join(map(str, numbers[at : at + 3])) for at in (0, 3))


def _words(line: str) -> list[str]:
    """The entries of a line, without brackets and separators.

    The line of a fence has none.
    """
    return [] if _FENCE.fullmatch(line.strip()) else re.sub(r"[\[\](),;|]", " ", line).split()


class Jigsaw(SingleTurn):
    """Put the tiles of a picture together."""

    Params = Params
    unique: ClassVar[bool] = True
    slow: ClassVar[bool] = True  # all arrangements are searched
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer: AnswerType = Arrangement()

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A picture, its tiles in another order, and the proof."""
        whole = edges.cut(rng, p.height, p.width, p.codes)
        order = rng.sample(range(len(whole)), len(whole))
        turns = [rng.below(4) if p.turned and number else 0 for number in range(len(whole))]
        tiles = [edges.turned(whole[at], turns[number]) for number, at in enumerate(order)]
        problem = {"height": p.height, "width": p.width, "tiles": [list(tile) for tile in tiles], "turned": p.turned}
        yield problem
        found = list(islice(edges.arrangements(p.height, p.width, tiles, 0 if p.turned else None), 2))
        return Instance(problem, key=[list(place) for place in found[0]]) if len(found) == 1 else None

    def canonical(self, content: JSON) -> JSON:
        """The tiles in any order.

        Turned tiles are taken the way that gives the least list.
        """
        tiles = [tuple(tile) for tile in content["tiles"]]
        if content["turned"]:
            least = [min(list(edges.turned(tile, turns)) for turns in range(4)) for tile in tiles[1:]]
            return {**content, "tiles": [list(tiles[0]), *sorted(least)]}
        return {**content, "tiles": sorted(content["tiles"])}

    def prompt(self, problem: JSON) -> Statement:
        """The size, and the tiles."""
        values = {
            "tiles": counted(len(problem["tiles"]), "tile"),
            "rows": counted(problem["height"], "row"),
            "columns": counted(problem["width"], "column"),
        }
        rules = (_MATCH, _BORDER, _TURNED if problem["turned"] else _FIXED)
        return Statement(_TASK, _DATA, problem, rules=rules, note=_ONE, values=values)

    def example(self, problem: JSON) -> str:
        """The tiles in the order of their numbers."""
        return _written(problem, [(number, number % 4) for number in range(len(problem["tiles"]))])

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The tiles side by side, each under its number."""
        tiles = inst.problem["tiles"]
        across = min(5, inst.problem["width"] + 1)
        shapes: list[Shape] = []
        for at, tile in enumerate(tiles):
            x, y = 14 + at % across * _ROOM, 14 + at // across * _ROOM
            shapes += (moved(shape, x, y) for shape in _painted(tuple(tile), str(at + 1)))
        rows = -(-len(tiles) // across)
        return Scene(across * _ROOM + 8, rows * _ROOM + 8, tuple(shapes))

    def grade(self, inst: Instance, value: Sequence[Sequence[tuple[int, int]]]) -> Verdict:
        """Every tile once, all edges matching."""
        problem = inst.problem
        height, width, tiles = problem["height"], problem["width"], [tuple(tile) for tile in problem["tiles"]]
        if len(value) != height or len(value[0]) != width:
            wanted = f"{counted(height, 'row')} of {counted(width, 'tile')}"
            return Verdict.exact(False, f"Expected {wanted}, got {len(value)} of {len(value[0])}.")
        places = [(number - 1, turns) for row in value for number, turns in row]
        if sorted(number for number, _ in places) != list(range(len(tiles))):
            return Verdict.exact(False, f"Each of the tiles 1 to {len(tiles)} must occur exactly once.")
        if any(turns and (not problem["turned"] or number == 0) for number, turns in places):
            return Verdict.exact(False, "A tile that must not be turned was turned.")
        return Verdict.exact(edges.matches(height, width, tiles, places))

    def solve(self, inst: Instance) -> str:
        """The arrangement that was proved to be the only one."""
        return _written(inst.problem, [(number, turns) for number, turns in inst.key])

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Two tiles exchanged, and turns that are wrong."""
        places = [(number, turns) for number, turns in inst.key]
        yield _written(inst.problem, [places[1], places[0], *places[2:]])
        if inst.problem["turned"]:
            number, turns = places[-1]
            yield _written(inst.problem, [*places[:-1], (number, (turns + 1) % 4)])
            back = [(number, -turns % 4) for number, turns in places]
            if back != places:
                yield _written(inst.problem, back)

    def effort(self, inst: Instance) -> float:
        """The tiles, four times where they may be turned."""
        return float(len(inst.problem["tiles"]) * (4 if inst.problem["turned"] else 1))


def _written(problem: JSON, places: Sequence[tuple[int, int]]) -> str:
    texts = [f"{number + 1}@{90 * turns}" if problem["turned"] else f"{number + 1}" for number, turns in places]
    width = problem["width"]
    return "\n".join(" ".join(texts[at : at + width]) for at in range(0, len(texts), width))


def _painted(tile: edges.Tile, name: str) -> Iterator[Shape]:
    """A tile with its strips of colour and its number.

    The strips run from each edge to the middle.
    """
    half, slot = _TILE // 2, _TILE // 3
    yield Rect(0, 0, _TILE, _TILE, "shade", None)
    for side, code in enumerate(tile):
        if code == edges.BORDER:
            band = ((0, 0), (_TILE, 0), (_TILE, 8), (0, 8))
            yield Polygon(tuple(_turned(corner, side) for corner in band), "deep", None)
    for side, code in enumerate(tile):
        for at, letter in enumerate(code):
            low, high = at * slot, (at + 1) * slot
            inner = (half - 14 + at * 9, half - 14 + (at + 1) * 9)
            corners = ((low, 0), (high, 0), (inner[1], 30), (inner[0], 30))
            yield Polygon(tuple(_turned(corner, side) for corner in corners), _COLOURS[letter], None)
    outline = ((0, 0), (_TILE, 0), (_TILE, _TILE), (0, _TILE), (0, 0))
    yield Line(outline, "ink", 1)
    yield Oval(half, half, 15, 15, "paper", "ink", 1)
    yield Text(half, half, name, 17)


def _turned(corner: tuple[int, int], side: int) -> tuple[int, int]:
    """A corner of the top side, moved to another side.

    Its slots are read from the left or the top.
    """
    x, y = corner
    return ((x, y), (_TILE - y, x), (x, _TILE - y), (y, x))[side]


def _edge(code: str) -> str:
    return " ".join(_COLOURS[letter] for letter in code) or "black"


_READ: Final = "Top and bottom edges are read from left to right, left and right edges from top to bottom."


def _in_lines(problem: JSON) -> str:
    lines = [
        f"Tile {at}: " + "; ".join(f"{side} {_edge(code)}" for side, code in zip(_SIDES, tile, strict=True))
        for at, tile in enumerate(problem["tiles"], 1)
    ]
    return f"{_READ}\n\n" + "\n".join(lines)


def _as_json(problem: JSON) -> str:
    tiles = {str(at): dict(zip(_SIDES, map(_edge, tile), strict=True)) for at, tile in enumerate(problem["tiles"], 1)}
    return f"The tiles as JSON. {_READ}\n\n{json.dumps(tiles)}"


def _as_table(problem: JSON) -> str:
    rows = "\n".join(f"{at},{','.join(map(_edge, tile))}" for at, tile in enumerate(problem["tiles"], 1))
    return f"{_READ}\n\ntile,top,right,bottom,left\n{rows}"


_DATA: Final[Variants[Rendering]] = Variants(
    _in_lines,
    _as_json,
    held_out=_as_table,
    name="data",
    seen=in_picture(
        "The picture shows the numbered tiles.",
        "The numbered tiles are drawn in the picture.",
        "See the picture for the tiles and their numbers.",
        held_out="The attached figure depicts the numbered tiles.",
    ),
)
