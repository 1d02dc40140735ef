"""Puzzles about loops, bridges and connected cells, for clingo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from envhub.core.types import JSON
from tests.families.second.cells.asp import board, facts

_SQUARES: Final = (
    ":- at(X, R, C), at(Y, R, C + 1), at(Z, R + 1, C), at(W, R + 1, C + 1), v(X, {0}), v(Y, {0}), v(Z, {0}), v(W, {0})."
)
_ONE_GROUP: Final = """
    seed(X) :- X = #min {{ Y : v(Y, {0}) }}.
    group(X) :- seed(X), cell(X). group(Y) :- group(X), beside(X, Y), v(Y, {0}).
    :- v(X, {0}), not group(X).
"""
_ONE_LOOP: Final = """
    line(Q, P) :- line(P, Q).
    on(P) :- line(P, _).
    :- on(P), #count { Q : line(P, Q) } != 2.
    first(P) :- P = #min { Q : on(Q) }.
    met(P) :- first(P), on(P). met(Q) :- met(P), line(P, Q).
    :- on(P), not met(P).
    :- not on(_).
"""


def masyu(problem: JSON) -> str:
    height, width = problem["height"], problem["width"]
    given = [(cell // width, cell % width, code) for cell, code in problem["clues"]]
    pearls = [(cell // width, cell % width, colour) for cell, colour in problem["pearls"]]
    return f"""
        {board({"height": height - 1, "width": width - 1}, (0, 1))}
        outside({(height - 1) * (width - 1)}). v(X, 0) :- outside(X).
        {facts("pearl", pearls)} {_ONE_LOOP}
        in(R, C) :- v(X, 1), at(X, R, C).
        middle(0..{height - 1}, 0..{width - 1}).
        differ(R, C, R, C - 1) :- middle(R, C), in(R, C), not in(R, C - 1).
        differ(R, C, R, C - 1) :- middle(R, C), not in(R, C), in(R, C - 1).
        differ(R, C, R - 1, C) :- middle(R, C), in(R, C), not in(R - 1, C).
        differ(R, C, R - 1, C) :- middle(R, C), not in(R, C), in(R - 1, C).
        line((R, C), (R + 1, C)) :- differ(R, C, R, C - 1).
        line((R, C), (R, C + 1)) :- differ(R, C, R - 1, C).
        bent(R, C) :- line((R, C), (_, D)), line((R, C), (S, _)), D != C, S != R.
        leave(R, C, 1) :- line((R, C), (R - 1, C)). leave(R, C, 2) :- line((R, C), (R, C + 1)).
        leave(R, C, 4) :- line((R, C), (R + 1, C)). leave(R, C, 8) :- line((R, C), (R, C - 1)).
        {facts("given", given)} :- given(R, C, N), #sum {{ S : leave(R, C, S) }} != N.
        :- pearl(R, C, _), not on((R, C)).
        :- pearl(R, C, 0), not bent(R, C).
        :- pearl(R, C, 0), line((R, C), (S, D)), bent(S, D).
        :- pearl(R, C, 1), bent(R, C).
        :- pearl(R, C, 1), not bent(S, D) : line((R, C), (S, D)).
    """


def bridges(problem: JSON) -> str:
    return f"""
        {board(problem, range(5))} {facts("island", problem["numbers"])}
        {facts("given", problem["clues"])} :- given(X, N), not v(X, N).
        land(X) :- island(X, _). :- land(X), not v(X, 0).
        wide(X, N) :- v(X, N), N >= 1, N <= 2. tall(X, N - 2) :- v(X, N), N >= 3.
        right(X, Y) :- at(X, R, C), at(Y, R, C + 1). down(X, Y) :- at(X, R, C), at(Y, R + 1, C).
        :- wide(X, N), right(X, Y), not land(Y), not wide(Y, N). :- wide(X, N), right(Y, X), not land(Y), not wide(Y, N).
        :- tall(X, N), down(X, Y), not land(Y), not tall(Y, N). :- tall(X, N), down(Y, X), not land(Y), not tall(Y, N).
        :- wide(X, _), not right(X, _). :- wide(X, _), not right(_, X).
        :- tall(X, _), not down(X, _). :- tall(X, _), not down(_, X).
        end(X, Y, N) :- land(X), wide(Y, N), right(X, Y). end(X, Y, N) :- land(X), wide(Y, N), right(Y, X).
        end(X, Y, N) :- land(X), tall(Y, N), down(X, Y). end(X, Y, N) :- land(X), tall(Y, N), down(Y, X).
        :- island(X, K), #sum {{ N, Y : end(X, Y, N) }} != K.
        go(X, Y) :- end(X, Y, _). go(Y, X) :- end(X, Y, _).
        go(X, Y) :- wide(X, _), wide(Y, _), right(X, Y). go(X, Y) :- wide(X, _), wide(Y, _), right(Y, X).
        go(X, Y) :- tall(X, _), tall(Y, _), down(X, Y). go(X, Y) :- tall(X, _), tall(Y, _), down(Y, X).
        seen(X) :- X = #min {{ Y : land(Y) }}. seen(Y) :- seen(X), go(X, Y).
        :- land(X), not seen(X).
    """


def nurikabe(problem: JSON) -> str:
    numbers = [(name, cell, size) for name, (cell, size) in enumerate(problem["numbers"], 1)]
    return f"""
        {board(problem, range(len(numbers) + 1))} {_SQUARES.format(0)} {_ONE_GROUP.format(0)} {facts("number", numbers)}
        {facts("given", problem["clues"])} :- given(X, 1), not v(X, 0). :- given(X, 0), v(X, 0).
        :- number(K, X, _), not v(X, K).
        :- beside(X, Y), v(X, K), v(Y, L), K > 0, L > K.
        :- number(K, _, N), #count {{ X : v(X, K) }} != N.
        in(K, X) :- number(K, X, _). in(K, Y) :- in(K, X), beside(X, Y), v(Y, K).
        :- v(X, K), K > 0, not in(K, X).
    """


PROGRAMS: Final[Mapping[str, Callable[[JSON], str]]] = {
    "bridges-v0": bridges,
    "masyu-v0": masyu,
    "number-wall-v0": nurikabe,
    "nurikabe-v0": nurikabe,
}
