"""Run two sides in turn, each in an interpreter of its own, and say how they compare.

A machine shared with others speeds up and slows down from second to second. So a measure is CPU time, not time on the
clock, wherever the work is that of one process; the two sides of a pair run one right after the other, and which goes first
alternates; what is reported is the median and the quartiles of the pairs' *ratios* ::

    pair(Side(sys.executable, ("-m", "benchmarks.ours.sudoku", "200")), Side(peer, ...), repeats=9).ratio
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

_T = TypeVar("_T")
ROOT = Path(__file__).resolve().parent.parent
OURS = sys.executable


@dataclass(frozen=True)
class Spread:
    """The median of some measurements, between their quartiles."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of one or more values."""
        if len(values) == 1:
            return cls(values[0], values[0], values[0])
        return cls(*statistics.quantiles(values, n=4, method="inclusive"))


@dataclass(frozen=True)
class Side:
    """One side of a comparison: an interpreter and what it is to run."""

    python: str
    arguments: tuple[str, ...]

    def rate(self) -> float:
        """Items a CPU second, as the workload's JSON line says."""
        line = json.loads(self.output())
        return float(line["items"] / line["cpu_s"])

    def output(self) -> str:
        """Standard output of a run in the repository.

        Raises:
            RuntimeError: It failed; the message ends with what it said.
        """
        done = subprocess.run(
            [self.python, *self.arguments], cwd=ROOT, capture_output=True, text=True, env=_environment()
        )
        if done.returncode:
            raise RuntimeError(f"{self.python} {' '.join(self.arguments)} failed:\n{done.stderr[-2000:]}")
        return done.stdout

    def wall(self) -> float:
        """Seconds on the clock of a whole process, run in the repository.

        Raises:
            RuntimeError: It failed.
        """
        begin = time.perf_counter()
        self.output()
        return time.perf_counter() - begin

    def cpu(self) -> float:
        """CPU seconds, user and system, of a whole process, run where there is nothing to import by accident.

        Raises:
            RuntimeError: It failed.
        """
        with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                [self.python, *self.arguments], cwd=empty, stdout=subprocess.DEVNULL, stderr=said, env=_environment()
            )
            _, status, used = os.wait4(process.pid, 0)  # this child's own usage, not that of all children
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                said.seek(0)
                raise RuntimeError(f"{self.python} {' '.join(self.arguments)} failed:\n{said.read()[-2000:].decode()}")
        return used.ru_utime + used.ru_stime


@dataclass(frozen=True)
class Pair:
    """What paired runs gave.

    Attributes:
        ours: Of every run of our side.
        theirs: Of every run of the other side.
        ratio: Of every pair's ours / theirs.
    """

    ours: Spread
    theirs: Spread
    ratio: Spread


def pair(ours: Callable[[], float], theirs: Callable[[], float], repeats: int) -> Pair:
    """Measure both sides ``repeats`` times in turn; who goes first alternates."""
    left, right = alternate(ours, theirs, repeats)
    return Pair(Spread.of(left), Spread.of(right), Spread.of([a / b for a, b in zip(left, right, strict=True)]))


def alternate(first: Callable[[], _T], second: Callable[[], _T], repeats: int) -> tuple[list[_T], list[_T]]:
    """Call both ``repeats`` times in turn, one right after the other; who goes first alternates."""
    left: list[_T] = []
    right: list[_T] = []
    for turn in range(repeats):
        for mine, call in ((left, first), (right, second))[:: -1 if turn % 2 else 1]:
            mine.append(call())
    return left, right


def workload(python: str, module: str, *arguments: object) -> Side:
    """A module of ``benchmarks`` with its arguments, to be run by ``python``."""
    return Side(python, ("-m", f"benchmarks.{module}", *map(str, arguments)))


def _environment() -> dict[str, str]:
    """No user site, no path from outside, one thread, the same hash seed for all, and nothing read that was drawn before."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ENVHUB"))}
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return {**kept, **threads, "PYTHONNOUSERSITE": "1", "PYTHONHASHSEED": "0", "ENVHUB_CACHE": "off"}
