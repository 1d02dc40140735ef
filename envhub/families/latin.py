"""Latin squares in grid puzzles: rules in words, and as laws."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase
from envhub.core.types import JSON
from envhub.families.cells import Laws
from envhub.families.given import Given
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


class LatinSquare(Given):
    """A puzzle whose solution is a Latin square."""

    def domains(self, problem: JSON) -> list[int]:
        """1 to the side."""
        return [full_mask(problem["width"])] * problem["width"] ** 2

    def laws(self, problem: JSON) -> Laws:
        """Each number once in every row and column."""
        size = problem["width"]
        return {
            "A row repeats a number.": [Different(line, full_mask(size)) for line in rows(size, size)],
            "A column repeats a number.": [Different(line, full_mask(size)) for line in columns(size, size)],
        }


def full_mask(size: int) -> int:
    """The mask of the numbers 1 to ``size``."""
    return (1 << size + 1) - 2
