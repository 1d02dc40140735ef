"""What the tests of the pool share: how tasks are named, and how to see that a worker runs or has ended."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from pathlib import Path

from hypothesis import strategies as st

from tests.support.places import ROOT

HERE = "tests.workers.pooled"
SHORT_S = 0.3
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


def named(function: str) -> str:
    return f"{HERE}:{function}"


class Line:
    """A named pipe on which workers say that they run, and which closes when the last of them has ended."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        os.mkfifo(path)
        self._end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read(self) -> str:
        """What is said next; empty when whoever held the line has ended."""
        poll = select.poll()
        poll.register(self._end, select.POLLIN)
        assert poll.poll(30_000), "nobody has said anything, nor ended"
        return os.read(self._end, 1 << 16).decode()

    def close(self) -> None:
        os.close(self._end)


def program(text: str, *args: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", text, *args]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def wait_for_death(pid: int) -> None:
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
