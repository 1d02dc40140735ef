"""Three related tables in several dresses, and small databases for them that hold what queries go wrong on.

Table P has things with a name, a group and a level; C has things that belong to one of P, of a kind, on a day, with an amount;
I has lines that belong to one of C, with a label, a count and a price. Groups, levels, amounts and the P of a C may be unknown.
Names, and everything but ids, may occur more than once::

    domain = draw_domain(rng)
    tables = draw_database(rng, domain)
    run(domain, tables, "SELECT ...")
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from envhub.seeding import Stream

Tables = dict[str, list[list[Any]]]
_DAYS: Final = 12


@dataclass(frozen=True, slots=True)
class Domain:
    """The names of everything.

    Attributes:
        words: By short names: the three tables and what a row of each is called (``p`` and ``ps``, ``c`` and ``cs``, ``i`` and
            ``ii``); the columns ``pg`` and ``pl`` (group, level); ``cp``, ``ck``, ``ca`` (parent, kind, amount); ``ic``,
            ``il``, ``ip`` (parent, label, price).
        groups: The values of the group.
        kinds: Those of the kind.
        labels: Those of the label.
    """

    words: Mapping[str, str]
    groups: tuple[str, ...]
    kinds: tuple[str, ...]
    labels: tuple[str, ...]

    def names(self) -> dict[str, str]:
        """Everything by its short name, to format queries and questions with."""
        return {"P": self.words["ps"], "C": self.words["cs"], "I": self.words["ii"], **self.words}

    def schema(self) -> list[str]:
        """The statements that make the tables."""
        n = self.names()
        return [
            "CREATE TABLE {P} (id INTEGER PRIMARY KEY, name TEXT NOT NULL, {pg} TEXT, {pl} INTEGER)".format(**n),
            "CREATE TABLE {C} (id INTEGER PRIMARY KEY, {cp} INTEGER REFERENCES {P}(id), {ck} TEXT NOT NULL, "
            "day INTEGER NOT NULL, {ca} INTEGER)".format(**n),
            "CREATE TABLE {I} ({ic} INTEGER NOT NULL REFERENCES {C}(id), {il} TEXT NOT NULL, count INTEGER NOT NULL, "
            "{ip} INTEGER NOT NULL)".format(**n),
        ]


_DRESSES: Final = (
    ("customer", "customers", "order", "orders", "item", "items"),
    ("member", "members", "loan", "loans", "entry", "entries"),
    ("patient", "patients", "visit", "visits", "dose", "doses"),
    ("team", "teams", "project", "projects", "task", "tasks"),
    ("farm", "farms", "delivery", "deliveries", "crate", "crates"),
    ("school", "schools", "course", "courses", "lesson", "lessons"),
)
_COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "pg": ("city", "region", "area", "branch", "district", "ward"),
    "pl": ("points", "age", "grade", "score", "size", "stars"),
    "ck": ("status", "phase", "state", "channel", "class", "mode"),
    "ca": ("total", "cost", "fee", "amount", "budget", "weight"),
    "il": ("product", "label", "title", "code", "part", "topic"),
    "ip": ("price", "value", "rate", "charge", "tariff", "toll"),
}
_GROUPS: Final = ("Ayr", "Bath", "Bern", "Cork", "Lima", "Oslo", "Pune", "York")
_KINDS: Final = ("back", "done", "held", "late", "new", "open", "paid", "sent")
_LABELS: Final = ("atlas", "lamp", "mug", "novel", "pear", "plum", "rug", "vase")
_NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve")


def draw_domain(rng: Stream) -> Domain:
    """Names of tables, columns and values."""
    p, ps, c, cs, i, ii = rng.choice(_DRESSES)
    named = {short: rng.choice(names) for short, names in _COLUMNS.items()}
    groups, labels = (tuple(sorted(rng.sample(words, 3))) for words in (_GROUPS, _LABELS))
    kinds = tuple(sorted(rng.sample(_KINDS, 4)))  # three are left where a question excludes one
    parents = {"cp": f"{p}_id", "ic": f"{c}_id"}
    words = {"p": p, "ps": ps, "c": c, "cs": cs, "i": i, "ii": ii, **parents, **named}
    return Domain(words, groups, kinds, labels)


def draw_database(rng: Stream, domain: Domain, *, plain: bool = False) -> Tables:
    """Rows of every table; unless ``plain``, some tables may be empty. Hardly any value is the only one of its kind."""
    names = domain.names()
    profile = 9 if plain else rng.below(10)
    many = 0 if profile == 0 else rng.between(2, 6)
    rows = 0 if profile in (0, 1) else rng.between(6, 18)
    lines = 0 if profile in (0, 1, 2) else rng.between(6, 20)
    levels = [rng.between(1, 6) for _ in range(3)]
    kinds = rng.sample(domain.kinds, rng.between(2, len(domain.kinds)))
    ids = sorted(rng.sample(range(1, 30), many))
    tops = [
        [id, rng.choice(_NAMES), _or_null(rng, rng.choice(domain.groups)), _or_null(rng, rng.choice(levels))]
        for id in ids
    ]
    keys = sorted(rng.sample(range(1, 60), rows))
    middles = [
        [
            key,
            None if not ids else _or_null(rng, rng.choice(ids)),
            rng.choice(kinds),
            rng.between(1, _DAYS),
            _or_null(rng, rng.between(1, 9) * 5),
        ]
        for key in keys
    ]
    bottoms = [
        [rng.choice(keys), rng.choice(domain.labels), rng.between(1, 3), rng.between(1, 5)]
        for _ in range(lines if keys else 0)
    ]
    return {names["P"]: tops, names["C"]: middles, names["I"]: bottoms}


def _or_null(rng: Stream, value: Any) -> Any:
    return None if rng.below(5) == 0 else value


def connect(domain: Domain, tables: Tables) -> sqlite3.Connection:
    """A database in memory with these rows."""
    connection = sqlite3.connect(":memory:")
    for statement in domain.schema():
        connection.execute(statement)
    for table, rows in tables.items():
        if rows:
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    return connection


def run(connection: sqlite3.Connection, query: str) -> list[list[Any]]:
    """The rows of a query of ours."""
    return [list(row) for row in connection.execute(query).fetchall()]
