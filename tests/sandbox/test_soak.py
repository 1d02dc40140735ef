"""A sandbox that runs for long stays as it is: memory, descriptors, processes, control groups and mounts over many jobs.

A hundred thousand, of every kind: most are well, some raise, flood, fork and leave processes behind, fill their disk, hang or
take too much memory; now and then a session. Between stretches, when nothing runs, what the host process and the slots hold
is noted. The last third of the notes is compared with the first, after a warm-up. ``ENVHUB_SOAK_JOBS`` says how many jobs.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import median_high

import pytest

from envhub.sandbox import Job, Limits, Program, Setting
from envhub.sandbox.jobs import Result
from envhub.sandbox.sandbox import LocalSandbox
from tests.sandbox.jails import backend
from tests.server.families import family

JOBS = int(os.environ.get("ENVHUB_SOAK_JOBS", "100000"))
MB = 1 << 20
SLOTS = 2
QUICK = Limits(wall_s=20, cpu_s=10, memory_mb=128, pids=16, output_bytes=1 << 16, file_mb=8, files=200)


@dataclass(frozen=True)
class Sample:
    """What is held after so many jobs.

    Attributes:
        jobs: How many have been run.
        host: Bytes of memory of this process.
        slots: Of those of the slots.
        descriptors: Of this process and the slots.
        processes: Below this one.
        groups: Control groups of this process's slots.
        mounts: That the slots see; what this process sees is everybody's.
    """

    jobs: int
    host: int
    slots: int
    descriptors: int
    processes: int
    groups: int
    mounts: int


def ended(exit: int | None = 0, limit: str | None = None) -> Callable[[Result], bool]:
    return lambda result: (result.exit, result.limit, result.fault, result.crashed) == (exit, limit, None, False)


def called(result: Result) -> bool:
    return [one.value for one in result.values] == [n * n for n in range(5)]


def raised(result: Result) -> bool:
    return result.values[0].raised == "KeyError" and result.fault is None


LEAVE = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(0)
"""
FILES = """
import os
for n in range(40):
    os.makedirs(f"d{n}", exist_ok=True)
    open(f"d{n}/f", "wb").write(bytes(50_000))
os.symlink("/etc/passwd", "link"); os.mkfifo("fifo")
"""
FLOOD = "import sys\nwhile True: sys.stdout.write('x' * 9999)"
HOG = "x = []\nwhile True: x.append(bytearray(1 << 20))"
KINDS: list[tuple[int, Job, Callable[[Result], bool]]] = [  # the first whose number divides the job's is taken
    (997, Job(Program("while True: pass"), limits=Limits(wall_s=0.3, cpu_s=5)), lambda result: result.limit == "wall"),
    (499, Job(Program(HOG), limits=QUICK), lambda result: result.limit == "memory"),
    (97, Job(Program(FLOOD), limits=QUICK), lambda result: result.limit == "output"),
    (53, Job(Program("sleep 1000 & exit 3", "bash"), limits=QUICK), ended(3)),
    (23, Job(Program(FILES), limits=QUICK), ended()),
    (19, Job(Program(LEAVE), limits=QUICK), ended()),
    (7, Job(Program("def f(x): return {}[x]"), function="f", calls=((1,),), limits=QUICK), raised),
    (5, Job(Program("import sys; sys.exit(len(input()))"), stdins=(b"four\n",), limits=QUICK), ended(4)),
    (
        1,
        Job(Program("def f(x): return x * x"), function="f", calls=tuple((n,) for n in range(5)), limits=QUICK),
        called,
    ),
]


def one(sandbox: LocalSandbox, number: int) -> None:
    """Run a job, and see that it does what it does."""
    if number % 61 == 0:
        with sandbox.open(Setting("bash" if number % 2 else "python", limits=QUICK)) as session:
            assert session.run("a=1" if number % 2 else "a = 1").ok
            assert session.run("echo $a; sleep 1000 &" if number % 2 else "print(a)").text == "1\n"
        return
    _, job, right = next(kind for kind in KINDS if number % kind[0] == 0)
    (result,) = sandbox.run(job)
    assert right(result), (number, job.program.source, result)


def soak(jobs: int, samples: int = 30) -> list[Sample]:
    """Run so many jobs; what was held meanwhile."""
    found: list[Sample] = []
    with LocalSandbox(backend(), slots=SLOTS, sessions=4) as sandbox, ThreadPoolExecutor(SLOTS) as threads:
        stretch = max(SLOTS, jobs // samples)
        for begin in range(0, jobs, stretch):
            list(threads.map(lambda number: one(sandbox, number), range(begin + 1, begin + stretch + 1)))
            found.append(sample(begin + stretch))
    return found


def sample(jobs: int) -> Sample:
    """What is held now, when nothing runs."""
    mine = os.getpid()
    below = quiet()
    everybody = [mine, *below]
    return Sample(
        jobs,
        host=_memory(mine),
        slots=sum(map(_memory, below)),
        descriptors=sum(map(_descriptors, everybody)),
        processes=len(below),
        groups=len(list(Path("/sys/fs/cgroup").rglob(f"envhub-*{mine}-*"))),
        mounts=sum(map(_mounts, below)),
    )


def quiet() -> list[int]:
    """The processes below this one, once what is ending has ended."""
    until = time.monotonic() + 10
    before: list[int] = []
    while (now := family(os.getpid())[1:]) != before and time.monotonic() < until:
        before = now
        time.sleep(0.05)
    return now


def _memory(pid: int) -> int:
    """Bytes that are in no file, what is shared in parts; where the kernel does not tell, all that is resident.

    Pages of program files are left out: they count for more as soon as another program that has them ends.
    """
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith(("Pss_Anon:", "Pss_Shmem:"))) << 10
    except OSError:
        return _resident(pid)


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def _descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:  # not ours to see
        return 0


def _mounts(pid: int) -> int:
    try:
        return Path(f"/proc/{pid}/mountinfo").read_bytes().count(b"\n")
    except OSError:
        return 0


def thirds(samples: Sequence[Sample], read: Callable[[Sample], int]) -> tuple[int, int]:
    """The medians of the first third, without the very first, and of the last."""
    third = len(samples) // 3
    return median_high(map(read, samples[1 : third + 1])), median_high(map(read, samples[-third:]))


def check(samples: Sequence[Sample]) -> None:
    for read in (lambda one: one.host, lambda one: one.slots):
        before, after = thirds(samples, read)
        assert after <= 1.05 * before + 3 * MB, samples
    for count in (
        lambda one: one.descriptors,
        lambda one: one.processes,
        lambda one: one.groups,
        lambda one: one.mounts,
    ):
        before, after = thirds(samples, count)
        assert after <= before, samples


@pytest.mark.nightly
def test_a_hundred_thousand_jobs_leave_nothing_behind() -> None:
    samples = soak(JOBS)
    for each in samples:
        print(each)
    check(samples)
    assert family(os.getpid())[1:] == [], "slots outlive their sandbox"


def test_a_short_soak_runs() -> None:
    samples = soak(63, samples=3)
    assert [each.jobs for each in samples] == [21, 42, 63]
    assert all(each.host > 10 * MB and each.slots > 5 * MB for each in samples)
    assert all(each.descriptors > 3 and each.processes >= SLOTS and each.mounts > 3 for each in samples)


def held(read: str, *values: int) -> list[Sample]:
    whole = {"host": 50 * MB, "slots": 40 * MB, "descriptors": 20, "processes": 4, "groups": 4, "mounts": 60}
    return [Sample(100 * number, **{**whole, read: value}) for number, value in enumerate(values)]


@pytest.mark.parametrize(
    ("read", "step"),
    [("host", 2 * MB), ("slots", 2 * MB), ("descriptors", 1), ("processes", 1), ("groups", 1), ("mounts", 1)],
)
def test_growth_is_seen_and_what_comes_and_goes_is_not(read: str, step: int) -> None:
    base = 40 * MB if step > 1 else 10
    check(held(read, base + 9 * step, *(base + step * (n % 2) for n in range(1, 30))))
    with pytest.raises(AssertionError):
        check(held(read, *(base + n * step for n in range(30))))
