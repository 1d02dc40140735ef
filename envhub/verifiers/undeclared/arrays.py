r"""Matrices and vectors in every notation, with sums, products, multiples and transposes.

::

    grid(r"\begin{pmatrix} 1 & 2 \end{pmatrix} + 2 \begin{pmatrix} 3 & 4 \end{pmatrix}")     # 7 and 10
    grid(r"\begin{pmatrix} 1 & 2 \end{pmatrix}^T")                                           # a column
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from typing import Final

from envhub.verifiers.math.expressions import Expression
from envhub.verifiers.math.groups import Matrix
from envhub.verifiers.math.lexer import NotMath, Token, closing, prepare, tokens_of
from envhub.verifiers.math.scalars import Scalar
from envhub.verifiers.math.tree import Tree, app
from envhub.verifiers.undeclared.formulas import computed, formula
from envhub.verifiers.undeclared.values import Grid

_BRACKETS: Final = re.compile(
    r"(?:\\left\s{0,4})?[\[(]\s{0,4}(\\begin\{[^{}]{1,12}\}.*\\end\{[^{}]{1,12}\})\s{0,4}(?:\\right\s{0,4})?[\])]\s{0,4}$",
    re.DOTALL,
)
_TRANSPOSED: Final = re.compile(r"\s?\^\s?\{?\s?(?:T|\\top|\\text\s?\{T\})\s?\}?$")
_MOST_MATRICES: Final = 4
_MOST_ENTRIES: Final = 64

_Rows = tuple[tuple[Tree, ...], ...]


class _Entry(Scalar):
    """An entry of a matrix: any expression."""

    name = "entry"

    def read(self, text: str) -> Tree:
        return formula(text, None)

    def of_tree(self, tree: Tree) -> Tree:
        return Expression().of_tree(tree)


_MATRIX: Final = Matrix(_Entry())


def grid(text: str) -> Grid:
    """The matrix in a spelled text.

    Raises:
        NotMath: The text cannot be read as such.
    """
    plain = _BRACKETS.sub(r"\1", text)
    if plain.count("\\begin") < 2:
        return Grid(_matrix(plain))
    terms = [*_terms(prepare(plain))]
    if len({(len(rows), len(rows[0])) for rows in terms}) > 1:
        raise NotMath("matrices of different sizes have no sum")
    cells = zip(*(_cells(rows) for rows in terms), strict=True)
    values = [computed(app("+", *cell)) if len(cell) > 1 else cell[0] for cell in cells]
    width = len(terms[0][0])
    return Grid(tuple(tuple(values[at : at + width]) for at in range(0, len(values), width)))


def _matrix(text: str) -> _Rows:
    """One matrix with its factor, transposed if the text says so."""
    plain, turned = _TRANSPOSED.subn("", text)
    rows = _MATRIX.read(plain)
    return tuple(zip(*rows, strict=True)) if turned else rows


def _cells(rows: _Rows) -> Iterator[Tree]:
    return (cell for row in rows for cell in row)


def _terms(text: str) -> Iterator[_Rows]:
    """The terms of a sum of products of matrices."""
    tokens = tokens_of(text)
    starts = [0, *(i for i in _outside(tokens) if tokens[i].text in ("+", "-") and i), len(tokens)]
    if sum(token.kind == "begin" for token in tokens) > _MOST_MATRICES:
        raise NotMath("there are too many matrices")
    for start, end in pairwise(starts):
        sign = tokens[start].text if tokens[start].text in ("+", "-") and start else ""
        factors = [*_factors(text, tokens[start + bool(sign) : end])]
        product = reduce(_product, factors)
        yield tuple(tuple(app("neg", cell) for cell in row) for row in product) if sign == "-" else product


def _outside(tokens: Sequence[Token]) -> Iterator[int]:
    """The positions outside all brackets."""
    depth = 0
    for i, token in enumerate(tokens):
        depth += {"open": 1, "begin": 1, "close": -1, "end": -1}.get(token.kind, 0)
        if not depth:
            yield i


def _factors(text: str, tokens: Sequence[Token]) -> Iterator[_Rows]:
    """The matrices of a product, the first with a factor before it."""
    at = 0
    while at < len(tokens):
        begun = next((i for i in range(at, len(tokens)) if tokens[i].kind == "begin"), -1)
        end = closing(tokens, begun) if begun >= 0 else -1
        if end < 0 or (at and begun > at):
            raise NotMath("a product of matrices is expected")
        yield _matrix(text[tokens[at].start : tokens[end].end])
        at = end + 1
        at += at < len(tokens) - 1 and tokens[at].text == "*"


def _product(one: _Rows, other: _Rows) -> _Rows:
    """The product of two matrices."""
    if len(one[0]) != len(other) or len(one) * len(other[0]) > _MOST_ENTRIES or len(other) > _MOST_ENTRIES:
        raise NotMath("the matrices have no product")
    columns = [*zip(*other, strict=True)]
    return tuple(tuple(_dot(row, column) for column in columns) for row in one)


def _dot(row: Sequence[Tree], column: Sequence[Tree]) -> Tree:
    products = [app("*", a, b) for a, b in zip(row, column, strict=True)]
    return computed(app("+", *products)) if len(products) > 1 else computed(products[0])


def flat(value: Grid) -> tuple[Tree, ...] | None:
    """The entries of a single row or column; None for other matrices."""
    if len(value.rows) == 1:
        return value.rows[0]
    return tuple(row[0] for row in value.rows) if len(value.rows[0]) == 1 else None
