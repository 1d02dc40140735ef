"""Phrases and renderings of the questions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON

TASK: Final = Phrase(
    "You are an assistant with functions. Answer the last message of the user by calling them.",
    "You can call functions for a user. Serve the user's last message with the right calls.",
    "A user writes to you. Choose the functions and the arguments that do what the last message asks for.",
    held_out="Respond to the final user message with function calls.",
)
_ONCE: Final = Phrase(
    "You have one message, which must contain all calls. Their order does not matter.",
    "Write all calls into one message, in any order; there is no second message.",
    "Put all calls in a single message, in any order.",
    held_out="One message only: it holds every call, in any order.",
)
_EXACT: Final = Phrase(
    "The calls must be exactly those that the user needs. You fail if one is missing or if one is not needed.",
    "You fail if you make one call too many or one too few.",
    "Make every call that the user needs and no other; a missing or an additional call makes you fail.",
    held_out="The set of calls is checked exactly: neither missing nor additional calls are accepted.",
)
_VALUES: Final = Phrase(
    "Values must be those that the user states or that the description of the function gives, with the right types.",
    "Take values from the messages or from the descriptions of the functions, and give them their right types.",
    "Each value must follow from the messages or the descriptions, and must have the type of its parameter.",
    held_out="Argument values: from the conversation or the function descriptions, of the declared types.",
)
_OPTIONAL: Final = Phrase(
    "Leave out optional parameters that the user says nothing about.",
    "Optional parameters stay out if no message mentions them.",
    "Do not set an optional parameter unless a message gives a reason to.",
    held_out="Unmentioned optional parameters: omit.",
)
_NOTHING: Final = Phrase(
    "If no function can serve the message, or a required value is unknown, call none, and say so in a sentence.",
    "When the functions cannot serve the message or a required value is missing, say so in a sentence without a call.",
    "Sometimes no function fits, or the user did not give a required value. Then answer in words and make no call.",
    held_out="Not servable (no fitting function, or a required value missing): reply in words, without any call.",
)
RULES: Final = (_ONCE, _EXACT, _VALUES, _OPTIONAL, _NOTHING)
TURNS_TASK: Final = Phrase(
    "You are an assistant with functions. Serve a user, who sends several messages, one after another.",
    "A user sends you one message after another. Carry out each of them with your functions.",
    "You can call functions for a user. Do what each of the user's messages asks for, in turn.",
    held_out="Serve a multi-turn user request by request with function calls.",
)
_WHEN_DONE: Final = Phrase(
    "When a message of the user is served, answer in words without a call. Then the next message follows.",
    "Write a sentence without a call when you have done what the message asks for; the user's next message follows.",
    "A message of yours without any call ends the turn, and the user's next message is shown.",
    held_out="End of a turn: a reply in words without a call; the next user message follows.",
)
_STATE: Final = Phrase(
    "After each turn, what the functions changed must be exactly what the user asked for, else the task ends with score 0.",
    "The task ends with score 0 if a turn leaves anything changed that the user did not ask for, or anything undone.",
    "If, at the end of a turn, something is missing or something else was changed, you have failed with score 0.",
    held_out="Each turn is checked: missing or additional changes end the task with score 0.",
)
_LOOK_UP: Final = Phrase(
    "Information that the user asks for must be looked up with the function for it.",
    "Where the user asks for information, call the function that returns it.",
    "Requests for information also need the call of the function that provides it.",
    held_out="Requested information must be retrieved by its function.",
)
_UNABLE: Final = Phrase(
    "If no function can serve a message, or a value is unknown, say so without a call. The next message may bring it.",
    "When a function or a value is missing, say that, and make no call; the next message may bring it.",
    "Without a fitting function, or without a needed value, answer in words. The user's next message may help.",
    held_out="Missing function or value: reply in words; it may come with the next message.",
)
TURNS_RULES: Final = (_WHEN_DONE, _STATE, _LOOK_UP, _UNABLE)
_NAMES: Final = {"system": "System", "user": "User", "assistant": "Assistant"}


def _lines(problem: JSON) -> str:
    functions = "\n".join(json.dumps(each, ensure_ascii=False) for each in problem["functions"])
    return f"{_messages(problem)}\n\nFunctions, one per line, with JSON schemas of their parameters:\n\n{functions}"


def _blocks(problem: JSON) -> str:
    blocks = [
        f"{each['name']}: {each['description']}\n    {json.dumps(each['parameters'], ensure_ascii=False)}"
        for each in problem["functions"]
    ]
    head = "The functions, each with the JSON schema of its parameters on the next line:"
    return f"{head}\n\n" + "\n".join(blocks) + f"\n\nThe conversation:\n\n{_messages(problem)}"


def _json(problem: JSON) -> str:
    messages = [{"role": role, "content": text} for role, text in problem["conversation"]]
    tools = [{"type": "function", "function": each} for each in problem["functions"]]
    whole = {"messages": messages, "tools": tools}
    return "The conversation and the functions as JSON:\n\n" + json.dumps(whole, ensure_ascii=False, indent=1)


def _tagged(problem: JSON) -> str:
    functions = "\n".join(json.dumps(each, ensure_ascii=False) for each in problem["functions"])
    turns = "\n".join(f"<{role}>\n{text}\n</{role}>" for role, text in problem["conversation"])
    return f"<functions>\n{functions}\n</functions>\n{turns}"


def _messages(problem: JSON) -> str:
    return "\n\n".join(f"{_NAMES[role]}: {text}" for role, text in problem["conversation"])


_ALL: Final[tuple[Callable[[JSON], str], ...]] = (_lines, _blocks, _json)
DATA: Final[Variants[Rendering]] = Variants(*_ALL, held_out=_tagged, name="data")


def next_turn(said: str, added: list[JSON]) -> str:
    """The user's next message, and functions that are added.

    In BFCL's files a turn has one of them; one with neither is refused when they are read.
    """
    if not added:
        return f"User: {said}"
    functions = "\n".join(json.dumps(each, ensure_ascii=False) for each in added)
    more = f"You have more functions from now on:\n\n{functions}"
    return f"{more}\n\nUser: {said}" if said else f"{more}\n\nServe the last message with them."
