"""The kitchen's rules: state, steps, and drawing as text.

A kitchen is a map of one letter per cell: ``.`` floor, ``#`` counter, ``O`` ``T`` ``M`` boxes of ingredients, ``P``
plates, ``C`` cooker, ``W`` serving window. Both cooks step at once, up, left, down, right or not at all; a step towards
anything but floor uses it. What changes is a :class:`Core`, a value, and :func:`step` is a function of its arguments::

    kitchen = Kitchen(rows, size=3, cook=5)
    core = step(kitchen, first(kitchen, starts, orders), (0, 4))     # player 1 up, player 2 waits

Items are words: an ingredient's letter, ``P`` a plate, ``S`` and the ingredients in order a soup on a plate, empty for nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

STEPS: Final = ("up", "left", "down", "right", "wait")
WAIT: Final = 4
INGREDIENTS: Final = {"O": "onion", "T": "tomato", "M": "mushroom"}
Actions = tuple[int, int]
_SHIFT: Final = ((-1, 0), (0, -1), (1, 0), (0, 1))


class Kitchen(NamedTuple):
    """The map, the number of ingredients per soup, and its cooking steps."""

    rows: tuple[str, ...]
    size: int
    cook: int


class Core(NamedTuple):
    """The changing part of a kitchen.

    Cells and hands of both, cookers (ingredients, steps left), counters, open orders, soups served.
    """

    at: tuple[int, int]
    held: tuple[str, str]
    pots: tuple[tuple[str, int], ...]
    shelves: tuple[str, ...]
    orders: tuple[str, ...]
    served: int = 0


class Ground:
    """Data derived from the map.

    Attributes:
        text: All cells, row after row.
        width: Cells per row.
        around: The neighbours of every floor cell, in the order of :data:`STEPS`.
        near: For everything that can be used, the steps from each floor cell that reaches it to a cell beside it.
        pots: The cells of the cookers, in the order of :attr:`Core.pots`.
        shelves: The cells of the counters, in the order of :attr:`Core.shelves`.
        straight: Cached first steps of shortest paths, by cell and target.
        ways: Cached paths around the other cook (:func:`envhub.envs.games.kitchen.cook.way_around`).
    """

    __slots__ = ("_of", "around", "index", "near", "pots", "shelves", "straight", "text", "ways", "width")

    def __init__(self, rows: Sequence[str]) -> None:
        self.text, self.width = "".join(rows), len(rows[0])
        self.straight: dict[tuple[int, int], int] = {}
        self.ways: dict[tuple[int, int, int], int | None] = {}
        floor = [cell for cell, mark in enumerate(self.text) if mark == "."]
        shifts = [row * self.width + column for row, column in _SHIFT]
        self.around = {cell: tuple(cell + shift for shift in shifts) for cell in floor}
        stations = sorted({n for near in self.around.values() for n in near if self.text[n] != "."})
        self.near = {station: self._near(station) for station in stations}
        self._of = {mark: [cell for cell in stations if self.text[cell] == mark] for mark in set(self.text)}
        self.pots, self.shelves = self.of("C"), self.of("#")
        self.index = {cell: at for cells in (self.pots, self.shelves) for at, cell in enumerate(cells)}

    def _near(self, station: int) -> dict[int, int]:
        beside = [cell for cell, near in self.around.items() if station in near]
        found = dict.fromkeys(beside, 0)
        queue = deque(beside)
        while queue:
            cell = queue.popleft()
            for to in self.around[cell]:
                if to in self.around and to not in found:
                    found[to] = found[cell] + 1
                    queue.append(to)
        return found

    def of(self, mark: str) -> Sequence[int]:
        """The usable cells with this mark."""
        return self._of.get(mark, ())


@lru_cache(maxsize=512)
def ground(rows: tuple[str, ...]) -> Ground:
    """The data derived from a map."""
    return Ground(rows)


def first(kitchen: Kitchen, at: tuple[int, int], orders: Sequence[str]) -> Core:
    """The initial state."""
    g = ground(kitchen.rows)
    return Core(at, ("", ""), (("", 0),) * len(g.pots), ("",) * len(g.shelves), tuple(orders))


@lru_cache(maxsize=1 << 12)  # searches meet the same states again and again
def step(kitchen: Kitchen, core: Core, actions: Actions) -> Core:
    """One step of both cooks.

    Cookers cook, player 1 uses, player 2 uses, both walk. A cook cannot walk to a cell that the other one occupies or
    walks to, and they cannot swap places. A negative cell means an absent cook.
    """
    g = ground(kitchen.rows)
    at, pots = core.at, core.pots
    if any(left for _, left in pots):
        pots = tuple((inside, left - 1 if left else 0) for inside, left in pots)
        core = core._replace(pots=pots)
    to = [g.around[at[seat]][actions[seat]] if actions[seat] < WAIT else at[seat] for seat in (0, 1)]
    walk = list(at)
    for seat in (0, 1):
        if to[seat] in g.around:
            walk[seat] = to[seat]
        elif actions[seat] < WAIT:
            core = _used(kitchen, g, core, seat, to[seat])
    if walk[0] == walk[1] or (walk[0] == at[1] and walk[1] == at[0]):
        return core
    return core._replace(at=(walk[0], walk[1]))


def _used(kitchen: Kitchen, g: Ground, core: Core, seat: int, cell: int) -> Core:
    """The state after one cook uses a cell.

    Unchanged if that has no effect.
    """
    mark, hand = g.text[cell], core.held[seat]
    if mark == "#":
        slot = g.index[cell]
        there = core.shelves[slot]
        if bool(hand) == bool(there):
            return core
        shelves = (*core.shelves[:slot], hand, *core.shelves[slot + 1 :])
        return _holding(core._replace(shelves=shelves), seat, there)
    if mark == "C":
        slot = g.index[cell]
        inside, left = core.pots[slot]
        full = len(inside) == kitchen.size
        if hand in INGREDIENTS and not full:
            inside = "".join(sorted(inside + hand))
            held, pot = "", (inside, kitchen.cook if len(inside) == kitchen.size else 0)
        elif hand == "P" and full and not left:
            held, pot = "S" + inside, ("", 0)
        else:
            return core
        return _holding(core._replace(pots=(*core.pots[:slot], pot, *core.pots[slot + 1 :])), seat, held)
    if mark == "W":
        if not hand.startswith("S"):
            return core
        core = _holding(core, seat, "")
        if hand[1:] not in core.orders:
            return core
        left_open = list(core.orders)
        left_open.remove(hand[1:])
        return core._replace(orders=tuple(left_open), served=core.served + 1)
    if not hand:
        return _holding(core, seat, mark)
    return _holding(core, seat, "") if hand == mark else core


def _holding(core: Core, seat: int, item: str) -> Core:
    return core._replace(held=(item, core.held[1]) if seat == 0 else (core.held[0], item))


def progress(kitchen: Kitchen, core: Core) -> float:
    """The finished share of all orders, computed from the state alone.

    A served order counts 1; of the open ones, a soup that fits one counts 0.8, one that is in a cooker 0.6, ingredients
    in a cooker that fit one 0.5 together. Every order counts once, by its most advanced item, so repeating work gains
    nothing.
    """
    found = [(0.8, soup[1:]) for soup in (*core.held, *core.shelves) if soup.startswith("S")]
    for inside, _ in core.pots:
        found.append((0.6 if len(inside) == kitchen.size else 0.5 * len(inside) / kitchen.size, inside))
    still, total = list(core.orders), float(core.served)
    for worth, inside in sorted(found, reverse=True):
        fits = next((order for order in still if fitting(inside, order)), None)
        if fits is not None:
            still.remove(fits)
            total += worth
    return total / (core.served + len(core.orders)) if core.served or core.orders else 1.0


def fitting(inside: str, order: str) -> bool:
    """Whether ingredients can still become an order."""
    return all(inside.count(mark) <= order.count(mark) for mark in set(inside))


def missing(inside: str, order: str) -> list[str]:
    """The ingredients still missing for an order."""
    lacking = list(order)
    for mark in inside:
        lacking.remove(mark)
    return lacking


def named(item: str) -> str:
    """An item in words."""
    if not item:
        return "nothing"
    if item.startswith("S"):
        return f"a soup of {recipe(item[1:])}"
    return "a plate" if item == "P" else f"{'an' if item == 'O' else 'a'} {INGREDIENTS[item]}"


def recipe(order: str) -> str:
    """The ingredients of a soup in words."""
    return " + ".join(INGREDIENTS[mark] for mark in order)


def narrated(before: Core, after: Core, seat: int, action: int) -> str:
    """The result of a step, as its cook sees it."""
    word, had, has = STEPS[action], before.held[seat], after.held[seat]
    if action == WAIT or before.at[seat] != after.at[seat]:
        return word
    if has != had:
        return f"{word} (takes {named(has)})" if has else f"{word} (parts with {named(had)})"
    return f"{word} (nothing happens)"


def drawn(kitchen: Kitchen, core: Core) -> list[str]:
    """The map with numbered rows and columns.

    The cooks are 1 and 2, and items on counters are small letters.
    """
    g = ground(kitchen.rows)
    cells = list(g.text)
    for cell, item in zip(g.shelves, core.shelves, strict=True):
        if item:
            cells[cell] = item[0].lower()
    for seat in (0, 1):
        cells[core.at[seat]] = str(seat + 1)
    lines = ["  " + "".join(str(column % 10) for column in range(g.width))]
    for row in range(len(kitchen.rows)):
        lines.append(f"{row % 10} " + "".join(cells[row * g.width : (row + 1) * g.width]))
    return lines


def place(kitchen: Kitchen, cell: int) -> str:
    """The position of a cell, in words."""
    row, column = divmod(cell, ground(kitchen.rows).width)
    return f"row {row}, column {column}"
