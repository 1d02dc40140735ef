"""Programs that are wrong in what they give or when: made of a right one, for the audit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_CHANGED: Final = (
    "return [_right(*given)]",  # another type
    "_seen.append(_right(*given)); raise ValueError",
    "_seen.append(0); return _right(*given) if len(_seen) == 1 else None",  # right for the first call alone
)


def wrong_programs(source: str, function: str) -> Iterator[str]:
    """Programs with a right one in them: each changes what its function returns."""
    for body in _CHANGED:
        yield f"{source}\n\n_right = {function}\n_seen = []\n\ndef {function}(*given):\n    {body}\n"
