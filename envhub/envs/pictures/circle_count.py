"""circle-count-v0: count the circles of several colours in a picture of shapes.

Action: the counts in the order of the colours asked for, ``4, 7, 2``. Right if all of them are right. Difficulty: more circles,
more colours, other shapes in the same colours, and from level 6 on shapes that overlap.

As text, the shapes are listed with colour, centre and radius, in the order in which they are drawn. Each count is drawn
uniformly from 1 to 7 or more, so a fixed answer is right once in 343 tasks or less.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, SingleTurn
from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, and_list, in_picture
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.pictures.shapes import COLOURS, OTHERS, counted_circles, placed, scattered
from envhub.scenes import Scene
from envhub.verifiers.answers.numerals import Integers
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (  # colours, most circles of each, circles of other colours, other shapes, gap
    (3, 7, 0, 0, 8),
    (3, 8, 3, 0, 7),
    (3, 9, 4, 6, 6),
    (4, 9, 4, 8, 4),
    (4, 10, 6, 12, 3),
    (4, 11, 8, 16, -8),
    (5, 11, 8, 18, -9),
    (5, 12, 10, 22, -10),
    (5, 13, 12, 26, -11),
    (6, 14, 12, 30, -12),
)
_WIDTH: Final = 640
_HEIGHT: Final = 480
_TASK: Final = Phrase(
    "Count the circles of each of these colours: {colours}.",
    "How many {colours} circles are there? Count those of each colour separately.",
    "For each of the colours {colours}, count the circles of this colour.",
    held_out="Determine, for every colour among {colours}, the number of circles that have it.",
)
_ORDER: Final = Phrase(
    "Give one number for each colour, in this order: {listed}.",
    "Answer with the numbers in the order {listed}.",
    "The numbers must be in the order of the colours: {listed}.",
    held_out="Report the counts in the sequence {listed}.",
)
_ONLY: Final = Phrase(
    "Count circles only, not other shapes. Circles count in every size, also if another shape covers a part of them.",
    "Other shapes do not count. The size of a circle does not matter, and a circle that is partly covered counts too.",
    "Only circles count, large and small ones, whole or partly covered.",
    held_out="Shapes other than circles are ignored. Circles of any size count, partially covered ones included.",
)


class Params(BaseParams):
    """The shapes."""

    colours: int = Field(3, ge=3, le=6, description="how many colours are asked for")
    most: int = Field(9, ge=7, le=14, description="greatest number of circles of a colour")
    rest: int = Field(4, ge=0, le=16, description="circles of colours that are not asked for")
    others: int = Field(6, ge=0, le=32, description="shapes that are not circles")
    gap: int = Field(
        4, ge=-12, le=8, description="smallest distance between shapes in pixels; negative: they may overlap"
    )

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        colours, most, rest, others, gap = _LEVELS[difficulty - 1]
        return cls(colours=colours, most=most, rest=rest, others=others, gap=gap)


class CircleCount(SingleTurn):
    """Count circles by colour."""

    Params = Params
    unique: ClassVar[bool] = True
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer: AnswerType = Integers(
        asked="the number of circles for each colour, in the stated order, separated by commas,", shown="15, 0, 16"
    )

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """Counts, then shapes at random places."""
        colours = rng.sample(COLOURS, p.colours)
        spare = [colour for colour in COLOURS if colour not in colours]
        kinds = [("circle", colour) for colour in colours for _ in range(rng.between(1, p.most))]
        kinds += [("circle", rng.choice(spare)) for _ in range(p.rest)]
        kinds += [(rng.choice(OTHERS), rng.choice(COLOURS)) for _ in range(p.others)]
        rng.shuffle(kinds)
        least = 8 if len(kinds) > 40 else 12
        shapes = placed(rng, _WIDTH, _HEIGHT, [(*kind, rng.between(least, least + 8)) for kind in kinds], p.gap)
        if shapes is None:
            return None
        problem = {"width": _WIDTH, "height": _HEIGHT, "shapes": shapes, "colours": colours}
        return Instance(problem, key=counted_circles(shapes, colours))

    def canonical(self, content: JSON) -> JSON:
        """The shapes and the colours, in any order."""
        return {"shapes": sorted(content["shapes"]), "colours": sorted(content["colours"])}

    def prompt(self, problem: JSON) -> Statement:
        """The colours, and the shapes."""
        listed = ", ".join(problem["colours"])
        values = {"colours": and_list(problem["colours"]), "listed": listed}
        return Statement(_TASK, _DATA, problem, rules=(_ORDER, _ONLY), values=values)

    def example(self, problem: JSON) -> str:
        """Numbers, one per colour."""
        return ", ".join(str(15 + at % 2) for at in range(len(problem["colours"])))

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The shapes."""
        return scattered(inst.problem["width"], inst.problem["height"], inst.problem["shapes"])

    def grade(self, inst: Instance, value: tuple[int, ...]) -> Verdict:
        """All counts must be right."""
        colours = inst.problem["colours"]
        if len(value) != len(colours):
            return Verdict.exact(False, f"Expected {len(colours)} numbers, one per colour; got {len(value)}.")
        return Verdict.exact(list(value) == counted_circles(inst.problem["shapes"], colours))

    def solve(self, inst: Instance) -> str:
        """The counts."""
        return ", ".join(map(str, inst.key))

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """All shapes counted instead of circles, and counts in another order."""
        colours = inst.problem["colours"]
        every = [sum(shape[1] == colour for shape in inst.problem["shapes"]) for colour in colours]
        for wrong in (every, inst.key[::-1], sorted(inst.key), [*inst.key, sum(inst.key)]):
            if wrong != inst.key:
                yield ", ".join(map(str, wrong))

    def effort(self, inst: Instance) -> float:
        """Shapes to look at."""
        return float(len(inst.problem["shapes"]))


def _in_lines(problem: JSON) -> str:
    lines = "\n".join(f"{colour} {name} at ({x}, {y}), radius {r}" for name, colour, x, y, r in problem["shapes"])
    return f"The picture is {problem['width']} pixels wide and {problem['height']} high. Its shapes:\n\n{lines}"


def _as_json(problem: JSON) -> str:
    rows = [
        {"shape": name, "colour": colour, "x": x, "y": y, "radius": r} for name, colour, x, y, r in problem["shapes"]
    ]
    size = {"width": problem["width"], "height": problem["height"]}
    return f"The picture as JSON, sizes in pixels:\n\n{json.dumps({**size, 'shapes': rows})}"


def _as_table(problem: JSON) -> str:
    rows = "\n".join(f"{colour},{name},{x},{y},{r}" for name, colour, x, y, r in problem["shapes"])
    return f"Shapes in a picture of {problem['width']} x {problem['height']} pixels:\n\ncolour,shape,x,y,radius\n{rows}"


_DATA: Final[Variants[Rendering]] = Variants(
    _in_lines,
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
