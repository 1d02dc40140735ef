"""Puzzles whose cells name directions, sides or dots, for clingo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from envhub.core.types import JSON
from tests.families.second.cells.asp import board, facts

_FOUR: Final = (
    "step(1, -1, 0). step(2, 0, 1). step(3, 1, 0). step(4, 0, -1). back(1, 3). back(3, 1). back(2, 4). back(4, 2)."
)
_NEXT: Final = "next(X, D, Y) :- at(X, R, C), step(D, I, J), at(Y, R + I, C + J)."
_GIVEN: Final = ":- given(X, N), not v(X, N)."
_PAIRED: Final = """
    :- v(X, D), D > 0, not next(X, D, _).
    :- v(X, D), next(X, D, Y), back(D, E), not v(Y, E).
"""


def arrow_maze(problem: JSON) -> str:
    numbers = [(cell, number) for cell, number in enumerate(problem["numbers"]) if number is not None]
    return f"""
        {board(problem, range(9))} {facts("number", numbers)} {facts("given", problem["clues"])} {_GIVEN} {_NEXT}
        step(1, -1, 0). step(2, -1, 1). step(3, 0, 1). step(4, 1, 1). step(5, 1, 0). step(6, 1, -1). step(7, 0, -1).
        step(8, -1, -1).
        numbered(X) :- number(X, _).
        :- numbered(X), not v(X, 0). :- v(X, 0), not numbered(X).
        from(X, Y) :- v(Y, D), next(X, D, Y), numbered(X).
        from(X, Z) :- from(X, Y), v(Y, D), v(Z, D), next(Y, D, Z).
        :- cell(Y), not numbered(Y), not from(_, Y).
        :- number(X, K), #count {{ Y : from(X, Y) }} != K.
    """


def stitches(problem: JSON) -> str:
    return f"""
        {board(problem, range(5))} {_FOUR} {_NEXT} {_PAIRED} {facts("given", problem["clues"])} {_GIVEN}
        {facts("region", enumerate(problem["regions"]))} {facts("total", enumerate(problem["counts"]))}
        :- v(X, D), next(X, D, Y), region(X, A), region(Y, A).
        neighbours(A, B) :- beside(X, Y), region(X, A), region(Y, B), A < B.
        :- neighbours(A, B), #count {{ X : v(X, D), next(X, D, Y), region(X, A), region(Y, B) }} != 1.
        :- total(R, K), row(R), #count {{ X : at(X, R, _), not v(X, 0) }} != K.
        :- total(K, N), column(C), K = C + {problem["height"]}, #count {{ X : at(X, _, C), not v(X, 0) }} != N.
    """


def pipes(problem: JSON) -> str:
    turns = "turned(T, T) :- tile(_, T). turned(T, (2 * N) \\ 16 + N / 8) :- turned(T, N)."
    return f"""
        {board(problem, range(16))} {_FOUR} {_NEXT} {facts("given", problem["clues"])} {_GIVEN}
        {facts("tile", enumerate(problem["tiles"]))} {turns}
        :- v(X, N), tile(X, T), not turned(T, N).
        open(X, D) :- v(X, N), step(D, _, _), (N / 2 ** (D - 1)) \\ 2 = 1.
        :- open(X, D), not next(X, D, _).
        :- open(X, D), next(X, D, Y), back(D, E), not open(Y, E).
        joined(X, Y) :- open(X, D), next(X, D, Y).
        reached(0). reached(Y) :- reached(X), joined(X, Y).
        :- cell(X), not reached(X).
        :- #count {{ X, Y : joined(X, Y), X < Y }} != {problem["height"] * problem["width"] - 1}.
    """


def slant(problem: JSON) -> str:
    wide = problem["width"] + 1
    return f"""
        {board(problem, (0, 1))} {facts("total", problem["clues"])}
        joined(P, Q) :- at(X, R, C), v(X, 0), P = R * {wide} + C, Q = P + {wide + 1}.
        joined(P, Q) :- at(X, R, C), v(X, 1), P = R * {wide} + C + 1, Q = P + {wide - 1}.
        end(P, P, Q) :- joined(P, Q). end(Q, P, Q) :- joined(P, Q).
        :- total(P, K), #count {{ A, B : end(P, A, B) }} != K.
        corner(0..{(problem["height"] + 1) * wide - 1}).
        gone(P, Q) :- joined(P, Q), loose(P, Q). gone(P, Q) :- joined(P, Q), loose(Q, P).
        loose(P, Q) :- joined(P, Q), gone(A, B) : end(P, A, B), (A, B) != (P, Q).
        loose(Q, P) :- joined(P, Q), gone(A, B) : end(Q, A, B), (A, B) != (P, Q).
        :- joined(P, Q), not gone(P, Q).
    """


def dominosa(problem: JSON) -> str:
    return f"""
        {board(problem, range(1, 5))} {_FOUR} {_NEXT} {_PAIRED} {facts("given", problem["clues"])} {_GIVEN}
        {facts("number", enumerate(problem["numbers"]))}
        domino(A, B, X) :- v(X, D), next(X, D, Y), X < Y, number(X, A), number(Y, B), A <= B.
        domino(B, A, X) :- v(X, D), next(X, D, Y), X < Y, number(X, A), number(Y, B), A > B.
        pair(A, B) :- number(_, A), number(_, B), A <= B.
        :- pair(A, B), #count {{ X : domino(A, B, X) }} != 1.
    """


def galaxies(problem: JSON) -> str:
    dots = [(number, row, column) for number, (row, column) in enumerate(problem["dots"], 1)]
    return f"""
        {board(problem, range(1, len(dots) + 1))} {facts("given", problem["clues"])} {_GIVEN} {facts("dot", dots)}
        touched(K, X) :- dot(K, I, J), at(X, R, C), |2 * R - I| <= 1, |2 * C - J| <= 1.
        :- touched(K, X), not v(X, K).
        twin(K, X, Y) :- dot(K, I, J), at(X, R, C), at(Y, I - R, J - C).
        :- v(X, K), not twin(K, X, _).
        :- v(X, K), twin(K, X, Y), not v(Y, K).
        from(K, X) :- dot(K, _, _), X = #min {{ Y : touched(K, Y) }}.
        from(K, Y) :- from(K, X), beside(X, Y), v(Y, K).
        :- v(X, K), not from(K, X).
    """


PROGRAMS: Final[Mapping[str, Callable[[JSON], str]]] = {
    "arrow-maze-v0": arrow_maze,
    "dominosa-v0": dominosa,
    "galaxies-v0": galaxies,
    "pipes-v0": pipes,
    "slant-v0": slant,
    "stitches-v0": stitches,
}
