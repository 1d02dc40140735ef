"""Runs two sides alternately, each in its own interpreter, and compares them.

A shared machine's speed varies from second to second. So measures are CPU time, not wall-clock time, if one process does the
work; the two sides of a pair run in direct succession, and the order alternates; reported are the median and quartiles of the
pairs' *ratios* ::

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
    """The median of some measurements, with their quartiles."""

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
    """One side of a comparison: an interpreter and its arguments."""

    python: str
    arguments: tuple[str, ...]

    def rate(self) -> float:
        """Items per CPU second, from the workload's JSON line."""
        line = json.loads(self.output())
        return float(line["items"] / line["cpu_s"])

    def output(self) -> str:
        """Standard output of a run in the repository.

        Raises:
            RuntimeError: It failed; the message ends with its output.
        """
        done = subprocess.run(
            [self.python, *self.arguments], cwd=ROOT, capture_output=True, text=True, env=_environment()
        )
        if done.returncode:
            raise RuntimeError(f"{self.python} {' '.join(self.arguments)} failed:\n{done.stderr[-2000:]}")
        return done.stdout

    def wall(self) -> float:
        """Wall-clock seconds of a whole process, run in the repository.

        Raises:
            RuntimeError: It failed.
        """
        begin = time.perf_counter()
        self.output()
        return time.perf_counter() - begin

    def cpu(self) -> float:
        """CPU seconds (user and system) of a whole process, run in an empty folder.

        Raises:
            RuntimeError: It failed.
        """
        with tempfile.TemporaryDirectory() as empty, tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                [self.python, *self.arguments], cwd=empty, stdout=subprocess.DEVNULL, stderr=said, env=_environment()
            )
            _, status, used = os.wait4(process.pid, 0)  # usage of this child only, not of all children
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode:
                said.seek(0)
                raise RuntimeError(f"{self.python} {' '.join(self.arguments)} failed:\n{said.read()[-2000:].decode()}")
        return used.ru_utime + used.ru_stime


@dataclass(frozen=True)
class Pair:
    """Results of paired runs.

    Attributes:
        ours: Results of our side.
        theirs: Results of the other side.
        ratio: Ratio ours / theirs of each pair.
    """

    ours: Spread
    theirs: Spread
    ratio: Spread


def pair(ours: Callable[[], float], theirs: Callable[[], float], repeats: int) -> Pair:
    """Measure both sides ``repeats`` times; the order alternates."""
    left, right = alternate(ours, theirs, repeats)
    return Pair(Spread.of(left), Spread.of(right), Spread.of([a / b for a, b in zip(left, right, strict=True)]))


def alternate(first: Callable[[], _T], second: Callable[[], _T], repeats: int) -> tuple[list[_T], list[_T]]:
    """Call both functions ``repeats`` times in succession; the order alternates."""
    left: list[_T] = []
    right: list[_T] = []
    for turn in range(repeats):
        for mine, call in ((left, first), (right, second))[:: -1 if turn % 2 else 1]:
            mine.append(call())
    return left, right


def workload(python: str, module: str, *arguments: object) -> Side:
    """A side that runs a module of ``benchmarks`` with ``python``."""
    return Side(python, ("-m", f"benchmarks.{module}", *map(str, arguments)))


def _environment() -> dict[str, str]:
    """Isolated environment: no user site or PYTHONPATH, one thread, fixed hash seed, no caches."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "ENVHUB"))}
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return {**kept, **threads, "PYTHONNOUSERSITE": "1", "PYTHONHASHSEED": "0", "ENVHUB_CACHE": "off"}
