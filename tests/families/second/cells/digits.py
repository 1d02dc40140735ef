"""Puzzles with numbers in all cells, for clingo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from envhub.core.types import JSON
from tests.families.second.cells.asp import board, facts, places

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


def jigsaw_sudoku(problem: JSON) -> str:
    size = problem["width"]
    extra = {
        "jigsaw": "",
        "x": f"group(X, diagonal) :- at(X, R, R). group(X, antidiagonal) :- at(X, R, {size - 1} - R).",
        "windoku": "group(X, w((R - 1) / 4, (C - 1) / 4)) :- at(X, R, C), R > 0, C > 0, R < 8, C < 8, R != 4, C != 4.",
    }
    return f"""
        {board(problem, range(1, size + 1))} {LATIN} {GIVEN}
        {facts("given", problem["clues"])} {facts("group", enumerate(problem["regions"]))} {extra[problem["variant"]]}
        :- group(_, G), value(N), #count {{ X : v(X, N), group(X, G) }} != 1.
    """


def killer_sudoku(problem: JSON) -> str:
    size = problem["width"]
    height, width = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3)}[size]
    return f"""
        {board(problem, range(1, size + 1))} {LATIN} {GIVEN}
        {facts("given", problem["clues"])} {facts("cage", enumerate(problem["regions"]))}
        {facts("total", enumerate(problem["sums"]))}
        box(X, R / {height}, C / {width}) :- at(X, R, C).
        :- box(_, A, B), value(N), #count {{ X : v(X, N), box(X, A, B) }} != 1.
        :- cage(X, G), cage(Y, G), X < Y, v(X, N), v(Y, N).
        :- total(G, K), #sum {{ N, X : v(X, N), cage(X, G) }} != K.
    """


def calcudoku(problem: JSON) -> str:
    cages: dict[int, list[int]] = {}
    for cell, cage in enumerate(problem["regions"]):
        cages.setdefault(cage, []).append(cell)
    rules = []
    for cage, (sign, result) in enumerate(problem["results"]):
        names = [f"N{at}" for at in range(len(cages[cage]))]
        values = ", ".join(f"v({cell}, {name})" for cell, name in zip(cages[cage], names, strict=True))
        sides = {
            "": f"N0 != {result}",
            "+": f"{' + '.join(names)} != {result}",
            "*": f"{' * '.join(names)} != {result}",
            "-": f"|N0 - {names[-1]}| != {result}",
            "/": f"N0 != {names[-1]} * {result}, {names[-1]} != N0 * {result}",
        }
        rules.append(f":- {values}, {sides[sign]}.")
    return f"""
        {board(problem, range(1, problem["width"] + 1))} {LATIN} {GIVEN}
        {facts("given", problem["clues"])} {" ".join(rules)}
    """


def kakuro(problem: JSON) -> str:
    width = problem["width"]
    runs: list[tuple[int, int]] = []
    for number, (first, last, _) in enumerate(problem["sums"]):
        runs += [(number, cell) for cell in range(first, last + 1, 1 if first // width == last // width else width)]
    return f"""
        {board(problem, range(10))} {GIVEN} {facts("given", problem["clues"])} {facts("run", runs)}
        {facts("total", [(number, total) for number, (_, _, total) in enumerate(problem["sums"])])}
        {facts("blocked", [cell for cell, wall in enumerate(problem["blocked"]) if wall])}
        :- blocked(X), not v(X, 0). :- cell(X), not blocked(X), v(X, 0).
        :- run(G, X), run(G, Y), X < Y, v(X, N), v(Y, N).
        :- total(G, K), #sum {{ N, X : v(X, N), run(G, X) }} != K.
    """


def magic_square(problem: JSON) -> str:
    size = problem["width"]
    total = size * (size**2 + 1) // 2
    return f"""
        {board(problem, range(1, size**2 + 1))} {GIVEN} {facts("given", problem["clues"])}
        :- value(N), #count {{ X : v(X, N) }} != 1.
        :- row(R), #sum {{ N, X : v(X, N), at(X, R, _) }} != {total}.
        :- column(C), #sum {{ N, X : v(X, N), at(X, _, C) }} != {total}.
        :- #sum {{ N, X : v(X, N), at(X, R, R) }} != {total}.
        :- #sum {{ N, X : v(X, N), at(X, R, {size - 1} - R) }} != {total}.
    """


def numbrix(problem: JSON) -> str:
    near = "around" if problem["variant"] == "hidato" else "beside"
    count = problem["width"] ** 2
    return f"""
        {places(problem)} number(1..{count}).
        1 {{ on(N, X) : cell(X) }} 1 :- number(N).
        :- cell(X), #count {{ N : on(N, X) }} != 1.
        :- on(N, X), on(N + 1, Y), not {near}(X, Y).
        {facts("given", problem["clues"])} :- given(N, X), not on(N, X).
        v(N - 1, X) :- on(N, X).
    """


def math_path(problem: JSON) -> str:
    height, width = problem["height"], problem["width"]
    cells = [range(row * width, row * width + width) for row in range(height)]
    cells += [range(column, height * width, width) for column in range(width)]
    signs, factors = [], []
    for number, (line, (operators, _)) in enumerate(zip(cells, problem["equations"], strict=True)):
        for cell, operator in zip(line, f"+{operators}", strict=True):
            if operator != "*":
                signs.append((number, cell, f"{operator}1".lstrip("+")))
                first, place = cell, 0
            factors.append((number, first, place := place + 1, cell))
    return f"""
        {board(problem, range(1, 10))} {GIVEN} {facts("given", problem["clues"])}
        {facts("sign", signs)} {facts("factor", factors)}
        {facts("result", [(number, result) for number, (_, result) in enumerate(problem["equations"])])}
        product(L, T, 1, N) :- factor(L, T, 1, X), v(X, N).
        product(L, T, K + 1, M * N) :- product(L, T, K, M), factor(L, T, K + 1, X), v(X, N).
        :- result(L, R), #sum {{ S * M, T : product(L, T, K, M), not factor(L, T, K + 1, _), sign(L, T, S) }} != R.
    """


PROGRAMS: Final[Mapping[str, Callable[[JSON], str]]] = {
    "calcudoku-v0": calcudoku,
    "futoshiki-v0": futoshiki,
    "jigsaw-sudoku-v0": jigsaw_sudoku,
    "kakuro-v0": kakuro,
    "killer-sudoku-v0": killer_sudoku,
    "magic-square-v0": magic_square,
    "math-path-v0": math_path,
    "numbrix-v0": numbrix,
    "skyscrapers-v0": skyscrapers,
    "sum-skyscrapers-v0": skyscrapers,
    "survo-v0": survo,
}
