"""The sentences of geometry-v0: its questions, and a figure as text."""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.authoring.wording import Phrase, Variants, and_list, in_picture
from envhub.core.types import JSON

ANGLE: Final = Phrase(
    "Find the size of angle {asked} in degrees.",
    "What is the measure of angle {asked}, in degrees?",
    "How many degrees is angle {asked}?",
    held_out="Determine the measure of the angle {asked} in degrees.",
)
LENGTH: Final = Phrase(
    "Find the length of the segment {asked}.",
    "How long is the segment {asked}?",
    "Compute the length of segment {asked}.",
    held_out="Determine the length of the segment with the endpoints {asked}.",
)
AREA: Final = Phrase(
    "Find the area of triangle {asked}.",
    "What is the area of the triangle {asked}?",
    "Compute the area of triangle {asked}.",
    held_out="Determine the area of the triangle with the vertices {asked}.",
)
QUESTIONS: Final = {"angle": ANGLE, "length": LENGTH, "area": AREA}
EXACT: Final = Phrase(
    "Give the exact value: an integer, a fraction, a finite decimal, or an expression with sqrt(). A rounded value is wrong.",
    "The answer must be exact. Use fractions and sqrt() where needed, and do not round.",
    "Do not round. Write the exact value, with fractions or sqrt() if necessary.",
    held_out="Only an exact value is accepted; write square roots as sqrt() and do not approximate.",
)
ONE_UNIT: Final = Phrase(
    "All lengths have the same unit, and areas are in the square of this unit. Leave units out of the answer.",
    "Lengths are all in one unit, and areas in square units. Do not write the unit in the answer.",
    "There is one unit of length, whose square is the unit of area. The answer is the number without a unit.",
    held_out="Lengths share a common unit, areas its square; state the number only.",
)
DEGREES: Final = Phrase(
    "Each angle is the one of less than 180 degrees between its two sides.",
    "An angle always means the one that is smaller than 180 degrees.",
    "Of the two angles between two rays, the one of less than 180 degrees is meant.",
    held_out="Each angle denotes the non-reflex angle between its rays.",
)
SCALE: Final = Phrase(
    "The figure lies in a plane and has no other segments and circles than those that are listed.",
    "The figure lies in a plane and consists of the listed segments and circles.",
    "It is a figure in the plane. Only the listed segments and circles belong to it.",
    held_out="The configuration is planar and contains exactly the listed segments and circles.",
    seen=Phrase(
        "The drawing is not to scale, so measuring it does not help. Points that are drawn on a line or a circle are on it, "
        "and the order of points and lines is as drawn.",
        "The picture is not drawn to scale. You can rely on which points are on which lines and circles and in what order, but "
        "not on lengths and angles.",
        "Do not measure: the figure is not to scale. Only the marks, the written values, and the order of points on lines and "
        "circles can be relied on.",
        held_out="Not to scale: incidence and order may be read off the figure, magnitudes may not.",
    ),
)
MARKS: Final = Phrase(
    "The rays at a point and the points of a circle are listed counterclockwise. For each point, a note says how far it is "
    "from the first ray to the last.",
    "Points of a circle and rays at a point are in counterclockwise order, with a note on how far it is from the first ray to "
    "the last.",
    "All lists around a point or a circle run counterclockwise. The note after the rays of a point says how far they reach "
    "from the first to the last.",
    held_out="Cyclic lists are counterclockwise; the extent from the first ray of a point to its last is noted.",
    seen=Phrase(
        "Segments with the same number of ticks are equal, and lines with the same number of arrowheads are parallel. A small "
        "square marks a right angle. Two neighbouring angles with double arcs of the same size are equal.",
        "Equal numbers of ticks mark equal segments, and equal numbers of arrowheads mark parallel lines. A small square is a "
        "right angle. Double arcs of the same size side by side mark equal angles.",
        "The marks are a square for a right angle, the same ticks for equal segments, the same arrowheads for parallel lines, "
        "and the same double arcs for two equal angles at a point.",
        held_out="Conventions: identical ticks denote congruent segments, identical arrowheads parallel lines, a square a "
        "right angle, identical adjacent double arcs congruent angles.",
    ),
)
_POLYGONS: Final = {5: "pentagon", 6: "hexagon", 8: "octagon"}
_WIDE: Final = {"less": "within less than a half-turn", "half": "a half-turn in all", "all": "all around"}


def captions(problem: JSON) -> list[str]:
    """The facts that are not marked in the drawing."""
    unmarked = problem["unmarked"]
    said = _unseen(problem)
    said += [_right(problem["right"][at]) for at in unmarked["right"]]
    said += [_equal(problem["equal"][at]) for at in unmarked["equal"]]
    return said + [_halves(problem["halves"][at]) for at in unmarked["halves"]]


def _unseen(problem: JSON) -> list[str]:
    """The facts that have no mark."""
    said = [f"{one['centre']} is the centre of the circle." for one in problem["circles"] if one["centre"]]
    for line, _, touch in problem["tangents"]:
        names = problem["lines"][line]
        said.append(f"The line {names[0]}{names[-1]} is tangent to the circle at {touch}.")
    return said + [f"{''.join(names)} is a regular {_POLYGONS[len(names)]}." for names in problem["regular"]]


def _right(corner: JSON) -> str:
    return f"Angle {''.join(corner)} is a right angle."


def _equal(group: JSON) -> str:
    return " = ".join("".join(pair) for pair in group) + "."


def _halves(pair: JSON) -> str:
    return f"Angle {''.join(pair[0])} = angle {''.join(pair[1])}."


def segments(problem: JSON) -> list[str]:
    """The lines with their points in order."""
    return ["-".join(line) for line in problem["lines"]]


def circles(problem: JSON) -> list[str]:
    """The points of each circle."""
    return [", ".join(one["points"]) for one in problem["circles"]]


def facts(problem: JSON) -> list[str]:
    """The facts and the given values, as equations."""
    lines = problem["lines"]
    said = _unseen(problem)
    said += [f"{lines[a][0]}{lines[a][-1]} is parallel to {lines[b][0]}{lines[b][-1]}." for a, b in problem["parallel"]]
    said += [*map(_right, problem["right"]), *map(_equal, problem["equal"]), *map(_halves, problem["halves"])]
    return said + [f"{value}." for value in givens(problem)]


def givens(problem: JSON) -> list[str]:
    """The given values."""
    return [
        f"Angle {''.join(one['of'])} = {one['value']} degrees"
        if one["kind"] == "angle"
        else f"{''.join(one['of'])} = {one['value']}"
        for one in problem["givens"]
    ]


def _in_sentences(problem: Any) -> str:
    said = [f"Segments, with their points in order: {'; '.join(segments(problem))}."]
    said += [f"The points {and_list(one['points'])} are on a circle, in this order." for one in problem["circles"]]
    said.append("Rays at each point, in order:")
    said += [f"- {name}: to {', '.join(to)} ({_WIDE[wide]})" for name, (to, wide) in problem["around"].items()]
    said.append("Given:")
    return "\n".join([*said, *(f"- {fact}" for fact in facts(problem))])


def _as_json(problem: Any) -> str:
    around = {name: {"rays to": to, "extent": _WIDE[wide]} for name, (to, wide) in problem["around"].items()}
    value = {
        "segments with their points in order": problem["lines"],
        "circles with their points in order": [one["points"] for one in problem["circles"]],
        "order around points": around,
        "given": facts(problem),
    }
    return "The figure as JSON:\n" + json.dumps(value, ensure_ascii=False)


def _in_blocks(problem: Any) -> str:
    blocks = ["Segments: " + ", ".join(segments(problem))]
    blocks += [f"Circle through {one}" for one in circles(problem)]
    blocks += [f"At {name}: {' '.join(to)} ({_WIDE[wide]})" for name, (to, wide) in problem["around"].items()]
    return "Figure:\n" + "\n".join([*blocks, *facts(problem)])


def _numbered(problem: Any) -> str:
    said = [f"the segment {one}, its points in this order" for one in segments(problem)]
    said += [f"a circle through {one}, in this order" for one in circles(problem)]
    said += [f"around {name}: {', '.join(to)}, {_WIDE[wide]}" for name, (to, wide) in problem["around"].items()]
    said += [fact.rstrip(".") for fact in facts(problem)]
    return "The configuration:\n" + "\n".join(f"({at}) {one}" for at, one in enumerate(said, 1))


DATA: Final = Variants(
    _in_sentences,
    _as_json,
    _in_blocks,
    held_out=_numbered,
    name="figure",
    seen=in_picture(
        "The figure is in the picture.",
        "See the picture for the figure.",
        "The picture shows the figure and what is given about it.",
        held_out="The attached diagram contains the figure with its given values.",
    ),
)
