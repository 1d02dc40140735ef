"""Rows of rules: where they match, and what they change.

Bit ``column * height + row`` of a plane stands for a cell. A row without ``...`` is tested at all cells at once. Matches
come in PuzzleScript's order: column by column, or row by row for rules that are read sideways. ::

    rows = Rows(width=6, height=5)
    row = rows.sized(line, "right")
    for match in rows.matches(row, starts(row, planes), planes):
        changed = change(row, match, planes)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from envhub.generators.rewriting.compiling import Line, Pattern

Match = tuple[int, ...]
"""The bits of the cells of a match, in order."""
_SIDEWAYS: Final = ("left", "right")


class SizedRow(NamedTuple):
    """A row on boards of one size.

    Attributes:
        fits: The cells at which it may begin.
        need: Planes and shifts that must be set; of the cells before a gap only, like the next two.
        ban: Planes and shifts that must not be set.
        either: Sets of planes, one of which must be set, and shifts.
        direction: Where it is read to.
        step: The change of the bit number from cell to cell.
        cells: Its cells.
        gap: The number of cells before its gap, or None.
    """

    fits: int
    need: tuple[tuple[int, int], ...]
    ban: tuple[tuple[int, int], ...]
    either: tuple[tuple[tuple[int, ...], int], ...]
    direction: str
    step: int
    cells: tuple[Pattern, ...]
    gap: int | None


class Rows:
    """Rows on boards of a width and a height."""

    def __init__(self, width: int, height: int) -> None:
        self._width, self._height = width, height
        self._steps = {"up": -1, "down": 1, "left": -height, "right": height}

    def sized(self, line: Line, direction: str) -> SizedRow:
        """A row, read in a direction."""
        step = self._steps[direction]
        head = line.cells if line.gap is None else line.cells[: line.gap]
        need = [(plane, at * step) for at, cell in enumerate(head) for plane in cell.need]
        need.sort(key=lambda test: -test[0])  # movements first: there are fewest of them
        ban = tuple((plane, at * step) for at, cell in enumerate(head) for plane in cell.ban)
        either = tuple((planes, at * step) for at, cell in enumerate(head) for planes in cell.either)
        fits = sum(
            1 << column * self._height + row
            for column in range(self._width)
            for row in range(self._height)
            if self._reach(column, row, direction) >= len(line.cells)
        )
        return SizedRow(fits, tuple(need), ban, either, direction, step, line.cells, line.gap)

    def ordered(self, bits: int, direction: str) -> list[int]:
        """The cells of a set, as bits in order."""
        found = []
        while bits:
            bit = bits & -bits
            found.append(bit)
            bits ^= bit
        if len(found) > 1 and direction in _SIDEWAYS:
            height = self._height
            found.sort(key=lambda bit: ((bit.bit_length() - 1) % height, bit))
        return found

    def matches(self, row: SizedRow, begins: int, planes: list[int]) -> list[Match]:
        """All matches, in order; ``begins`` is what :func:`starts` found."""
        first = self.ordered(begins, row.direction)
        if row.gap is None:
            if len(row.cells) == 1:
                return [(bit,) for bit in first]
            return [tuple(_along(bit, row.step, len(row.cells))) for bit in first]
        found = []
        for bit in first:
            head = tuple(_along(bit, row.step, row.gap))
            column, line = divmod(bit.bit_length() - 1, self._height)
            for gap in range(self._reach(column, line, row.direction) - len(row.cells) + 1):
                begin = _shifted(bit, row.step * (row.gap + gap))
                match = (*head, *_along(begin, row.step, len(row.cells) - row.gap))
                if fits(row, match, planes):
                    found.append(match)
        return found

    def _reach(self, column: int, row: int, direction: str) -> int:
        """The number of cells from here to the edge, this one included."""
        return {"up": row + 1, "down": self._height - row, "left": column + 1, "right": self._width - column}[direction]


def starts(row: SizedRow, planes: list[int]) -> int:
    """The cells at which a row, up to its gap, matches."""
    found = row.fits
    for plane, shift in row.need:
        found &= planes[plane] >> shift if shift >= 0 else planes[plane] << -shift
        if not found:
            return 0
    for plane, shift in row.ban:
        found &= ~(planes[plane] >> shift if shift >= 0 else planes[plane] << -shift)
    for either, shift in row.either:
        united = 0
        for plane in either:
            united |= planes[plane]
        found &= united >> shift if shift >= 0 else united << -shift
    return found


def fits(row: SizedRow, match: Match, planes: list[int]) -> bool:
    """Whether a match still holds."""
    return all(_cell_fits(cell, bit, planes) for cell, bit in zip(row.cells, match, strict=True))


def fits_from(row: SizedRow, bit: int, planes: list[int]) -> bool:
    """Whether a row without a gap still matches at a cell."""
    step = row.step
    for cell in row.cells:
        if not _cell_fits(cell, bit, planes):
            return False
        bit = bit << step if step > 0 else bit >> -step
    return True


def change(row: SizedRow, match: Match, planes: list[int]) -> bool:
    """Carry out the changes of a match; whether anything is different."""
    changed = False
    for cell, bit in zip(row.cells, match, strict=True):
        changed |= _cell_changed(cell, bit, planes)
    return changed


def change_from(row: SizedRow, bit: int, planes: list[int]) -> bool:
    """Carry out the changes of a row without a gap."""
    changed, step = False, row.step
    for cell in row.cells:
        if cell.change is not None:
            changed |= _cell_changed(cell, bit, planes)
        bit = bit << step if step > 0 else bit >> -step
    return changed


def _cell_fits(cell: Pattern, bit: int, planes: list[int]) -> bool:
    for plane in cell.need:
        if not planes[plane] & bit:
            return False
    for plane in cell.ban:
        if planes[plane] & bit:
            return False
    return all(any(planes[plane] & bit for plane in either) for either in cell.either)


def _cell_changed(cell: Pattern, bit: int, planes: list[int]) -> bool:
    changed = False
    if cell.change is not None:
        for plane in cell.change.clear:
            if planes[plane] & bit:
                planes[plane] ^= bit
                changed = True
        for plane in cell.change.set:
            if not planes[plane] & bit:
                planes[plane] |= bit
                changed = True
    return changed


def _along(bit: int, step: int, count: int) -> Iterator[int]:
    for _ in range(count):
        yield bit
        bit = _shifted(bit, step)


def _shifted(bit: int, by: int) -> int:
    return bit << by if by >= 0 else bit >> -by
