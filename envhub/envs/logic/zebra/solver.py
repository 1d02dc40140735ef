"""Solver of zebra puzzles: all solutions, and the cost of finding them.

For every attribute it keeps the possible arrangements of its values as bits of one integer, so that "each house a
different value" is part of every deduction; where deduction ends, an item is tried in every house::

    list(solutions(3, 1, [["at", 0, 2], ["next", 0, 1]]))      # [(2, 1, 0)]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import permutations
from typing import Final, Literal, NamedTuple

from envhub.envs.logic.zebra.clues import ALL, PLACES, Clue, Where, relates

_FEW: Final = 12

_Link = tuple[int, int, tuple[int, ...], tuple[int, ...]]


class _Board(NamedTuple):
    """Tables of a street.

    Sets of houses and sets of arrangements of an attribute's values are bit masks.
    """

    at: list[list[tuple[int, int]]]  # [value][house]: the house as a mask, the arrangements with the value in it
    within: list[tuple[int, ...]]  # [value][houses]: the arrangements with the value in one of the houses
    masks: list[tuple[int, ...]]  # [arrangement]: for each value its house, as a mask
    packed: list[int]  # [arrangement]: the same masks side by side in one integer
    shifts: range  # offset of each mask
    full: int  # all houses
    forward: dict[str, tuple[int, ...]]  # [kind][houses of x]: the houses possible for y
    backward: dict[str, tuple[int, ...]]  # [kind][houses of y]: the houses possible for x


@cache
def _board(houses: int) -> _Board:
    arrangements = list(permutations(range(houses)))
    at = [[sum(1 << i for i, a in enumerate(arrangements) if a[v] == h) for h in range(houses)] for v in range(houses)]
    sets = range(1 << houses)

    def union(parts: Sequence[int]) -> tuple[int, ...]:
        found = [0]
        for chosen in sets[1:]:
            low = chosen & -chosen
            found.append(found[chosen ^ low] | parts[low.bit_length() - 1])
        return tuple(found)

    row = range(houses)
    kinds = [kind for kind in ALL if kind not in PLACES]
    return _Board(
        [[(1 << h, at[v][h]) for h in row] for v in row],
        [union(at[v]) for v in row],
        [tuple(1 << h for h in a) for a in arrangements],
        [sum(1 << houses * v + h for v, h in enumerate(a)) for a in arrangements],
        range(0, houses * houses, houses),
        (1 << houses) - 1,
        {k: union([sum(1 << q for q in row if relates(k, p, q)) for p in row]) for k in kinds},
        {k: union([sum(1 << p for p in row if relates(k, p, q)) for q in row]) for k in kinds},
    )


@lru_cache(maxsize=16_384)
def _houses_left(houses: int, left: int) -> tuple[int, ...]:
    """The remaining houses of each value of an attribute.

    In the arrangements ``left``.
    """
    board = _board(houses)
    if not left & (left - 1):
        return board.masks[left.bit_length() - 1]
    if left.bit_count() <= _FEW:
        packed = 0
        while left:
            low = left & -left
            packed |= board.packed[low.bit_length() - 1]
            left ^= low
        return tuple([packed >> shift & board.full for shift in board.shifts])
    found = []
    for value in board.at:
        possible = 0
        for bit, arrangements in value:
            if left & arrangements:
                possible |= bit
        found.append(possible)
    return tuple(found)


class Search:
    """Deduction and trial over the clues of one puzzle.

    Attributes:
        arrangements: For each attribute the possible arrangements of its values, as a mask.
        possible: For each item its possible houses, as a mask.
        consistent: Whether deduction has met no contradiction.
        looks: Number of clues examined so far.
    """

    def __init__(self, houses: int, attributes: int, clues: Sequence[Clue]) -> None:
        self.houses = houses
        self.board = _board(houses)
        self.links: list[_Link] = []
        self.looks = 0
        self.arrangements = [(1 << len(self.board.masks)) - 1] * attributes
        self.possible = [(1 << houses) - 1] * (houses * attributes)
        for kind, x, *rest in clues:
            if kind in PLACES:
                self.arrangements[x // houses] &= self.board.within[x % houses][self._places(kind, rest)]
                self.looks += 1
            else:
                self.add([kind, x, *rest])
        self.possible = [mask for left in self.arrangements for mask in _houses_left(houses, left)]
        self.consistent = all(self.arrangements) and self.deduce()

    def add(self, clue: Clue) -> None:
        """Add a clue to all later deductions; :meth:`run` may be in progress."""
        kind, x, *rest = clue
        if kind in PLACES:  # an item related to itself
            always = (self._places(kind, rest),) * (1 << self.houses)
            self.links.append((x, x, always, always))
        else:
            self.links.append((x, rest[0], self.board.forward[kind], self.board.backward[kind]))

    def _places(self, kind: str, houses: Sequence[int]) -> int:
        mask = sum(1 << h for h in houses)
        return self.board.full ^ mask if kind == "not_at" else mask

    def narrow(self, x: int, mask: int) -> bool:
        """Restrict an item to some houses and propagate within its attribute.

        False on a contradiction.
        """
        houses = self.houses
        attribute, value = divmod(x, houses)
        left = self.arrangements[attribute] & self.board.within[value][mask]
        if not left:
            return False
        self.arrangements[attribute] = left
        first = attribute * houses
        self.possible[first : first + houses] = _houses_left(houses, left)
        return True

    def deduce(self) -> bool:
        """Apply every relating clue until nothing more follows; False on a contradiction."""
        possible, narrow = self.possible, self.narrow
        changed = True
        while changed:
            changed = False
            self.looks += len(self.links)
            for x, y, forward, backward in self.links:
                one, other = possible[x], possible[y]
                kept = other & forward[one]
                if kept != other:
                    changed = True
                    if not kept or not narrow(y, kept):
                        return False
                    one, kept = possible[x], possible[y]  # they may be of one attribute
                fits = one & backward[kept]
                if fits != one:
                    changed = True
                    if not fits or not narrow(x, fits):
                        return False
        return True

    def run(self, order: Sequence[int]) -> Iterator[Where]:
        """Every solution below the present state.

        Where deduction ends, each house is tried, an item's own first.
        """
        x, fewest = -1, self.houses + 1
        for item, mask in enumerate(self.possible):
            if mask & (mask - 1) and mask.bit_count() < fewest:
                x, fewest = item, mask.bit_count()
        if x < 0:
            yield tuple([mask.bit_length() - 1 for mask in self.possible])
            return
        kept = self.arrangements, self.possible
        own = x % self.houses
        for h in [own, *(h for h in order if h != own)]:
            if kept[1][x] >> h & 1:
                self.arrangements, self.possible = kept[0][:], kept[1][:]
                if self.narrow(x, 1 << h) and self.deduce():
                    yield from self.run(order)
        self.arrangements, self.possible = kept

    def another(self, order: Sequence[int]) -> Where | None:
        """A solution in which some item is not in its own house.

        None if there is no other.
        """
        own = tuple(range(self.houses)) * len(self.arrangements)
        return next((where for where in self.run(order) if where != own), None)


def solutions(houses: int, attributes: int, clues: Sequence[Clue]) -> Iterator[Where]:
    """Every solution: the house of every item."""
    search = Search(houses, attributes, clues)
    if search.consistent:
        yield from search.run(range(houses))


def work(houses: int, attributes: int, clues: Sequence[Clue]) -> int:
    """Clues examined by a solver.

    It deduces, guesses where deduction ends, and verifies uniqueness.
    """
    search = Search(houses, attributes, clues)
    if search.consistent:
        for _ in search.run(range(houses)):
            pass
    return search.looks


def technique(houses: int, attributes: int, clues: Sequence[Clue]) -> Literal["deduction", "trial"]:
    """The technique that solves the puzzle.

    Single clues applied repeatedly, or trial as well.
    """
    search = Search(houses, attributes, clues)
    return "trial" if any(left & (left - 1) for left in search.arrangements) else "deduction"
