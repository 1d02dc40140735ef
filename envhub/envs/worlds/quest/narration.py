"""What a policy reads: rooms and outcomes, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from envhub.authoring.wording import and_list
from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.quest.acting import marks
from envhub.envs.worlds.quest.catalogue import BOOK, CUTS, FOODS, holder
from envhub.envs.worlds.quest.rules import House
from envhub.envs.worlds.sentences import listed

_GRILLED: Final = {
    "fried": "fried on the stove",
    "roasted": "roasted in the oven",
    "grilled": "grilled on the barbecue",
}


def described(house: House, state: int, thing: str) -> str:
    """A thing with its condition: ``fried sliced carrot``."""
    return " ".join([*(marks(house, state, thing) if thing in FOODS else []), thing])


def named(house: House, state: int, things: Iterable[str]) -> str:
    """Things in a sentence, with their conditions."""
    return listed(described(house, state, thing) for thing in things)


def condition(house: House, state: int, name: str) -> str:
    """``open``, ``closed`` or ``locked``."""
    if not house.holds(state, "shut", name):
        return "open"
    return "locked" if house.holds(state, "locked", name) else "closed"


def furniture(house: House, state: int, name: str) -> str:
    """A piece of furniture, and its contents if it is open."""
    inside = "in" if holder(name).inside else "on"
    seen = f"{inside} it you see {named(house, state, house.contents(state, name))}"
    if name not in house.hinged:
        return f"There is {listed([name])} here; {seen}."
    state_of = condition(house, state, name)
    return f"There is {listed([name])} here; it is {state_of}{f', and {seen}' if state_of == 'open' else ''}."


def exits(house: House, state: int, room: str) -> list[str]:
    """The ways out of a room."""
    found = []
    for way in house.ways[room]:
        what = f"{condition(house, state, way.door)} {way.door}" if way.door in house.hinged else "open passage"
        found.append(f"{listed([what]).capitalize()} leads {way.direction}.")
    return found


def surroundings(house: House, state: int) -> list[str]:
    """The policy's room, sentence by sentence."""
    room = house.room(state)
    found = [f"You are in the {room}.", *(furniture(house, state, name) for name in house.standing(room))]
    floor = house.floor(state, room)
    if floor:
        found.append(f"On the floor you see {named(house, state, floor)}.")
    return [*found, *exits(house, state, room)]


def recipe(house: House) -> str:
    """What the cookbook says."""
    lines = ["The cookbook says: Take these ingredients."]
    for food, *wanted in house.goals:
        does = " and ".join(_GRILLED.get(mark, mark) for mark in wanted if mark)
        lines.append(
            f"- {food}: {does or 'raw and uncut'}{', uncut' if does and not wanted[0] else ''}"
            f"{', raw' if does and not wanted[1] else ''}"
        )
    return "\n".join([*lines, "Then prepare the meal in the kitchen, and eat it."])


def outcome(house: House, state: int, command: Command, before: int) -> str:
    """What a possible command did, by the state after it."""
    verb, names = command
    if verb in ("look", "go"):
        went = f"You go {names[0]}. " if verb == "go" else ""
        return went + " ".join(surroundings(house, state))
    if verb == "inventory":
        return f"You carry {named(house, state, house.held(state))}."
    if verb == "prepare":
        return "You prepare the meal. You carry it now."
    first = names[0]
    if verb == "examine":
        return _examined(house, state, first)
    if verb in ("open", "close"):
        opened = verb == "open" and first in house.holders
        return f"You {verb} the {first}.{f' {_within(house, state, first)}' if opened else ''}"
    if verb in ("unlock", "lock"):
        return f"You {verb} the {first} with the {names[1]}."
    if verb == "cook":
        return f"You cook the {first} with the {names[1]}. It is {and_list(marks(house, state, first))} now."
    if verb in CUTS:
        return f"You {verb} the {first}. It is {and_list(marks(house, state, first))} now."
    if verb in ("pick", "take"):
        place = house.where(before, first)
        return f"You take the {first} from the {place if place in house.holders else 'floor'}."
    if verb in ("put", "insert"):
        return f"You put the {first} {'in' if holder(names[1]).inside else 'on'} the {names[1]}."
    return f"You {verb} the {first}."


def _within(house: House, state: int, name: str) -> str:
    return f"In it you see {named(house, state, house.contents(state, name))}."


def _examined(house: House, state: int, name: str) -> str:
    if name == BOOK:
        return recipe(house)
    if name in house.holders:
        return furniture(house, state, name)
    if name in house.hinged:
        return f"The {name} is {condition(house, state, name)}."
    if name in house.keys:
        return f"The {name} fits the {house.keys[name]}."
    if name in FOODS:
        return f"The {name} is {and_list(marks(house, state, name))}."
    return f"There is nothing special about the {name}."
