"""Cages in grid puzzles: regions with a result, and their pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.core.types import JSON
from envhub.families.pieces import Facts, Picture, letters, regions_of

_SEEN: Final = "A small text in the first cell of a cage states its letter and, after the colon, its result."


def cages_of(problem: JSON, results: Sequence[str]) -> tuple[Picture, Facts]:
    """The cages of a problem as letters, and the result of each."""
    facts = [f"{letters(cage)}: {result}" for cage, result in enumerate(results)]
    return regions_of(problem, "Cages"), Facts("Results of the cages", facts, located=False, seen=_SEEN)
