"""The prompt of next-state-v0."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from envhub.authoring.wording import FRAMES, Phrase, Rendering, Statement, Variants, counted
from envhub.core.types import JSON
from envhub.envs.worlds.household.narration import preposition
from envhub.envs.worlds.next_state.walks import closed
from envhub.envs.worlds.sentences import listed

_TASK: Final = Phrase(
    "Somebody gives {count} to a simulated house. Predict exactly what the house answers to the last one.",
    "A simulated house receives {count}, one after the other. State, word for word, its answer to the last one.",
    "Work out the exact answer of a simulated house to the last of {count}.",
    held_out="The input is a log of {count} sent to a house simulator. Produce the simulator's literal response to "
    "the final command.",
)
_POSSIBLE: Final = Phrase(
    "All commands are possible and are carried out in order. At first, the visitor is at no place and holds nothing.",
    "Each command is possible and is carried out before the next one. The visitor starts at no place, with empty "
    "hands.",
    "The house carries out every command, in the given order. Before the first one, the visitor is at no place and "
    "carries nothing.",
    held_out="Execution is sequential and no command fails. Initial visitor: at no place, hand empty.",
)
_ACTS: Final = Phrase(
    '"go to PLACE" moves the visitor, "open PLACE" and "close PLACE" open and close a place, "take THING from '
    'PLACE" takes a thing into the hand, and "move THING to PLACE" puts it down at the place. "look", "inventory" '
    'and "examine NAME" change nothing.',
    'The visitor walks with "go to PLACE", opens and closes with "open PLACE" and "close PLACE", picks up with '
    '"take THING from PLACE" and puts down with "move THING to PLACE". "look", "inventory" and "examine NAME" only '
    "ask.",
    'What the commands do: "go to PLACE" takes the visitor there; "open PLACE" and "close PLACE" open and close it; '
    'after "take THING from PLACE" the visitor holds the thing; after "move THING to PLACE" the thing is at the '
    'place. "look", "inventory" and "examine NAME" have no effect.',
    held_out='Effects: "go to PLACE" sets the position; "open PLACE" / "close PLACE" toggle it; "take THING from '
    'PLACE" moves the thing to the hand; "move THING to PLACE" moves it to the place; "look", "inventory", "examine '
    'NAME": none.',
)
_TREATS: Final = Phrase(
    '"clean THING with PLACE" makes the thing in the hand clean, "heat" makes it hot and no longer cold, "cool" '
    'makes it cold and no longer hot. "use LAMP" turns a lamp on. These conditions stay, wherever the thing is.',
    'The thing in the hand becomes clean by "clean THING with PLACE", hot (not cold) by "heat", and cold (not hot) '
    'by "cool". A lamp is on after "use LAMP". Things keep these conditions when they are moved.',
    'By "clean THING with PLACE", "heat" and "cool", the thing in the hand becomes clean, hot or cold; a thing is '
    'never both hot and cold, the last counts. By "use LAMP", a lamp is turned on. Conditions remain when things '
    "are moved.",
    held_out='Persistent conditions: "clean THING with PLACE" sets clean; "heat" sets hot and clears cold; "cool" '
    'sets cold and clears hot; "use LAMP" sets on.',
)
_SEEN: Final = Phrase(
    'CONTENTS is "In the PLACE you see LIST." for an open place, with "On" for some places as the data says, and '
    '"The PLACE is closed." for a closed one. Every place that can be closed is closed at first.',
    'For CONTENTS, write "The PLACE is closed." if the place is closed, otherwise "In the PLACE you see LIST.", or '
    '"On" instead of "In" where the data says so. Places that can be closed are closed at first.',
    'CONTENTS means: "In the PLACE you see LIST." ("On the PLACE ..." where the data has on) if it is open; "The '
    'PLACE is closed." if it is not. At first, all places that can be closed are closed.',
    held_out='CONTENTS := "The PLACE is closed." | "In the PLACE you see LIST." | "On the PLACE you see LIST.", by '
    "the state and the preposition in the data. Initially, each closable place is closed.",
)
_LISTS: Final = Phrase(
    'LIST names the things with "a" or "an" (before a, e, i, o, u), by kind in alphabetical order and then by '
    'number, such as "an anvil 1, a broom 2 and a broom 10", or is "nothing".',
    'In LIST, things are in alphabetical order of their kinds, then by number; each has "a", or "an" before a vowel '
    'letter. Example: "an anvil 1, a broom 2 and a broom 10". Without things, LIST is "nothing".',
    'LIST is "nothing", or all the things as in "an anvil 1, a broom 2 and a broom 10": kinds in alphabetical '
    'order, equal kinds by number, with "an" before a vowel letter and otherwise "a".',
    held_out='LIST is sorted by kind (alphabetical), then number; items carry "a", or "an" before a, e, i, o, u; '
    'the last two are joined by "and", the others by commas: "an anvil 1, a broom 2 and a broom 10". The empty list '
    'is "nothing".',
)
_ANSWERS: Final = Phrase(
    'The answers are: to go, "You go to the PLACE. CONTENTS"; to open, "You open the PLACE. CONTENTS"; to look, '
    '"You are at the PLACE. CONTENTS"; to inventory, "You carry LIST."; to examine, for a place CONTENTS, and for a '
    'thing "The THING is WORDS." with those of the words clean, hot, cold, on that hold, in this order and joined '
    'by "and".',
    'How the house answers: "You go to the PLACE. CONTENTS" (go), "You open the PLACE. CONTENTS" (open), "You are '
    'at the PLACE. CONTENTS" (look), "You carry LIST." (inventory), CONTENTS (examine, for a place), "The THING is '
    'WORDS." (examine, for a thing). WORDS are its conditions among clean, hot, cold, on, in this order, joined by '
    '"and".',
    'Answer by command: go gives "You go to the PLACE. CONTENTS", open gives "You open the PLACE. CONTENTS", look '
    'gives "You are at the PLACE. CONTENTS", inventory gives "You carry LIST.". Examine gives CONTENTS for a place '
    'and "The THING is WORDS." for a thing, where WORDS are what is true of clean, hot, cold, on, in this order, '
    'joined by "and".',
    held_out='Responses: go: "You go to the PLACE. CONTENTS"; open: "You open the PLACE. CONTENTS"; look: "You are '
    'at the PLACE. CONTENTS"; inventory: "You carry LIST."; examine PLACE: CONTENTS; examine THING: "The THING is '
    'WORDS.", WORDS = its conditions in the order clean, hot, cold, on, joined by "and".',
)


def statement(problem: JSON) -> Statement:
    """A log before it is worded."""
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_POSSIBLE, _ACTS, _TREATS, _SEEN, _LISTS, _ANSWERS),
        values={"count": counted(len(problem["commands"]), "command")},
        frames=FRAMES,
    )


def _at(problem: JSON, place: str) -> list[str]:
    return [thing for thing, spot in problem["things"] if spot == place]


def _numbered(problem: JSON) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(problem["commands"], 1))


def _as_lines(problem: JSON) -> str:
    places = [
        f"- {preposition(place).capitalize()} the {place}{' (can be closed)' * closed(place)}: {listed(_at(problem, place))}"
        for place in problem["places"]
    ]
    return "\n".join(["The house at first:", *places, "The commands:", _numbered(problem)])


def _as_sentences(problem: JSON) -> str:
    seen = " ".join(_sentence(place, _at(problem, place)) for place in problem["places"])
    return "\n".join([f"At first: {seen}", "Log:", _numbered(problem)])


def _sentence(place: str, things: Sequence[str]) -> str:
    verb = "is" if len(things) < 2 else "are"
    return f"There {verb} {listed(things)} {preposition(place)} the {place}{', which can be closed' * closed(place)}."


def _as_json(problem: JSON) -> str:
    places = {
        place: {"preposition": preposition(place), "can_be_closed": closed(place), "things": _at(problem, place)}
        for place in problem["places"]
    }
    return "\n".join([json.dumps(places), json.dumps({"commands": problem["commands"]})])


def _as_table(problem: JSON) -> str:
    rows = [
        f"{place} | {preposition(place)} | {'yes' if closed(place) else 'no'} | {', '.join(_at(problem, place)) or '-'}"
        for place in problem["places"]
    ]
    head = "place | preposition | can be closed | things at first"
    return "\n".join([head, *rows, "", f"Commands: {'; '.join(problem['commands'])}."])


_DATA: Final[Variants[Rendering]] = Variants(_as_lines, _as_sentences, _as_json, held_out=_as_table, name="data")
