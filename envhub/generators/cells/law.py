"""Law: a condition on cells that judges full grids and narrows domains."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import ClassVar, Final

Changed = Sequence[int]
"""Cells whose domains were narrowed."""

NOTHING: Final[Changed] = ()


class Law(ABC):
    """A condition on some cells.

    Attributes:
        cells: The cells that it depends on.
        expensive: Whether it is propagated only when all cheap laws have settled.
    """

    __slots__ = ("cells",)
    expensive: ClassVar[bool] = False

    def __init__(self, cells: Sequence[int]) -> None:
        self.cells = tuple(cells)

    @property
    def kind(self) -> Hashable:
        """What :meth:`prune` depends on beside the domains of the cells.

        None if it is faster than remembering its results.
        """
        return None

    @abstractmethod
    def holds(self, values: Sequence[int]) -> bool:
        """Whether a full grid satisfies the law."""

    @abstractmethod
    def prune(self, domains: list[int]) -> Changed | None:
        """Narrow domains in place; the law must be settled afterwards.

        Returns:
            The narrowed cells, or None if the law cannot hold.
        """


@lru_cache(maxsize=1 << 16)
def values_of(mask: int) -> tuple[int, ...]:
    """The values of a domain, in ascending order."""
    return tuple(value for value in range(mask.bit_length()) if mask >> value & 1)


def mask_of(values: Sequence[int]) -> int:
    """The domain of some values."""
    mask = 0
    for value in values:
        mask |= 1 << value
    return mask
