"""What a policy reads: the outcome of its command, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from envhub.authoring.wording import and_list, counted
from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.science_lab.acting import at_bench
from envhub.envs.worlds.science_lab.catalogue import SINK
from envhub.envs.worlds.science_lab.rules import Lab
from envhub.generators.planning.space import Action

_PEAS: Final = 8
_BARE: Final = ("seeds", "tongs")


def listed(names: Iterable[str]) -> str:
    """Things in a sentence: ``a spoon and bulb 2``."""
    named = list(map(_named, names))
    return and_list(named) if named else "nothing"


def _named(name: str) -> str:
    if name in _BARE or (" " in name and len(name.split(" ")[1]) == 1):
        return name
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def doors(lab: Lab, state: int) -> dict[str, str]:
    """Whether each door is open, by the room behind it."""
    here = lab.at(state)
    return {room: "open" if lab.holds(state, "ajar", here, room) else "closed" for room in lab.neighbours(here)}


def furniture(lab: Lab, state: int) -> dict[str, str]:
    """What is seen of the furniture of the room, by name."""
    here = lab.at(state)
    return {
        name: "closed" if lab.holds(state, "shut", name) else listed(lab.contents(state, name))
        for name, room in lab.furniture.items()
        if room == here
    }


def fittings(lab: Lab, state: int) -> list[str]:
    """Sentences on the sink and the bench of the room."""
    found = ["There is a sink."] if lab.holds(state, "sink", lab.at(state)) else []
    return found + ([_BENCH[lab.kind](lab, state)] if at_bench(lab, state) else [])


def surroundings(lab: Lab, state: int) -> str:
    """The policy's room."""
    return described(lab.at(state), doors(lab, state).items(), furniture(lab, state).items(), fittings(lab, state))


def described(
    room: str, ways: Iterable[Sequence[str]], standing: Iterable[Sequence[str]], fitted: Iterable[str]
) -> str:
    """A room in sentences.

    Args:
        room: The room.
        ways: Each room behind a door, and whether the door is open.
        standing: Each piece of furniture, and what is seen of it.
        fitted: Further sentences.
    """
    doors_ = and_list([f"the {other} ({how})" for other, how in ways])
    seen = [f"{_holding(name, what)}." for name, what in standing]
    return " ".join([f"You are in the {room}. Doors lead to {doors_}.", *seen, *fitted])


def _holding(name: str, what: str) -> str:
    return f"{name.capitalize()} is closed" if what == "closed" else f"{name.capitalize()} holds {what}"


def outcome(lab: Lab, action: Action, state: int, command: Command) -> str:
    """The sentences after a command that was possible.

    Args:
        lab: The laboratory.
        action: The action that the command was.
        state: The state after it.
        command: The command.
    """
    names = command.names
    match action.name:
        case "go":
            return surroundings(lab, state)
        case "open-door":
            return f"You open the door to the {names[0]}."
        case "open":
            return f"You open {names[0]}. {_holding(names[0], listed(lab.contents(state, names[0])))}."
        case "take" | "lift":
            return f"You pick up {_the(names[0])}."
        case "idle":
            return _looked(lab, state, command)
    return _EXPERIMENTED[lab.kind](lab, action, state)


def _the(name: str) -> str:
    return name if _named(name) == name else f"the {name}"


def _looked(lab: Lab, state: int, command: Command) -> str:
    if command.verb == "look":
        return surroundings(lab, state)
    if command.verb == "inventory":
        return f"You carry {listed(lab.carried(state))}."
    name = command.names[0]
    if name in lab.furniture:
        return f"{_holding(name, furniture(lab, state)[name])}."
    if name == SINK:
        return "Water runs from the sink."
    if name == lab.experiment.bench or name in lab.standing:
        return _BENCH[lab.kind](lab, state)
    if name == lab.one(state, "in-socket"):
        return f"{name.capitalize()} is dark."
    if lab.kind == "matter" and name in lab.subjects:
        return f"{name.capitalize()} is {_phase(lab, state, name)}."
    return f"There is nothing special about {_the(name)}."


def _phase(lab: Lab, state: int, sample: str) -> str:
    return "liquid" if lab.holds(state, "melted", sample) else "solid"


# -- the experiments ---------------------------------------------------------------------------------------------------


def _plate(lab: Lab, state: int) -> str:
    sample = lab.one(state, "on-plate")
    on = "nothing is on it" if sample is None else f"{sample} is on it and is {_phase(lab, state, sample)}"
    return f"There is a hot plate, which is {'on' if lab.holds(state, 'hot') else 'off'}; {on}."


def _matter(lab: Lab, action: Action, state: int) -> str:
    sample = action.arguments[0]
    match action.name:
        case "heat-up":
            return "The hot plate is now on."
        case "place":
            return f"You put {sample} on the hot plate."
        case "warm" | "melt":
            return f"Some time passes. {sample.capitalize()} is now {_phase(lab, state, sample)}."
    return f"The thermometer shows {lab.level(state, 'temperature', sample)} degrees for {sample}."


def _circuit(lab: Lab, state: int) -> str:
    parts = [name for fact in ("in-socket", "in-clips") if (name := lab.one(state, fact)) is not None]
    return f"There is a battery. Connected to it: {listed(parts)}."


def _circuits(lab: Lab, action: Action, state: int) -> str:
    name = action.arguments[0]
    match action.name:
        case "fit" | "clip":
            return f"You connect {_the(name)} to the battery."
        case "unfit" | "unclip":
            return f"You disconnect {_the(name)}."
        case "check":
            lit = lab.holds(state, "works", name)
            return f"{name.capitalize()} is {'lit' if lit else 'dark'}."
    bulb = action.arguments[1]
    return f"{bulb.capitalize()} is {'lit' if lab.hidden['values'][name] == 'yes' else 'dark'}."


def _plants(lab: Lab, state: int) -> str:
    pots = [f"{pot} ({lab.level(state, 'stage', pot) or 'only soil'})" for pot in lab.subjects]
    return f"There is a planter with {and_list(pots)}."


def _growth(lab: Lab, action: Action, state: int) -> str:
    name = action.arguments[0]
    match action.name:
        case "fill":
            return "You fill the watering can."
        case "sow":
            return f"You put a seed into {name}."
        case "grow":
            return f"You water {name}. It changes: {lab.level(state, 'stage', name)}."
    return f"You water {name}. It does not change: {lab.level(state, 'stage', name)}."


def _frame(lab: Lab, state: int) -> str:
    return f"There is a frame with {and_list(lab.subjects)}."


def seconds(lab: Lab, plane: str, block: str) -> int:
    """The time that a block takes to slide down a plane."""
    times: Mapping[str, int] = lab.hidden["times"]
    return times[plane] + times[block]


def _planes(lab: Lab, action: Action, state: int) -> str:
    plane, block = action.arguments[:2]
    return f"You let {block} slide down {plane}. It takes {counted(seconds(lab, plane, block), 'second')}."


def _bed(lab: Lab, state: int) -> str:
    looks = lab.hidden["looks"]
    plants = [f"{plant} ({looks[plant]})" for plant in lab.subjects]
    pure = [f"{plant} ({looks[plant]})" for plant in lab.hidden["pure"]]
    return f"There is a flower bed with {and_list(plants)}. From a pure line: {and_list(pure)}."


def peas(lab: Lab, mother: str, father: str) -> dict[str, int]:
    """The looks of the offspring of two plants, out of eight."""
    looks, dominant = lab.hidden["looks"], lab.hidden["dominant"]
    recessive = next(look for look in looks.values() if look != dominant)
    weak = 2 * _weak(lab, mother) * _weak(lab, father)
    return {look: count for look, count in ((dominant, _PEAS - weak), (recessive, weak)) if count}


def _weak(lab: Lab, plant: str) -> int:
    """The number of recessive copies that a plant has."""
    if plant in lab.hidden["pure"]:
        return 0 if lab.hidden["looks"][plant] == lab.hidden["dominant"] else 2
    return {"pure": 0, "hybrid": 1, "recessive": 2}[lab.hidden["values"][plant]]


def _genetics(lab: Lab, action: Action, state: int) -> str:
    plant = action.arguments[0]
    if action.name == "dip":
        return f"The brush now holds pollen of {plant}."
    pollen = action.arguments[1]
    counts = sorted(peas(lab, plant, pollen).items())
    return (
        f"You brush the pollen of {pollen} onto {plant}. Their {_PEAS} offspring: "
        f"{and_list([f'{count} {look}' for look, count in counts])}. The brush is clean again."
    )


_BENCH: Final = {"matter": _plate, "circuits": _circuit, "growth": _plants, "planes": _frame, "genetics": _bed}
_EXPERIMENTED: Final = {
    "matter": _matter,
    "circuits": _circuits,
    "growth": _growth,
    "planes": _planes,
    "genetics": _genetics,
}
