"""Episodes whose sessions are taken away while they are played: what an environment with a live session must survive."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import envhub
from envhub.gymnasium.env import Env
from envhub.sandbox.default import default_sandbox
from envhub.sandbox.sandbox import LocalSandbox
from tests.sandbox import jails


@pytest.fixture(scope="module")
def jailed() -> None:
    """Programs can be run here."""
    jails.backend()


def nothing(env: Env) -> None:
    """Leave it as it is."""


def slot_ends(env: Env) -> None:
    """Every slot that holds a session ends, as if it had been killed; nobody is told."""
    sandbox = default_sandbox()
    assert isinstance(sandbox, LocalSandbox)
    for held in sandbox._sessions._held.values():
        held.place.clear()


def live_drops(env: Env) -> None:
    """The live resource is given back."""
    env.episode.close()


BLOWS: dict[str, Callable[[Env], None]] = {"slot": slot_ends, "live": live_drops}


def played(env: Env, actions: list[str], blow: Callable[[Env], None] = nothing) -> list[Any]:
    """What the actions lead to, a blow falling before each."""
    seen = []
    for action in actions:
        blow(env)
        seen.append(env.step(action))
    return seen


def restored(env: Env, actions: list[str]) -> list[Any]:
    """What the actions lead to in a chain of environments, each restored from the snapshot of the one before."""
    seen = []
    for action in actions:
        env = envhub.restore(env.snapshot())
        seen.append(env.step(action))
        env.close()
    return seen


def forked(env: Env, actions: list[str]) -> list[Any]:
    """What the actions lead to in a chain of forks."""
    seen = []
    for action in actions:
        env = env.fork()
        seen.append(env.step(action))
    return seen


def survives(env_id: str, actions: Callable[[Env], list[str]], level: int = 2, seed: int = 5) -> list[Any]:
    """Play the same actions undisturbed, under every blow, restored and forked at every turn; all must see the same."""

    def begun() -> Env:
        env = envhub.make(env_id, difficulty=level)
        env.reset(seed=seed)
        return env

    said = actions(begun())
    expected = played(begun(), said)
    for name, blow in BLOWS.items():
        assert repr(played(begun(), said, blow)) == repr(expected), name
    assert repr(restored(begun(), said)) == repr(expected)
    assert repr(forked(begun(), said)) == repr(expected)
    return expected
