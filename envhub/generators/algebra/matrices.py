"""Exact matrices: lists of rows of integers or fractions.

::

    determinant([[1, 2], [3, 4]])        # -2
    echelon([[2, 4], [1, 2]])            # [[1, 2], [0, 0]], the reduced row echelon form
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from envhub.core.seeding import Stream

Matrix: TypeAlias = "list[list[Any]]"


def product(one: Sequence[Sequence[Any]], other: Sequence[Sequence[Any]]) -> Matrix:
    """The product of two matrices."""
    columns = [*zip(*other, strict=True)]
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one]


def echelon(matrix: Sequence[Sequence[Any]]) -> Matrix:
    """The reduced row echelon form."""
    return _reduced(matrix)[0]


def determinant(matrix: Sequence[Sequence[Any]]) -> Fraction:
    """The determinant of a square matrix."""
    rows, value = _reduced(matrix)
    return value if any(rows[-1]) else Fraction(0)


def inverse(matrix: Sequence[Sequence[Any]]) -> Matrix | None:
    """The inverse of a square matrix; None if the determinant is 0."""
    size = len(matrix)
    joined = [[*row, *(int(at == other) for other in range(size))] for at, row in enumerate(matrix)]
    rows = echelon(joined)
    return [row[size:] for row in rows] if rows[-1][size - 1] else None


def transposed(matrix: Sequence[Sequence[Any]]) -> Matrix:
    """Rows and columns swapped."""
    return [[*column] for column in zip(*matrix, strict=True)]


def null_space(matrix: Sequence[Sequence[Any]]) -> Matrix:
    """A basis of the vectors that the matrix maps to 0."""
    rows = [row for row in echelon(matrix) if any(row)]
    pivots = [next(at for at, one in enumerate(row) if one) for row in rows]
    basis: Matrix = []
    for free in (at for at in range(len(matrix[0])) if at not in pivots):
        vector = [Fraction(int(at == free)) for at in range(len(matrix[0]))]
        for row, pivot in zip(rows, pivots, strict=True):
            vector[pivot] = -row[free]
        basis.append(vector)
    return basis


def rank(matrix: Sequence[Sequence[Any]]) -> int:
    """The number of linearly independent rows."""
    return sum(map(any, echelon(matrix)))


def of_rank(rng: Stream, rows: int, columns: int, wanted: int, size: int) -> Matrix:
    """A random integer matrix of at most the wanted rank.

    It is the product of two matrices of small numbers.
    """
    left = [[rng.between(-2, 2) for _ in range(wanted)] for _ in range(rows)]
    right = [[rng.between(-size, size) for _ in range(columns)] for _ in range(wanted)]
    return product(left, right)


def triangular_product(rng: Stream, size: int, largest: int) -> Matrix:
    """A random invertible integer matrix with a small determinant.

    A lower times an upper triangular matrix.
    """

    def triangle(lower: bool, diagonal: int) -> Matrix:
        return [
            [
                rng.between(1, diagonal) * (1 - 2 * rng.below(2))
                if row == column
                else rng.between(-largest, largest) * int((row > column) == lower)
                for column in range(size)
            ]
            for row in range(size)
        ]

    return product(triangle(True, 1), triangle(False, 2))


def _reduced(matrix: Sequence[Sequence[Any]]) -> tuple[Matrix, Fraction]:
    """The reduced row echelon form, and the signed product of pivots.

    The sign is that of the row swaps.
    """
    rows = [[Fraction(one) for one in row] for row in matrix]
    done, value = 0, Fraction(1)
    for column in range(len(rows[0])):
        at = next((row for row in range(done, len(rows)) if rows[row][column]), None)
        if at is None:
            continue
        if at != done:
            rows[at], rows[done] = rows[done], rows[at]
            value = -value
        pivot = rows[done][column]
        value *= pivot
        rows[done] = [one / pivot for one in rows[done]]
        for row in range(len(rows)):
            factor = rows[row][column]
            if row != done and factor:
                rows[row] = [one - factor * other for one, other in zip(rows[row], rows[done], strict=True)]
        done += 1
        if done == len(rows):
            break
    return rows, value
