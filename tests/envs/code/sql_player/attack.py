# ruff: noqa: E501 -- a query is read best in one piece
"""An independent player of sql-v0: right and wrong queries, written from the words of a prompt alone.

A right reading must score on every seed, and no wrong query may.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.envs.code.sql_player.nested import nested
from tests.envs.code.sql_player.owners import owners
from tests.envs.code.sql_player.reading import parts, read
from tests.envs.code.sql_player.single import single

SLIPS = {
    "case ignored": (r"(\w+\.\w+)(?= (?:=|!=|<>|IS NOT|IN|NOT IN) \(?')", r"\1 COLLATE NOCASE"),
    "prefix": (r"(?<!!)= '(\w+)'", r"LIKE '\1%'"),
    "not equal": (r">= (?=\d)", "> "),
    "or equal": (r"> (?=\d)", ">= "),
    "or less": (r"< (?=\d)", "<= "),
    "less": (r"<= (?=\d)", "< "),
}
"""Slips in one place of a query that compares a column with a value: what is replaced by what."""


def slips(query: str) -> Iterator[tuple[str, str]]:
    """A query with one slip in one of its places, by the name of the slip and the number of the place."""
    for name, (old, new) in SLIPS.items():
        for at, found in enumerate(re.finditer(old, query), 1):
            yield f"{name} at {at}", query[: found.start()] + found.expand(new) + query[found.end() :]


def answers(prompt: str) -> tuple[str, dict[str, str]]:
    """A right query, and wrong ones by the name of the mistake."""
    r = read(prompt)
    v = parts(r)
    found = single(r, v) or owners(r, v) or nested(r, v)
    assert found is not None, f"an unknown question: {r.question}"
    right, made = found
    o = r.order
    done = re.compile(r" ORDER BY [^()]*(\(name\)[^()]*)?$")
    ordered = {name: query if done.search(query) else query + o for name, query in made.items()}
    full = f"SELECT * FROM ({right})" + o
    if r.question.startswith("How many of"):
        ordered["grouped, without the last key"] = (
            f"SELECT a.id, a.name, COUNT(b.id) FROM {v.P} LEFT JOIN {v.C} ON {v.joined} AND {v.ok} WHERE {v.who} GROUP BY a.name, a.id ORDER BY 3 DESC"
        )
        ordered["grouped by id, without the last key"] = (
            f"SELECT a.id, a.name, COUNT(b.id) FROM {v.P} LEFT JOIN {v.C} ON {v.joined} AND {v.ok} WHERE {v.who} GROUP BY a.id ORDER BY 3 DESC"
        )
    ordered |= {f"the first {count}": f"{full} LIMIT {count}" for count in range(1, 10)}
    keys = o.removeprefix(" ORDER BY ").split(", ") if o else []
    for at, key in enumerate(keys):
        left = [*keys[:at], *keys[at + 1 :]]
        rest = " ORDER BY " + ", ".join(left) if left else ""
        ordered[f"key {at + 1} of {len(keys)} dropped"] = right + rest
        ordered[f"key {at + 1} of {len(keys)} dropped outside"] = f"SELECT * FROM ({right}){rest}"
        if not r.question.startswith("Which of") or "at least" not in r.question:
            for count in range(1, len(r.titles) + 1):
                groups = ", ".join(map(str, range(1, count + 1)))
                ordered[f"key {at + 1} of {len(keys)} dropped, grouped by {count}"] = (
                    f"SELECT * FROM ({right}) GROUP BY {groups}{rest}"
                )
        turned = [*keys[:at], key.removesuffix(" DESC") if key.endswith("DESC") else f"{key} DESC", *keys[at + 1 :]]
        ordered[f"key {at + 1} of {len(keys)} turned"] = f"SELECT * FROM ({right}) ORDER BY " + ", ".join(turned)
    for name, old, new in (("conditions on rows", "on_rows", v.ok), ("conditions on owners", "on_owners", v.who)):
        if getattr(r, old) and new in right:
            ordered[f"without {name}"] = right.replace(new, "1") + o
    ordered |= slips(full)
    return full, {name: query for name, query in ordered.items() if query != "SELECT 1" + o}
