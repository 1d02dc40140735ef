"""Topics of reports: a set of things, and some facts about each.

A topic is drawn from the tables, so the contents of a complete report are known; a claim is read back as a fact of the
tables, or none::

    topic = draw_topic(rng, world, hops=1, items=3, attributes=2, deeper=0)
    fact_of(world, names, "The Silver Door", "author", "Ada Reed")     # its number, or None
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.worlds.questions import PLURAL, Expression, evaluate, names_of, words
from envhub.generators.worlds.tables import KINDS, RELATIONS, Kind, World

_MORE: Final = 1
_LEAST: Final = (2, 3)
"""Minimum size of a report's set: two things, or three if many are requested."""


@dataclass(frozen=True, slots=True)
class Topic:
    """The subject of a report.

    Attributes:
        text: In words.
        kind: The things' shared property and the path to it, without names.
        leading: The numbers of the facts that lead to the set.
        claims: The numbers of the facts that the report must contain.
    """

    text: str
    kind: str
    leading: tuple[int, ...]
    claims: tuple[int, ...]


def nouns(kind: Kind) -> dict[str, str]:
    """The relations of a kind by name."""
    return {row.noun: name for name, row in RELATIONS.items() if row.of == kind}


def draw_topic(rng: Stream, world: World, hops: int, items: int, attributes: int, deeper: int) -> Topic | None:
    """A topic; None if this attempt failed.

    Args:
        rng: Source of randomness.
        world: Its world.
        hops: Number of facts that lead to the shared property.
        items: Number of things, or one more; fewer if the drawn relation has no set of that size.
        attributes: Number of facts requested about each.
        deeper: Number of these with a further question.
    """
    sets: dict[str, list[tuple[str, list[int]]]] = {}
    for (name, value), found in world.pointing.items():
        if (
            value in world.things
            and max(_LEAST[0], min(items - 1, _LEAST[1])) <= len(found) <= items + _MORE
            and len(nouns(RELATIONS[name].of)) > attributes
        ):
            sets.setdefault(name, []).append((str(value), found))
    if not sets:
        return None
    # the relation first: most large sets belong to one or two relations, which would dominate a level
    relation = rng.choice(sorted(sets))
    most = max(len(found) for _, found in sets[relation])
    anchor, rows = rng.choice([each for each in sets[relation] if len(each[1]) >= most - _MORE])
    kind = RELATIONS[relation].of
    reached = _reached(rng, world, anchor, hops)
    if reached is None:
        return None
    others = [name for name in nouns(kind).values() if name != relation]
    paths = [[name] for name in rng.sample(others, attributes)]
    ends = [name for (name,) in paths if RELATIONS[name].to != "year"]
    for name in rng.sample(ends, min(deeper, len(ends))):
        to = next(known for known in KINDS if known == RELATIONS[name].to)
        paths.append([name, rng.choice(list(nouns(to).values()))])
    claims = list(rows)
    for row in rows:
        for path in paths:
            claims += _along(world, world.facts[row].subject, path)
    listed = ", ".join(" of the ".join(RELATIONS[name].noun for name in reversed(path)) for path in paths)
    text = (
        f"all the {PLURAL[kind]} whose {RELATIONS[relation].noun} is {words(world, reached)}. For each of them, "
        f"report: {RELATIONS[relation].noun}, {listed}"
    )
    deep = ", in depth" if any(len(path) > 1 for path in paths) else ""
    return Topic(
        text, f"{PLURAL[kind]} by {relation}{deep}", tuple(evaluate(world, reached)[1]), tuple(dict.fromkeys(claims))
    )


def _reached(rng: Stream, world: World, id: str, hops: int) -> Expression | None:
    """A thing by a chain of relations to it."""
    chain: list[str] = []
    passed = {id}
    for _ in range(hops):
        ways = [
            world.facts[number]
            for name in RELATIONS
            for number in world.pointing.get((name, id), ())
            if world.facts[number].subject not in passed
        ]
        if not ways:
            return None
        fact = rng.choice(ways)
        chain.append(fact.relation)
        id = fact.subject
        passed.add(id)
    expression: Expression = ["name", id, False]
    for relation in reversed(chain):
        expression = ["of", relation, expression]
    return expression


def _along(world: World, subject: str, path: list[str]) -> list[int]:
    """The known facts along a path from a thing."""
    found: list[int] = []
    for relation in path:
        number = world.holding(subject, relation)
        if number is None:
            break
        found.append(number)
        subject = str(world.value(number))
    return found


def things_by_name(world: World, normal: Callable[[str], str]) -> dict[str, str]:
    """The ids of things by every accepted name, in normal form."""
    return {normal(name): thing.id for thing in world.things.values() for name in names_of(thing)}


def fact_of(world: World, ids: Mapping[str, str], subject: str, relation: str, value: str) -> int | None:
    """The number of a claimed fact that holds now, if any.

    The parts are in normal form.
    """
    id = ids.get(subject)
    name = nouns(world.things[id].kind).get(relation) if id is not None else None
    number = world.holding(id, name) if id is not None and name is not None else None
    if number is None:
        return None
    holds = world.value(number)
    return number if (ids.get(value) == holds if isinstance(holds, str) else value == str(holds)) else None
