"""Quantities and lists in a sentence: ``1 move``, ``2 moves``, ``north, south and east``."""

from __future__ import annotations

from collections.abc import Iterable


def counted(count: int, noun: str, several: str = "") -> str:
    """A count with its noun.

    Args:
        count: How many.
        noun: The singular: ``box``.
        several: The plural, if it is not the singular with an s: ``boxes``.
    """
    return f"{count} {noun if count == 1 else several or noun + 's'}"


def and_list(words: Iterable[object]) -> str:
    """Words in a sentence: ``J``, ``J and Q``, ``J, Q and K``."""
    *most, last = map(str, words)
    return f"{', '.join(most)} and {last}" if most else last
