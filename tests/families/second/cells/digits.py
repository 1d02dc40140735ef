"""Puzzles with numbers in all cells, for clingo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from envhub.core.types import JSON
from tests.families.second.cells.asp import board, facts

LATIN: Final = """
    :- value(N), row(R), #count { X : v(X, N), at(X, R, _) } != 1.
    :- value(N), column(C), #count { X : v(X, N), at(X, _, C) } != 1.
"""
GIVEN: Final = ":- given(X, N), not v(X, N)."


def futoshiki(problem: JSON) -> str:
    clues = problem["clues"]
    return f"""
        {board(problem, range(1, problem["width"] + 1))} {LATIN} {GIVEN}
        {facts("given", [clue[1:] for clue in clues if clue[0] == "="])}
        {facts("less", [clue[1:] for clue in clues if clue[0] == "<"])}
        :- less(X, Y), v(X, M), v(Y, N), M >= N.
    """


def skyscrapers(problem: JSON) -> str:
    clues, size = problem["clues"], problem["width"]
    counted = (
        "#sum { N, X : visible(S, X), v(X, N) }" if problem["variant"] == "sums" else "#count { X : visible(S, X) }"
    )
    return f"""
        {board(problem, range(1, size + 1))} {LATIN} {GIVEN}
        {facts("given", [clue[1:] for clue in clues if clue[0] == "="])}
        {facts("view", [clue[1:] for clue in clues if clue[0] == "view"])}
        side(0..{4 * size - 1}).
        before(S, X, Y) :- side(S), S / {size} = 0, at(X, S, C), at(Y, S, D), C < D.
        before(S, X, Y) :- side(S), S / {size} = 1, at(X, S - {size}, C), at(Y, S - {size}, D), C > D.
        before(S, X, Y) :- side(S), S / {size} = 2, at(X, R, S - {2 * size}), at(Y, Q, S - {2 * size}), R < Q.
        before(S, X, Y) :- side(S), S / {size} = 3, at(X, R, S - {3 * size}), at(Y, Q, S - {3 * size}), R > Q.
        seen(S, X) :- before(S, X, _). seen(S, Y) :- before(S, _, Y).
        hidden(S, Y) :- before(S, X, Y), v(X, M), v(Y, N), M > N.
        visible(S, X) :- seen(S, X), not hidden(S, X).
        :- view(S, K), {counted} != K.
    """


def survo(problem: JSON) -> str:
    return f"""
        {board(problem, range(1, problem["height"] * problem["width"] + 1))} {GIVEN}
        {facts("given", problem["clues"])}
        {facts("row_sum", enumerate(problem["row_sums"]))} {facts("column_sum", enumerate(problem["column_sums"]))}
        :- value(N), #count {{ X : v(X, N) }} != 1.
        :- row_sum(R, K), #sum {{ N, X : v(X, N), at(X, R, _) }} != K.
        :- column_sum(C, K), #sum {{ N, X : v(X, N), at(X, _, C) }} != K.
    """


PROGRAMS: Final[Mapping[str, Callable[[JSON], str]]] = {
    "futoshiki-v0": futoshiki,
    "skyscrapers-v0": skyscrapers,
    "sum-skyscrapers-v0": skyscrapers,
    "survo-v0": survo,
}
