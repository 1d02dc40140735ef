"""Puzzles with 0 or 1 in each cell, for clingo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from envhub.core.types import JSON
from tests.families.second.cells.asp import board, facts


def kakurasu(problem: JSON) -> str:
    size = problem["width"]
    return f"""
        {board(problem, (0, 1))} {facts("total", problem["clues"])}
        :- total(R, K), R < {size}, #sum {{ C + 1, X : v(X, 1), at(X, R, C) }} != K.
        :- total(C, K), C >= {size}, #sum {{ R + 1, X : v(X, 1), at(X, R, C - {size}) }} != K.
    """


def binario(problem: JSON) -> str:
    differ = """
        other_row(R, S) :- at(X, R, C), at(Y, S, C), R < S, v(X, N), not v(Y, N).
        other_column(C, D) :- at(X, R, C), at(Y, R, D), C < D, v(X, N), not v(Y, N).
        :- row(R), row(S), R < S, not other_row(R, S).
        :- column(C), column(D), C < D, not other_column(C, D).
    """
    return f"""
        {board(problem, (0, 1))} {facts("given", problem["clues"])} {differ if problem["distinct"] else ""}
        :- given(X, N), not v(X, N).
        :- row(R), #count {{ X : v(X, 1), at(X, R, _) }} != {problem["width"] // 2}.
        :- column(C), #count {{ X : v(X, 1), at(X, _, C) }} != {problem["width"] // 2}.
        :- at(X, R, C), at(Y, R, C + 1), at(Z, R, C + 2), v(X, N), v(Y, N), v(Z, N).
        :- at(X, R, C), at(Y, R + 1, C), at(Z, R + 2, C), v(X, N), v(Y, N), v(Z, N).
    """


PROGRAMS: Final[Mapping[str, Callable[[JSON], str]]] = {"binario-v0": binario, "kakurasu-v0": kakurasu}
