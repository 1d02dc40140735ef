"""Generate zebra puzzles with exactly one solution and no redundant clue.

Puzzles are made with every value ``v`` in house ``v``, and relabelled afterwards; since a puzzle has one solution, it
determines these labels, which makes its canonical form cheap. The clues of the kinds ``RELATIONS`` are drawn first and
all stay; clues of other kinds are added until the solution is unique, and removed again while it stays unique::

    relations = draw_relations(rng, houses=4, attributes=3, count=4, kinds=BASIC)
    clues = complete(rng, 4, 3, relations, kinds=BASIC)     # None: some relation would not be needed
    list(solutions(4, 3, clues))                            # [(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3)]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.logic.zebra.clues import RELATIONS, Where, holds, relates
from envhub.envs.logic.zebra.solver import Search

_SHARES: Final = {"at": 1, "not_at": 2, "either": 2, "same": 3, "differ": 2, "apart": 2}
_TRIES: Final = 40


def draw_relations(rng: Stream, *, houses: int, attributes: int, count: int, kinds: Sequence[str]) -> list[JSON]:
    """``count`` true clues of the kinds :data:`RELATIONS`.

    Every value ``v`` is in house ``v``; the item pairs differ.
    """
    usable = [kind for kind in kinds if kind in RELATIONS]
    found: list[JSON] = []
    pairs: set[tuple[int, int]] = set()
    while len(found) < count:
        kind = rng.choice(usable)
        x, y = (rng.below(attributes) * houses + h for h in _two_houses(rng, kind, houses))
        pair = (min(x, y), max(x, y))
        if pair not in pairs:
            pairs.add(pair)
            found.append([kind, x, y])
    return found


def _two_houses(rng: Stream, kind: str, houses: int) -> tuple[int, int]:
    """The houses of the two items of a relation."""
    if kind == "before":
        one, other = sorted(rng.sample(range(houses), 2))
        return one, other
    step = 2 if kind == "gap" else 1
    one = rng.below(houses - step)
    return (one, one + step) if kind == "left" or rng.below(2) else (one + step, one)


def complete(
    rng: Stream, houses: int, attributes: int, relations: Sequence[JSON], kinds: Sequence[str]
) -> list[JSON] | None:
    """Add clues of other kinds until the puzzle is complete.

    The solution is then unique and every clue needed. None when a relation would not be needed.
    """
    bag = [kind for kind in kinds for _ in range(_SHARES.get(kind, 0))]
    order = list(range(houses))
    clues = list(relations)
    others: list[Where] = []  # assignments that the clues rule out
    search = Search(houses, attributes, clues)
    rng.shuffle(order)
    for found in search.run(order):
        if any(h != x % houses for x, h in enumerate(found)):
            others.append(found)
            clues.append(_against(rng, houses, attributes, bag, found))
            search.add(clues[-1])
            rng.shuffle(order)
    ruled_out = [sum(1 << i for i, other in enumerate(others) if not holds(clue, other)) for clue in clues]
    kept = list(range(len(clues)))

    def needed(i: int) -> bool:
        """Whether only clue ``i`` rules something out.

        By known results or by a search.
        """
        rest = [j for j in kept if j != i]
        alone = ruled_out[i]
        for j in rest:
            alone &= ~ruled_out[j]
        if alone:
            return True
        rng.shuffle(order)
        found = Search(houses, attributes, [clues[j] for j in rest]).another(order)
        if found is not None:
            ruled_out[i] |= 1 << len(others)
            others.append(found)
        return found is not None

    extra = kept[len(relations) :]
    rng.shuffle(extra)
    for i in extra:
        if not needed(i):
            kept.remove(i)
    return [clues[i] for i in kept] if all(needed(i) for i in range(len(relations))) else None


def _against(rng: Stream, houses: int, attributes: int, bag: Sequence[str], other: Where) -> JSON:
    """A true clue that is false in another assignment.

    True with every value in its own house.
    """
    moved = [x for x, h in enumerate(other) if h != x % houses]
    for _ in range(_TRIES):
        x, kind = rng.choice(moved), rng.choice(bag)
        if kind in ("at", "not_at"):
            return [kind, x, x % houses if kind == "at" else other[x]]
        if kind == "either":
            clue = [kind, x, *sorted((x % houses, _other(rng, houses, x % houses)))]
        else:
            y = _other(rng, attributes, x // houses) * houses + rng.below(houses)
            y = y - y % houses + x % houses if kind == "same" else y
            clue = [kind, *sorted((x, y))]
            if not relates(kind, x % houses, y % houses):
                continue
        if not holds(clue, other):
            return clue
    return ["not_at", moved[0], other[moved[0]]]


def _other(rng: Stream, count: int, but: int) -> int:
    """A number below ``count`` other than ``but``."""
    found = rng.below(count - 1)
    return found + (found >= but)
