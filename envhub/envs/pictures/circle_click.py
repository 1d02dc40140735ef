"""circle-click-v0: name a point inside the circle that is described.

Action: the coordinates of a point in pixels, ``120, 85``, x to the right and y downwards from the upper left corner. Right if
the point is inside the circle or at most 2 pixels outside it. No two shapes are closer than 12 pixels, so no point is right
for two of them. Difficulty: more circles, and ranks (the second-largest, the third from the left) instead of extremes.

The circle is described by its colour and by size, position, or distance to a square, with a margin that can be seen.
As text, each shape is listed with the box around it, not with its centre. A circle covers at most 2 % of the picture.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, SingleTurn
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, in_picture
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.pictures.shapes import COLOURS, Shape, boxes, placed, scattered
from envhub.scenes import Scene
from envhub.verifiers.answers.places import Point
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (  # circles of the colour, circles of other colours, ranks
    (2, 2, 1),
    (3, 3, 1),
    (3, 5, 1),
    (4, 6, 2),
    (4, 8, 2),
    (5, 9, 2),
    (5, 11, 3),
    (6, 12, 3),
    (6, 15, 3),
    (7, 18, 3),
)
_WIDTH: Final = 520
_HEIGHT: Final = 420
_TOLERANCE: Final = 2
_GAP: Final = 12
_RADII: Final = (11, 14, 17, 20, 23, 26, 29)
_SQUARE: Final = 13
_APART: Final = 10  # pixels by which two positions or distances must differ
_WAYS: Final = ("largest", "smallest", "left", "right", "top", "bottom", "nearest", "farthest")
_ORDINALS: Final = ("", "second", "third")
_TASK: Final = Phrase(
    "Give the coordinates of a point inside {circle}.",
    "Click on {circle}: give the coordinates of a point inside it.",
    "Where is {circle}? Answer with the coordinates of a point in it.",
    held_out="Locate {circle} and state the coordinates of any point in its interior.",
)
_AXES: Final = Phrase(
    "Coordinates are in pixels: x from the left edge of the picture and y from its top edge.",
    "The point is given as x, y in pixels. x grows to the right from the left edge, and y grows downwards from the "
    "top edge.",
    "Count x in pixels from the left and y in pixels from the top of the picture.",
    held_out="The origin is the upper left corner; x increases to the right and y downwards, both in pixels.",
)
_SIZE: Final = Phrase(
    "The picture is {width} pixels wide and {height} pixels high.",
    "The picture has a width of {width} pixels and a height of {height} pixels.",
    "The picture measures {width} by {height} pixels.",
    held_out="Picture dimensions in pixels: width {width}, height {height}.",
)
_MARGIN: Final = Phrase(
    "A point up to 2 pixels outside the circle also counts.",
    "You may miss the circle by at most 2 pixels.",
    "There is a tolerance of 2 pixels around the circle.",
    held_out="Points within 2 pixels of the circle are accepted as well.",
)


class Params(BaseParams):
    """The circles, and how deep the question ranks them."""

    same: int = Field(4, ge=2, le=7, description="circles of the colour in question")
    rest: int = Field(6, ge=0, le=20, description="circles of other colours")
    ranks: int = Field(2, ge=1, le=3, description="1: extremes only; 2 and 3: the second and third as well")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        same, rest, ranks = _LEVELS[difficulty - 1]
        return cls(same=same, rest=rest, ranks=ranks)


class CircleClick(SingleTurn):
    """Point at the circle that is described."""

    Params = Params
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer: AnswerType = Point()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """Shapes and a question; None if two circles are too similar."""
        way, rank = rng.choice(_WAYS), rng.below(min(p.ranks, p.same))
        colour, *rest = rng.sample(COLOURS, 4)
        landmark = rng.choice(rest)
        radii = rng.sample(_RADII, p.same)
        wanted = [("circle", colour, radius) for radius in radii]
        wanted += [("circle", rng.choice(rest), rng.choice(_RADII)) for _ in range(p.rest)]
        wanted.append(("square", landmark, _SQUARE))
        rng.shuffle(wanted)
        shapes = placed(rng, _WIDTH, _HEIGHT, wanted, _GAP)
        if shapes is None:
            return None
        ask = {"way": way, "rank": rank, "colour": colour, "landmark": landmark}
        problem = {"width": _WIDTH, "height": _HEIGHT, "shapes": shapes, "ask": ask}
        order = _ordered(problem)
        values = [value for value, _ in order]
        apart = 1 if way in ("largest", "smallest") else _APART
        if any(other - one < apart for one, other in pairwise(values)):
            return None
        _, found = order[rank]
        return Instance(problem, key={"x": found[2], "y": found[3]})

    def canonical(self, content: JSON) -> JSON:
        """The shapes in any order, and the question."""
        return {**content, "shapes": sorted(content["shapes"])}

    def form(self, problem: JSON) -> str:
        """The kind of question, with its rank."""
        return f"{problem['ask']['way']} {problem['ask']['rank']}"

    def prompt(self, problem: JSON) -> Statement:
        """The description of the circle, and the shapes."""
        values = {"circle": described(problem["ask"]), "width": problem["width"], "height": problem["height"]}
        return Statement(_TASK, _DATA, problem, rules=(_SIZE, _AXES, _MARGIN), values=values)

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The shapes."""
        return scattered(inst.problem["width"], inst.problem["height"], inst.problem["shapes"])

    def grade(self, inst: Instance, value: tuple[Fraction, Fraction]) -> Verdict:
        """The point must be in the circle."""
        _, (_, _, x, y, radius) = _ordered(inst.problem)[inst.problem["ask"]["rank"]]
        return Verdict.exact((value[0] - x) ** 2 + (value[1] - y) ** 2 <= (radius + _TOLERANCE) ** 2)

    def solve(self, inst: Instance) -> str:
        """The centre of the circle."""
        return f"{inst.key['x']}, {inst.key['y']}"

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """Points near the centre."""
        x, y = inst.key["x"], inst.key["y"]
        yield from (f"({x + 3}, {y - 4})", f"x={x - 5}, y={y}", f"[{x}, {y + 7}]", f"{x}.5, {y}.25")

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Centres of other shapes, and points just outside the circle."""
        _, right = _ordered(inst.problem)[inst.problem["ask"]["rank"]]
        for shape in inst.problem["shapes"]:
            if shape != right:
                yield f"{shape[2]}, {shape[3]}"
        _, _, x, y, radius = right
        yield from (f"{x + radius}, {y + radius}", f"{x}, {y + radius + 3}", f"{x - radius - 3}, {y}")

    def effort(self, inst: Instance) -> float:
        """Shapes to look at, and those to rank."""
        ask, shapes = inst.problem["ask"], inst.problem["shapes"]
        return float(len(shapes) + sum(shape[1] == ask["colour"] for shape in shapes))


def _ordered(problem: JSON) -> list[tuple[float, Shape]]:
    """The circles of the colour in question, as they are ranked.

    Each comes with the value by which they are ranked.
    """
    ask = problem["ask"]
    [square] = [shape for shape in problem["shapes"] if shape[0] == "square"]

    def value(shape: Shape) -> float:
        _, _, x, y, radius = shape
        away = float(((x - square[2]) ** 2 + (y - square[3]) ** 2) ** 0.5)
        by = {"largest": -radius, "smallest": radius, "left": x, "right": -x, "top": y, "bottom": -y}
        return float({**by, "nearest": away, "farthest": -away}[ask["way"]])

    circles = [shape for shape in problem["shapes"] if shape[0] == "circle" and shape[1] == ask["colour"]]
    return sorted((value(shape), shape) for shape in circles)


def described(ask: JSON) -> str:
    """The circle in words."""
    way, rank, colour = ask["way"], _ORDINALS[ask["rank"]], ask["colour"]
    if way in ("largest", "smallest"):
        return f"the {rank + '-' if rank else ''}{way} {colour} circle"
    if way in ("nearest", "farthest"):
        preposition = "to" if way == "nearest" else "from"
        best = f"{rank}-{way}" if rank else way
        return f"the {colour} circle whose centre is {best} {preposition} the centre of the {ask['landmark']} square"
    place = f"{rank or 'first'} from the {way}"
    return f"the {colour} circle whose centre is {place} among the {colour} circles"


def _as_boxes(problem: JSON) -> str:
    lines = "\n".join(
        f"{box['colour']} {box['shape']}: x from {box['left']} to {box['right']}, y from {box['top']} to "
        f"{box['bottom']}"
        for box in boxes(problem["shapes"])
    )
    return f"The shapes of the picture, each with the extent of the box around it:\n\n{lines}"


def _as_json(problem: JSON) -> str:
    return f"The shapes of the picture as JSON, each with the box around it:\n\n{json.dumps(boxes(problem['shapes']))}"


def _as_table(problem: JSON) -> str:
    rows = "\n".join(",".join(str(value) for value in box.values()) for box in boxes(problem["shapes"]))
    return f"Bounding boxes of all shapes:\n\nshape,colour,left,top,right,bottom\n{rows}"


_DATA: Final[Variants[Rendering]] = Variants(
    _as_boxes,
    _as_json,
    held_out=_as_table,
    name="data",
    seen=in_picture(
        "The picture shows the shapes.",
        "The shapes are in the picture.",
        "Look at the picture, which shows all shapes.",
        held_out="The attached figure depicts the shapes.",
    ),
)
