"""Phrases and renderings of function-call-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON

TASK: Final = Phrase(
    "You are an assistant with tools. Serve these requests by calling them. Today is {today}.",
    "Today is {today}. Carry out the requests with the tools that you have.",
    "Fulfil each of these requests by calling the right tool with the right arguments. Today is {today}.",
    held_out="Current date: {today}. Map every request to the tool call that serves it, and make these calls.",
)
_NOTHING_ELSE: Final = Phrase(
    "Do only what is requested. You fail if anything else is changed or if anything requested is missing.",
    "You fail if you leave out something that is requested, or change something that is not.",
    "Make all requested changes and no others; a missing change and an additional one both make you fail.",
    held_out="Success requires that the set of changes equals the set of requested changes.",
)
_ONE_CALL: Final = Phrase(
    "Each request takes exactly one call of one tool that changes something. A call that was carried out cannot be undone.",
    "For each request, call exactly one tool that changes something, exactly once. What a call has changed cannot be undone.",
    "Exactly one call that changes something serves a request, and no call can be taken back once it was carried out.",
    held_out="Cardinality: one changing call per request. Changing calls are irreversible.",
)
_LOOK_UPS: Final = Phrase(
    "You may call a tool that changes nothing as often as you like.",
    "Calls of tools that change nothing are always allowed.",
    "Tools that change nothing may be called any number of times.",
    held_out="Read-only calls: unrestricted in number.",
)
_IMPOSSIBLE: Final = Phrase(
    "It is possible that no tool fits a request. Then call none for it, and pass the number of the request to done.",
    "If a request asks for something that no tool does, leave it alone and give its number when you call done.",
    "A request that no tool can serve must be left unserved; list its number in the call of done.",
    held_out="Unservable requests: make no call for them, and report their numbers in done.",
)
_INVALID: Final = Phrase(
    "A call whose arguments do not match the schema of the tool is not carried out. You are told why.",
    "If the arguments of a call do not match the tool's schema, you get the reason and nothing happens.",
    "Arguments must match the schema of the tool. Otherwise the call changes nothing, and the reply says what is wrong.",
    held_out="Schema violations: rejected with a reason, without effect.",
)
_VALUES: Final = Phrase(
    "Copy texts exactly: upper and lower case and spaces matter. Do not round values.",
    "Texts must be exact, including case and spaces, and values may not be rounded.",
    "Values are compared exactly. So do not round numbers, and keep the case and the spaces of texts.",
    held_out="Exactness: no rounding; text is case- and space-sensitive.",
)
_DEFAULTS: Final = Phrase(
    "You may omit an optional argument if you want its default.",
    "Optional arguments can be left out where their default is what is requested.",
    "Leaving out an optional argument is the same as passing its default.",
    held_out="Omitted optional arguments take their defaults.",
)
_DONE: Final = Phrase(
    "Call done when all requests are served. It ends the task.",
    "When you have finished, call done; the task ends with it.",
    "The task ends when you call done, so call it last.",
    held_out="Final call: done, which closes the task.",
)
RULES: Final = (_NOTHING_ELSE, _ONE_CALL, _LOOK_UPS, _IMPOSSIBLE, _INVALID, _VALUES, _DEFAULTS, _DONE)


def _lines(problem: JSON) -> str:
    tools = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in problem["tools"])
    return f"Requests:\n{_requests(problem)}\n\nTools, one per line, with JSON schemas of their arguments:\n\n{tools}"


def _blocks(problem: JSON) -> str:
    blocks = [
        f"{tool['name']}: {tool['description']}\n    {json.dumps(tool['parameters'], ensure_ascii=False)}"
        for tool in problem["tools"]
    ]
    told = "The tools, each with the JSON schema of its arguments on the next line:"
    return f"{told}\n\n" + "\n".join(blocks) + f"\n\nThe requests:\n{_requests(problem)}"


def _json(problem: JSON) -> str:
    requests = [{"number": number, "request": text} for number, text in enumerate(problem["sentences"], 1)]
    rows = [
        '{"requests": [',
        ",\n".join(f"  {json.dumps(request, ensure_ascii=False)}" for request in requests),
        ' ],\n "tools": [',
        ",\n".join(
            f"  {json.dumps({'type': 'function', 'function': tool}, ensure_ascii=False)}" for tool in problem["tools"]
        ),
        " ]}",
    ]
    return "The requests and the tools as JSON:\n\n" + "\n".join(rows)


def _signatures(problem: JSON) -> str:
    blocks = []
    for tool in problem["tools"]:
        required = tool["parameters"].get("required", [])
        rows = [
            f"    {name}{'' if name in required else ' (optional)'}: {json.dumps(schema, ensure_ascii=False)}"
            for name, schema in tool["parameters"]["properties"].items()
        ]
        blocks.append("\n".join([f"{tool['name']} -- {tool['description']}", *rows]))
    requests = "\n".join(f"R{number}: {text}" for number, text in enumerate(problem["sentences"], 1))
    told = "Tool signatures (each argument with its JSON schema):"
    return f"{requests}\n(The number of request Rn is n.)\n\n{told}\n\n" + "\n".join(blocks)


def _requests(problem: JSON) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(problem["sentences"], 1))


DATA: Final[Variants[Rendering]] = Variants(_lines, _blocks, _json, held_out=_signatures, name="data")
