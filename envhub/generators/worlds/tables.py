"""The world as tables.

Things with names, and facts, some lasting from a year on. All documents and answers derive from these tables. They are
consistent: anyone who founds, runs, writes or wins something is an adult by then, publishers and employers have been
founded, nobody runs two things, and nobody was trained by somebody younger. Facts outside the tables appear in no
document: they are unknown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.worlds.names import PROFESSIONS, Names

Kind = Literal["person", "company", "town", "work", "event"]
Value = int | str
"""A year, or the id of a thing."""

NOW: Final = 2024
CHANGES: Final = (2007, 2023)
"""First and last year in which lasting facts may change."""
ALIAS: Final = "alias"
_BORN: Final = (1940, 1968)
_FOUNDED: Final = (1990, 2005)
_MADE: Final = (1990, 2022)
_UNTOLD: Final = 16
_REVISED: Final = 3


class Relation(NamedTuple):
    """A column of the tables.

    Attributes:
        of: Kind of its subject.
        to: Kind of its value, or ``year``.
        lasting: It holds from a year on, until it changes.
        noun: Its name in questions: "the NOUN of ...".
    """

    of: Kind
    to: Kind | Literal["year"]
    lasting: bool
    noun: str


RELATIONS: Final = {
    "birthplace": Relation("person", "town", False, "birthplace"),
    "birth year": Relation("person", "year", False, "birth year"),
    "teacher": Relation("person", "person", False, "teacher"),
    "employer": Relation("person", "company", True, "employer"),
    "founding year": Relation("company", "year", False, "founding year"),
    "founder": Relation("company", "person", False, "founder"),
    "seat": Relation("company", "town", True, "seat"),
    "head": Relation("company", "person", True, "head"),
    "mayor": Relation("town", "person", True, "mayor"),
    "main employer": Relation("town", "company", True, "main employer"),
    "author": Relation("work", "person", False, "author"),
    "year": Relation("work", "year", False, "year"),
    "publisher": Relation("work", "company", False, "publisher"),
    "setting": Relation("work", "town", False, "setting"),
    "place": Relation("event", "town", False, "place"),
    "event year": Relation("event", "year", False, "year"),
    "winner": Relation("event", "person", False, "winner"),
    "sponsor": Relation("event", "company", False, "sponsor"),
}
KINDS: Final[tuple[Kind, ...]] = ("person", "company", "town", "work", "event")


@dataclass(frozen=True, slots=True)
class Thing:
    """A row of the table of things.

    Attributes:
        id: For the tables only.
        kind: Its kind.
        name: Its name.
        alias: Another name for it, or None.
        trade: A person's trade.
        shared: Another person has the same name.
    """

    id: str
    kind: Kind
    name: str
    alias: str | None = None
    trade: str | None = None
    shared: bool = False


class Fact(NamedTuple):
    """A row of the table of facts.

    ``since`` is None if it always holds.
    """

    subject: str
    relation: str
    value: Value
    since: int | None = None


class World:
    """The two tables, with queries.

    Args:
        things: Every thing once.
        facts: Every fact once; its index is its number. Those of one lasting relation are in order of year.
    """

    def __init__(self, things: Sequence[Thing], facts: Sequence[Fact]) -> None:
        self.things = {thing.id: thing for thing in things}
        self.facts = tuple(facts)
        self._rows: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for number, fact in enumerate(self.facts):
            self._rows[fact.subject, fact.relation].append(number)

    def rows(self, subject: str, relation: str) -> Sequence[int]:
        """The numbers of the facts of a relation, oldest first."""
        return self._rows.get((subject, relation), ())

    def holding(self, subject: str, relation: str, year: int | None = None) -> int | None:
        """The number of the fact that holds now, or None.

        With a year, the fact that held then.
        """
        rows = self.rows(subject, relation)
        if year is None or not rows:
            return rows[-1] if rows else None
        past = [n for n in rows if (since := self.facts[n].since) is None or since <= year]
        return past[-1] if past else None

    @cached_property
    def pointing(self) -> dict[tuple[str, Value], list[int]]:
        """The facts that hold now, by relation and value."""
        found: defaultdict[tuple[str, Value], list[int]] = defaultdict(list)
        for (subject, relation), rows in self._rows.items():
            if relation != ALIAS and self.holding(subject, relation) == rows[-1]:
                found[relation, self.facts[rows[-1]].value].append(rows[-1])
        return dict(found)

    def of(self, kind: Kind) -> list[Thing]:
        """The things of a kind."""
        return [thing for thing in self.things.values() if thing.kind == kind]

    def value(self, number: int) -> Value:
        """The value of a fact."""
        return self.facts[number].value


def build(rng: Stream, people: int, namesakes: int) -> World:
    """Draw a world.

    Args:
        rng: Source of randomness.
        people: Number of people, at least 8; all else is in proportion.
        namesakes: Number of pairs of people with the same name.
    """
    things = _things(rng, people, namesakes)
    return World(things, _Facts(rng, things).draw())


def _things(rng: Stream, people: int, namesakes: int) -> list[Thing]:
    names = Names(rng)
    made: list[Thing] = []

    def add(kind: Kind, number: int, name: str, other: Callable[[], str], trade: str | None = None) -> None:
        shared = kind == "person" and number < namesakes
        made.append(Thing(f"{kind}{number}", kind, name, other() if rng.below(2) else None, trade, shared))

    named = [names.person() for _ in range(people - namesakes)]
    trades = [rng.choice(PROFESSIONS) for _ in named]
    for number, name in enumerate(named):
        add("person", number, name, names.person, trades[number])
    for number in range(namesakes):
        trade = rng.choice([trade for trade in PROFESSIONS if trade != trades[number]])
        made.append(Thing(f"person{len(named) + number}", "person", named[number], None, trade, True))
    for number in range(max(3, people // 5)):
        add("company", number, names.company(), names.brand)
    for number in range(max(4, people // 5)):
        add("town", number, names.town(), names.town)
    for number in range(max(4, people // 2)):
        add("work", number, names.work(), names.work)
    for number in range(max(3, people // 5)):
        add("event", number, names.event(), names.days)
    return made


class _Facts:
    """Draws facts about things."""

    def __init__(self, rng: Stream, things: Iterable[Thing]) -> None:
        self._rng = rng
        self._ids: dict[str, list[str]] = {kind: [] for kind in KINDS}
        self._facts: list[Fact] = []
        self._founded: dict[str, int] = {}
        for thing in things:
            self._ids[thing.kind].append(thing.id)
            if thing.alias is not None:
                self._facts.append(Fact(thing.id, ALIAS, thing.alias))

    def draw(self) -> list[Fact]:
        """All facts."""
        free = list(self._ids["person"])
        self._rng.shuffle(free)
        for company in self._ids["company"]:
            founded = self._founded[company] = self._rng.between(*_FOUNDED)
            self._tell(company, "founding year", founded)
            self._tell(company, "founder", self._any("person"))
            self._terms(company, "seat", self._some("town", self._times()), founded)
            self._terms(company, "head", self._taken(free), founded)
        for town in self._ids["town"]:
            self._terms(town, "mayor", self._taken(free), _FOUNDED[0])
            self._terms(town, "main employer", self._some("company", self._times()), CHANGES[0] - 1)
        self._people(set(free))
        for work in self._ids["work"]:
            self._tell(work, "author", self._any("person"))
            year = self._rng.between(*_MADE)
            self._tell(work, "year", year)
            self._tell(work, "publisher", self._founded_by(year))
            self._tell(work, "setting", self._any("town"))
        for event in self._ids["event"]:
            year = self._rng.between(*_MADE)
            self._tell(event, "place", self._any("town"))
            self._tell(event, "event year", year)
            self._tell(event, "winner", self._any("person"))
            self._tell(event, "sponsor", self._founded_by(year))
        return self._facts

    def _people(self, free: set[str]) -> None:
        """Births, teachers, and employers of those who run nothing."""
        born = {person: self._rng.between(*_BORN) for person in self._ids["person"]}
        for person, year in born.items():
            self._tell(person, "birth year", year)
            self._tell(person, "birthplace", self._any("town"))
            older = [other for other in born if born[other] <= year - 8]
            if older:
                self._tell(person, "teacher", self._rng.choice(older))
            if person in free:
                self._terms(person, "employer", self._some("company", self._times()), CHANGES[0] - 1)

    def _any(self, kind: Kind) -> str:
        return self._rng.choice(self._ids[kind])

    def _some(self, kind: Kind, count: int) -> list[str]:
        return self._rng.sample(self._ids[kind], min(count, len(self._ids[kind])))

    def _founded_by(self, year: int) -> str | None:
        """A company that exists in a year."""
        there = [company for company, founded in self._founded.items() if founded <= year]
        return self._rng.choice(there) if there else None

    def _times(self) -> int:
        """Number of values a thing has had."""
        return 1 + (self._rng.below(_REVISED) > 0) + (self._rng.below(_REVISED) == 0)

    def _taken(self, free: list[str]) -> list[str]:
        """People who run nothing yet; marks them as running something."""
        return [free.pop() for _ in range(min(self._times(), max(0, len(free) - 2)))]

    def _tell(self, subject: str, relation: str, value: Value | None) -> None:
        """Record a fact, except some, which stay unknown."""
        known = relation == "founding year" or self._rng.below(_UNTOLD)
        if value is not None and known:
            self._facts.append(Fact(subject, relation, value))

    def _terms(self, subject: str, relation: str, values: Sequence[str], first: int) -> None:
        """Record the successive values of a lasting relation."""
        years = sorted(self._rng.sample(range(CHANGES[0], CHANGES[1] + 1), max(0, len(values) - 1)))
        for value, since in zip(values, [first, *years], strict=False):
            self._facts.append(Fact(subject, relation, value, since))
