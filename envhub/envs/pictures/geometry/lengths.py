"""The theorems about lengths and areas, as statements about a figure.

Like those about angles, they rely on the facts and on the order of points. Conditions on values (a right angle, equal angles)
are premises.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations

from envhub.envs.pictures.geometry.angles import is_parallelogram, quadrilaterals
from envhub.envs.pictures.geometry.equalities import Equalities
from envhub.envs.pictures.geometry.figure import Figure, Quantity
from envhub.envs.pictures.geometry.statements import Statement, equal, product, squares, total
from envhub.envs.pictures.geometry.surds import Surd

_RIGHT = Fraction(90)
_SPECIAL = tuple(
    (Fraction(angle), tuple(map(Surd.root, (Fraction(facing, long), Fraction(beside, long), Fraction(facing, beside)))))
    for angle, facing, beside, long in ((30, 1, 3, 4), (45, 1, 1, 2), (60, 3, 1, 4))
)
"""An angle, and the ratios facing side to hypotenuse, adjacent side to hypotenuse, and facing to adjacent side."""


def equal_lengths(figure: Figure) -> Iterator[Statement]:
    """Segments that are equal by the facts."""
    for group in figure.equal:
        for one, other in combinations(group, 2):
            yield from equal("equal segments", figure.length(*one), figure.length(*other))
    for names in figure.regular:
        sides = [figure.length(names[at - 1], name) for at, name in enumerate(names)]
        for one_side, other_side in combinations(sides, 2):
            yield from equal("equal segments", one_side, other_side)
    for circle in figure.circles:
        drawn = [name for name in circle.points if figure.line(circle.centre, name) is not None]
        for a, b in combinations(drawn, 2):
            yield from equal("radii", figure.length(circle.centre, a), figure.length(circle.centre, b))
    for (line, at, t), (other_line, again, u) in combinations(figure.tangents, 2):
        for p in sorted({*figure.lines[line]} & {*figure.lines[other_line]}):
            if at == again and t != u:
                yield from equal("two tangents", figure.length(p, t), figure.length(p, u))


def length_statements(figure: Figure, lengths: Equalities) -> Iterator[Statement]:
    """All statements about lengths and areas."""
    for line in figure.lines:
        for a, b, c in combinations(line, 3):
            parts = figure.length(a, b), figure.length(b, c)
            whole = figure.length(a, c)
            yield from total("parts of a segment", [(parts[0], 1), (parts[1], 1), (whole, -1)])
            if lengths.same(*parts):
                for part in parts:
                    yield from total("midpoint", [(whole, 1), (part, -2)])
    for corners in figure.triangles:
        for top, p, q in (corners, (corners[1], corners[2], corners[0]), (corners[2], corners[0], corners[1])):
            yield from _right_triangles(figure, lengths, top, p, q)
            yield from _isosceles(figure, lengths, top, p, q)
            yield from _cevians(figure, lengths, top, p, q)
            yield from _midlines(figure, lengths, top, p, q)
    yield from _similar(figure)
    yield from _powers(figure)
    for names in quadrilaterals(figure):
        if is_parallelogram(figure, names):
            yield from _parallelogram(figure, names)


def _right_triangles(figure: Figure, lengths: Equalities, top: str, p: str, q: str) -> Iterator[Statement]:
    """Theorems of a triangle whose corner at ``top`` is a right angle."""
    if not _measures(figure, figure.angle(p, top, q), 90):
        return
    right = [(figure.angle(p, top, q), _RIGHT)]
    legs, long = (figure.length(top, p), figure.length(top, q)), figure.length(p, q)
    yield from squares("Pythagoras", [(legs[0], 1), (legs[1], 1), (long, -1)], right)
    for at, leg in ((p, legs[0]), (q, legs[1])):
        facing = legs[1] if leg == legs[0] else legs[0]
        for angle, ratios in _SPECIAL:
            corner = figure.angle(top, at, q if at == p else p)
            if not _measures(figure, corner, angle):
                continue
            needs = [*right, (corner, angle)]
            for (one, other), ratio in zip(((facing, long), (leg, long), (facing, leg)), ratios, strict=True):
                yield from product("special right triangle", [(one, 1), (other, -1)], ratio, needs)
    for middle in figure.through(p, q):
        if middle in (p, q) or figure.line(top, middle) is None:
            continue
        if lengths.same(figure.length(p, middle), figure.length(middle, q)):
            half = figure.length(top, middle)
            yield from total("median to the hypotenuse", [(long, 1), (half, -2)], 0, right)


def _measures(figure: Figure, angle: Quantity | None, value: Fraction | float) -> bool:
    """Whether an angle has a value in this figure.

    A premise that is false here can never be derived.
    """
    return angle is not None and abs(figure.measure(angle) - float(value)) < 1e-6


def _isosceles(figure: Figure, lengths: Equalities, top: str, p: str, q: str) -> Iterator[Statement]:
    """Equal angles face equal sides, and the altitude halves the base."""
    sides = figure.length(top, p), figure.length(top, q)
    angles = figure.angle(top, p, q), figure.angle(top, q, p)
    if not lengths.same(*sides):
        if angles[1] is not None and _measures(figure, angles[0], figure.measure(angles[1])):
            yield from equal("equal angles face equal sides", *sides, (), [angles])
        return
    for foot in figure.through(p, q):
        if foot in (p, q) or figure.line(top, foot) is None:
            continue
        right = [(figure.angle(top, foot, p), _RIGHT)]
        yield from equal("axis of an isosceles triangle", figure.length(p, foot), figure.length(foot, q), right)
        yield from equal("axis of an isosceles triangle", figure.angle(p, top, foot), figure.angle(foot, top, q), right)


def _cevians(figure: Figure, lengths: Equalities, top: str, p: str, q: str) -> Iterator[Statement]:
    """Areas, and the bisector of an angle."""
    line = figure.through(p, q)
    base, whole = figure.length(p, q), figure.area(top, p, q)
    for foot in line:
        if foot not in (p, q) and figure.line(top, foot) is None:
            continue
        other = p if foot == q else q
        height = figure.length(top, foot)
        right = [(figure.angle(top, foot, other), _RIGHT)]
        half = Surd.of(Fraction(1, 2))
        if _measures(figure, right[0][0], 90):
            yield from product("area of a triangle", [(whole, 1), (base, -1), (height, -1)], half, right)
        if line.index(foot) not in range(*sorted(line.index(end) for end in (p, q)))[1:]:
            continue
        parts = figure.length(p, foot), figure.length(foot, q)
        areas = figure.area(top, p, foot), figure.area(top, foot, q)
        yield from total("parts of an area", [(areas[0], 1), (areas[1], 1), (whole, -1)])
        ratio = [(areas[0], 1), (parts[1], 1), (areas[1], -1), (parts[0], -1)]
        yield from product("areas of equal height", ratio)
        yield from product("areas of equal height", [(areas[0], 1), (base, 1), (whole, -1), (parts[0], -1)])
        yield from product("areas of equal height", [(areas[1], 1), (base, 1), (whole, -1), (parts[1], -1)])
        same = [(figure.angle(p, top, foot), figure.angle(foot, top, q))]
        if same[0][1] is None or not _measures(figure, same[0][0], figure.measure(same[0][1])):
            continue
        divided = [(parts[0], 1), (figure.length(top, q), 1), (parts[1], -1), (figure.length(top, p), -1)]
        yield from product("angle bisector theorem", divided, None, (), same)


def _midlines(figure: Figure, lengths: Equalities, top: str, p: str, q: str) -> Iterator[Statement]:
    """The segment between two midpoints, and where medians meet."""
    middles = []
    for end in (p, q):
        on = figure.through(top, end)
        middles += [m for m in on if lengths.same(figure.length(top, m), figure.length(m, end)) and m not in (top, end)]
    if len(middles) < 2:
        return
    d, e = middles
    if figure.line(d, e) is not None:
        yield from total("midline", [(figure.length(p, q), 1), (figure.length(d, e), -2)])
        yield from equal("midline", figure.angle(top, d, e), figure.angle(top, p, q))
        yield from equal("midline", figure.angle(top, e, d), figure.angle(top, q, p))
    one, other = figure.line(p, e), figure.line(q, d)
    if one is None or other is None:
        return
    for x in sorted({*figure.lines[one]} & {*figure.lines[other]}):
        for corner, foot in ((p, e), (q, d)):
            yield from total("medians", [(figure.length(corner, x), 1), (figure.length(x, foot), -2)])


def _similar(figure: Figure) -> Iterator[Statement]:
    """Ratios in triangles with two pairs of equal angles."""
    for one, other in combinations(figure.triangles, 2):
        mine = [_corner(figure, one, at) for at in range(3)]
        if None in mine:
            continue
        sizes = [figure.measure(angle) for angle in mine if angle is not None]
        for turned in permutations(other):
            theirs = [_corner(figure, turned, at) for at in range(3)]
            if None in theirs or any(
                abs(figure.measure(angle) - size) > 1e-7
                for angle, size in zip(theirs, sizes, strict=True)
                if angle is not None
            ):
                continue
            for skipped in range(3):
                same = [(mine[at], theirs[at]) for at in range(3) if at != skipped]
                for i, j in ((0, 1), (1, 2), (0, 2)):
                    a, b = _side(figure, one, i), _side(figure, one, j)
                    c, d = _side(figure, turned, i), _side(figure, turned, j)
                    yield from product("similar triangles", [(a, 1), (d, 1), (b, -1), (c, -1)], None, (), same)
                areas = [(figure.area(*one), 1), (figure.area(*turned), -1)]
                ratio = [(_side(figure, one, skipped), -2), (_side(figure, turned, skipped), 2)]
                yield from product("areas of similar triangles", [*areas, *ratio], None, (), same)


def _corner(figure: Figure, names: Sequence[str], at: int) -> Quantity | None:
    return figure.angle(names[at - 1], names[at], names[at - 2])


def _side(figure: Figure, names: Sequence[str], at: int) -> Quantity:
    """The side opposite a corner."""
    return figure.length(names[at - 1], names[at - 2])


def _powers(figure: Figure) -> Iterator[Statement]:
    """The power of a point: chords, secants and tangents."""
    for at, circle in enumerate(figure.circles):
        for p, rays in figure.rays.items():
            if p in circle.points:
                continue
            products: list[list[tuple[Quantity, int]]] = []
            for line in sorted({ray.line for ray in rays}):
                on = [name for name in figure.lines[line] if name in circle.points]
                if len(on) == 2:
                    products.append([(figure.length(p, name), 1) for name in on])
                elif len(on) == 1 and (line, at, on[0]) in figure.tangents:
                    products.append([(figure.length(p, on[0]), 2)])
            for one, other in combinations(products, 2):
                if len(one) + len(other) > 2:
                    yield from product("power of a point", [*one, *((name, -power) for name, power in other)])


def _parallelogram(figure: Figure, names: tuple[str, str, str, str]) -> Iterator[Statement]:
    """Equal sides, and diagonals that halve each other."""
    a, b, c, d = names
    yield from equal("parallelogram", figure.length(a, b), figure.length(c, d))
    yield from equal("parallelogram", figure.length(a, d), figure.length(b, c))
    one, other = figure.line(a, c), figure.line(b, d)
    if one is not None and other is not None:
        for x in {*figure.lines[one]} & {*figure.lines[other]}:
            for p, q in ((a, c), (b, d)):
                yield from equal("diagonals of a parallelogram", figure.length(p, x), figure.length(x, q))
                yield from total("diagonals of a parallelogram", [(figure.length(p, q), 1), (figure.length(p, x), -2)])
