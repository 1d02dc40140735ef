"""Charts: patients with dated entries, as structured facts and in prose.

A chart is a list of JSON values, from which both the prose and the facts of a score follow, so they cannot disagree::

    patient = draw_patient(rng, score, Style(times=2, units=50, noise=2))
    facts_of(patient, score)      # {"age": 71, "sex": "F", "creatinine": Fraction(13, 10), "diabetes": True, ...}
    sentences(patient, 0)         # ["creatinine of 115 µmol/L", "Known diabetes mellitus.", ...]

The latest value of a quantity counts. A finding that is not mentioned is absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.numbers.clinical_calculator.formulas import meld_margin
from envhub.envs.numbers.clinical_calculator.items import BYSTANDERS, FINDINGS, GRADES, QUANTITIES, Quantity
from envhub.envs.numbers.clinical_calculator.scores import Facts, Score

_ROOM: Final = Fraction(3, 100)
"""Least distance of a value from the middle between two integers, before it is rounded."""
_SLACK: Final = (Fraction(994, 1000), Fraction(1006, 1000))
"""A converted quantity may be off by this much without changing the points."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a chart is written.

    Attributes:
        times: Maximum number of measurements of a quantity.
        units: Percentage of quantities in the other unit.
        noise: Number of sentences that say nothing of the score.
        silent: Percentage of absent findings that are not mentioned.
    """

    times: int
    units: int
    noise: int
    silent: int


def draw_patient(rng: Stream, score: Score, style: Style) -> JSON:
    """A patient with entries; None if the result would depend on rounding."""
    low, high = score.ages or (20, 90)
    patient: dict[str, JSON] = {"age": rng.between(low, high), "sex": rng.choice("FM")}
    entries: list[list[JSON]] = [[] for _ in range(style.times)]
    absent: list[str] = []
    skipped = set()
    for name in score.needs:
        if name in QUANTITIES:
            if name in skipped:
                continue
            for at in sorted(rng.sample(range(style.times), rng.between(1, style.times))):
                entries[at].append(_measured(rng, name, style))
        elif name in GRADES:
            degree = rng.choice(list(GRADES[name].degrees))
            entries[rng.below(style.times)].append(["grade", name, degree, rng.below(2), 0])
        else:
            present = rng.below(100) < 45
            if not present:
                absent.append(name)
                skipped |= {"norepinephrine"} if name == "pressor" else set()
            if present or rng.below(100) >= style.silent:
                entries[rng.below(style.times)].append(["finding", name, present, rng.below(2), 0])
    near = [name for name in absent if FINDINGS[name].near]
    for _ in range(style.noise):
        if near and rng.below(2):
            row = ["near", near.pop(rng.below(len(near))), "", 0, 0]
        else:
            row = ["by", "", "", rng.below(len(BYSTANDERS)), 0]
        where = entries[rng.below(style.times)]
        if row not in where:
            where.append(row)
    for entry in entries:
        rng.shuffle(entry)
    patient["entries"] = [entry for entry in entries if entry]
    return patient if _is_robust(patient, score) else None


def _measured(rng: Stream, name: str, style: Style) -> JSON:
    about = QUANTITIES[name]
    scale = 10**about.places
    value = Fraction(rng.between(round(about.low * scale), round(about.high * scale)), scale)
    places, unit = about.places, 0
    if about.other is not None and rng.below(100) < style.units:
        places, unit = about.other_places, 1
        value = Fraction(round(value / about.other[1] * 10**places), 10**places)
    return ["value", name, f"{float(value):.{places}f}", unit, rng.below(3)]


def facts_of(
    patient: JSON, score: Score, *, first: bool = False, unconverted: bool = False, slack: Fraction = Fraction(1)
) -> Facts:
    """The facts that a score uses.

    Args:
        patient: The patient.
        score: The score.
        first: Take the first value of each quantity instead of the latest: a usual mistake.
        unconverted: Do not convert units: a usual mistake.
        slack: Factor of converted quantities, to see whether their rounding matters.
    """
    facts: dict[str, Any] = {"age": patient["age"], "sex": patient["sex"]}
    facts |= {name: False for name in score.needs if name in FINDINGS}
    for entry in patient["entries"]:
        for kind, name, value, unit, _ in entry:
            if kind == "value" and not (first and name in facts):
                other = QUANTITIES[name].other
                converted = unit == 1 and other is not None and not unconverted
                facts[name] = Fraction(value) * (other[1] * slack if converted and other is not None else 1)
            elif kind in ("finding", "grade"):
                facts[name] = value
    return facts


def result(score: Score, facts: Facts) -> int:
    """The answer for a patient: points, or a scaled and rounded value."""
    value = score.rule(facts) * score.scale
    return value if isinstance(value, int) else floor(value + Fraction(1, 2))


def _is_robust(patient: JSON, score: Score) -> bool:
    """Whether small errors of rounding cannot change the result."""
    facts = facts_of(patient, score)
    right = result(score, facts)
    if not score.unit:
        return all(result(score, facts_of(patient, score, slack=slack)) == right for slack in _SLACK)
    value = Fraction(score.rule(facts)) * score.scale
    middle = abs(value - floor(value) - Fraction(1, 2))
    return value > 0 and middle > _ROOM and (score.name[:4] != "MELD" or meld_margin(facts) > _ROOM)


def sentences(patient: JSON, at: int) -> list[str]:
    """The sentences of an entry."""
    return [_sentence(*row) for row in patient["entries"][at]]


def _sentence(kind: str, name: str, value: Any, number: int, form: int) -> str:
    if kind == "value":
        about = QUANTITIES[name]
        amount = f"{value} {about.other[0] if number and about.other else about.unit}".rstrip()
        text = (f"{about.name} {amount}", f"{about.name} of {amount}", f"{about.name} was {amount}")[form]
        return f"{text[0].upper()}{text[1:]}."
    if kind == "grade":
        options = GRADES[name].degrees[value]
    elif kind == "finding":
        options = FINDINGS[name].yes if value else FINDINGS[name].no
    elif kind == "near":
        options = FINDINGS[name].near
    else:
        options = BYSTANDERS
    return options[number % len(options)]


def conversions(patients: JSON) -> list[str]:
    """How to convert the units that occur in charts."""
    names = {
        row[1]
        for patient in patients
        for entry in patient["entries"]
        for row in entry
        if row[0] == "value" and row[3] == 1
    }
    return [_conversion(about) for name, about in QUANTITIES.items() if name in names]


def _conversion(about: Quantity) -> str:
    assert about.other is not None
    unit, factor = about.other
    decimal = _decimal(factor)
    how = f"times {decimal}" if decimal else f"divided by {_decimal(1 / factor)}"
    return f"{about.name} in {about.unit} = {about.name} in {unit} {how}"


def _decimal(value: Fraction) -> str:
    """A fraction as a short decimal; empty if it has none."""
    text = f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
    return text if len(text) < 12 else ""
