"""Lines that must differ from each other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import ClassVar

from envhub.generators.cells.law import Changed, Law


class DifferentLines(Law):
    """No two lines have the same values.

    Args:
        lines: The cells of each line, in order.
    """

    __slots__ = ("lines",)
    expensive: ClassVar[bool] = True

    def __init__(self, lines: Sequence[Sequence[int]]) -> None:
        super().__init__(list(chain.from_iterable(lines)))
        self.lines = [(tuple(line), itemgetter(*line)) for line in lines]

    def holds(self, values: Sequence[int]) -> bool:
        """Whether all lines differ."""
        return len({values_of(values) for _, values_of in self.lines}) == len(self.lines)

    def prune(self, domains: list[int]) -> Changed | None:
        """Remove the last value that would make two lines equal."""
        decided: dict[tuple[int, ...], int] = {}
        almost: list[tuple[tuple[int, ...], int]] = []
        for line, domains_of in self.lines:
            masks = domains_of(domains)
            open_ = _open(masks)
            if not open_:
                if masks in decided:
                    return None
                decided[masks] = 1
            elif len(open_) == 1:
                almost.append((line, open_[0]))
        changed: list[int] = []
        for line, at in almost:
            cell = line[at]
            near = [domains[other] for other in line]
            for other in decided:
                if all(a == b for place, (a, b) in enumerate(zip(near, other, strict=True)) if place != at):
                    domains[cell] &= ~other[at]
                    changed.append(cell)
            if not domains[cell]:
                return None
        return changed


@lru_cache(maxsize=1 << 14)
def _open(masks: tuple[int, ...]) -> tuple[int, ...]:
    """The places of a line that are not decided."""
    return tuple([at for at, mask in enumerate(masks) if mask & mask - 1])
