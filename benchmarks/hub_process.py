"""A hub in a process of its own, on loopback, and what it has spent."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_PATIENCE_S = 60.0


@dataclass(frozen=True)
class HubProcess:
    """A hub that answers.

    Attributes:
        url: Its address.
        pid: Of its process.
    """

    url: str
    pid: int

    def cpu(self) -> float:
        """CPU seconds, user and system, that it and its descendants have spent so far."""
        total, alive = 0.0, {self.pid}
        stats = sorted(_stats(), key=lambda stat: stat[0])  # parents mostly before their children
        for pid, parent, spent in stats:
            if pid == self.pid or parent in alive:
                alive.add(pid)
                total += spent
        return total


@contextmanager
def serving() -> Iterator[HubProcess]:
    """``envhub serve`` with its default, durable journal in a temporary folder.

    Raises:
        RuntimeError: It does not come up.
    """
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "url"
        command = [sys.executable, "-m", "envhub", "serve", "--port", "0", "--stop-on-eof", "--ready-file", str(ready)]
        command += ["--journal", f"sqlite:///{folder}/journal.sqlite"]
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=said, stderr=said)
            try:
                until = time.monotonic() + _PATIENCE_S
                while not (ready.exists() and ready.read_text().strip()):
                    if process.poll() is not None or time.monotonic() > until:
                        said.seek(0)
                        raise RuntimeError(f"envhub serve did not come up:\n{said.read()[-2000:].decode()}")
                    time.sleep(0.05)
                yield HubProcess(ready.read_text().strip(), process.pid)
            finally:
                process.terminate()
                process.wait()


def _stats() -> Iterator[tuple[int, int, float]]:
    """Number, parent and CPU seconds of every process."""
    ticks = os.sysconf("SC_CLK_TCK")
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        yield int(path.parent.name), int(fields[1]), (int(fields[11]) + int(fields[12])) / ticks
