"""Search for plans of two cooks, one of them rule-based.

The rule-based cook commits to a round of steps at a time, from the kitchen at its start. The other cook is planned by a
beam search over errands, which keeps a few of the best states of every round. The search plays the kitchen, so every
plan it finds is feasible, but not proved to be the shortest::

    line = plan(kitchen, core, seat=0, steps=4, most=120)    # what both do, step by step; None where nothing was found
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from envhub.envs.games.kitchen.cook import BOTH, assigned, foreseen, lacking, script, way_around
from envhub.envs.games.kitchen.rules import (
    INGREDIENTS,
    WAIT,
    Actions,
    Core,
    Ground,
    Kitchen,
    fitting,
    ground,
    progress,
    step,
)

_KEPT: Final = 4
_LONGEST: Final = 24
Past = tuple["Past", Actions] | None


class Now(NamedTuple):
    """A search node: time, state, and the other cook's remaining steps.

    Attributes:
        stirred: Whether the searched cook has done anything in this round.
        counted: Whether it had in the previous round.
        past: The steps so far, last one first.
    """

    time: int
    core: Core
    queue: tuple[int, ...]
    stirred: bool
    counted: bool
    past: Past


class _Search:
    """A kitchen with one rule-based cook.

    In rounds of a fixed number of steps.
    """

    def __init__(self, kitchen: Kitchen, seat: int, steps: int) -> None:
        self.kitchen, self.seat, self.steps = kitchen, seat, steps
        self.ground: Ground = ground(kitchen.rows)
        self._rounds: dict[tuple[Core, bool], tuple[int, ...]] = {}

    def told(self, core: Core, counted: bool) -> tuple[int, ...]:
        """The steps of the rule-based cook in a round."""
        found = self._rounds.get((core, counted))
        if found is None:
            found = partner_round(self.kitchen, core, 1 - self.seat, self.steps, counted)
            self._rounds[core, counted] = found
        return found

    def after(self, now: Now, action: int) -> Now:
        """The node one step later."""
        queue, counted, stirred = now.queue, now.counted, now.stirred
        if not queue:
            counted = stirred if now.time else True
            queue, stirred = self.told(now.core, counted), False
        actions = (action, queue[0]) if self.seat == 0 else (queue[0], action)
        core = step(self.kitchen, now.core, actions)
        past: Past = (now.past, actions)
        return Now(now.time + 1, core, queue[1:], stirred or action != WAIT, counted, past)

    def errands(self, now: Now, before: int) -> Iterator[Now]:
        """The states after each errand that ends before a time."""
        core, hand = now.core, now.core.held[self.seat]
        found = self._by_rule(now, before)
        if found is not None:
            yield found
        rule = assigned(self.kitchen, core)[self.seat]
        for goal in self._goals(core, hand):
            if goal != rule:
                found = self._run(now, goal, before)
                if found is not None:
                    yield found
        waits = max(1, len(now.queue))
        if now.time + waits < before:
            for _ in range(waits):
                now = self.after(now, WAIT)
            yield now

    def _by_rule(self, now: Now, before: int) -> Now | None:
        """Follow the rule until it takes or parts with something.

        None if that takes too long.
        """
        held, allowed = now.core.held[self.seat], before - now.time - 1
        for _ in range(min(_LONGEST, allowed)):
            now = self.after(now, script(self.kitchen, now.core)[self.seat])
            if now.core.held[self.seat] != held or not now.core.orders:
                return now
        return now if allowed >= _LONGEST else None

    def _goals(self, core: Core, hand: str) -> list[int]:
        """The cells that may be worth using next."""
        g, at = self.ground, core.at[self.seat]
        lying = {cell: item for cell, item in zip(g.shelves, core.shelves, strict=True) if at in g.near[cell]}
        if not hand:
            asked = [mark for mark in INGREDIENTS if any(mark in order for order in core.orders)]
            goals = [cell for mark in [*asked, "P"] for cell in g.of(mark)] + [cell for cell in lying if lying[cell]]
        elif hand.startswith("S"):
            goals = list(g.of("W"))
        elif hand == "P":
            goals = [cell for cell, pot in zip(g.pots, core.pots, strict=True) if len(pot[0]) == self.kitchen.size]
        else:
            goals = [
                cell
                for cell, (inside, _) in zip(g.pots, core.pots, strict=True)
                if len(inside) < self.kitchen.size
                and any(fitting("".join(sorted(inside + hand)), order) for order in core.orders)
            ]
        goals = [cell for cell in goals if at in g.near[cell]]
        if hand and not goals:
            passing = [cell for cell, item in lying.items() if not item and core.at[1 - self.seat] in g.near[cell]]
            goals = sorted(passing, key=lambda cell: g.near[cell][at])[:2]
        return goals

    def _run(self, now: Now, goal: int, before: int) -> Now | None:
        """Walk to a cell and use it.

        None if that has no effect or takes too long.
        """
        held = now.core.held[self.seat]
        for _ in range(min(_LONGEST, before - now.time - 1)):
            at, other = now.core.at[self.seat], now.core.at[1 - self.seat]
            way = way_around(self.ground, at, other, goal)
            now = self.after(now, WAIT if way is None else way)
            if now.core.held[self.seat] != held:
                return now
            if not now.core.orders:
                return now
        return None

    def worth(self, core: Core) -> float:
        """The progress of a state.

        Useful items in hands or lying ready count a little.
        """
        total = progress(self.kitchen, core) * (len(core.orders) + core.served)
        needed = [need.item for need in lacking(self.kitchen, core)]
        for share, items in ((0.08, core.held), (0.06, core.shelves)):
            for item in items:
                if item in needed:
                    needed.remove(item)
                    total += share
        return total

    def by_rule(self, now: Now, most: int) -> Now | None:
        """The end if both follow the rule, round by round.

        None if it is not reached in time.
        """
        seen = True  # whether the other one has stirred, as far as this one knows
        while now.core.orders and now.time < most:
            mine = partner_round(self.kitchen, now.core, self.seat, self.steps, seen)
            theirs = now.queue or self.told(now.core, now.stirred)
            seen = any(action != WAIT for action in theirs)
            for action in mine:
                now = self.after(now, action)
                if not now.core.orders:
                    return now if now.time <= most else None
        return None


def partner_round(kitchen: Kitchen, core: Core, seat: int, steps: int, counted: bool) -> tuple[int, ...]:
    """The rule-based cook's steps in a round.

    It counts on the other one only if that stirred last round.
    """
    whom = BOTH if counted else (seat,)
    return tuple(actions[seat] for actions in foreseen(kitchen, core, steps, whom))


def alone(kitchen: Kitchen, core: Core, seat: int, steps: int, rounds: int) -> list[int]:
    """Soups one rule-based cook serves alone by the end of each round.

    The other cook is absent, or waits at its start: whichever serves more.
    """
    away = core._replace(at=(-1, core.at[1]) if seat == 1 else (core.at[0], -1))
    served = []
    for begun, counted in ((away, False), (core, True)):
        at, found = begun, []
        for _ in range(rounds):
            for action in partner_round(kitchen, at, seat, steps, counted):
                at = step(kitchen, at, (WAIT, action) if seat == 1 else (action, WAIT))
            found.append(at.served)
            counted = False  # a cook that only waited is not counted on
        served.append(found)
    return [max(pair) for pair in zip(*served, strict=True)]


def paired(kitchen: Kitchen, core: Core, seat: int, steps: int, most: int) -> int | None:
    """Steps that two rule-based cooks need; None if more than ``most``.

    An upper bound for a plan.
    """
    search = _Search(kitchen, seat, steps)
    now = search.by_rule(Now(0, core, search.told(core, True), False, True, None), most)
    return None if now is None else now.time


def plan(
    kitchen: Kitchen, core: Core, seat: int, steps: int, most: int, counted: bool = True, kept: int = _KEPT
) -> list[Actions] | None:
    """Plan for both cooks until every order is served.

    The other follows the rule.

    Args:
        kitchen: The kitchen.
        core: The state at the beginning of a round.
        seat: The seat to plan for.
        steps: Steps per round.
        most: Maximum number of steps.
        counted: Whether the rule-based cook counts on the other one in the first round.
        kept: Number of states kept per round.

    Returns:
        The steps of both, or None where the search finds no such plan.
    """
    search = _Search(kitchen, seat, steps)
    begun = Now(0, core, search.told(core, counted), False, counted, None)
    rounds: list[list[Now]] = [[] for _ in range(most // steps + 2)]  # the last one stays empty
    rounds[0].append(begun)
    best = search.by_rule(begun, most)
    before = most + 1 if best is None else min(most + 1, best.time)
    for at in range(len(rounds) - 1):
        fresh: dict[tuple[Core, int], Now] = {}
        for now in rounds[at]:
            fresh.setdefault((now.core, now.time), now)
        ranked = sorted(fresh.values(), key=lambda now: (-search.worth(now.core), now.time))
        for now in ranked[:kept]:
            for then in search.errands(now, before):
                if then.time >= before:
                    continue
                if not then.core.orders:
                    best, before = then, then.time
                else:
                    rounds[max(at + 1, then.time // steps)].append(then)
        if best is not None and best.time // steps <= at + 1:
            break
    return None if best is None else _steps(best.past)


def _steps(past: Past) -> list[Actions]:
    found: list[Actions] = []
    while past is not None:
        past, actions = past
        found.append(actions)
    return found[::-1]
