"""Amounts that are weights."""

from __future__ import annotations


def parse_amount(text: str) -> int:
    """The grams of a weight written like 300g, 2kg or 1.25kg, with at most three digits after the point."""
    if text.endswith("kg"):
        whole, _, rest = text[:-2].partition(".")
        return 1000 * int(whole) + int((rest + "000")[:3])
    return int(text.removesuffix("g"))


def show_amount(amount: int) -> str:
    """A weight in grams, written like 300g below a kilogram, and like 1.250kg from a kilogram on."""
    if amount < 1000:
        return f"{amount}g"
    return f"{amount // 1000}.{amount % 1000:03}kg"
