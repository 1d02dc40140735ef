"""Logs of commands in a house.

The outcome of the last command shows a change that an earlier one made.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from envhub.core.errors import EnvhubError
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.household.acting import admissible, carried_out
from envhub.envs.worlds.household.catalogue import PLACES, kind
from envhub.envs.worlds.household.commands import Commands
from envhub.envs.worlds.household.narration import outcome
from envhub.envs.worlds.household.rules import MIDDLE, TREATMENTS, House

_LEAVING: Final = 3
"""After work, one command in this many goes on to another place."""
_ASKING: Final = ("look", "go", "open", "examine")
_READ: Final = Commands()


class Impossible(EnvhubError):
    """A command of a walk is not possible."""


class Walk(NamedTuple):
    """Commands, the last of which is asked about.

    Attributes:
        commands: All commands.
        state: The state before the last one.
    """

    commands: list[Command]
    state: int


def house_of(problem: JSON) -> House:
    """The house of a problem."""
    return _house(tuple(problem["places"]), tuple((thing, place) for thing, place in problem["things"]))


@lru_cache(maxsize=64)
def _house(places: tuple[str, ...], things: tuple[tuple[str, str], ...]) -> House:
    return House(places, dict(things))


def walk(rng: Stream, house: House, length: int) -> Walk | None:
    """Possible commands that end with a telling one.

    None if none is found.
    """
    state, commands = house.start, list[Command]()
    while len(commands) < length - 1:
        command, state = _step(rng, house, state, commands[-1] if commands else None)
        commands.append(command)
    for verb in (*rng.sample(_ASKING, len(_ASKING)), "inventory"):
        asked = [each for each in admissible(house, state) if each.verb == verb and _telling(house, state, each)]
        if asked:
            return Walk([*commands, rng.choice(asked)], state)
    return None


def _after(house: House, state: int, command: Command) -> int:
    after = carried_out(house, state, command)
    if after is None:
        raise Impossible(f"{command} is not possible here.")
    return after


def _step(rng: Stream, house: House, state: int, before: Command | None) -> tuple[Command, int]:
    """The next command of a log, and the state after it."""
    wandered = before is not None and before.verb == "go"
    if wandered or rng.below(_LEAVING):
        work = [each for each in _work(house, state) if not _undoes(each, before)]
        rng.shuffle(work)
        for command in work:
            after = carried_out(house, state, command)
            if after is not None and after != state:
                return command, after
    here = house.at(state)
    way = Command("go", (rng.choice([place for place in house.places if place != here]),))
    return way, _after(house, state, way)


def _work(house: House, state: int) -> list[Command]:
    """Commands that may be possible at this place and change something."""
    here, held = house.at(state), house.held(state)
    if here == MIDDLE:
        return []
    found = [Command("open", (here,)), Command("close", (here,))]
    if held is not None:
        return [*found, *(Command(verb, (held, here)) for verb in ("put", *TREATMENTS))]
    things = house.contents(state, here)
    return [
        *found,
        *(Command("take", (thing, here)) for thing in things),
        *(Command("use", (thing,)) for thing in things),
    ]


def _undoes(command: Command, before: Command | None) -> bool:
    """Whether a command only takes back the one before it."""
    pairs = (("put", "take"), ("take", "put"), ("open", "close"), ("close", "open"))
    return before is not None and (before.verb, command.verb) in pairs


def _telling(house: House, state: int, command: Command) -> bool:
    """Whether the outcome of a command shows a change since the start."""
    if command.verb == "inventory":
        return house.held(state) is not None
    name = command.names[0] if command.names else house.at(state)
    if name in house.things:
        return any(house.holds(state, fact, name) for fact in (*TREATMENTS.values(), "lit"))
    if name == MIDDLE or (command.verb != "open" and house.holds(state, "shut", name)):
        return False
    now = house.contents(state, name)
    return bool(now) and now != house.contents(house.start, name)


def answer(problem: JSON) -> str:
    """The outcome of the last command.

    Raises:
        Impossible: A command is not possible.
    """
    house, state = house_of(problem), house_of(problem).start
    commands = [_READ.parse(text) for text in problem["commands"]]
    for command in commands:
        state = _after(house, state, command)
    return outcome(house, state, commands[-1])


def skipped(problem: JSON) -> Iterator[str]:
    """Outcomes of the last command if some commands before it are forgotten."""
    *before, last = problem["commands"]
    for forgotten in [range(len(before)), *([at] for at in range(len(before)))]:
        kept = [text for at, text in enumerate(before) if at not in forgotten]
        try:
            yield answer({**problem, "commands": [*kept, last]})
        except Impossible:
            continue


def remembered(problem: JSON, count: int) -> str:
    """The outcome of the last command if only some before it happened.

    Of the last ``count`` commands, those that are then impossible are left out.
    """
    house, state = house_of(problem), house_of(problem).start
    *before, last = (_READ.parse(text) for text in problem["commands"][-count:])
    for command in before:
        after = carried_out(house, state, command)
        state = state if after is None else after
    after = carried_out(house, state, last)
    return outcome(house, state if after is None else after, last)


def closed(place: str) -> bool:
    """Whether a place is closed at first."""
    return PLACES[kind(place)].hinged
