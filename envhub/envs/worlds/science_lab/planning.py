"""A shortest plan to prove the answer, knowing the whole laboratory.

The experiments are all made at the bench and do not move anything else. So a shortest plan is a shortest tour that fetches what
is needed and ends at the bench, followed by the shortest experiment on each subject; what is in use already comes first. Where
several bulbs or blocks would do, each is planned by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from envhub.envs.worlds.science_lab.catalogue import kind
from envhub.envs.worlds.science_lab.rules import Lab
from envhub.envs.worlds.science_lab.tour import Tour, errands
from envhub.generators.planning.search import shortest
from envhub.generators.planning.space import Action

_MOST_KEPT: Final = 4096


class _Way(NamedTuple):
    """One way to prove the answer.

    Attributes:
        spare: The bulb or block that is used, or nothing.
        proof: The facts that prove the value of each subject.
    """

    spare: str
    proof: tuple[int, ...]


def next_action(lab: Lab, state: int) -> Action | None:
    """The next action of a shortest plan; None if nothing is left.

    The rest of a shortest plan is a shortest plan, so it is kept for the states that follow.
    """
    kept = _kept(lab)
    if state not in kept and not lab.proved(state):
        if len(kept) > _MOST_KEPT:
            kept.clear()
        at = state
        for action in shortest_plan(lab, state):
            kept[at] = action
            at = action.after(at)
    return kept.get(state)


@lru_cache(maxsize=64)
def _kept(lab: Lab) -> dict[int, Action]:
    """The next action by state, for a laboratory."""
    return {}


def shortest_plan(lab: Lab, state: int) -> tuple[Action, ...]:
    """A shortest plan to prove the answer, the first of several."""
    return min((_planned(lab, state, way) for way in _ways(lab)), key=len)


def _ways(lab: Lab) -> Iterator[_Way]:
    spares = [thing for thing in lab.things if kind(thing) == lab.experiment.spares]
    if lab.kind == "planes":
        yield from map(_Way, spares, lab.proofs)
    elif lab.kind == "circuits":
        yield from (_Way(bulb, lab.proofs[0]) for bulb in lab.hidden["working"])
    else:
        yield _Way("", lab.proofs[0])


def _planned(lab: Lab, state: int, way: _Way) -> tuple[Action, ...]:
    """The tour, then the experiments."""
    plan = list(_fetched(lab, state, way))
    for action in plan:
        state = action.after(state)
    while (subject := _next_subject(lab, state, way)) is not None:
        actions = tuple(_helpful(lab, state, way, subject))
        steps = shortest(state, way.proof[lab.subjects.index(subject)], actions, lambda state: 0)
        if steps is None:
            raise ValueError(f"nothing can be found out about {subject}")
        for action in steps:
            state = action.after(state)
        plan += steps
    return tuple(plan)


def _open_subjects(lab: Lab, state: int, way: _Way) -> list[str]:
    return [name for name, fact in zip(lab.subjects, way.proof, strict=True) if state & fact != fact]


def _next_subject(lab: Lab, state: int, way: _Way) -> str | None:
    """The next subject: one that is in use, if any."""
    left = _open_subjects(lab, state, way)
    return min(left, key=lambda name: not _in_use(lab, state, name), default=None)


def _in_use(lab: Lab, state: int, subject: str) -> bool:
    if lab.kind == "genetics":
        pollen = lab.one(state, "pollen")
        return pollen is not None and (pollen == subject or lab.holds(state, "proves", pollen, subject))
    return lab.experiment.carried and any(lab.holds(state, fact, subject) for fact in ("on-plate", "in-clips"))


# -- fetching ----------------------------------------------------------------------------------------------------------


def _fetched(lab: Lab, state: int, way: _Way) -> tuple[Action, ...]:
    """A shortest tour after which everything needed is at hand."""
    left = _open_subjects(lab, state, way)
    if not left:
        return ()
    tools = _tools(lab, state, left, way)
    wanted = [*tools, *(left if lab.experiment.carried else [])]
    things = [name for name in wanted if lab.holds(state, "in", name, lab.things[name])]
    water = "watering can" in tools and not lab.holds(state, "filled", "watering can")
    tour = Tour(lab, things, water=water, bench=_needs_bench(lab, state, left))
    found = shortest(state, tour.goal, tuple(errands(lab, state, tour)), tour)
    if found is None:
        raise ValueError("something that is needed cannot be reached")
    return found


def _tools(lab: Lab, state: int, left: Sequence[str], way: _Way) -> list[str]:
    """The instruments that are still needed."""
    match lab.kind:
        case "circuits":
            return [way.spare]
        case "matter":
            return ["thermometer"] if any(not lab.holds(state, "measured", name) for name in left) else []
        case "growth":
            return ["watering can", *(["seeds"] if any(not lab.holds(state, "sown", pot) for pot in left) else [])]
    return [*lab.experiment.instruments, *([way.spare] if way.spare else [])]


def _needs_bench(lab: Lab, state: int, left: Sequence[str]) -> bool:
    """Whether anything is left that can be done at the bench alone."""
    return lab.kind != "matter" or any(
        not lab.holds(state, "melted", name) or lab.holds(state, "on-plate", name) for name in left
    )


# -- experimenting -----------------------------------------------------------------------------------------------------


def _helpful(lab: Lab, state: int, way: _Way, subject: str) -> Iterator[Action]:
    """The actions that a shortest experiment on a subject may need."""
    here = lab.at(state)
    match lab.kind:
        case "matter":
            occupant = lab.one(state, "on-plate")
            yield from (lab.action("lift", name, here) for name in (occupant, subject) if name is not None)
            yield lab.action("place", subject, here)
            yield lab.action("heat-up", here)
            for low, high in pairwise(lab.space.named("level")):
                yield from (lab.action(name, subject, here, low, high) for name in ("warm", "melt"))
            yield lab.action("measure", subject, "thermometer")
            yield lab.action("measure-hot", subject, "thermometer", here)
        case "circuits":
            for fact, verb in (("in-socket", "unfit"), ("in-clips", "unclip")):
                occupant = lab.one(state, fact)
                yield from (lab.action(verb, name, here) for name in (occupant,) if name is not None)
            yield lab.action("fit", way.spare, here)
            yield lab.action("clip", subject, here)
            yield lab.action("test", subject, way.spare, here)
        case "growth":
            stages = lab.space.named("level")
            yield lab.action("sow", subject, "seeds", here, stages[0])
            yield from (lab.action("stall", subject, "watering can", here, stage) for stage in stages)
            yield from (lab.action("grow", subject, "watering can", here, *pair) for pair in pairwise(stages))
        case "planes":
            yield lab.action("slide", subject, way.spare, "stopwatch", here)
        case "genetics":
            yield from _crossings(lab, subject, here)


def _crossings(lab: Lab, subject: str, here: str) -> Iterator[Action]:
    plants = [subject, *lab.hidden["pure"]]
    for plant in plants:
        yield lab.action("dip", plant, "brush", here)
    for plant in plants:
        for pollen in lab.standing:
            yield from (lab.action(verb, plant, pollen, "brush", here) for verb in ("prove", "prove-back", "pollinate"))
