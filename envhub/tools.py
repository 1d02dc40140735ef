"""Tools: methods that a policy may call, their schemas, and how a call is read from text.

A method marked with :func:`tool` becomes an OpenAI function schema, made from its type hints and its docstring. A policy
may write a call as

* JSON: ``{"tool_calls": [{"function": {"name": "run", "arguments": {...}}}]}``, or the bare list, or one bare call;
* ``<tool_call>{"name": "run", "arguments": {...}}</tool_call>``, once or several times;
* plain text, where the environment has exactly one tool and that tool takes exactly one text argument.

What cannot be read becomes a :class:`Malformed` with words the policy can act on; nothing here raises on any text.
"""

from __future__ import annotations

import inspect
import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from envhub.difficulty import plain_error
from envhub.errors import nearest
from envhub.types import JSON, encodable

F = TypeVar("F", bound=Callable[..., Any])

MAX_CALLS: Final = 8
_MARK: Final = "__envhub_tool__"
_OWN_ARGUMENTS: Final = 3  # self, inst, state
_CALL = re.compile(r"</?tool_call>")
_FENCED = re.compile(r"```[a-zA-Z]{0,12}\s([^`]*)```")
_ARGUMENT = re.compile(r"^\s*(\w+)(?:\s*\([^)]*\))?:\s*(.+)$")


def tool(method: F) -> F:
    """Mark ``method(self, inst, state, **arguments)`` as a tool that the policy may call."""
    setattr(method, _MARK, True)
    return method


@dataclass(frozen=True, slots=True)
class Tool:
    """One callable tool: its name, its schema, and the model that validates its arguments."""

    name: str
    description: str
    arguments: type[BaseModel]

    def schema(self) -> JSON:
        """The OpenAI function schema."""
        parameters = self.arguments.model_json_schema()
        parameters.pop("title", None)
        for argument in parameters.get("properties", {}).values():
            argument.pop("title", None)
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was read: the tool exists and its arguments fit."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Malformed:
    """What a policy wrote instead of a call, and what it should write."""

    feedback: str


def tools_of(cls: type) -> dict[str, Tool]:
    """Every tool of a class by name, in order of definition, base classes first."""
    found: dict[str, Tool] = {}
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            if getattr(member, _MARK, False):
                found[name] = _describe(name, member)
    return found


def read_calls(text: str, tools: Mapping[str, Tool]) -> list[Call | Malformed]:
    """Every call in a text, in order; a text without any gives one :class:`Malformed`."""
    raw = _raw_calls(text, tools)
    if isinstance(raw, Malformed):
        return [raw]
    if not raw:
        return [_no_call(tools)]
    if len(raw) > MAX_CALLS:
        return [Malformed(f"At most {MAX_CALLS} calls fit in one message, got {len(raw)}.")]
    return [_checked(call, tools) for call in raw]


def write_call(name: str, /, **arguments: JSON) -> str:
    """The text of a call, in the form every policy may use."""
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


def _describe(name: str, method: Callable[..., Any]) -> Tool:
    text = inspect.getdoc(method) or ""
    head, _, tail = text.partition("Args:")
    about = {m[1]: m[2] for m in map(_ARGUMENT.match, tail.splitlines()) if m}
    hints = get_type_hints(method)
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(method).parameters.values())[_OWN_ARGUMENTS:]:
        default = ... if parameter.default is parameter.empty else parameter.default
        description = about.get(parameter.name)
        fields[parameter.name] = (hints.get(parameter.name, str), Field(default, description=description))
    model = create_model(name, __config__=ConfigDict(extra="forbid", allow_inf_nan=False), **fields)
    return Tool(name, " ".join(head.split()), model)


def _raw_calls(text: str, tools: Mapping[str, Tool]) -> list[Any] | Malformed:
    """The calls as JSON values, unchecked."""
    tagged = _tagged(text)
    if tagged:
        return [_loads(_unfenced(body)) for body in tagged]
    stripped = _unfenced(text)
    if stripped.startswith(("{", "[")):
        data = _loads(stripped)
        if isinstance(data, dict) and isinstance(data.get("tool_calls"), list):
            return list(data["tool_calls"])
        if isinstance(data, list):
            return data
        if isinstance(data, dict) and ("name" in data or "function" in data):
            return [data]
    only = next(iter(tools.values())) if len(tools) == 1 else None
    if only is not None and stripped:
        arguments = list(only.arguments.model_fields.items())
        if len(arguments) == 1 and arguments[0][1].annotation is str:
            return [{"name": only.name, "arguments": {arguments[0][0]: text}}]
    return _no_call(tools)


def _unfenced(text: str) -> str:
    """The text without a code fence around it."""
    fenced = _FENCED.fullmatch(text.strip())
    return fenced[1].strip() if fenced else text.strip()


def _no_call(tools: Mapping[str, Tool]) -> Malformed:
    example = '<tool_call>{"name": "NAME", "arguments": {...}}</tool_call>'
    return Malformed(f"No tool call was found. Write {example} with one of: {', '.join(tools)}.")


def _tagged(text: str) -> list[str]:
    bodies: list[str] = []
    opened: int | None = None
    for tag in _CALL.finditer(text):
        if tag.group() == "<tool_call>":
            opened = tag.end()
        elif opened is not None:
            bodies.append(text[opened : tag.start()])
            opened = None
    if opened is not None:  # samplers stop at the closing tag and cut it off
        bodies.append(text[opened:])
    return bodies


def _loads(text: str) -> Any:
    """The JSON value of a text; None if it has none, or holds text that cannot be encoded."""
    try:
        # what models write: strings that run over lines; never an infinity, by whatever name
        value = json.loads(text, strict=False, parse_constant=lambda name: None, parse_float=_finite)
        return json.loads(encodable(json.dumps(value, ensure_ascii=False))) if "\\u" in text else value
    except (ValueError, RecursionError):
        return None


def _finite(text: str) -> float | None:
    value = float(text)
    return value if math.isfinite(value) else None


def _checked(raw: Any, tools: Mapping[str, Tool]) -> Call | Malformed:
    call = raw.get("function", raw) if isinstance(raw, dict) else None
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        return Malformed('A call is a JSON object {"name": ..., "arguments": {...}}.')
    name, arguments = call["name"], call.get("arguments", {})
    if isinstance(arguments, str):
        arguments = _loads(arguments)
    known = tools.get(name)
    if known is None:
        return Malformed(f"There is no tool {name[:60]!r}; there are: {', '.join(tools)}.{nearest(name[:60], tools)}")
    if not isinstance(arguments, dict):
        return Malformed(f"The arguments of {name} are a JSON object.")
    try:
        # through JSON, where strict validation still takes a list for a tuple, but neither true for 1 nor "1"
        checked = known.arguments.model_validate_json(json.dumps(arguments), strict=True)
    except (ValidationError, RecursionError) as error:
        why = plain_error(error) if isinstance(error, ValidationError) else "nested too deeply."
        return Malformed(f"The call of {name} does not fit: {why}")
    return Call(name, {field: getattr(checked, field) for field in known.arguments.model_fields})
