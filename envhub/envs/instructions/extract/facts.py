"""Answers that are JSON documents whose lists have no order.

::

    Facts().same({"a": [1, 2]}, {"a": [2, 1.0]})      # True
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar, Final

from envhub.core.types import JSON
from envhub.verifiers.answers.documents import JsonDocument

_WRITTEN_OUT: Final = 400
"""Largest exponent of a number that is written with all its digits."""


@dataclass(frozen=True)
class Facts(JsonDocument):
    """One JSON document; lists are compared as collections."""

    detail: str = (
        "No key may occur twice in one object. The order of keys and of list items does not matter, and neither does white "
        "space between tokens."
    )
    alike: ClassVar[Sequence[Sequence[str]]] = (
        ('{"a": 1, "b": [true, null]}', '{"b": [null, true], "a": 1.0}', '{"\\u0061": 1e0, "b": [true, null]}'),
        ('{"a": true, "b": [true, null]}',),
        ('{"a": "1", "b": [true, null]}',),
        ('[{"a": 1}, {"a": 2}]', '[{"a": 2.0}, {"a": 1}]'),
        ('[{"a": 1}, {"a": 2}, {"a": 2}]',),
        ("[1, 2]", "[20e-1, 1.0]"),
        ("-0", "0", "0.0"),
        ('""',),
        ("null",),
        ("[]",),
    )

    def same(self, one: Any, other: Any) -> bool:
        """Whether two values are equal as JSON, without the order of lists."""
        return canonical_text(one) == canonical_text(other)


def canonical_text(value: JSON) -> str:
    """The same text for equal values, another one for different values."""
    if isinstance(value, dict):
        parts = sorted(f"{json.dumps(key)}:{canonical_text(inner)}" for key, inner in value.items())
        return f"{{{','.join(parts)}}}"
    if isinstance(value, list):
        return f"[{','.join(sorted(map(canonical_text, value)))}]"
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return number_text(value)
    return json.dumps(value)


def number_text(value: int | Decimal) -> str:
    """The same text for equal finite numbers, another one for different numbers.

    No digit is lost, and a huge exponent is not written out.
    """
    sign, digits, exponent = Decimal(value).as_tuple()
    shown = "".join(map(str, digits)).rstrip("0")
    if not shown or not isinstance(exponent, int):
        return "0"
    power = exponent + len(digits) - len(shown)
    plain = abs(power) <= _WRITTEN_OUT
    return f"{Decimal((sign, tuple(map(int, shown)), power)):f}" if plain else f"{'-' * sign}{shown}e{power}"
