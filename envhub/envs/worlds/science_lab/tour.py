"""Tours through a laboratory that fetch things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from envhub.envs.worlds.science_lab.rules import Lab
from envhub.generators.planning.space import Action


class Tour:
    """What a tour must fetch; also an admissible estimate of its length.

    The rooms are a tree. The estimate counts what must be picked up, opened and filled, the closed doors of the smallest
    part of the tree that joins the rooms to be visited, and the shortest walk through this part. Only the order of picking
    up and filling is ignored, so the estimate falls by at most one with each step.

    Args:
        lab: The laboratory.
        things: Things that lie in furniture and must be picked up.
        water: Whether the watering can must be filled.
        bench: Whether the tour must end at the bench.
    """

    def __init__(self, lab: Lab, things: Sequence[str], *, water: bool, bench: bool) -> None:
        self.things, self.water = tuple(things), water
        bit = lab.space.bit
        self.goal = lab.space.state(("carried", thing) for thing in things)
        self.goal |= bit(("filled", "watering can")) if water else 0
        self.goal |= bit(("at", lab.content["bench"])) if bench else 0
        self._spots = [
            (bit(("in", thing, lab.things[thing])), bit(("shut", lab.things[thing])), lab.furniture[lab.things[thing]])
            for thing in things
        ]
        self._filled = bit(("filled", "watering can")) if water else 0
        self._sink: str = lab.content["sink"]
        self._end: str | None = lab.content["bench"] if bench else None
        self._at = {bit(("at", room)): room for room in lab.rooms}
        self._everywhere = sum(self._at)
        edges = [room for room, above in lab.rooms.items() if above]
        self._ajar = [bit(("ajar", room, lab.rooms[room])) for room in edges]
        self._way = {room: _way(lab, room, edges) for room in lab.rooms}

    def __call__(self, state: int) -> int:
        """A lower bound on the number of steps from a state."""
        here = self._way[self._at[state & self._everywhere]]
        left = [spot for spot in self._spots if state & spot[0]]
        rooms = [self._way[room] ^ here for _, _, room in left]
        dry = bool(self._filled and not state & self._filled)
        rooms += [self._way[self._sink] ^ here] if dry else []
        last = max((way.bit_count() for way in rooms), default=0)
        if self._end is not None:
            rooms.append(self._way[self._end] ^ here)
            last = rooms[-1].bit_count()
        part = 0
        for way in rooms:
            part |= way
        doors = sum(1 for at, ajar in enumerate(self._ajar) if part >> at & 1 and not state & ajar)
        closed = len({shut for _, shut, _ in left if state & shut})
        return len(left) + closed + dry + doors + 2 * part.bit_count() - last


def errands(lab: Lab, state: int, tour: Tour) -> Iterator[Action]:
    """The actions that a shortest tour may need."""
    for room, above in lab.rooms.items():
        for one, other in ((room, above), (above, room)) if above else ():
            yield lab.action("open-door", one, other)
            yield lab.action("go", one, other)
    for spot in dict.fromkeys(lab.things[thing] for thing in tour.things):
        yield lab.action("open", spot, lab.furniture[spot])
    for thing in tour.things:
        yield lab.action("take", thing, lab.things[thing], lab.furniture[lab.things[thing]])
    if tour.water:
        yield lab.action("fill", "watering can", lab.content["sink"])


def _way(lab: Lab, room: str, edges: Sequence[str]) -> int:
    """The doors between a room and the root, as bits."""
    way = 0
    while lab.rooms[room]:
        way |= 1 << edges.index(room)
        room = lab.rooms[room]
    return way
