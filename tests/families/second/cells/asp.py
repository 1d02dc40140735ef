"""Grid puzzles by clingo: a program in which ``v(Cell, Value)`` is the grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import clingo

from envhub.core.types import JSON


def places(problem: JSON) -> str:
    """Cells with their rows, columns and neighbours."""
    height, width = problem["height"], problem["width"]
    return f"""
        row(0..{height - 1}). column(0..{width - 1}).
        at(R * {width} + C, R, C) :- row(R), column(C).
        cell(X) :- at(X, _, _).
        beside(X, Y) :- at(X, R, C), at(Y, S, D), |R - S| + |C - D| = 1.
        around(X, Y) :- at(X, R, C), at(Y, S, D), |R - S| <= 1, |C - D| <= 1, X != Y.
    """


def board(problem: JSON, values: Iterable[int]) -> str:
    """Cells, and exactly one value for each."""
    return f"""
        {places(problem)} value({";".join(map(str, values))}).
        1 {{ v(X, N) : value(N) }} 1 :- cell(X).
    """


def facts(name: str, rows: Iterable[Any]) -> str:
    """One fact per row: ``given(3, 1).``"""
    return " ".join(f"{name}({', '.join(map(str, row if isinstance(row, (list, tuple)) else [row]))})." for row in rows)


def lines(numbers: Iterable[Sequence[int]]) -> str:
    """Facts ``line(Line, Place, Cell)`` with places from 1."""
    return " ".join(f"line({n}, {at}, {cell})." for n, cells in enumerate(numbers) for at, cell in enumerate(cells, 1))


def solved(program: str, most: int = 2) -> list[tuple[int, ...]]:
    """Up to ``most`` grids, the values in the order of the cells."""
    control = clingo.Control([str(most), "--project=show", "--warn=none"])  # grids, not ways to derive them
    control.add("base", [], f"{program}\n#show v/2.")
    control.ground([("base", [])])
    found: list[tuple[int, ...]] = []
    with control.solve(yield_=True) as models:  # type: ignore[union-attr]
        for model in models:
            atoms = [[argument.number for argument in atom.arguments] for atom in model.symbols(shown=True)]
            found.append(tuple(value for _, value in sorted(atoms)))
    return found


def accepts(program: str, grid: Sequence[int]) -> bool:
    """Whether a grid is a solution."""
    return bool(solved(program + "".join(f":- not v({cell}, {value})." for cell, value in enumerate(grid)), most=1))
