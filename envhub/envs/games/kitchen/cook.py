"""A rule-based cook: task assignment and pathfinding.

One assignment covers both cooks, so a cook expects the other one to do its share, unless told not to count on it. The
rule is deterministic: the same state gives the same steps::

    script(kitchen, core)                # one step of both
    foreseen(kitchen, core, 4)           # the next four, if both follow the rule
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from envhub.envs.games.kitchen.rules import (
    INGREDIENTS,
    WAIT,
    Actions,
    Core,
    Ground,
    Kitchen,
    fitting,
    ground,
    missing,
    step,
)

BOTH: Final = (0, 1)
_EARLY: Final = 6
_REMEMBERED: Final = 1 << 12
"""Searches meet the same states again and again; a task has fewer."""


class Need(NamedTuple):
    """A need of a cooker; the most urgent has the lowest rank."""

    rank: int
    item: str
    pot: int


def foreseen(kitchen: Kitchen, core: Core, steps: int, counted: Sequence[int] = BOTH) -> list[Actions]:
    """The next steps, if both follow the rule."""
    found = []
    for _ in range(steps):
        found.append(script(kitchen, core, counted))
        core = step(kitchen, core, found[-1])
    return found


@lru_cache(maxsize=_REMEMBERED)
def script(kitchen: Kitchen, core: Core, counted: Sequence[int] = BOTH) -> Actions:
    """The next step of both cooks.

    A cook that is not counted on is given nothing to fetch.
    """
    g = ground(kitchen.rows)
    goals = assigned(kitchen, core, counted)
    busy = [goals[seat] is not None and not _waiting(g, core, seat, goals[seat]) for seat in (0, 1)]
    taken = [WAIT, WAIT]
    stuck: list[int] = []
    at = list(core.at)  # player 2 walks as if player 1 had walked already: two who dodge at once would never pass
    for seat in (0, 1):
        goal = goals[seat]
        if not busy[seat] or goal is None:
            continue
        way = way_around(g, at[seat], at[1 - seat], goal)
        if way is None:
            stuck.append(seat)
            way = _straight(g, at[seat], goal)
            if g.around[at[seat]][way] == at[1 - seat]:
                continue  # two who walk to one cell stay where they are
        taken[seat] = way
        to = g.around[at[seat]][way]
        at[seat] = to if to in g.around else at[seat]
    for seat in stuck:  # the other one blocks the only way: it makes room if it is idle, else player 2 does
        other, goal = 1 - seat, goals[seat]
        if goal is not None and (not busy[other] or (other == 1 and other in stuck)):
            taken[other] = _aside(g, core.at[other], at[seat], goal)
    return taken[0], taken[1]


def assigned(kitchen: Kitchen, core: Core, counted: Sequence[int] = BOTH) -> list[int | None]:
    """The target of each cook.

    None if there is nothing to do for it.
    """
    g = ground(kitchen.rows)
    needs = lacking(kitchen, core)
    goals: list[int | None] = [None, None]
    free = []
    for seat in (0, 1):
        if core.held[seat]:
            goals[seat] = _with_hands_full(g, core, seat, needs)
        elif seat in counted:
            free.append(seat)
    if free:
        _share_out(g, core, free, needs, goals)
    return goals


def _unmade(orders: Sequence[str], items: Sequence[str]) -> list[str]:
    """The orders without a soup yet."""
    wanted = list(orders)
    for item in items:
        if item.startswith("S") and item[1:] in wanted:
            wanted.remove(item[1:])
    return wanted


def lacking(kitchen: Kitchen, core: Core) -> list[Need]:
    """The needs of all cookers, most urgent first."""
    return list(_lacking(kitchen, core.pots, core.orders, (*core.held, *core.shelves)))


@lru_cache(maxsize=_REMEMBERED)
def _lacking(
    kitchen: Kitchen, pots: Sequence[tuple[str, int]], orders: Sequence[str], items: Sequence[str]
) -> tuple[Need, ...]:
    """:func:`lacking`, which does not depend on where the cooks are."""
    g, wanted = ground(kitchen.rows), _unmade(orders, items)
    needs = []
    by_content = sorted(range(len(pots)), key=lambda slot: (-len(pots[slot][0]), pots[slot][1], slot))
    for slot in by_content:
        (inside, left), pot = pots[slot], g.pots[slot]
        if len(inside) == kitchen.size:
            useful = inside in wanted
            if useful:
                wanted.remove(inside)
            needs.append(Need((0 if left <= _EARLY else 30 + left) if useful else 50, "P", pot))
            continue
        order = next((order for order in wanted if fitting(inside, order)), None)
        if order is not None:
            wanted.remove(order)
            more = missing(inside, order)
            needs += [Need(10 + len(more) + 5 * (not inside), item, pot) for item in more]
        elif inside:  # spoilt: fill it up, so that it can be emptied
            spare = next(mark for mark in INGREDIENTS if g.of(mark))
            needs += [Need(60, spare, pot)] * (kitchen.size - len(inside))
    return tuple(sorted(needs))


def _with_hands_full(g: Ground, core: Core, seat: int, needs: list[Need]) -> int | None:
    """The destination of a held item.

    The need that it meets is removed.
    """
    item, at = core.held[seat], core.at[seat]
    if item.startswith("S"):
        return _towards(g, core, seat, min(g.of("W")))
    met = [need for need in needs if need.item == item]
    if met:
        best = min(met, key=lambda need: (need.rank, g.near[need.pot].get(at, 99)))
        needs.remove(best)
        return _towards(g, core, seat, best.pot)
    homes = [cell for cell in g.of(item) if at in g.near[cell]] or _empty(g, core, at)
    return min(homes, key=lambda cell: g.near[cell][at], default=None)


def _towards(g: Ground, core: Core, seat: int, station: int) -> int | None:
    """The station, or a counter from which the other cook continues.

    The other cook can take the item from that counter.
    """
    at, other = core.at[seat], core.at[1 - seat]
    if at in g.near[station]:
        return station
    shared = [cell for cell in _empty(g, core, at) if other in g.near[cell]] if other in g.near[station] else []
    return min(shared, key=lambda cell: (g.near[cell][at], g.near[cell][other], cell), default=None)


def _empty(g: Ground, core: Core, at: int) -> list[int]:
    return [cell for cell, item in zip(g.shelves, core.shelves, strict=True) if not item and at in g.near[cell]]


def _share_out(g: Ground, core: Core, free: list[int], needs: list[Need], goals: list[int | None]) -> None:
    """Assign urgent needs to the nearest free cooks until none is free."""
    lying = {cell: item for cell, item in zip(g.shelves, core.shelves, strict=True) if item}
    window = min(g.of("W"))
    for cell in [cell for cell, item in lying.items() if item.startswith("S")]:
        _fetch(g, core, free, goals, cell, window)
    later = []
    for need in needs:
        if not free:
            return
        ready = [cell for cell, item in lying.items() if item == need.item and _takers(g, core, cell, need.pot)]
        if ready:
            cell = min(ready, key=lambda cell: min(g.near[cell][core.at[s]] for s in _takers(g, core, cell, need.pot)))
            del lying[cell]
            _fetch(g, core, free, goals, cell, need.pot)
            continue
        if not _fetch_new(g, core, free, goals, need, around=True):
            later.append(need)
    for need in later:  # nothing else is left: wait in line
        _fetch_new(g, core, free, goals, need, around=False)


def _fetch_new(g: Ground, core: Core, free: list[int], goals: list[int | None], need: Need, around: bool) -> bool:
    """Send the nearest free cook to a box.

    With ``around``, only to one the other cook does not block.
    """
    ways = []
    for seat in free:
        at, other = core.at[seat], core.at[1 - seat]
        near = g.near[need.pot]
        if at not in near and not (other in near and any(other in g.near[cell] for cell in _empty(g, core, at))):
            continue
        for box in g.of(need.item):
            beside = g.near[box]
            if at in beside and not (around and [cell for cell, left in beside.items() if not left] == [other]):
                ways.append((beside[at], seat, box))
    if ways:
        _, seat, box = min(ways)
        goals[seat] = box
        free.remove(seat)
    return bool(ways)


def _takers(g: Ground, core: Core, cell: int, station: int) -> list[int]:
    """Cooks who can carry an item from a counter to a station."""
    return [seat for seat in (0, 1) if core.at[seat] in g.near[cell] and core.at[seat] in g.near[station]]


def _fetch(g: Ground, core: Core, free: list[int], goals: list[int | None], cell: int, station: int) -> None:
    """Send the nearest free cook who can to pick up an item.

    One waiting for a busy cook stays.
    """
    takers = [seat for seat in _takers(g, core, cell, station) if seat in free]
    if takers:
        seat = min(takers, key=lambda seat: (g.near[cell][core.at[seat]], seat))
        goals[seat] = cell
        free.remove(seat)


# -- ways ----------------------------------------------------------------------------------------------------------------


def _waiting(g: Ground, core: Core, seat: int, goal: int | None) -> bool:
    """Whether a cook is next to a cooker that is not ready."""
    if goal is None or g.text[goal] != "C" or g.near[goal].get(core.at[seat]) != 0:
        return False
    return core.held[seat] == "P" and core.pots[g.index[goal]][1] > 1


def _straight(g: Ground, at: int, goal: int) -> int:
    """The first step of a shortest path, ignoring the other cook."""
    way = g.straight.get((at, goal))
    if way is None:
        near = g.near[goal]
        ways = [
            -1 if to == goal else near.get(to, -2) for to in g.around[at]
        ]  # the goal is one step beyond its neighbours
        way = g.straight[at, goal] = ways.index(near[at] - 1)
    return way


def way_around(g: Ground, at: int, other: int, goal: int) -> int | None:
    """The first step to use something, around the other cook.

    None if there is no path.
    """
    asked = (at, other, goal)
    if asked not in g.ways:
        g.ways[asked] = _around(g, at, other, goal)
    return g.ways[asked]


def _around(g: Ground, at: int, other: int, goal: int) -> int | None:
    near = g.near[goal]
    if near.get(other, near[at]) >= near[at]:  # the other one is on no shortest way
        return _straight(g, at, goal)
    seen = {at, other}
    queue = deque((to, way) for way, to in enumerate(g.around[at]) if to in g.around and to != other)
    while queue:
        cell, way = queue.popleft()
        if cell in seen:
            continue
        seen.add(cell)
        if near[cell] == 0:
            return way
        queue.extend((to, way) for to in g.around[cell] if to in g.around and to not in seen)
    return None


def _aside(g: Ground, at: int, other: int, goal: int) -> int:
    """A step out of the other cook's way.

    To where it can pass, else further from its target.
    """
    steps = [(way, to) for way, to in enumerate(g.around[at]) if to in g.around and to != other]
    for way, to in steps:
        if way_around(g, other, to, goal) is not None:
            return way
    return max(steps, key=lambda pair: (g.near[goal][pair[1]], -pair[0]), default=(WAIT, at))[0]
