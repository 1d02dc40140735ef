"""Conditions on rows: wording, SQL, misreadings, and data that separates them.

A condition on C uses the alias ``c``, one on P uses ``p``. Its words follow "that": "orders that are on day 5 or
later"::

    for condition in draw_conditions(rng, domain, "c", 2, exclude=frozenset({"kind"})): ...
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.sql.world import Domain, variants


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition.

    Attributes:
        column: Its column; a question has at most one condition per column.
        words: A plural verb phrase.
        sql: The condition.
        wrong: Conditions that misread it.
        good: Values of the column that certainly meet it.
        edge: Values on both sides of it.
        label: The label required of rows of I, if it is about them.
        lines: Which rows of I should exist, as in :func:`envhub.envs.code.sql.world.draw_database`.
    """

    column: str
    words: str
    sql: str
    wrong: tuple[str, ...]
    good: Sequence[Any]
    edge: Sequence[Any] = field(default=())
    label: str | None = None
    lines: str = ""


def article(noun: str) -> str:
    """A noun of a domain with ``a`` or ``an``."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def listed(parts: Sequence[str]) -> str:
    """``x``; ``x, and y``; ``x, y, and z``.

    The comma keeps an "or" or "and" within a part together.
    """
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + f", and {parts[-1]}" if parts else ""


def _day_from(rng: Stream, domain: Domain) -> Condition:
    day = rng.between(4, 8)
    wrong = (f"c.day > {day}", f"c.day >= {day - 1}", f"c.day < {day}", f"c.day = {day}")
    good, edge = [day, day, *range(day, day + 12)], [day - 1, day - 1, day - 2]
    return Condition("day", f"are on day {day} or later", f"c.day >= {day}", wrong, good, edge)


def _day_before(rng: Stream, domain: Domain) -> Condition:
    day = rng.between(11, 14)
    wrong = (f"c.day <= {day}", f"c.day < {day - 1}", f"c.day >= {day}")
    return Condition(
        "day", f"are before day {day}", f"c.day < {day}", wrong, [*range(1, day), day - 1], [day, day, day + 1]
    )


def _day_between(rng: Stream, domain: Domain) -> Condition:
    first, last = rng.between(2, 5), rng.between(14, 17)
    wrong = (
        f"c.day > {first} AND c.day <= {last}",
        f"c.day >= {first} AND c.day < {last}",
        f"c.day >= {first}",
        f"c.day <= {last}",
    )
    good, edge = [first, last, *range(first, last + 1)], [first - 1, last + 1]
    words, sql = f"are on one of the days {first} to {last}", f"c.day BETWEEN {first} AND {last}"
    return Condition("day", words, sql, wrong, good, edge)


def _kind_other(rng: Stream, domain: Domain) -> Condition:
    column, word = f"c.{domain.words['ck']}", rng.choice(domain.kinds)
    wrong = (f"{column} = '{word}'", f"lower({column}) <> '{word}'", f"{column} NOT LIKE '{word}%'")
    good = [each for kind in domain.kinds for each in variants(kind) if each != word]
    words = f"have {article(domain.words['ck'])} other than '{word}'"
    return Condition("kind", words, f"{column} <> '{word}'", wrong, good, [word])


def _kind_either(rng: Stream, domain: Domain) -> Condition:
    column, (one, other) = f"c.{domain.words['ck']}", rng.sample(domain.kinds, 2)
    wrong = (
        f"{column} = '{one}'",
        f"{column} = '{other}'",
        f"lower({column}) IN ('{one}', '{other}')",
        f"(lower({column}) = '{one}' OR {column} = '{other}')",
        f"({column} = '{one}' OR lower({column}) = '{other}')",
        f"({column} LIKE '{one}%' OR {column} = '{other}')",
        f"({column} = '{one}' OR {column} LIKE '{other}%')",
        f"{column} NOT IN ('{one}', '{other}')",
        f"({column} LIKE '{one}%' OR {column} LIKE '{other}%')",
    )
    edge = [*variants(one)[1:], *variants(other)[1:], *(kind for kind in domain.kinds if kind not in (one, other))]
    words = f"have the {domain.words['ck']} '{one}' or '{other}'"
    return Condition("kind", words, f"{column} IN ('{one}', '{other}')", wrong, [one, other], edge)


def _amount_least(rng: Stream, domain: Domain) -> Condition:
    column, least = f"c.{domain.words['ca']}", rng.between(10, 20)
    wrong = (
        f"{column} > {least}",
        f"{column} >= {least - 1}",
        f"COALESCE({column}, 99) >= {least}",
        f"{column} < {least}",
    )
    words = f"have {article(domain.words['ca'])} of at least {least}"
    good, edge = [least, least, *range(least, least + 30)], [least - 1, least - 1, 1, None]
    return Condition("amount", words, f"{column} >= {least}", wrong, good, edge)


def _amount_low(rng: Stream, domain: Domain) -> Condition:
    column, least = f"c.{domain.words['ca']}", rng.between(20, 30)
    wrong = (
        f"{column} < {least}",
        f"{column} IS NULL",
        f"({column} <= {least} OR {column} IS NULL)",
        f"({column} < {least - 1} OR {column} IS NULL)",
    )
    words = f"have an unknown {domain.words['ca']} or one below {least}"
    good, edge = [*range(1, least), least - 1, least - 1, None, None], [least, least, least + 9]
    return Condition("amount", words, f"({column} < {least} OR {column} IS NULL)", wrong, good, edge)


def _lines(domain: Domain, condition: str) -> str:
    n = domain.names()
    return f"EXISTS (SELECT 1 FROM {n['I']} j WHERE j.{n['ic']} = c.id AND {condition})"


def _has_line(rng: Stream, domain: Domain) -> Condition:
    column, word, n = f"j.{domain.words['il']}", rng.choice(domain.labels), domain.names()
    right = f"{column} = '{word}'"
    others = (f"lower({column}) = '{word}'", f"{column} LIKE '{word}%'", f"{column} <> '{word}'", "1")
    wrong = [_lines(domain, each) for each in others]
    wrong += [f"NOT {_lines(domain, right)}"]
    wrong += [f"1 = (SELECT COUNT(*) FROM {n['I']} j WHERE j.{n['ic']} = c.id AND {right})"]
    edge = [*variants(word)[1:], *variants(word)[1:], *(label for label in domain.labels if label != word)]
    words = f"have at least one {n['i']} with {n['il']} '{word}'"
    return Condition("line", words, _lines(domain, right), tuple(wrong), [word], edge, word, "one")


def _has_line_twice(rng: Stream, domain: Domain) -> Condition:
    column, word, n = f"j.{domain.words['il']}", rng.choice(domain.labels), domain.names()
    right = f"{column} = '{word}'"
    both = f"{right} AND j.count >= 2"
    wrong = (
        _lines(domain, right),
        _lines(domain, "j.count >= 2"),
        _lines(domain, f"{right} AND j.count > 2"),
        _lines(domain, f"lower({column}) = '{word}' AND j.count >= 2"),
        f"{_lines(domain, right)} AND {_lines(domain, 'j.count >= 2')}",
    )
    edge = [*variants(word)[1:], *variants(word)[1:], *(label for label in domain.labels if label != word)]
    words = f"have at least one {n['i']} with both {n['il']} '{word}' and a count of at least 2"
    return Condition("line", words, _lines(domain, both), wrong, [word], edge, word, "twice")


def _no_line(rng: Stream, domain: Domain) -> Condition:
    column, word, n = f"j.{domain.words['il']}", rng.choice(domain.labels), domain.names()
    right, lower, prefix = f"{column} = '{word}'", f"lower({column}) = '{word}'", f"{column} LIKE '{word}%'"
    wrong = (
        _lines(domain, right),
        _lines(domain, f"{column} <> '{word}'"),
        *(f"NOT {_lines(domain, each)}" for each in (lower, prefix, "1")),
    )
    good = [each for label in domain.labels for each in variants(label) if each != word]
    words = f"have no {n['i']} with {n['il']} '{word}'"
    return Condition("line", words, f"NOT {_lines(domain, right)}", wrong, good, [word], lines="none")


def _level_least(rng: Stream, domain: Domain) -> Condition:
    column, least = f"p.{domain.words['pl']}", rng.between(2, 4)
    wrong = (
        f"{column} > {least}",
        f"{column} >= {least - 1}",
        f"COALESCE({column}, 9) >= {least}",
        f"{column} < {least}",
    )
    words = f"have {article(domain.words['pl'])} of at least {least}"
    return Condition(
        "level", words, f"{column} >= {least}", wrong, [least, *range(least, 8)], [least - 1, least - 1, None]
    )


def _group_other(rng: Stream, domain: Domain) -> Condition:
    column, word = f"p.{domain.words['pg']}", rng.choice(domain.groups)
    wrong = (
        f"({column} <> '{word}' OR {column} IS NULL)",
        f"{column} IS NOT NULL",
        f"{column} = '{word}'",
        f"lower({column}) <> lower('{word}')",
        f"{column} NOT LIKE '{word}%'",
    )
    good = [each for group in domain.groups for each in variants(group) if each != word]
    words = f"have a known {domain.words['pg']} other than '{word}'"
    return Condition("group", words, f"{column} <> '{word}'", wrong, good, [word, word, None])


def _group_either(rng: Stream, domain: Domain) -> Condition:
    column, (one, other) = f"p.{domain.words['pg']}", rng.sample(domain.groups, 2)
    wrong = (
        f"{column} = '{one}'",
        f"{column} = '{other}'",
        f"lower({column}) IN (lower('{one}'), lower('{other}'))",
        f"(lower({column}) = lower('{one}') OR {column} = '{other}')",
        f"({column} = '{one}' OR lower({column}) = lower('{other}'))",
        f"({column} LIKE '{one}%' OR {column} = '{other}')",
        f"({column} = '{one}' OR {column} LIKE '{other}%')",
        f"({column} LIKE '{one}%' OR {column} LIKE '{other}%')",
        f"({column} IN ('{one}', '{other}') OR {column} IS NULL)",
    )
    edge = [
        *variants(one)[1:],
        *variants(other)[1:],
        *(each for each in domain.groups if each not in (one, other)),
        None,
    ]
    words = f"have the {domain.words['pg']} '{one}' or '{other}'"
    return Condition("group", words, f"{column} IN ('{one}', '{other}')", wrong, [one, other], edge)


_MAKERS: Final[dict[str, dict[str, tuple[Callable[[Stream, Domain], Condition], ...]]]] = {
    "c": {
        "day": (_day_from, _day_before, _day_between),
        "kind": (_kind_other, _kind_either),
        "amount": (_amount_least, _amount_low),
        "line": (_has_line, _has_line_twice, _no_line),
    },
    "p": {"level": (_level_least,), "group": (_group_other, _group_either)},
}


def columns_of(table: str, exclude: frozenset[str]) -> list[str]:
    """The columns that can have conditions."""
    return [column for column in _MAKERS[table] if column not in exclude]


def draw_conditions(
    rng: Stream, domain: Domain, table: str, columns: Sequence[str], exclude: frozenset[str]
) -> list[Condition]:
    """One condition on each of these columns.

    ``exclude`` may name single conditions, as ``kind_either``.
    """
    made = []
    for column in columns:
        makers = [each for each in _MAKERS[table][column] if each.__name__.removeprefix("_") not in exclude]
        made.append(rng.choice(makers)(rng, domain))
    return made
