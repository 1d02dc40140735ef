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


def star_battle(problem: JSON) -> str:
    return f"""
        {board(problem, (0, 1))} {facts("region", enumerate(problem["regions"]))}
        :- row(R), #count {{ X : v(X, 1), at(X, R, _) }} != {problem["stars"]}.
        :- column(C), #count {{ X : v(X, 1), at(X, _, C) }} != {problem["stars"]}.
        :- region(_, G), #count {{ X : v(X, 1), region(X, G) }} != {problem["stars"]}.
        :- around(X, Y), v(X, 1), v(Y, 1).
    """


def tents(problem: JSON) -> str:
    height = problem["height"]
    return f"""
        {board(problem, (0, 1))} {facts("total", problem["clues"])}
        {facts("tree", [cell for cell, tree in enumerate(problem["trees"]) if tree])}
        :- tree(X), v(X, 1).
        :- around(X, Y), v(X, 1), v(Y, 1).
        1 {{ pair(T, X) : beside(T, X) }} 1 :- tree(T).
        :- pair(T, X), v(X, 0).
        :- v(X, 1), #count {{ T : pair(T, X) }} != 1.
        :- total(R, K), R < {height}, #count {{ X : v(X, 1), at(X, R, _) }} != K.
        :- total(C, K), C >= {height}, #count {{ X : v(X, 1), at(X, _, C - {height}) }} != K.
    """


def light_up(problem: JSON) -> str:
    return f"""
        {board(problem, (0, 1))} {facts("number", problem["clues"])}
        {facts("wall", [cell for cell, wall in enumerate(problem["walls"]) if wall])}
        way(0, 1). way(1, 0). way(0, -1). way(-1, 0).
        sees(X, Y, D, E) :- at(X, R, C), at(Y, R + D, C + E), way(D, E), not wall(X), not wall(Y).
        sees(X, Z, D, E) :- sees(X, Y, D, E), sees(Y, Z, D, E).
        :- wall(X), v(X, 1).
        :- sees(X, Y, _, _), v(X, 1), v(Y, 1).
        lit(X) :- v(X, 1). lit(Y) :- v(X, 1), sees(X, Y, _, _).
        :- cell(X), not wall(X), not lit(X).
        :- number(W, K), #count {{ X : beside(W, X), v(X, 1) }} != K.
    """


def mines(problem: JSON) -> str:
    return f"""
        {board(problem, (0, 1))} {facts("number", problem["clues"])}
        :- number(X, _), v(X, 1).
        :- number(X, K), #count {{ Y : around(X, Y), v(Y, 1) }} != K.
    """


def counted(problem: JSON) -> str:
    height = problem["height"]
    return f"""
        {board(problem, (0, 1))} {facts("total", problem["clues"])}
        :- total(R, K), R < {height}, #count {{ X : v(X, 1), at(X, R, _) }} != K.
        :- total(C, K), C >= {height}, #count {{ X : v(X, 1), at(X, _, C - {height}) }} != K.
    """


def thermometers(problem: JSON) -> str:
    tubes = [(number, place, cell) for number, tube in enumerate(problem["tubes"]) for place, cell in enumerate(tube)]
    return f"""
        {counted(problem)} {facts("tube", tubes)}
        :- tube(T, P, X), tube(T, Q, Y), P < Q, v(X, 0), v(Y, 1).
    """


def aquarium(problem: JSON) -> str:
    return f"""
        {counted(problem)} {facts("tank", enumerate(problem["regions"]))}
        :- tank(X, T), tank(Y, T), at(X, R, _), at(Y, S, _), R >= S, v(X, 0), v(Y, 1).
    """


def hitori(problem: JSON) -> str:
    return f"""
        {board(problem, (0, 1))} {facts("number", enumerate(problem["numbers"]))}
        :- at(X, R, _), at(Y, R, _), X < Y, number(X, N), number(Y, N), v(X, 0), v(Y, 0).
        :- at(X, _, C), at(Y, _, C), X < Y, number(X, N), number(Y, N), v(X, 0), v(Y, 0).
        :- beside(X, Y), v(X, 1), v(Y, 1).
        start(X) :- X = #min {{ Y : v(Y, 0) }}.
        joined(X) :- start(X). joined(Y) :- joined(X), beside(X, Y), v(Y, 0).
        :- v(X, 0), not joined(X).
    """


def nonogram(problem: JSON) -> str:
    blocks = [(line, at, size) for line, sizes in problem["clues"] for at, size in enumerate(sizes)]
    size = problem["width"]
    return f"""
        {board(problem, (0, 1))} {facts("block", blocks)} line(0..{2 * size - 1}).
        on(R, C, X) :- at(X, R, C). on({size} + C, R, X) :- at(X, R, C).
        1 {{ start(L, B, S) : S = 0..{size} - K }} 1 :- block(L, B, K).
        :- start(L, B, S), start(L, B + 1, T), block(L, B, K), T <= S + K.
        filled(L, P) :- start(L, B, S), block(L, B, K), P = S..S + K - 1.
        :- on(L, P, X), filled(L, P), v(X, 0).
        :- on(L, P, X), not filled(L, P), v(X, 1).
    """


def n_queens(problem: JSON) -> str:
    return f"""
        {board(problem, (0, 1))} {facts("given", problem["clues"])}
        {facts("blocked", [cell for cell, found in enumerate(problem["blocked"]) if found])}
        :- given(X), v(X, 0). :- blocked(X), v(X, 1).
        :- row(R), #count {{ X : v(X, 1), at(X, R, _) }} != 1.
        :- at(X, R, C), at(Y, S, D), X < Y, v(X, 1), v(Y, 1), C = D.
        :- at(X, R, C), at(Y, S, D), X < Y, v(X, 1), v(Y, 1), |R - S| = |C - D|.
    """


def slitherlink(problem: JSON) -> str:
    height, width = problem["height"], problem["width"]
    outside = height * width
    return f"""
        {board(problem, (0, 1))} {facts("number", problem["clues"])} v({outside}, 0).
        edge(X) :- at(X, 0, _). edge(X) :- at(X, _, 0). edge(X) :- at(X, {height - 1}, _). edge(X) :- at(X, _, {width - 1}).
        open(X) :- edge(X), v(X, 0). open(Y) :- open(X), beside(X, Y), v(Y, 0).
        :- cell(X), v(X, 0), not open(X).
        start(X) :- X = #min {{ Y : v(Y, 1) }}.
        joined(X) :- start(X). joined(Y) :- joined(X), beside(X, Y), v(Y, 1).
        :- v(X, 1), not joined(X).
        side(X, Y) :- beside(X, Y), v(X, M), v(Y, N), M != N.
        borders(X, 4 - K) :- cell(X), K = #count {{ Y : beside(X, Y) }}.
        :- number(X, K), v(X, 0), #count {{ Y : side(X, Y) }} != K.
        :- number(X, K), v(X, 1), borders(X, B), #count {{ Y : side(X, Y) }} != K - B.
    """


def tapa(problem: JSON) -> str:
    ring = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
    wanted = [(cell, size, lengths.count(size)) for cell, lengths in problem["clues"] for size in range(1, 9)]
    return f"""
        {board(problem, (0, 1))} {facts("clue", [cell for cell, _ in problem["clues"]])} {facts("wanted", wanted)}
        {facts("ring", [(at, down, right) for at, (down, right) in enumerate(ring)])}
        :- clue(X), v(X, 1).
        on(X, P) :- clue(X), at(X, R, C), ring(P, D, E), at(Y, R + D, C + E), v(Y, 1).
        off(X, P) :- clue(X), ring(P, _, _), not on(X, P).
        part(X, P, 1) :- on(X, P), off(X, (P + 7) \\ 8).
        part(X, P, K + 1) :- part(X, P, K), on(X, (P + K) \\ 8), K < 8.
        group(X, P, K) :- part(X, P, K), off(X, (P + K) \\ 8).
        group(X, 0, 8) :- clue(X), on(X, P) : ring(P, _, _).
        :- wanted(X, K, N), #count {{ P : group(X, P, K) }} != N.
        :- at(X, R, C), at(Y, R, C + 1), at(Z, R + 1, C), at(U, R + 1, C + 1), v(X, 1), v(Y, 1), v(Z, 1), v(U, 1).
        start(X) :- X = #min {{ Y : v(Y, 1) }}.
        joined(X) :- start(X). joined(Y) :- joined(X), beside(X, Y), v(Y, 1).
        :- v(X, 1), not joined(X).
    """


def heyawake(problem: JSON) -> str:
    return f"""
        {board(problem, (0, 1))} {facts("room", enumerate(problem["regions"]))} {facts("number", problem["clues"])}
        :- number(G, K), #count {{ X : v(X, 1), room(X, G) }} != K.
        :- beside(X, Y), v(X, 1), v(Y, 1).
        start(X) :- X = #min {{ Y : v(Y, 0) }}.
        joined(X) :- start(X). joined(Y) :- joined(X), beside(X, Y), v(Y, 0).
        :- v(X, 0), not joined(X).
        next(X, Y, 0, 1) :- at(X, R, C), at(Y, R, C + 1). next(X, Y, 1, 0) :- at(X, R, C), at(Y, R + 1, C).
        line(X, D, E, 1) :- v(X, 0), next(_, X, D, E). line(X, D, E, 1) :- v(X, 0), next(X, _, D, E).
        line(Y, D, E, K) :- line(X, D, E, K), next(X, Y, D, E), v(Y, 0), room(X, G), room(Y, G).
        line(Y, D, E, K + 1) :- line(X, D, E, K), K < 3, next(X, Y, D, E), v(Y, 0), room(X, G), room(Y, H), G != H.
        :- line(_, _, _, 3).
    """


PROGRAMS: Final[Mapping[str, Callable[[JSON], str]]] = {
    "aquarium-v0": aquarium,
    "binario-v0": binario,
    "campsite-v0": tents,
    "heyawake-v0": heyawake,
    "hitori-v0": hitori,
    "kakurasu-v0": kakurasu,
    "light-up-v0": light_up,
    "mines-v0": mines,
    "n-queens-v0": n_queens,
    "nonogram-v0": nonogram,
    "slitherlink-v0": slitherlink,
    "star-battle-v0": star_battle,
    "tapa-v0": tapa,
    "tents-v0": tents,
    "thermometers-v0": thermometers,
}
