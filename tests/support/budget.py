"""What a test costs, in CPU seconds and processes; the quick tier lists the tests that do not belong there.

CPU seconds are those of this process and of the children it waited for, fixtures included. Processes are counted where
Python starts them.
"""

from __future__ import annotations

import multiprocessing.util
import os
import resource
import subprocess
import time
from collections.abc import Callable, Iterable
from typing import Any, Final

import pytest

QUICK_S: Final = 2.0
"""CPU seconds a quick test may take."""
_STARTERS: Final = (
    (subprocess, "_fork_exec"),
    (multiprocessing.util, "spawnv_passfds"),
    (os, "fork"),
    (os, "posix_spawn"),
)
_COST: Final = "cost"
_begun = pytest.StashKey[tuple[float, int]]()
_started = 0


def watch() -> None:
    """Count the processes that are started from now on."""
    for module, name in _STARTERS:
        start = getattr(module, name, None)
        if start is not None and not hasattr(start, "counted"):
            setattr(module, name, _counted(start))


def begin(item: pytest.Item) -> None:
    """A test begins."""
    item.stash[_begun] = _cpu_s(), _started


def end(item: pytest.Item) -> None:
    """A test has ended: note on its last report what it cost."""
    cpu_s, started = item.stash[_begun]
    item.user_properties.append((_COST, [_cpu_s() - cpu_s, _started - started]))


def exceeded(reports: Iterable[pytest.TestReport]) -> list[str]:
    """A line for every test that costs more than a quick one may, the dearest first."""
    costs = [(dict(report.user_properties)[_COST], report.nodeid) for report in reports if report.when == "teardown"]
    return [
        f"not quick: {name} takes {cpu_s:.1f} CPU s and starts {started} processes; mark it slow"
        for (cpu_s, started), name in sorted(costs, reverse=True)
        if cpu_s > QUICK_S or started
    ]


def _counted(start: Callable[..., Any]) -> Callable[..., Any]:
    def counting(*args: Any, **kwargs: Any) -> Any:
        global _started
        _started += 1
        return start(*args, **kwargs)

    vars(counting)["counted"] = True
    return counting


def _cpu_s() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
