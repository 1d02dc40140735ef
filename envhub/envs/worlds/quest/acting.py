"""Carry out a command in a house, or say why nothing happens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.quest.catalogue import BOOK, COOKED, COOKING, CUTS, DIRECTIONS, KITCHEN, KNIFE, holder
from envhub.envs.worlds.quest.rules import House
from envhub.generators.planning.space import Action

LOOKING: Final = ("look", "inventory", "examine")
_VERB_OF: Final = {mark: verb for verb, mark in COOKING.items()}


def carried_out(house: House, state: int, command: Command) -> int | None:
    """The state after a command; None if nothing happens."""
    if command.verb in LOOKING:
        return state if command.verb != "examine" or command.names[0] in _in_sight(house, state) else None
    action = action_of(house, state, command)
    return action.after(state) if action is not None and action.possible(state) else None


def action_of(house: House, state: int, command: Command) -> Action | None:
    """The action of a command, possible or not.

    None if what the command names is not there.
    """
    verb, names = command
    room = house.room(state)
    if verb == "prepare":
        return house.action("prepare") if house.kind == "cooking" else None
    if verb == "go":
        way = next((way for way in house.ways[room] if way.direction == names[0]), None)
        return None if way is None else house.action("go", room, way.room, way.door)
    openings, furniture, things = _openings(house, room), house.standing(room), house.things
    if verb in ("open", "close"):
        return house.action(verb, names[0], room) if names[0] in openings else None
    if verb in ("unlock", "lock"):
        fits = names[0] in openings and names[1] in things
        return house.action(verb, names[1], names[0], room) if fits else None
    if names[0] not in things:
        return None
    if verb in ("eat",):
        return house.action(verb, names[0])
    if verb == "drop":
        return house.action("drop", names[0], room)
    if verb == "pick":
        return _picked(house, state, names[0])
    if verb in CUTS:
        return house.action(verb, *names) if names[1] in things else None
    if names[1] not in furniture:
        return None
    if verb == "cook":
        does = holder(names[1]).does
        name = "burn" if house.holds(state, "cooked", names[0]) else _VERB_OF.get(does)
        return house.action(name, *names, room) if does and name else None
    return house.action("take" if verb == "take" else "put", *names, room)


def _picked(house: House, state: int, thing: str) -> Action:
    """Take a thing from wherever it is in the room."""
    room = house.room(state)
    place = next((name for name in house.standing(room) if house.holds(state, "in", thing, name)), None)
    return house.action("pick", thing, room) if place is None else house.action("take", thing, place, room)


def spoken(house: House, action: Action) -> Command:
    """The command for an action."""
    name, names = action.name, action.arguments
    if name == "go":
        return Command("go", (next(way.direction for way in house.ways[names[0]] if way.door == names[2]),))
    if name in ("unlock", "lock"):
        return Command(name, (names[1], names[0]))
    if name in COOKING or name == "burn":
        return Command("cook", names[:2])
    return Command(name, names[:1] if name in ("open", "close", "pick", "drop") else names[:2])


def admissible(house: House, state: int) -> Iterator[Command]:
    """Every command that is possible in a state, in a fixed order.

    Things in furniture are taken with ``take THING from PLACE``.
    """
    room, held = house.room(state), house.held(state)
    tried = [Command("look"), Command("inventory")]
    tried += [Command("examine", (name,)) for name in _in_sight(house, state)]
    tried += [Command("go", (direction,)) for direction in DIRECTIONS]
    for name in _openings(house, room):
        tried += [Command("open", (name,)), Command("close", (name,))]
        tried += [Command(verb, (name, key)) for verb in ("unlock", "lock") for key in held if key in house.keys]
    tried += [Command("pick", (thing,)) for thing in house.floor(state, room)]
    for name in house.standing(room):
        tried += [Command("take", (thing, name)) for thing in house.contents(state, name)]
    for thing in held:
        tried += [Command("drop", (thing,)), Command("eat", (thing,))]
        tried += [Command("put", (thing, name)) for name in house.standing(room)]
        tried += [Command("cook", (thing, name)) for name in house.standing(room)]
        tried += [Command(verb, (thing, KNIFE)) for verb in CUTS if KNIFE in held]
    tried.append(Command("prepare"))
    yield from (command for command in tried if carried_out(house, state, command) is not None)


def reason(house: House, state: int, command: Command) -> str:
    """Why nothing happens, by what the policy can see."""
    verb, names = command
    room, sight, held = house.room(state), _in_sight(house, state), house.held(state)
    if verb == "prepare":
        return _unprepared(house, state)
    if verb == "go":
        way = next((way for way in house.ways[room] if way.direction == names[0]), None)
        return f"You cannot go {names[0]} from here." if way is None else f"The {way.door} is closed."
    strange = next((name for name in names if name not in sight), None)
    if strange is not None:
        return f"You do not see {strange} here."
    if verb in ("drop", "eat", "put", "insert", "cook", *CUTS) and names[0] not in held:
        return f"You do not carry the {names[0]}."
    first = names[0]
    if verb in ("open", "close", "unlock", "lock"):
        if first not in house.hinged:
            return f"The {first} cannot be opened or closed."
        if verb in ("unlock", "lock"):
            return _unlocked(house, state, first, names[1], verb)
        if verb == "close":
            return f"The {first} is closed already."
        return f"The {first} is {'locked' if house.holds(state, 'locked', first) else 'open already'}."
    if verb in ("pick", "take"):
        if first in held:
            return f"You already carry the {first}."
        if first not in house.things:
            return f"The {first} cannot be carried."
        return f"The {first} is not in or on the {names[1]}."
    if verb == "eat":
        return f"The {first} cannot be eaten."
    if verb in ("put", "insert"):
        if names[1] not in house.holders:
            return f"Nothing can be put in or on the {names[1]}."
        return f"The {names[1]} is closed."
    if verb in CUTS:
        if names[1] != KNIFE or KNIFE not in held:
            return "You must carry the knife to cut with it."
        return f"The {first} is cut already." if house.holds(state, "cut", first) else f"The {first} cannot be cut."
    if names[1] not in house.holders or not holder(names[1]).does:
        return f"The {names[1]} cannot cook anything."
    return f"The {first} cannot be cooked."


def _unlocked(house: House, state: int, name: str, key: str, verb: str) -> str:
    if key not in house.held(state):
        return f"You do not carry the {key}."
    if house.keys.get(key) != name:
        return f"The {key} does not fit the {name}."
    if verb == "unlock":
        return f"The {name} is not locked."
    return f"The {name} is {'locked already' if house.holds(state, 'locked', name) else 'open; close it first'}."


def _unprepared(house: House, state: int) -> str:
    if house.kind != "cooking":
        return "There is no meal to prepare."
    if house.room(state) != KITCHEN:
        return "A meal can only be prepared in the kitchen."
    return "You do not carry every ingredient of the recipe, cut and cooked as it says."


def seen_after(house: House, state: int, seen: frozenset[str], command: Command) -> frozenset[str]:
    """The rooms and furniture whose contents the policy knows.

    The cookbook is among them if the policy has read it.
    """
    room = house.room(state)
    more = {room, *(name for name in house.standing(room) if not house.holds(state, "shut", name))}
    if command == Command("examine", (BOOK,)):
        more.add(BOOK)
    return seen | more


def _openings(house: House, room: str) -> list[str]:
    doors = [way.door for way in house.ways[room] if way.door in house.hinged]
    return [*doors, *house.standing(room)]


def _in_sight(house: House, state: int) -> list[str]:
    """The names that may be examined."""
    return [*_openings(house, house.room(state)), *house.visible(state)]


def marks(house: House, state: int, thing: str) -> list[str]:
    """How food is cooked, and how it is cut."""
    found = ["burnt"] if house.holds(state, "burnt", thing) else []
    found = found or [mark for mark in COOKED if house.holds(state, mark, thing)] or ["raw"]
    return [*found, *(mark for mark in CUTS.values() if house.holds(state, mark, thing))]
