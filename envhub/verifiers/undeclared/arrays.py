"""Matrices and vectors in every notation."""

from __future__ import annotations

import re
from typing import Final

from envhub.verifiers.math.expressions import Expression
from envhub.verifiers.math.groups import Matrix
from envhub.verifiers.math.scalars import Scalar
from envhub.verifiers.math.tree import Tree
from envhub.verifiers.undeclared.formulas import formula
from envhub.verifiers.undeclared.values import Grid

_BRACKETS: Final = re.compile(
    r"(?:\\left\s{0,4})?[\[(]\s{0,4}(\\begin\{[^{}]{1,12}\}.*\\end\{[^{}]{1,12}\})\s{0,4}(?:\\right\s{0,4})?[\])]\s{0,4}$",
    re.DOTALL,
)
_TRANSPOSED: Final = re.compile(r"\s?\^\s?\{?\s?(?:T|\\top|\\text\s?\{T\})\s?\}?$")


class _Entry(Scalar):
    """An entry of a matrix: any expression."""

    name = "entry"

    def read(self, text: str) -> Tree:
        return formula(text, None)

    def of_tree(self, tree: Tree) -> Tree:
        return Expression().of_tree(tree)


def grid(text: str) -> Grid:
    """The matrix in a spelled text, transposed if the text says so.

    Raises:
        NotMath: The text cannot be read as such.
    """
    plain, turned = _TRANSPOSED.subn("", text)
    rows = Matrix(_Entry()).read(_BRACKETS.sub(r"\1", plain))
    return Grid(tuple(zip(*rows, strict=True)) if turned else rows)


def flat(value: Grid) -> tuple[Tree, ...] | None:
    """The entries of a single row or column; None for other matrices."""
    if len(value.rows) == 1:
        return value.rows[0]
    return tuple(row[0] for row in value.rows) if len(value.rows[0]) == 1 else None
