"""Plays environments at every difficulty over HTTP: a sample, or all.

By oracle and random agent. The server never sends a solution, so both agents use a *mirror*: the same task drawn in
this process. Every response of the server must equal the mirror's, otherwise :class:`Diverged` is raised. The oracle
must earn 1 everywhere, the random agent close to 0, and every answer must be judged::

    with serving() as url:
        report = run_demo(url)
    report.passed
"""

from __future__ import annotations

import math
import os
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import orjson

import envhub
from envhub.client.hub import RemoteEnv, connect
from envhub.core.difficulty import LEVELS
from envhub.core.errors import EnvhubError, MissingExtra, ResourceError
from envhub.core.types import JSON, Fault
from envhub.gymnasium.env import Env
from envhub.making import make
from envhub.registry.registry import lacking, load, spec

RANDOM_BOUND: Final = 0.10
"""Maximum mean reward of the random agent over all episodes."""

PER_CATEGORY: Final = 3
"""Number of environments of each category in a sample."""

Agent = Callable[[Env], str]
_START_TIMEOUT_S: Final = 60.0
_STOP_TIMEOUT_S: Final = 15.0


class Diverged(EnvhubError, AssertionError):
    """The server's response differs from the same task played in this process."""


def oracle(mirror: Env) -> str:
    """An agent that knows the solution."""
    return mirror.solve()


def random_agent(mirror: Env) -> str:
    """An agent that only knows the answer format."""
    return mirror.random_action(mirror.task.key.stream("random agent", len(mirror.episode.turns)))


AGENTS: Final[dict[str, Agent]] = {"oracle": oracle, "random": random_agent}


@dataclass(frozen=True, slots=True)
class Played:
    """Result of one episode.

    Attributes:
        env_id: The environment.
        difficulty: The level.
        seed: Seed of the task.
        agent: ``oracle`` or ``random``.
        reward: The sum of its rewards; NaN if it could not be judged.
        steps: Number of turns.
        reset_s: Server time to begin it, in seconds.
        step_s: Server time for all turns, in seconds.
        error: Why it could not be judged.
    """

    env_id: str
    difficulty: int
    seed: int
    agent: str
    reward: float
    steps: int
    reset_s: float
    step_s: float
    error: Fault | None = None


@dataclass(frozen=True)
class DemoReport:
    """All episodes played, and the result.

    Attributes:
        episodes: Every episode, in order.
        skipped: Environments that need an extra or a file, with the reason.
        complete: Whether all planned episodes were played.
        available: Number of environments of the server; 0 if unknown.
    """

    episodes: Sequence[Played]
    skipped: dict[str, str] = field(default_factory=dict)
    complete: bool = True
    available: int = 0

    @cached_property
    def env_ids(self) -> list[str]:
        """The environments, in playing order."""
        return list(dict.fromkeys(episode.env_id for episode in self.episodes))

    @cached_property
    def cells(self) -> dict[tuple[str, int], dict[str, float]]:
        """Mean reward by agent per environment and difficulty.

        NaN if nothing was judged.
        """
        groups: dict[tuple[str, int], list[Played]] = {}
        for episode in self.episodes:
            groups.setdefault((episode.env_id, episode.difficulty), []).append(episode)
        return {place: {agent: mean_reward(group, agent) for agent in AGENTS} for place, group in groups.items()}

    @cached_property
    def errors(self) -> list[Played]:
        """Episodes that could not be judged; expected none, excluded from means."""
        return [episode for episode in self.episodes if episode.error is not None]

    @cached_property
    def random_mean(self) -> float:
        """The random agent's mean reward over all episodes."""
        return mean_reward(self.episodes, "random")

    @cached_property
    def failures(self) -> list[str]:
        """Why the demo failed; empty if it passed."""
        found = [] if self.complete and self.episodes else ["not everything was played"]
        for (env_id, difficulty), means in self.cells.items():
            if means["oracle"] != 1.0 and not (math.isnan(means["oracle"]) and not self.complete):
                found.append(f"{env_id} at difficulty {difficulty}: the oracle earns {means['oracle']:.3f}, not 1.000")
        if self.complete and self.random_mean > RANDOM_BOUND:  # a few environments may pay more than their average
            found.append(f"the random agent earns {self.random_mean:.3f}, more than {RANDOM_BOUND:.2f}")
        if self.errors:
            found.append(f"{len(self.errors)} episodes could not be judged")
        return found

    @property
    def passed(self) -> bool:
        """Whether the demo passed."""
        return not self.failures

    def rate(self, env_id: str | None = None) -> dict[str, float]:
        """Sequential steps and resets per second over HTTP.

        For one environment or all.
        """
        chosen = [e for e in self.episodes if env_id in (None, e.env_id)]
        step_s, reset_s = sum(e.step_s for e in chosen), sum(e.reset_s for e in chosen)
        steps = sum(e.steps for e in chosen)
        return {
            "episodes": len(chosen),
            "steps": steps,
            "steps_per_s": steps / step_s if step_s else 0.0,
            "resets_per_s": len(chosen) / reset_s if reset_s else 0.0,
        }

    def to_json(self) -> dict[str, JSON]:
        """The report as JSON values; a mean without values is null."""
        return {
            "passed": self.passed,
            "failures": self.failures,
            "cells": [
                {"env_id": env_id, "difficulty": level, **{agent: _number(mean) for agent, mean in means.items()}}
                for (env_id, level), means in self.cells.items()
            ],
            "random_mean": _number(self.random_mean),
            "random_bound": RANDOM_BOUND,
            "errors": [
                {"env_id": e.env_id, "difficulty": e.difficulty, "seed": e.seed, "agent": e.agent, **e.error.to_json()}
                for e in self.errors
                if e.error is not None
            ],
            "skipped": self.skipped,
            "available": self.available,
            "rates": {"all": self.rate(), **{env_id: self.rate(env_id) for env_id in self.env_ids}},
        }


def mean_reward(episodes: Iterable[Played], agent: str) -> float:
    """Mean reward of an agent over judged episodes; NaN without any."""
    rewards = [e.reward for e in episodes if e.agent == agent and e.error is None]
    return math.fsum(rewards) / len(rewards) if rewards else math.nan


def play_episode(env: RemoteEnv, mirror: Env, agent: str, *, difficulty: int, seed: int) -> Played:
    """Play one episode on server and mirror, turn by turn.

    Args:
        env: The environment on the server.
        mirror: The same environment in this process.
        agent: ``oracle`` or ``random``; it sees the mirror only.
        difficulty: Difficulty of both.
        seed: Seed of the task.

    Raises:
        Diverged: The server and the mirror disagree.
    """
    env_id = mirror.source.of(None).spec.id
    place = f"{env_id}, difficulty {difficulty}, seed {seed}, {agent} agent"
    begun = time.perf_counter()
    there = env.reset(seed=seed)
    reset_s = time.perf_counter() - begun
    _compare(f"{place}, reset", ("observation", "info"), there, mirror.reset(seed=seed))
    _compare(f"{place}, reset", ("task",), (env.task.key.to_json(),), (mirror.task.key.to_json(),))
    act = AGENTS[agent]
    reward, steps, step_s, over, info = 0.0, 0, 0.0, False, dict[str, Any]()
    while not over:
        action = act(mirror)
        begun = time.perf_counter()
        taken = env.step(action)
        step_s += time.perf_counter() - begun
        steps += 1
        names = ("observation", "reward", "terminated", "truncated", "info")
        _compare(f"{place}, turn {steps}", names, taken, mirror.step(action))
        _, gained, terminated, truncated, info = taken
        reward += gained
        over = terminated or truncated
    error = info.get("error")
    fault = None if error is None else Fault(error["code"], error["reason"])
    return Played(env_id, difficulty, seed, agent, reward, steps, reset_s, step_s, fault)


def sample(env_ids: Sequence[str], most: int = PER_CATEGORY) -> list[str]:
    """At most ``most`` environments of each category, at even distances."""
    categories: dict[str, list[str]] = {}
    for env_id in env_ids:
        categories.setdefault(spec(env_id).category, []).append(env_id)
    chosen = {
        group[at * len(group) // min(most, len(group))]
        for group in categories.values()
        for at in range(min(most, len(group)))
    }
    return [env_id for env_id in env_ids if env_id in chosen]


def _lacks(env_id: str) -> str | None:
    """The extra, file or kernel that an environment lacks here, if any."""
    try:
        return lacking(spec(env_id)) or _absent(env_id)
    except MissingExtra as error:
        return str(error)


def _absent(env_id: str) -> str | None:
    """What this machine lacks for an environment, such as a kernel."""
    resources = load(spec(env_id)).resources.values()
    return next((absent for resource in resources if (absent := resource.absent()) is not None), None)


def run_demo(
    url: str,
    *,
    episodes: int = 1,
    seed: int = 0,
    levels: Sequence[int] = LEVELS,
    everything: bool = True,
    on_episode: Callable[[Played, int], None] | None = None,
) -> DemoReport:
    """Play the environments of a server at every difficulty with both agents.

    Args:
        url: Address of the server.
        episodes: Episodes per environment, difficulty and agent; both agents get the same tasks.
        seed: Seed of the first task; later tasks use the following seeds.
        levels: Difficulty levels.
        everything: Whether to play all environments; else a :func:`sample`.
        on_episode: Called with every episode and the total number.

    Raises:
        Diverged: The server and this process disagree on a task.
        EnvhubError: The server cannot be reached, or has an environment that is unknown here.
    """
    played: list[Played] = []
    skipped: dict[str, str] = {}
    with connect(url) as hub:
        env_ids = hub.list_envs()
        for env_id in env_ids:
            if (lacks := _lacks(env_id)) is not None:
                skipped[env_id] = lacks
        usable = [env_id for env_id in env_ids if env_id not in skipped]
        pairs: list[tuple[int, RemoteEnv, Env]] = [
            (level, hub.make(env_id, difficulty=level), make(env_id, difficulty=level))
            for env_id in (usable if everything else sample(usable))
            for level in levels
        ]
        total = len(pairs) * len(AGENTS) * episodes
        for difficulty, env, mirror in pairs:
            for agent in AGENTS:
                for number in range(episodes):
                    episode = play_episode(env, mirror, agent, difficulty=difficulty, seed=seed + number)
                    played.append(episode)
                    env.close()  # not needed any more
                    if on_episode is not None:
                        on_episode(episode, total)
            mirror.close()
    return DemoReport(played, skipped, available=len(env_ids))


@contextmanager
def serving() -> Iterator[str]:
    """Run a server on a free local port within this context.

    Yields its URL.

    Raises:
        ResourceError: It did not start.
    """
    command = [sys.executable, "-P", "-m", "envhub", "serve", "--host", "127.0.0.1", "--port", "0", "--stop-on-eof"]
    # it needs no API keys, even if some exist: only this process knows its address
    command += ["--journal", "memory:", "--keys", str(Path(__file__).parent / "no-keys.json")]
    # -P: modules of the working directory cannot shadow ours; the path: this copy of envhub, installed or not
    paths = [str(Path(envhub.__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        start_new_session=True,  # Ctrl-C is for this process, which stops the server
    )
    try:
        url = _first_line(process).removeprefix("listening on ")
        with connect(url, timeout_s=_START_TIMEOUT_S) as hub:
            health = hub.call(("GET", "/health", None))
        if health["status"] != "ok":
            raise ResourceError(f"The server is not well: {health['status']}.")
        yield url
    finally:
        _stop(process)


def _first_line(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    deadline = time.monotonic() + _START_TIMEOUT_S
    said = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while b"\n" not in said:
            if not selector.select(max(0.0, deadline - time.monotonic())):
                raise ResourceError(f"The server did not listen within {_START_TIMEOUT_S:g} s.")
            read = os.read(process.stdout.fileno(), 4096)
            if not read:
                raise ResourceError("The server ended before it listened; what it said is above.")
            said += read
    return said.partition(b"\n")[0].decode()


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(_STOP_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def _compare(place: str, names: Sequence[str], there: Sequence[Any], here: Sequence[Any]) -> None:
    """Raise if two answers differ.

    Reports the place, never the content, which may be secret.
    """
    for name, far, near in zip(names, there, here, strict=True):
        if name == "info":
            near = orjson.loads(orjson.dumps(near))  # as transmitted: tuples become lists
        both_nan = isinstance(far, float) and isinstance(near, float) and math.isnan(far) and math.isnan(near)
        if far != near and not both_nan:
            raise Diverged(f"The server's {name} is not that of the same task here: {place}.")


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
