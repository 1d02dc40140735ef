"""What a policy reads: the outcome of its command, in plain sentences."""

from __future__ import annotations

from envhub.authoring.wording import and_list
from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.household.catalogue import PLACES, kind
from envhub.envs.worlds.household.rules import MIDDLE, House
from envhub.envs.worlds.sentences import listed


def preposition(place: str) -> str:
    """``in`` or ``on``."""
    return "in" if PLACES[kind(place)].inside else "on"


def contents(house: House, state: int, place: str) -> str:
    """The contents of an open place, or that it is closed."""
    if house.holds(state, "shut", place):
        return f"The {place} is closed."
    return f"{preposition(place).capitalize()} the {place} you see {listed(house.contents(state, place))}."


def surroundings(house: House, state: int) -> str:
    """The policy's place."""
    here = house.at(state)
    if here == MIDDLE:
        return f"You are in the middle of the house. Around you are {listed(house.places)}."
    return f"You are at the {here}. {contents(house, state, here)}"


def outcome(house: House, state: int, command: Command) -> str:
    """The sentences after a command that was possible.

    Args:
        house: The house.
        state: The state after the command.
        command: The command.
    """
    verb, names = command
    if verb == "look":
        return surroundings(house, state)
    if verb == "inventory":
        held = house.held(state)
        return f"You carry {listed([held] if held else [])}."
    if verb == "examine":
        return _examined(house, state, names[0])
    if verb == "go":
        return f"You go to the {names[0]}. {contents(house, state, names[0])}"
    if verb == "open":
        return f"You open the {names[0]}. {contents(house, state, names[0])}"
    if verb == "close":
        return f"You close the {names[0]}."
    if verb == "take":
        return f"You take the {names[0]} from the {names[1]}."
    if verb == "put":
        return f"You put the {names[0]} {preposition(names[1])} the {names[1]}."
    if verb == "use":
        return f"You turn on the {names[0]}."
    return f"You {verb} the {names[0]} with the {names[1]}."


def _examined(house: House, state: int, name: str) -> str:
    if name in house.places:
        return contents(house, state, name)
    found = [fact for fact in ("clean", "hot", "cold") if house.holds(state, fact, name)]
    found += ["on"] if house.holds(state, "lit", name) else []
    return f"The {name} is {and_list(found)}." if found else f"There is nothing special about the {name}."
