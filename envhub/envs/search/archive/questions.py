"""Questions to an archive, their answers and the facts to cite.

A question follows links from a thing that it names, for example the seat of the owner of a ship. It may then compare
the things that are linked to the last one, or count some of them. Every step uses the value that the law decides, so the
answer is unique::

    question = draw_question(rng, world, law, hops=2, items=0)
"""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.search.archive.schema import ATTRIBUTES, OF, PLURAL, linked
from envhub.envs.search.archive.world import Fact, Law, World

_LEAST: Final = 2
_GROUPING: Final = tuple(
    number for number, row in enumerate(ATTRIBUTES) if linked(number) and row.of not in ("person", "town")
)
_BEHIND: Final[dict[str, int]] = {"person": 9, "town": 9, "company": 1, "bridge": 0, "museum": 0, "ship": 0}
"""The most links that may lead to a thing of a kind; no link leads to a bridge, a museum or a ship."""
_SUPERLATIVE: Final = {
    "year": (("has the earliest {}", min), ("has the latest {}", max)),
    "number": (("has the greatest {}", max), ("has the smallest {}", min)),
}


class Question(NamedTuple):
    """A question with its answer.

    Attributes:
        text: In words.
        kind: How it is built, without names.
        facts: What a complete report states, the first step first.
        answers: Accepted answers.
    """

    text: str
    kind: str
    facts: tuple[Fact, ...]
    answers: tuple[str, ...]


class _Path(NamedTuple):
    """Links from a named thing to another one."""

    words: str
    facts: tuple[Fact, ...]
    end: int


def draw_question(rng: Stream, world: World, law: Law, hops: int, items: int) -> Question | None:
    """A question; None if this attempt failed.

    Args:
        rng: Source of randomness.
        world: The archive.
        law: How its documents are decided between.
        hops: Links from the named thing.
        items: Things that are compared or counted; 0 for a question that follows links only.
    """
    if items:
        return _about_several(rng, world, law, hops, items)
    path = _path_from(rng, world, law, hops)
    if path is None:
        return None
    ends = [number for number in OF[world.kind(path.end)] if not (linked(number) and hops == 0)]
    step = _step(world, law, path.end, rng.choice(ends))
    if step is None or not _fresh(world, path, step):
        return None
    row = ATTRIBUTES[step.attribute]
    text = f"{'Who' if row.to == 'person' else 'What'} is the {row.noun} of {path.words}?"
    return Question(text, f"links, {_asked(step)}", (*path.facts, step), answers_of(world, step.attribute, step.value))


def answers_of(world: World, attribute: int, value: int) -> tuple[str, ...]:
    """Accepted answers for a value."""
    if linked(attribute):
        return tuple(dict.fromkeys((world.called(value), world.names[value])))
    unit = ATTRIBUTES[attribute].unit
    return (str(value), f"{value} {unit}") if unit else (str(value),)


def _asked(fact: Fact) -> str:
    row = ATTRIBUTES[fact.attribute]
    return f"{row.of} {row.noun}"


def _step(world: World, law: Law, thing: int, attribute: int) -> Fact | None:
    value = world.decided(thing, attribute, law)
    return None if value is None else Fact(thing, attribute, value)


def _fresh(world: World, path: _Path, step: Fact) -> bool:
    """Whether a step leads to something that the path has not met."""
    return not linked(step.attribute) or step.value not in {fact.thing for fact in path.facts} | {path.end}


def _path_from(rng: Stream, world: World, law: Law, hops: int) -> _Path | None:
    """A path from a random thing."""
    thing = rng.below(world.size)
    path = _Path(world.called(thing), (), thing)
    for _ in range(hops):
        step = _step(
            world, law, path.end, rng.choice([number for number in OF[world.kind(path.end)] if linked(number)])
        )
        if step is None or not _fresh(world, path, step):
            return None
        path = _Path(f"the {ATTRIBUTES[step.attribute].noun} of {path.words}", (*path.facts, step), step.value)
    return path


def _path_to(rng: Stream, world: World, law: Law, hops: int, end: int) -> _Path | None:
    """A path to a given thing, found from its end."""
    facts: list[Fact] = []
    thing = end
    for left in reversed(range(hops)):
        step = _step_to(rng, world, law, thing, left, {end, *(fact.thing for fact in facts)})
        if step is None:
            return None
        facts.insert(0, step)
        thing = step.thing
    text = world.called(thing)
    for fact in facts:
        text = f"the {ATTRIBUTES[fact.attribute].noun} of {text}"
    return _Path(text, tuple(facts), end)


def _step_to(rng: Stream, world: World, law: Law, thing: int, left: int, met: set[int]) -> Fact | None:
    """A link to a thing that other links may reach too."""
    kind = world.kind(thing)
    ways = [number for number, row in enumerate(ATTRIBUTES) if row.to == kind and _BEHIND[row.of] >= left]
    rng.shuffle(ways)
    for number in ways:
        others = [other for other in world.pointing(number, thing) if other not in met]
        rng.shuffle(others)
        for other in others:
            if world.decided(other, number, law) == thing:
                return Fact(other, number, thing)
    return None


def _about_several(rng: Stream, world: World, law: Law, hops: int, items: int) -> Question | None:
    """A question that compares or counts the things with a common property."""
    group = rng.choice([number for number in _GROUPING if _BEHIND[ATTRIBUTES[number].to] >= hops])
    row = ATTRIBUTES[group]
    usual = Counter(world.values(thing, group)[0] for thing in world.starts[row.of])
    least, most = max(_LEAST, items - 1), items + 1
    shared = rng.choice([value for value, count in sorted(usual.items()) if least <= count <= most] or [-1])
    path = _path_to(rng, world, law, hops, shared) if shared >= 0 else None
    members = world.having(group, shared, law) if path is not None else None
    if path is None or members is None or not least <= len(members) <= most:
        return None
    measures = [number for number in OF[row.of] if not linked(number)]
    measure = rng.choice(measures)
    measured = [_step(world, law, member, measure) for member in members]
    if None in measured or {fact.thing for fact in path.facts} & set(members):
        return None
    known = [fact for fact in measured if fact is not None]
    facts = (*path.facts, *(Fact(member, group, shared) for member in members), *known)
    things = f"the {PLURAL[row.of]} whose {row.noun} is {path.words}"
    if rng.below(3) == 0:
        return _count(rng, world, things, f"count, {_asked(known[0])}", facts, known)
    return _extreme(rng, world, law, things, facts, known)


def _count(
    rng: Stream, world: World, things: str, kind: str, facts: tuple[Fact, ...], known: list[Fact]
) -> Question | None:
    row = ATTRIBUTES[known[0].attribute]
    bound = rng.choice(sorted(fact.value for fact in known)) + rng.below(2) * row.step
    number = sum(fact.value < bound for fact in known)
    unit = f" {row.unit}" if row.unit else ""
    text = f"Count {things} and whose {row.noun} is less than {bound}{unit}. How many are there?"
    if row.to == "year":
        text = f"Count {things} and whose {row.noun} is before {bound}. How many are there?"
    return Question(text, kind, facts, (str(number),))


def _extreme(
    rng: Stream, world: World, law: Law, things: str, facts: tuple[Fact, ...], known: list[Fact]
) -> Question | None:
    row = ATTRIBUTES[known[0].attribute]
    words, choose = rng.choice(_SUPERLATIVE[row.to])
    best = choose(fact.value for fact in known)
    winners = [fact.thing for fact in known if fact.value == best]
    if len(winners) > 1:
        return None
    asked = words.format(row.noun)
    if rng.below(2):
        names = tuple(dict.fromkeys((world.called(winners[0]), world.names[winners[0]])))
        return Question(f"Which of {things} {asked}?", f"extreme, {_asked(known[0])}", facts, names)
    group = facts[-1 - len(known)].attribute
    others = [number for number in OF[row.of] if number not in (known[0].attribute, group)]
    step = _step(world, law, winners[0], rng.choice(others))
    if step is None or (linked(step.attribute) and step.value in {fact.thing for fact in facts}):
        return None
    last = ATTRIBUTES[step.attribute]
    text = f"Of {things}, take the one that {asked}. {'Who' if last.to == 'person' else 'What'} is its {last.noun}?"
    return Question(
        text, f"extreme and on, {_asked(known[0])}", (*facts, step), answers_of(world, step.attribute, step.value)
    )


def disputed(world: World, law: Law, fact: Fact) -> bool:
    """Whether documents that count disagree on a fact."""
    return len({value for _, value in world.statements(fact.thing, fact.attribute, law)}) > 1
