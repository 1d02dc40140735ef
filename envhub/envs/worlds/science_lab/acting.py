"""Carry out a command in a laboratory, or say why nothing happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from envhub.envs.worlds.commands import Command
from envhub.envs.worlds.science_lab.catalogue import HINGED, REFERENCE_CONDUCTOR, SINK, kind
from envhub.envs.worlds.science_lab.rules import Lab
from envhub.generators.planning.space import Action

IDLE: Final = Action("idle", (), 0, 0, 0, 0)
"""The action of a command that only looks."""


def action_of(lab: Lab, state: int, command: Command) -> Action | None:
    """The action behind a command; None if nothing happens."""
    return next((action for action in _candidates(lab, state, command) if action.possible(state)), None)


def _candidates(lab: Lab, state: int, command: Command) -> Iterator[Action]:
    """The actions that a command may mean."""
    verb, names = command
    here = lab.at(state)
    match verb, names:
        case ("look" | "inventory", _):
            yield IDLE
        case "go", (room,) if room in lab.rooms and room != here:
            yield lab.action("go", here, room)
        case "open-door", (room,) if room in lab.rooms and room != here:
            yield lab.action("open-door", here, room)
        case "open", (name,) if name in lab.furniture:
            yield lab.action("open", name, here)
        case "take", (name,) if name in lab.things:
            yield from _taking(lab, state, name, here)
        case "examine", (name,):
            yield from _examining(lab, state, name, here)
        case _:
            yield from _EXPERIMENTING[lab.kind](lab, state, command, here)


def _taking(lab: Lab, state: int, name: str, here: str) -> Iterator[Action]:
    yield from (lab.action("take", name, spot, here) for spot in lab.furniture if lab.holds(state, "in", name, spot))
    yield lab.action("lift", name, here)


def _examining(lab: Lab, state: int, name: str, here: str) -> Iterator[Action]:
    bulb, piece = lab.one(state, "in-socket"), lab.one(state, "in-clips")
    if name == bulb and piece == REFERENCE_CONDUCTOR:
        yield lab.action("check", bulb, piece, here)
    if name == bulb and piece is not None and piece != REFERENCE_CONDUCTOR:
        yield lab.action("test", piece, bulb, here)
    if name in in_sight(lab, state):
        yield IDLE


def _matter(lab: Lab, state: int, command: Command, here: str) -> Iterator[Action]:
    match command:
        case "activate", ("hot plate",):
            yield lab.action("heat-up", here)
        case "move", (name, "hot plate") if name in lab.things:
            yield lab.action("place", name, here)
        case "wait", _ if (sample := lab.one(state, "on-plate")) is not None:
            levels = lab.space.named("level")
            now = lab.level(state, "temperature", sample) or levels[-1]
            yield from (
                lab.action(name, sample, here, now, up) for up in _after(levels, now) for name in ("melt", "warm")
            )
        case "use", ("thermometer" as tool, name) if name in lab.subjects:
            yield lab.action("measure", name, tool)
            yield lab.action("measure-hot", name, tool, here)


def _circuits(lab: Lab, state: int, command: Command, here: str) -> Iterator[Action]:
    match command:
        case "connect", (name, "battery") if name in lab.things:
            yield from (lab.action(verb, name, here) for verb in ("fit", "clip"))
        case "disconnect", (name,) if name in lab.things:
            yield from (lab.action(verb, name, here) for verb in ("unfit", "unclip"))


def _growth(lab: Lab, state: int, command: Command, here: str) -> Iterator[Action]:
    match command:
        case "use", ("watering can" as can, name) if name == SINK:
            yield lab.action("fill", can, here)
        case "use", ("seeds" as seeds, pot) if pot in lab.subjects:
            yield lab.action("sow", pot, seeds, here, lab.space.named("level")[0])
        case "use", ("watering can" as can, pot) if pot in lab.subjects:
            stages = lab.space.named("level")
            stage = lab.level(state, "stage", pot)
            if stage is not None:
                yield lab.action("stall", pot, can, here, stage)
                yield from (lab.action("grow", pot, can, here, stage, up) for up in _after(stages, stage))


def _after(levels: Sequence[str], level: str) -> Sequence[str]:
    at = levels.index(level)
    return levels[at + 1 : at + 2]


def _planes(lab: Lab, state: int, command: Command, here: str) -> Iterator[Action]:
    match command:
        case "move", (name, plane) if name in lab.things and plane in lab.subjects:
            yield lab.action("slide", plane, name, "stopwatch", here)


def _genetics(lab: Lab, state: int, command: Command, here: str) -> Iterator[Action]:
    match command:
        case "use", ("brush" as brush, plant) if plant in lab.standing:
            pollen = lab.one(state, "pollen")
            if pollen is None:
                yield lab.action("dip", plant, brush, here)
            else:
                yield from (
                    lab.action(verb, plant, pollen, brush, here) for verb in ("prove", "prove-back", "pollinate")
                )


_EXPERIMENTING: Final = {
    "matter": _matter,
    "circuits": _circuits,
    "growth": _growth,
    "planes": _planes,
    "genetics": _genetics,
}


def in_sight(lab: Lab, state: int) -> list[str]:
    """The furniture and things that the policy can look at."""
    here = lab.at(state)
    around = [name for name, room in lab.furniture.items() if room == here]
    shown = [name for spot in around if not lab.holds(state, "shut", spot) for name in lab.contents(state, spot)]
    used = [lab.one(state, fact) for fact in ("on-plate", "in-socket", "in-clips")] if at_bench(lab, state) else []
    bench = [lab.experiment.bench, *lab.standing] if at_bench(lab, state) else []
    sink = [SINK] if lab.holds(state, "sink", here) else []
    return [*around, *shown, *lab.carried(state), *(name for name in used if name is not None), *bench, *sink]


def at_bench(lab: Lab, state: int) -> bool:
    """Whether the policy is where the experiment is made."""
    return lab.holds(state, "bench", lab.at(state))


def admissible(lab: Lab, state: int) -> Iterator[Command]:
    """Every possible command but answers, in a fixed order."""
    yield from (Command("look"), Command("inventory"))
    seen = in_sight(lab, state)
    tried = [Command("wait")]
    for room in lab.neighbours(lab.at(state)):
        tried += [Command("open-door", (room,)), Command("go", (room,))]
    for name in dict.fromkeys(seen):
        tried += [Command(verb, (name,)) for verb in ("open", "take", "activate", "disconnect", "examine")]
        tried += [Command("connect", (name, "battery"))]
    for name in dict.fromkeys(lab.carried(state)):
        ends = [lab.experiment.bench, *lab.standing, *lab.subjects, SINK]
        tried += [Command(verb, (name, end)) for end in dict.fromkeys(ends) for verb in ("move", "use")]
    yield from (command for command in tried if action_of(lab, state, command) is not None)


def reason(lab: Lab, state: int, command: Command) -> str:
    """Why nothing happens, by what the policy can see."""
    verb, names = command
    seen = in_sight(lab, state)
    if verb in ("go", "open-door"):
        if names[0] not in lab.neighbours(lab.at(state)):
            return f"There is no door to {names[0]} here."
        return f"The door to the {names[0]} is {'closed' if verb == 'go' else 'open already'}."
    missing = next((name for name in names if name not in seen), None)
    if missing is not None:
        return f"You do not see {missing} here."
    if verb == "take" and names[0] in lab.carried(state):
        return f"You carry the {names[0]} already."
    if verb == "open":
        hinged = names[0] in lab.furniture and kind(names[0]) in HINGED
        return f"The {names[0]} is open already." if hinged else f"The {names[0]} cannot be opened."
    loose = next((name for name in names[:1] if name in lab.things and name not in lab.carried(state)), None)
    if verb in ("move", "use", "connect") and loose is not None:
        return f"You do not carry the {loose}."
    return "That has no effect here."
