"""Write the tables of docs/differs.md from the pages that measure: ``python docs/differs.py``.

Every figure is copied from docs/benchmarks.md, docs/audit_peers.md or docs/coverage.md, beside the command that measures it
there. The table of documentation features is written by ``python -m benchmarks.docs_features``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).parent
PAGE: Final = DOCS / "differs.md"
WRONG: Final = ("nothing", "garbage", "negated", "hedged", "echoed")
"""Kinds of answers that are wrong whatever the question is."""
_WRONG_AT: Final = 4
"""Column of the wrong answers in a row of the audit."""
_RULE: Final = re.compile(r"\|\s*-+")
SPEEDS: Final = (
    # the benchmark, how its row begins, the work, the peer
    ("sudoku", "9x9 puzzles, 30 to 50 cells empty", "9x9 Sudoku, a task", "Reasoning Gym"),
    ("countdown", "solvable problems", "countdown, a task", "Reasoning Gym"),
    ("generation", "zebra-v0, 5", "zebra puzzle, a task of level 5", "Reasoning Gym"),
    ("generation", "maze-v0, 5", "maze, a task of level 5", "Reasoning Gym"),
    ("generation", "arithmetic-v0, 5", "arithmetic, a task of level 5", "Reasoning Gym"),
    ("quick", "guess-number steps, 1..10 in 4", "guess a number, a step", "GEM"),
    ("games", "sokoban, three boxes", "Sokoban, a step", "GEM"),
    ("games", "2048", "2048, a step", "GEM"),
    ("quick", "tic-tac-toe steps", "tic-tac-toe, a step", "TextArena"),
)
SERVED: Final = (
    ("a turn, WebSocket", "32, 32", "a turn over a WebSocket, 32 clients", "OpenEnv"),
    ("a verdict, HTTP", "32, 32", "a verdict over HTTP, 32 clients", "NeMo Gym"),
)


def filled(text: str) -> str:
    """The page with its tables."""
    for name, made in (("audit", _audit()), ("speed", _speed()), ("server", _server()), ("size", _size())):
        text = re.sub(f"(<!-- {name} -->\n).*?(<!-- end {name} -->)", rf"\g<1>{made}\n\2", text, flags=re.DOTALL)
    return re.sub(r"\*\*[\d,]+ of [\d,]+ tasks\*\*", f"**{_covered()}**", text)


def _audit() -> str:
    text = (DOCS / "audit_peers.md").read_text()
    theirs = [row for row in _rows(text, "reasoning-gym") if row[1] == "as it is"]
    ours = [["", *row] for row in _rows(text, "envhub")]  # the second column of theirs says how they were used
    columns = {
        "run the answer as a program": lambda row: row[-1] == "yes",
        "give full marks to an empty, garbled, negated, hedged or echoed answer": lambda row: any(
            kind in row[_WRONG_AT] for kind in WRONG
        ),
        "are solved by one constant answer in half of the items or more": lambda row: (
            _percent(row[_WRONG_AT + 2]) >= 50
        ),
        "share 90 % or more of their questions with the next seed": lambda row: _percent(row[_WRONG_AT + 4]) >= 90,
        "raise, hang or crash on some answer": lambda row: row[-2] != "none",
    }
    lines = [
        f"| {means} | {sum(map(found, theirs))} of {len(theirs)} | {sum(map(found, ours))} of {len(ours)} |"
        for means, found in columns.items()
    ]
    return _table("datasets that ... | Reasoning Gym 0.1.25 | envhub", lines)


def _speed() -> str:
    lines = []
    for benchmark, begins, work, peer in SPEEDS:
        row = next(
            row
            for row in _rows(_benchmark(benchmark), None)
            if row[0] == begins and (benchmark != "games" or row[1] == peer)
        )
        ratio = next(cell for cell in row if cell.startswith("**"))
        figures = (cell.split(" (")[0] for cell in row[1 : row.index(ratio)])  # a peer may be named in parentheses
        ours, theirs = (cell for cell in figures if re.match(r"[\d.,]+$", cell))
        lines.append(f"| {work} | {peer} | {ours} | {theirs} | {ratio} | `python -m benchmarks {benchmark}` |")
    return _table("per CPU second | peer | envhub | peer's | ratio | command", lines)


def _server() -> str:
    rows = _rows(_benchmark("server").partition("Latency per message")[0], None)
    lines = [
        f"| {work} | {peer} | {row[2]} | {row[3]} | {row[4]} | `python -m benchmarks server` |"
        for begins, clients, work, peer in SERVED
        for row in rows
        if row[:2] == [begins, clients]
    ]
    return _table("microseconds of the server's CPU | peer | envhub | peer's | ratio | command", lines)


def _size() -> str:
    lines = [f"| {row[0]} | {row[1]} | {row[2]} |" for row in _rows(_benchmark("size"), None)]
    return _table("`pip install` | MB | packages", lines)


def _covered() -> str:
    rows = _rows((DOCS / "coverage.md").read_text().partition("\n## ")[0], None)
    return f"{sum(int(row[2]) for row in rows):,} of {sum(int(row[1]) for row in rows):,} tasks"


def _benchmark(name: str) -> str:
    return _between((DOCS / "benchmarks.md").read_text(), f"benchmark {name}", f"end {name}")


def _rows(text: str, name: str | None) -> list[list[str]]:
    """The rows of the tables in a text, without their heads."""
    part = text if name is None else _between(text, f"benchmark {name}", f"end {name}")
    return list(_cells(part))


def _cells(text: str) -> Iterator[list[str]]:
    lines = text.splitlines()
    for line, below in zip_longest(lines, lines[1:], fillvalue=""):
        if line.startswith("| ") and not _RULE.match(line) and not _RULE.match(below):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def _between(text: str, begin: str, end: str) -> str:
    return text.partition(f"<!-- {begin} -->")[2].partition(f"<!-- {end} -->")[0]


def _percent(cell: str) -> float:
    return float(cell.partition("%")[0])


def _table(head: str, lines: list[str]) -> str:
    return "\n".join((f"| {head} |", f"|{'---|' * (head.count('|') + 1)}", *lines))


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text()))
