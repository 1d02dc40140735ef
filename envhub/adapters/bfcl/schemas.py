"""BFCL's descriptions of functions as JSON schemas.

BFCL names types as Python, Java or JavaScript do. Arguments of Java and JavaScript are text; their description names the type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from envhub.adapters.bfcl.questions import call_name
from envhub.core.types import JSON

_TYPES: Final = {
    "dict": "object",
    "float": "number",
    "tuple": "array",
    "any": "string",
    "integer": "integer",
    "string": "string",
    "boolean": "boolean",
    "array": "array",
}
_INNER: Final = ("items", "additionalProperties")


def schema(function: JSON, language: str) -> JSON:
    """A function in the form of OpenAI's tools, without the outer object."""
    parameters = function["parameters"]
    convert = _python if language == "Python" else lambda each: _text(each, language)
    properties = {name: convert(each) for name, each in parameters["properties"].items()}
    required = [name for name in parameters.get("required", ()) if name in properties]
    return {
        "name": call_name(function["name"]),
        "description": str(function.get("description", "")),
        "parameters": {"type": "object", "properties": properties, "required": required},
    }


def _python(given: Mapping[str, Any]) -> JSON:
    """A type of Python as JSON schema."""
    found: dict[str, Any] = {**given, "type": _TYPES.get(str(given.get("type")), "string")}
    for inner in _INNER:
        if isinstance(given.get(inner), dict):
            found[inner] = _python(given[inner])
    if isinstance(given.get("properties"), dict):
        found["properties"] = {
            name: _python(each) for name, each in given["properties"].items() if isinstance(each, dict)
        }
    return found


def _text(given: Mapping[str, Any], language: str) -> JSON:
    """A type of another language as text."""
    kind, inner = given.get("type"), (given.get("items") or {}).get("type")
    named = f"{kind} of {inner}" if inner else str(kind)
    said = "an expression of any type" if kind == "any" else f"an expression of the type {named}"
    return {"type": "string", "description": f"{given.get('description', '')} ({language} source: {said}.)".strip()}
