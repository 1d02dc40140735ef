"""Untrusted programs per second: ``python -m benchmarks sandbox``.

Compares our backends with simple solutions. A job is a Python program with 20 standard library imports and one function,
called ten times with given arguments; every answer is checked. The sides alternate in one run, with one and two concurrent
jobs.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.harness import Spread
from benchmarks.report import Section, number, ratio, table
from envhub.core.errors import EnvhubError, MissingExtra
from envhub.sandbox.broker.client import RemoteSandbox
from envhub.sandbox.docker.daemon import Daemon
from envhub.sandbox.docker.image import from_host
from envhub.sandbox.jobs import Job, Program
from envhub.sandbox.sandbox import LocalSandbox, Sandbox

SECONDS: Final = 1.5
_PARALLEL: Final = (1, 2)
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PYTHON: Final = "/usr/bin/python3"
_IMPORTS: Final = (
    "bisect, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools, heapq, itertools, json, math, "
    "operator, random, re, statistics, string, sys, typing"
)
_PROGRAM: Final = f"""import {_IMPORTS}

def f(numbers, k):
    counted = collections.Counter(number % k for number in numbers)
    return [sum(numbers), max(numbers), sorted(counted.items())[0][1]]
"""
_HARNESS: Final = f"{_PROGRAM}\nprint(json.dumps([f(*call) for call in json.load(sys.stdin)]))\n"
_CALLS: Final = [([*range(10 * n + 5)], n + 2) for n in range(10)]
_EXPECTED: Final = [
    [sum(numbers), max(numbers), len([each for each in numbers if each % k == 0])] for numbers, k in _CALLS
]
_SENT: Final = json.dumps(_CALLS).encode()
_JOB: Final = Job(Program(_PROGRAM), function="f", calls=tuple(_CALLS))
_MOUNTS: Final = ("--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib")
_BWRAP: Final = ("bwrap", "--unshare-all", "--die-with-parent", *_MOUNTS, "--symlink", "usr/lib64", "/lib64")
_BOX: Final = (*_BWRAP, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--clearenv")


@dataclass
class Way:
    """One way of running a job, with its measurements.

    Attributes:
        name: In the table.
        run: Runs one job; raises if the answer is wrong.
        beside: Name of the way it is compared with.
        aim: Target ratio of that comparison.
        counted: Whether all its processes are descendants of this one, so that their CPU time is known.
        rates: Jobs per second of each round, by number of concurrent jobs.
        seconds: Duration of each job.
        cpu: CPU seconds per job of each round.
    """

    name: str
    run: Callable[[], None]
    beside: str = ""
    aim: str = "-"
    counted: bool = True
    rates: dict[int, list[float]] = field(default_factory=lambda: {n: [] for n in _PARALLEL})
    seconds: dict[int, list[float]] = field(default_factory=lambda: {n: [] for n in _PARALLEL})
    cpu: dict[int, list[float]] = field(default_factory=lambda: {n: [] for n in _PARALLEL})


def sandbox(repeats: int) -> Section:
    """Measure all ways that this machine supports alternately."""
    with ExitStack() as stack:
        ways, absent = _ways(stack)
        for way in ways:
            way.run()  # warm-up
        for turn in range(repeats):
            for way in ways[:: -1 if turn % 2 else 1]:
                for parallel in _PARALLEL:
                    _measure(way, parallel, SECONDS)
    found = {way.name: way for way in ways}
    rows = [_row(way, found, parallel) for way in ways for parallel in _PARALLEL]
    head = [
        "how",
        "concurrent",
        "jobs per second",
        "median, ms",
        "95th percentile, ms",
        "CPU, ms per job",
        "ratio",
        "compared with",
        "aim",
    ]
    missing = f" Absent here: {'; '.join(absent)}." if absent else ""
    return Section("Programs in the sandbox", table(head, rows), _NOTE + missing)


_NOTE: Final = (
    "A job: 20 imports of the standard library, one function and ten calls; every answer is checked. Plain "
    f"subprocess, bubblewrap and `docker exec` start a fresh interpreter ({_PYTHON} -I) for each job. Ours fork a "
    "warm interpreter that has imported these 20 modules and about thirty more (`PRELOAD` in "
    "`envhub/sandbox/inside/zygote.py`). Each job has a fresh directory, limits and a filter of system calls, and "
    "with `namespace` new namespaces. CPU is that of all processes that take part, read from /proc; it is unknown "
    "where a process is not waited for by the one that started it. *ratio* is that of jobs per second within each "
    "round."
)


def _row(way: Way, found: dict[str, Way], parallel: int) -> list[str]:
    seconds = sorted(way.seconds[parallel])
    beside = found.get(way.beside)
    against = "-"
    if beside is not None:
        pairs = zip(way.rates[parallel], beside.rates[parallel], strict=True)
        against = ratio(Spread.of([ours / theirs for ours, theirs in pairs]))
    return [
        way.name,
        str(parallel),
        number(Spread.of(way.rates[parallel])),
        f"{statistics.median(seconds) * 1e3:.1f}",
        f"{seconds[int(len(seconds) * 0.95)] * 1e3:.1f}",
        f"{statistics.median(way.cpu[parallel]) * 1e3:.1f}" if way.counted else "-",
        against,
        way.beside if beside is not None else "-",
        way.aim if beside is not None else "-",
    ]


def _measure(way: Way, parallel: int, seconds: float) -> None:
    taken: list[float] = []
    failed: list[BaseException] = []
    until = time.perf_counter() + seconds

    def work() -> None:
        try:
            while (begun := time.perf_counter()) < until:
                way.run()
                taken.append(time.perf_counter() - begun)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(parallel)]
    begun, before = time.perf_counter(), _cpu()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    way.rates[parallel].append(len(taken) / (time.perf_counter() - begun))
    way.cpu[parallel].append((_cpu() - before) / len(taken))
    way.seconds[parallel] += taken


# -- the ways ----------------------------------------------------------------------------------------------------------


def _ways(stack: ExitStack) -> tuple[list[Way], list[str]]:
    """The available ways, and the reasons why others are not."""
    ways, absent = [Way("plain subprocess", _fresh(_PYTHON))], []
    if shutil.which("bwrap"):
        ways.append(Way("fresh bubblewrap", _fresh(*_BOX, _PYTHON), counted=False))
    else:
        absent.append("bubblewrap is not installed")
    try:
        ours = stack.enter_context(LocalSandbox("namespace", slots=max(_PARALLEL)))
        ways.append(Way("`namespace`", _ours(ours), "plain subprocess", "5"))
        kept = stack.enter_context(_broker("namespace"))
        ways.append(Way("`namespace` through the broker", _ours(kept), "plain subprocess", "-"))
    except EnvhubError as error:
        absent.append(f"namespace: {error}")
    try:
        docker = stack.enter_context(_docker())
        container = stack.enter_context(_container(docker))
        ways.append(Way("`docker exec`", _fresh("docker", "exec", "-i", container, _PYTHON), counted=False))
        ways.append(Way("`docker`", _ours(docker), "`docker exec`", "10", counted=False))
    except (EnvhubError, OSError, subprocess.CalledProcessError) as error:
        absent.append(f"docker ({str(error).partition(': ')[0][:100]})")
    return ways, absent


def _fresh(*command: str) -> Callable[[], None]:
    whole = [*command, "-I", "-c", _HARNESS]

    def run() -> None:
        done = subprocess.run(whole, input=_SENT, capture_output=True, check=True)
        if json.loads(done.stdout) != _EXPECTED:
            raise RuntimeError(f"{command[0]} answered {done.stdout[:200]!r}")

    return run


def _ours(of: Sandbox) -> Callable[[], None]:
    def run() -> None:
        (result,) = of.run(_JOB)
        values = [returned.value for returned in result.values]
        if [[total, most, first] for total, most, first in values] != _EXPECTED:
            raise RuntimeError(f"the sandbox answered {result}")

    return run


@contextmanager
def _broker(backend: str) -> Iterator[RemoteSandbox]:
    options = ("--backend", backend, "--slots", str(max(_PARALLEL)), "--idle", "1")
    with (
        tempfile.TemporaryDirectory(prefix="envhub-") as folder,
        RemoteSandbox(f"{folder}/socket", options=options) as found,
    ):
        yield found


def _docker() -> LocalSandbox:
    """The docker backend; a daemon without an image gets one of this machine's files."""
    try:
        return LocalSandbox("docker", slots=max(_PARALLEL))
    except MissingExtra:
        with closing(Daemon()) as daemon:
            from_host(daemon, [])
        return LocalSandbox("docker", slots=max(_PARALLEL))


@contextmanager
def _container(docker: LocalSandbox) -> Iterator[str]:
    """Start an idle container of the same image; yields its name."""
    name = f"envhub-bench-{os.getpid()}"
    image: str = docker.backend.image.key  # type: ignore[attr-defined]
    command = ["docker", "run", "-d", "--rm", "--network", "none", "--name", name, image]
    subprocess.run([*command, _PYTHON, "-c", "import time; time.sleep(1e6)"], check=True, capture_output=True)
    try:
        yield name
    finally:
        subprocess.run(["docker", "rm", "-f", name], check=False, capture_output=True)


# -- CPU time ------------------------------------------------------------------------------------------------------------


def _cpu() -> float:
    """CPU seconds of this process, its descendants and the children they waited for."""
    parents: dict[int, list[int]] = {}
    used: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (folder / "stat").read_text().rpartition(")")[2].split()
            parents.setdefault(int(words[1]), []).append(int(folder.name))
            used[int(folder.name)] = sum(map(int, words[11:15]))
    total, left = 0, [os.getpid()]
    while left:
        one = left.pop()
        total += used.get(one, 0)
        left += parents.get(one, [])
    return total / _TICKS
