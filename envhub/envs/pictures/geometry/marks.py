"""Plane geometry of a drawing: distances, arcs and labels, without trigonometric functions."""

from __future__ import annotations

import re
from math import sqrt
from typing import Final

Place = tuple[float, float]
_ROOT: Final = re.compile(r"sqrt\(([0-9]+)\)")


def distance(a: Place, b: Place) -> float:
    """The distance of two places."""
    return sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)


def middle_of(a: Place, b: Place) -> Place:
    """The middle of two places."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def along(a: Place, b: Place, far: float) -> Place:
    """The place at a distance from the first towards the second."""
    length = distance(a, b) or 1.0
    return a[0] + (b[0] - a[0]) / length * far, a[1] + (b[1] - a[1]) / length * far


def between(vertex: Place, p: Place, q: Place, far: float) -> Place:
    """The place inside an angle, at a distance from its vertex."""
    middle = middle_of(along(vertex, p, 100), along(vertex, q, 100))
    return along(vertex, middle, far)


def arc(vertex: Place, p: Place, q: Place, radius: float, pieces: int = 8) -> list[Place]:
    """Places on the arc between the sides of an angle.

    ``pieces`` is a power of two.
    """
    first, last = along(vertex, p, radius), along(vertex, q, radius)
    if pieces == 1:
        return [first, last]
    middle = between(vertex, p, q, radius)
    return [*arc(vertex, p, middle, radius, pieces // 2), *arc(vertex, middle, q, radius, pieces // 2)[1:]]


def from_line(place: Place, a: Place, b: Place) -> float:
    """The distance from a place to a segment."""
    right, down = b[0] - a[0], b[1] - a[1]
    part = ((place[0] - a[0]) * right + (place[1] - a[1]) * down) / ((right**2 + down**2) or 1.0)
    part = min(1.0, max(0.0, part))
    return distance(place, (a[0] + part * right, a[1] + part * down))


def crosses(a: Place, b: Place, c: Place, d: Place) -> bool:
    """Whether two segments cross."""

    def left(p: Place, q: Place, r: Place) -> bool:
        return (q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0])

    return left(a, b, c) != left(a, b, d) and left(c, d, a) != left(c, d, b)


def written(value: str) -> str:
    """A value as it is written beside a line: ``7\u221a3/2``."""
    return _ROOT.sub("\u221a\\1", value)
