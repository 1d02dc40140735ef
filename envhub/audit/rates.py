"""Contract on solve rates: heuristics do worse at harder levels.

Published rates are reproducible.

``agents`` are the measured reference agents: ``random``, ``greedy``, ``reference``, ``noisy oracle``, ``oracle``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Breach, Subject, play, require
from envhub.authoring import Environment
from envhub.core.difficulty import LEVELS
from envhub.core.seeding import Stream
from envhub.core.statistics import NORMAL_999, difference, spearman, wilson
from envhub.core.types import Rates
from envhub.gymnasium.env import Env

Agent = Callable[[Env, Stream], str]
Hits = tuple[int, int]
"""Solved episodes and all episodes."""

_NOISE: Final = 4  # one in this many actions of the noisy oracle is random
_TREND: Final = -0.8
_NOTHING: Final = 0.01
_SEED: Final = 4_000_000


def agents(environment: Environment) -> dict[str, Agent]:
    """The reference agents that an environment has, by name."""

    def noisy(at: Env, rng: Stream) -> str:
        return at.random_action(rng) if rng.below(_NOISE) == 0 else at.solve()

    def greedy(at: Env, rng: Stream) -> str:
        return at.environment.greedy_action(at.episode.instance, at.episode.state, rng) or ""

    def reference(at: Env, rng: Stream) -> str:
        return at.environment.reference_action(at.episode.instance, at.episode.state, rng) or ""

    found: dict[str, Agent] = {"random": lambda at, rng: at.random_action(rng)}
    if type(environment).greedy_action is not Environment.greedy_action:
        found["greedy"] = greedy
    if type(environment).reference_action is not Environment.reference_action:
        found["reference"] = reference
    return {**found, "noisy oracle": noisy, "oracle": lambda at, rng: at.solve()}


def played(subject: Subject, level: int, name: str) -> Hits:
    """Solved and played episodes of a reference agent at a level.

    Each is played once.
    """
    return subject.once(("agent", level, name), lambda: _played(subject, level, agents(subject.environment)[name]))


def _played(subject: Subject, level: int, agent: Agent) -> Hits:
    env = subject.env(level)
    solved = 0
    for seed in range(subject.depth.episodes):
        env.reset(seed=_SEED + seed)
        solved += bool(play(env, _acting(agent, env, Stream(seed.to_bytes(8, "little"), "audit", "agent"))).solved)
    return solved, subject.depth.episodes


def _acting(agent: Agent, env: Env, rng: Stream) -> Iterator[str]:
    while True:
        yield agent(env, rng)


@applies_if(lambda subject: "greedy" in agents(subject.environment))
def check_greedy_trend(subject: Subject) -> None:
    """Heuristics solve less at higher levels, without significant rises.

    Spearman's correlation over all levels is at most -0.8. A rate whose lower 99.9 % bound is below 1 % counts as 0.
    Fast audits only look for significant rises between levels 1, 5 and 10.
    """
    hits = {level: played(subject, level, "greedy") for level in subject.levels}
    for (low, before), (high, after) in combinations(hits.items(), 2):
        require(
            difference(before, after, NORMAL_999)[0] <= 0,
            f"{subject.id}: greedy solves {before[0]} of {before[1]} at {low}, and {after[0]} of {after[1]} at {high}.",
        )
    if len(hits) == len(LEVELS):
        rates = [
            solved / tried if wilson(solved, tried, NORMAL_999)[0] >= _NOTHING else 0.0
            for solved, tried in hits.values()
        ]
        found = falling(rates)
        shown = " ".join(f"{rate:.2f}" for rate in rates)
        require(
            not any(rates) or found <= _TREND,
            f"{subject.id}: the rates of `greedy_action` ({shown}) fall by {found:.2f} only (Spearman; {_TREND} is asked).",
        )


def falling(rates: Sequence[float]) -> float:
    """Spearman's correlation of rates and levels, relative to rates in falling order.

    Rates that fall to 0 and stay there thus give -1 in spite of ties.
    """
    levels = [float(level) for level in range(len(rates))]
    best = spearman(levels, sorted(rates, reverse=True))
    return -spearman(levels, rates) / best if best else 0.0


@applies_if(lambda subject: subject.environment.reference is not None or subject.environment.ceiling is not None)
def check_rates(subject: Subject) -> None:
    """Published rates hold.

    The reference policy reaches its own, no heuristic beats it, and no agent exceeds a ceiling.
    """
    environment = subject.environment
    known = agents(environment)
    if environment.reference is not None and "reference" not in known:
        raise Breach(
            f"{subject.id} publishes the rates of {environment.reference.policy!r} without `reference_action`."
        )
    for level in subject.levels:
        hits = {name: played(subject, level, name) for name in known if "oracle" not in name}
        where = f"{subject.id} at {level}"
        if environment.reference is not None:
            _check_reference(where, environment.reference, level, hits)
        if environment.ceiling is not None:
            ceiling = environment.ceiling.solved[level - 1]
            declared = environment.reference.solved[level - 1] if environment.reference is not None else 0.0
            require(declared <= ceiling, f"{where}: the reference rate {declared} is above the ceiling {ceiling}.")
            for name, (solved, tried) in hits.items():
                low = wilson(solved, tried, NORMAL_999)[0]
                require(low <= ceiling, f"{where}: {name} solves {solved} of {tried}; the ceiling is {ceiling}.")


def _check_reference(where: str, rates: Rates, level: int, hits: Mapping[str, Hits]) -> None:
    declared, measured = rates.solved[level - 1], hits["reference"]
    if rates.episodes:
        low, high = difference((declared * rates.episodes, rates.episodes), measured, NORMAL_999)
        fits = low <= 0 <= high
    else:
        low, high = wilson(*measured, NORMAL_999)
        fits = low <= declared <= high
    require(fits, f"{where}: {rates.policy!r} solves {measured[0]} of {measured[1]}; published is {declared}.")
    if "greedy" in hits:
        better = difference(measured, hits["greedy"], NORMAL_999)[0] > 0
        require(
            not better, f"{where}: `greedy_action` solves more than {rates.policy!r}: {hits['greedy']}, {measured}."
        )
