"""The sides of :mod:`benchmarks.audit_peers`: items, and scores of answers.

A reasoning-gym dataset runs directly in its own process, which is killed if a request takes too long. The same dataset
through our adapter and our own environments are played as a trainer plays them.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Final

import envhub
from benchmarks.harness import ROOT, _environment
from envhub.authoring import SingleTurn
from envhub.gymnasium.env import Env

START_S: Final = 120.0
ITEM_S: Final = 30.0
SEED: Final = 42


class Stopped(Exception):
    """A request timed out, its process ended, or it raised; the message says which."""


@dataclass(frozen=True)
class Item:
    """A question with its stored answer, None without one."""

    question: str
    answer: str | None


class Side(ABC):
    """One side of the audit."""

    name: str

    @abstractmethod
    def items(self, seed: int, count: int) -> list[Item]:
        """Return the first items of a seed.

        Raises:
            Stopped: There are no items.
        """

    @abstractmethod
    def score(self, number: int, text: str) -> tuple[bool, float]:
        """Whether an answer to an item of :data:`SEED` has full score, and its score.

        Raises:
            Stopped: The answer could not be scored.
        """

    def close(self) -> None:
        """Release resources."""


class Theirs(Side):
    """A dataset used directly: own seeds, configuration and scorer, bare answers."""

    def __init__(self, python: str, name: str, limit_s: float) -> None:
        self.name, self._python, self._limit_s = name, python, limit_s
        self._process: subprocess.Popen[str] | None = None
        self._size = 0
        self._opened: tuple[int, int] | None = None

    def items(self, seed: int, count: int) -> list[Item]:
        self._open(seed, count)
        found = [Item(*self._ask(ITEM_S, "item", number)) for number in range(count)]
        self._size = self._size or count
        return found

    def names(self) -> list[str]:
        """Names of all datasets."""
        return list(self._ask(START_S, "names"))

    def score(self, number: int, text: str) -> tuple[bool, float]:
        self._open(SEED, self._size)
        value = float(self._ask(self._limit_s, "score", number, text))
        return value >= 0.99, value

    def close(self) -> None:
        self._opened = None
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _open(self, seed: int, size: int) -> None:
        if self._opened != (seed, size):
            self._ask(START_S, "open", self.name, seed, size)
            self._opened = seed, size

    def _ask(self, limit_s: float, *request: Any) -> Any:
        if self._process is None:
            self._process = subprocess.Popen(
                [self._python, "-m", "benchmarks.peers.reasoning_gym_audit"],
                cwd=ROOT,
                env=_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
        waited, _, _ = select.select([process.stdout], [], [], limit_s)
        line = process.stdout.readline() if waited else ""
        if not line:
            self.close()
            raise Stopped("time-out" if not waited else "crash")
        kind, value = json.loads(line)
        if kind != "ok":
            raise Stopped(value)
        return value


class Played(Side):
    """An envhub environment, played with answers in its answer format."""

    def __init__(self, id: str, difficulty: int | None = 3) -> None:
        self.name = id
        self._make = lambda: envhub.make(id, difficulty=difficulty)
        self._begun: list[Env] = []

    def items(self, seed: int, count: int) -> list[Item]:
        env = self._make()
        env.reset(seed=seed)
        found: list[Item] = []
        for number in range(count):
            if number:
                env.reset()
            episode = env.episode
            assert isinstance(episode.environment, SingleTurn)
            found.append(
                Item(episode.environment.prompt(episode.task.problem), episode.environment.solve(episode.instance))
            )
            if seed == SEED and len(self._begun) == number < 100:
                self._begun.append(env.fork())
        return found

    def score(self, number: int, text: str) -> tuple[bool, float]:
        env = self._begun[number].fork()
        environment = env.episode.environment
        verdict = env.step(text if text == env.task.prompt else environment.answer.wrap(text))[4]["verdict"]
        if verdict["status"] == "error":
            raise Stopped(verdict["error"]["code"])
        if verdict["components"].get("abuse"):
            raise Stopped("refused")
        return bool(verdict["solved"]), float(verdict["score"])


def with_library(python: str) -> None:
    """Make another interpreter's packages importable here and in workers.

    The interpreter must have the same Python version.

    Raises:
        RuntimeError: That interpreter cannot be run.
    """
    program = "import sysconfig; print(sysconfig.get_path('purelib'))"
    done = subprocess.run([python, "-c", program], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{python} cannot be run:\n{done.stderr[-500:]}")
    sys.path.append(done.stdout.strip())  # last, so that our own packages take precedence


def with_fixed_hashes() -> None:
    """Restart this program with a fixed hash seed, on which some datasets depend."""
    if sys.flags.hash_randomization:
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
