"""Shortest plans for a quest, proved by search.

Some steps, the *jobs*, are part of every plan: to take what is needed, to open what it is in and the doors on the way to it,
and to cut, to cook, or to put things down. Doors are never part of a circle of ways, so it is certain which ones are on the
way. Nothing undoes a job, each is done exactly once, and there is no limit to what is carried: so a job that is possible may
as well be done at once. What is left to decide is the walk; a breadth-first search among walks finds one with the fewest steps.

The same search plans in a part of a house, for a policy that has seen only this part.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from envhub.envs.worlds.quest.catalogue import APPLIANCES, COOKING, CUTS, KITCHEN, KNIFE, MEAL, holder
from envhub.envs.worlds.quest.rules import House
from envhub.generators.planning.space import Action

Job = tuple[str, ...]
"""A verb and objects, without the room: ``("take", "apple", "fridge")``."""
_NEAR = ("open", "unlock", "take", "put", *COOKING)
_COOK_OF = {mark: verb for verb, mark in COOKING.items()}
_CUT_OF = {mark: verb for verb, mark in CUTS.items()}


@lru_cache(maxsize=256)
def shortest_plan(house: House, state: int, known: frozenset[str] | None = None) -> tuple[Action, ...] | None:
    """A shortest plan from a state.

    Args:
        house: The house.
        state: The facts that hold.
        known: The rooms that may be used, and the furniture whose contents may be read; None for all.

    Returns:
        None if the quest is lost, or what is known does not suffice.
    """
    if house.lost(state):
        return None
    jobs = _Needs(house, state, known)()
    return None if jobs is None else _walk(house, state, jobs, known)


class _Needs:
    """The jobs of a quest from a state.

    None if something needed is not known.
    """

    def __init__(self, house: House, state: int, known: Collection[str] | None) -> None:
        self._house, self._state, self._known = house, state, known
        self._jobs: dict[Job, None] = {}
        self._visited: set[str] = set()
        self._missing = False

    def __call__(self) -> list[Job] | None:
        house, state = self._house, self._state
        if house.kind == "cooking":
            self._cook()
        for thing, *place in house.goals if house.kind != "cooking" else ():
            if not place:
                self._hold(thing)
            elif not house.holds(state, "in", thing, place[0]):
                self._hold(thing)
                self._reach(place[0])
                self._add("put", thing, place[0])
        return None if self._missing else list(self._jobs)

    def _add(self, *job: str) -> None:
        self._jobs[job] = None

    def _cook(self) -> None:
        house, state = self._house, self._state
        if house.holds(state, "held", MEAL) or house.where(state, MEAL):
            self._hold(MEAL)
        else:
            for food, *marks in house.goals:
                self._hold(food)
                for mark in marks:
                    if mark and not house.holds(state, mark, food):
                        self._treat(food, mark)
            self._visit(KITCHEN)
            self._add("prepare")
        self._add("eat", MEAL)

    def _treat(self, food: str, mark: str) -> None:
        if mark in _CUT_OF:
            self._hold(KNIFE)
            self._add(_CUT_OF[mark], food, KNIFE)
        else:
            [appliance] = [name for name in APPLIANCES if holder(name).does == mark]
            self._visit(self._house.holders[appliance])
            self._add(_COOK_OF[mark], food, appliance)

    def _hold(self, thing: str) -> None:
        """Carry a thing."""
        house, state = self._house, self._state
        if house.holds(state, "held", thing):
            return
        place = house.where(state, thing)
        if place is None or (self._known is not None and place not in self._known):
            self._missing = True
        elif place in house.holders:
            self._reach(place)
            self._add("take", thing, place)
        else:
            self._visit(place)
            self._add("pick", thing, place)

    def _reach(self, name: str) -> None:
        """Stand at open furniture."""
        room = self._house.holders[name]
        if self._known is not None and room not in self._known:
            self._missing = True
        else:
            self._visit(room)
            self._open(name)

    def _open(self, name: str) -> None:
        """Open a door or container, and unlock it first."""
        house, state = self._house, self._state
        if not house.holds(state, "shut", name) or ("open", name) in self._jobs:
            return
        self._add("open", name)
        if house.holds(state, "locked", name):
            [key] = [key for key, fitting in house.keys.items() if fitting == name]
            self._add("unlock", key, name)
            self._hold(key)

    def _visit(self, room: str) -> None:
        """Get to a room, through all doors on the way."""
        if room in self._visited:
            return
        self._visited.add(room)
        house = self._house
        before: dict[str, tuple[str, str]] = {}
        start = house.room(self._state)
        queue = deque([start])
        while queue:
            one = queue.popleft()
            for _, other, door in house.ways[one]:
                if other != start and other not in before and (self._known is None or other in self._known):
                    before[other] = one, door
                    queue.append(other)
        if room != start and room not in before:
            self._missing = True
        while room in before and room != start:
            room, door = before[room]
            self._open(door)


def _walk(house: House, state: int, jobs: Sequence[Job], known: Collection[str] | None) -> tuple[Action, ...] | None:
    """The shortest walk on which all jobs are done."""
    first, did, left = _at_once(house, state, frozenset(jobs))
    found: dict[int, tuple[int, tuple[Action, ...], frozenset[Job]]] = {first: (-1, did, left)}
    queue = deque([first])
    while queue:
        now = queue.popleft()
        left = found[now][2]
        if not left:
            return _told(found, now)
        room = house.room(now)
        for _, other, door in house.ways[room]:
            go = house.action("go", room, other, door)
            if go.possible(now) and (known is None or other in known):
                after, did, rest = _at_once(house, go.after(now), left)
                if after not in found:
                    found[after] = now, (go, *did), rest
                    queue.append(after)
    return None


def _at_once(house: House, state: int, jobs: frozenset[Job]) -> tuple[int, tuple[Action, ...], frozenset[Job]]:
    """Do every job that is possible in the room."""
    did: list[Action] = []
    left = sorted(jobs)
    again = True
    while again:
        again = False
        for job in left:
            action = _action(house, state, job)
            if action is not None and action.possible(state):
                state = action.after(state)
                did.append(action)
                left.remove(job)
                again = True
                break
    return state, tuple(did), frozenset(left)


def _action(house: House, state: int, job: Job) -> Action:
    verb, *names = job
    return house.action(verb, *names, house.room(state)) if verb in _NEAR else house.action(verb, *names)


def _told(found: dict[int, tuple[int, tuple[Action, ...], frozenset[Job]]], state: int) -> tuple[Action, ...]:
    return tuple(_backwards(found, state))[::-1]


def _backwards(found: dict[int, tuple[int, tuple[Action, ...], frozenset[Job]]], state: int) -> Iterator[Action]:
    while state != -1:
        state, did, _ = found[state]
        yield from reversed(did)
