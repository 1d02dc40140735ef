"""Programs in processes of their own, which answer JSON by JSON.

::

    program = Program([python, "-s", path], "tau2")
    program.ask({"call": "lend", "arguments": {"book": "b1"}})
    programs = Programs()
    programs.take(key, start)        # an idle program of this key, or a new one

The program runs as this user in a session of its own, without this process's environment variables. It must set its own
limits; the programs of adapters limit memory, files and the CPU time of a request (:mod:`envhub.adapters.shared.serving`).
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from threading import Timer
from typing import Any, Final, Generic, TypeVar

from envhub.core.errors import ResourceError, ResourceLost
from envhub.core.types import JSON

_PATIENCE_S: Final = 300.0
"""After this time a program is given up. Its requests end earlier, by their CPU time."""
_MOST_IDLE: Final = 4
_MOST_SHOWN: Final = 20_000


class Program:
    """A process that answers requests.

    Args:
        command: Command line.
        name: Name of the program in errors.
    """

    def __init__(self, command: Sequence[str], name: str) -> None:
        self.name = name
        self.lost = False
        self._owner = os.getpid()
        variables = {"PATH": os.defpath, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=variables, cwd="/", start_new_session=True
        )

    def ask(self, request: JSON) -> Any:
        """The answer to a request.

        Raises:
            ResourceLost: The process ended, or belongs to the process that this one was forked from.
            ResourceError: It did not answer in time, or cannot do what was asked.
        """
        if os.getpid() != self._owner:
            raise ResourceLost(f"The process of {self.name} belongs to another process.")
        late: list[bool] = []

        def give_up() -> None:
            late.append(True)
            self.end()

        timer = Timer(_PATIENCE_S, give_up)
        timer.daemon = True
        timer.start()
        try:
            line = self._exchanged(json.dumps(request).encode() + b"\n")
        except BaseException:  # its answer would be read as that to the next request
            self.end()
            raise
        finally:
            timer.cancel()
        if not line.endswith(b"\n"):
            self.end()
            if late:
                raise ResourceError(f"The process of {self.name} did not answer in time.")
            raise ResourceLost(f"The process of {self.name} ended with status {self._process.returncode}.")
        answer = json.loads(line)
        if "failure" in answer:
            raise ResourceError(f"{self.name} cannot do this: {answer['failure']}")
        return answer

    def _exchanged(self, request: bytes) -> bytes:
        writing, reading = self._process.stdin, self._process.stdout
        if writing is None or reading is None:
            return b""
        try:
            writing.write(request)
            writing.flush()
            return reading.readline()
        except (OSError, ValueError):  # it has ended
            return b""

    def usable(self) -> bool:
        """Whether it is running and belongs to this process."""
        return not self.lost and os.getpid() == self._owner and self._process.poll() is None

    def end(self) -> None:
        """End the process group; a forked process only releases it."""
        self.lost = True
        if os.getpid() == self._owner:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def clipped(text: str) -> str:
    """A result as a policy sees it; a long one is cut."""
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}... ({len(text)} characters)"


Kind = TypeVar("Kind", bound=Program)


class Programs(Generic[Kind]):
    """Idle programs, kept for the next episode with the same key."""

    def __init__(self) -> None:
        self._idle: dict[Hashable, list[Kind]] = {}
        atexit.register(self.end_all)

    def take(self, key: Hashable, start: Callable[[], Kind]) -> Kind:
        """An idle program, or a new one."""
        while True:
            try:
                program = self._idle[key].pop()
            except (KeyError, IndexError):
                return start()
            if program.usable():
                return program
            program.end()

    def give_back(self, key: Hashable, program: Kind) -> None:
        """Keep a usable program, or end it if enough are idle."""
        waiting = self._idle.setdefault(key, [])
        if program.usable() and len(waiting) < _MOST_IDLE:
            waiting.append(program)
        else:
            program.end()

    def end_all(self) -> None:
        """End the idle programs."""
        for waiting in self._idle.values():
            while waiting:
                waiting.pop().end()
