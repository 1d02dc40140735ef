"""The suite of :mod:`tests.envs.test_farming` where something live stands behind: a kernel, a shell, a repository.

Nothing is forked, for what is live may refuse it: every player begins the same task anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

import pytest

import envhub
from envhub.authoring.game import Game
from envhub.core.seeding import Stream
from envhub.gymnasium.env import Env
from envhub.registry.registry import builtin_ids, load, self_contained, spec
from tests.envs.test_farming import COSTS, PLAYERS, gains
from tests.support.kernels import needed

pytestmark = pytest.mark.slow

BROKEN = {"regressions"}
"""Components that count what was broken."""


def live(id: str) -> bool:
    cls = load(spec(id))
    return bool(cls.required()) and cls.max_turns > 1 and not issubclass(cls, Game) and self_contained(id)


def begun(id: str) -> Env:
    env = envhub.make(id, difficulty=2)
    env.reset(seed=3)
    return env


def solved(id: str) -> tuple[list[str], dict[str, float]]:
    """What the oracle does, and what it is paid."""
    env, actions = begun(id), []
    try:
        while not env.episode.over:
            actions.append(env.solve())
            env.step(actions[-1])
        return actions, gains(env, iter(()))
    finally:
        env.close()


def paid(id: str, actions: Iterator[str]) -> dict[str, float]:
    env = begun(id)
    try:
        return gains(env, actions)
    finally:
        env.close()


@pytest.mark.parametrize("id", [id for id in builtin_ids() if live(id)])
def test_going_round_pays_no_more_than_finishing(id: str) -> None:
    needed(id)
    actions, best = solved(id)
    assert best["accuracy"] == 1.0
    for number, player in enumerate(PLAYERS):
        got = paid(id, player(actions, Stream(b"farm", number)))
        assert {name: got[name] for name in got.keys() - BROKEN if got[name] > best[name] + 1e-9} == {}


DENSE = {
    "apps-code-v0": "right",
    "ehr-v0": "passed",
    "gui-v0": "right",
    "lean-tactic-v0": "closed",
    "proposer-v0": "valid",
    "repo-repair-v0": "passed",
    "shell-v0": "right",
    "terminal-v0": "right",
}


def test_every_dense_component_is_looked_at() -> None:
    parts = {id: load(spec(id)).components - COSTS - BROKEN - {"first"} for id in builtin_ids() if live(id)}
    others = {"proposer-v0": {"learnability", "rate"}}  # of which its reward is made
    assert {id: {DENSE[id]} | others.get(id, set()) for id in DENSE} == {id: set(f) for id, f in parts.items() if f}


@pytest.mark.parametrize("id", DENSE)
def test_who_does_nothing_is_paid_less(id: str) -> None:
    needed(id)
    assert solved(id)[1][DENSE[id]] == 1.0
    assert paid(id, repeat(""))[DENSE[id]] < 1.0
