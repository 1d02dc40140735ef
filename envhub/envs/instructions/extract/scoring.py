"""Compares two documents leaf by leaf; lists have no order.

A leaf is a value with its path. In a list of objects, the path has the identity of the item instead of its position::

    leaves({"labs": [{"test": "sodium", "value": 140}]})   # ('labs', 'sodium', 'test') and ('labs', 'sodium', 'value')
    f1(leaves(one), leaves(other))                         # 1.0 if all are the same
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from envhub.core.types import JSON
from envhub.envs.instructions.extract.facts import number_text
from envhub.envs.instructions.extract.schema import IDENTITY

Leaf = tuple[str, ...]


def leaves(document: JSON) -> Counter[Leaf]:
    """The leaves of a document that conforms to a schema, counted."""
    return Counter(_walk(document, ()))


def _walk(value: Any, path: Leaf) -> Iterator[Leaf]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _walk(inner, (*path, key))
    elif isinstance(value, list):
        if not value:
            yield (*path, "[]")
        for item in value:
            identity = item.get(IDENTITY[path[0]]) if isinstance(item, dict) else item
            yield from _walk(item, (*path, str(identity)))
    else:
        yield (*path, _shown(value))


def _shown(value: JSON) -> str:
    """A scalar as text.

    Equal numbers have equal texts. Values of two types never do.
    """
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return f"number {number_text(value)}"
    return f"{type(value).__name__} {value}"


def f1(one: Counter[Leaf], other: Counter[Leaf]) -> float:
    """Harmonic mean of precision and recall of leaves."""
    common = (one & other).total()
    return 2 * common / (one.total() + other.total())
