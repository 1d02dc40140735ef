"""Tool schemas: created from methods, shown to policies, used for validation."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from envhub.core.errors import nearest
from envhub.core.strict_json import unrepeated
from envhub.core.types import JSON

F = TypeVar("F", bound=Callable[..., Any])

_TOOL_ATTRIBUTE: Final = "__envhub_tool__"
_OWN_ARGUMENTS: Final = 3  # self, inst, state
_ARGUMENT: Final = re.compile(r"^\s*(\w+)(?:\s*\([^)]*\))?:\s*(.+)$")
_SHOWN: Final = 60
_MOST_PROBLEMS: Final = 5
_WORDS: Final = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "true or false",
    "null": "null",
}


def tool(method: F) -> F:
    """Mark ``method(self, inst, state, **arguments)`` as a tool that the policy may call."""
    setattr(method, _TOOL_ATTRIBUTE, True)
    return method


@dataclass(frozen=True)
class Tool:
    """One callable tool: its name, schema, and argument-validating model.

    Attributes:
        name: Its name.
        description: What it does.
        arguments: The model that validates its arguments.
        given: The JSON schema of its arguments, where an environment validates them itself.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    given: JSON | None = None

    @cached_property
    def parameters(self) -> JSON:
        """JSON schema of the arguments."""
        if self.given is not None:
            return self.given
        made = self.arguments.model_json_schema()
        made.pop("title", None)
        for argument in made.get("properties", {}).values():
            argument.pop("title", None)
        return made

    def schema(self) -> JSON:
        """The OpenAI function schema."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}


@dataclass(frozen=True, slots=True)
class Call:
    """A parsed call: the tool exists and its arguments are valid."""

    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Malformed:
    """The response to an invalid call: the error, and what to write.

    Attributes:
        feedback: The response.
        absent: Whether the message contains nothing that resembles a call.
    """

    feedback: str
    absent: bool = False


def tools_of(cls: type) -> dict[str, Tool]:
    """Every tool of a class by name.

    In order of definition, base classes first.
    """
    found: dict[str, Tool] = {}
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            if getattr(member, _TOOL_ATTRIBUTE, False):
                found[name] = _described(name, member)
    return found


def _described(name: str, method: Callable[..., Any]) -> Tool:
    text = inspect.getdoc(method) or ""
    head, _, tail = text.partition("Args:")
    about = {m[1]: m[2] for m in map(_ARGUMENT.match, tail.splitlines()) if m}
    hints = get_type_hints(method, include_extras=True)  # limits are in Annotated
    fields: dict[str, Any] = {}
    for parameter in list(inspect.signature(method).parameters.values())[_OWN_ARGUMENTS:]:
        default = ... if parameter.default is parameter.empty else parameter.default
        description = about.get(parameter.name)
        fields[parameter.name] = (hints.get(parameter.name, str), Field(default, description=description))
    model = create_model(name, __config__=ConfigDict(extra="forbid", allow_inf_nan=False), **fields)
    return Tool(name, " ".join(head.split()), model)


# -- prompts -------------------------------------------------------------------------------------------------------------


def usage(tool: Tool) -> str:
    """A tool with its arguments, for a prompt.

    Each argument with its type, limits and default.
    """
    lines = [f"- {tool.name}({', '.join(tool.parameters['properties'])}): {tool.description}"]
    for name, about in tool.parameters["properties"].items():
        lines.append(f"    {name} ({_kind_of(tool, name)}): {about.get('description', 'no description')}")
    return "\n".join(lines)


def expected(tool: Tool) -> str:
    """The arguments of a tool on one line, for an error."""
    listed = [f"{name} ({_kind_of(tool, name)})" for name in tool.parameters["properties"]]
    return ", ".join(listed) or "no arguments"


def _kind_of(tool: Tool, name: str) -> str:
    about = tool.parameters["properties"][name]
    kind = _kind(about, tool.parameters)
    if name in tool.parameters.get("required", ()):
        return kind
    default = about.get("default")
    return f"{kind}, optional" + (f", default {_short(default)}" if default not in (None, "", [], {}) else "")


def _kind(about: JSON, whole: JSON) -> str:
    """A JSON schema in words."""
    if "$ref" in about:
        about = whole.get("$defs", {}).get(about["$ref"].rpartition("/")[2], {})
    if "anyOf" in about:
        return " or ".join(_kind(option, whole) for option in about["anyOf"] if option.get("type") != "null")
    if "enum" in about:
        return "one of " + ", ".join(_short(value) for value in about["enum"])
    if "const" in about:
        return f"always {_short(about['const'])}"
    kind = about.get("type")
    if kind == "array":
        inner = about.get("items", {})
        return (
            "list"
            + (f" of {_plural(_kind(inner, whole))}" if inner else "")
            + _bounds(about, "minItems", "maxItems", " items")
        )
    if kind == "object":
        inner = about.get("additionalProperties")
        return f"object with {_kind(inner, whole)} values" if isinstance(inner, dict) and inner else "object"
    words = _WORDS.get(str(kind), "any value")
    if kind == "string":
        return words + _bounds(about, "minLength", "maxLength", " characters")
    return words + _bounds(about, "minimum", "maximum", "")


def _plural(kind: str) -> str:
    return {"string": "strings", "integer": "integers", "number": "numbers"}.get(kind, kind)


def _bounds(about: JSON, low: str, high: str, unit: str) -> str:
    least, most = about.get(low), about.get(high)
    if least is None and most is None:
        return ""
    if most is None:
        return f", at least {least}{unit}"
    return f", at most {most}{unit}" if least is None else f" from {least} to {most}{unit}"


def _short(value: Any) -> str:
    """A value as JSON, truncated."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):  # a number with thousands of digits
        return "a value too large to show"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


# -- calls ---------------------------------------------------------------------------------------------------------------


def check(tool: Tool, arguments: dict[str, Any]) -> Call | Malformed:
    """Validate a call's arguments; returns the call or its errors.

    Validation is strict: neither ``"5"`` nor ``true`` is an integer.
    """
    try:
        # via JSON, where strict validation accepts a list for a tuple, but neither true for 1 nor "1"
        checked = tool.arguments.model_validate_json(json.dumps(arguments), strict=True)
    except ValidationError as error:
        said = "; ".join(dict.fromkeys(_problem(tool, arguments, each) for each in error.errors()[:_MOST_PROBLEMS]))
        return invalid(tool, said)
    except (ValueError, RecursionError):
        return invalid(tool, "its arguments are nested too deeply or too long")
    return Call(tool.name, {field: getattr(checked, field) for field in tool.arguments.model_fields})


def invalid(tool: Tool, said: str) -> Malformed:
    """The response to a call that does not match the schema."""
    return Malformed(f"Invalid call to {tool.name}: {said}. Expected: {expected(tool)}.")


def _problem(tool: Tool, arguments: dict[str, Any], error: Any) -> str:
    """One validation error in our own words."""
    path, kind = error["loc"], error["type"]
    where = str(path[0])[:_SHOWN] if path else ""
    properties = tool.parameters.get("properties", {})
    if kind == "missing" and len(path) == 1:
        return f"missing argument `{where}`"
    if kind == "extra_forbidden" and len(path) == 1:
        near = nearest(where, properties).strip()
        return f"unknown argument `{where}`" + (f" ({near[0].lower()}{near[1:]})" if near else "")
    if where not in properties:
        return "its arguments cannot be read"
    wanted = _with_article(_kind(properties[where], tool.parameters))
    return f"argument `{where}` must be {wanted}, got {_short(arguments.get(where))}"


def _with_article(kind: str) -> str:
    if kind.startswith(("one of", "always", "true", "any")):
        return kind
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def coerced(tool: Tool, given: Mapping[str, str]) -> dict[str, Any]:
    """Convert text arguments to the schema's types; unconvertible text fails validation."""
    properties = tool.parameters.get("properties", {})
    return {
        name: _typed(text, properties[name], tool.parameters) if name in properties else text
        for name, text in given.items()
    }


def only_argument(tool: Tool) -> str | None:
    """Name of the argument that a bare text stands for.

    None if ambiguous. It is the only required argument, or the only one.
    """
    required = tool.parameters.get("required", [])
    names = required or list(tool.parameters.get("properties", {}))
    return str(names[0]) if len(names) == 1 else None


def _typed(text: str, about: JSON, whole: JSON) -> Any:
    kinds = _kinds(about, whole)
    if "string" in kinds:
        return text
    plain = text.strip()
    if "boolean" in kinds and plain.lower() in ("true", "false"):
        return plain.lower() == "true"
    try:
        return json.loads(plain, strict=False, object_pairs_hook=unrepeated)
    except (ValueError, RecursionError):
        return text


def _kinds(about: JSON, whole: JSON) -> set[str]:
    if "$ref" in about:
        about = whole.get("$defs", {}).get(about["$ref"].rpartition("/")[2], {})
    if "anyOf" in about:
        return {kind for option in about["anyOf"] for kind in _kinds(option, whole)}
    values = about.get("enum", [about["const"]] if "const" in about else [])
    return {"string"} if values and all(isinstance(value, str) for value in values) else {str(about.get("type"))}
