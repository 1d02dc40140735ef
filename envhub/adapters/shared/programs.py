"""Programs in processes of their own, which answer JSON by JSON.

::

    program = Program([python, "-s", path], "tau2")
    program.ask({"call": "lend", "arguments": {"book": "b1"}})

The program runs as this user in a session of its own, without this process's environment variables. It must set its own
limits; the programs of adapters limit memory, files and the CPU time of a request (:mod:`envhub.adapters.shared.serving`).
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from threading import Timer
from typing import Any, Final

from envhub.core.errors import ResourceError, ResourceLost
from envhub.core.types import JSON

_PATIENCE_S: Final = 300.0
"""After this time a program is given up. Its requests end earlier, by their CPU time."""


class Program:
    """A process that answers requests.

    Args:
        command: Command line.
        name: Name of the program in errors.
    """

    def __init__(self, command: Sequence[str], name: str) -> None:
        self.name = name
        self.lost = False
        variables = {"PATH": os.defpath, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "LANG": "C.UTF-8"}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=variables, cwd="/", start_new_session=True
        )

    def ask(self, request: JSON) -> Any:
        """The answer to a request.

        Raises:
            ResourceLost: The request ended the process, by its limits or otherwise.
            ResourceError: It did not answer in time, or cannot do what was asked.
        """
        late: list[bool] = []

        def give_up() -> None:
            late.append(True)
            self.end()

        timer = Timer(_PATIENCE_S, give_up)
        timer.daemon = True
        timer.start()
        try:
            line = self._exchanged(json.dumps(request).encode() + b"\n")
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

    def end(self) -> None:
        """End the process and what it started."""
        self.lost = True
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
