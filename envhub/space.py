"""TextSpace: any text up to a length.

Gymnasium's own ``Text`` looks at every character of every value against a charset, and its vectorisation over shared
memory returns padded garbage; this one does neither.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np

_ALPHABET = "abcdefghijklmnopqrstuvwxyz 0123456789"


class TextSpace(gymnasium.Space[str]):
    """All text of at most ``max_length`` characters.

    Args:
        max_length: In characters.
        seed: Of :meth:`sample`.
    """

    def __init__(self, max_length: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(shape=None, dtype=None, seed=seed)
        self.max_length = max_length

    @property
    def is_np_flattenable(self) -> bool:
        """Text has no flat form."""
        return False

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> str:
        """One to sixteen random characters.

        Raises:
            ValueError: A mask was given; text has none.
        """
        if mask is not None or probability is not None:
            raise ValueError("A TextSpace cannot be masked.")
        length = int(self.np_random.integers(1, min(self.max_length, 16) + 1))
        return "".join(_ALPHABET[i] for i in self.np_random.integers(0, len(_ALPHABET), length))

    def contains(self, x: Any) -> bool:
        """Whether ``x`` is text that is short enough."""
        return isinstance(x, str) and len(x) <= self.max_length

    def to_jsonable(self, sample_n: Iterable[str]) -> list[str]:
        """Text is JSON already."""
        return list(sample_n)

    def from_jsonable(self, sample_n: list[Any]) -> list[str]:
        """Text is JSON already."""
        return [str(value) for value in sample_n]

    def __repr__(self) -> str:
        return f"TextSpace({self.max_length})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextSpace) and other.max_length == self.max_length

    __hash__ = None  # type: ignore[assignment]
