"""Exact decimals: drawing, writing and rounding."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Final

from envhub.core.seeding import Stream

ROUNDINGS: Final[Mapping[str, str]] = {
    "half away from zero": "A result exactly halfway between two candidates is rounded away from zero.",
    "half to even": "A result exactly halfway between two candidates is rounded to the one whose last digit is even.",
    "towards zero": "Digits after the last kept one are dropped, whatever they are.",
    "down": "A result with more places is rounded down, to the next smaller number with that many, also if negative.",
    "up": "A result with more places is rounded up, to the next larger number with that many, also if negative.",
}
"""Rules of rounding, each with its explanation."""


def draw_decimal(rng: Stream, digits: int, places: int) -> str:
    """A positive decimal whose last digit is not 0.

    At most ``digits`` digits stand before the point.
    """
    whole = rng.below(10**digits)
    part = rng.below(10 ** (places - 1)) * 10 + rng.between(1, 9)
    return f"{whole}.{part:0{places}}"


def write(value: Fraction) -> str:
    """The shortest text of a decimal: ``"-3.25"``.

    Raises:
        ValueError: The value has no finite decimal expansion.
    """
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
        if places > 400:
            raise ValueError(f"{value} has no finite decimal expansion")
    digits = f"{abs(value.numerator * 10**places // value.denominator):0{places + 1}}"
    sign = "-" if value < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def is_finite(value: Fraction) -> bool:
    """Whether a fraction has a finite decimal expansion."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def rounded(value: Fraction, places: int, rule: str) -> Fraction:
    """A number rounded to ``places`` decimal places, by one of :data:`ROUNDINGS`."""
    unit = Fraction(10) ** -places
    scaled = value / unit
    low, high = floor(scaled), ceil(scaled)
    if rule == "down" or (rule == "towards zero" and scaled >= 0):
        return low * unit
    if rule in ("up", "towards zero"):
        return high * unit
    if scaled - low != high - scaled:
        return (low if scaled - low < high - scaled else high) * unit
    if rule == "half to even":
        return (low if low % 2 == 0 else high) * unit
    return (high if scaled > 0 else low) * unit


def leading_place(value: Fraction) -> int:
    """The exponent of the first non-zero digit: 2 for 345.6."""
    size, place = abs(value), 0
    while size >= 10:
        size, place = size / 10, place + 1
    while size < 1:
        size, place = size * 10, place - 1
    return place
