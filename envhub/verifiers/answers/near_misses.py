"""Near misses: wrong answers that look like a correct one.

The audit tests verifiers with them.
"""

from __future__ import annotations

import re
from typing import Final

from envhub.core.seeding import Stream

_TOKEN = re.compile(r"[^\W\d_]+|[0-9]+")
_PART = re.compile(r"\n|, ")
_LONG: Final = 400


def near_miss(text: str, rng: Stream) -> str:
    """Change a text in one to three places.

    Swap or repeat words or numbers, add 1 to a number, or drop a part.
    """
    for _ in range(1 + rng.below(3)):
        text = _changed(text, rng)
    return text


def _changed(text: str, rng: Stream) -> str:
    parts = _PART.split(text)
    kind = rng.below(4)
    if kind == 3 and len(parts) > 1:
        left_out = rng.below(len(parts))
        return ("\n" if "\n" in text else ", ").join(parts[:left_out] + parts[left_out + 1 :])
    tokens = [(m.start(), m.end()) for m in _TOKEN.finditer(text)]
    if not tokens:
        return text
    (a, b), (c, d) = sorted((rng.choice(tokens), rng.choice(tokens)))
    one, other = text[a:b], text[c:d]
    if one.isdecimal() != other.isdecimal():  # replacing a name by a number would change the form, not just the answer
        return text
    if kind == 0 and one.isdecimal() and len(one) < _LONG:
        return text[:a] + str(int(one) + 1) + text[b:]
    if kind == 1 and a < c:
        return text[:a] + other + text[b:c] + one + text[d:]
    return text[:a] + other + text[b:]
