"""email-format-v0: turn the requests of an e-mail into typed tool calls.

Action: a JSON list of calls, each with a name and arguments. Values must be converted to the form that a schema
requires; calls are compared by their schemas: a default may be left out, and the order of calls does not matter.
Difficulty: more requests and tools, then conversions, groups of arguments and requests that no tool serves; effort is
arguments and tools. Two tasks with the same requests are the same, whatever the words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from envhub.authoring.environment import Staged
from envhub.families.call_phrases import CALLS, EXACT, NONE
from envhub.families.order_renderings import TODAY_SPELT
from envhub.families.text_kit import JSON, Instance, Member, Phrase, Stream, Variants, Verdict, knob, levels
from envhub.generators.documents.strict import read_json, with_integers
from envhub.generators.typed_tools.requests import Style, draw_requests, dress
from envhub.generators.typed_tools.schemas import Misfit, fit
from envhub.verifiers.answers.documents import JsonDocument

_SAMPLE = '[{"name": "example_tool", "arguments": {"text": "example", "count": 17}}]'


def _mail(opening: str, bullet: str, tools: str, indent: int | None) -> Any:
    def shown(problem: Any) -> str:
        asked = "\n".join(f"{bullet}{sentence}" for sentence in problem["sentences"])
        listed = "\n".join(json.dumps(tool, indent=indent, ensure_ascii=False) for tool in problem["tools"])
        return f"{opening}\n\n{asked}\n\n{tools}\n\n{listed}"

    return shown


class EmailFormat(Member):
    """Write the tool calls that an e-mail asks for."""

    Params = levels(
        requests=knob("requests of the e-mail", 1, 1, 2, 2, 3, 4, 5, 6, 7, 8),
        tools=knob("tools", 2, 4, 5, 6, 8, 10, 12, 14, 16, 20, at_least=2),
        turned=knob("per cent of values in an unusual form", 0, 40, 50, 60, 70, 80, 80, 90, 100, 100),
        nested=knob("per cent of tools with a group of arguments", 0, 0, 20, 30, 40, 40, 50, 60, 70, 80),
        impossible=knob("requests that no tool serves", 0, 0, 0, 0, 1, 1, 1, 2, 2, 2),
    )
    answer = JsonDocument(called="one JSON list of calls", sample=_SAMPLE)
    data = Variants(
        _mail(
            "Subject: Please take care of this\n\nHello,", "", "The tools, with JSON schemas of their arguments:", None
        ),
        _mail("From: a colleague\nTo: you", "- ", "Available tools:", None),
        held_out=_mail("---- e-mail ----", "* ", "---- tools ----", 1),
        name="mail",
    )
    task = Phrase(
        "Today is {today}. Write the tool calls that serve the requests of this e-mail.",
        "An e-mail asks for several things. Serve its requests with tool calls. Today is {today}.",
        "Turn each request of the e-mail into a tool call. Today is {today}.",
        held_out="Derive the tool calls for the requests in the e-mail. Current date: {today}.",
    )
    rules = (CALLS, EXACT, NONE)

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Requests, then words and tools for them; the key is the calls."""
        requests = draw_requests(rng, p.requests)
        yield requests
        impossible = min(p.impossible, p.requests - 1)
        dressed = dress(rng, requests, Style(p.tools, p.turned, nested=p.nested, impossible=impossible))
        problem = {"sentences": dressed.sentences, "tools": dressed.tools[:-1], "content": requests}
        return Instance(problem, key=[call for call in dressed.calls if call is not None])

    def canonical(self, content: JSON) -> JSON:
        """The requests, in canonical order."""
        return sorted(content["content"] if isinstance(content, dict) else content)

    def values(self, problem: JSON) -> Mapping[str, Any]:
        """The date of today."""
        return {"today": TODAY_SPELT}

    def grade(self, inst: Instance, value: JSON) -> Verdict:
        """Compare the calls as their schemas require, in any order."""
        try:
            made = sorted(_fitted(inst.problem["tools"], call) for call in _calls(value))
        except Misfit as error:
            return Verdict.exact(False, f"A call does not fit: {error}.")
        wanted = sorted(_fitted(inst.problem["tools"], call) for call in _calls(read_json(self.solve(inst))))
        return Verdict.exact(
            made == wanted, "" if made == wanted else "These are not the calls that the e-mail asks for."
        )

    def solve(self, inst: Instance) -> str:
        """The calls in the order of the requests."""
        return json.dumps([{"name": name, "arguments": arguments} for name, arguments in inst.key], ensure_ascii=False)

    def alternatives(self, inst: Instance) -> Iterator[str]:
        """The calls in the opposite order."""
        yield json.dumps([{"arguments": arguments, "name": name} for name, arguments in reversed(inst.key)])

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """Calls left out, repeated, or of another tool."""
        calls = [{"name": name, "arguments": arguments} for name, arguments in inst.key]
        yield from ("[]", json.dumps([*calls, calls[0]]), json.dumps(calls[1:]), json.dumps(calls[0]))
        for tool in inst.problem["tools"]:
            if tool["name"] != calls[0]["name"]:
                yield json.dumps([{**calls[0], "name": tool["name"]}, *calls[1:]])

    def effort(self, inst: Instance) -> float:
        """Arguments to fill and tools to read."""
        values = sum(len(slots) for _, slots, _ in inst.problem["content"])
        return float(values + len(inst.problem["tools"]))


def _calls(value: JSON) -> list[tuple[str, JSON]]:
    """The name and the arguments of each call.

    Raises:
        Misfit: The value is not a list of calls.
    """
    if not isinstance(value, list):
        raise Misfit("a list of calls is required")
    found: list[tuple[str, JSON]] = []
    for call in value:
        if not isinstance(call, dict) or call.keys() != {"name", "arguments"} or not isinstance(call["name"], str):
            raise Misfit("each call must have a name and arguments, and nothing else")
        found.append((call["name"], with_integers(call["arguments"])))
    return found


def _fitted(tools: list[JSON], call: Any) -> str:
    """The canonical form of a call; 3.05 is the text ``61/20``.

    Raises:
        Misfit: There is no such tool, or the arguments do not fit.
    """
    name, arguments = call
    schema = next((tool["parameters"] for tool in tools if tool["name"] == name), None)
    if schema is None:
        raise Misfit(f"there is no tool {name[:60]!r}")
    return json.dumps([name, fit(schema, arguments)], sort_keys=True, default=lambda number: str(Fraction(number)))
