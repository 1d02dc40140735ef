"""An environment under audit, and helpers to play it.

::

    subject = Subject("sudoku-v0")                 # or Subject("sudoku-v0", FULL)
    oracle_actions(subject.started(level=3, seed=1))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeVar

from envhub.authoring import Environment, ToolEnv
from envhub.authoring.model_requests import Models
from envhub.browser.resource import Pages
from envhub.core.difficulty import LEVELS
from envhub.core.types import Verdict
from envhub.gymnasium.env import Env
from envhub.making import make
from envhub.registry.registry import load, spec
from envhub.verifiers.answers.extraction import FORMS
from envhub.verifiers.proofs.checker import Proofs

T = TypeVar("T")


class Breach(AssertionError):
    """An environment breaks the contract."""


def require(holds: bool, message: str) -> None:
    """Raise a breach unless a condition holds.

    Raises:
        Breach: The condition does not hold.
    """
    if not holds:
        raise Breach(message)


@dataclass(frozen=True)
class Depth:
    """Depth of an audit.

    Attributes:
        name: ``fast`` or ``full``.
        oracle_seeds: Seeds that the oracle plays per level.
        controls: Seeds for wrong answers, per checked level.
        fuzzed: Random texts per checked level.
        constants: Problems for constant answers.
        distinct: Problems drawn to count distinct ones.
        efforts: Problems per level whose effort is measured.
        timed: Problems timed per level.
        episodes: Episodes per reference agent and level.
        others: Problems whose solutions are tried on others, per checked level.
        policies: Number of blind policies tried.
        forms: Problems per level whose kinds of question are counted.
        draws: Seeds per split and level that must give a task.
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
"""Fast depth for environments that draw slowly, or judge with a job."""
LIVE: Final = Depth("fast", 3, 2, 12, 6, 60, 5, 6, 5, policies=5, forms=60, draws=5)
"""Fast depth for environments whose every turn is a command to a live resource."""
PROVED: Final = Depth("fast", 1, 1, 6, 3, 60, 5, 6, 2, others=2, policies=3, forms=40, draws=3)
"""Fast depth for proofs and browsers: a kernel takes a quarter of a second per accepted proof, a page a tenth per action."""
FULL: Final = Depth("full", 200, 12, 400, 1000, 10_000, 40, 300, 200, forms=400, draws=500)
FULL_LIVE: Final = Depth("full", 20, 4, 60, 40, 1000, 10, 40, 20, policies=16, forms=200, draws=500)
"""Full depth for environments that use effects for every answer or turn."""
FULL_GAME: Final = Depth("full", 40, 6, 60, 100, 1000, 20, 40, 60, policies=32, forms=200, draws=500)
"""Full depth for games, whose opponents search."""


@dataclass(frozen=True)
class Subject:
    """An environment under audit.

    Attributes:
        id: Environment id.
        wanted: Requested depth.
    """

    id: str
    wanted: Depth = FAST

    @cached_property
    def depth(self) -> Depth:
        """Depth, reduced by the cost of drawing and playing."""
        resources = self.environment.required().values()
        if self.wanted is FULL and resources:
            return FULL_GAME if all(isinstance(resource, Models) for resource in resources) else FULL_LIVE
        if self.wanted is not FAST:
            return self.wanted
        if any(isinstance(resource, Proofs | Pages) for resource in resources):
            return PROVED
        if resources and isinstance(self.environment, ToolEnv):
            return LIVE
        return SLOW if self.environment.slow or self.environment.required() else FAST

    @cached_property
    def environment(self) -> Environment:
        """The environment's rules."""
        return load(spec(self.id))()

    @property
    def levels(self) -> tuple[int, ...]:
        """Levels for measured shares.

        All at full depth, else 1, 5 and 10.
        """
        return tuple(LEVELS) if self.depth.name == FULL.name else (1, 5, 10)

    @property
    def formats(self) -> tuple[str | None, ...]:
        """Answer formats that it supports."""
        return (None,) if isinstance(self.environment, ToolEnv) else FORMS

    @cached_property
    def _results(self) -> dict[tuple[Any, ...], Any]:
        return {}

    def once(self, key: tuple[Any, ...], compute: Callable[[], T]) -> T:
        """The result of a computation that checks and measures share."""
        if key not in self._results:
            self._results[key] = compute()
        found: T = self._results[key]
        return found

    def env(self, level: int, **settings: Any) -> Env:
        """The environment at a level."""
        return make(self.id, difficulty=level, **settings)

    def started(self, level: int, seed: int, **settings: Any) -> Env:
        """The environment at a level, reset."""
        env = self.env(level, **settings)
        env.reset(seed=seed)
        return env


def oracle_actions(env: Env) -> list[str]:
    """Play the oracle to the end; returns its actions.

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


def oracle_scripts(subject: Subject, level: int) -> list[list[str]]:
    """The oracle's actions on the first problems of a level, played once."""

    def played() -> list[list[str]]:
        env, scripts = subject.env(level), []
        for seed in range(subject.depth.oracle_seeds):
            env.reset(seed=seed)
            scripts.append(oracle_actions(env))
        return scripts

    return subject.once(("oracle", level), played)


def play(env: Env, actions: Iterator[str]) -> Verdict:
    """Play actions to the end.

    An ``error`` or a check broken by them is a breach.
    """
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
    """Description of an environment's current task, for messages."""
    return f"{env.task.env_id} at {env.task.difficulty}, seed {env.task.seed}"
