"""Tool schemas in JSON schema: validation and equality of values.

The supported subset of JSON schema: ``object`` (``properties``, ``required``, defaults), ``array`` (``uniqueItems``: a
set, whose order does not matter), ``string`` (``enum``, ``pattern``), ``integer``, ``number`` (``minimum``,
``maximum``) and ``boolean``. :func:`fit` returns the canonical form of all values that the schema makes equal, or
raises what is wrong::

    fit({"type": "object", "properties": {"n": {"type": "integer", "default": 1}}, "required": []}, {})   # {"n": 1}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final

from envhub.core.errors import nearest
from envhub.core.seeding import canonical_json
from envhub.core.types import JSON

_NAMES: Final = {
    "object": "an object",
    "array": "a list",
    "string": "text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
}
_MOST_ITEMS: Final = 64
_SHOWN: Final = 60


class Misfit(ValueError):
    """A value does not match the schema.

    The message tells the policy where and why.
    """


def function(name: str, description: str, properties: Mapping[str, JSON], optional: tuple[str, ...] = ()) -> JSON:
    """The description of a tool; arguments are required unless listed as optional."""
    required = [key for key in properties if key not in optional]
    return {
        "name": name,
        "description": description,
        "parameters": {"type": "object", "properties": dict(properties), "required": required},
    }


def fit(schema: JSON, value: Any, where: str = "") -> JSON:
    """Canonical form of a value under its schema.

    Defaults are filled in, an integer is an integer however it is written, and sets are sorted.

    Raises:
        Misfit: The value does not match the schema.
    """
    kind = schema["type"]
    if not _is(kind, value):
        raise Misfit(f"{where or 'the arguments'} must be {_NAMES[kind]}, got {_short(value)}")
    if kind == "object":
        return _fit_object(schema, value, where)
    if kind == "array":
        return _fit_array(schema, value, where)
    if kind in ("integer", "number"):
        number = int(value) if value == int(value) else value
        low, high = schema.get("minimum"), schema.get("maximum")
        if (low is not None and number < low) or (high is not None and number > high):
            raise Misfit(f"{where} must be from {low} to {high}, got {_short(value)}")
        return number
    if "enum" in schema and value not in schema["enum"]:
        raise Misfit(f"{where} must be one of {', '.join(schema['enum'])}, got {_short(value)}")
    if "pattern" in schema and not re.fullmatch(schema["pattern"].strip("^$"), value):
        raise Misfit(f"{where} must match {schema['pattern']}, got {_short(value)}")
    return value


def _is(kind: str, value: Any) -> bool:
    if kind == "integer":
        return type(value) is int or (type(value) is float and value.is_integer())
    if kind == "number":
        return type(value) in (int, float, Decimal)
    return type(value) is {"object": dict, "array": list, "string": str, "boolean": bool}[kind]


def _fit_object(schema: JSON, value: dict[str, Any], where: str) -> JSON:
    properties = schema["properties"]
    for name in value:
        if name not in properties:
            known = ", ".join(properties) or "none"
            inside = f" in {where}" if where else ""
            raise Misfit(
                f"there is no {name[:_SHOWN]!r}{inside}; there are: {known}.{nearest(name[:_SHOWN], properties)}".rstrip(
                    "."
                )
            )
    fitted = {}
    for name, inner in properties.items():
        at = f"{where}.{name}" if where else name
        if name in value:
            fitted[name] = fit(inner, value[name], at)
        elif name in schema["required"]:
            raise Misfit(f"{at} is missing")
        else:
            fitted[name] = inner["default"]
    return fitted


def _fit_array(schema: JSON, value: list[Any], where: str) -> JSON:
    if len(value) > _MOST_ITEMS:
        raise Misfit(f"{where} has more than {_MOST_ITEMS} items")
    fitted = [fit(schema["items"], item, f"{where}[{number}]") for number, item in enumerate(value)]
    if not schema.get("uniqueItems"):
        return fitted
    ordered = sorted(fitted, key=canonical_json)
    if any(a == b for a, b in pairwise(ordered)):
        raise Misfit(f"{where} holds an item twice")
    return ordered


def _short(value: Any) -> str:
    if isinstance(value, Decimal):
        return str(value)[:_SHOWN]
    text = repr(value) if not isinstance(value, int) or abs(value) < 10**18 else "a very long number"
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
