"""Questions about the tables of :mod:`envhub.envs.code.sql.world`, with right and nearly right queries.

A question has a kind and conditions on the rows of P and C that count. Its wrong queries are wrong by its meaning:
mistakes that its kind declares, the usual mistakes (:mod:`envhub.envs.code.sql.mutants`) except those that its kind
declares right, misread conditions, and changed sort keys. The wording states rows, columns and order in full::

    question = draw_question(rng, domain, "counts", KINDS["counts"])
    question.words, question.query, question.wrong, question.others
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.envs.code.sql.conditions import Condition, article, columns_of, draw_conditions, listed
from envhub.envs.code.sql.mutants import mutants
from envhub.envs.code.sql.world import Domain, pools_of, variants

_HARD: Final = 4
"""Maximum number of conditions of a question."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question.

    Attributes:
        kind: The name of its kind.
        words: The question, with the requested columns and order.
        query: An answer.
        others: Other answers.
        wrong: Wrong queries.
        order: Numbers of the columns to sort by, negative where the highest comes first. Empty: in any order.
        columns: Contents of the columns, as in :attr:`Kind.columns`.
        repeats: Whether a row may occur more than once.
        pools: Values that decide its conditions, for :func:`envhub.envs.code.sql.world.draw_database`.
    """

    kind: str
    words: str
    query: str
    others: tuple[str, ...]
    wrong: tuple[str, ...]
    order: tuple[int, ...]
    columns: tuple[str, ...]
    repeats: bool
    pools: Mapping[str, tuple[Sequence[Any], Sequence[Any]]]


@dataclass(frozen=True, slots=True)
class When:
    """A query that is wrong only with (or without) a condition.

    Attributes:
        tag: A column of a condition, ``c`` or ``p`` for any condition on that table; with ``!`` before it: none.
        change: The wrong query, or a piece of the query and its replacement.
    """

    tag: str
    change: str | tuple[str, str]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of question: templates with short names for tables and columns.

    ``{on}`` and ``{onp}`` are the conditions on C and P behind another condition; ``{where}``, ``{wherep}`` and ``{wherecp}``
    (both) stand behind none; ``{the_ps}`` and ``{the_cs}`` are the rows that meet them, in words.

    Attributes:
        words: The question, without columns and order.
        query: An answer, without its order.
        columns: Title and contents of each column: ``k`` a key, ``n`` an integer, ``s`` an integer that all rows share, ``r`` a
            fraction, ``t`` a text; then ``?`` if it may be NULL, ``0`` if it may be 0, ``-`` if it may be negative.
        order: As in :attr:`Question.order`. No SQLite plan may produce it by accident, or a forgotten key would go
            unnoticed:
            so a key of the rows or a column that they are grouped by is not the last of several, and not the lowest
            first.
        wrong: Whole queries that are wrong by the meaning of the question, or changes of the query.
        same: Names of usual mistakes that are right by the meaning of the question; with the tag of a condition, only
            with that condition.
        others: Other answers, as ``wrong``.
        tables: Tables that can have conditions: ``c``, ``p``, ``cp`` or none.
        exclude: Columns or single conditions that it may not have.
        needs: Columns that it must have a condition on.
        repeats: Whether a row may occur more than once.
        kinds: Which values of the kind databases hold: a ``few``, ``three``, or mostly the ``first`` that the question
            names.
    """

    words: str
    query: str
    columns: tuple[tuple[str, str], ...]
    order: tuple[int, ...] = ()
    wrong: Sequence[str | tuple[str, str] | When] = ()
    same: Mapping[str, str] = field(default_factory=dict)
    others: Sequence[str | tuple[str, str]] = ()
    tables: str = "cp"
    exclude: frozenset[str] = frozenset()
    needs: tuple[str, ...] = ()
    repeats: bool = False
    kinds: str = ""


def draw_question(
    rng: Stream, domain: Domain, name: str, kind: Kind, fits: Callable[[str], bool] = bool
) -> Question | None:
    """A question of a kind with up to four conditions.

    None if its reference query does not fit.
    """
    where = [(table, column) for table in kind.tables for column in columns_of(table, kind.exclude)]
    free = [each for each in where if each[1] not in kind.needs]
    rng.shuffle(free)
    chosen = [each for each in where if each[1] in kind.needs] + free[: rng.below(min(_HARD, len(free)) + 1)]
    found = {
        table: draw_conditions(rng, domain, table, [column for at, column in chosen if at == table], kind.exclude)
        for table in ("c", "p")
    }
    values, pools = _values(rng, domain, kind, found["c"])
    sql = {**values, **_places({table: [each.sql for each in found[table]] for table in found})}
    order = _order(kind.order)
    query = kind.query.format(**sql) + order
    if not fits(query):
        return None
    scope, about = _scope(kind, values, found)
    values |= about
    conditions = [*found["c"], *found["p"]]
    others = tuple(changed for each in kind.others for changed in _changed(kind.query, each, sql, order)[:1])
    tags = {each.column for each in conditions} | {table for table in found if found[table]}
    wrong = _mistakes(kind, tags, sql, query, order)
    for each in conditions:
        wrong += _misread(query, each)
        wrong += [misread for other in others for misread in _misread(other, each, everywhere=False)]
    words = kind.words.format(**values)
    return Question(
        name,
        f"{scope}{words} {_shape(kind, values)}",
        query,
        others,
        tuple(dict.fromkeys(each for each in wrong if each != query)),
        kind.order,
        tuple(contents for _, contents in kind.columns),
        kind.repeats,
        {**pools, **{each.column: (each.good, each.edge) for each in conditions if each.column != "line"}},
    )


def tokens(query: str) -> int:
    """Number of words, numbers and signs of a query."""
    return len(re.findall(r"\w+|'[^']*'|<>|<=|>=|[^\w\s]", query))


@cache
def fewest_tokens(template: str) -> int:
    """:func:`tokens` of a query of a kind without conditions."""
    return tokens(re.sub(r"\{(?:on|where)\w*\}", "", template).replace("{", "").replace("}", ""))


def _values(
    rng: Stream, domain: Domain, form: Kind, conditions: Sequence[Condition]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Template values of a question, and values that databases should contain."""
    line = next((each for each in conditions if each.column == "line"), None)
    kind, other = rng.sample(domain.kinds, 2)
    names = domain.names()
    values: dict[str, Any] = {
        **names,
        **{f"a_{short}": article(names[short]) for short in ("p", "c", "pl", "ck", "ca")},
        "A_p": article(names["p"]).capitalize(),
        "least": rng.between(2, 4),
        "some": rng.between(10, 20),
        "group": rng.choice(domain.groups),
        "label": line.label if line is not None and line.label else rng.choice(domain.labels),
        "kind": kind,
        "other": other,
        "sum": rng.between(20, 45),
    }
    return values, _pools(domain, form, values, line)


def _pools(domain: Domain, form: Kind, values: Mapping[str, Any], line: Condition | None) -> dict[str, Any]:
    """The values named by the question, and similar ones, for the databases."""
    every, kind, other = pools_of(domain), values["kind"], values["other"]
    pools: dict[str, Any] = {}
    if "{least}" in form.query:
        pools["level"] = ([values["least"], *every["level"][0]], [values["least"] - 1])
    if "{group}" in form.query:
        pools["group"] = (every["group"][0], [values["group"], None])
    if "{some}" in form.query:
        pools["amount"] = ([values["some"], *range(values["some"], values["some"] + 20)], [values["some"] - 1, None])
    if "{sum}" in form.query:
        half, sum = values["sum"] // 2, values["sum"]
        pools["amount"] = ([1, 9, half, half, sum - half, sum - half, sum - half - 1], [])
    if "{kind}" in form.query:
        pools["kind"] = ([*every["kind"][0], kind, kind, other, other], [])
    if form.kinds == "few":
        pools |= {"kind": ([kind, other], []), "rare": ([kind.upper()], [])}
    if form.kinds == "three":
        pools["kind"] = ([kind, other, kind.capitalize()], [])
    if form.kinds == "first":
        third = next(each for each in domain.kinds if each not in (kind, other))
        pools["kind"] = (
            [*3 * [kind], other, other, third, other.capitalize()],
            [*variants(kind)[1:], *variants(other)],
        )
    if line is not None:
        pools |= {"label": (line.good, line.edge), "lines": ([line.lines], [])}
    return pools


def _scope(
    kind: Kind, values: Mapping[str, Any], found: Mapping[str, Sequence[Condition]]
) -> tuple[str, dict[str, str]]:
    """The sentences that state the conditions.

    The second text is how the question refers to the matching rows.
    """
    ps, c, cs = (values[short] for short in ("ps", "c", "cs"))
    on_p, on_c = (listed([each.words for each in found[table]]) for table in ("p", "c"))
    scope = f"Consider only {ps} that {on_p}. " if on_p else ""
    about = {"the_ps": f"these {ps}" if on_p else f"the {ps}", "the_cs": f"these {cs}" if on_c else f"the {cs}"}
    if "{valid_c}" in kind.words:
        about["valid_c"] = f"valid {c}" if on_c else c
        return scope + (f"Valid {cs} are {cs} that {on_c}. " if on_c else ""), about
    return scope + (f"Consider only {cs} that {on_c}. " if on_c else ""), about


def _places(found: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The conditions, for every placeholder that takes them."""
    on, onp = ("".join(f" AND {each}" for each in found[table]) for table in ("c", "p"))

    def where(text: str) -> str:
        return f" WHERE {text.removeprefix(' AND ')}" if text else ""

    return {
        "on": on,
        "onp": onp,
        "ond": on.replace("c.", "d."),
        "onq": onp.replace("p.", "q."),
        "where": where(on),
        "wherep": where(onp),
        "wherecp": where(on + onp),
        "wherep_and": f"{where(onp)} AND" if onp else " WHERE",
    }


def _mistakes(kind: Kind, tags: set[str], sql: Mapping[str, Any], query: str, order: str) -> list[str]:
    """The wrong queries of the kind, whatever its conditions."""
    wrong = []
    for each in kind.wrong:
        if isinstance(each, When):
            if (each.tag.removeprefix("!") in tags) == each.tag.startswith("!"):
                continue
            each = each.change
        wrong += _changed(kind.query, each, sql, order)
    for name, template in _mutants(kind.query):
        tag = kind.same.get(name)
        if tag is None or (tag and not tags & set(tag.split())):
            wrong.append(template.format(**sql) + order)
    body = query.removesuffix(order)
    wrong += [body + _order(keys) for keys in _other_orders(kind)]
    texts = [number for number in kind.order if kind.columns[abs(number) - 1][1].startswith("t")]
    for number in texts:
        key = f" {abs(number)}"
        wrong.append(body + order.replace(key, f"{key} COLLATE NOCASE", 1) + f",{key}{' DESC' if number < 0 else ''}")
    if kind.repeats:
        wrong.append(f"SELECT DISTINCT * FROM ({body}){order}")
    return wrong


def _misread(query: str, condition: Condition, everywhere: bool = True) -> list[str]:
    """The query with a condition misread or left out.

    Everywhere, and in each single place.
    """
    forms = (("c.", "c."), ("c.", "d.")) if "c." in condition.sql else (("p.", "p."), ("p.", "q."))
    places = [
        (found.start(), found.end(), forms[at])
        for at in (0, 1)
        for found in re.finditer(re.escape(condition.sql.replace(*forms[at])), query)
    ]
    chosen = [places] if everywhere else []
    chosen += [[place] for place in places] if len(places) > 1 else []
    made = []
    for misread in ("1", *condition.wrong):
        for some in chosen:
            changed = query
            for start, end, form in sorted(some, reverse=True):
                changed = changed[:start] + misread.replace(*form) + changed[end:]
            made.append(changed)
    return made


@cache
def _mutants(template: str) -> tuple[tuple[str, str], ...]:
    return tuple(mutants(template))


def _other_orders(kind: Kind) -> list[tuple[int, ...]]:
    """Sort keys reversed, left out, exchanged, or the last one replaced.

    The last is what a query without the last key returns, in whatever order it finds the rows.
    """
    order = kind.order
    turned = [(*order[:at], -key, *order[at + 1 :]) for at, key in enumerate(order)]
    dropped = [(*order[:at], *order[at + 1 :]) for at in range(len(order) - 1)]
    named = {abs(key) for key in order}
    other = [
        number for number, (_, contents) in enumerate(kind.columns, 1) if contents[0] in "kt" and number not in named
    ]
    found = [(*order[:-1], sign * number) for number in other for sign in (1, -1)] if order else []
    return [*turned, *dropped, *found, *([order[::-1]] if len(order) > 1 else [])]


def _changed(template: str, change: str | tuple[str, str], sql: Mapping[str, Any], order: str) -> list[str]:
    """A template with a change: everywhere, and in each single place."""
    if isinstance(change, str):
        return [change.format(**sql) + order]
    old, new = change
    if old not in template:
        raise ValueError(f"{old!r} does not stand in {template!r}")
    parts = template.split(old)
    alone = [old.join(parts[:at]) + new + old.join(parts[at:]) for at in range(1, len(parts))]
    changed = [template.replace(old, new), *(alone if len(alone) > 1 else [])]
    return [each.format(**sql) + order for each in changed]


def _order(keys: Sequence[int]) -> str:
    return " ORDER BY " + ", ".join(f"{abs(key)}{' DESC' if key < 0 else ''}" for key in keys) if keys else ""


def _shape(kind: Kind, values: Mapping[str, Any]) -> str:
    """The sentences about columns and order."""
    titles = [title.format(**values) for title, _ in kind.columns]
    keys = []
    for key in kind.order:
        number = abs(key) - 1
        contents = kind.columns[number][1]
        directions = ("A before Z", "Z before A") if contents[0] == "t" else ("lowest first", "highest first")
        unknown = f", NULL {'last' if key < 0 else 'first'}" if "?" in contents else ""
        keys.append(f"by {titles[number]} ({directions[key < 0]}{unknown})")
    order = f"Order: {', then '.join(keys)}." if keys else "In any order."
    return f"Columns: {', '.join(titles)}. {order}"
