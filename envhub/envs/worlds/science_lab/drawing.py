"""Draw a laboratory: rooms, furniture, things, and what is hidden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.worlds.science_lab.catalogue import (
    CLUTTER,
    DEGREES,
    EXPERIMENTS,
    FLAT,
    HINGED,
    LOOKS,
    MOST_HEATING,
    ROOMS,
    STAGES,
)

_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz"
_COLDEST: Final = 5
"""Number of temperatures at which a sample may be at first."""
_SLIDES: Final = range(3, 24)
"""Seconds that slides take, before the block is considered."""
_MOST_SHIFT: Final = 12


def draw(rng: Stream, kind: str, size: int, rooms: int, furniture: int, clutter: int, spares: int) -> JSON:
    """A laboratory with one experiment.

    Args:
        rng: The randomness.
        kind: The kind of experiment, or ``any``.
        size: Number of subjects.
        rooms: Number of rooms.
        furniture: Number of pieces of furniture.
        clutter: Number of things without use.
        spares: Number of bulbs or blocks.
    """
    kind = rng.choice(list(EXPERIMENTS)) if kind == "any" else kind
    experiment = EXPERIMENTS[kind]
    plan = _rooms(rng, rooms)
    standing = _furniture(rng, list(plan), furniture)
    subjects = _subjects(rng, experiment.subject, size, kind)
    things = [*experiment.instruments, *(subjects if experiment.carried else [])]
    extra = [f"{experiment.spares} {number + 1}" for number in range(spares)] if experiment.spares else []
    things += [*extra, *rng.sample(list(CLUTTER), clutter)]
    rng.shuffle(things)
    bench, start = rng.sample(list(plan), 2)
    return {
        "kind": kind,
        "rooms": plan,
        "start": start,
        "bench": bench,
        "sink": rng.choice(list(plan)),
        "furniture": standing,
        "things": {thing: rng.choice(list(standing)) for thing in things},
        "subjects": subjects,
        "hidden": _HIDDEN[kind](rng, subjects, extra),
    }


def _rooms(rng: Stream, count: int) -> dict[str, str]:
    """Rooms with the room that each was built onto; a tree."""
    names, found = rng.sample(list(ROOMS), count), dict[str, str]()
    for name in names:
        found[name] = rng.choice(list(found)) if found else ""
    return found


def _furniture(rng: Stream, rooms: list[str], count: int) -> dict[str, str]:
    """Furniture with its rooms; kinds are numbered through."""
    kinds = sorted(rng.choice(HINGED if rng.below(3) else FLAT) for _ in range(count))
    numbers = [kinds[: at + 1].count(kind) for at, kind in enumerate(kinds)]
    return {f"{kind} {number}": rng.choice(rooms) for kind, number in zip(kinds, numbers, strict=True)}


def _subjects(rng: Stream, subject: str, size: int, kind: str) -> list[str]:
    marks = rng.sample(_LETTERS if subject == "sample" else "123456789", size)
    return [f"{subject} {mark}" for mark in sorted(marks)]


def _matter(rng: Stream, subjects: list[str], spares: list[str]) -> JSON:
    first = {sample: rng.below(_COLDEST) for sample in subjects}
    melts = {sample: first[sample] + rng.between(1, MOST_HEATING) for sample in subjects}
    return {
        "at_first": {sample: DEGREES[at] for sample, at in first.items()},
        "values": {sample: DEGREES[at] for sample, at in melts.items()},
    }


def _circuits(rng: Stream, subjects: list[str], spares: list[str]) -> JSON:
    working = rng.sample(spares, max(1, rng.below(len(spares))))
    return {
        "values": {sample: rng.choice(("yes", "no")) for sample in subjects},
        "working": sorted(working),
    }


def _growth(rng: Stream, subjects: list[str], spares: list[str]) -> JSON:
    return {"values": {pot: rng.choice(STAGES) for pot in subjects}}


def _planes(rng: Stream, subjects: list[str], spares: list[str]) -> JSON:
    times = dict(zip(subjects, rng.sample(list(_SLIDES), len(subjects)), strict=True))
    order = sorted(subjects, key=times.__getitem__)
    shifts = {block: rng.below(_MOST_SHIFT) for block in spares}
    return {"values": {plane: order.index(plane) + 1 for plane in subjects}, "times": times | shifts}


def _genetics(rng: Stream, subjects: list[str], spares: list[str]) -> JSON:
    pair = list(rng.choice(LOOKS))
    rng.shuffle(pair)
    dominant, recessive = pair
    values = {plant: rng.choice(("pure", "hybrid", "recessive")) for plant in subjects}
    free = [f"plant {number}" for number in range(1, 10) if f"plant {number}" not in subjects]
    pure = sorted(rng.sample(free, 2))
    looks = {plant: recessive if value == "recessive" else dominant for plant, value in values.items()}
    looks |= dict(zip(pure, rng.sample(pair, 2), strict=True))
    return {"values": values, "dominant": dominant, "pure": pure, "looks": looks}


_HIDDEN: Final[Mapping[str, Callable[[Stream, list[str], list[str]], JSON]]] = {
    "matter": _matter,
    "circuits": _circuits,
    "growth": _growth,
    "planes": _planes,
    "genetics": _genetics,
}
