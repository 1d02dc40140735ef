"""Processes on the host, as an attack may leave them behind."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

LINGER_S: Final = 5.0
"""Time that ending processes are given."""
_STEADY_S: Final = 0.5


def marked_with(marker: str) -> list[int]:
    """Other host processes with a marker in name, environment or arguments."""
    found = []
    for pid in _pids():
        for name in ("comm", "environ", "cmdline"):
            with suppress(OSError):
                if pid != os.getpid() and marker.encode() in Path(f"/proc/{pid}/{name}").read_bytes():
                    found.append(pid)
                    break
    return found


def below(pid: int) -> list[int]:
    """Descendants of a process."""
    children: dict[int, list[int]] = {}
    for each in _pids():
        with suppress(OSError):
            row = Path(f"/proc/{each}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            if row[0] not in "ZX":
                children.setdefault(int(row[1]), []).append(each)
    found: list[int] = []
    todo: list[Any] = [pid]
    while todo:
        here = children.get(todo.pop(), [])
        found += here
        todo += here
    return found


def steady() -> int:
    """Number of a process's descendants once idle slots have settled."""
    until = time.monotonic() + LINGER_S
    seen, since = below(os.getpid()), time.monotonic()
    while time.monotonic() < min(until, since + _STEADY_S):
        time.sleep(0.01)
        now = below(os.getpid())
        if now != seen:
            seen, since = now, time.monotonic()
    return len(seen)


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]
