"""An environment under audit, and how it is played.

::

    subject = Subject("sudoku-v0")                 # or Subject("sudoku-v0", FULL)
    oracle_actions(subject.begun(level=3, seed=1))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from envhub.authoring import Environment, ToolEnv
from envhub.authoring.game.model_opponent import ModelOpponents
from envhub.core.difficulty import LEVELS
from envhub.core.types import Verdict
from envhub.gymnasium.env import Env
from envhub.making import make
from envhub.registry.registry import load, spec
from envhub.verifiers.answers.extraction import FORMS
from envhub.verifiers.proofs.checker import Proofs


class Breach(AssertionError):
    """An environment does not keep the contract."""


def require(holds: bool, message: str) -> None:
    """Say that the contract is broken, unless something holds.

    Raises:
        Breach: It does not.
    """
    if not holds:
        raise Breach(message)


@dataclass(frozen=True)
class Depth:
    """How thoroughly an environment is audited.

    Attributes:
        name: ``fast`` or ``full``.
        oracle_seeds: Seeds the oracle plays at every level.
        controls: Seeds at which wrong answers are tried, at every level that is looked at.
        fuzzed: Random texts at every level that is looked at.
        constants: Problems that constant answers are tried on.
        distinct: Problems drawn to count how many differ.
        efforts: Problems whose effort is measured at every level.
        timed: Problems that are timed at every level.
        episodes: Episodes of every reference agent at every level.
        others: Problems whose solutions are tried on others, at every level that is looked at.
        policies: Blind policies that are tried.
        forms: Problems of a level whose kinds of question are counted.
        draws: Seeds of every split and level that must give a task.
    """

    name: str
    oracle_seeds: int
    controls: int
    fuzzed: int
    constants: int
    distinct: int
    efforts: int
    timed: int
    episodes: int
    others: int = 4
    policies: int = 48
    forms: int = 120
    draws: int = 8


FAST: Final = Depth("fast", 20, 3, 12, 40, 200, 5, 20, 20)
SLOW: Final = Depth("fast", 6, 2, 12, 16, 60, 5, 10, 10, policies=16, forms=60, draws=1)
"""What fast is for environments that are slow to draw, or whose answers are judged by a job."""
LIVE: Final = Depth("fast", 3, 2, 12, 6, 60, 5, 6, 5, policies=5, forms=60, draws=5)
"""What fast is for environments whose every turn is a command to something live."""
PROVED: Final = Depth("fast", 1, 1, 6, 3, 60, 5, 6, 2, others=2, policies=3, forms=40, draws=3)
"""What fast is for environments of proofs: a kernel takes a quarter of a second for what it accepts."""
FULL: Final = Depth("full", 200, 12, 400, 1000, 10_000, 40, 300, 200, forms=400, draws=500)
FULL_LIVE: Final = Depth("full", 20, 4, 60, 40, 1000, 10, 40, 20, policies=16, forms=200, draws=500)
"""What full is for environments that need the world for every answer, or for every turn."""
FULL_GAME: Final = Depth("full", 40, 6, 60, 100, 1000, 20, 40, 60, policies=32, forms=200, draws=500)
"""What full is for games, whose opponents search."""


@dataclass(frozen=True)
class Subject:
    """An environment under audit.

    Attributes:
        id: Its id.
        wanted: How thoroughly.
    """

    id: str
    wanted: Depth = FAST

    @cached_property
    def depth(self) -> Depth:
        """How thoroughly, seeing what it costs to draw and to play."""
        resources = self.environment.resources.values()
        if self.wanted is FULL and resources:
            return FULL_GAME if all(isinstance(resource, ModelOpponents) for resource in resources) else FULL_LIVE
        if self.wanted is not FAST:
            return self.wanted
        if any(isinstance(resource, Proofs) for resource in resources):
            return PROVED
        if resources and isinstance(self.environment, ToolEnv):
            return LIVE
        return SLOW if self.environment.slow or self.environment.resources else FAST

    @cached_property
    def environment(self) -> Environment:
        """Its rules."""
        return load(spec(self.id))()

    @property
    def levels(self) -> tuple[int, ...]:
        """The levels that shares are measured at: all in full, else 1, 5 and 10."""
        return tuple(LEVELS) if self.depth.name == FULL.name else (1, 5, 10)

    @property
    def formats(self) -> tuple[str | None, ...]:
        """The answer formats it can ask for."""
        return (None,) if isinstance(self.environment, ToolEnv) else FORMS

    def env(self, level: int, **settings: Any) -> Env:
        """The environment at a level."""
        return make(self.id, difficulty=level, **settings)

    def begun(self, level: int, seed: int, **settings: Any) -> Env:
        """The environment at a level, reset."""
        env = self.env(level, **settings)
        env.reset(seed=seed)
        return env


def oracle_actions(env: Env) -> list[str]:
    """Play the oracle to the end; what it did.

    Raises:
        Breach: The episode does not end within its turns, or is not solved.
    """
    actions: list[str] = []
    done = False
    reward = 0.0
    info: dict[str, Any] = {}
    while not done:
        actions.append(env.solve())
        _, reward, terminated, truncated, info = env.step(actions[-1])
        require(not truncated, f"The oracle's episode was cut: {where(env)}: {info.get('verdict')}.")
        require(len(actions) <= env.environment.max_turns, f"The oracle does not finish: {where(env)}.")
        done = terminated
    verdict = info["verdict"]
    passed = verdict["components"].get("passed", 1.0) == 1.0
    require(reward == 1.0 and verdict["solved"] is True and passed, f"The oracle fails: {where(env)}: {verdict}.")
    return actions


def play(env: Env, actions: Iterator[str]) -> Verdict:
    """Play actions until the episode ends; whatever they are, an ``error`` is a breach, and so is a check that they broke."""
    for action in actions:
        turn = env.episode.step(action)
        if turn.verdict is not None:
            require(
                turn.verdict.status != "error", f"{where(env)} could not judge {action[:60]!r}: {turn.verdict.error}."
            )
            require(not turn.verdict.components.get("abuse"), f"{where(env)} is broken by {action[:60]!r}.")
            require(turn.verdict.score is not None and 0 <= turn.verdict.score <= 1, f"{where(env)}: {turn.verdict}.")
            passed = turn.verdict.components.get("passed", float(bool(turn.verdict.solved)))
            what = "does not fit the share of the cases that passed"
            require(
                0 <= passed <= 1 and (passed == 1) == bool(turn.verdict.solved), f"{where(env)} {what}: {turn.verdict}."
            )
            return turn.verdict
    raise Breach(f"The episode did not end: {where(env)}.")


def where(env: Env) -> str:
    """Which task an environment stands at, for messages."""
    return f"{env.task.env_id} at {env.task.difficulty}, seed {env.task.seed}"
