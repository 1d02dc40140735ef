"""The prompt of household-v0.

Phrasings of the errand and the rules, and renderings of the house.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, and_list, counted
from envhub.core.types import JSON
from envhub.envs.worlds.household.catalogue import PLACES, kind
from envhub.envs.worlds.sentences import listed

_TASKS: Final = {
    "place": Phrase(
        "Your errand in this house: put {thing} {on} {place}. You have {steps}.",
        "You are in a house and have {steps}. Find {thing} and put it {on} {place}.",
        "Find {thing} in the house and bring it to its destination: it belongs {on} {place}. At most {steps} are allowed.",
        held_out="You control a robot in a house. In no more than {steps}, it is to leave {thing} {on} {place}.",
    ),
    "clean": Phrase(
        "Your errand in this house: clean {thing} and put it {on} {place}. You have {steps}.",
        "You are in a house and have {steps}. Find {thing}, clean it, and put it {on} {place}.",
        "Clean {thing} of this house and leave it {on} {place}. At most {steps} are allowed.",
        held_out="You control a robot in a house. In no more than {steps}, it is to wash {thing} and leave it {on} {place}.",
    ),
    "heat": Phrase(
        "Your errand in this house: heat {thing} and put it {on} {place}. You have {steps}.",
        "You are in a house and have {steps}. Find {thing}, heat it, and put it {on} {place}.",
        "Heat {thing} of this house and leave it {on} {place}. At most {steps} are allowed.",
        held_out="You control a robot in a house. In no more than {steps}, it is to warm {thing} and leave it {on} {place}.",
    ),
    "cool": Phrase(
        "Your errand in this house: cool {thing} and put it {on} {place}. You have {steps}.",
        "You are in a house and have {steps}. Find {thing}, cool it, and put it {on} {place}.",
        "Cool {thing} of this house and leave it {on} {place}. At most {steps} are allowed.",
        held_out="You control a robot in a house. In no more than {steps}, it is to chill {thing} and leave it {on} {place}.",
    ),
    "two": Phrase(
        "Your errand in this house: put two things of the kind {kind} {on} the same {end}. You have {steps}.",
        "You are in a house and have {steps}. Find two of the things named {kind} and put both {on} one and the same {end}.",
        "Two things called {kind} must end up together {on} one {end}. At most {steps} are allowed.",
        held_out="You control a robot in a house. In no more than {steps}, it is to gather two items of type {kind} {on} a "
        "single "
        "{end}.",
    ),
    "examine": Phrase(
        "Your errand in this house: look at {thing} in the light of a {end}. You have {steps}.",
        "You are in a house and have {steps}. Find {thing} and examine it in the light of a {end}.",
        "Bring {thing} to a {end} that is turned on, and hold it there. At most {steps} are allowed.",
        held_out="You control a robot in a house. In no more than {steps}, it is to hold {thing} where a lit {end} stands.",
    ),
}
_GOALS: Final = {
    "examine": Phrase(
        "You succeed as soon as you hold such a thing, are at the place of such a lamp, and the lamp is on.",
        "The errand is done when the lamp is on and you are at its place with the thing in your hand.",
        "Success: the thing is in your hand, you are at the place of the lamp, and you have turned the lamp on.",
        held_out="The errand counts as done in any situation with three properties: the lamp is on; you are at its place; "
        "you hold "
        "the thing.",
    ),
    "two": Phrase(
        "You succeed as soon as two things of this kind are at one place of that kind. Any two and any such place will do.",
        "The errand is done when one place of that kind holds two things of this kind, whichever they are.",
        "Success: at least two things of this kind are at the same place of that kind.",
        held_out="The errand counts as done in any situation where some place of that kind holds a pair of things of this "
        "kind.",
    ),
    "treated": Phrase(
        "You succeed as soon as a thing of this kind, in that condition, is at a place of that kind. Any such thing and place "
        "will do.",
        "The errand is done when a place of that kind holds a thing of this kind in the condition asked for.",
        "Success: some thing of this kind has the condition asked for and is at some place of that kind.",
        held_out="The errand counts as done in any situation where a place of that kind holds a thing of this kind with the "
        "required condition.",
    ),
    "place": Phrase(
        "You succeed as soon as a thing of this kind is at a place of that kind. Any such thing and place will do.",
        "The errand is done when a place of that kind holds a thing of this kind, whichever they are.",
        "Success: some thing of this kind is at some place of that kind.",
        held_out="The errand counts as done in any situation where a place of that kind holds a thing of this kind.",
    ),
}
_ONE: Final = Phrase(
    "Each message is exactly one command, and every message uses up one step, even if it is not a command or nothing happens.",
    "Send one command per message. Each message costs a step, including one that cannot be carried out or read.",
    "You give one command in each message. All messages are counted as steps, also those without a valid command.",
    held_out="One message carries one command and is charged as one step, whether or not it has an effect.",
)
_MOVING: Final = Phrase(
    'The command "go to PLACE" takes you to any place of the house, and you see what is there unless it is closed.',
    'You reach any place with "go to PLACE". If the place is not closed, you see what is in or on it.',
    'With "go to PLACE" you walk straight to a place and see its contents, if it is open.',
    held_out='"go to PLACE" works from everywhere; the contents of a place that is not closed are reported on arrival.',
)
_OPENING: Final = Phrase(
    'Every {hinged} is closed at first. "open PLACE" and "close PLACE" work where you are.',
    'At first, each {hinged} is closed. Where you are, you can "open PLACE" or "close PLACE".',
    'You find every {hinged} closed. Use "open PLACE" or "close PLACE" when you are at it.',
    held_out='Initially closed: each {hinged}. The commands "open PLACE" and "close PLACE" apply to the place where you are.',
)
_CARRYING: Final = Phrase(
    'You can carry one thing. "take THING from PLACE" and "move THING to PLACE" work at the place where you are, if it is '
    "open.",
    'Your hand holds one thing. At an open place where you are, use "take THING from PLACE" and "move THING to PLACE".',
    'Only one thing fits in your hand. You pick it up with "take THING from PLACE" and put it down with "move THING to '
    'PLACE", at '
    "a place that is open and where you are.",
    held_out='The commands "take THING from PLACE" and "move THING to PLACE" require that you are at the place and that it '
    "is not "
    "closed. At most one thing is carried.",
)
_TREATING: Final = Phrase(
    'While you hold a thing, "clean THING with PLACE" works at a sinkbasin or bathtubbasin, "heat THING with PLACE" at a '
    'microwave and "cool THING with PLACE" at a fridge, open or closed. The thing stays in your hand. Of heating and '
    "cooling, the last one counts.",
    'A thing in your hand can be treated where you are: "clean THING with PLACE" (sinkbasin, bathtubbasin), "heat THING with '
    'PLACE" (microwave), "cool THING with PLACE" (fridge). You keep holding it, and the place may be closed. Cooling a hot '
    "thing makes it cold, and heating a cold thing hot.",
    'To treat the thing that you hold, use "clean THING with PLACE" at a sinkbasin or a bathtubbasin, "heat THING with '
    'PLACE" at '
    'a microwave, or "cool THING with PLACE" at a fridge. It need not be open, and you go on holding the thing. A thing is '
    "hot or cold, but never both.",
    held_out='Treatments keep the thing in your hand and ignore whether the place is closed: "clean THING with PLACE" at a '
    'sinkbasin or bathtubbasin; "heat THING with PLACE" at a microwave; "cool THING with PLACE" at a fridge. Hot and cold '
    "exclude each other.",
)
_OTHERS: Final = Phrase(
    'Further commands: "use LAMP" turns on a lamp that is where you are, "look" describes your place, "inventory" names '
    "what you "
    'carry, and "examine NAME" tells more about a thing or place that you see.',
    'You can also "use LAMP" to turn on a lamp at your place, "look" around your place, ask for your "inventory", and "examine '
    'NAME" a thing or place in sight.',
    'Other commands are "look" (what is at your place), "inventory" (what you carry), "examine NAME" (details of something '
    "that "
    'you see) and "use LAMP" (turn on a lamp where you are).',
    held_out='Remaining commands: "use LAMP" (switches a lamp at your place on); "look"; "inventory"; "examine NAME" for '
    "anything "
    "visible.",
)

_UNCOUNTED: Final = ("bread", "lettuce", "toiletpaper")


def statement(problem: JSON) -> Statement:
    """An errand before it is worded."""
    kind_, thing, end = problem["task"]
    inside = end in PLACES and PLACES[end].inside
    hinged = dict.fromkeys(kind(place) for place in problem["places"] if PLACES[kind(place)].hinged)
    goal = kind_ if kind_ in _GOALS else "treated"
    rules = (_ONE, _MOVING, *([_OPENING] if hinged else []), _CARRYING, _TREATING, _OTHERS)
    return Statement(
        task=_TASKS[kind_],
        data=_DATA,
        problem=problem,
        rules=rules,
        note=_GOALS[goal],
        values={
            "thing": _some(thing),
            "kind": thing,
            "place": _some(end),
            "end": end,
            "on": "in" if inside else "on",
            "steps": counted(problem["steps"], "step"),
            "hinged": and_list(hinged) if hinged else "",
        },
        frames=GAME_FRAMES,
    )


def _some(kind_: str) -> str:
    """A kind with its article."""
    return f"{'some' if kind_ in _UNCOUNTED else 'an' if kind_[0] in 'aeiou' else 'a'} {kind_}"


def _as_sentence(problem: JSON) -> str:
    return f"You are in the middle of the house. Around you are {listed(problem['places'])}."


def _as_list(problem: JSON) -> str:
    return "\n".join(
        ["The places of the house; you are at none of them:", *(f"- {each}" for each in problem["places"])]
    )


def _as_json(problem: JSON) -> str:
    return json.dumps({"you_are_at": None, "you_carry": None, "places": problem["places"]})


def _as_line(problem: JSON) -> str:
    return f"Position: none. Hand: empty. Places: {'; '.join(problem['places'])}."


_DATA: Final[Variants[Rendering]] = Variants(_as_sentence, _as_list, _as_json, held_out=_as_line, name="data")
