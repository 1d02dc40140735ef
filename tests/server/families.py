"""Which processes a process has started, and which of them are the sandbox's: read from the kernel's list."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
PATIENCE_S = 30.0


def family(pid: int) -> list[int]:
    """A process and all that it has started, and they; the oldest first."""
    parents: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state not in "ZX":
            parents.setdefault(int(parent), []).append(int(folder.name))
    found, left = [], [pid]
    while left:
        one = left.pop(0)
        found.append(one)
        left += sorted(parents.get(one, []))
    return found


def command(pid: int) -> str:
    """The command line of a process; empty when it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


def brokers(pid: int) -> list[int]:
    """The sandbox's broker below a process, if one runs."""
    return [one for one in family(pid) if "envhub.sandbox.broker.server" in command(one)]


def slots(pid: int) -> list[int]:
    """The processes below a process that hold slots: the broker's children."""
    found = set(brokers(pid))
    everything = {one for broker in found for one in family(broker)}
    return sorted(one for one in everything - found if _parent(one) in found)


def running(pid: int, words: str) -> bool:
    """Whether some process below a process has these words in its command line."""
    return any(words in command(one) for one in family(pid)[1:])


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def until(look: Callable[[], T]) -> T:
    """What a look gives, as soon as it is something."""
    deadline = time.monotonic() + PATIENCE_S
    while not (found := look()):
        assert time.monotonic() < deadline, "it has not come to that"
        time.sleep(0.01)
    return found


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
