"""Rejects JSON objects with duplicate keys: parsers disagree on which value counts.

Pass :func:`unrepeated` to the standard library's reader::

    json.loads(text, object_pairs_hook=unrepeated)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_SHOWN = 60


class RepeatedKey(ValueError):
    """An object contains a key more than once.

    ``key`` is the first one, shortened.
    """

    def __init__(self, key: str) -> None:
        self.key = key if len(key) <= _SHOWN else f"{key[:_SHOWN]}..."
        super().__init__(f"the key {self.key!r} occurs more than once in one object")


def unrepeated(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs.

    Raises:
        RepeatedKey: A key occurs twice.
    """
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        raise RepeatedKey(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return made
