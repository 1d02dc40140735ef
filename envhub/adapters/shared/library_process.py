"""A foreign library in a process of its own.

It is used through a module of ours that runs there. Interpreters and games in C may crash, hang or leave state behind, and must
not do so in a process that serves episodes. The process starts with ``PYTHONHASHSEED=0``, so that a library which lists sets
draws the same from the same seed. It is used by one episode at a time, and then again::

    games = LibraryProcesses("envhub.adapters.nle.inside")
    with games.lent() as process:
        reply = process.call("opened", 1, 2)          # the function `opened` of that module; plain values alone

A call that fails in any way ends the process, because its state is unknown; the caller sees ``ResourceLost``. An episode that
plays in such a process is a :class:`LibraryEpisode`.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from envhub.core.effects import Effect, Live, Outcome
from envhub.core.errors import ResourceError, ResourceLost
from envhub.workers.worker import Worker, pack

__all__ = ["LibraryEpisode", "LibraryProcess", "LibraryProcesses"]

PATIENCE_S: Final = 120.0
"""Seconds until a call fails and its process is ended; a call takes one or two on an idle machine."""
_MOST_IDLE: Final = 4
_MEMORY_MB: Final = 2048
_ENVIRONMENT: Final = {"PYTHONHASHSEED": "0"}


class LibraryProcess:
    """A process in which the functions of one module run.

    Args:
        module: Name of the module.

    Raises:
        ResourceError: The process cannot be started.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._worker = Worker(_MEMORY_MB, _ENVIRONMENT)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._worker.pid

    def call(self, name: str, *arguments: Any, patience_s: float = PATIENCE_S) -> Any:
        """The value of a function of the module.

        Raises:
            ResourceError: The module cannot be loaded.
            ResourceLost: The process ended, did not answer in time, or the function raised.
        """
        function = f"{self._module}:{name}"
        if self._worker.ended:
            raise ResourceLost(f"{self._module}: the process has ended.")
        try:
            self._worker.load(function)
        except ResourceError as error:
            if self._worker.ended:  # it died between two calls, which a new process repairs
                raise ResourceLost(f"{function} failed: {error}") from None
            raise
        ran = next(self._worker.run(function, [pack(arguments)], patience_s), None)
        if ran is None or not ran.ok:
            self.end()
            raise ResourceLost(f"{function} failed: {f'{ran.failure}, {ran.detail}' if ran else 'it never ran'}.")
        return ran.value

    def usable(self) -> bool:
        """Whether it is running and waits for a call."""
        return self._worker.idle()

    def disown(self) -> None:
        """Release it in a forked process: it belongs to the parent."""
        self._worker.disown()

    def end(self) -> None:
        """End the process. Idempotent."""
        self._worker.end()


class LibraryProcesses:
    """The processes of one module, kept for the next episode.

    Args:
        module: Name of the module.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._idle: list[LibraryProcess] = []
        atexit.register(self.end_all)
        os.register_at_fork(after_in_child=self._disown)

    def take(self) -> LibraryProcess:
        """An idle process, or a new one.

        Raises:
            ResourceError: None can be started.
        """
        for process in self._popped():
            if process.usable():
                return process
            process.end()
        return LibraryProcess(self._module)

    def give_back(self, process: LibraryProcess) -> None:
        """Keep a process for another episode.

        It is ended if it is not usable, or if enough are idle.
        """
        if process.usable() and len(self._idle) < _MOST_IDLE:
            self._idle.append(process)
        else:
            process.end()

    @contextmanager
    def lent(self) -> Iterator[LibraryProcess]:
        """A process for a short use."""
        process = self.take()
        try:
            yield process
        finally:
            self.give_back(process)

    def _disown(self) -> None:
        """Leave the idle processes to the parent of a forked process."""
        for process in self._popped():
            process.disown()

    def end_all(self) -> None:
        """End the idle processes."""
        for process in self._popped():
            process.end()

    def _popped(self) -> Iterator[LibraryProcess]:
        with suppress(IndexError):  # another thread may take the last one
            while True:
                yield self._idle.pop()


class LibraryEpisode(Live):
    """A game that is played in a process, by its function ``step``.

    Args:
        processes: Where the process goes when the episode ends.
        process: The process, in which the game has started.
        payload: Name of the action in the payload of an ``Exec``.
    """

    def __init__(self, processes: LibraryProcesses, process: LibraryProcess, payload: str = "command") -> None:
        self._processes, self._process, self._payload = processes, process, payload

    def perform(self, effect: Effect) -> Outcome:
        """Carry out the action of an ``Exec``."""
        said = self._process.call("step", effect.payload[self._payload])
        return Outcome(said.pop("text"), said)

    def close(self) -> None:
        """Keep the process for another episode."""
        self._processes.give_back(self._process)
