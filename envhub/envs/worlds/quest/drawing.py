"""Draw a house and a quest in it.

Rooms lie on a grid. Doors are put only between rooms that have no other connection, so a door is never part of a circle of
ways. Keys are placed one lock at a time, each where the policy can already get: so every lock can be opened.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.worlds.quest.catalogue import (
    APPLIANCES,
    BOOK,
    CLUTTER,
    COOKED,
    CUTS,
    DIRECTIONS,
    FOODS,
    GOODS,
    KITCHEN,
    KNIFE,
    LABELS,
    LOCKABLE,
    ROOMS,
    TREASURES,
    YARD,
    holder,
)

KINDS: Final = ("treasure", "delivery", "cooking")
_READY: Final = 6
"""One ingredient in this many is already cut or cooked as the recipe says."""


class _Plan:
    """A house that is being drawn."""

    def __init__(self, rng: Stream, kind: str, p: Any) -> None:
        self.rng, self.kind, self.p = rng, kind, p
        fixed = [KITCHEN, YARD][: p.rooms] if kind == "cooking" else []
        self.rooms = [*fixed, *rng.sample([room for room in ROOMS if room not in fixed], p.rooms - len(fixed))]
        rng.shuffle(self.rooms)
        self.labels = rng.sample(LABELS, len(LABELS))
        self.spots: dict[str, tuple[int, int]] = {}
        self.ways: list[list[str]] = []
        self.shut: dict[str, bool] = {}
        self.holders: dict[str, str] = {}
        self.keys: dict[str, str] = {}
        self.things: dict[str, str] = {}
        self.done: dict[str, list[str]] = {}

    def connect(self) -> None:
        """Place the rooms on a grid, and connect them."""
        rng, tree = self.rng, list[tuple[str, str, str]]()
        for room in self.rooms:
            while room not in self.spots:
                if not self.spots:
                    self.spots[room] = 0, 0
                    continue
                near, direction = rng.choice(list(self.spots)), rng.choice(list(DIRECTIONS))
                spot = self._beyond(near, direction)
                if spot not in self.spots.values():
                    self.spots[room] = spot
                    tree.append((near, direction, room))
        doors = set(rng.sample(range(len(tree)), min(self.p.doors, len(tree))))
        for number, (one, direction, other) in enumerate(tree):
            door = f"{self.labels.pop()} door" if number in doors else f"way {number}"
            self.ways.append([one, direction, other, door])
            if number in doors:
                self.shut[door] = False
        self._circles()

    def _circles(self) -> None:
        """Connect some neighbours that have no door between them."""
        for one in self.rooms:
            for direction in ("north", "east"):
                other = next((room for room, spot in self.spots.items() if spot == self._beyond(one, direction)), None)
                joined = any({one, other} == {way[0], way[2]} for way in self.ways)
                if other and not joined and other in self._open_from(one, set(self.shut)) and self.rng.below(2):
                    self.ways.append([one, direction, other, f"way {len(self.ways)}"])

    def _beyond(self, room: str, direction: str) -> tuple[int, int]:
        (x, y), (right, up) = self.spots[room], DIRECTIONS[direction]
        return x + right, y + up

    def _open_from(self, start: str, barred: set[str]) -> list[str]:
        """The rooms that can be reached without some doors."""
        found = [start]
        for room in found:
            for one, _, other, door in self.ways:
                for near, far in ((one, other), (other, one)):
                    if near == room and far not in found and door not in barred:
                        found.append(far)
        return found

    def furnish(self) -> None:
        """Place furniture: one piece in each room, then more at random."""
        for room in self.rooms:
            self.holders[ROOMS[room][0]] = room
        more = [(name, room) for room in self.rooms for name in ROOMS[room][1:]]
        chosen = self.rng.sample(more, max(0, min(len(more), self.p.furniture - len(self.rooms))))
        self.holders.update(chosen)
        if self.kind == "cooking":
            self.holders.update({name: room for name, room in APPLIANCES.items() if room in self.rooms})
        self.shut.update({name: False for name in self.holders if holder(name).hinged})

    def lock(self, start: str) -> list[list[str]]:
        """Lock doors and containers, and place their keys.

        Returns the places that are within reach, in stages.
        """
        rng = self.rng
        doors = [way[3] for way in self.ways if way[3] in self.shut]
        chosen = rng.sample(doors, min(len(doors), (self.p.locks + 1) // 2))
        boxes = []
        for _ in range(min(self.p.locks - len(chosen), len(self.labels))):
            boxes.append(f"{self.labels.pop()} {rng.choice(LOCKABLE)}")
            self.holders[boxes[-1]] = rng.choice(self.rooms)
        locked = [*chosen, *boxes]
        self.shut.update(dict.fromkeys(locked, True))
        stages = [self._places(start, set(locked))]
        while locked:
            reach = [place for stage in stages for place in stage]
            ready = [name for name in locked if self._beside(name) & set(reach)]
            name = rng.choice(ready)
            locked.remove(name)
            key = f"{name.split(' ')[0]} key"
            self.keys[key] = name
            self.things[key] = rng.choice([place for place in rng.choice(stages) if self._holds(place)])
            stages.append([place for place in self._places(start, set(locked)) if place not in reach])
        return [found for stage in stages if (found := [place for place in stage if self._holds(place)])]

    def _holds(self, place: str) -> bool:
        """Whether things may be somewhere at first: appliances are empty."""
        return place not in APPLIANCES

    def _beside(self, name: str) -> set[str]:
        if name in self.holders:
            return {self.holders[name]}
        return {room for way in self.ways if way[3] == name for room in (way[0], way[2])}

    def _places(self, start: str, locked: set[str]) -> list[str]:
        """The rooms and furniture within reach."""
        rooms = self._open_from(start, locked)
        return [*rooms, *(name for name, room in self.holders.items() if room in rooms and name not in locked)]


def draw(rng: Stream, kind: str, p: Any) -> JSON:
    """A house with a quest that is still to be fulfilled.

    Args:
        rng: The randomness.
        kind: ``treasure``, ``delivery`` or ``cooking``.
        p: The parameters of the environment.
    """
    plan = _Plan(rng, kind, p)
    plan.connect()
    start = rng.choice(plan.rooms)
    plan.furnish()
    stages = plan.lock(start)
    every = [place for stage in stages for place in stage]
    goals = {"treasure": _treasure, "delivery": _delivery, "cooking": _cooking}[kind](plan, stages, every)
    for name in rng.sample(CLUTTER, min(p.clutter, len(CLUTTER))):
        plan.things[name] = rng.choice(every)
    return {
        "kind": kind,
        "rooms": plan.rooms,
        "start": start,
        "ways": plan.ways,
        "shut": plan.shut,
        "holders": plan.holders,
        "keys": plan.keys,
        "things": plan.things,
        "done": plan.done,
        "goals": goals,
    }


def _late(rng: Stream, stages: Sequence[Sequence[str]]) -> str:
    """A place that is reached late."""
    return rng.choice(stages[max(rng.below(len(stages)), rng.below(len(stages)))])


def _treasure(plan: _Plan, stages: Sequence[Sequence[str]], every: Sequence[str]) -> list[list[str]]:
    names = plan.rng.sample(TREASURES, plan.p.parts)
    for name in names:
        plan.things[name] = _late(plan.rng, stages)
    return [[name] for name in names]


def _delivery(plan: _Plan, stages: Sequence[Sequence[str]], every: Sequence[str]) -> list[list[str]]:
    rng = plan.rng
    names, goals = rng.sample(GOODS, plan.p.parts + plan.p.clutter // 3), list[list[str]]()
    ends = [name for name in every if name in plan.holders]
    for name in names:
        plan.things[name] = _late(rng, stages)
    for name in names[: plan.p.parts]:
        goals.append([name, rng.choice([end for end in ends if end != plan.things[name]])])
    return goals


def _cooking(plan: _Plan, stages: Sequence[Sequence[str]], every: Sequence[str]) -> list[list[str]]:
    rng = plan.rng
    names = rng.sample(FOODS, plan.p.parts + 1 + plan.p.clutter // 3)
    ways = [mark for mark in COOKED if mark != "grilled" or YARD in plan.rooms]
    goals = []
    for number, name in enumerate(names):
        cut, cooked = rng.choice(["", *CUTS.values()]), rng.choice(["", *ways])
        plan.things[name] = _late(rng, stages)
        if number <= plan.p.parts:
            goals.append([name, cut, cooked])
        ready = [mark for mark in (cut, cooked) if mark and not rng.below(_READY)]
        if ready:
            plan.done[name] = ready
    tops = [
        name for name, room in plan.holders.items() if room == KITCHEN and name in every and not holder(name).hinged
    ]
    plan.things[BOOK] = rng.choice(tops)
    plan.things[KNIFE] = rng.choice(every)
    return goals
