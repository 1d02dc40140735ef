"""Directions and names in rules, resolved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import Final

from envhub.generators.rewriting.syntax import GAP, GROUPS, PuzzleError, Row, Term

_TURNED: Final = {
    "up": {"^": "left", "v": "right", "<": "down", ">": "up"},
    "down": {"^": "right", "v": "left", "<": "up", ">": "down"},
    "left": {"^": "down", "v": "up", "<": "right", ">": "left"},
    "right": {"^": "up", "v": "down", "<": "left", ">": "right"},
}


def absolute(how: str, direction: str) -> str:
    """A movement without relative directions; groups keep where they came from."""
    if how in _TURNED[direction]:
        return _TURNED[direction][how]
    lying = direction in ("left", "right")
    if how == "parallel":
        return "horizontal_parallel" if lying else "vertical_parallel"
    if how == "perpendicular":
        return "vertical_perpendicular" if lying else "horizontal_perpendicular"
    return how


def group_of(how: str) -> str | None:
    """The group of directions that a movement names, or None."""
    group = how.partition("_")[0]
    return group if group in GROUPS else None


def shown(how: str) -> str:
    """A movement as it was written."""
    return how.rpartition("_")[2]


def turned_round(
    direction: str, left: tuple[Row, ...], right: tuple[Row, ...]
) -> tuple[str, tuple[Row, ...], tuple[Row, ...]]:
    """The same rule read downwards or to the right.

    A rule with a gap keeps its direction.
    """
    if direction in ("down", "right") or any(GAP in row for row in left):
        return direction, left, right
    other = "down" if direction == "up" else "right"
    return other, tuple(row[::-1] for row in left), tuple(row[::-1] for row in right)


def places(rows: tuple[Row, ...]) -> Iterator[tuple[tuple[int, int, int], Term]]:
    """All terms, with their row, cell and number."""
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            for t, term in enumerate(cell):
                yield (r, c, t), term


def mapped(rows: tuple[Row, ...], meant: Callable[[int, int, Term], Term]) -> tuple[Row, ...]:
    """The rows with each term replaced by its meaning."""
    return tuple(
        tuple(tuple(meant(r, c, term) for term in cell) for c, cell in enumerate(row)) for r, row in enumerate(rows)
    )


class MovementChoice:
    """The meaning of movement groups in one expansion of a rule.

    Args:
        line: The line of the rule.
        here: The choice for each such term of the left, by row, cell and term.
    """

    def __init__(self, line: int, here: Mapping[tuple[int, int, Term], str]) -> None:
        self._line, self._here = line, here

    def __call__(self, row: int, cell: int, term: Term) -> Term:
        """The term with one movement."""
        if group_of(term.how) is None:
            return term
        own = self._here.get((row, cell, term))
        same = [how for (_, _, other), how in self._here.items() if other == term]
        alike = [how for (_, _, other), how in self._here.items() if other.how == term.how]
        found = own or (same[0] if len(same) == 1 else alike[0] if len(alike) == 1 else None)
        if found is None:
            raise PuzzleError(
                self._line, f"the movement {shown(term.how)!r} of {term.name!r} does not follow from the left."
            )
        return Term(found, term.name)


class ObjectChoice:
    """The meaning of object groups in one expansion of a rule.

    Args:
        line: The line of the rule.
        here: The choice for each such term of the left, by row, cell and name.
        loose: Names that must have been chosen wherever they stand on the right.
    """

    def __init__(self, line: int, here: Mapping[tuple[int, int, str], str], loose: Set[str]) -> None:
        self._line, self._here, self._loose = line, here, loose

    def __call__(self, row: int, cell: int, term: Term) -> Term:
        """The term with one object."""
        own = self._here.get((row, cell, term.name))
        same = [name for (_, _, other), name in self._here.items() if other == term.name]
        if own is None and len(same) != 1:
            if term.name in self._loose:
                raise PuzzleError(
                    self._line, f"{term.name!r} on the right is defined with 'or' and does not follow from the left."
                )
            return term
        return Term(term.how, own or same[0])
