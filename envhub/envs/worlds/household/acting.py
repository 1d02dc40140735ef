"""Carry out a command in a house, or say why nothing happens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.household.catalogue import PLACES, kind
from envhub.envs.worlds.household.rules import MIDDLE, House

_LOOKING: Final = ("look", "inventory", "examine")


def carried_out(house: House, state: int, command: Command) -> int | None:
    """The state after a command; None if nothing happens."""
    verb, names = command
    if any(name not in house.things and name not in house.places for name in names):
        return None
    if verb in _LOOKING:
        return state if verb != "examine" or _in_sight(house, state, names[0]) else None
    kinds = ["thing" if name in house.things else "place" for name in names]
    here = house.at(state)
    arguments = {"go": (here, *names), "use": (*names, here)}.get(verb, names)
    wanted = {"go": ["place"], "use": ["thing"], "open": ["place"], "close": ["place"]}.get(verb, ["thing", "place"])
    if kinds != wanted or (verb == "go" and names[0] == here):
        return None
    action = house.action(verb, *arguments)
    return action.after(state) if action.possible(state) else None


def admissible(house: House, state: int) -> Iterator[Command]:
    """Every command that is possible in a state, in a fixed order."""
    here, held = house.at(state), house.held(state)
    yield from (Command("look"), Command("inventory"))
    yield from (Command("go", (place,)) for place in house.places if place != here)
    tried = [Command(verb, (here,)) for verb in ("open", "close", "examine")] if here != MIDDLE else []
    visible = house.contents(state, here) if _open(house, state, here) else []
    for thing in visible:
        tried += [Command("take", (thing, here)), Command("use", (thing,)), Command("examine", (thing,))]
    if held is not None:
        tried += [Command(verb, (held, here)) for verb in ("put", "clean", "heat", "cool")]
        tried.append(Command("examine", (held,)))
    yield from (command for command in tried if carried_out(house, state, command) is not None)


def reason(house: House, state: int, command: Command) -> str:
    """Why nothing happens, by what the policy can see."""
    verb, names = command
    here, held = house.at(state), house.held(state)
    place = names[-1] if names and verb != "use" and names[-1] in house.places else None
    if verb == "go":
        return f"You are at the {here} already." if here == names[0] else f"There is no place {names[0]}."
    if verb == "examine":
        return f"You do not see {names[0]} here."
    if verb == "use":
        return f"There is no lamp {names[0]} here."
    if place is None:
        return f"There is no place {names[-1]}."
    if place != here:
        return f"You are not at the {place}."
    if verb in ("open", "close"):
        if not PLACES[kind(place)].hinged:
            return f"The {place} cannot be opened or closed."
        return f"The {place} is {'open' if verb == 'open' else 'closed'} already."
    if verb in ("put", "take") and house.holds(state, "shut", place):
        return f"The {place} is closed."
    if verb != "take":
        if held != names[0]:
            return f"You do not hold {names[0]}."
        return f"The {names[0]} and the {place} do not allow it."
    if names[0] not in house.contents(state, place):
        return f"You do not see {names[0]} here."
    return f"You already hold {held}." if held is not None else f"The {names[0]} cannot be carried."


def seen_after(house: House, state: int, seen: frozenset[str]) -> frozenset[str]:
    """The places whose contents the policy knows."""
    here = house.at(state)
    return seen | {here} if _open(house, state, here) else seen


def _open(house: House, state: int, place: str) -> bool:
    return place != MIDDLE and not house.holds(state, "shut", place)


def _in_sight(house: House, state: int, name: str) -> bool:
    here = house.at(state)
    held = house.holds(state, "held", name) if name in house.things else False
    return held or name == here or (_open(house, state, here) and name in house.contents(state, here))
