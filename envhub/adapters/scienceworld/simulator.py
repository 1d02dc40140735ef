"""ScienceWorld's simulator, a Java process, as a resource of an episode.

A process plays one episode at a time and is then used again. It orders what it lists by the hash codes of objects, which Java
draws at random; here all hash codes are equal, so the same commands always give the same observations::

    with lent() as simulator:
        opening = simulator.load("boil", 3, "easy")
        reply = simulator.step("look around")
"""

from __future__ import annotations

import atexit
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.metadata import version
from threading import Lock, Timer
from typing import Any, Final, NamedTuple

from envhub.adapters.scienceworld.tables import RELEASE
from envhub.core.effects import Effect, Live, Outcome, Resource
from envhub.core.errors import MissingExtra, ResourceError, ResourceLost
from envhub.core.types import JSON

try:
    from scienceworld import ScienceWorldEnv
except ImportError as error:
    raise MissingExtra(f"ScienceWorld is needed: pip install 'envhub[scienceworld]' ({error}).") from error

_EQUAL_HASHES: Final = "-XX:+UnlockExperimentalVMOptions -XX:hashCode=2"
_OPTIONS: Final = "JAVA_TOOL_OPTIONS"
_PATIENCE_S: Final = 120.0
"""After this time a call is given up and its process ended. Loading a task takes some seconds on a busy machine."""
_MOST_IDLE: Final = 4
_UNLIMITED: Final = 1 << 30
"""Steps after which ScienceWorld itself ends an episode; the environment counts its own."""
_starting: Final = Lock()
_idle: Final[list[Simulator]] = []


class Opening(NamedTuple):
    """The first view of a task.

    Attributes:
        description: What is to be done.
        view: The room.
    """

    description: str
    view: str


class Reply(NamedTuple):
    """What a command led to.

    Attributes:
        observation: ScienceWorld's text.
        score: From -100 (failed) to 100 (solved).
        over: Whether the task has ended.
    """

    observation: str
    score: int
    over: bool


class Simulator:
    """A Java process with one task.

    Raises:
        ResourceError: Java is missing or does not start, or the installed release is another one.
    """

    def __init__(self) -> None:
        if shutil.which("java") is None:
            raise ResourceError("ScienceWorld needs Java 8 or later: apt install default-jre-headless.")
        if version("scienceworld") != RELEASE:
            raise ResourceError(f"Expected scienceworld {RELEASE}, found {version('scienceworld')}.")
        with _starting:  # the options are read from the environment
            before = os.environ.get(_OPTIONS)
            os.environ[_OPTIONS] = f"{before or ''} {_EQUAL_HASHES}".strip()
            try:
                self._game = ScienceWorldEnv("", envStepLimit=_UNLIMITED)
            except Exception as error:
                raise ResourceError(f"ScienceWorld did not start: {type(error).__name__}: {error}") from error
            finally:
                if before is None:
                    del os.environ[_OPTIONS]
                else:
                    os.environ[_OPTIONS] = before
        self.lost = False

    def load(self, task: str, variation: int, simplification: str, *, solution: bool = False) -> Opening:
        """Set a task up.

        Raises:
            ResourceLost: The process ended or did not answer.
        """

        def loaded() -> Opening:
            self._game.load(task, variation, simplification, generateGoldPath=solution)
            view, info = self._game.reset()
            return Opening(str(info["taskDesc"]).removeprefix("Task Description:\n").strip(), _tidy(view))

        opening: Opening = self._guarded(loaded)
        return opening

    def step(self, command: str) -> Reply:
        """Carry out a command.

        Raises:
            ResourceLost: The process ended or did not answer.
        """

        def carried_out() -> Reply:
            observation, _, over, info = self._game.step(command)
            return Reply(_tidy(observation), int(info["score"]), bool(over))

        reply: Reply = self._guarded(carried_out)
        return reply

    def solution(self) -> list[str]:
        """ScienceWorld's own solution; the task must be loaded with it."""
        found: list[str] = self._guarded(lambda: list(map(str, self._game.get_gold_action_sequence())))
        return found

    def end(self) -> None:
        """End the process."""
        self.lost = True
        process = self._game._gateway.java_process
        process.kill()
        process.wait()
        with suppress(Exception):  # the other side is gone
            self._game._gateway.shutdown()
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close()
        self._game._obj_tree_tempdir.cleanup()
        self._game.close = lambda: None  # its finalizer calls this, and raises when the process has ended

    def _guarded(self, call: Any) -> Any:
        timer = Timer(_PATIENCE_S, self.end)
        timer.daemon = True
        timer.start()
        try:
            return call()
        except Exception as error:  # of py4j, whatever it is: the process is in an unknown state
            self.end()
            raise ResourceLost(f"ScienceWorld's process is lost: {type(error).__name__}: {error}") from error
        finally:
            timer.cancel()


@contextmanager
def lent() -> Iterator[Simulator]:
    """A simulator for a short use."""
    simulator = _taken()
    try:
        yield simulator
    finally:
        _given_back(simulator)


@lru_cache(maxsize=256)
def solution(task: str, variation: int, simplification: str) -> tuple[str, ...]:
    """ScienceWorld's own solution of a task."""
    with lent() as simulator:
        simulator.load(task, variation, simplification, solution=True)
        return tuple(simulator.solution())


class Simulators(Resource):
    """A simulator per episode; a lost one is rebuilt by its commands."""

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """A simulator with the task of a problem."""
        return _Episode(problem)


class _Episode(Live):
    def __init__(self, problem: JSON) -> None:
        self._simulator = _taken()
        self._simulator.load(problem["task"], problem["variation"], problem["simplification"])

    def perform(self, effect: Effect) -> Outcome:
        """Carry out the command of an ``Exec``."""
        observation, score, over = self._simulator.step(effect.payload["command"])
        return Outcome(observation, {"score": score, "over": over})

    def close(self) -> None:
        """Keep the process for another episode."""
        _given_back(self._simulator)


def _taken() -> Simulator:
    try:
        return _idle.pop()
    except IndexError:
        return Simulator()


def _given_back(simulator: Simulator) -> None:
    if simulator.lost or len(_idle) >= _MOST_IDLE:
        simulator.end()
    else:
        _idle.append(simulator)


def _tidy(text: str) -> str:
    """An observation without tabs and spaces at the ends of lines."""
    return "\n".join(line.replace("\t", "  ").rstrip() for line in text.splitlines()).strip()


@atexit.register
def _end_all() -> None:
    while _idle:
        _idle.pop().end()
