"""TextSpace: any text up to a maximum length.

Gymnasium's own ``Text`` checks every character of every value against a charset, and returns padded garbage over shared
memory. This one checks only the length, and its texts cross shared memory unchanged.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Sequence
from typing import Any, overload

import gymnasium
import numpy as np
from gymnasium.vector.utils import create_shared_memory, read_from_shared_memory, write_to_shared_memory

_ALPHABET = "abcdefghijklmnopqrstuvwxyz 0123456789"


class TextSpace(gymnasium.Space[str]):
    """All text of at most ``max_length`` characters.

    Args:
        max_length: Maximum length in characters.
        seed: Seed of :meth:`sample`.
        pictures: Maximum number of pictures that belong to a text; they are in ``info["images"]``.
    """

    def __init__(self, max_length: int, seed: int | np.random.Generator | None = None, pictures: int = 0) -> None:
        super().__init__(shape=None, dtype=None, seed=seed)
        self.max_length = max_length
        self.pictures = pictures

    @property
    def is_np_flattenable(self) -> bool:
        """False: text has no flat form."""
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
        """Whether ``x`` is text within the maximum length."""
        return isinstance(x, str) and len(x) <= self.max_length

    def to_jsonable(self, sample_n: Iterable[str]) -> list[str]:
        """Text is JSON already."""
        return list(sample_n)

    def from_jsonable(self, sample_n: list[Any]) -> list[str]:
        """Text is JSON already."""
        return [str(value) for value in sample_n]

    def __repr__(self) -> str:
        return f"TextSpace({self.max_length}{f', pictures={self.pictures}' if self.pictures else ''})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TextSpace):
            return False
        return (other.max_length, other.pictures) == (self.max_length, self.pictures)

    __hash__ = None  # type: ignore[assignment]


# -- shared memory, which gymnasium.make_vec(..., vectorization_mode="async") uses -----------------------------------------
# A text is stored as its length in four bytes, and its UTF-8 bytes.

_HEAD = 4


def _room(space: TextSpace) -> int:
    return _HEAD + 4 * space.max_length


@create_shared_memory.register(TextSpace)
def _create(space: TextSpace, n: int = 1, ctx: Any = multiprocessing) -> Any:
    return ctx.RawArray("B", n * _room(space))


class _Texts(Sequence[str]):
    """Copies of the texts in shared memory.

    Gymnasium reads them once and copies the result after each step.
    """

    def __init__(self, memory: memoryview, room: int) -> None:
        self._memory, self._room = memory, room

    def __len__(self) -> int:
        return len(self._memory) // self._room

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        start = range(0, len(self._memory), self._room)[index]
        begin = start + _HEAD
        length = int.from_bytes(self._memory[start:begin], "little")
        return bytes(self._memory[begin : begin + length]).decode("utf-8", "surrogatepass")

    def __deepcopy__(self, memo: Any) -> tuple[str, ...]:
        return tuple(self)


@read_from_shared_memory.register(TextSpace)
def _read(space: TextSpace, shared_memory: Any, n: int = 1) -> Sequence[str]:
    return _Texts(memoryview(shared_memory).cast("B"), _room(space))


@write_to_shared_memory.register(TextSpace)
def _write(space: TextSpace, index: int, value: str, shared_memory: Any) -> None:
    data, start = value.encode("utf-8", "surrogatepass"), index * _room(space)
    memory = memoryview(shared_memory).cast("B")
    memory[start : start + _HEAD] = len(data).to_bytes(_HEAD, "little")
    memory[start + _HEAD : start + _HEAD + len(data)] = data
