"""Draw a house and an errand in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.worlds.household.catalogue import LAMPS, PLACES, ROOMS, THINGS, kind
from envhub.envs.worlds.household.rules import Task

KINDS: Final = ("place", "clean", "heat", "cool", "examine", "two")
_SUITS: Final[Mapping[str, Sequence[str]]] = {
    "place": tuple(ROOMS),
    "two": tuple(ROOMS),
    "clean": ("kitchen", "bathroom"),
    "heat": ("kitchen",),
    "cool": ("kitchen",),
    "examine": ("bedroom", "livingroom"),
}
"""Rooms by kind of task; the task needs one of them."""
_LAMP_OF: Final = {"bedroom": "desklamp", "livingroom": "floorlamp"}
_ODD: Final = 4
"""One thing in this many is not at a usual place."""


class Drawn(NamedTuple):
    """A house and a task.

    Attributes:
        places: Names of the places.
        things: Where each thing is, by name.
        task: What is asked for.
    """

    places: list[str]
    things: dict[str, str]
    task: Task


def draw(rng: Stream, wanted: str, rooms: int, places: int, things: int) -> Drawn | None:
    """A house with a task that is still to be done.

    None if nothing in the drawn house suits the task.

    Args:
        rng: The randomness.
        wanted: The kind of task, or ``any``.
        rooms: Number of rooms.
        places: Number of places.
        things: Number of things, lamps not counted.
    """
    errand = rng.choice(KINDS) if wanted == "any" else wanted
    first = rng.choice(_SUITS[errand])
    chosen = [first, *rng.sample([room for room in ROOMS if room != first], rooms - 1)]
    stand = numbered(_furnish(chosen, places))
    task = _task(rng, errand, first, {kind(place) for place in stand})
    if task is None:
        return None
    copies = rng.between(1, 2) + (task.kind == "two")
    placed = [(task.thing, _spot(rng, stand, THINGS[task.thing].usual, task.place)) for _ in range(copies)]
    placed += [(_LAMP_OF[room], _lamp_spot(rng, stand, room)) for room in chosen if room in _LAMP_OF]
    here = [name for name, about in THINGS.items() if name != task.thing and _present(stand, about.usual)]
    for _ in range(things - copies):
        name = rng.choice(here)
        placed.append((name, _spot(rng, stand, THINGS[name].usual, None)))
    rng.shuffle(placed)
    placed.sort(key=lambda pair: pair[0])
    names = numbered(name for name, _ in placed)
    return Drawn(stand, dict(zip(names, (place for _, place in placed), strict=True)), task)


def numbered(kinds: Iterable[str]) -> list[str]:
    """Kinds with numbers, by kind: ``cabinet 1, cabinet 2, fridge 1``."""
    counts = Counter(kinds)
    return [f"{name} {number}" for name in sorted(counts) for number in range(1, counts[name] + 1)]


def _furnish(rooms: Sequence[str], count: int) -> list[str]:
    """Kinds of places in a house.

    What each room always has, then more of each room in turn.
    """
    found = [name for room in rooms for name in ROOMS[room].always.split()]
    more = [ROOMS[room].more.split() for room in rooms]
    at = 0
    while len(found) < count and any(more):
        if more[at % len(more)]:
            found.append(more[at % len(more)].pop(0))
        at += 1
    return found


def _task(rng: Stream, errand: str, room: str, kinds: set[str]) -> Task | None:
    """What is carried, and where to; None if nothing suits."""
    if errand == "examine":
        things = [name for name, about in THINGS.items() if "examine" in about.can and kinds & {*about.usual}]
        return Task(errand, rng.choice(things), _LAMP_OF[room]) if things else None
    to = rng.choice(sorted(kinds))
    things = [
        name
        for name, about in THINGS.items()
        if (errand in ("place", "two") or errand in about.can) and kinds & {*about.usual} - {to}
    ]
    return Task(errand, rng.choice(things), to) if things else None


def _present(stand: Sequence[str], kinds: Iterable[str]) -> bool:
    return not {kind(place) for place in stand}.isdisjoint(kinds)


def _spot(rng: Stream, stand: Sequence[str], usual: Sequence[str], never: str | None) -> str:
    """A place for a thing, mostly a usual one.

    It is not of the kind ``never``.
    """
    free = [place for place in stand if kind(place) != never]
    fitting = [place for place in free if kind(place) in usual]
    return rng.choice(fitting if fitting and rng.below(_ODD) else free)


def _lamp_spot(rng: Stream, stand: Sequence[str], room: str) -> str:
    fitting = [place for place in stand if kind(place) in LAMPS[_LAMP_OF[room]]]
    return rng.choice(fitting or [place for place in stand if not PLACES[kind(place)].hinged])
