"""Rules of tool calls written as JSON."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

CALLS: Final = Phrase(
    "Write a JSON list with one object for each call. It has the keys name and arguments. The order of the calls "
    "does not matter.",
    "The answer is a JSON list of objects, one for each call, in any order. Each has exactly the keys name and arguments.",
    "Each call is an object with the two keys name and arguments. Put all calls in one JSON list, in any order.",
    held_out="Structure: JSON array of call objects, each with the keys name and arguments; order insignificant.",
)
EXACT: Final = Phrase(
    "Every request that a tool serves takes exactly one call. Arguments must have the form that the schema describes. "
    "Values are not rounded, and in text case and spaces count. An argument that is not required may be left out where "
    "its default is meant.",
    "Write exactly one call for each request that a tool serves, with arguments as the schema describes them. Do not "
    "round values, and copy text exactly. You may leave out an argument that is not required if its default is meant.",
    "There is exactly one call for every request that a tool serves. Its arguments follow the schema: no value is rounded, "
    "text keeps its case and spaces, and an argument that is not required may be omitted if the default is meant.",
    held_out="Exactly one call per request with a matching tool; arguments in the form of the schema, unrounded and with "
    "text verbatim; optional arguments with the default value may be omitted.",
)
NONE: Final = Phrase(
    "If no tool does what a request asks for, write no call for it.",
    "A request that no tool serves takes no call.",
    "Skip each request for which there is no right tool.",
    held_out="Requests without a matching tool: no call.",
)
