"""Posing: a figure, given values, and one that follows from them.

The answer is derived, never measured: it is the result of a deduction from the given values, by theorems that hold in every
figure with the same facts. No given value can be left out. The figure is drawn with other numbers, so it is not to scale.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.pictures.geometry.angles import angle_statements
from envhub.envs.pictures.geometry.construct import Step, built
from envhub.envs.pictures.geometry.deduction import Deduction
from envhub.envs.pictures.geometry.equalities import Equalities
from envhub.envs.pictures.geometry.figure import Figure, Impossible, Quantity
from envhub.envs.pictures.geometry.growing import grown
from envhub.envs.pictures.geometry.lengths import equal_lengths, length_statements
from envhub.envs.pictures.geometry.statements import Statement
from envhub.envs.pictures.geometry.surds import Surd

_NEAR: Final = 1e-8
_CHOICES: Final = 10
_ASKED: Final = 3
_DRAWINGS: Final = 12
_MOST_GIVENS: Final = 6
_APART: Final = 0.0993  # of the size of the figure; no bound is a ratio that figures have
_ASIDE: Final = 0.0607
_OFF: Final = 0.0103  # from the extension of a line
_NARROW: Final = 10.7
_LONGEST: Final = 16
"""Characters of an answer."""


class Posed(NamedTuple):
    """A question about a figure.

    Attributes:
        figure: The figure with the given values.
        drawn: The figure with other values, for the drawing.
        givens: The given values.
        asked: The quantity that is asked for.
        answer: Its value.
        theorems: The theorems of the deduction, the last one first.
    """

    figure: Figure
    drawn: Figure
    givens: dict[Quantity, Surd]
    asked: Quantity
    answer: Surd
    theorems: list[str]


def posed(rng: Stream, steps: int, further: int) -> Posed | None:
    """A question that takes some deductions; None to draw again."""
    growth = grown(rng, further)
    if growth is None or not is_clear(growth.figure):
        return None
    figure = growth.figure
    statements, equalities = theory(figure)
    start = Deduction(statements, equalities)
    start.run({quantity: Surd.of(90) for quantity in right_angles(figure)})
    fixed = set(start.values)
    candidates = {one: value for one, value in _candidates(figure).items() if one not in fixed}
    for _ in range(_CHOICES):
        chosen = _chosen(rng, figure, start, candidates, steps)
        if chosen is None:
            continue
        givens, asked, found = chosen
        drawn = _drawing(rng, growth.steps, figure, givens, asked)
        if drawn is not None:
            derived, _ = found.proof(asked)
            theorems = [found.reasons[one].theorem for one in derived]
            return Posed(figure, drawn, givens, asked, found.values[asked], theorems)
    return None


def theory(figure: Figure) -> tuple[list[Statement], Equalities]:
    """The statements about a figure, and what is equal by them.

    Some whose premises are false in it are left out.
    """
    figure.forget()
    equal = list(equal_lengths(figure))
    lengths = Equalities(equal)
    statements = [*equal, *angle_statements(figure, lengths), *length_statements(figure, lengths)]
    return statements, Equalities(statements)


def right_angles(figure: Figure) -> list[Quantity]:
    """The right angles among the facts."""
    return [angle for angle in (figure.angle(*corner) for corner in figure.right) if angle is not None]


def _candidates(figure: Figure) -> dict[Quantity, Surd]:
    """Quantities that can be marked and have a simple value."""
    found: list[Quantity] = []
    for vertex, rays in figure.rays.items():
        for one, other in combinations(rays, 2):
            angle = figure.angle(one.points[0], vertex, other.points[0])
            if angle is not None and figure.adjacent(angle):
                found.append(angle)
    for line in figure.lines:
        found += [figure.length(a, b) for a, b in pairwise(line)]
    values = {one: exact(figure, one) for one in found}
    return {one: value for one, value in values.items() if value is not None}


def exact(figure: Figure, quantity: Quantity) -> Surd | None:
    """The exact value of a measure: half degrees, quarters, or roots."""
    value = figure.measure(quantity)
    parts = 2 if quantity[0] == "angle" else 4
    near = Fraction(round(value * parts), parts)
    if near > 0 and abs(value - near) < _NEAR:
        return Surd.of(near)
    square = round(value**2)
    if quantity[0] == "angle" or square > 3000 or abs(value**2 - square) > _NEAR:
        return None
    root = Surd.root(Fraction(square))
    return root if root is not None and root.terms[0][0] < 100 else None


def _chosen(
    rng: Stream, figure: Figure, start: Deduction, candidates: Mapping[Quantity, Surd], steps: int
) -> tuple[dict[Quantity, Surd], Quantity, Deduction] | None:
    """Given values, a quantity that follows from them, and the deduction."""
    trial, order, most = start.copied(), list(candidates), rng.between(1, _MOST_GIVENS)
    rng.shuffle(order)
    for one in order:
        if one not in trial.values:
            trial.run({one: candidates[one]}, always=False)
            most -= 1
        if not most:
            break
    proofs = {one: trial.proof(one) for one in trial.reasons if one not in start.values}
    options = [one for one, (derived, _) in proofs.items() if steps <= len(derived) <= steps + 2]
    for asked in rng.sample(options, min(len(options), _ASKED)):
        givens = {one: trial.values[one] for one in proofs[asked][1] if one not in start.values}
        found = _proved(figure, start, givens, asked, steps)
        if found is not None:
            return givens, asked, found
    return None


def _proved(
    figure: Figure, start: Deduction, givens: dict[Quantity, Surd], asked: Quantity, steps: int
) -> Deduction | None:
    """The deduction, if it needs all given values and has these steps."""
    found = start.copied()
    found.run(givens, always=False)
    if asked not in found.reasons or len(found.proof(asked)[0]) != steps:
        return None
    if not _askable(figure, asked, found.values[asked], givens):
        return None
    for left_out in givens:
        without = start.copied()
        without.run({one: value for one, value in givens.items() if one != left_out}, always=False)
        if asked in without.values:
            return None
    return found


def _askable(figure: Figure, asked: Quantity, value: Surd, givens: dict[Quantity, Surd]) -> bool:
    """Whether a value is worth asking for, and agrees with the figure."""
    if not givens or value in givens.values() or len(value.text()) > _LONGEST:
        return False
    if abs(float(value) - figure.measure(asked)) > 1e-6 * max(1.0, float(value)):
        return False
    number = value.rational()
    if asked[0] == "angle":
        return number is not None and 8 <= number <= 172 and number.denominator <= 4 and number % 90 != 0
    return number is None or number.denominator <= 60


def _drawing(
    rng: Stream, steps: Sequence[Step], figure: Figure, givens: dict[Quantity, Surd], asked: Quantity
) -> Figure | None:
    """The figure with other numbers, which hide the answer."""
    order = figure.order()
    for _ in range(_DRAWINGS):
        other = [step._replace(numbers=tuple(_other(rng, one) for one in step.numbers)) for step in steps]
        try:
            drawn = built(other)
        except Impossible:
            continue
        drawn.forget()
        if (
            drawn.lines == figure.lines
            and is_clear(drawn)
            and drawn.order() == order
            and _hides(figure, drawn, givens, asked)
        ):
            return drawn
    return None


def _other(rng: Stream, number: float) -> float:
    return number * (1 + rng.between(-25, 25) / 100)


def _hides(figure: Figure, drawn: Figure, givens: dict[Quantity, Surd], asked: Quantity) -> bool:
    """Whether a measured answer is wrong.

    Whichever given length the drawing is scaled by.
    """
    if asked[0] == "angle":
        return abs(drawn.measure(asked) - figure.measure(asked)) > 4.07
    power = 2 if asked[0] == "area" else 1
    ratio = drawn.measure(asked) / figure.measure(asked)
    lengths = [one for one in givens if one[0] == "length"]
    return all(abs((drawn.measure(one) / figure.measure(one)) ** power / ratio - 1) > 0.0507 for one in lengths)


def is_clear(figure: Figure) -> bool:
    """Whether everything is far enough from everything else to be seen."""
    figure.forget()
    places = list(figure.points.values())
    size = max(abs(a - b) for a, b in combinations(places, 2))
    if min(abs(a - b) for a, b in combinations(places, 2)) < _APART * size:
        return False
    for line in figure.lines:
        a, b = figure.points[line[0]], figure.points[line[-1]]
        for name, at in figure.points.items():
            if name in line:
                continue
            along = ((at - a) * (b - a).conjugate()).real / abs(b - a) ** 2
            beside = at - a - min(1.0, max(0.0, along)) * (b - a)
            if abs(beside) < _ASIDE * size or abs(at - a - along * (b - a)) < _OFF * size:
                return False
    for rays in figure.rays.values():
        gaps = [(ray.turn - rays[at - 1].turn) % 360 for at, ray in enumerate(rays)]
        if len(rays) > 1 and min(gaps) < _NARROW:
            return False
    for circle in figure.circles:
        if not 0.1213 * size < circle.radius < 0.7513 * size:
            return False
        for name, at in figure.points.items():
            if name not in circle.points and abs(abs(at - circle.middle) - circle.radius) < 0.0507 * size:
                return False
    return True
