"""The things of an archive, and what its documents state about them.

A world is determined by a recipe and computed where it is looked at: the documents on a thing when the thing is named,
the values of an attribute when it is first needed. So a world of ten thousand documents costs a few milliseconds until
it is searched. Each thing has ``OWN`` documents of its own and stands in ``ROUNDS`` digests about several things::

    world = world_of("00ff", size=2400, conflict=40, rumours=30, length=20)
    law = Law(("register", "memoir", "yearbook", "newspaper"), cutoff=None)
    world.decided(thing, attribute, law)        # the value that counts, or None

Statements disagree: a document may state one of two other values. :class:`Law` decides which one counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.search.archive.schema import ATTRIBUTES, KINDS, OF, SOURCES, Kind, linked
from envhub.generators.worlds.names import Names

OWN: Final = 4
ROUNDS: Final = 2
_GROUP: Final = 6
_STATED: Final = 55
_FIRST: Final = date(1911, 1, 1).toordinal()
_LAST: Final = date(1970, 12, 31).toordinal()
_YEARS_OFF: Final = 4
_BITS: Final = 16
_MASK: Final = (1 << _BITS) - 1

Recipe = tuple[str, int, int, int, int]


class Fact(NamedTuple):
    """An attribute's value: a thing, a year or a number."""

    thing: int
    attribute: int
    value: int


class Paper(NamedTuple):
    """A document before it is written.

    Attributes:
        number: Its number; :meth:`World.id` gives the public one.
        source: Its source.
        day: Ordinal of its date.
        about: Its thing; None for a digest.
        facts: What it states.
    """

    number: int
    source: str
    day: int
    about: int | None
    facts: tuple[Fact, ...]


class Law(NamedTuple):
    """How to decide between documents: the source, then the date.

    Attributes:
        order: Sources, the most reliable first.
        cutoff: Ordinal of the last day of documents that count; None if all count.
    """

    order: tuple[str, ...]
    cutoff: int | None

    def admits(self, paper: Paper) -> bool:
        """Whether a document counts."""
        return self.cutoff is None or paper.day <= self.cutoff


class World:
    """An archive. Use :func:`world_of`, which keeps recent ones.

    Args:
        seed: Hexadecimal seed.
        size: Number of things.
        conflict: Per cent of statements with another value.
        rumours: Per cent of documents that mention a rumour.
        length: Paragraphs of a document beside those that state facts, on average.
    """

    def __init__(self, seed: str, size: int, conflict: int, rumours: int, length: int) -> None:
        self.seed = seed
        self._key = bytes.fromhex(seed)
        self.size, self.conflict, self.rumours, self.length = size, conflict, rumours, length
        self.starts: dict[Kind, range] = {}
        begin = 0
        for kind, share in KINDS.items():
            end = size if kind == "ship" else begin + max(4, size * share // 100)
            self.starts[kind] = range(begin, end)
            begin = end
        self._kinds = [kind for kind, numbers in self.starts.items() for _ in numbers]
        self._values: dict[int, list[tuple[int, int, int]]] = {}
        self._pointing: dict[int, dict[int, list[int]]] = {}
        self._papers: dict[int, Paper] = {}
        self._stated: dict[int, dict[int, list[tuple[Paper, int]]]] = {}
        self.digests = -(-size // _GROUP) * ROUNDS
        self.documents = OWN * size + self.digests

    def stream(self, *purpose: str | int) -> Stream:
        """Randomness of this world for a purpose."""
        return Stream(self._key, *purpose)

    def kind(self, thing: int) -> Kind:
        """The kind of a thing."""
        return self._kinds[thing]

    @cached_property
    def names(self) -> list[str]:
        """The name of every thing, without an article."""
        source = Names(self.stream("names"))
        made = {kind: getattr(source, kind) for kind in KINDS}
        return [made[kind]() for kind in self._kinds]

    @cached_property
    def by_name(self) -> dict[str, int]:
        """The things by their names in lower case."""
        return {name.lower(): thing for thing, name in enumerate(self.names)}

    def called(self, thing: int) -> str:
        """The name of a thing in a sentence."""
        article = "the " if self._kinds[thing] in ("bridge", "museum", "ship") else ""
        return article + self.names[thing]

    def said(self, attribute: int, value: int) -> str:
        """A value as an answer or in a claim."""
        return self.called(value) if linked(attribute) else str(value)

    # -- values --------------------------------------------------------------------------------------------------------

    def values(self, thing: int, attribute: int) -> tuple[int, int, int]:
        """The usual value and two others that some documents state; all different."""
        row = ATTRIBUTES[attribute]
        if attribute not in self._values:
            rng = self.stream("values", attribute)
            own = self.starts[row.of]
            self._values[attribute] = [self._draw(rng, attribute, number) for number in own]
        return self._values[attribute][thing - self.starts[row.of].start]

    def _draw(self, rng: Stream, attribute: int, thing: int) -> tuple[int, int, int]:
        row = ATTRIBUTES[attribute]
        first, second, third, coin = _parts(rng.bits(4 * _BITS), 4)
        if row.to in ("year", "number"):
            low, high = row.low // row.step, row.high // row.step
            base = low + _scaled(first, high - low + 1)
            off = _YEARS_OFF if row.to == "year" else max(3, base // 8)
            sign = 1 if coin & 1 else -1
            others = (base + sign * (1 + _scaled(second, off)), base - sign * (1 + _scaled(third, off)))
            return row.step * base, row.step * others[0], row.step * others[1]
        pool = self.starts[row.to]  # type: ignore[index]
        own = thing - pool.start if thing in pool else None
        count = len(pool) - (own is not None)
        # the first third is named more often, so that sets of several things exist
        base = _scaled(first, count if coin & 1 else max(1, count // 3))
        one, two = 1 + _scaled(second, count - 1), 1 + _scaled(third, count - 2)
        two += two >= one
        places = (base, (base + one) % count, (base + two) % count)
        drawn = [pool.start + place + (own is not None and place >= own) for place in places]
        return drawn[0], drawn[1], drawn[2]

    def pointing(self, attribute: int, value: int) -> list[int]:
        """The things of which some document may state a value."""
        if attribute not in self._pointing:
            own = self.starts[ATTRIBUTES[attribute].of]
            found: defaultdict[int, list[int]] = defaultdict(list)
            for thing in own:
                for each in self.values(thing, attribute):
                    found[each].append(thing)
            self._pointing[attribute] = dict(found)
        return self._pointing[attribute].get(value, [])

    # -- documents -----------------------------------------------------------------------------------------------------

    @cached_property
    def _ids(self) -> list[int]:
        numbers = list(range(1, self.documents + 1))
        self.stream("ids").shuffle(numbers)
        return numbers

    @cached_property
    def _by_id(self) -> dict[int, int]:
        return {id: number for number, id in enumerate(self._ids)}

    def id(self, number: int) -> str:
        """The public id of a document, such as ``doc-12``."""
        return f"doc-{self._ids[number]}"

    def by_id(self, id: int) -> Paper | None:
        """The document with a public number; None if no document has it."""
        number = self._by_id.get(id)
        return None if number is None else self.paper(number)

    def paper(self, number: int) -> Paper:
        """A document by its number, ``0 .. documents - 1``."""
        if number not in self._papers:
            if number >= OWN * self.size:
                self._papers[number] = self._digest(number)
            else:
                for paper in self._own(number // OWN):
                    self._papers[paper.number] = paper
        return self._papers[number]

    def papers_on(self, thing: int) -> Iterator[Paper]:
        """The documents that state facts of a thing."""
        yield from (self.paper(OWN * thing + at) for at in range(OWN))
        for turn, places in enumerate(self._places):
            yield self.paper(OWN * self.size + turn * self.digests // ROUNDS + places[thing] // _GROUP)

    def _own(self, thing: int) -> list[Paper]:
        """The documents about one thing; together they state all its attributes."""
        rng = self.stream("about", thing)
        attributes = OF[self._kinds[thing]]
        held = [
            {
                each
                for each, part in zip(
                    attributes, _parts(rng.bits(_BITS * len(attributes)), len(attributes)), strict=True
                )
                if _scaled(part, 100) < _STATED
            }
            for _ in range(OWN)
        ]
        for each in attributes:
            if not any(each in stated for stated in held):
                held[rng.below(OWN)].add(each)
        days: set[int] = set()
        papers = []
        for at, stated in enumerate(held):
            day = _FIRST + rng.below(_LAST - _FIRST)
            while day in days:
                day += 1
            days.add(day)
            facts = tuple(self._fact(thing, each, rng.bits(_BITS)) for each in sorted(stated))
            papers.append(Paper(OWN * thing + at, rng.choice(SOURCES), day, thing, facts))
        return papers

    def _fact(self, thing: int, attribute: int, part: int) -> Fact:
        """The value that a document states, by chance."""
        place = 1 + part % 2 if _scaled(part, 100) < self.conflict else 0
        return Fact(thing, attribute, self.values(thing, attribute)[place])

    @cached_property
    def _rounds(self) -> list[list[int]]:
        """The things in the order of the digests, for each round."""
        rounds = []
        for turn in range(ROUNDS):
            things = list(range(self.size))
            self.stream("digests", turn).shuffle(things)
            rounds.append(things)
        return rounds

    @cached_property
    def _places(self) -> list[list[int]]:
        """The place of each thing in each round."""
        found = []
        for things in self._rounds:
            places = [0] * self.size
            for place, thing in enumerate(things):
                places[thing] = place
            found.append(places)
        return found

    def _digest(self, number: int) -> Paper:
        """A document with one or two facts of each of several things."""
        turn, group = divmod(number - OWN * self.size, self.digests // ROUNDS)
        rng = self.stream("digest", number)
        facts = []
        for thing in self._rounds[turn][group * _GROUP : (group + 1) * _GROUP]:
            attributes = OF[self._kinds[thing]]
            for each in sorted(rng.sample(attributes, 1 + rng.below(2))):
                facts.append(self._fact(thing, each, rng.bits(_BITS)))
        return Paper(number, rng.choice(SOURCES), _FIRST + rng.below(_LAST - _FIRST), None, tuple(facts))

    # -- decisions -----------------------------------------------------------------------------------------------------

    def statements(self, thing: int, attribute: int, law: Law) -> list[tuple[Paper, int]]:
        """What counts, the best first: documents, with the value that each states."""
        if thing not in self._stated:
            stated: dict[int, list[tuple[Paper, int]]] = {each: [] for each in OF[self._kinds[thing]]}
            for paper in self.papers_on(thing):
                for fact in paper.facts:
                    if fact.thing == thing:
                        stated[fact.attribute].append((paper, fact.value))
            self._stated[thing] = stated
        found = [each for each in self._stated[thing][attribute] if law.admits(each[0])]
        return sorted(found, key=lambda each: (law.order.index(each[0].source), -each[0].day))

    def decided(self, thing: int, attribute: int, law: Law) -> int | None:
        """The value that counts.

        None if no document that counts states one, or if two of the same source and date disagree.
        """
        found = self.statements(thing, attribute, law)
        if not found:
            return None
        best, value = found[0]
        same = [each for paper, each in found if (paper.source, paper.day) == (best.source, best.day)]
        return value if len(set(same)) == 1 else None

    def having(self, attribute: int, value: int, law: Law) -> list[int] | None:
        """The things decided to have a value; None if one is undecided."""
        found = []
        for thing in self.pointing(attribute, value):
            decided = self.decided(thing, attribute, law)
            if decided is None and self.statements(thing, attribute, law):
                return None
            if decided == value:
                found.append(thing)
        return found


@lru_cache(maxsize=16)
def world_of(seed: str, size: int, conflict: int, rumours: int, length: int) -> World:
    """The world of a recipe."""
    return World(seed, size, conflict, rumours, length)


def _parts(bits: int, count: int) -> list[int]:
    """Random bits as numbers of 16 bits."""
    return [bits >> _BITS * at & _MASK for at in range(count)]


def _scaled(part: int, bound: int) -> int:
    """A number of 16 bits as one from 0 to ``bound - 1``."""
    return part * bound >> _BITS
