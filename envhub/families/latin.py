"""Latin squares in grid puzzles: the rules in words and as laws."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase
from envhub.families.cells import Laws
from envhub.generators.cells.board import columns, rows
from envhub.generators.cells.laws import Different

EACH_NUMBER_ONCE: Final = (
    Phrase(
        "Each row contains each of the numbers 1 to {size} exactly once.",
        "Every row uses all numbers from 1 to {size}, each of them once.",
        "In each row, the numbers 1 to {size} occur exactly once each.",
        held_out="The numbers in every row are a permutation of 1 to {size}.",
    ),
    Phrase(
        "Each column contains each of the numbers 1 to {size} exactly once.",
        "Every column uses all numbers from 1 to {size}, each of them once.",
        "In each column, the numbers 1 to {size} occur exactly once each.",
        held_out="The numbers in every column are a permutation of 1 to {size}.",
    ),
)


def each_number_once(size: int) -> Laws:
    """The laws of a Latin square of the numbers 1 to ``size``."""
    full = (1 << size + 1) - 2
    return {
        "A row repeats a number.": [Different(line, full) for line in rows(size, size)],
        "A column repeats a number.": [Different(line, full) for line in columns(size, size)],
    }
