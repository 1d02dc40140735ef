"""Reads a prompt of sql-v0, and nothing else: no code is shared with the generator."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass
class Reading:
    """What a prompt says.

    Attributes:
        question: The question, without conditions, columns and order.
        owners, rows, lines: The names of the three tables; ``group``, ``level``, ``kind``, ``amount``, ``label``, ``price``,
            ``owner_id``, ``row_id`` those of their columns.
        on_rows, on_owners: The conditions, on the aliases ``b`` and ``a``.
        order: The ORDER BY clause, by the numbers of columns.
    """

    question: str
    owners: str
    rows: str
    lines: str
    group: str
    level: str
    kind: str
    amount: str
    label: str
    price: str
    owner_id: str
    row_id: str
    on_rows: list[str]
    on_owners: list[str]
    order: str

    def valid(self, alias: str = "b") -> str:
        """The rows that count."""
        return " AND ".join(["1", *(each.replace("b.", f"{alias}.") for each in self.on_rows)])

    def included(self, alias: str = "a") -> str:
        """The owners that count."""
        return " AND ".join(["1", *(each.replace("a.", f"{alias}.") for each in self.on_owners)])


def read(prompt: str) -> Reading:
    """Read a prompt in the plain wording."""
    tables = re.findall(r"CREATE TABLE (\w+) \((.*)\);", prompt)
    (owners, of_owners), (rows, of_rows), (lines, of_lines) = tables
    names = [re.findall(r"(?:^|, )(\w+) ", text) for text in (of_owners, of_rows, of_lines)]
    asked = re.compile(r"\nQuestion: (.*)\n\nColumns, in this order:\n((?:\d+\. .*\n)+)\nOrder of the rows: (.*)")
    body, columns, order = asked.search(prompt).groups()  # type: ignore[union-attr]
    r = Reading(
        "",
        owners,
        rows,
        lines,
        names[0][2],
        names[0][3],
        names[1][2],
        names[1][4],
        names[2][1],
        names[2][3],
        names[1][1],
        names[2][0],
        [],
        [],
        "",
    )
    while found := re.match(r"(?:Consider only|Valid \w+ are) (\w+) that (.*?)\. ", body):
        body = body[found.end() :]
        clauses = re.split(r", and (?=are |have )|, (?=are |have )", found[2])
        (r.on_owners if found[1] == owners else r.on_rows).extend(condition(r, each) for each in clauses)
    r.question = body
    body += " "
    titles = [line.partition(". ")[2] for line in columns.splitlines()]
    r.titles = tuple(titles)
    if order != "in any order":
        keys = re.split(r", then (?=by )", order)
        parts = [re.match(r"by (.*) \((highest first|lowest first|A before Z|Z before A)", key) for key in keys]
        r.order = " ORDER BY " + ", ".join(
            f"{titles.index(part[1]) + 1}{' DESC' if part[2] in ('highest first', 'Z before A') else ''}"
            for part in parts
            if part
        )
    return r


def condition(r: Reading, text: str) -> str:
    """A clause as SQL."""
    exists = f"EXISTS (SELECT * FROM {r.lines} x WHERE x.{r.row_id} = b.id AND x.{r.label} = "
    rules: list[tuple[str, Callable[[re.Match[str]], str]]] = [
        (r"are on day (\d+) or later", lambda m: f"b.day >= {m[1]}"),
        (r"are before day (\d+)", lambda m: f"b.day < {m[1]}"),
        (r"are on one of the days (\d+) to (\d+)", lambda m: f"b.day >= {m[1]} AND b.day <= {m[2]}"),
        (rf"have an? {r.kind} other than ('\w+')", lambda m: f"NOT b.{r.kind} = {m[1]}"),
        (rf"have the {r.kind} ('\w+') or ('\w+')", lambda m: f"(b.{r.kind} = {m[1]} OR b.{r.kind} = {m[2]})"),
        (rf"have an? {r.amount} of at least (\d+)", lambda m: f"b.{r.amount} >= {m[1]}"),
        (rf"have an unknown {r.amount} or one below (\d+)", lambda m: f"IFNULL(b.{r.amount}, -1) < {m[1]}"),
        (rf"have at least one \w+ with {r.label} ('\w+')", lambda m: f"{exists}{m[1]})"),
        (
            rf"have at least one \w+ with both {r.label} ('\w+') and a count of at least 2",
            lambda m: f"{exists}{m[1]} AND x.count > 1)",
        ),
        (rf"have no \w+ with {r.label} ('\w+')", lambda m: f"NOT {exists}{m[1]})"),
        (rf"have an? {r.level} of at least (\d+)", lambda m: f"a.{r.level} >= {m[1]}"),
        (rf"have a known {r.group} other than ('\w+')", lambda m: f"a.{r.group} != {m[1]}"),
        (rf"have the {r.group} ('\w+') or ('\w+')", lambda m: f"a.{r.group} IN ({m[1]}, {m[2]})"),
    ]
    return next(made(found) for pattern, made in rules if (found := re.fullmatch(pattern, text)))


@dataclass
class Parts:
    """Pieces of queries: tables with their aliases, joins, conditions, columns, and what the question names."""

    P: str
    C: str
    I: str  # noqa: E741
    joined: str
    lined: str
    ok: str
    who: str
    amount: str
    owner: str
    kind: str
    group: str
    n0: str
    worth: str
    by_day: str
    mine: str
    of: str
    word: str
    other: str
    number: str


def parts(r: Reading) -> Parts:
    """The pieces that a reading gives."""
    named = [*re.findall(r"'(\w+)'", r.question), "", ""]
    numbers = [*re.findall(r"become (\d+)" if "first become" in r.question else r"\d+", r.question), "0"]
    amount, owner, ok = f"b.{r.amount}", f"b.{r.owner_id}", r.valid()
    of = f"FROM {r.rows} b WHERE {owner} = a.id AND {ok}"
    return Parts(
        f"{r.owners} a",
        f"{r.rows} b",
        f"{r.lines} x",
        f"{owner} = a.id",
        f"x.{r.row_id} = b.id",
        ok,
        r.included(),
        amount,
        owner,
        f"b.{r.kind}",
        f"a.{r.group}",
        f"IFNULL({amount}, 0)",
        f"x.count * x.{r.price}",
        f"PARTITION BY {owner} ORDER BY b.day, b.id",
        f"SELECT * {of}",
        of,
        named[0],
        named[1],
        numbers[0],
    )
