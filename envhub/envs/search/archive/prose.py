"""The text of a document, with the facts of each paragraph.

A document is written when it is looked at, from its own randomness. A reader finds the facts of a thing in paragraphs
that name it in full::

    for paragraph in written(world, paper):
        paragraph.text, paragraph.facts
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.search.archive.phrases import (
    AFTER,
    BEFORE,
    CLAUSES,
    DID,
    DIGESTS,
    FILLERS,
    LEADS,
    RUMOURS,
    SHORT,
    TITLES,
    WHEN,
    WHO,
)
from envhub.envs.search.archive.schema import ATTRIBUTES
from envhub.envs.search.archive.world import Fact, Paper, World, world_of

_MONTHS: Final = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)
_PLAIN: Final = 5


class Paragraph(NamedTuple):
    """A paragraph, and the facts that it states."""

    text: str
    facts: frozenset[Fact]


class Text(NamedTuple):
    """A written document: its title and its paragraphs, numbered from 1."""

    title: str
    paragraphs: tuple[Paragraph, ...]


def dated(day: int) -> str:
    """A date in words, such as 3 May 1931."""
    when = date.fromordinal(day)
    return f"{when.day} {_MONTHS[when.month - 1]} {when.year}"


def written(world: World, paper: Paper) -> Text:
    """The text of a document; the same whenever it is written."""
    return _written((world.seed, world.size, world.conflict, world.rumours, world.length), paper.number)


@lru_cache(maxsize=512)
def _written(recipe: tuple[str, int, int, int, int], number: int) -> Text:
    world = world_of(*recipe)
    paper = world.paper(number)
    return _Writer(world, paper, world.stream("text", number)).text()


class _Writer:
    """Writes one document."""

    def __init__(self, world: World, paper: Paper, rng: Stream) -> None:
        self._world, self._paper, self._rng = world, paper, rng
        self._unused = list(FILLERS[paper.source])
        rng.shuffle(self._unused)

    def text(self) -> Text:
        """The title, and the paragraphs in random order."""
        paper, rng = self._paper, self._rng
        groups = list(self._grouped())
        told = [Paragraph(self._told(group), frozenset(group)) for group in groups]
        if rng.below(100) < self._world.rumours and paper.facts:
            told.append(Paragraph(self._rumour(), frozenset()))
        for _ in range(max(not told, self._world.length // 2 + rng.below(self._world.length + 1))):
            told.append(Paragraph(" ".join(self._fillers(2 + rng.below(3))), frozenset()))
        rng.shuffle(told)
        if paper.about is None:
            return Text(rng.choice(DIGESTS[paper.source]), tuple(told))
        called = self._world.called(paper.about)
        return Text(_capital(rng.choice(TITLES[paper.source]).format(called)), tuple(told))

    def _grouped(self) -> list[list[Fact]]:
        """The facts of each paragraph: one or two of the same thing."""
        groups: list[list[Fact]] = []
        facts = list(self._paper.facts)
        if self._paper.about is not None:
            self._rng.shuffle(facts)
        for fact in facts:
            if groups and len(groups[-1]) < 2 and groups[-1][0].thing == fact.thing and self._rng.below(2):
                groups[-1].append(fact)
            else:
                groups.append([fact])
        return groups

    def _told(self, facts: Sequence[Fact]) -> str:
        """The sentences of a paragraph that states facts of one thing."""
        rng = self._rng
        thing = facts[0].thing
        lines = self._fillers(rng.below(2))
        named = rng.below(2) == 0
        if named:
            lines.append(rng.choice(LEADS).format(s=self._world.called(thing)))
        for fact in facts:
            lines.append(self._sentence(fact, named))
            named = ATTRIBUTES[fact.attribute].to != ATTRIBUTES[fact.attribute].of  # else "it" could be the value
        return " ".join([*lines, *self._fillers(rng.below(3))])

    def _sentence(self, fact: Fact, named: bool) -> str:
        """A fact in a sentence. Later sentences may use a shorter reference."""
        rng, world = self._rng, self._world
        row = ATTRIBUTES[fact.attribute]
        subject = world.called(fact.thing)
        if named and rng.below(3):
            name = world.names[fact.thing]
            subject = rng.choice(SHORT[row.of] or (name.rpartition(" ")[2],))
        clause = rng.choice(CLAUSES[row.of, row.noun])
        if subject == "it" and not clause.startswith("{s}"):
            subject = SHORT[row.of][0]
        told = clause.format(s=subject, o=self._value(fact.attribute, fact.value))
        manner = rng.below(_PLAIN)
        before = rng.choice(BEFORE) if manner == 0 else ""
        return _capital(f"{before}{told}{rng.choice(AFTER) if manner == 1 else ''}.")

    def _value(self, attribute: int, value: int) -> str:
        row = ATTRIBUTES[attribute]
        if row.to == "number":
            return f"{value:,} {row.unit}" if self._rng.below(2) else f"{value} {row.unit}"
        return self._world.said(attribute, value)

    def _rumour(self) -> str:
        """A paragraph with a value that is denied, doubted or only planned."""
        rng, world = self._rng, self._world
        fact = rng.choice(self._paper.facts)
        row = ATTRIBUTES[fact.attribute]
        others = [value for value in world.values(fact.thing, fact.attribute) if value != fact.value]
        line = rng.choice(RUMOURS).format(
            s=world.called(fact.thing), o=self._value(fact.attribute, rng.choice(others)), noun=row.noun
        )
        return " ".join([*self._fillers(1), _capital(line), *self._fillers(rng.below(2))])

    def _fillers(self, count: int) -> list[str]:
        """Filler sentences. Each handwritten one appears once in a document."""
        rng = self._rng
        return [
            self._unused.pop()
            if self._unused and rng.below(2)
            else f"{rng.choice(WHO)} {rng.choice(DID)}{rng.choice(WHEN)}."
            for _ in range(count)
        ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
