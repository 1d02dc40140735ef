"""How cost grows with work: dataset rows, open episodes, environments made.

Each size is measured in a process of its own, and a power of the size is fitted to the cost. The slope is the power: 1 means
that twice the work costs twice as much. :mod:`benchmarks.quick` shows it up to a size that takes seconds, and
``python -m benchmarks.growth`` prints all sizes, up to a million rows::

    rows, episodes, environments = measure(largest=100_000)
    rows.slope                          # 1.02
"""

from __future__ import annotations

import json
import resource
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log10
from statistics import linear_regression
from typing import Final, NamedTuple

from benchmarks.harness import OURS, ROOT, Side, workload
from benchmarks.report import Section, figures, table
from envhub.reports.svg import Point, Series, picture

PICTURES: Final = ROOT / "docs" / "assets"


class Cost(NamedTuple):
    """What a size of work costs: CPU seconds, and bytes of memory where something is held."""

    size: int
    cpu_s: float
    held: int | None = None


@dataclass(frozen=True)
class Kind:
    """A kind of work whose size varies.

    Attributes:
        name: Short name, of the picture and in the history.
        what: Name of its row.
        sizes: From the smallest to the largest.
        cost: Does the work of a size in a process of its own.
    """

    name: str
    what: str
    sizes: tuple[int, ...]
    cost: Callable[[int], Cost]


@dataclass(frozen=True)
class Growth:
    """The costs of a kind of work, and the power of the size that fits them best."""

    kind: Kind
    costs: Sequence[Cost]

    @property
    def slope(self) -> float:
        """The fitted power."""
        return self._fit()[0]

    def picture(self) -> str:
        """The costs and the fit as an SVG file; sizes that are powers of ten are drawn as powers, and so is their cost."""
        kind, (slope, start) = self.kind, self._fit()
        powers = all(str(size).strip("0") == "1" for size in kind.sizes)
        pairs = [(cost.size, cost.cpu_s, 10**start * cost.size**slope) for cost in self.costs]
        at = [(round(log10(size)), log10(cpu), log10(fit)) for size, cpu, fit in pairs] if powers else pairs
        shown = [
            Point(x, y, about=f"{size:,}: {figures(cpu)} s")
            for (x, y, _), (size, cpu, _) in zip(at, pairs, strict=True)
        ]
        fit = [Point(x, y) for x, _, y in at]
        series = [Series("CPU s", shown), Series(f"slope {slope:.2f}", fit, dashed=True)]
        return picture(kind.what, series, x_name=f"{kind.name}, power of ten" if powers else kind.name)

    def row(self) -> tuple[str, ...]:
        """Its row in the table."""
        first, last = self.costs[0], self.costs[-1]
        held = "-" if last.held is None else f"{last.held / last.size / 1e3:.1f} kB"
        each = [f"{figures(cost.cpu_s / cost.size * 1e6)} us" for cost in (first, last)]
        return self.kind.what, f"{first.size:,} to {last.size:,}", *each, f"{self.slope:.2f}", held

    def _fit(self) -> tuple[float, float]:
        fitted = linear_regression(
            [log10(cost.size) for cost in self.costs], [log10(cost.cpu_s) for cost in self.costs]
        )
        return fitted.slope, fitted.intercept


def _rows(size: int) -> Cost:
    """Rows of a dataset, with one process; without its start, which is that of a single row."""
    return Cost(size, _generated(size) - _generated(1))


def _generated(rows: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        wanted = ("-n", str(rows), "--processes", "1", "-o", f"{folder}/rows.jsonl")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        Side(OURS, ("-m", "envhub", "generate", "arithmetic-v0", *wanted)).output()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime


def _ours(kind: str) -> Callable[[int], Cost]:
    def cost(size: int) -> Cost:
        line = json.loads(workload(OURS, "ours.growth", kind, size).output())
        return Cost(size, line["cpu_s"], line["bytes"])

    return cost


KINDS: Final = (
    Kind("rows", "rows of `envhub generate arithmetic-v0`", (1_000, 10_000, 100_000, 1_000_000), _rows),
    Kind("episodes", "episodes open at once, a turn taken in each", (100, 1_000, 10_000, 100_000), _ours("episodes")),
    Kind("environments", "different environments made in a process", (50, 90, 130, 170), _ours("environments")),
)
_HEAD: Final = ("work", "sizes", "each, smallest", "each, largest", "slope", "memory of each")
_NOTE: Final = (
    "CPU time, each size in a process of its own; that of `envhub generate` without its start. The slope is the power of the "
    "size that fits the cost best: 1 means that twice the work costs twice as much. Where the horizontal axis "
    "shows powers of ten, the vertical one does as well."
)


def measure(largest: int) -> list[Growth]:
    """The growth of every kind of work, of sizes up to the largest."""
    return [Growth(kind, [kind.cost(size) for size in kind.sizes if size <= largest]) for kind in KINDS]


def section(found: Sequence[Growth]) -> Section:
    """The table and the pictures of measured growth."""
    files = {PICTURES / f"growth-{each.kind.name}.svg": each for each in found}
    shown = [
        f"![CPU seconds by number of {each.kind.name}, with the fitted power]({file.relative_to(ROOT / 'docs').as_posix()})"
        for file, each in files.items()
    ]
    grown = table(_HEAD, [each.row() for each in found])
    pictures = {file: each.picture() for file, each in files.items()}
    return Section("How cost grows with work", "\n\n".join([grown, *shown]), _NOTE, False, pictures)


if __name__ == "__main__":
    print(section(measure(KINDS[0].sizes[-1])).markdown(1))
