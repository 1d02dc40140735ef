"""A scripted policy that explores, and plans with what it has seen.

If what it has seen suffices for the quest, it follows a shortest plan. Else it reads the cookbook, takes what the quest needs
and every key, opens what it can, and goes to the nearest place where there is more to see. It knows the quest as the prompt
states it, and what has been shown, and nothing else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.quest.acting import spoken
from envhub.envs.worlds.quest.catalogue import BOOK, KNIFE
from envhub.envs.worlds.quest.planning import shortest_plan
from envhub.envs.worlds.quest.rules import House


class View(NamedTuple):
    """What a policy knows.

    Attributes:
        house: The house; only its seen parts may be read.
        state: The facts; only those about seen places and carried things may be read.
        seen: The rooms and furniture whose contents have been shown, and the cookbook if it has been read.
    """

    house: House
    state: int
    seen: frozenset[str]


def next_command(view: View, thorough: bool = False) -> Command:
    """The next command of the script.

    Args:
        view: What is known.
        thorough: Whether the whole house is explored before anything else is done.
    """
    house, state, seen = view
    if thorough:
        command = _explore(view)
        if command.verb != "look":
            return command
    if house.kind != "cooking" or BOOK in seen:
        plan = shortest_plan(house, state, seen)
        if plan:
            return spoken(house, plan[0])
    return _explore(view)


def _explore(view: View) -> Command:
    """What is worth doing here, or the way to something worthwhile."""
    house, state, seen = view
    start = house.room(state)
    queue, first = deque([start]), dict[str, Command]()
    while queue:
        room = queue.popleft()
        found = next(_worthwhile(view, room), None)
        if found is not None:
            return first.get(room, found)
        for way in house.ways[room]:
            if (
                way.room in seen
                and way.room != start
                and way.room not in first
                and not house.holds(state, "shut", way.door)
            ):
                first[way.room] = first.get(room, Command("go", (way.direction,)))
                queue.append(way.room)
    return Command("look")


def _worthwhile(view: View, room: str) -> Iterator[Command]:
    """What a careful policy does in a room that it has seen."""
    house, state, seen = view
    places = [name for name in house.standing(room) if name in seen and not house.holds(state, "shut", name)]
    lying = {thing: name for name in places for thing in house.contents(state, name)}
    lying |= dict.fromkeys(house.floor(state, room), "")
    if house.kind == "cooking" and BOOK in lying and BOOK not in seen:
        yield Command("examine", (BOOK,))
    for thing, place in lying.items():
        if _useful(view, thing):
            yield Command("take", (thing, place)) if place else Command("pick", (thing,))
    for name in house.standing(room):
        if name not in seen:
            yield from _opened(view, name)
    for way in house.ways[room]:
        if way.room not in seen:
            if not house.holds(state, "shut", way.door):
                yield Command("go", (way.direction,))
            yield from _opened(view, way.door)


def _opened(view: View, name: str) -> Iterator[Command]:
    """Open a door or container, if the policy has its key."""
    house, state, _ = view
    key = f"{name.split(' ')[0]} key"
    if not house.holds(state, "shut", name):
        return
    if not house.holds(state, "locked", name):
        yield Command("open", (name,))
    elif key in house.keys and house.holds(state, "held", key):
        yield Command("unlock", (name, key))


def _useful(view: View, thing: str) -> bool:
    """Whether a thing that lies around is worth taking."""
    house, state, seen = view
    if thing in house.keys:
        return house.holds(state, "locked", house.keys[thing])
    if house.kind == "cooking":
        wanted = [food for food, *_ in house.goals] if BOOK in seen else []
        return thing in (*wanted, KNIFE)
    return any(thing == goal[0] and not (goal[1:] and house.holds(state, "in", *goal)) for goal in house.goals)
