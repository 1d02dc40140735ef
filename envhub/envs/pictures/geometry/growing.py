"""Random recipes: a first figure, then further steps that extend it.

Numbers are drawn so that values are exact: whole degrees, whole lengths, simple ratios.
"""

from __future__ import annotations

from cmath import phase
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import degrees, radians, tan
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.pictures.geometry.construct import STEPS, Step
from envhub.envs.pictures.geometry.figure import Figure, Impossible, crossing

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_RATIOS: Final = (1 / 2, 1 / 3, 2 / 3, 1 / 4, 3 / 4, 2 / 5, 3 / 5)
_LEGS: Final = ((3, 4), (5, 12), (6, 8), (8, 15), (9, 12), (7, 24), (20, 21), (12, 16), (12, 5), (15, 20), (10, 24))
_MOST_POINTS: Final = 11
_TRIES: Final = 12


@dataclass
class Growth:
    """A recipe with the figure that it makes so far."""

    rng: Stream
    figure: Figure
    steps: list[Step]
    letters: list[str]

    def take(self, name: str, about: Sequence[Any], *numbers: float) -> bool:
        """Carry out a step; False if it is impossible."""
        step = Step(name, tuple(about), tuple(float(one) for one in numbers))
        try:
            STEPS[name](self.figure, step.about, step.numbers)
        except Impossible:
            return False
        self.steps.append(step)
        return True

    def names(self, count: int) -> list[str]:
        """New names."""
        taken, self.letters = self.letters[:count], self.letters[count:]
        return taken


def grown(rng: Stream, further: int) -> Growth | None:
    """A first figure and further steps; None to draw again."""
    letters = list(_LETTERS)
    rng.shuffle(letters)
    growth = Growth(rng, Figure(), [], letters)
    if not BASES[rng.choice(list(BASES))](growth):
        return None
    for _ in range(further):
        for _ in range(_TRIES):
            if MORE[rng.choice(list(MORE))](growth):
                break
        else:
            return None
    return growth if _crossed(growth) and len(growth.figure.points) <= _MOST_POINTS else None


def _crossed(growth: Growth) -> bool:
    """Name the places where lines cross."""
    lines = growth.figure.lines
    for at in range(len(lines)):
        for other in range(at):
            one, two = growth.figure.lines[at], growth.figure.lines[other]
            if {*one} & {*two}:
                continue
            places = [growth.figure.points[name] for name in (one[0], one[-1], two[0], two[-1])]
            met = crossing(*places)
            if met is None or not (-0.02 < met[1] < 1.02 and -0.02 < met[2] < 1.02):
                continue
            if not growth.take("met", [one[0], one[-1], two[0], two[-1], *growth.names(1)]):
                return False
    return True


# -- first figures -----------------------------------------------------------------------------------------------------


def _legs(rng: Stream) -> tuple[float, float]:
    return rng.choice(_LEGS) if rng.below(2) else (rng.between(3, 15), rng.between(3, 15))


def _triangle(g: Growth) -> bool:
    return g.take("triangle", g.names(3), g.rng.between(30, 85), g.rng.between(30, 85), g.rng.between(5, 20))


def _right(g: Growth) -> bool:
    return g.take("right triangle", g.names(3), *_legs(g.rng))


def _special(g: Growth) -> bool:
    angle = g.rng.choice((30, 45, 60))
    names = g.names(3)
    return g.take("triangle", names, angle, g.rng.choice((45, 60, 75, 90)), g.rng.between(4, 16))


def _isosceles(g: Growth) -> bool:
    return g.take("isosceles triangle", g.names(3), 2 * g.rng.between(14, 62), g.rng.between(5, 20))


def _circle(g: Growth) -> bool:
    rng, count = g.rng, g.rng.between(3, 5)
    arcs = [2.0 * rng.between(18, 60) for _ in range(count - 1)]
    if sum(arcs) > 324:
        return False
    centre, *names = g.names(count + 1)
    g.take("circle", [centre, *names], rng.between(5, 13), *arcs, 360 - sum(arcs))
    for at, name in enumerate(names):
        if rng.below(4):
            g.take("joined", [names[at - 1], name])
    for name in rng.sample(names, rng.between(0, 2)):
        g.take("joined", [centre, name])
    return True


def _semicircle(g: Growth) -> bool:
    rng = g.rng
    arc, (centre, end, other, third) = 2 * rng.between(20, 70), g.names(4)
    g.take("circle", [centre, end, third], rng.between(4, 13), arc, 360 - arc)
    g.take("opposite", [0, end, other])
    g.take("joined", [end, third])
    return g.take("joined", [other, third])


def _crossed_chords(g: Growth) -> bool:
    """Two chords that cross, and chords around them."""
    rng, names = g.rng, g.names(5)
    arcs = [2.0 * rng.between(22, 58) for _ in range(3)]
    g.take("circle", names, rng.between(5, 13), *arcs, 360 - sum(arcs))
    _, a, b, c, d = names
    for pair in ((a, c), (b, d), (a, b), (c, d)):
        g.take("joined", pair)
    return not rng.below(2) or g.take("joined", [b, c])


def _inscribed(g: Growth) -> bool:
    """A triangle in a circle, with a tangent at a corner."""
    rng, names = g.rng, g.names(4)
    arcs = [2.0 * rng.between(30, 70) for _ in range(2)]
    g.take("circle", names, rng.between(5, 13), *arcs, 360 - sum(arcs))
    _, a, b, c = names
    for pair in ((a, b), (b, c), (a, c)):
        g.take("joined", pair)
    return g.take("tangent at", [0, a, *g.names(2)], 0.7)


def _medians(g: Growth) -> bool:
    """A triangle with two medians."""
    a, b, c, d, e = g.names(5)
    if g.rng.below(2):
        g.take("right triangle", [a, b, c], *_legs(g.rng))
    else:
        g.take("triangle", [a, b, c], g.rng.between(35, 75), g.rng.between(35, 75), g.rng.between(6, 20))
    return g.take("median", [a, b, c, d]) and g.take("median", [b, c, a, e])


def _power(name: str, count: int) -> Callable[[Growth], bool]:
    def take(g: Growth) -> bool:
        rng = g.rng
        pa, pc, turn = rng.between(2, 9), rng.between(2, 9), rng.between(40, 80)
        if name == "tangent and secant":
            return g.take(name, g.names(count), rng.between(pa + 2, 15), pa, turn)
        pb = rng.between(pa + 2, 16) if name == "secants" else rng.between(2, 12)
        return g.take(name, g.names(count), pa, pb, pc, turn - 25 if name == "secants" else turn)

    return take


def _tangents(g: Growth) -> bool:
    names = g.names(4)
    legs = _legs(g.rng) if g.rng.below(2) else (g.rng.between(6, 20), g.rng.between(3, 10))
    done = g.take("tangents", names, *legs)
    if done and g.rng.below(2):
        g.take("joined", names[:2])
    return done


def _tangents_by_angle(g: Growth) -> bool:
    """Two tangents that meet at a whole number of degrees."""
    names, half = g.names(4), g.rng.between(16, 50)
    done = g.take("tangents", names, 6 / tan(radians(half)), 6)
    if done and g.rng.below(2):
        g.take("joined", names[:2])
    return done


def _transversal(g: Growth) -> bool:
    return g.take("transversal", g.names(8), g.rng.between(40, 140), 6)


def _parallelogram(g: Growth) -> bool:
    return g.take("parallelogram", g.names(4), g.rng.between(6, 16), g.rng.between(5, 12), g.rng.between(45, 130))


def _rectangle(g: Growth) -> bool:
    return g.take("rectangle", g.names(4), *_legs(g.rng))


def _trapezoid(g: Growth) -> bool:
    rng, width = g.rng, g.rng.between(9, 20)
    return g.take("trapezoid", g.names(4), width, rng.between(4, width - 3), rng.between(42, 85), rng.between(42, 85))


def _regular(g: Growth) -> bool:
    return g.take("regular", g.names(g.rng.choice((5, 6, 8))), g.rng.between(3, 9))


BASES: Final[Mapping[str, Callable[[Growth], bool]]] = {
    "triangle": _triangle,
    "right": _right,
    "special": _special,
    "isosceles": _isosceles,
    "circle": _circle,
    "semicircle": _semicircle,
    "crossed chords": _crossed_chords,
    "inscribed": _inscribed,
    "medians": _medians,
    "chords": _power("chords", 5),
    "secants": _power("secants", 5),
    "tangent and secant": _power("tangent and secant", 4),
    "tangents": _tangents,
    "tangents by angle": _tangents_by_angle,
    "transversal": _transversal,
    "parallelogram": _parallelogram,
    "rectangle": _rectangle,
    "trapezoid": _trapezoid,
    "regular": _regular,
}


# -- further steps -----------------------------------------------------------------------------------------------------


def _corner(g: Growth) -> tuple[str, str, str] | None:
    """A triangle without points on the side opposite its first corner."""
    g.figure.forget()
    found = []
    for names in g.figure.triangles:
        for v, p, q in (names, (names[1], names[2], names[0]), (names[2], names[0], names[1])):
            line = g.figure.through(p, q)
            if abs(line.index(p) - line.index(q)) == 1:
                found.append((v, p, q))
    return g.rng.choice(found) if found else None


def _cevian(name: str) -> Callable[[Growth], bool]:
    def take(g: Growth) -> bool:
        corner = _corner(g)
        if corner is None:
            return False
        numbers: list[float] = []
        if name == "ratio":
            numbers = [g.rng.choice(_RATIOS)]
        if name == "divided":
            at = [g.figure.points[one] for one in corner]
            whole = int(abs(degrees(phase((at[1] - at[0]) / (at[2] - at[0])))) + 0.3)
            if whole < 36:
                return False
            numbers = [g.rng.between(16, whole - 16)]
        return g.take(name, [*corner, g.letters[0]], *numbers) and bool(g.names(1))

    return take


def _across(name: str) -> Callable[[Growth], bool]:
    def take(g: Growth) -> bool:
        corner = _corner(g)
        if corner is None:
            return False
        line = [g.figure.through(corner[0], end) for end in corner[1:]]
        if any(abs(one.index(corner[0]) - one.index(end)) > 1 for one, end in zip(line, corner[1:], strict=True)):
            return False
        return g.take(name, [*corner, *g.letters[:2]], g.rng.choice(_RATIOS)) and bool(g.names(2))

    return take


def _segment(g: Growth) -> tuple[str, str, str] | None:
    """A segment and a point beside it."""
    corner = _corner(g)
    return None if corner is None else (corner[1], corner[2], corner[0])


def _on(name: str) -> Callable[[Growth], bool]:
    def take(g: Growth) -> bool:
        segment = _segment(g)
        if segment is None:
            return False
        a, b, other = segment
        if g.rng.below(2):
            a, b = b, a
        rng = g.rng
        numbers = {
            "triangle on": [rng.between(25, 75), rng.between(25, 75)],
            "isosceles on": [2 * rng.between(15, 60)],
            "equilateral on": [],
            "right on": [rng.between(3, 15)],
        }[name]
        return g.take(name, [a, b, g.letters[0], other], *numbers) and bool(g.names(1))

    return take


def _extension(g: Growth) -> bool:
    if not g.figure.lines:
        return False
    line = g.rng.choice(g.figure.lines)
    a, b = (line[0], line[-1]) if g.rng.below(2) else (line[-1], line[0])
    return g.take("extension", [a, b, g.letters[0]], g.rng.between(3, 8)) and bool(g.names(1))


def _through(g: Growth) -> bool:
    corner = _corner(g)
    return corner is not None and g.take("through", [*corner, *g.letters[:2]], 0.5) and bool(g.names(2))


def _tangent_at(g: Growth) -> bool:
    if not g.figure.circles:
        return False
    touched = {one[2] for one in g.figure.tangents}
    free = [name for name in g.figure.circles[0].points if name not in touched]
    if not free:
        return False
    return g.take("tangent at", [0, g.rng.choice(free), *g.letters[:2]], 0.7) and bool(g.names(2))


def _chord(g: Growth) -> bool:
    if not g.figure.circles:
        return False
    circle = g.figure.circles[0]
    names = [*circle.points, *([circle.centre] if circle.centre else [])]
    a, b = g.rng.sample(names, 2)
    g.figure.forget()
    return g.figure.line(a, b) is None and g.take("joined", [a, b])


def _opposite(g: Growth) -> bool:
    if not g.figure.circles or not g.figure.circles[0].centre:
        return False
    name = g.rng.choice(g.figure.circles[0].points)
    return g.take("opposite", [0, name, g.letters[0]]) and bool(g.names(1))


def _joined(g: Growth) -> bool:
    """Two points that are not joined."""
    g.figure.forget()
    names = [name for name in g.figure.points if g.figure.rays[name]]
    if len(names) < 2:
        return False
    a, b = g.rng.sample(names, 2)
    return g.figure.line(a, b) is None and g.take("joined", [a, b])


MORE: Final[Mapping[str, Callable[[Growth], bool]]] = {
    **{name: _cevian(name) for name in ("ratio", "divided", "altitude", "bisector", "median")},
    **{name: _across(name) for name in ("parallel", "midline")},
    **{name: _on(name) for name in ("triangle on", "isosceles on", "equilateral on", "right on")},
    "extension": _extension,
    "through": _through,
    "tangent at": _tangent_at,
    "chord": _chord,
    "opposite": _opposite,
    "joined": _joined,
}
