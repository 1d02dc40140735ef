"""Model: domains and laws, and the search for their solutions.

The search propagates the laws of changed cells until nothing changes, then splits the smallest domain in two. Domains are
copied at a split: copying a flat list of a hundred integers costs less than recording and undoing changes one by one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.cells.law import Law, values_of
from envhub.generators.cells.memory import remembering

Grid = tuple[int, ...]
"""The values of all cells."""

UNLIMITED: Final = 1 << 60


class Found(NamedTuple):
    """Result of a search.

    Attributes:
        grids: The solutions found.
        steps: Domains that were narrowed, and splits.
        complete: Whether the search ended before its budget.
    """

    grids: list[Grid]
    steps: int
    complete: bool

    @property
    def none(self) -> bool:
        """Whether it is proved that no solution exists."""
        return self.complete and not self.grids


class Model:
    """Domains and laws.

    Args:
        domains: Masks of the possible values, one per cell.
        laws: The laws; searches name those to leave out by their position.
    """

    def __init__(self, domains: Sequence[int], laws: Sequence[Law]) -> None:
        self.domains = list(domains)
        self.laws = list(laws)
        self._prunes = [remembering(law) for law in laws]
        self._cheap: list[list[int]] = [[] for _ in domains]
        self._expensive: list[list[int]] = [[] for _ in domains]
        for number, law in enumerate(laws):
            at = self._expensive if law.expensive else self._cheap
            for cell in law.cells:
                at[cell].append(number)
        self._order = sorted(range(len(domains)), key=lambda cell: -len(self._cheap[cell]) - len(self._expensive[cell]))

    def solutions(
        self, most: int = 2, budget: int = UNLIMITED, off: Iterable[int] = (), rng: Stream | None = None
    ) -> Found:
        """Up to ``most`` solutions.

        Args:
            most: Maximum number of solutions.
            budget: Maximum number of steps.
            off: Positions of laws to leave out.
            rng: Chooses among cells and values at random; None takes the first.
        """
        return self._search(most, budget, off, rng, None)

    def another(self, known: Sequence[int], budget: int = UNLIMITED, off: Iterable[int] = ()) -> Found:
        """One solution other than a known one, if there is any."""
        return self._search(1, budget, off, None, known)

    def _search(
        self, most: int, budget: int, off: Iterable[int], rng: Stream | None, known: Sequence[int] | None
    ) -> Found:
        waiting = bytearray(len(self.laws))
        for number in off:  # a law that counts as waiting is never queued
            waiting[number] = 1
        order = self._order
        if rng is not None:
            order = order.copy()
            rng.shuffle(order)
        grids: list[Grid] = []
        steps = 0
        first = [number for number in range(len(self.laws)) if not waiting[number]]
        stack = [(self.domains.copy(), first, known is not None)]
        while stack:
            domains, todo, near = stack.pop()
            spent = self._settle(domains, todo, waiting.copy(), budget - steps)
            steps += abs(spent)
            if steps >= budget:
                return Found(grids, steps, False)
            if spent < 0:
                continue
            cell = _smallest(domains, order)
            if cell < 0:
                if not near:
                    grids.append(tuple([mask.bit_length() - 1 for mask in domains]))
                    if len(grids) == most:
                        break
                continue
            mask = domains[cell]
            if near and known is not None:  # away from the known solution first: there, most branches fail at once
                chosen = mask & ~(1 << known[cell])
            else:
                chosen = mask & -mask if rng is None else 1 << rng.choice(values_of(mask))
            rest = domains.copy()
            rest[cell] = mask ^ chosen
            domains[cell] = chosen
            at = self._cheap[cell] + self._expensive[cell]
            stack.append((rest, at, near))
            stack.append((domains, at, False))
        return Found(grids, steps, True)

    def _settle(self, domains: list[int], todo: Iterable[int], waiting: bytearray, budget: int) -> int:
        """Propagate laws; returns the steps, negative at a contradiction."""
        prunes, near_cheap, near_expensive = self._prunes, self._cheap, self._expensive
        cheap: deque[int] = deque()
        later: deque[int] = deque()
        for number in todo:
            if not waiting[number]:
                waiting[number] = 1
                (later if self.laws[number].expensive else cheap).append(number)
        steps = 1
        while cheap or later:
            number = cheap.popleft() if cheap else later.popleft()
            changed = prunes[number](domains)
            if changed is None:
                return -steps
            if changed:
                steps += len(changed)
                for cell in changed:  # the law itself still counts as waiting: it has settled
                    for other in near_cheap[cell]:
                        if not waiting[other]:
                            waiting[other] = 1
                            cheap.append(other)
                    for other in near_expensive[cell]:
                        if not waiting[other]:
                            waiting[other] = 1
                            later.append(other)
            waiting[number] = 0
            if steps >= budget:
                break
        return steps


def _smallest(domains: Sequence[int], order: Sequence[int]) -> int:
    """The first open cell with the fewest values, or -1."""
    best, fewest = -1, UNLIMITED
    for cell in order:
        mask = domains[cell]
        if mask & mask - 1:
            size = mask.bit_count()
            if size == 2:
                return cell
            if size < fewest:
                best, fewest = cell, size
    return best
