"""The prompt of science-lab-v0.

Phrasings of the general rules, and renderings of the first room. What is said on each experiment is in
:mod:`envhub.envs.worlds.science_lab.tasks`.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, and_list, counted
from envhub.core.types import JSON
from envhub.envs.worlds.science_lab.catalogue import EXPERIMENTS
from envhub.envs.worlds.science_lab.narration import described
from envhub.envs.worlds.science_lab.tasks import ANSWERS, METHODS, PROOFS, TASKS

_ONE: Final = Phrase(
    "Each message is exactly one command and uses up one step, even if it is not a command or nothing happens.",
    "Send one command per message. Each message costs one step, including one that cannot be carried out or read.",
    "You give one command in each message. Every message is counted as a step, also one without a valid command.",
    held_out="One message carries one command and is charged as one step, whether or not it has an effect.",
)
_MOVING: Final = Phrase(
    'All doors are closed at first. In a room, "open door to ROOM" opens a door, and "go to ROOM" then takes you to '
    "this neighbouring room and describes it.",
    'Rooms are joined by doors, all closed at first. Use "open door to ROOM" once, then "go to ROOM", which also '
    "describes the room that you enter.",
    'To enter a neighbouring room, send "open door to ROOM" if its door is closed, and then "go to ROOM". You see '
    "the room when you enter it. At first, every door is closed.",
    held_out='Every door is initially closed. Passing one takes "open door to ROOM" (once) and "go to ROOM"; on '
    "entry you receive a description of the room.",
)
_TAKING: Final = Phrase(
    'Cupboards, drawers, chests and lockers are closed at first; "open NAME" shows their contents. "pick up NAME" '
    "takes a thing that you see in the room. You can carry any number of things.",
    'You find cupboards, drawers, chests and lockers closed; look into them with "open NAME". With "pick up NAME" '
    "you take a thing in the room, and you can carry as many as you like.",
    'Use "open NAME" on a cupboard, drawer, chest or locker, all of which are closed at first. Use "pick up NAME" '
    "on a thing in sight. There is no limit to what you carry.",
    held_out='"open NAME" reveals the contents of a cupboard, drawer, chest or locker (initially closed); "pick up '
    'NAME" adds a visible thing to your inventory, which has no limit.',
)
_LOOKING: Final = Phrase(
    'Further commands: "look around" describes the room, "look at NAME" describes a thing in sight, and "inventory" '
    "lists what you carry.",
    'You can also "look around" in the room, "look at NAME" for a thing in sight, and ask for your "inventory".',
    'Other commands are "look around" (the room), "look at NAME" (a thing that you see) and "inventory" (what you '
    "carry).",
    held_out='Remaining commands: "look around"; "look at NAME" for anything visible; "inventory".',
)
_ENDING: Final = Phrase(
    'The command "answer VALUE, VALUE" with one value for each of {subjects}, in this order, ends the task. {values}',
    'You finish with the command "answer VALUE, VALUE": one value for each of {subjects}, in this order. {values} '
    "You can answer only once.",
    'When you know the result, send "answer VALUE, VALUE" with exactly one value for each of {subjects}, in this '
    "order. {values} This ends the task.",
    held_out='"answer VALUE, VALUE" submits the result and ends the task. It lists one value per subject, in the '
    "order {subjects}. {values}",
)


def statement(problem: JSON) -> Statement:
    """A task before it is worded."""
    kind = problem["kind"]
    experiment = EXPERIMENTS[kind]
    return Statement(
        task=TASKS[kind],
        data=_DATA,
        problem=problem,
        rules=(_ONE, _MOVING, _TAKING, _LOOKING, METHODS[kind], PROOFS[kind], _ENDING),
        values={
            "subjects": and_list(problem["subjects"]),
            "steps": counted(problem["steps"], "step"),
            "spares": counted(problem["spares"], experiment.spares or "spare"),
            "values": ANSWERS[kind].format(count=len(problem["subjects"])),
        },
        frames=GAME_FRAMES,
    )


def _as_sentences(problem: JSON) -> str:
    return described(problem["room"], problem["doors"], problem["furniture"], problem["fittings"])


def _as_list(problem: JSON) -> str:
    lines = [f"Your room: {problem['room']}", *(f"- door to {room}: {how}" for room, how in problem["doors"])]
    lines += [f"- {name}: {what if what == 'closed' else f'holds {what}'}" for name, what in problem["furniture"]]
    return "\n".join([*lines, *(f"- {sentence}" for sentence in problem["fittings"])])


def _as_json(problem: JSON) -> str:
    return json.dumps(
        {
            "you_are_in": problem["room"],
            "doors": dict(problem["doors"]),
            "furniture": dict(problem["furniture"]),
            "also_here": problem["fittings"],
        }
    )


def _as_line(problem: JSON) -> str:
    doors = "; ".join(f"{room} ({how})" for room, how in problem["doors"])
    seen = "; ".join(f"{name}: {what}" for name, what in problem["furniture"]) or "none"
    return " ".join([f"Position: {problem['room']}. Doors: {doors}. Furniture: {seen}.", *problem["fittings"]])


_DATA: Final[Variants[Rendering]] = Variants(_as_sentences, _as_list, _as_json, held_out=_as_line, name="data")
