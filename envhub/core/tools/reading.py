"""Finds the calls of a message in one pass over all markers.

* A message has calls in one format. With calls in two formats none is executed, since it is unclear which was meant.
* Calls in a code fence within prose are quotations, unless the fence is the whole message or is labelled ``tool_call``.
  Text that a reader has consumed belongs to its call, so markers within arguments are text.
* A message without any marker is read as JSON, or as a Python-style list of calls; otherwise, if the environment has
  exactly one tool with exactly one text argument, as that text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from envhub.core.errors import nearest
from envhub.core.strict_json import RepeatedKey
from envhub.core.tools import markers
from envhub.core.tools.formats import FORMATS
from envhub.core.tools.json_calls import BETWEEN, NAME, Found, Item, Raw, calls_of, skip, value_at, values
from envhub.core.tools.schema import Call, Malformed, Tool, check, coerced, invalid, only_argument

MAX_CALLS: Final = 8
_MOST_READ: Final = 100
_Reader = Callable[[str, int, "re.Match[str]"], Found | None]

_MARKERS: Final[tuple[tuple[str, str, _Reader], ...]] = (
    ("tool_call", r"<tool_call>", markers.tool_call),
    ("function", r"<function=[^<>\n]{1,64}>", markers.function),
    ("invoke", r'<(?:[a-z]{1,16}:|\uff5cDSML\uff5c)?invoke name="[^"<>\n]{1,64}">', markers.invoke),
    ("mistral", r"\[TOOL_CALLS\]", markers.mistral),
    ("llama", r"<\|python_(?:tag|start)\|>", markers.llama),
    ("deepseek", r"<\uff5ctool\u2581call\u2581begin\uff5c>", markers.deepseek),
    ("kimi", r"<\|tool_call_begin\|>", markers.kimi),
    (
        "harmony",
        r"(?:\bto=[\w.-]{1,80}[ \t]*)?<\|(?:start|channel)\|>[^<>\n]{0,120}"
        r"(?:<\|(?:channel|constrain)\|>[^<>\n]{0,120}){0,2}<\|message\|>",
        markers.harmony,
    ),
    ("react", r"^Action:", markers.react),
)
_READERS: Final = {name: reader for name, _, reader in _MARKERS}
_MARKER: Final = re.compile(
    "|".join(
        [
            *(f"(?P<{name}>{marker})" for name, marker, _ in _MARKERS),
            r"^[ \t]{0,3}(?P<fence>`{3,}|~{3,})[ \t]*(?P<label>[\w+-]{0,20})[ \t]*$",
        ]
    ),
    re.MULTILINE,
)
_CALL_LABELS: Final = frozenset({"tool_call", "tool_calls", "tool_code", "function_call"})
_WHOLE: Final = re.compile(r"```([a-zA-Z_]{0,16})\s([^`]*)```")
_ENDS: Final = re.compile(r"(?:\s|<\|eom_id\|>|<\|eot_id\|>|<\|observation\|>|<\|user\|>)+\Z")
_LISTED: Final = re.compile(rf"\[\s*({NAME})\s*\(")
_SUSPECT: Final = re.compile(
    r"[<\uff1c\[]\|?/?[\w \u2581-]{0,24}(?:tool|func|call|invoke)[\w \u2581-]{0,24}[|\uff5c]?[>\uff1e\]]", re.IGNORECASE
)


def read_calls(text: str, tools: Mapping[str, Tool], only: str | None = None) -> list[Call | Malformed]:
    """All calls in a text, in order; one :class:`Malformed` without any.

    Args:
        text: The policy's message, without its thoughts.
        tools: The available tools.
        only: A format of :data:`envhub.core.tools.FORMATS`; calls in others are rejected.
    """
    text = _without_end(text)
    whole = _WHOLE.fullmatch(text.strip())
    if whole and whole[1].lower() in _CALL_LABELS:
        whole = None
    inside = whole[2] if whole else text
    alone, quoted = _alone(inside.strip(), tools), False
    found = [alone] if alone is not None else []
    if not found:
        found, quoted = _at_markers(inside)
    if not found and (plain := _plain(text, tools)) is not None:
        found = [plain]
    used = list(dict.fromkeys(each.format for each in found))
    if not found:
        return [_no_call(text, tools, only, quoted)]
    if len(used) > 1:
        return [
            Malformed(
                f"The message holds calls in two formats, {used[0]} and {used[1]}; none was carried out. Use one format."
            )
        ]
    if only is not None and used[0] not in (only, "text"):
        return [Malformed(f"The message holds a call in the format {used[0]}. {_how(tools, only)}")]
    items = [item for each in found for item in each.items]
    if len(items) > MAX_CALLS:
        counted = f"{_MOST_READ} or more" if len(items) > _MOST_READ else str(len(items))
        return [Malformed(f"A message may hold at most {MAX_CALLS} calls, got {counted}; none was carried out.")]
    return [_checked(item, tools, only) for item in items] or [_no_call(text, tools, only, False)]


def _without_end(text: str) -> str:
    """The text without end-of-message tokens."""
    tail = _ENDS.search(text, max(0, len(text) - 200)) if text.endswith("|>") else None
    return text[: tail.start()] if tail else text


def _at_markers(text: str) -> tuple[list[Found], bool]:
    """Results at the markers of a text.

    Also whether a fence contains ignored ones.
    """
    found: list[Found] = []
    quoted = False
    at = count = 0
    while count <= _MOST_READ and (marker := _MARKER.search(text, at)) is not None:
        name = str(marker.lastgroup if marker["fence"] is None else "fence")
        if name == "fence":
            body, at = _fenced(text, marker)
            if marker["label"].lower() in _CALL_LABELS:
                here = _in_fence(body)
                found.append(here)
                count += len(here.items)
            else:
                quoted = quoted or _holds_calls(body)
            continue
        read = _READERS[name](text, marker.end(), marker)
        at = marker.end()
        if read is not None:
            if read.format:  # otherwise a thought
                found.append(read)
            count += max(1, len(read.items))
            at = max(at, read.end)
    return found, quoted


def _holds_calls(body: str) -> bool:
    """Whether a code fence contains a call if read outside it."""
    start = body.lstrip()[:200]
    return start.startswith(("{", "[{")) or bool(_LISTED.match(start) or _MARKER.search(body))


def _fenced(text: str, marker: re.Match[str]) -> tuple[str, int]:
    """Body of a code fence and its end.

    An unclosed fence takes the rest.
    """
    closing = re.compile(rf"^[ \t]{{0,3}}{re.escape(marker['fence'])}[ \t]*$", re.MULTILINE).search(text, marker.end())
    return (text[marker.end() : closing.start()], closing.end()) if closing else (text[marker.end() :], len(text))


def _in_fence(body: str) -> Found:
    """Calls of a fence labelled ``tool_call``: JSON or Python-style."""
    at = len(body) - len(body.lstrip())
    if body.startswith("{", at) or (not _LISTED.match(body, at) and body.startswith("[", at)):
        return Found("json", values(body, at, None)[0], len(body))
    items, end = markers.pythonic(body, at)
    return Found("pythonic", items if items and not body[end:].strip() else ["the fence holds no call"], len(body))


def _alone(text: str, tools: Mapping[str, Tool]) -> Found | None:
    """Calls of a message that is only JSON or a Python-style list."""
    if (listed := _LISTED.match(text)) and listed[1] in tools:
        items, end = markers.pythonic(text, 0)
        if end == len(text):
            return Found("pythonic", items, end)
    read = _json_calls(text) if text.startswith(("{", "[")) else None
    return Found("json", read, len(text)) if read is not None else None


def _plain(text: str, tools: Mapping[str, Tool]) -> Found | None:
    """The text as the only argument of the only tool, if possible."""
    only = next(iter(tools.values())) if len(tools) == 1 else None
    if only is not None and text and not text.isspace():
        fields = list(only.arguments.model_fields.items())
        if len(fields) == 1 and fields[0][1].annotation is str:
            return Found("text", [Raw(only.name, {fields[0][0]: text})], len(text))
    return None


def _json_calls(text: str) -> list[Item] | None:
    """Calls of a text that is only JSON; None otherwise."""
    items: list[Item] = []
    at = 0
    while at < len(text):
        try:
            value, at = value_at(text, at)
        except RepeatedKey as error:
            return [str(error)]
        except (ValueError, RecursionError):
            return None
        if not isinstance(value, list) and not (
            isinstance(value, dict) and {"name", "function", "tool_calls"} & value.keys()
        ):
            return None
        if isinstance(value, dict) and "tool_calls" in value and not isinstance(value["tool_calls"], list):
            return None
        items += calls_of(value)
        at = skip(BETWEEN, text, at)
    return items


def _no_call(text: str, tools: Mapping[str, Tool], only: str | None, quoted: bool) -> Malformed:
    """The response to a message without a call.

    Names what looks like one.
    """
    if quoted:
        return Malformed(f"A call inside a code fence is a quotation and is not carried out. {_how(tools, only)}")
    if text.strip().startswith(("{", '[{"')):
        return Malformed(
            f"No tool call was found: the message starts like JSON, but is not a valid call. {_how(tools, only)}"
        )
    suspect = _SUSPECT.search(text)
    what = f": {suspect.group()!r} is not a known marker" if suspect else ""
    return Malformed(f"No tool call was found{what}. {_how(tools, only)}", absent=suspect is None)


def _how(tools: Mapping[str, Tool], only: str | None) -> str:
    return f"Write {example(only)} with one of: {', '.join(tools)}."


def example(format: str | None) -> str:
    """Syntax of a call, with placeholders."""
    if format in (None, "hermes"):
        return '<tool_call>{"name": "NAME", "arguments": {...}}</tool_call>'
    return FORMATS[format].write("NAME", {"ARGUMENT": "VALUE"}) if format is not None else ""


def _checked(item: Item, tools: Mapping[str, Tool], only: str | None) -> Call | Malformed:
    if isinstance(item, str):
        return Malformed(f"Invalid call: {item}. {_how(tools, only)}")
    known = tools.get(item.name)
    if known is None:
        name = item.name[:60]
        return Malformed(f"There is no tool {name!r}; the tools are: {', '.join(tools)}.{nearest(name, tools)}")
    arguments: Any = item.arguments
    if isinstance(arguments, str):  # a single text
        if (argument := only_argument(known)) is None:
            return invalid(known, "its input must be a JSON object") if arguments.strip() else check(known, {})
        arguments = {argument: arguments}
    if not isinstance(arguments, dict):
        return invalid(known, "its arguments must be a JSON object")
    return check(known, arguments if item.typed else coerced(known, arguments))


def rewrite(text: str, tools: Mapping[str, Tool], format: str) -> str:
    """Rewrite calls made by :func:`write_call` in another format."""
    items = [item for each in _at_markers(text)[0] for item in each.items if isinstance(item, Raw)]
    if format in ("json", "mistral"):
        calls = [{"name": item.name, "arguments": item.arguments} for item in items]
        return ("[TOOL_CALLS]" if format == "mistral" else "") + json.dumps(calls)
    written = [FORMATS[format].write(item.name, item.arguments) for item in items]
    if format == "pythonic":
        return f"[{', '.join(call[1:-1] for call in written)}]"
    return "\n".join(written)
