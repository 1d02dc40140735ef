"""Problems: a posed question as JSON, with pixels for the drawing.

``points`` are pixels of the drawing, which is not to scale. ``around`` lists, for each point, the nearest points on its rays in
counterclockwise order, and whether they fill ``less`` than a half-turn, a ``half`` turn, or go ``all`` around. ``unmarked`` has
the numbers of the facts that are written under the drawing instead of marked in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.pictures.geometry.figure import Figure, Pair, unit
from envhub.envs.pictures.geometry.posing import Posed

WIDTH: Final = 600
HEIGHT: Final = 460
MARGIN: Final = 46


def problem_of(rng: Stream, found: Posed) -> JSON:
    """The JSON form of a question: turned, mirrored and scaled at random."""
    figure = _placed(rng, found.drawn)
    figure.equal = _merged(figure.equal)
    names = _renamed(figure)
    circles = [
        {
            "centre": names.get(one.centre, ""),
            "points": [names[name] for name in one.points],
            "middle": _pixel(one.middle),
            "radius": round(one.radius),
        }
        for one in figure.circles
    ]
    return {
        "points": {names[name]: _pixel(at) for name, at in figure.points.items()},
        "lines": [[names[name] for name in line] for line in figure.lines],
        "circles": circles,
        "around": _around(figure, names),
        "parallel": [list(pair) for pair in figure.parallel],
        "right": [[names[name] for name in corner] for corner in figure.right],
        "equal": [[[names[name] for name in pair] for pair in group] for group in figure.equal],
        "halves": [[[names[name] for name in corner] for corner in pair] for pair in figure.halves],
        "tangents": [[line, circle, names[touch]] for line, circle, touch in figure.tangents],
        "regular": [[names[name] for name in polygon] for polygon in figure.regular],
        "unmarked": _unmarked(figure),
        "givens": [
            {"kind": quantity[0], "of": _spelled(quantity, names), "value": value.text()}
            for quantity, value in found.givens.items()
        ],
        "asked": {"kind": found.asked[0], "of": _spelled(found.asked, names)},
        "steps": len(found.theorems),
        "theorem": found.theorems[0],
    }


def _merged(groups: list[list[Pair]]) -> list[list[Pair]]:
    """Groups of equal segments, those with a segment in common made one."""
    merged: list[list[Pair]] = []
    for group in groups:
        pairs = [(min(pair), max(pair)) for pair in group]
        touching = [other for other in merged if {*other} & {*pairs}]
        merged = [other for other in merged if other not in touching]
        merged.append(list(dict.fromkeys([*(pair for other in touching for pair in other), *pairs])))
    return merged


def _unmarked(figure: Figure) -> dict[str, list[int]]:
    """The facts that a mark would leave unclear.

    Another point or ray lies within their segment or angle.
    """

    def clear(*corners: tuple[str, str, str]) -> bool:
        angles = [figure.angle(*corner) for corner in corners]
        return all(angle is not None and figure.adjacent(angle) for angle in angles)

    groups = [all(figure.adjacent(figure.length(*pair)) for pair in group) for group in figure.equal]
    return {
        "right": [at for at, corner in enumerate(figure.right) if not clear(corner)],
        "equal": [at for at, marked in enumerate(groups) if not marked],
        "halves": [at for at, pair in enumerate(figure.halves) if not clear(*pair)],
    }


def _spelled(quantity: tuple[Any, ...], names: Mapping[str, str]) -> list[str]:
    """The points of a quantity, the vertex in the middle."""
    kind, *points = quantity
    spelled = [names[name] for name in points]
    return [spelled[1], spelled[0], spelled[2]] if kind == "angle" else spelled


def _renamed(figure: Figure) -> dict[str, str]:
    """The names of the points; the centre of a circle is O."""
    centre = figure.circles[0].centre if figure.circles else ""
    return {name: "O" if name == centre else name for name in figure.points}


def _placed(rng: Stream, figure: Figure) -> Figure:
    """The figure in pixels; y grows upwards."""
    turn, mirrored = unit(rng.below(360) + 0.37), rng.below(2)  # no side is level
    moved = {name: _moved(at, turn, mirrored) for name, at in figure.points.items()}
    middles = [_moved(one.middle, turn, mirrored) for one in figure.circles]
    edges = list(moved.values())
    for middle, one in zip(middles, figure.circles, strict=True):
        edges += [middle + one.radius * side for side in (1, -1, 1j, -1j)]
    low = complex(min(at.real for at in edges), min(at.imag for at in edges))
    size = complex(max(at.real for at in edges), max(at.imag for at in edges)) - low
    scale = min((WIDTH - 2 * MARGIN) / size.real, (HEIGHT - 2 * MARGIN) / size.imag)
    start = complex(WIDTH, HEIGHT) / 2 - scale * (low + size / 2)
    figure.points = {name: start + scale * at for name, at in moved.items()}
    for middle, one in zip(middles, figure.circles, strict=True):
        one.middle, one.radius = start + scale * middle, scale * one.radius
        if mirrored:
            one.points.reverse()
    figure.forget()
    return figure


def _moved(at: complex, turn: complex, mirrored: int) -> complex:
    return (at.conjugate() if mirrored else at) * turn


def _pixel(at: complex) -> list[int]:
    return [ceil(at.real - 0.5), HEIGHT - ceil(at.imag - 0.5)]


def _around(figure: Figure, names: Mapping[str, str]) -> dict[str, JSON]:
    """The rays at each point that has more than one line."""
    found: dict[str, JSON] = {}
    for name in figure.points:
        rays, gap = figure.from_gap(name)
        if len({ray.line for ray in rays}) < 2:
            continue
        half = rays[0].line == rays[-1].line and abs(gap - 180) < 1e-6
        wide = "half" if half else "less" if gap > 180 else "all"
        found[names[name]] = [[names[ray.points[0]] for ray in rays], wide]
    return found
