"""A hub in its own process, on loopback, and its resource use."""

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

from benchmarks.harness import ROOT

_PATIENCE_S = 60.0


@dataclass(frozen=True)
class HubProcess:
    """A running hub.

    Attributes:
        url: Its address.
        pid: Its process id.
    """

    url: str
    pid: int

    def cpu(self) -> float:
        """CPU seconds (user and system) used so far by it and its descendants."""
        return sum(spent for _, spent in self._family())

    def pids(self) -> list[int]:
        """The ids of its process and of all descendants."""
        return [pid for pid, _ in self._family()]

    def memory(self) -> int:
        """Bytes of memory of it and its descendants; shared memory counts once."""
        return sum(_proportional(pid) for pid in self.pids())

    def _family(self) -> Iterator[tuple[int, float]]:
        alive = {self.pid}
        for pid, parent, spent in sorted(_stats(), key=lambda stat: stat[0]):  # parents usually before their children
            if pid == self.pid or parent in alive:
                alive.add(pid)
                yield pid, spent


@contextmanager
def serving(*options: str, module: str = "envhub") -> Iterator[HubProcess]:
    """``envhub serve`` with its default, durable journal in a temporary folder.

    Args:
        options: More options; they may set another journal.
        module: The module to run, by default ``envhub``.

    Raises:
        RuntimeError: It does not start.
    """
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "url"
        command = [sys.executable, "-m", module, "serve", "--port", "0", "--stop-on-eof", "--ready-file", str(ready)]
        command += ["--journal", f"sqlite:///{folder}/journal.sqlite", *options]
        with tempfile.TemporaryFile() as said:
            kept = {**os.environ, "XDG_DATA_HOME": folder}  # folder of API keys; there are none
            process = subprocess.Popen(command, cwd=ROOT, env=kept, stdin=subprocess.PIPE, stdout=said, stderr=said)
            try:
                until = time.monotonic() + _PATIENCE_S
                while not (ready.exists() and ready.read_text().strip()):
                    if process.poll() is not None or time.monotonic() > until:
                        said.seek(0)
                        raise RuntimeError(f"envhub serve did not start:\n{said.read()[-2000:].decode()}")
                    time.sleep(0.05)
                yield HubProcess(ready.read_text().strip(), process.pid)
            finally:
                process.terminate()
                process.communicate()  # also closes the pipe


def _stats() -> Iterator[tuple[int, int, float]]:
    """Id, parent and CPU seconds of every process."""
    ticks = os.sysconf("SC_CLK_TCK")
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just exited
            continue
        yield int(path.parent.name), int(fields[1]), (int(fields[11]) + int(fields[12])) / ticks


def _proportional(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has just exited
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
