"""Compares the rows of a query with the right ones.

Rows count as often as they occur, in any order unless some columns say which. Numbers are compared by value: 3.0 is 3, as in
SQL, and fractions may differ by a millionth. Everything else is compared by type as well::

    alike([[2.0, "b"], [1, "a"]], [[1, "a"], [2, "b"]])            # True
    alike([[2, "b"], [1, "a"]], [[1, "a"], [2, "b"]], order=(1,))  # False
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

_CLOSE: Final = 1e-6


def alike(value: Sequence[Any], rows: list[list[Any]], order: Sequence[int] = ()) -> bool:
    """Whether two answers have the same rows, equally often and equally sorted.

    Args:
        value: The rows to judge.
        rows: The right rows.
        order: Numbers of the columns that rows are sorted by, from 1 on, in either direction. Rows that are equal in these
            columns may be exchanged.
    """
    if len(value) != len(rows):
        return False
    left = list(rows)
    for row in value:
        at = next((at for at, other in enumerate(left) if _same_row(row, other)), None)
        if at is None:
            return False
        del left[at]
    keys = [abs(key) - 1 for key in order]
    return all(same_cell(row[key], other[key]) for row, other in zip(value, rows, strict=True) for key in keys)


def _same_row(row: Any, other: Sequence[Any]) -> bool:
    return isinstance(row, list | tuple) and len(row) == len(other) and all(map(same_cell, row, other))


def same_cell(value: Any, expected: Any) -> bool:
    """Whether two cells are equal.

    Numbers are compared by value, everything else by type as well.
    """
    if type(value) in (int, float) and type(expected) in (int, float):
        if type(expected) is float and not expected.is_integer():
            try:
                return math.isclose(value, expected, rel_tol=_CLOSE, abs_tol=_CLOSE / 1000)
            except OverflowError:
                return False
        return bool(value == expected)
    return type(value) is type(expected) and bool(value == expected)
