"""Questions about a world.

Expressions over its tables, their wording, and their answers. An expression is nested lists, ``[what, ...]``:

* ``["name", id, by_alias]``: a thing, named;
* ``["of", relation, inner]`` and ``["in", relation, year, inner]``: the value of a relation, now or in a year;
* ``["first" or "last", relation, [inner, ...]]``: the thing with the least or greatest year;
* ``["only", kind, [[relation, inner], ...]]``: the thing with all these properties; ``["count", ...]``: their number.

``evaluate`` queries the tables and returns every matching value, so an answer is proved unique; it also returns the
facts needed. A question about facts missing from the tables has no answer: "not in the corpus".

Neither the form of a question nor its number of facts reveals the answer. So a count needs one fact less than requested
to two more, and its number is drawn first; a comparison whose outcome is the answer (which no question names) has at
least two possible outcomes; and relations that are often unknown (who taught somebody) are asked less often than they
are unknown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.generators.worlds.tables import ALIAS, CHANGES, KINDS, NOW, RELATIONS, Kind, Thing, Value, World
from envhub.generators.worlds.text import called

Expression = list[Any]
UNKNOWN: Final = "not in the corpus"
_SHAPES: Final = (*["chain"] * 6, *["compare"] * 5, *["only"] * 4, *["count"] * 2, *["past"] * 4)
_UNKNOWN_ONE_IN: Final = 25
"""One question in this many is unanswerable: always saying so must not beat guessing."""
PLURAL: Final = {"person": "people", "company": "companies", "town": "towns", "work": "works", "event": "events"}
_LEAST: Final = {"compare": 4, "only": 2, "count": 2}
MOST_HOPS: Final = 6
_MOST_COUNTED: Final = 9
_COUNTED: Final = (-1, 2)
"""Range of a count around the requested facts, else level and wording would reveal it."""
_SEARCHES: Final = 40
_OFTEN_UNTOLD: Final = 4
"""Teachers are unknown about this many times as often as anything else."""
_FIRST: Final = {
    "birth year": ("was born first", "was born last"),
    "founding year": ("was founded first", "was founded last"),
    "year": ("came out first", "came out last"),
    "event year": ("was held first", "was held last"),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question.

    Attributes:
        expression: Its expression.
        text: In words.
        answers: The answer in every accepted form, the plainest first.
        facts: The numbers of the facts that lead to it, in order of use.
        shape: Its special features.
    """

    expression: Expression
    text: str
    answers: tuple[str, ...]
    facts: tuple[int, ...]
    shape: str


def evaluate(world: World, expression: Expression) -> tuple[list[Value], list[int]]:
    """All values of an expression, with their facts."""
    what = expression[0]
    if what == "name":
        return [expression[1]], list(world.rows(expression[1], ALIAS)) if expression[2] else []
    if what in ("of", "in"):
        return _followed(world, expression[1], expression[2] if what == "in" else None, expression[-1])
    if what in ("first", "last"):
        return _ranked(world, what, expression[1], expression[2])
    found, facts = _matching(world, expression[1], expression[2])
    return ([len(found)], facts) if what == "count" else (list(found), facts)


def _followed(world: World, relation: str, year: int | None, inner: Expression) -> tuple[list[Value], list[int]]:
    values, facts = evaluate(world, inner)
    rows = [world.holding(str(value), relation, year) for value in values]
    known = [row for row in rows if row is not None]
    return list(dict.fromkeys(world.value(row) for row in known)), facts + known


def _ranked(world: World, what: str, relation: str, inners: Sequence[Expression]) -> tuple[list[Value], list[int]]:
    facts: list[int] = []
    years: list[tuple[int, Value]] = []
    for inner in inners:
        values, needed = evaluate(world, inner)
        rows = [world.holding(str(value), relation) for value in values]
        facts += needed + [row for row in rows if row is not None]
        if None in rows or not rows:
            return [], facts  # the first one is undetermined
        years += [(int(world.value(row)), value) for row, value in zip(rows, values, strict=True) if row is not None]
    best = (min if what == "first" else max)(year for year, _ in years)
    return list(dict.fromkeys(value for year, value in years if year == best)), facts


def _matching(world: World, kind: Kind, conditions: Sequence[Sequence[Any]]) -> tuple[dict[Value, None], list[int]]:
    facts: list[int] = []
    found: list[dict[Value, int]] = []
    for relation, inner in conditions:
        values, needed = evaluate(world, inner)
        facts += needed
        rows = [row for value in values for row in world.pointing.get((relation, value), ())]
        found.append({world.facts[row].subject: row for row in rows})
    common: dict[Value, None] = dict.fromkeys(thing for thing in found[0] if all(thing in rest for rest in found))
    return common, facts + [rows[thing] for thing in common for rows in found]


# -- words ---------------------------------------------------------------------------------------------------------------


def words(world: World, expression: Expression) -> str:
    """An expression as a noun phrase."""
    what = expression[0]
    if what == "name":
        return called(world.things[expression[1]], by_alias=expression[2])
    if what == "of":
        return f"the {RELATIONS[expression[1]].noun} of {words(world, expression[2])}"
    if what == "in":
        return f"the {expression[2]} {RELATIONS[expression[1]].noun} of {words(world, expression[3])}"
    if what in ("first", "last"):
        listed = [words(world, inner) for inner in expression[2]]
        ranked = _FIRST[expression[1]][what == "last"]
        return f"the one of these that {ranked} ({'; '.join(listed)})"
    conditions = " and ".join(f"whose {RELATIONS[name].noun} is {words(world, inner)}" for name, inner in expression[2])
    return f"{'' if what == 'count' else 'the '}{expression[1]} {conditions}"


def ask(world: World, rng: Stream, expression: Expression) -> str:
    """An expression as a question."""
    if expression[0] == "count":
        phrase = words(world, expression).partition(" ")[2]
        return f"How many {PLURAL[expression[1]]} are there {phrase}?"
    return rng.choice(("Give {}.", "Find {}.", "We look for {}.")).format(words(world, expression))


def names_of(thing: Thing) -> tuple[str, ...]:
    """The names of a thing that refer to no other thing."""
    forms: list[str] = []
    if not thing.shared:
        forms.append(thing.name)
    if thing.trade is not None:
        forms += [f"the {thing.trade} {thing.name}", f"{thing.trade} {thing.name}", f"{thing.name}, the {thing.trade}"]
        forms += [
            f"{thing.name} the {thing.trade}",
            f"{thing.name} ({thing.trade})",
            f"{thing.name} (the {thing.trade})",
        ]
    if thing.alias is not None:
        forms.append(thing.alias)
    return tuple(forms)


def told(world: World, number: int) -> str:
    """A fact independent of tables: equal for equal problems."""
    fact = world.facts[number]
    value = called(world.things[fact.value]) if fact.value in world.things else str(fact.value)
    return f"{called(world.things[fact.subject])} | {fact.relation} | {value}"


# -- drawing -------------------------------------------------------------------------------------------------------------


def draw_shape(rng: Stream, facts: int) -> str:
    """The shape of a question.

    Drawn once for many attempts, or easy shapes would be too frequent.
    """
    shapes = [shape for shape in _SHAPES if facts >= _LEAST.get(shape, 1)]
    return "unknown" if rng.below(_UNKNOWN_ONE_IN) == 0 else rng.choice(shapes)


def draw_question(rng: Stream, world: World, facts: int, shape: str | None = None) -> Question | None:
    """A question that needs ``facts`` facts, or None after a failed attempt."""
    shape = shape or draw_shape(rng, facts)
    expression = _Drawing(rng, world).shaped(shape, facts)
    if expression is None or _hops(expression) > MOST_HOPS:
        return None
    values, needed = evaluate(world, expression)
    if len(needed) != len(set(needed)):
        return None
    text = ask(world, rng, expression)
    if shape == "unknown":
        return Question(expression, text, (UNKNOWN,), tuple(needed), shape) if not values else None
    if len(values) != 1 or (len(needed) != facts and shape != "count") or _outcome_is_plain(expression):
        return None
    answers = _answers(world, values[0])
    plain = " ".join(text.casefold().split())
    if any(answer.casefold() in plain for answer in answers if not answer.isdigit() or len(answer) == 4):
        return None
    return Question(expression, text, answers, tuple(needed), shape)


def _outcome_is_plain(expression: Expression) -> bool:
    """Whether the answer is a comparison's outcome with one unnamed candidate."""
    return expression[0] in ("first", "last") and sum(inner[0] != "name" for inner in expression[2]) < 2


def _hops(expression: Expression) -> int:
    """The longest chain of relations."""
    what = expression[0]
    if what == "name":
        return 0
    if what in ("first", "last"):
        return max(map(_hops, expression[2]))
    if what in ("of", "in"):
        return 1 + _hops(expression[-1])
    return 1 + max(_hops(inner) for _, inner in expression[2])


def _answers(world: World, value: Value) -> tuple[str, ...]:
    return (str(value),) if isinstance(value, int) else names_of(world.things[value])


class _Drawing:
    """Draws one expression; None marks a dead end."""

    def __init__(self, rng: Stream, world: World) -> None:
        self._rng, self._world = rng, world

    def shaped(self, shape: str, facts: int) -> Expression | None:
        """An expression of a shape that needs ``facts`` facts."""
        least = _LEAST.get(shape, 1)
        if shape == "unknown":
            return self._untold(self._inner(facts - 1))
        if shape == "count":
            return self._count(facts)
        special = {"compare": self._compare, "only": self._only, "past": self._past}.get(shape)
        if special is None:
            return self._inner(facts)
        before = self._rng.below(facts - least + 1)
        expression = special(self._inner(before), facts - before)
        spent = self._cost(expression)
        return self._chain(expression, facts, spent) if spent is not None else None

    def _inner(self, facts: int) -> Expression | None:
        """A chain; a long one begins with a comparison."""
        if facts <= MOST_HOPS and (facts < _LEAST["compare"] + 1 or self._rng.below(3)):
            return self._chain(self._start(facts), facts)
        before = self._rng.below(min(3, facts - 3))
        compared = self._compare(self._chain(self._start(before), before), facts - before)
        return self._chain(compared, facts, self._cost(compared))

    def _start(self, facts: int) -> Expression:
        """A thing, sometimes by an alias that must be looked up."""
        thing = self._rng.choice(list(self._world.things.values()))
        return ["name", thing.id, bool(facts and thing.alias and self._rng.below(3) == 0)]

    def _cost(self, expression: Expression | None) -> int | None:
        return None if expression is None else len(evaluate(self._world, expression)[1])

    def _thing(self, expression: Expression | None) -> Thing | None:
        """The unique thing of an expression."""
        values = evaluate(self._world, expression)[0] if expression is not None else []
        return self._world.things.get(str(values[0])) if len(values) == 1 else None

    def _chain(self, expression: Expression | None, facts: int, spent: int | None = None) -> Expression | None:
        """Follows relations until enough facts are needed.

        A year can only come last.
        """
        left = facts - (spent if spent is not None else self._cost(expression) or 0)
        passed: set[str] = set()
        for step in range(left, 0, -1):
            thing = self._thing(expression)
            if thing is None:
                return None
            passed.add(thing.id)
            ways = [
                name
                for name, row in RELATIONS.items()
                if row.of == thing.kind and (row.to != "year" or step == 1) and self._leads(thing, name, passed)
            ]
            if not ways:
                return None
            expression = ["of", self._rng.choice(ways), expression]
        return expression if left >= 0 else None

    def _leads(self, thing: Thing, relation: str, passed: set[str]) -> bool:
        row = self._world.holding(thing.id, relation)
        return row is not None and self._world.value(row) not in passed

    def _untold(self, inner: Expression | None) -> Expression | None:
        thing = self._thing(inner)
        if thing is None:
            return None
        ways = [
            name
            for name, row in RELATIONS.items()
            if row.of == thing.kind and not row.lasting and self._world.holding(thing.id, name) is None
        ]
        way = self._rng.choice(ways) if ways else None
        if way is None or (way == "teacher" and self._rng.below(_OFTEN_UNTOLD)):
            return None
        return ["of", way, inner]

    def _past(self, inner: Expression | None, facts: int) -> Expression | None:
        """A value in a year, unlike the present or an earlier one."""
        thing = self._thing(inner)
        choices = [
            (name, row)
            for name, relation in RELATIONS.items()
            if thing is not None and relation.lasting and relation.of == thing.kind
            for row in self._world.rows(thing.id, name)[1:]
        ]
        if thing is None or not choices:
            return None
        name, row = self._rng.choice(choices)
        rows = [*self._world.rows(thing.id, name)]
        after = rows[rows.index(row) + 1 :]
        begun = int(self._world.facts[row].since or CHANGES[0])
        ended = int(self._world.facts[after[0]].since or NOW) if after else NOW
        return ["in", name, self._rng.between(begun + 1, ended - 1), inner] if ended - begun > 1 else None

    def _compare(self, inner: Expression | None, facts: int) -> Expression | None:
        """The first or last of three things, one perhaps found first."""
        thing = self._thing(inner)
        if thing is None:
            return None
        years = [name for name, row in RELATIONS.items() if row.of == thing.kind and row.to == "year"]
        others = [other for other in self._world.of(thing.kind) if other.id != thing.id]
        if not years or len(others) < 2:
            return None
        hops = min(2, facts - 3)
        listed = [inner, *(self._reached(other, n < hops) for n, other in enumerate(self._rng.sample(others, 2)))]
        self._rng.shuffle(listed)
        return [self._rng.choice(("first", "last")), self._rng.choice(years), listed]

    def _reached(self, thing: Thing, by_hop: bool) -> Expression:
        """A thing by its name, or by a path to it."""
        ways = [
            number
            for name in RELATIONS
            for number in self._world.pointing.get((name, thing.id), ())
            if by_hop and self._rng.below(2)
        ]
        if not ways:
            return ["name", thing.id, False]
        fact = self._world.facts[self._rng.choice(ways)]
        return ["of", fact.relation, ["name", fact.subject, False]]

    def _conditions(self, inner: Expression | None) -> list[tuple[str, list[int]]]:
        """A path to a thing from others."""
        thing = self._thing(inner)
        names = [name for name, row in RELATIONS.items() if thing is not None and row.to == thing.kind]
        found = [(name, self._world.pointing.get((name, thing.id), [])) for name in names if thing is not None]
        return [(name, rows) for name, rows in found if rows]

    def _only(self, inner: Expression | None, facts: int) -> Expression | None:
        """The only thing that shares one property each with two groups."""
        ways = [(name, rows) for name, rows in self._conditions(inner) if len(rows) > 1]
        if not ways:
            return None
        name, rows = self._rng.choice(ways)
        chosen = self._world.facts[self._rng.choice(rows)].subject
        kind = RELATIONS[name].of
        others = [
            (other, value)
            for other, row in RELATIONS.items()
            if row.of == kind and row.to in KINDS and other != name
            if (number := self._world.holding(chosen, other)) is not None
            if len(self._world.pointing.get((other, value := self._world.value(number)), ())) > 1
        ]
        if not others:
            return None
        other, value = self._rng.choice(others)
        return ["only", kind, [[name, inner], [other, ["name", str(value), False]]]]

    def _count(self, facts: int) -> Expression | None:
        """A count of things that share a property, after a chain.

        The number is drawn first.
        """
        less, more = _COUNTED
        before = self._rng.between(max(0, facts + more - _MOST_COUNTED), facts - 2)
        sizes = set(map(len, self._world.pointing.values()))
        numbers = [n for n in range(max(1, facts - before + less), facts - before + more + 1) if n in sizes]
        number = self._rng.choice(numbers) if numbers else 0
        for _ in range(_SEARCHES if number else 0):
            inner = self._inner(before)
            ways = [name for name, rows in self._conditions(inner) if len(rows) == number]
            if ways:
                name = self._rng.choice(ways)
                return ["count", RELATIONS[name].of, [[name, inner]]]
        return None
