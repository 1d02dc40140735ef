"""Answers of boards, dates, schedules and tables, computed by other means than the environments use."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping
from datetime import date
from fractions import Fraction
from heapq import nsmallest
from typing import Any, Final

import networkx
import sympy

from envhub.core.types import JSON


def lines(problem: JSON) -> tuple[Fraction, ...]:
    """Runs found by a regular expression in rows and columns."""
    rows = [
        *problem["board"],
        *("".join(row[at] for row in problem["board"]) for at in range(len(problem["board"][0]))),
    ]
    text = "\n".join(rows)
    return tuple(Fraction(len(re.findall(f"{symbol}{{2,}}", text))) for symbol in problem["order"])


def symbol_sums(problem: JSON) -> tuple[Fraction, ...]:
    """The values of the symbols by SymPy."""
    names = {name: sympy.Symbol(name) for name in set("".join(problem["rows"]))}
    equations = [
        sympy.Eq(sum(names[name] for name in row), total)
        for row, total in zip(problem["rows"], problem["sums"], strict=True)
    ]
    [found] = sympy.linsolve(equations, list(names.values()))
    values = dict(zip(names, found, strict=True))
    columns = zip(*problem["rows"], strict=True)
    return tuple(Fraction(int(sum(values[name] for name in column))) for column in columns)


def tile_walk(problem: JSON) -> str:
    """The walk over a dictionary of cells, one tile after the other."""
    cells = {complex(x, y): sign for y, row in enumerate(problem["board"]) for x, sign in enumerate(row) if sign != "#"}
    twin = {
        at: to
        for at, sign in cells.items()
        for to, other in cells.items()
        if sign == other > "0" and sign.isdigit() and at != to
    }
    [here] = [at for at, sign in cells.items() if sign == "P"]
    ways = {"up": -1j, "down": 1j, "left": -1 + 0j, "right": 1 + 0j}

    def enter(at: complex, way: complex) -> tuple[complex, bool]:
        sign = cells[at]
        if sign in "JR":
            to = at + way * (2 if sign == "J" else 1)
            return enter(to, way) if to in cells else (at, False)
        if sign == "B":
            to = at - 2 * way
            return enter(to, -way) if to in cells else (at, False)
        return twin.get(at, at), sign == "T"

    held = False
    for step in problem["steps"]:
        if held:
            held = False
        elif here + ways[step] in cells:
            here, held = enter(here + ways[step], ways[step])
    return f"{'abcdefghijklmnopqrstuvwxyz'[int(here.real)]}{int(here.imag) + 1}"


def date_count(problem: JSON) -> date:
    """By the number of the day in the Gregorian calendar, without a calendar library."""

    def leap(year: int) -> bool:
        return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)

    def months(year: int) -> list[int]:
        return [31, 29 if leap(year) else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

    year, month, day = map(int, problem["start"].split("-"))
    left = day - 1 + sum(months(year)[: month - 1])
    left += sum(count * {"day": 1, "week": 7}[unit] for count, unit in problem["offsets"])
    while left < 0:
        year -= 1
        left += sum(months(year))
    while left >= sum(months(year)):
        left -= sum(months(year))
        year += 1
    month = 0
    while left >= months(year)[month]:
        left -= months(year)[month]
        month += 1
    return date(year, month + 1, left + 1)


def building_schedule(problem: JSON) -> int:
    """Month by month."""
    waiting, month = list(problem["plan"]), 0
    left: list[list[int]] = []
    while waiting or left:
        left = [[company, time] for company, time in left if time > 0]
        while waiting and len(left) < problem["slots"]:
            company, project = waiting[0]
            if problem["single"] and company in [other for other, _ in left]:
                break
            left.append([company, problem["months"][company][project]])
            waiting.pop(0)
        if left:
            month += 1
            for one in left:
                one[1] -= 1
    return month


def conditional_count(problem: JSON) -> int:
    """A query of a database."""
    names = list(problem["rows"][0])
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE t ({', '.join(f'{name!r}' for name in names)})")
    marks = ", ".join("?" * len(names))
    base.executemany(f"INSERT INTO t VALUES ({marks})", [[row[name] for name in names] for row in problem["rows"]])
    where = " AND ".join(f"{name} IN ({', '.join('?' * len(allowed))})" for name, allowed in problem["conditions"])
    factors = [problem["asked"] or "1", "seen" if "seen" in names else "1"]
    values = [value for _, allowed in problem["conditions"] for value in allowed]
    [[total]] = base.execute(f"SELECT SUM({' * '.join(factors)}) FROM t WHERE {where}", values)
    base.close()
    return int(total)


def city_sums(problem: JSON) -> int:
    """By NetworkX."""
    graph = networkx.Graph()
    graph.add_weighted_edges_from([(a, b, length) for a, b, length in problem["roads"]])
    graph.add_nodes_from((city["city"], city) for city in problem["cities"])
    far = {name: graph.edges[problem["city"], name]["weight"] for name in graph.neighbors(problem["city"])}
    nearest = nsmallest(problem["count"], far, key=lambda name: far[name])
    return int(sum(graph.nodes[name][problem["asked"]] for name in nearest))


VALUES: Final[Mapping[str, Callable[[JSON], Any]]] = {
    "city-sums-v0": city_sums,
    "line-count-v0": lines,
    "symbol-sums-v0": symbol_sums,
    "tile-walk-v0": tile_walk,
    "date-count-v0": date_count,
    "building-schedule-v0": building_schedule,
    "conditional-count-v0": conditional_count,
}
