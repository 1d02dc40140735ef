"""Strict JSON: no duplicate keys, no NaN, no floats.

Numbers with a fraction or an exponent are decimals, never floats::

    read_json('{"a": 1.50}')                    # {"a": Decimal("1.50")}
    same_json({"a": Decimal("1.0")}, {"a": 1})  # True
    same_json(True, 1)                          # False
"""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, Final

from envhub.core.strict_json import unrepeated
from envhub.core.types import JSON

MAX_DEPTH: Final = 32
_MAX_DIGITS: Final = 60


class NotStrict(ValueError):
    """A text is not a strict document; the message says why."""


def read_json(text: str) -> JSON:
    """The value of a JSON text.

    Raises:
        NotStrict: It is not JSON, has a duplicate key, NaN, an infinity, a very long number or half of a surrogate pair,
            or is nested too deeply.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=unrepeated, parse_constant=_refuse, parse_float=_decimal, parse_int=_integer
        )
    except RecursionError:
        raise NotStrict("it is nested too deeply") from None
    except NotStrict:
        raise
    except ValueError as error:
        raise NotStrict(f"it is not JSON: {error}") from None
    require_depth(value)
    _require_text(value)
    return value


def require_depth(value: JSON) -> None:
    """Raise if a value is nested too deeply.

    Raises:
        NotStrict: It is.
    """
    layer, depth = [value], 0
    while layer:
        if depth > MAX_DEPTH:
            raise NotStrict(f"it is nested more than {MAX_DEPTH} levels deep")
        layer = [inner for outer in layer if isinstance(outer, (dict, list)) for inner in _inner(outer)]
        depth += 1


def _require_text(value: JSON) -> None:
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        raise NotStrict("it contains half of a surrogate pair") from None


def same_json(one: JSON, other: JSON) -> bool:
    """Whether two values are equal as JSON; booleans are not numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return kind_of(one) == kind_of(other) and bool(one == other)


def kind_of(value: Any) -> str:
    """The JSON type of a value, such as ``object`` or ``number``."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, Decimal)):
        return "number"
    return {dict: "object", list: "array", str: "string", type(None): "null"}[type(value)]


def _inner(value: JSON) -> list[JSON]:
    return list(value.values()) if isinstance(value, dict) else list(value)


def _refuse(name: str) -> None:
    raise NotStrict(f"{name} is not JSON")


def _decimal(digits: str) -> Decimal:
    if len(digits) > _MAX_DIGITS or abs(Decimal(digits).adjusted()) > _MAX_DIGITS:
        raise NotStrict("a number has too many digits")
    return Decimal(digits)


def _integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise NotStrict("a number has too many digits")
    return int(digits)


def with_integers(value: JSON) -> JSON:
    """A value with integers in place of whole decimals."""
    if isinstance(value, dict):
        return {key: with_integers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [with_integers(inner) for inner in value]
    return int(value) if isinstance(value, Decimal) and value == int(value) else value
