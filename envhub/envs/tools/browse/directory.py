"""A directory of people with entries, deputies and mentors, and form questions.

A question has one or two fields, each with a phrase that says what to enter. Its kind defines the values: entries of
one person, that person's name or deputy, entries of two people, a comparison, a sum or a difference. People are named
directly or by a chain of deputies, of mentors, or of both in turn::

    directory = draw_directory(rng, 9)
    question = draw_question(rng, directory, 2)
    question.fields        # [["code", "the code of the deputy of the deputy of Alder, Ada"], ...]
"""

from __future__ import annotations

from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.values import FIRST, LAST

ENTRIES: Final = ("code", "room", "phone", "desk")
KINDS: Final = ("entries", "name", "deputy", "two people", "higher", "lower", "sum", "difference")
_PAIRED: Final = ("two people", "higher", "lower")
_CHAINS: Final = (("deputy",), ("mentor",), ("deputy", "mentor"))
_NAMES: Final = [f"{last}, {first}" for first in FIRST for last in LAST]


class Person(NamedTuple):
    """A row of the directory; deputy and mentor are indices of rows."""

    name: str
    deputy: int
    mentor: int
    entries: dict[str, str]


class Question(NamedTuple):
    """The required content of a form.

    Attributes:
        kind: How its values are found, and the kind of chain.
        fields: Each field with what to enter.
        stops: Indices of the people whose pages must be seen, in order.
        values: The right values.
    """

    kind: str
    fields: list[list[str]]
    stops: list[int]
    values: dict[str, str]


def draw_directory(rng: Stream, count: int) -> list[Person]:
    """People sorted by name.

    The deputies form one circle, and so do the mentors.
    """
    names = sorted(rng.sample(_NAMES, count))
    deputies, mentors = _circle(rng, count), _circle(rng, count)
    numbers = {
        entry: rng.sample(range(1000, 10_000), count) for entry in ENTRIES
    }  # no two alike: comparisons have no ties
    return [
        Person(name, deputies[at], mentors[at], {entry: str(numbers[entry][at]) for entry in ENTRIES})
        for at, name in enumerate(names)
    ]


def _circle(rng: Stream, count: int) -> list[int]:
    ring = rng.sample(range(count), count)
    after = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
    return [after[at] for at in range(count)]


def draw_question(rng: Stream, people: list[Person], steps: int) -> Question:
    """A question at this chain length from the people named.

    The chain is of deputies or mentors.
    """
    kind, relations = rng.choice(KINDS), rng.choice(_CHAINS[: 3 if steps > 1 else 2])
    first, second = rng.sample(range(len(people)), 2)
    a, b = rng.sample(ENTRIES, 2)
    if kind in _PAIRED:
        one, two = _chain(people, first, relations, steps - steps // 2), _chain(people, second, relations, steps // 2)
        while two[-1] == one[-1]:
            second = (second + 1) % len(people)
            two = _chain(people, second, relations, steps // 2)
        x, y = (_words(people, chain, relations) for chain in (one, two))
        fields, values = _paired(kind, people[one[-1]], people[two[-1]], x, y, a, b)
    else:
        one, two = _chain(people, first, relations, steps), []
        fields, values = _alone(kind, people, one[-1], _words(people, one, relations), a, b)
    named = " and ".join(relations) if steps else "directly"
    return Question(f"{kind}, {named}", fields, one + two, values)


def _chain(people: list[Person], at: int, relations: tuple[str, ...], steps: int) -> list[int]:
    chain = [at]
    for step in range(steps):
        here = people[chain[-1]]
        chain.append(here.deputy if relations[step % len(relations)] == "deputy" else here.mentor)
    return chain


def _words(people: list[Person], chain: list[int], relations: tuple[str, ...]) -> str:
    steps = [relations[step % len(relations)] for step in range(len(chain) - 1)]
    return "".join(f"the {relation} of " for relation in reversed(steps)) + people[chain[0]].name


def _alone(
    kind: str, people: list[Person], at: int, who: str, a: str, b: str
) -> tuple[list[list[str]], dict[str, str]]:
    person = people[at]
    if kind == "name":
        return [["name", f"the name of {who}"], [a, f"the {a} of {who}"]], {"name": person.name, a: person.entries[a]}
    if kind == "deputy":
        values = {"deputy": people[person.deputy].name, a: person.entries[a]}
        return [["deputy", f"the name of the deputy of {who}"], [a, f"the {a} of {who}"]], values
    one, two = int(person.entries[a]), int(person.entries[b])
    if kind == "sum":
        return [["total", f"the sum of the {a} and the {b} of {who}"]], {"total": str(one + two)}
    if kind == "difference":
        what = f"the larger minus the smaller of the {a} and the {b} of {who}"
        return [["difference", what]], {"difference": str(abs(one - two))}
    return [[entry, f"the {entry} of {who}"] for entry in (a, b)], {entry: person.entries[entry] for entry in (a, b)}


def _paired(
    kind: str, one: Person, two: Person, x: str, y: str, a: str, b: str
) -> tuple[list[list[str]], dict[str, str]]:
    if kind == "two people":
        fields = [["first", f"the {a} of {x}"], ["second", f"the {b} of {y}"]]
        return fields, {"first": one.entries[a], "second": two.entries[b]}
    pick = max if kind == "higher" else min
    chosen = pick((one, two), key=lambda person: int(person.entries[a]))
    fields = [
        ["name", f"the name of the person with the {kind} {a}: {x}, or {y}"],
        [b, f"the {b} of that person"],
    ]
    return fields, {"name": chosen.name, b: chosen.entries[b]}
