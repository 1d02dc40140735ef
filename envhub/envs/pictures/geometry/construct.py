"""Constructions: the steps that make a figure.

A recipe is a list of steps. The same recipe with other numbers makes another figure with the same facts; so a drawing need
not be to scale, and statements can be checked in a second realisation. Angles are in degrees.
"""

from __future__ import annotations

from cmath import phase
from collections.abc import Callable, Mapping, Sequence
from math import atan2, cos, degrees, hypot, radians, sin, tan
from typing import Any, Final, NamedTuple

from envhub.envs.pictures.geometry.figure import Circle, Figure, Impossible, crossing, unit


class Step(NamedTuple):
    """One construction: its name, points and circles, and its numbers."""

    name: str
    about: tuple[Any, ...]
    numbers: tuple[float, ...]


def built(steps: Sequence[Step]) -> Figure:
    """The figure of a recipe.

    Raises:
        Impossible: A step cannot be carried out.
    """
    figure = Figure()
    for step in steps:
        STEPS[step.name](figure, step.about, step.numbers)
    return figure


def _closed(figure: Figure, names: Sequence[str]) -> None:
    for at, name in enumerate(names):
        figure.join(names[at - 1], name)


def _apex(a: complex, b: complex, at_a: float, at_b: float) -> complex:
    """The third corner of a triangle, to the left of ab."""
    if not (at_a > 4 and at_b > 4 and at_a + at_b < 176):
        raise Impossible
    side = sin(radians(at_b)) / sin(radians(at_a + at_b))
    return a + (b - a) * unit(at_a) * side


# -- first steps -------------------------------------------------------------------------------------------------------


def _triangle(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    a, b, c = about
    at_a, at_b, side = numbers
    figure.add(a, 0)
    figure.add(b, side)
    figure.add(c, _apex(0, side, at_a, at_b))
    _closed(figure, about)


def _right(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    a, b, c = about
    figure.add(a, complex(numbers[0]))
    figure.add(b, complex(0, numbers[1]))
    figure.add(c, 0)
    _closed(figure, about)
    figure.right.append((a, c, b))


def _isosceles(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    a, b, c = about
    base = 90 - numbers[0] / 2
    _triangle(figure, about, (base, base, 2 * numbers[1] * cos(radians(base))))
    figure.equal.append([(a, c), (b, c)])


def _circle(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    centre, *names = about
    radius, *arcs = numbers
    figure.add(centre, 0)
    figure.circles.append(Circle(0, radius, centre, []))
    turn = 0.0
    for name, arc in zip(names, arcs, strict=True):
        figure.add(name, radius * unit(turn))
        figure.onto(0, name)
        turn += arc * 360 / sum(arcs)


def _around(figure: Figure, names: Sequence[str]) -> None:
    """The circle through three points, and all of the names on it."""
    a, b, c = (figure.points[name] for name in names[:3])
    u, v = b - a, c - a
    cross = 2 * (u.conjugate() * v).imag
    if abs(cross) < 1e-9:
        raise Impossible
    middle = a + 1j * (u * abs(v) ** 2 - v * abs(u) ** 2) / cross
    figure.circles.append(Circle(middle, abs(a - middle), "", []))
    for name in names:
        figure.onto(len(figure.circles) - 1, name)


def _chords(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    p, a, b, c, d = about
    pa, pb, pc, turn = numbers
    figure.add(p, 0)
    for name, at in ((a, -pa), (b, pb), (c, pc * unit(turn)), (d, -pa * pb / pc * unit(turn))):
        figure.add(name, complex(at))
    figure.join(a, p, b)
    figure.join(c, p, d)
    _around(figure, (a, b, c, d))


def _secants(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    p, a, b, c, d = about
    pa, pb, pc, turn = numbers
    pd = pa * pb / pc
    if pd <= pc * 1.1 or pb <= pa * 1.1:
        raise Impossible
    figure.add(p, 0)
    for name, at in ((a, pa), (b, pb), (c, pc * unit(turn)), (d, pd * unit(turn))):
        figure.add(name, complex(at))
    figure.join(p, a, b)
    figure.join(p, c, d)
    _around(figure, (a, b, c, d))


def _tangent_secant(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    p, t, a, b = about
    pt, pa, turn = numbers
    if pa >= pt * 0.9:
        raise Impossible
    figure.add(p, 0)
    for name, at in ((t, pt * unit(turn)), (a, pa), (b, pt**2 / pa)):
        figure.add(name, complex(at))
    line = figure.join(p, t)
    figure.join(p, a, b)
    _around(figure, (t, a, b))
    figure.tangents.append((line, 0, t))


def _tangents(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    o, p, t, u = about
    pt, radius = numbers
    far = hypot(pt, radius)
    figure.add(o, 0)
    figure.add(p, far)
    x, y = radius**2 / far, radius * pt / far
    figure.add(t, complex(x, y))
    figure.add(u, complex(x, -y))
    figure.circles.append(Circle(0, radius, o, []))
    for name in (t, u):
        figure.onto(0, name)
        figure.join(o, name)
        figure.tangents.append((figure.join(p, name), 0, name))


def _transversal(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    p, q, *ends = about
    turn, across = numbers
    figure.add(p, 0)
    figure.add(q, across * unit(turn))
    for at, name in enumerate(ends[:4]):
        side = 0.8 * across * (1 if at % 2 else -1)
        figure.add(name, figure.points[(p, q)[at // 2]] + side)
    figure.add(ends[4], -0.45 * across * unit(turn))
    figure.add(ends[5], 1.45 * across * unit(turn))
    lines = figure.join(ends[0], p, ends[1]), figure.join(ends[2], q, ends[3])
    figure.join(ends[4], p, q, ends[5])
    figure.parallel.append(lines)


def _parallelogram(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    a, b, c, d = about
    width, side, turn = numbers
    slope = side * unit(turn)
    for name, at in ((a, 0), (b, width), (c, width + slope), (d, slope)):
        figure.add(name, complex(at))
    _closed(figure, about)
    for (p, q), (r, s) in (((a, b), (d, c)), ((a, d), (b, c))):
        figure.parallel.append((figure.join(p, q), figure.join(r, s)))


def _rectangle(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    _parallelogram(figure, about, (*numbers, 90))
    figure.right.append((about[3], about[0], about[1]))


def _trapezoid(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    a, b, c, d = about
    width, top, at_a, at_b = numbers
    slopes = 1 / tan(radians(at_a)) + 1 / tan(radians(at_b))
    if slopes <= 0.05 or width <= top * 1.05:
        raise Impossible
    height = (width - top) / slopes
    corner = height / tan(radians(at_a)) + height * 1j
    for name, at in ((a, 0), (b, width), (c, corner + top), (d, corner)):
        figure.add(name, complex(at))
    _closed(figure, about)
    figure.parallel.append((figure.join(a, b), figure.join(c, d)))


def _regular(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    count, at, turn = len(about), 0j, 0.0
    for name in about:
        figure.add(name, at)
        at += numbers[0] * unit(turn)
        turn += 360 / count
    _closed(figure, about)
    figure.regular.append(list(about))


# -- further steps -----------------------------------------------------------------------------------------------------


def _between(figure: Figure, about: Sequence[Any], part: float) -> None:
    """A point of a side, joined with the corner opposite."""
    v, p, q, d = about
    if not 0.05 < part < 0.95:
        raise Impossible
    figure.add(d, figure.points[p] + part * (figure.points[q] - figure.points[p]))
    figure.join(p, q, d)
    figure.join(v, d)


def _ratio(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    _between(figure, about, numbers[0])


def _median(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    _between(figure, about, 0.5)
    figure.equal.append([(about[1], about[3]), (about[3], about[2])])


def _turned(figure: Figure, about: Sequence[Any], part: float) -> None:
    """A line from a corner that divides its angle."""
    v, p, q, _ = about
    at, one, other = (figure.points[name] for name in (v, p, q))
    whole = (other - at) / (one - at)
    whole /= abs(whole)
    met = crossing(at, at + (one - at) * unit(degrees(phase(whole)) * part), one, other)
    if met is None:
        raise Impossible
    _between(figure, about, met[2])


def _divided(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    v, p, q, _ = about
    at = [figure.points[name] for name in (p, v, q)]
    whole = abs(degrees(phase((at[0] - at[1]) / (at[2] - at[1]))))
    _turned(figure, about, numbers[0] / whole)


def _bisector(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    v, p, q, d = about
    _turned(figure, about, 0.5)
    figure.halves.append(((p, v, d), (d, v, q)))


def _altitude(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    v, p, q, d = about
    at, one, other = (figure.points[name] for name in (v, p, q))
    along = other - one
    _between(figure, about, ((at - one) * along.conjugate()).real / abs(along) ** 2)
    figure.right.append((v, d, p))


def _across(figure: Figure, about: Sequence[Any], part: float) -> int:
    v, p, q, d, e = about
    if not 0.1 < part < 0.9:
        raise Impossible
    for name, to in ((d, p), (e, q)):
        figure.add(name, figure.points[v] + part * (figure.points[to] - figure.points[v]))
        figure.join(v, to, name)
    return figure.join(d, e)


def _parallel(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    line = _across(figure, about, numbers[0])
    figure.parallel.append((line, figure.join(about[1], about[2])))


def _midline(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    v, p, q, d, e = about
    _across(figure, about, 0.5)
    figure.equal += [[(v, d), (d, p)], [(v, e), (e, q)]]


def _extension(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    a, b, c = about
    along = figure.points[b] - figure.points[a]
    figure.add(c, figure.points[b] + along / abs(along) * numbers[0])
    figure.join(a, b, c)


def _outside(figure: Figure, about: Sequence[Any], at_a: float, at_b: float) -> None:
    """A triangle on a segment, on the side opposite another point."""
    a, b, c, other = about
    p, q = figure.points[a], figure.points[b]
    flipped = figure.side(a, b, other) > 0
    figure.add(c, _apex(q, p, at_b, at_a) if flipped else _apex(p, q, at_a, at_b))
    figure.join(a, c)
    figure.join(b, c)


def _triangle_on(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    _outside(figure, about, numbers[0], numbers[1])


def _isosceles_on(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    a, b, c, _ = about
    _outside(figure, about, 90 - numbers[0] / 2, 90 - numbers[0] / 2)
    figure.equal.append([(a, c), (b, c)])


def _equilateral_on(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    a, b, c, _ = about
    _outside(figure, about, 60, 60)
    figure.equal.append([(a, b), (b, c), (a, c)])


def _right_on(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    a, b, c, _ = about
    side = abs(figure.points[a] - figure.points[b])
    _outside(figure, about, degrees(atan2(numbers[0], side)), 90)
    figure.right.append((a, b, c))


def _through(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    v, p, q, x, y = about
    along = (figure.points[q] - figure.points[p]) * numbers[0]
    figure.add(x, figure.points[v] - along)
    figure.add(y, figure.points[v] + along)
    figure.parallel.append((figure.join(x, v, y), figure.join(p, q)))


def _tangent_at(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    circle, t, x, y = about
    one = figure.circles[circle]
    along = (figure.points[t] - one.middle) * 1j * numbers[0]
    figure.add(x, figure.points[t] - along)
    figure.add(y, figure.points[t] + along)
    figure.tangents.append((figure.join(x, t, y), circle, t))


def _opposite(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    circle, t, x = about
    one = figure.circles[circle]
    figure.add(x, 2 * one.middle - figure.points[t])
    figure.onto(circle, x)
    figure.join(t, one.centre, x)


def _joined(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    figure.join(*about)


def _met(figure: Figure, about: Sequence[Any], numbers: Sequence[float]) -> None:
    a, b, c, d, x = about
    met = crossing(*(figure.points[name] for name in (a, b, c, d)))
    if met is None or not (0.02 < met[1] < 0.98 and 0.02 < met[2] < 0.98):
        raise Impossible
    figure.add(x, met[0])
    figure.join(a, b, x)
    figure.join(c, d, x)


STEPS: Final[Mapping[str, Callable[[Figure, Sequence[Any], Sequence[float]], None]]] = {
    "triangle": _triangle,
    "right triangle": _right,
    "isosceles triangle": _isosceles,
    "circle": _circle,
    "chords": _chords,
    "secants": _secants,
    "tangent and secant": _tangent_secant,
    "tangents": _tangents,
    "transversal": _transversal,
    "parallelogram": _parallelogram,
    "rectangle": _rectangle,
    "trapezoid": _trapezoid,
    "regular": _regular,
    "ratio": _ratio,
    "median": _median,
    "divided": _divided,
    "bisector": _bisector,
    "altitude": _altitude,
    "parallel": _parallel,
    "midline": _midline,
    "extension": _extension,
    "triangle on": _triangle_on,
    "isosceles on": _isosceles_on,
    "equilateral on": _equilateral_on,
    "right on": _right_on,
    "through": _through,
    "tangent at": _tangent_at,
    "opposite": _opposite,
    "joined": _joined,
    "met": _met,
}
