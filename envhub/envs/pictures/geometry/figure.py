"""A plane figure: points, lines, circles, and facts about them.

Points are complex numbers. A line is a drawn segment with all named points on it, in order. A quantity is a tuple:
``("angle", V, P, Q)`` with P and Q the nearest points on its two rays, ``("length", A, B)``, or ``("area", A, B, C)`` of a
triangle. :meth:`Figure.angle`, :meth:`Figure.length` and :meth:`Figure.area` make them, so each quantity has one name.
"""

from __future__ import annotations

import cmath
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import degrees, pi
from typing import Any, NamedTuple

Quantity = tuple[Any, ...]
Pair = tuple[str, str]
Corner = tuple[str, str, str]


class Impossible(Exception):
    """A step cannot be carried out with its numbers."""


class Ray(NamedTuple):
    """A ray: direction in degrees, line, and points, nearest first."""

    turn: float
    line: int
    points: tuple[str, ...]


@dataclass
class Circle:
    """A circle; ``centre`` is the name of its centre, or empty."""

    middle: complex
    radius: float
    centre: str
    points: list[str]


@dataclass
class Figure:
    """Points, lines, circles and facts.

    Attributes:
        points: Where they are, in the order of the construction.
        lines: Drawn lines, each with its points in order.
        circles: Drawn circles.
        parallel: Pairs of lines.
        right: Corners of 90 degrees; the vertex is in the middle.
        equal: Groups of segments of equal length.
        halves: Pairs of equal corners on both sides of a bisector.
        tangents: Line, circle and point of contact.
        regular: Regular polygons.
    """

    points: dict[str, complex] = field(default_factory=dict)
    lines: list[list[str]] = field(default_factory=list)
    circles: list[Circle] = field(default_factory=list)
    parallel: list[tuple[int, int]] = field(default_factory=list)
    right: list[Corner] = field(default_factory=list)
    equal: list[list[Pair]] = field(default_factory=list)
    halves: list[tuple[Corner, Corner]] = field(default_factory=list)
    tangents: list[tuple[int, int, str]] = field(default_factory=list)
    regular: list[list[str]] = field(default_factory=list)

    # -- construction ---------------------------------------------------------------------------------------------------

    def add(self, name: str, at: complex) -> str:
        """A new point."""
        self.points[name] = at
        return name

    def join(self, *names: str) -> int:
        """The line through points.

        A new one, unless two of them are on a line.

        Raises:
            Impossible: The points are not on one line.
        """
        for at, line in enumerate(self.lines):
            if len({*names} & {*line}) > 1:
                self.lines[at] = self._straight([*line, *(name for name in names if name not in line)])
                return at
        self.lines.append(self._straight(list(names)))
        return len(self.lines) - 1

    def onto(self, circle: int, name: str) -> None:
        """Record a point of a circle, in counterclockwise order."""
        one = self.circles[circle]
        one.points.append(name)
        one.points.sort(key=lambda point: bearing(self.points[point] - one.middle))

    def forget(self) -> None:
        """Compute again what follows from points and lines, after a step."""
        for name in ("_joined", "rays", "triangles"):
            self.__dict__.pop(name, None)

    def _straight(self, names: list[str]) -> list[str]:
        """Points of a line in order."""
        pairs = combinations(names, 2)
        a, b = max(pairs, key=lambda pair: abs(self.points[pair[0]] - self.points[pair[1]]))
        along = self.points[b] - self.points[a]
        if any(abs(self.side(a, b, name)) > 1e-7 * abs(along) ** 2 for name in names):
            raise Impossible
        return sorted(names, key=lambda name: ((self.points[name] - self.points[a]) * along.conjugate()).real)

    # -- what there is, once it is complete --------------------------------------------------------------------------------

    def line(self, a: str, b: str) -> int | None:
        """The line on which two points are."""
        return self._joined.get((a, b))

    def through(self, a: str, b: str) -> list[str]:
        """The points of the line through two points, if any."""
        at = self.line(a, b)
        return [] if at is None else self.lines[at]

    @cached_property
    def _joined(self) -> dict[Pair, int]:
        return {(a, b): at for at, line in enumerate(self.lines) for a in line for b in line if a != b}

    @cached_property
    def rays(self) -> dict[str, list[Ray]]:
        """The rays at each point, in counterclockwise order of direction."""
        found: dict[str, list[Ray]] = {name: [] for name in self.points}
        for at, line in enumerate(self.lines):
            for k, name in enumerate(line):
                for points in (line[k + 1 :], line[:k][::-1]):
                    if points:
                        turn = bearing(self.points[points[0]] - self.points[name])
                        found[name].append(Ray(turn, at, tuple(points)))
        return {name: sorted(rays) for name, rays in found.items()}

    def ray(self, vertex: str, to: str) -> Ray:
        """The ray from a vertex to a point."""
        return next(ray for ray in self.rays[vertex] if to in ray.points)

    def angle(self, p: str, vertex: str, q: str) -> Quantity | None:
        """The angle at a vertex.

        None if a side is not drawn or the angle is straight.
        """
        if self.line(p, vertex) is None or self.line(q, vertex) is None:
            return None
        one, other = self.ray(vertex, p), self.ray(vertex, q)
        if one.line == other.line:
            return None
        return ("angle", vertex, *sorted((one.points[0], other.points[0])))

    @staticmethod
    def length(a: str, b: str) -> Quantity:
        """The length of a segment."""
        return ("length", *sorted((a, b)))

    @staticmethod
    def area(*corners: str) -> Quantity:
        """The area of a triangle."""
        return ("area", *sorted(corners))

    def measure(self, quantity: Quantity) -> float:
        """The value of a quantity, nearly; angles in degrees."""
        kind, *names = quantity
        at = [self.points[name] for name in names]
        if kind == "length":
            return abs(at[0] - at[1])
        if kind == "angle":
            return abs(degrees(cmath.phase((at[1] - at[0]) / (at[2] - at[0]))))
        return abs(((at[1] - at[0]).conjugate() * (at[2] - at[0])).imag) / 2

    def side(self, a: str, b: str, c: str) -> float:
        """Positive if c is to the left of ab."""
        p, q, r = (self.points[name] for name in (a, b, c))
        return ((q - p).conjugate() * (r - p)).imag

    @cached_property
    def triangles(self) -> list[Corner]:
        """Three points that are joined pairwise, not all on one line."""
        return [
            (a, b, c)
            for a, b, c in combinations(self.points, 3)
            if None not in (self.line(a, b), self.line(b, c), self.line(a, c))
            and not self.line(a, b) == self.line(b, c) == self.line(a, c)
        ]

    def order(self) -> Any:
        """The orders along lines, around points and around circles."""
        around = {name: [(ray.line, ray.points) for ray in _from_gap(rays)] for name, rays in self.rays.items()}
        circles = [_turned(circle.points) for circle in self.circles]
        sides = [[self.side(line[0], line[-1], c) > 0 for c in self.points if c not in line] for line in self.lines]
        return [self.lines, around, circles, sides]

    def from_gap(self, name: str) -> tuple[list[Ray], float]:
        """The rays counterclockwise after the largest gap, and that gap."""
        rays = _from_gap(self.rays[name])
        return rays, (rays[0].turn - rays[-1].turn) % 360 if len(rays) > 1 else 360.0

    def adjacent(self, quantity: Quantity) -> bool:
        """Whether no point or ray is within a length or angle."""
        kind, *names = quantity
        if kind == "length":
            at = self.line(names[0], names[1])
            return at is not None and abs(self.lines[at].index(names[0]) - self.lines[at].index(names[1])) == 1
        rays = self.rays[names[0]]
        k, m = (next(at for at, ray in enumerate(rays) if ray.points[0] == name) for name in names[1:])
        wide = (rays[m].turn - rays[k].turn) % 360
        first, last = (k, m) if wide < 180 else (m, k)
        return (first + 1) % len(rays) == last


def _from_gap(rays: list[Ray]) -> list[Ray]:
    if len(rays) < 2:
        return rays
    gaps = [round((ray.turn - rays[at - 1].turn) % 360, 6) for at, ray in enumerate(rays)]
    first = gaps.index(max(gaps)) if max(gaps) >= 180 else 0
    ordered = rays[first:] + rays[:first]
    if max(gaps) < 180:  # all around: begin at the first line
        at = min(range(len(ordered)), key=lambda k: (ordered[k].line, ordered[k].points))
        ordered = ordered[at:] + ordered[:at]
    return ordered


def _turned(names: list[str]) -> list[str]:
    at = names.index(min(names))
    return names[at:] + names[:at]


def bearing(along: complex) -> float:
    """A direction in degrees.

    Rounded, so that a direction of nearly 0 is the same on every machine.
    """
    return round(degrees(cmath.phase(along)), 7) % 360


def unit(angle: float) -> complex:
    """The direction of an angle in degrees."""
    return cmath.rect(1.0, angle * pi / 180)


def crossing(a: complex, b: complex, c: complex, d: complex) -> tuple[complex, float, float] | None:
    """Where two lines meet, and its place on both.

    None for parallels.
    """
    one, other = b - a, d - c
    across = (one.conjugate() * other).imag
    if abs(across) < 1e-9 * abs(one) * abs(other):
        return None
    s = (((c - a).conjugate() * other).imag) / across
    t = (((c - a).conjugate() * one).imag) / across
    return a + s * one, s, t
