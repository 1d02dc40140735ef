"""What the tests of the command line share: a command in this process or in one of its own."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from typer.testing import CliRunner, Result

from envhub.cli import app

PATIENCE_S = 60.0
"""After so long a process that says nothing is a failure, not a hang."""


def run(*arguments: str, said: str | bytes = "") -> Result:
    return CliRunner().invoke(app, arguments, input=said)


def refused(result: Result) -> str:
    """What a command that ended with 2 said: a message on standard error, no traceback, nothing else."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    return result.stderr


_MAIN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in what a shell has put into the background
from envhub.cli import main
main()
"""


class Process:
    """A command in a process of its own; whatever is awaited has a limit."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _MAIN, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
        )
        self._seen = {"stdout": b"", "stderr": b""}

    def read_until(self, text: str, name: str = "stdout") -> str:
        """What standard output (or error) holds, as soon as it holds ``text``."""
        stream = getattr(self._process, name)
        deadline = time.monotonic() + PATIENCE_S
        while text.encode() not in self._seen[name]:
            ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"{text!r} has not come; there is {self._seen[name]!r}"
            read = os.read(stream.fileno(), 65_536)
            assert read, f"the process ended without {text!r}: {self.end()}"
            self._seen[name] += read
        return self._seen[name].decode()

    def url(self) -> str:
        return self.read_until("docs at").partition("\n")[0].removeprefix("listening on ")

    def type(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text.encode())
        self._process.stdin.flush()

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def end(self) -> tuple[int, str, str]:
        """Close its input, wait; exit code, standard output and standard error."""
        out, err = self._process.communicate(timeout=PATIENCE_S)
        return self._process.returncode, (self._seen["stdout"] + out).decode(), (self._seen["stderr"] + err).decode()

    def wait(self) -> int:
        """Wait, with its input left open."""
        return self._process.wait(PATIENCE_S)

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()


@contextmanager
def process(*arguments: str, **environment: str) -> Iterator[Process]:
    started = Process(*arguments, **environment)
    try:
        yield started
    finally:
        started.kill()
