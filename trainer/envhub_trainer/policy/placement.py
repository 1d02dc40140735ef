"""Assigns cache slots to requests.

A slot keeps its keys and values after its request has finished, so that a request whose context begins with the same tokens
(the next turn of an episode) reuses the slot and feeds only its new tokens. A request without such a slot copies the longest
prefix that any slot holds. This is bookkeeping only: the tensors are in :mod:`envhub_trainer.policy.slots`::

    grants = places.take(contexts)      # one slot each, and how much of the context it holds
    moves = places.compact()            # rows to move so that busy rows are contiguous
    places.release(slot, ids)           # finished; ids are what it holds now
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass, field

_SPARSE = 0.75
"""Busy slots are compacted when they are less than this share of the rows up to the last busy one: above it, computing the
rows between them costs less than moving them."""


@dataclass(eq=False, slots=True)
class Slot:
    """A row of the cache.

    Attributes:
        place: Its row; it changes when rows are moved.
        serial: Its id, which does not change.
        ids: Tokens whose keys and values it holds, from position 0; while it is busy, those of its request's context.
        busy: Whether a request is using it.
        stale: Its content comes from older weights, usable only by the current request.
    """

    place: int
    serial: int
    ids: list[int] = field(default_factory=list)
    busy: bool = False
    stale: bool = False


@dataclass(frozen=True, slots=True)
class Grant:
    """A slot assigned to a request.

    Attributes:
        slot: The slot.
        kept: Number of its tokens that the slot holds, after the copy if there is one.
        source: Place to copy them from first, if not None.
        leader: Index of an earlier grant of the same context, if not None: this one is not fed but copied from it.
    """

    slot: Slot
    kept: int
    source: int | None = None
    leader: int | None = None


class Prefixes:
    """Slots sorted by tokens: the longest common prefix is with a neighbour."""

    def __init__(self) -> None:
        self._sorted: list[tuple[list[int], int, Slot]] = []

    def add(self, slot: Slot) -> None:
        """Add a slot; its ``ids`` must not change until it is removed."""
        insort(self._sorted, (slot.ids, slot.serial, slot))

    def remove(self, slot: Slot) -> None:
        """Remove a slot."""
        del self._sorted[bisect_left(self._sorted, (slot.ids, slot.serial, slot))]

    def clear(self) -> None:
        """Remove all slots."""
        self._sorted.clear()

    def longest(self, ids: list[int]) -> tuple[int, Slot | None]:
        """Length of the longest common prefix and its slot, or (0, None)."""
        at = bisect_left(self._sorted, (ids, -1))
        best: tuple[int, Slot | None] = (0, None)
        for held, _, slot in self._sorted[max(at - 1, 0) : at + 1]:
            shared = common(ids, held)
            if shared > best[0]:
                best = shared, slot
        return best


def common(one: list[int], other: list[int]) -> int:
    """Length of the longest common prefix, bisecting over slices (in C)."""
    least, most = 0, min(len(one), len(other))
    if one[:most] == other[:most]:
        return most
    while most - least > 1:
        middle = (least + most) // 2
        if one[least:middle] == other[least:middle]:
            least = middle
        else:
            most = middle
    return least


class Places:
    """All slots, at most ``limit``, created on demand."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._slots: list[Slot] = []
        self._empty: list[Slot] = []
        self._idle: dict[Slot, None] = {}  # with content, longest idle first
        self._held = Prefixes()  # of idle slots
        self._serving = Prefixes()  # of busy slots: their requests' contexts
        self._busy: dict[Slot, None] = {}

    @property
    def room(self) -> int:
        """Number of requests that could get a slot now."""
        return self._limit - len(self._busy)

    @property
    def extent(self) -> int:
        """One more than the last busy place."""
        return 1 + max((slot.place for slot in self._busy), default=-1)

    @property
    def rows(self) -> int:
        """Number of slots created so far."""
        return len(self._slots)

    @property
    def longest(self) -> int:
        """Maximum number of tokens that a slot is known to hold."""
        return max((len(slot.ids) for slot in self._slots), default=0)

    def take(self, contexts: Sequence[list[int]]) -> list[Grant]:
        """Give each context a slot, at most :attr:`room` of them.

        The slots' ``ids`` are set to the kept tokens. The caller must copy the sources, all at once, before it writes or
        moves anything.
        """
        order = sorted(range(len(contexts)), key=lambda i: -self._held.longest(contexts[i])[0])
        leaders: dict[tuple[int, ...], int] = {}
        grants: dict[int, Grant] = {}
        for i in order:  # longest shared prefix first, so that no request takes a slot that suits another better
            leader = leaders.setdefault(tuple(contexts[i]), i)
            grants[i] = self._grant(contexts[i], None if leader == i else leader)
        for i, grant in grants.items():
            grant.slot.ids = contexts[i][: grant.kept]
        return [grants[i] for i in range(len(contexts))]

    def serve(self, slot: Slot, ids: list[int]) -> None:
        """Note that a busy slot now holds its request's whole context."""
        slot.ids = ids
        self._serving.add(slot)

    def release(self, slot: Slot, ids: list[int]) -> None:
        """Release a slot, which holds these tokens."""
        if not slot.stale:
            self._serving.remove(slot)
        del self._busy[slot]
        slot.ids = [] if slot.stale else ids
        slot.busy = slot.stale = False
        if slot.ids:
            self._idle[slot] = None
            self._held.add(slot)
        else:
            self._empty.append(slot)

    def forget(self) -> None:
        """Note that the weights changed: later requests do not reuse current content."""
        self._held.clear()
        self._serving.clear()
        for slot in self._busy:
            slot.stale = True
        for slot in self._idle:
            slot.ids = []
        self._empty += self._idle
        self._empty.sort(key=lambda slot: -slot.place)  # lower places first
        self._idle.clear()

    def compact(self) -> list[tuple[int, int]]:
        """Move sparse busy slots forward; returns places (from, to) to copy."""
        count = len(self._busy)
        if count >= _SPARSE * self.extent:
            return []
        holes = [slot for slot in self._slots[:count] if not slot.busy]
        moves: list[tuple[int, int]] = []
        for slot, hole in zip([slot for slot in self._busy if slot.place >= count], holes, strict=True):
            moves.append((slot.place, hole.place))
            if hole.ids:
                moves.append((hole.place, slot.place))
            slot.place, hole.place = hole.place, slot.place
            self._slots[slot.place], self._slots[hole.place] = slot, hole
        return moves

    def _grant(self, ids: list[int], leader: int | None) -> Grant:
        shared, slot = self._held.longest(ids)
        kept = min(shared, len(ids) - 1)  # at least one token is fed, to compute the next one's distribution
        served, other = self._serving.longest(ids)
        served = min(served, len(ids) - 1)
        if slot is not None and kept >= served and 2 * shared >= len(slot.ids):
            return Grant(self._occupy(slot), kept, leader=leader)
        source = slot if kept >= served else other
        if leader is not None or source is None:
            return Grant(self._fresh(), 0, leader=leader)
        return Grant(self._fresh(), max(kept, served), source=source.place)

    def _fresh(self) -> Slot:
        """A slot to overwrite: empty, new, or else the longest idle."""
        if self._empty:
            return self._occupy(self._empty.pop())
        if len(self._slots) < self._limit:
            self._slots.append(Slot(place=len(self._slots), serial=len(self._slots)))
            return self._occupy(self._slots[-1])
        return self._occupy(next(iter(self._idle)))

    def _occupy(self, slot: Slot) -> Slot:
        if slot in self._idle:
            del self._idle[slot]
            self._held.remove(slot)
        slot.busy = True
        self._busy[slot] = None
        return slot
