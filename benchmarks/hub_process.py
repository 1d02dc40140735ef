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

from benchmarks.harness import ROOT

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
        return sum(spent for _, spent in self._family())

    def pids(self) -> list[int]:
        """The numbers of its process and of all descendants."""
        return [pid for pid, _ in self._family()]

    def memory(self) -> int:
        """Bytes that it and its descendants hold; what they share counts once."""
        return sum(_proportional(pid) for pid in self.pids())

    def _family(self) -> Iterator[tuple[int, float]]:
        alive = {self.pid}
        for pid, parent, spent in sorted(_stats(), key=lambda stat: stat[0]):  # parents mostly before their children
            if pid == self.pid or parent in alive:
                alive.add(pid)
                yield pid, spent


@contextmanager
def serving(*options: str, module: str = "envhub") -> Iterator[HubProcess]:
    """``envhub serve`` with its default, durable journal in a temporary folder.

    Args:
        options: More options; one that names another journal counts.
        module: What is run, where it is not ``envhub`` itself.

    Raises:
        RuntimeError: It does not come up.
    """
    with tempfile.TemporaryDirectory() as folder:
        ready = Path(folder) / "url"
        command = [sys.executable, "-m", module, "serve", "--port", "0", "--stop-on-eof", "--ready-file", str(ready)]
        command += ["--journal", f"sqlite:///{folder}/journal.sqlite", *options]
        with tempfile.TemporaryFile() as said:
            kept = {**os.environ, "XDG_DATA_HOME": folder}  # where keys are, of which there are none
            process = subprocess.Popen(command, cwd=ROOT, env=kept, stdin=subprocess.PIPE, stdout=said, stderr=said)
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
                process.communicate()  # closes the pipe as well


def _stats() -> Iterator[tuple[int, int, float]]:
    """Number, parent and CPU seconds of every process."""
    ticks = os.sysconf("SC_CLK_TCK")
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        yield int(path.parent.name), int(fields[1]), (int(fields[11]) + int(fields[12])) / ticks


def _proportional(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has just ended
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
