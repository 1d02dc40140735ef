"""The theorems about angles, as statements about a figure.

They rely on the facts of a figure and on the order of its points and rays, never on measured values: each holds in
every figure with the same facts and the same order.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from envhub.envs.pictures.geometry.equalities import Equalities
from envhub.envs.pictures.geometry.figure import Circle, Figure
from envhub.envs.pictures.geometry.statements import Statement, equal, total

_NEAR = 1e-6


def angle_statements(figure: Figure, lengths: Equalities) -> Iterator[Statement]:
    """All statements about angles.

    ``lengths`` says which segments are equal by the facts.
    """
    yield from _around_points(figure)
    for a, b, c in figure.triangles:
        corners = [figure.angle(b, a, c), figure.angle(a, b, c), figure.angle(a, c, b)]
        yield from total("angle sum of a triangle", [(one, 1) for one in corners], 180)
        yield from _isosceles(figure, lengths, (a, b, c))
    yield from _quadrilaterals(figure)
    yield from _parallels(figure)
    for one, other in figure.halves:
        yield from equal("angle bisector", figure.angle(*one), figure.angle(*other))
        whole = figure.angle(one[0], one[1], other[2])
        for half in (one, other):
            yield from total("angle bisector", [(whole, 1), (figure.angle(*half), -2)])
    for circle in figure.circles:
        yield from _circle(figure, circle)
    yield from _tangents(figure)
    for names in figure.regular:
        count = len(names)
        for at, name in enumerate(names):
            corner = figure.angle(names[at - 1], name, names[(at + 1) % count])
            yield from total("angles of a regular polygon", [(corner, count)], 180 * (count - 2))


def _around_points(figure: Figure) -> Iterator[Statement]:
    """Sums of adjacent angles, angles on a line, vertical angles."""
    for vertex, rays in figure.rays.items():
        for i, one in enumerate(rays):
            for step in range(2, len(rays)):
                last = rays[(i + step) % len(rays)]
                wide = (last.turn - one.turn) % 360
                straight = one.line == last.line
                if wide > 180 + _NEAR or (abs(wide - 180) < _NEAR) != straight:
                    continue
                for k in range(1, step):
                    middle = rays[(i + k) % len(rays)]
                    ends = (one.points[0], middle.points[0], last.points[0])
                    parts = [(figure.angle(ends[0], vertex, ends[1]), 1), (figure.angle(ends[1], vertex, ends[2]), 1)]
                    if straight:
                        yield from total("angles on a line", parts, 180)
                    else:
                        yield from total("adjacent angles", [*parts, (figure.angle(ends[0], vertex, ends[2]), -1)])
        gaps = [(ray.turn - rays[at - 1].turn) % 360 for at, ray in enumerate(rays)]
        if len(rays) > 2 and max(gaps) < 180 - _NEAR and len({ray.line for ray in rays}) == len(rays):
            whole = [(figure.angle(rays[at - 1].points[0], vertex, ray.points[0]), 1) for at, ray in enumerate(rays)]
            yield from total("angles around a point", whole, 360)
        for first, second in combinations(sorted({ray.line for ray in rays}), 2):
            a, c = ([ray.points[0] for ray in rays if ray.line == line] for line in (first, second))
            if len(a) == len(c) == 2:
                for k in (0, 1):
                    yield from equal(
                        "vertical angles", figure.angle(a[0], vertex, c[k]), figure.angle(a[1], vertex, c[1 - k])
                    )


def _isosceles(figure: Figure, lengths: Equalities, corners: tuple[str, ...]) -> Iterator[Statement]:
    """Angles at the base, and the axis of symmetry."""
    turned = [corners, (corners[1], corners[2], corners[0]), (corners[2], corners[0], corners[1])]
    alike = [t for t in turned if lengths.same(figure.length(t[0], t[1]), figure.length(t[0], t[2]))]
    if len(alike) == 3:
        for t in turned:
            yield from total("equilateral triangle", [(figure.angle(t[1], t[0], t[2]), 1)], 60)
        return
    for top, p, q in alike:
        apex, left, right = figure.angle(p, top, q), figure.angle(top, p, q), figure.angle(top, q, p)
        yield from equal("isosceles triangle", left, right)
        for base in (left, right):
            yield from total("isosceles triangle", [(apex, 1), (base, 2)], 180)
    for top, p, q in alike:
        for foot in figure.through(p, q):
            if foot in (p, q) or figure.line(top, foot) is None:
                continue
            halves = lengths.same(figure.length(p, foot), figure.length(foot, q)) or any(
                {one[0], other[2]} == {p, q} and one[1] == top and one[2] == foot for one, other in figure.halves
            )
            if halves:
                yield from total("axis of an isosceles triangle", [(figure.angle(top, foot, p), 1)], 90)
                yield from equal(
                    "axis of an isosceles triangle", figure.angle(p, top, foot), figure.angle(foot, top, q)
                )


def _quadrilaterals(figure: Figure) -> Iterator[Statement]:
    """Angle sums of convex quadrilaterals, and opposite angles of parallelograms."""
    for names in quadrilaterals(figure):
        a, b, c, d = names
        corners = [figure.angle(d, a, b), figure.angle(a, b, c), figure.angle(b, c, d), figure.angle(c, d, a)]
        if is_parallelogram(figure, names):
            for k in (0, 1):
                yield from equal("opposite angles of a parallelogram", corners[k], corners[k + 2])
        yield from total("angle sum of a quadrilateral", [(one, 1) for one in corners], 360)


def quadrilaterals(figure: Figure) -> Iterator[tuple[str, str, str, str]]:
    """Convex quadrilaterals with drawn sides, each once."""
    for first, *others in combinations(figure.points, 4):
        for b, c, d in permutations(others):
            if b > d:
                continue
            names = (first, b, c, d)
            sides = [figure.line(names[at - 1], name) for at, name in enumerate(names)]
            if None in sides or len({*sides}) < 4:
                continue
            turns = [figure.side(names[at - 2], names[at - 1], name) > 0 for at, name in enumerate(names)]
            if all(turns) or not any(turns):
                yield names


def is_parallelogram(figure: Figure, names: tuple[str, str, str, str]) -> bool:
    """Whether both pairs of sides are parallel by the facts."""
    a, b, c, d = names
    sides = [(figure.line(a, b), figure.line(c, d)), (figure.line(a, d), figure.line(b, c))]
    return all(pair in figure.parallel or pair[::-1] in figure.parallel for pair in sides)


def _parallels(figure: Figure) -> Iterator[Statement]:
    """Alternate, co-interior and corresponding angles."""
    for one, other in figure.parallel:
        for p in figure.lines[one]:
            for q in figure.lines[other]:
                crossing = figure.line(p, q)
                if crossing is None or crossing in (one, other):
                    continue
                for u in (ray for ray in figure.rays[p] if ray.line == one):
                    for v in (ray for ray in figure.rays[q] if ray.line == other):
                        near = figure.angle(u.points[0], p, q), figure.angle(v.points[0], q, p)
                        if abs((u.turn - v.turn) % 360 - 180) < 90:
                            yield from equal("alternate angles", *near)
                            continue
                        yield from total("co-interior angles", [(angle, 1) for angle in near], 180)
                        beyond_p = [r for r in figure.rays[p] if r.line == crossing and q not in r.points]
                        beyond_q = [r for r in figure.rays[q] if r.line == crossing and p not in r.points]
                        for ray in beyond_p:
                            yield from equal(
                                "corresponding angles", figure.angle(u.points[0], p, ray.points[0]), near[1]
                            )
                        for ray in beyond_q:
                            yield from equal(
                                "corresponding angles", figure.angle(v.points[0], q, ray.points[0]), near[0]
                            )


def _circle(figure: Figure, circle: Circle) -> Iterator[Statement]:
    """Inscribed and central angles."""
    for a, b in combinations(circle.points, 2):
        inscribed = [(v, figure.angle(a, v, b)) for v in circle.points if v not in (a, b)]
        seen = [(v, angle) for v, angle in inscribed if angle is not None]
        for (v, one), (w, other) in combinations(seen, 2):
            if (figure.side(a, b, v) > 0) == (figure.side(a, b, w) > 0):
                yield from equal("inscribed angles", one, other)
            else:
                yield from total("cyclic quadrilateral", [(one, 1), (other, 1)], 180)
        if not circle.centre:
            continue
        if circle.centre in figure.through(a, b):
            for _, angle in seen:
                yield from total("angle in a semicircle", [(angle, 1)], 90)
            continue
        central = figure.angle(a, circle.centre, b)
        for v, angle in seen:
            if (figure.side(a, b, v) > 0) == (figure.side(a, b, circle.centre) > 0):
                yield from total("central angle", [(central, 1), (angle, -2)])
            else:
                yield from total("central angle", [(central, 1), (angle, 2)], 360)


def _tangents(figure: Figure) -> Iterator[Statement]:
    """Tangents and radii, tangents and chords, two tangents from a point."""
    for line, at, touch in figure.tangents:
        circle = figure.circles[at]
        for ray in (ray for ray in figure.rays[touch] if ray.line == line):
            end = ray.points[0]
            if circle.centre:
                yield from total("tangent and radius", [(figure.angle(end, touch, circle.centre), 1)], 90)
            for a in circle.points:
                for v in circle.points:
                    if touch in (a, v) or a == v or (figure.side(touch, a, end) > 0) == (figure.side(touch, a, v) > 0):
                        continue
                    yield from equal("tangent and chord", figure.angle(end, touch, a), figure.angle(touch, v, a))
    for (line, at, t), (other, again, u) in combinations(figure.tangents, 2):
        shared = {*figure.lines[line]} & {*figure.lines[other]}
        centre = figure.circles[at].centre
        for p in sorted(shared):
            if at == again and t != u and centre:
                yield from equal("two tangents", figure.angle(t, p, centre), figure.angle(centre, p, u))
                yield from total("two tangents", [(figure.angle(t, p, u), 1), (figure.angle(t, p, centre), -2)])
                yield from equal("two tangents", figure.angle(t, centre, p), figure.angle(p, centre, u))
