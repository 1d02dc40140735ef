"""Documents about a world.

Portraits, notices of changes, and facts mentioned in other portraits. Every fact is stated at least once. A document
has a year and states what held then; later changes are stated in a notice of their year, so an older portrait may be
outdated. Things often appear under their aliases, which their own portraits state. People who share a name are never
named without their trades.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.retrieval import Document
from envhub.generators.worlds.tables import ALIAS, CHANGES, NOW, RELATIONS, Fact, Thing, World

_STATIC: Final = {
    "birthplace": (
        "{s} was born in {o}.",
        "{o} is the town where {s} was born.",
        "{s} comes from {o}, and was born there.",
    ),
    "birth year": (
        "{s} was born in {o}.",
        "The year in which {s} was born is {o}.",
        "{o} is the year of birth of {s}.",
    ),
    "teacher": ("{s} was taught by {o}.", "The teacher of {s} was {o}.", "It was {o} who taught {s}."),
    "founding year": ("{s} was founded in {o}.", "{o} is the year in which {s} was founded."),
    "founder": ("{s} was founded by {o}.", "The founder of {s} is {o}.", "It was {o} who founded {s}."),
    "author": ("{s} was written by {o}.", "{o} wrote {s}.", "The author of {s} is {o}."),
    "year": ("{s} came out in {o}.", "{o} saw the first edition of {s}."),
    "publisher": ("{s} was published by {o}.", "{o} published {s}.", "{s} came out with {o}."),
    "setting": ("{s} is set in {o}.", "The story of {s} takes place in {o}.", "{o} is the setting of {s}."),
    "place": ("{s} was held in {o}.", "{o} was the place of {s}.", "{s} took place in {o}."),
    "event year": ("{s} was held in {o}.", "{s} took place in {o}."),
    "winner": ("{s} was won by {o}.", "{o} won {s}.", "The winner of {s} was {o}."),
    "sponsor": ("{s} was paid for by {o}, its sponsor.", "The sponsor of {s} was {o}.", "{o} sponsored {s}."),
}
_LASTING: Final = {
    "employer": ("{s} works for {o}.", "{s} is employed by {o}.", "The employer of {s} is {o}."),
    "seat": ("{s} has its seat in {o}.", "The head office of {s} is in {o}.", "{s} is based in {o}."),
    "head": ("{s} is run by {o}.", "The head of {s} is {o}.", "{o} runs {s}."),
    "mayor": ("{s} has {o} for a mayor.", "The mayor of {s} is {o}.", "{o} is the mayor of {s}."),
    "main employer": ("Most people in {s} work for {o}.", "The main employer in {s} is {o}."),
}
_CHANGED: Final = {
    "employer": (
        "{s} left {p} in {y}, and has been employed by {o} since.",
        "In {y}, {s} went from {p} to {o}, the new employer.",
    ),
    "seat": (
        "In {y}, {s} moved its seat from {p} to {o}.",
        "{s} gave up its head office in {p} in {y}, and moved to {o}.",
    ),
    "head": (
        "In {y}, {o} became head of {s}, in place of {p}.",
        "{s}, until then run by {p}, has been run by {o} since {y}.",
    ),
    "mayor": ("In {y}, {o} became mayor of {s}, after {p}.", "{p} made way for {o} as mayor of {s} in {y}."),
    "main employer": (
        "In {y}, {o} became the main employer in {s}, ahead of {p}.",
        "{o} overtook {p} in {y} as the main employer in {s}.",
    ),
}
_ALIASES: Final = {
    "person": ("{s} is also known under the pen name {a}.", "In print, {s} goes by the name of {a}."),
    "company": ("In the trade, {s} is called {a}.", "{s} is also known as {a}."),
    "town": ("{s} was formerly called {a}.", "Old maps have {s} as {a}."),
    "work": ("The working title of {s} was {a}.", "In manuscript, {s} was called {a}."),
    "event": ("Locals call {s} the {a}.", "{s} is also known as the {a}."),
}
_INTRODUCED: Final = {
    "person": ("{s} has worked as {a} for many years.", "Few people in the trade of {a} are as well known as {s}."),
    "company": ("{s} sells its goods in many countries.", "The catalogue of {s} fills two shelves."),
    "town": ("{s} lies on a river, between low hills.", "Visitors come to {s} for its market."),
    "work": ("{s} is a novel in three parts.", "Readers have kept {s} in print."),
    "event": ("{s} drew a crowd from all over the country.", "The weather was kind to {s}."),
}
_FILLERS: Final = (
    "The archive holds letters about it, most of them undated.",
    "A photograph of the time has survived.",
    "Opinions on the matter differ to this day.",
    "The local paper gave it half a page.",
    "Much else that is told about it cannot be checked.",
    "A longer account was announced, and never printed.",
    "Two libraries keep a copy of the report.",
    "Nobody seems to have asked for the reasons.",
)
_TITLES: Final = {
    "person": ("Portrait: {}", "Who is {}?", "{}, a life"),
    "company": ("Company file: {}", "{} at a glance"),
    "town": ("Guide to {}", "Places: {}"),
    "work": ("About {}", "Reading {}"),
    "event": ("Chronicle: {}", "Looking back on {}"),
}
_NEWS: Final = ("News in brief", "Notices", "Changes of the year", "From the register")
_ELSEWHERE: Final = 4
_TWICE: Final = 5
_BY_ALIAS: Final = 5


def called(thing: Thing, by_alias: bool = False) -> str:
    """The name of a thing that is mentioned without details."""
    name = thing.alias if by_alias and thing.alias is not None else thing.name
    if thing.kind == "work":
        return f"\u201c{name}\u201d"
    if thing.shared and name == thing.name:
        return f"the {thing.trade} {name}"
    return f"the {name}" if thing.kind == "event" else name


def render(world: World, rng: Stream) -> tuple[Document, ...]:
    """The numbered documents about a world, in random order."""
    drafts = _Teller(world, rng).drafts()
    rng.shuffle(drafts)
    return tuple(
        Document(f"doc-{number}", title, text, year, facts)
        for number, (title, text, year, facts) in enumerate(drafts, 1)
    )


_Draft = tuple[str, str, int, frozenset[int]]


class _Teller:
    """Writes the documents of one world."""

    def __init__(self, world: World, rng: Stream) -> None:
        self._world, self._rng = world, rng

    def drafts(self) -> list[_Draft]:
        """Portraits and notices."""
        told: defaultdict[str, list[int]] = defaultdict(list)
        changes: list[tuple[int, int]] = []
        for thing in self._world.things.values():
            for relation in (ALIAS, *(name for name, row in RELATIONS.items() if row.of == thing.kind)):
                rows = self._world.rows(thing.id, relation)
                changes += pairwise(rows)
                for place in self._places(self._world.facts[rows[0]]) if rows else ():
                    told[place].append(rows[0])
        portraits = [self._portrait(thing, told[thing.id]) for thing in self._world.things.values()]
        return portraits + [self._notice(before, after) for before, after in changes]

    def _places(self, fact: Fact) -> list[str]:
        """Whose portraits state a fact: its subject's, its value's, or both."""
        subject, value = fact.subject, fact.value
        if fact.relation == ALIAS or fact.since is not None or not isinstance(value, str):
            return [subject]
        if self._rng.below(_TWICE) == 0:
            return [subject, value]
        return [value if self._rng.below(_ELSEWHERE) == 0 else subject]

    def _portrait(self, thing: Thing, facts: list[int]) -> _Draft:
        rng, world = self._rng, self._world
        own = called(thing)
        drawn = min(rng.between(CHANGES[0], NOW - 1) for _ in range(2))  # mostly old, so that much has changed since
        year = max([drawn, *(self._earliest(world.facts[number]) for number in facts)])
        trade = thing.trade or ""
        opening = rng.choice(_INTRODUCED[thing.kind]).format(s=own, a=_article(trade))
        stated: list[int] = []
        lines: list[str] = []
        for first in facts:
            fact = world.facts[first]
            number = world.holding(fact.subject, fact.relation, year) if fact.since is not None else first
            if number is not None:
                stated.append(number)
                lines.append(self._sentence(world.facts[number], own_id=thing.id))
        lines += rng.sample(_FILLERS, 1 + rng.below(2))
        rng.shuffle(lines)
        title = rng.choice(_TITLES[thing.kind]).format(own)
        return title, _tidy([opening, *lines]), year, frozenset(stated)

    def _earliest(self, fact: Fact) -> int:
        """The year before which a fact cannot be stated."""
        kind = RELATIONS[fact.relation].of if fact.relation in RELATIONS else None
        made = {"work": "year", "event": "event year"}.get(kind or "")
        row = self._world.holding(fact.subject, made) if made else None
        return int(self._world.facts[row].value) if row is not None else NOW - 2 if made else 0

    def _notice(self, before: int, after: int) -> _Draft:
        """A notice of a change in its year, with its two facts."""
        rng, world = self._rng, self._world
        old, new = world.facts[before], world.facts[after]
        text = rng.choice(_CHANGED[new.relation]).format(
            s=self._called(new.subject), o=self._called(new.value), p=self._called(old.value), y=new.since
        )
        lines = [text, *rng.sample(_FILLERS, 1)]
        rng.shuffle(lines)
        return f"{rng.choice(_NEWS)} {new.since}", _tidy(lines), int(new.since or 0), frozenset((before, after))

    def _sentence(self, fact: Fact, own_id: str) -> str:
        rng = self._rng
        subject = self._world.things[fact.subject]
        if fact.relation == ALIAS:
            return rng.choice(_ALIASES[subject.kind]).format(
                s=called(subject), a=f"\u201c{fact.value}\u201d" if subject.kind == "work" else fact.value
            )
        forms = _LASTING[fact.relation] if fact.since is not None else _STATIC[fact.relation]
        known = fact.subject == own_id
        return rng.choice(forms).format(
            s=called(subject) if known else self._called(fact.subject), o=self._called(fact.value)
        )

    def _called(self, value: str | int) -> str:
        """A value in words; a thing sometimes by its alias."""
        if isinstance(value, int):
            return str(value)
        return called(self._world.things[value], by_alias=self._rng.below(_BY_ALIAS) == 0)


def _article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


def _tidy(lines: list[str]) -> str:
    return " ".join(line[:1].upper() + line[1:] for line in lines)
