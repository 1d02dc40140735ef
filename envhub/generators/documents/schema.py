"""Validates values against a subset of JSON Schema.

Keywords: ``type``, ``enum``, ``const``, ``properties``, ``required``, ``additionalProperties``, ``items``,
``minItems``, ``maxItems``, ``uniqueItems``, ``minLength``, ``maxLength``, ``minimum``, ``maximum``,
``exclusiveMinimum``, ``exclusiveMaximum``, ``$defs``, ``$ref`` to ``#/$defs/NAME``, ``oneOf``, ``anyOf``, ``allOf``,
``not``, and ``pattern`` in schemas of ours. Notes such as ``title`` and ``description`` do not constrain. Any other
keyword is an error: it is never ignored::

    violation({"type": "integer", "minimum": 3}, 2)      # "it must be at least 3"
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from typing import Any, Final

from envhub.core.types import JSON
from envhub.generators.documents.strict import kind_of, same_json

_NOTES: Final = frozenset({"$schema", "$id", "$comment", "title", "description", "examples", "default", "$defs"})
_TYPES: Final = frozenset({"object", "array", "string", "number", "integer", "boolean", "null"})
_MAX_STEPS: Final = 5_000
Check = Callable[["_Validator", JSON, Any, JSON], Iterator[str]]


class BadSchema(ValueError):
    """A schema is not one of the subset; the message says why."""


def violation(schema: JSON, value: JSON, patterns: bool = False) -> str | None:
    """The first rule of a schema that a value breaks, or None.

    Args:
        schema: The schema.
        value: The value, as :func:`envhub.generators.documents.strict.read_json` returns it.
        patterns: Whether ``pattern`` is allowed: only in schemas that no policy wrote, as it runs a regular expression.

    Raises:
        BadSchema: The schema has an unknown keyword or a wrong value of one, or takes too many steps.
    """
    return next(_Validator(schema, patterns).errors(schema, value), None)


class _Validator:
    def __init__(self, root: JSON, patterns: bool) -> None:
        self.root = root
        self.patterns = patterns
        self.steps = 0

    def errors(self, schema: JSON, value: JSON) -> Iterator[str]:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise BadSchema("checking it takes too many steps")
        if isinstance(schema, bool):
            if not schema:
                yield "nothing is allowed here"
            return
        if not isinstance(schema, dict):
            raise BadSchema("a schema must be an object, true or false")
        for keyword, setting in schema.items():
            if keyword in _NOTES:
                continue
            check = _CHECKS.get(keyword)
            if check is None or (keyword == "pattern" and not self.patterns):
                raise BadSchema(f"the keyword {keyword[:40]!r} is not in the subset")
            yield from check(self, schema, setting, value)

    def conforms(self, schema: JSON, value: JSON) -> bool:
        return next(self.errors(schema, value), None) is None


def _is_type(name: str, value: JSON) -> bool:
    if name == "integer":
        return kind_of(value) == "number" and bool(value == int(value))
    return kind_of(value) == name


def _list_of_schemas(setting: Any) -> list[JSON]:
    if not isinstance(setting, list) or not setting:
        raise BadSchema("oneOf, anyOf and allOf need a list of schemas")
    return setting


def _count(setting: Any) -> Any:
    if kind_of(setting) != "number":
        raise BadSchema("a bound must be a number")
    return setting


def _type(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    names = setting if isinstance(setting, list) else [setting]
    if not all(isinstance(name, str) and name in _TYPES for name in names):
        raise BadSchema("an unknown type")
    if not any(_is_type(name, value) for name in names):
        yield f"it must be of the type {' or '.join(names)}"


def _enum(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    if not isinstance(setting, list):
        raise BadSchema("enum needs a list")
    if not any(same_json(option, value) for option in setting):
        yield "it is not one of the allowed values"


def _const(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    if not same_json(setting, value):
        yield "it is not the required value"


def _properties(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    if not isinstance(setting, dict):
        raise BadSchema("properties needs an object")
    if isinstance(value, dict):
        for name, inner in setting.items():
            if name in value:
                yield from (f"{name}: {error}" for error in at.errors(inner, value[name]))


def _required(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    if not isinstance(setting, list) or not all(isinstance(name, str) for name in setting):
        raise BadSchema("required needs a list of names")
    if isinstance(value, dict):
        yield from (f"{name} is missing" for name in setting if name not in value)


def _additional(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    known = schema.get("properties", {})
    if not isinstance(known, dict):
        raise BadSchema("properties needs an object")
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in known:
                yield from (f"{name[:40]}: {error}" for error in at.errors(setting, inner))


def _items(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from (f"[{number}]: {error}" for error in at.errors(setting, item))


def _unique(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    if setting is not True or not isinstance(value, list):
        return
    at.steps += len(value) ** 2
    if any(same_json(item, other) for number, item in enumerate(value) for other in value[:number]):
        yield "an item occurs twice"


def _size(kind: type, least: bool, what: str) -> Check:
    def check(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
        bound = _count(setting)
        if isinstance(value, kind) and (len(value) < bound if least else len(value) > bound):  # type: ignore[arg-type]
            yield f"it must have at {'least' if least else 'most'} {bound} {what}"

    return check


def _limit(holds: Callable[[Any, Any], bool], words: str) -> Check:
    def check(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
        bound = _count(setting)
        if isinstance(value, (int, Decimal)) and not isinstance(value, bool) and not holds(value, bound):
            yield f"it must be {words} {bound}"

    return check


def _ref(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    defined = at.root.get("$defs", {}) if isinstance(at.root, dict) else {}
    name = setting.removeprefix("#/$defs/") if isinstance(setting, str) else ""
    if not isinstance(defined, dict) or setting != f"#/$defs/{name}" or name not in defined:
        raise BadSchema("$ref must name a schema of $defs at the root")
    try:
        yield from at.errors(defined[name], value)
    except RecursionError:
        raise BadSchema("its references have no end") from None


def _one_of(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    if sum(at.conforms(inner, value) for inner in _list_of_schemas(setting)) != 1:
        yield "it must conform to exactly one of the alternatives"


def _any_of(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    if not any(at.conforms(inner, value) for inner in _list_of_schemas(setting)):
        yield "it conforms to none of the alternatives"


def _all_of(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    for inner in _list_of_schemas(setting):
        yield from at.errors(inner, value)


def _not(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    if at.conforms(setting, value):
        yield "it conforms to a schema that is excluded"


def _pattern(at: _Validator, schema: JSON, setting: Any, value: JSON) -> Iterator[str]:
    if isinstance(value, str) and not re.search(setting, value):
        yield f"it must match {setting}"


_CHECKS: Final[dict[str, Check]] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "items": _items,
    "uniqueItems": _unique,
    "minItems": _size(list, True, "items"),
    "maxItems": _size(list, False, "items"),
    "minLength": _size(str, True, "characters"),
    "maxLength": _size(str, False, "characters"),
    "minimum": _limit(lambda value, bound: bool(value >= bound), "at least"),
    "maximum": _limit(lambda value, bound: bool(value <= bound), "at most"),
    "exclusiveMinimum": _limit(lambda value, bound: bool(value > bound), "more than"),
    "exclusiveMaximum": _limit(lambda value, bound: bool(value < bound), "less than"),
    "$ref": _ref,
    "oneOf": _one_of,
    "anyOf": _any_of,
    "allOf": _all_of,
    "not": _not,
    "pattern": _pattern,
}
