"""Readers of all formats, one per marker.

A reader takes the text and the position after its marker and returns a :class:`Found`: the calls or an error, and where
the rest of the message begins. Formats without types return arguments as text, which the schema then converts.
"""

from __future__ import annotations

import re
from typing import Any, Final

from envhub.core.strict_json import RepeatedKey
from envhub.core.tools.json_calls import (
    BETWEEN,
    NAME,
    NOT_A_CALL,
    SPACE,
    Found,
    Item,
    Raw,
    after,
    only_value,
    skip,
    value_at,
    values,
)
from envhub.core.tools.literals import arguments_at

_ENDS: Final = re.compile(r"(?:\s|<\|eom_id\|>|<\|eot_id\|>|</s>)*")
_ODD: Final = "a block of %s may hold only parameters"
_GLM_NAME: Final = re.compile(rf"\s*({NAME})\s*(?=<arg_key>|</tool_call>|\Z)")
_GLM_PAIR: Final = re.compile(r"\s*<arg_key>([^<]{1,64})</arg_key>\s*<arg_value>")
_CLOSE: Final = "</tool_call>"
_TAG: Final = re.compile(r"</?tool_call>")
_FENCE: Final = re.compile(r"```\w{0,12}\s*")
_PARAMETER: Final = re.compile(r"\s*<parameter=([^<>\n]{1,64})>")
_CLOSED: Final = re.compile(r"\s*</function>")
_INVOKED: Final = re.compile(
    r"""\s*<(?:[a-z]{1,16}:|\uff5cDSML\uff5c)?parameter name="([^"<>\n]{1,64})"(?: string="(true|false)")?>"""
)
_INVOKE_END: Final = re.compile(r"\s*</(?:[a-z]{1,16}:|\uff5cDSML\uff5c)?invoke>")
_PARAMETER_END: Final = re.compile(r"</(?:[a-z]{1,16}:|\uff5cDSML\uff5c)?parameter>")
_MISTRAL_NAME: Final = re.compile(rf"\s*({NAME})(?:\[CALL_ID\]\w{{0,40}})?(?:\[ARGS\])?\s*(?=\{{)")
_DEEPSEEK: Final = re.compile(
    rf"\s*(?:function<\uff5ctool\u2581sep\uff5c>\s*({NAME})\s*```(?:json)?|({NAME})\s*<\uff5ctool\u2581sep\uff5c>)\s*(?=\{{)"
)
_KIMI: Final = re.compile(rf"\s*(?:functions\.)?({NAME}?)(?::\d{{1,6}})?\s*<\|tool_call_argument_begin\|>\s*(?=\{{)")
_TO: Final = re.compile(r"\bto=([\w.-]{1,80})")
_ROLE: Final = re.compile(r"<\|start\|>\s*([\w.-]*)")
_THOUGHT_END: Final = re.compile(r"<\|end\|>|(?=<\|(?:start|channel)\|>)")
_HARMONY_END: Final = re.compile(r"\s*(?:<\|(?:call|end|return)\|>|(?=<\|(?:start|channel)\|>)|\Z)")
_REACT: Final = re.compile(rf"[ \t]*({NAME})[ \t]*\n\s{{0,8}}Action Input:[ \t]*")
_REACT_SHORT: Final = re.compile(rf"[ \t]*({NAME})\[(.*)\][ \t]*(?=\n|\Z)")
_REACT_END: Final = re.compile(r"^(?:Observation|Thought|Action):", re.MULTILINE)
_CALL: Final = re.compile(rf"\s*({NAME}?)(?:\.call)?\s*\(")
DEEPSEEK_END: Final = "<\uff5ctool\u2581call\u2581end\uff5c>"
KIMI_END: Final = "<|tool_call_end|>"


def tool_call(text: str, at: int, marker: re.Match[str]) -> Found | None:
    """After ``<tool_call>``: Hermes' JSON, Qwen3-Coder's tags, or GLM's; None if only mentioned."""
    here = skip(SPACE, text, at)
    if fence := _FENCE.match(text, here):
        here = fence.end()
    if text.startswith(("{", "["), here):
        items, end = values(text, here, _CLOSE)
        if text.startswith(_CLOSE, end - len(_CLOSE)):
            return Found("hermes", items, end)
        closing = _TAG.search(text, end)
        stop = closing.start() if closing else len(text)
        if text[end:stop].strip().strip("`").strip():
            items = [NOT_A_CALL]
        return Found("hermes", items, closing.end() if closing and closing.group() == _CLOSE else stop)
    if text.startswith("<function=", here):
        items, end = [], here
        while head := _FUNCTION.match(text, end):
            found = function(text, head.end(), head)
            items, end = items + found.items, skip(SPACE, text, found.end)
        return Found("qwen3-coder", items or ["a <function=...> tag has no name"], skip(_CLOSING_TAG, text, end))
    if name := _GLM_NAME.match(text, at):
        return _glm(text, name)
    closing = _TAG.search(text, at)
    if closing is not None and closing.group() == "<tool_call>":
        return None
    return Found("hermes", [NOT_A_CALL], closing.end() if closing else len(text))


_FUNCTION: Final = re.compile(r"<function=([^<>\n]{1,64})>")
_CLOSING_TAG: Final = re.compile(r"\s*</tool_call>")


def _glm(text: str, name: re.Match[str]) -> Found:
    given: dict[str, str] = {}
    at = name.end()
    while pair := _GLM_PAIR.match(text, at):
        end = text.find("</arg_value>", pair.end())
        if end < 0:
            return Found("glm", ["an <arg_value> is not closed"], len(text))
        if pair[1].strip() in given:
            return Found("glm", [f"the argument {pair[1].strip()!r} occurs more than once"], after(text, _CLOSE, end))
        given[pair[1].strip()] = _trimmed(text[pair.end() : end])
        at = end + len("</arg_value>")
    return Found("glm", [Raw(name[1], given, typed=False)], skip(_CLOSING_TAG, text, at))


def function(text: str, at: int, marker: re.Match[str]) -> Found:
    """After ``<function=NAME>``: JSON (Llama) or ``<parameter=...>`` tags (Qwen3-Coder)."""
    name = marker.group()[len("<function=") : -1].strip()
    here = skip(SPACE, text, at)
    if text.startswith("{", here):
        try:
            value, end = value_at(text, here)
            return Found("llama", [Raw(name, value)], _ending(text, end, "<function=", "</function>"))
        except RepeatedKey as error:
            return Found("llama", [str(error)], after(text, "</function>", here))
        except (ValueError, RecursionError):
            return Found("llama", [f"the arguments of {name} must be a JSON object"], after(text, "</function>", here))
    given: dict[str, str] = {}
    while head := _PARAMETER.match(text, at):
        key, end = head[1].strip(), text.find("</parameter>", head.end())
        if end < 0:
            return Found("qwen3-coder", [f"<parameter={key}> is not closed"], len(text))
        if key in given:
            return Found(
                "qwen3-coder", [f"the argument {key!r} occurs more than once"], after(text, "</function>", end)
            )
        given[key] = _trimmed(text[head.end() : end])
        at = end + len("</parameter>")
    closed = _CLOSED.match(text, at)
    if not closed and text[at:].strip():
        return Found(
            "qwen3-coder",
            [_ODD % "<function=...>"],
            after(text, "</function>", at),
        )
    return Found("qwen3-coder", [Raw(name, given, typed=False)], closed.end() if closed else len(text))


def invoke(text: str, at: int, marker: re.Match[str]) -> Found:
    """After ``<invoke name="NAME">``.

    DeepSeek-V3.2 writes the same with a prefix, and marks which values are JSON.
    """
    format = "deepseek" if "DSML" in marker.group() else "invoke"
    given: dict[str, Any] = {}
    typed = False
    while head := _INVOKED.match(text, at):
        closing = _PARAMETER_END.search(text, head.end())
        if closing is None:
            return Found(format, [f"the parameter {head[1]!r} is not closed"], len(text))
        if head[1] in given:
            return Found(format, [f"the argument {head[1]!r} occurs more than once"], closing.end())
        body, typed = text[head.end() : closing.start()], typed or head[2] is not None
        if head[2] == "false":
            try:
                given[head[1]] = only_value(body)
            except (ValueError, RecursionError) as error:
                why = error if isinstance(error, RepeatedKey) else f"the argument {head[1]!r} must be JSON"
                return Found(format, [str(why)], closing.end())
        else:
            given[head[1]] = body if head[2] else _trimmed(body)
        at = closing.end()
    closed = _INVOKE_END.match(text, at)
    if not closed and text[at:].strip():
        return Found(format, [_ODD % "<invoke>"], at)
    return Found(format, [Raw(marker.group().split('"')[1], given, typed=typed)], closed.end() if closed else len(text))


def mistral(text: str, at: int, marker: re.Match[str]) -> Found:
    """After ``[TOOL_CALLS]``: a JSON list, or a name with its arguments."""
    here = skip(SPACE, text, at)
    if text.startswith(("[", "{"), here):
        return Found("mistral", *values(text, here, None))
    return _named("mistral", _MISTRAL_NAME.match(text, at), text, at)


def llama(text: str, at: int, marker: re.Match[str]) -> Found:
    """After ``<|python_tag|>`` or ``<|python_start|>``: JSON, or calls as in Python."""
    here = skip(SPACE, text, at)
    if text.startswith("{", here):
        items, end = values(text, here, None)
        return Found("llama", items, skip(_ENDS, text, end))
    items, end = pythonic(text, here)
    format = "pythonic" if marker.group() == "<|python_start|>" else "llama"
    return Found(format, items or ["no call follows the tag"], skip(_ENDS, text, end) if items else len(text))


def pythonic(text: str, at: int) -> tuple[list[Item], int]:
    """Python-style calls, ``[f(a=1), g()]`` or one without brackets, with named literals."""
    items: list[Item] = []
    listed = text.startswith("[", at)
    at += listed
    while head := _CALL.match(text, at):
        try:
            given, at = arguments_at(text, head.end())
        except ValueError as error:
            return [*items, f"the arguments of {head[1]} cannot be read: {error}"], len(text)
        items.append(Raw(head[1], given))
        at = skip(BETWEEN if listed else SPACE, text, at)
    return items, at + (listed and text.startswith("]", at))


def deepseek(text: str, at: int, marker: re.Match[str]) -> Found:
    """After DeepSeek's opening marker: a name and JSON."""
    return _named("deepseek", _DEEPSEEK.match(text, at), text, at, marker.group(), DEEPSEEK_END)


def kimi(text: str, at: int, marker: re.Match[str]) -> Found:
    """After ``<|tool_call_begin|>``: ``functions.NAME:0`` and JSON."""
    return _named("kimi", _KIMI.match(text, at), text, at, marker.group(), KIMI_END)


def harmony(text: str, at: int, marker: re.Match[str]) -> Found | None:
    """After a message header: a call; None if addressed to the user.

    A thought is skipped.

    Text after a message of another role is invented by the model and ignored.
    """
    head = marker.group()
    role, recipients = _ROLE.search(head), list(dict.fromkeys(_TO.findall(head)))
    if (role is not None and role[1] != "assistant") or "assistant" in recipients:
        return Found("", [], len(text))
    if not recipients:
        if "<|channel|>analysis" not in head:
            return None
        closing = _THOUGHT_END.search(text, at)
        return Found("", [], closing.end() if closing else len(text))
    if len(recipients) > 1:
        return Found("harmony", ["a call names one recipient, to=functions.NAME"], after(text, "<|call|>", at))
    name = recipients[0].removeprefix("functions.")
    try:
        value, end = value_at(text, skip(SPACE, text, at))
    except RepeatedKey as error:
        return Found("harmony", [str(error)], after(text, "<|call|>", at))
    except (ValueError, RecursionError):
        value, end = None, at
    closing = _HARMONY_END.match(text, end)
    if not isinstance(value, dict) or closing is None:
        return Found("harmony", [f"the arguments of {name} must be one JSON object"], after(text, "<|call|>", end))
    return Found("harmony", [Raw(name, value)], closing.end())


def _named(
    format: str, head: re.Match[str] | None, text: str, at: int, opening: str = "", closing: str | None = None
) -> Found:
    """A name, then its arguments as JSON."""
    if head is None:
        return Found(format, ["no name with a JSON object of arguments follows the marker"], after(text, closing, at))
    name = next(group for group in head.groups() if group)
    try:
        value, end = value_at(text, head.end())
        return Found(format, [Raw(name, value)], end if closing is None else _ending(text, end, opening, closing))
    except RepeatedKey as error:
        return Found(format, [str(error)], after(text, closing, head.end()))
    except (ValueError, RecursionError):
        return Found(format, [f"the arguments of {name} must be a JSON object"], after(text, closing, head.end()))


def _ending(text: str, at: int, opening: str, closing: str) -> int:
    """Position after a call's closing marker; unchanged without one.

    Raises:
        ValueError: Text stands between the arguments and the closing marker.
    """
    end = text.find(closing, at)
    if end < 0 or text.find(opening, at, end) >= 0:
        return at
    if text[at:end].strip().strip("`").strip():  # some wrap the arguments in a code fence
        raise ValueError("text follows the arguments")
    return end + len(closing)


def react(text: str, at: int, marker: re.Match[str]) -> Found | None:
    """After ``Action:``: a name and ``Action Input:``, or ``name[input]``; None for prose."""
    if short := _REACT_SHORT.match(text, at):
        return Found("react", [Raw(short[1], short[2], typed=False)], _react_end(text, short.end()))
    head = _REACT.match(text, at)
    if head is None:
        return None
    if text.startswith("{", head.end()):
        try:
            value, end = value_at(text, head.end())
            return Found("react", [Raw(head[1], value)], _react_end(text, end))
        except RepeatedKey as error:
            return Found("react", [str(error)], len(text))
        except (ValueError, RecursionError):
            return Found("react", [f"the input of {head[1]} must be a JSON object or plain text"], len(text))
    closing = _REACT_END.search(text, head.end())
    body = text[head.end() : closing.start() if closing else len(text)].strip()
    given: Any = body if body not in ("", "None") else {}
    return Found(
        "react", [Raw(head[1], given, typed=not body or given == {})], _react_end(text, head.end() + len(body))
    )


def _react_end(text: str, at: int) -> int:
    """Ignores what a model writes after an observation it invented."""
    made_up = re.compile(r"^Observation:", re.MULTILINE).search(text, at)
    return len(text) if made_up else at


def _trimmed(text: str) -> str:
    """A value without the line breaks next to its tags."""
    return text.removeprefix("\n").removesuffix("\n")
