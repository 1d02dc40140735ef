"""Three related tables, and small databases that expose wrong queries.

Table P has rows with a name, a group and a level. Each row of C belongs to one of P and has a kind, a day and an amount. Each
row of I belongs to one of C and has a label, a count and a price. Groups, levels, amounts and the owner of a C may be NULL::

    domain = draw_domain(rng)
    tables = draw_database(rng, domain, "mixed", {})
    run(connect(domain, tables), "SELECT ...")
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from envhub.core.seeding import Stream

Tables = dict[str, list[list[Any]]]
Pools = Mapping[str, tuple[Sequence[Any], Sequence[Any]]]
_LAST_DAY: Final = 14
_MOST_AMOUNT: Final = 40


@dataclass(frozen=True, slots=True)
class Domain:
    """Names of tables, columns and values.

    Attributes:
        words: By short names: the three tables and what a row of each is called (``p`` and ``ps``, ``c`` and ``cs``, ``i`` and
            ``ii``); the columns ``pg`` and ``pl`` (group, level); ``cp``, ``ck``, ``ca`` (parent, kind, amount); ``ic``,
            ``il``, ``ip`` (parent, label, price).
        groups: The values of the group that questions name.
        kinds: The values of the kind that questions name.
        labels: The values of the label that questions name.
    """

    words: Mapping[str, str]
    groups: tuple[str, ...]
    kinds: tuple[str, ...]
    labels: tuple[str, ...]

    def names(self) -> dict[str, str]:
        """All names by short name, to format queries and questions."""
        return {"P": self.words["ps"], "C": self.words["cs"], "I": self.words["ii"], **self.words}

    def schema(self) -> list[str]:
        """The statements that create the tables."""
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
    "pl": ("age", "grade", "score", "size", "level", "rating"),
    "ck": ("status", "phase", "state", "channel", "class", "mode"),
    "ca": ("total", "cost", "fee", "amount", "budget", "weight"),
    "il": ("product", "label", "title", "code", "part", "topic"),
    "ip": ("price", "value", "rate", "charge", "tariff", "toll"),
}
_GROUPS: Final = ("Ayr", "Bath", "Bern", "Cork", "Lima", "Oslo", "Pune", "York")
_KINDS: Final = ("back", "done", "held", "late", "new", "open", "paid", "sent")
_LABELS: Final = ("atlas", "lamp", "mug", "novel", "pear", "plum", "rug", "vase")
_NAMES: Final = ("Ada", "ada", "BEN", "Ben", "Cleo", "cleo", "Dan", "Eve", "eve", "Finn", "gus", "Ida", "joy")
_LEVELS: Final = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Shape:
    """How the rows of a database are distributed.

    Attributes:
        parents: Minimum and maximum number of rows of P.
        each: Number of rows of C per row of P.
        orphans: Number of rows of C without a known owner.
        lines: Number of rows of I per row of C.
        good: Percentage of rows that are meant to meet all conditions of the question; each other row may miss one.
        copies: Percentage of owners whose rows equal those of an earlier owner except for ids: ties in every measure.
        unknown: Percentage of NULL where it is allowed.
        spread: Whether names are distributed evenly, so that each occurs more than once.
    """

    parents: tuple[int, int]
    each: tuple[int, int] = (0, 0)
    orphans: tuple[int, int] = (0, 0)
    lines: tuple[int, int] = (0, 0)
    good: int = 70
    copies: int = 0
    unknown: int = 15
    spread: bool = False


SHAPES: Final[dict[str, Shape]] = {
    "mixed": Shape((10, 15), (0, 5), (2, 4), (0, 3), good=65, copies=35),
    "generous": Shape((13, 17), (1, 4), (13, 16), (1, 3), good=95, copies=15, unknown=5),
    "alike": Shape((12, 14), (1, 4), (1, 3), (1, 2), good=90, copies=100, unknown=8),
    "crowd": Shape((25, 28), (0, 3), (0, 2), (0, 2), good=97, copies=20, unknown=4, spread=True),
    "sparse": Shape((11, 15), (0, 3), (1, 3), (0, 2), good=40, copies=30, unknown=25),
    "small": Shape((2, 4), (0, 4), (0, 2), (0, 3), copies=50, unknown=20),
    "few": Shape((1, 3), (0, 3), (0, 1), (0, 2), good=85, copies=30),
    "parents": Shape((13, 17), good=95, unknown=4),
    "unlined": Shape((5, 8), (1, 4), (2, 4), good=90),
    "orphans": Shape((0, 0), (0, 0), (4, 8), (0, 2), good=85),
    "empty": Shape((0, 0)),
    "plain": Shape((7, 9), (1, 3), (1, 3), (1, 2), good=50, copies=20),
}


def variants(word: str) -> list[str]:
    """A text value and variants that a careless comparison confuses with it."""
    return [word, word.lower() if word != word.lower() else word.capitalize(), word.upper(), f"{word}-2"]


def draw_domain(rng: Stream) -> Domain:
    """Names of tables, columns and values."""
    p, ps, c, cs, i, ii = rng.choice(_DRESSES)
    named = {short: rng.choice(names) for short, names in _COLUMNS.items()}
    groups, labels = (tuple(sorted(rng.sample(words, 3))) for words in (_GROUPS, _LABELS))
    kinds = tuple(sorted(rng.sample(_KINDS, 4)))
    parents = {"cp": f"{p}_id", "ic": f"{c}_id"}
    words = {"p": p, "ps": ps, "c": c, "cs": cs, "i": i, "ii": ii, **parents, **named}
    return Domain(words, groups, kinds, labels)


def pools_of(domain: Domain) -> dict[str, tuple[list[Any], list[Any]]]:
    """Column values for columns without a condition: common ones and rarer ones."""
    texts = {"group": domain.groups, "kind": domain.kinds, "label": domain.labels}
    pools: dict[str, tuple[list[Any], list[Any]]] = {
        column: ([each for word in words for each in variants(word)], []) for column, words in texts.items()
    }
    numbers = {"day": range(1, _LAST_DAY + 1), "amount": range(1, _MOST_AMOUNT + 1), "level": _LEVELS}
    return pools | {column: (list(values), []) for column, values in numbers.items()}


def draw_database(rng: Stream, domain: Domain, shape: str, pools: Pools) -> Tables:
    """Rows of every table.

    Args:
        rng: Source of randomness.
        domain: The names of everything.
        shape: One of :data:`SHAPES`.
        pools: For a column in the question: values that certainly meet its conditions, and others around them.
            ``lines``: whether rows of C should have a row of I with a good label (``one``), one that has a count of 2 as well
            (``twice``), or only such (``none`` with another label); ``rare``: a kind that only the row of C with the lowest id
            has, in some databases.
    """
    form, names = SHAPES[shape], domain.names()
    every = {column: (_some(rng, good), edge) for column, (good, edge) in {**pools_of(domain), **pools}.items()}
    asked = every.pop("lines", ([""], []))[0][0]
    rare = every.pop("rare", ([""], []))[0][0]
    amounts = [rng.choice(every["amount"][0]) for _ in range(rng.between(3, 6))]  # few values, so that some are equal
    every["amount"] = (amounts, every["amount"][1])

    def odd(*columns: str) -> list[str]:
        """The columns in which a row misses the conditions.

        Mostly one, so that each of them matters.
        """
        about = [column for column in columns if every[column][1]]
        if not about or rng.below(100) < form.good:
            return []
        return rng.sample(about, min(len(about), 1 if rng.below(4) else 2))

    def one(column: str, missing: list[str]) -> Any:
        good, edge = every[column]
        return rng.choice(edge if column in missing else good)

    def known(column: str, missing: list[str]) -> Any:
        return None if rng.below(100) < form.unknown else one(column, missing)

    def child() -> list[Any]:
        at = odd("kind", "day", "amount", "label")
        lines = [line(number, "label" in at) for number in range(rng.between(*form.lines))]
        return [one("kind", at), one("day", at), known("amount", at), lines]

    def line(number: int, missing: bool) -> list[Any]:
        """The first line decides whether the row has a wanted one.

        The others are any that are allowed.
        """
        good, edge = every["label"]
        first, count = number == 0, rng.between(1, 3)
        if asked == "none":
            labels = (edge if first else [*good, *edge]) if missing else good
        else:
            labels = edge if missing else good if first else [*good, *edge]
        if asked == "twice" and missing and first and rng.below(2):
            labels, count = good, 1
        elif asked == "twice" and (missing or first):
            count = rng.between(2, 3)
        return [rng.choice(labels or good), count, rng.between(1, 5)]

    def children(count: int) -> list[list[Any]]:
        made: list[list[Any]] = []
        for _ in range(count):
            made.append(list(rng.choice(made)) if made and rng.below(5) == 0 else child())
        return made

    def equal() -> list[list[Any]]:
        """Two rows with the same known amount."""
        row = child()
        amount = row[2] or one("amount", [])
        return [[*row[:2], amount, row[3]], [*child()[:2], amount, row[3]]]

    called = rng.sample(_NAMES, 11)
    tops: list[list[Any]] = []
    owned: list[tuple[int | None, list[Any]]] = []
    bundle: list[list[Any]] = []
    parents = rng.between(*form.parents)
    for at, id in enumerate(rng.sample(range(1, 3 * parents + 2), parents)):
        name = called[at % len(called)] if form.spread else rng.choice(called)
        at_top = odd("group", "level")
        tops.append([id, name, known("group", at_top), known("level", at_top)])
        if at == 0 and form.each[0] == 0:
            bundle = []
        elif at == 1 and form.each[1] > 1:
            bundle = children(rng.between(*form.each)) + equal()
        elif not bundle or rng.below(100) >= form.copies:
            bundle = children(rng.between(*form.each))
        owned += [(id, each) for each in bundle]
    owned += [(None, each) for each in children(rng.between(*form.orphans))]
    keys = rng.sample(range(1, 2 * len(owned) + 2), len(owned))
    middles = [
        [key, owner, kind, day, amount] for key, (owner, (kind, day, amount, _)) in zip(keys, owned, strict=True)
    ]
    if rare and middles and rng.below(3) == 0:
        lowest = min(middles)
        lowest[1:3] = [None, rare]
    bottoms = [[key, *line] for key, (_, (*_, lines)) in zip(keys, owned, strict=True) for line in lines]
    rng.shuffle(bottoms)
    return {names["P"]: sorted(tops), names["C"]: sorted(middles), names["I"]: bottoms}


def _some(rng: Stream, values: Sequence[Any]) -> list[Any]:
    """Most of the values.

    No column has all of them in every database.
    """
    return rng.sample(values, rng.between((2 * len(values) + 2) // 3, len(values)))


def connect(domain: Domain, tables: Tables) -> sqlite3.Connection:
    """An in-memory database with these rows."""
    connection = sqlite3.connect(":memory:")
    for statement in domain.schema():
        connection.execute(statement)
    for table, rows in tables.items():
        if rows:
            connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    return connection


def run(connection: sqlite3.Connection, query: str) -> list[list[Any]]:
    """The rows of one of our own queries."""
    return [list(row) for row in connection.execute(query).fetchall()]
