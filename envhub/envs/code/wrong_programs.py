"""Wrong programs made from a right one, for the audit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_CHANGED: Final = (
    "return [_right(*given)]",  # another type
    "_seen.append(_right(*given)); raise ValueError",
    "_seen.append(0); return _right(*given) if len(_seen) == 1 else None",  # right for the first call only
)


def wrong_programs(source: str, function: str) -> Iterator[str]:
    """Programs that contain a right one and change its results."""
    for body in _CHANGED:
        yield f"{source}\n\n_right = {function}\n_seen = []\n\ndef {function}(*given):\n    {body}\n"
