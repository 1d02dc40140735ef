"""Who looks on sees what has come before he says that it is too late."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from envhub.sandbox.process.run import ProcessStreams

LATE = """
import os
from envhub.sandbox.inside.monitor import Monitor
monitor, told = Monitor({}, lambda: 0, None), []
read, write = os.pipe()
monitor.listen(read, told.append)
if WRITTEN:
    os.write(write, b"x")
print(monitor.until(lambda: bool(told), 0.0), monitor.limit)
"""


@pytest.mark.parametrize(("written", "said"), [(True, "True None"), (False, "False wall")])
def test_a_standstill_of_the_watch_is_not_the_programs(written: bool, said: str) -> None:
    """In a process of its own, for a monitor waits for every child."""
    ran = subprocess.run(
        [sys.executable, "-c", f"WRITTEN = {written}{LATE}"], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == said


@pytest.mark.parametrize(("written", "said"), [(True, (True, None)), (False, (False, "wall"))])
def test_nor_is_that_of_the_lookout(written: bool, said: tuple[bool, str | None]) -> None:
    told: list[bytes] = []
    look, (read, write) = ProcessStreams(os.getpid()), os.pipe()
    look.listen(read, told.append)
    if written:
        os.write(write, b"x")
    assert (look.until(lambda: bool(told), 0.0), look.limit) == said
    look.close_streams()
    os.close(write)
