"""Notations of decimal numbers, such as scientific and percent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from envhub.generators.numbers import decimals


class Notation(NamedTuple):
    """One way to write a positive decimal.

    Attributes:
        write: A number as text.
        read: The number of such a text.
        meaning: The sentence that explains it; empty if it needs none.
    """

    write: Callable[[Fraction], str]
    read: Callable[[str], Fraction]
    meaning: str


def _grouped(value: Fraction) -> str:
    whole, point, part = decimals.write(value).partition(".")
    return f"{int(whole):,}{point}{part}"


def _scientific(value: Fraction) -> str:
    place = decimals.leading_place(value)
    return f"{decimals.write(value / Fraction(10) ** place)}e{place}"


def _engineering(value: Fraction) -> str:
    place = decimals.leading_place(value) // 3 * 3
    return f"{decimals.write(value / Fraction(10) ** place)} * 10^{place}"


def _powered(text: str) -> Fraction:
    digits, _, place = text.replace(" * 10^", "e").partition("e")
    return Fraction(digits) * Fraction(10) ** int(place)


def _per(sign: str, parts: int) -> Notation:
    name = "percent" if parts == 100 else "per mille"
    return Notation(
        lambda value: f"{decimals.write(value * parts)}{sign}",
        lambda text: Fraction(text.removesuffix(sign)) / parts,
        f"5{sign} is 5 {name}, that is, 5 divided by {parts}.",
    )


NOTATIONS: Final[Mapping[str, Notation]] = {
    "plain": Notation(decimals.write, Fraction, ""),
    "grouped": Notation(_grouped, lambda text: Fraction(text.replace(",", "")), ""),
    "scientific": Notation(_scientific, _powered, "3e5 is 3 multiplied by 10^5."),
    "engineering": Notation(_engineering, _powered, "10^-3 is 1 divided by 10^3."),
    "percent": _per("%", 100),
    "per mille": _per("\u2030", 1000),
    "thousands": Notation(
        lambda value: f"{decimals.write(value / 1000)} thousand",
        lambda text: Fraction(text.removesuffix(" thousand")) * 1000,
        "",
    ),
}
"""All notations, by name."""
