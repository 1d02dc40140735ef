"""The drawing of a figure, with its givens as marks.

Equal segments have equal ticks, parallel lines equal arrows, equal angles equal double arcs, and right angles a square. Facts
without a mark are written under the figure. All positions are computed from whole pixels by sums, products and square roots
alone, so they are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import ceil, sqrt
from typing import Any, Final

from envhub.core.types import JSON
from envhub.envs.pictures.geometry.marks import (
    Place,
    along,
    arc,
    between,
    crosses,
    distance,
    from_line,
    middle_of,
    written,
)
from envhub.envs.pictures.geometry.problem import HEIGHT, WIDTH
from envhub.envs.pictures.geometry.wording import captions
from envhub.scenes import Line, Oval, Scene, Shape, Text

_LINE: Final = 24
_ARC: Final = 22
_WIDE: Final = 4.2  # half the width of a letter of a label
_ENOUGH: Final = 9.0
_LEAST: Final = 5.0
_AROUND: Final = ((0, -1), (0.7, -0.7), (1, 0), (0.7, 0.7), (0, 1), (-0.7, 0.7), (-1, 0), (-0.7, -0.7))
_BETWEEN: Final = (
    (0.4, -0.9),
    (0.9, -0.4),
    (0.9, 0.4),
    (0.4, 0.9),
    (-0.4, 0.9),
    (-0.9, 0.4),
    (-0.9, -0.4),
    (-0.4, -0.9),
)


def drawn(problem: JSON) -> Scene:
    """The scene of a problem."""
    shapes, _ = _drawing(problem)
    said = captions(problem)
    for at, text in enumerate(said):
        shapes.append(Text(20, HEIGHT + 8 + at * _LINE, text, 15, anchor="start"))
    return Scene(WIDTH, HEIGHT + _LINE * len(said) + (8 if said else 0), tuple(shapes))


def is_legible(problem: JSON) -> bool:
    """Whether every label has room."""
    return _drawing(problem)[1] >= _LEAST


def _drawing(problem: JSON) -> tuple[list[Shape], float]:
    """The shapes, and the least room of a label."""
    drawing = _Drawing(problem)
    return [*drawing.lines(), *drawing.facts(), *drawing.givens(), *drawing.names()], drawing.least


class _Drawing:
    """A drawing while it is made; it knows where labels are."""

    def __init__(self, problem: Any) -> None:
        self._problem = problem
        self._at: dict[str, Place] = {name: (float(x), float(y)) for name, (x, y) in problem["points"].items()}
        self._labels: list[tuple[Place, float]] = []
        self._marks: list[Place] = []
        self.least = 99.0

    def lines(self) -> Iterator[Shape]:
        """Circles and lines."""
        for one in self._problem["circles"]:
            (x, y), radius = one["middle"], one["radius"]
            yield Oval(x, y, radius, radius, None, "ink", 2)
        for line in self._problem["lines"]:
            yield Line((_whole(self._at[line[0]]), _whole(self._at[line[-1]])), "ink", 2)

    def facts(self) -> Iterator[Shape]:
        """Ticks, arrows, double arcs and right angles."""
        unmarked = self._problem["unmarked"]
        for number, (a, vertex, b) in enumerate(self._problem["right"]):
            if number in unmarked["right"]:
                continue
            at, one, other = (self._at[name] for name in (vertex, a, b))
            u, v = along(at, one, 13), along(at, other, 13)
            corner = (u[0] + v[0] - at[0], u[1] + v[1] - at[1])
            self._marks += [u, corner, v]
            yield Line((_whole(u), _whole(corner), _whole(v)), "ink", 1)
        groups = [one for number, one in enumerate(self._problem["equal"]) if number not in unmarked["equal"]]
        for count, group in enumerate(groups, 1):
            for a, b in group:
                yield from self._ticks(self._at[a], self._at[b], count)
        for count, members in enumerate(_groups(self._problem["parallel"]), 1):
            for number in members:
                yield from self._arrows(self._problem["lines"][number], count)
        pairs = [one for number, one in enumerate(self._problem["halves"]) if number not in unmarked["halves"]]
        for count, pair in enumerate(pairs):
            for a, vertex, b in pair:
                for radius in (30 + 9 * count, 34 + 9 * count):
                    yield self._arc(vertex, a, b, radius)

    def _arc(self, vertex: str, a: str, b: str, radius: float) -> Shape:
        places = arc(self._at[vertex], self._at[a], self._at[b], radius)
        self._marks += places
        return Line(tuple(map(_whole, places)), "ink", 1)

    def _ticks(self, a: Place, b: Place, count: int) -> Iterator[Shape]:
        length = distance(a, b)
        right, down = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        for k in range(count):
            shift = length / 2 + 5 * (k - (count - 1) / 2)
            x, y = a[0] + right * shift, a[1] + down * shift
            self._marks += [(x - 7 * down, y + 7 * right), (x + 7 * down, y - 7 * right)]
            yield Line((_whole((x - 7 * down, y + 7 * right)), _whole((x + 7 * down, y - 7 * right))), "ink", 2)

    def _arrows(self, line: Sequence[str], count: int) -> Iterator[Shape]:
        """Arrowheads on the longest part of a line, in one direction."""
        a, b = max(pairwise(line), key=lambda pair: (distance(self._at[pair[0]], self._at[pair[1]]), pair))
        ends = sorted((self._at[a], self._at[b]), key=lambda at: at[0] + 0.37 * at[1])
        length = distance(*ends)
        right, down = (ends[1][0] - ends[0][0]) / length, (ends[1][1] - ends[0][1]) / length
        for k in range(count):
            shift = length * 0.66 + 7 * k
            x, y = ends[0][0] + right * shift, ends[0][1] + down * shift
            wing = [(x - 8 * right + side * 6 * down, y - 8 * down - side * 6 * right) for side in (1, -1)]
            self._marks += wing
            yield Line((_whole(wing[0]), _whole((x, y)), _whole(wing[1])), "ink", 2)

    def givens(self) -> Iterator[Shape]:
        """Arcs with degrees, and lengths beside segments."""
        radii: dict[str, int] = {}
        labels = []
        for one in self._problem["givens"]:
            text = written(one["value"])
            if one["kind"] == "length":
                a, b = (self._at[name] for name in one["of"])
                labels.append((text, middle_of(a, b), self._beside(a, b, len(text))))
                continue
            p, vertex, q = one["of"]
            radii[vertex] = radii.get(vertex, _ARC - 7) + 7
            yield self._arc(vertex, p, q, radii[vertex])
            at = self._at[vertex]
            labels.append(
                (text + "\u00b0", at, [between(at, self._at[p], self._at[q], far) for far in range(34, 90, 5)])
            )
        for text, origin, places in labels:
            if text.endswith("\u00b0"):
                place = self._best(places, text, origin)
            else:  # clearly nearer to its own segment than to any other
                far = [self._from_others(place, origin) for place in places]
                order = sorted(range(len(places)), key=lambda at: (-min(far[at], 30), at))
                place = self._best([places[at] for at in order], text, origin)
                self.least = min(self.least, self._from_others(place, origin) - 16)
            yield Text(*_whole(place), text, 15, "ink")

    def _from_others(self, place: Place, origin: Place) -> int:
        """The distance from a place to the nearest line of others."""
        ends = [(self._at[line[0]], self._at[line[-1]]) for line in self._problem["lines"]]
        return int(min([99.0, *(from_line(place, *pair) for pair in ends if from_line(origin, *pair) > 2)]))

    def _beside(self, a: Place, b: Place, letters: int) -> list[Place]:
        """Places on both sides of a segment."""
        (x, y), length = middle_of(a, b), distance(a, b)
        right, down = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        far = 13 + _WIDE * letters * abs(down)
        return [
            (x + side * down * far + part * right * length, y - side * right * far + part * down * length)
            for part in (0.0, -0.12, 0.12, -0.22, 0.22)
            for side in (1, -1)
        ]

    def names(self) -> Iterator[Shape]:
        """Dots and names of points."""
        for name, at in self._at.items():
            yield Oval(*_whole(at), 3, 3, "ink")
            ways = [(x * far, y * far) for far in (16, 20) for x, y in (*_AROUND, *_BETWEEN)]
            place = self._best([(at[0] + x, at[1] + y) for x, y in ways], name, at)
            yield Text(*_whole(place), name, 17, "ink")

    def _best(self, places: Sequence[Place], text: str, origin: Place) -> Place:
        """The place with the most room; of those with enough, the first.

        No line may be between a label and what it belongs to.
        """
        half = _WIDE * (len(text) - 1)
        rooms = [-1.0 if self._parted(origin, place) else self._room(place, half) for place in places]
        best = next((at for at, room in enumerate(rooms) if room >= _ENOUGH), rooms.index(max(rooms)))
        self._labels.append((places[best], half))
        self.least = min(self.least, rooms[best])
        return places[best]

    def _parted(self, origin: Place, place: Place) -> bool:
        """Whether another line is between the origin and a place."""
        for line in self._problem["lines"]:
            a, b = self._at[line[0]], self._at[line[-1]]
            if from_line(origin, a, b) > 2 and crosses(origin, place, a, b):
                return True
        return False

    def _room(self, place: Place, half: float) -> float:
        """The distance from a label to everything else."""
        x, y = place
        if not (14 + half <= x <= WIDTH - 14 - half and 10 <= y <= HEIGHT - 10):
            return -1.0
        found = [99.0]
        for spot in ((x, y),) if not half else ((x - half, y), (x, y), (x + half, y)):
            found += [from_line(spot, self._at[line[0]], self._at[line[-1]]) for line in self._problem["lines"]]
            for one in self._problem["circles"]:
                cx, cy = one["middle"]
                found.append(abs(sqrt((spot[0] - cx) ** 2 + (spot[1] - cy) ** 2) - one["radius"]))
            found += [distance(spot, other) - 2 for other in (*self._at.values(), *self._marks)]
        for (a, b), wide in self._labels:
            if abs(y - b) < 17:
                found.append(abs(x - a) - half - wide - 6)
        return min(found)


def _groups(pairs: Iterable[Sequence[int]]) -> list[list[int]]:
    """Lines that are parallel to each other."""
    groups: list[list[int]] = []
    for pair in pairs:
        touching = [group for group in groups if {*group} & {*pair}]
        groups = [group for group in groups if group not in touching]
        groups.append(sorted({*pair, *(at for group in touching for at in group)}))
    return groups


def _whole(place: Place) -> tuple[int, int]:
    return ceil(place[0] - 0.5), ceil(place[1] - 0.5)
