"""Money in cents."""

from __future__ import annotations


def parse_money(text: str) -> int:
    """The cents of a sum such as 12, 12.5, 12.50 or -0.75."""
    whole, _, rest = text.removeprefix("-").partition(".")
    cents = 100 * int(whole or "0") + int((rest + "00")[:2])
    return -cents if text.startswith("-") else cents


def show_money(cents: int) -> str:
    """A sum in cents with two digits after the point, and a minus sign in front if it is below 0."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def percent_of(cents: int, percent: int) -> int:
    """A percentage of a sum of at least 0, rounded to whole cents, halves up."""
    return (2 * cents * percent + 100) // 200


def split_evenly(cents: int, parts: int) -> list[int]:
    """A sum of at least 0 in parts that differ by at most one cent, the larger parts first."""
    each, rest = cents // parts, cents % parts
    return [each + 1 if place < rest else each for place in range(parts)]
