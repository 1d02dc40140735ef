"""Control groups as files: what is written before a job and read after it. Few machines have both versions."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from envhub.sandbox.linux import cgroups
from envhub.sandbox.linux.cgroups import Group, JobCounters

MIB = 1 << 20
FILES = {
    1: {
        "memory": {
            "memory.limit_in_bytes": "9223372036854771712",
            "memory.max_usage_in_bytes": "0",
            "memory.usage_in_bytes": str(10 * MIB),
            "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n",
        },
        "pids": {"pids.max": "max", "pids.events": "max 2\n"},
        "cpuacct": {"cpuacct.usage": "2000000000"},
    },
    2: {
        "all": {
            "memory.max": "max",
            "memory.swap.max": "max",
            "memory.peak": "0",
            "memory.current": str(10 * MIB),
            "memory.events": "low 0\noom_kill 4\n",
            "pids.max": "max",
            "pids.events": "max 2\n",
            "cpu.stat": "usage_usec 2000000\nuser_usec 1\n",
        }
    },
}
AFTER = {
    "memory.max_usage_in_bytes": str(110 * MIB),
    "memory.peak": str(110 * MIB),
    "memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n",
    "memory.events": "low 0\noom_kill 5\n",
    "pids.events": "max 3\n",
    "cpuacct.usage": "3500000000",
    "cpu.stat": "usage_usec 3500000\nuser_usec 1\n",
}


def group(version: int, place: Path) -> Group:
    for name, files in FILES[version].items():
        (place / name).mkdir()
        for file, text in files.items():
            (place / name / file).write_text(text)
    names = ("memory", "pids", "cpuacct") if version == 1 else ("memory", "pids")
    return Group({name: place / (name if version == 1 else "all") for name in names}, version)


def text(place: Path, name: str) -> str:
    (path,) = place.glob(f"*/{name}")
    return path.read_text()


@pytest.mark.parametrize("version", [1, 2])
def test_a_job_is_limited_and_only_what_it_did_is_counted(tmp_path: Path, version: int) -> None:
    made = group(version, tmp_path)
    made.begin(memory_mb=64, pids=8)
    assert int(text(tmp_path, "memory.limit_in_bytes" if version == 1 else "memory.max")) > 64 * MIB
    assert text(tmp_path, "pids.max") == str(8 + cgroups.TRUSTED)
    for path in tmp_path.glob("*/*"):
        path.write_text(AFTER.get(path.name, path.read_text()))
    assert made.end() == JobCounters(memory_mb=100.0, out_of_memory=True, pids_exceeded=True, cpu_s=1.5)
    made.begin(memory_mb=64, pids=8)
    idle = made.end()
    assert (idle.out_of_memory, idle.pids_exceeded, idle.cpu_s) == (False, False, 0.0)


def test_a_kernel_that_does_not_tell_the_peak_is_no_failure(tmp_path: Path) -> None:
    made = group(2, tmp_path)
    (tmp_path / "all" / "memory.peak").unlink()
    before = len(os.listdir("/proc/self/fd"))
    made.begin(memory_mb=64, pids=8)
    assert made.end().memory_mb == 0.0
    assert len(os.listdir("/proc/self/fd")) == before


def test_only_groups_whose_maker_is_known_to_be_gone_are_left_over() -> None:
    own = cgroups._identity(os.getpid())
    space, pid, start = own.split("-")
    assert cgroups._left(f"envhub-{space}-{pid}-{int(start) - 1}-0")  # the number has come again
    assert cgroups._left(f"envhub-{space}-999999999-1-0")
    assert not cgroups._left(f"envhub-{own}-0")
    assert not cgroups._left(f"envhub-{int(space) + 1}-999999999-1-0")  # of a container, where numbers are others
    assert not cgroups._left("envhub-")
    assert not cgroups._left("envhub-x-y-z-0")
