"""Formats measurements as Markdown and inserts them into a document.

The parts of the document between ``<!-- benchmark NAME -->`` and ``<!-- end NAME -->`` are rewritten; everything else is
kept.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.harness import Spread


@dataclass(frozen=True)
class Section:
    """Results of one benchmark.

    Attributes:
        title: Its heading.
        table: The figures.
        note: What the figures mean.
        paired: Whether it ran in pairs.
        files: Texts of files that belong to it, such as pictures.
    """

    title: str
    table: str
    note: str
    paired: bool = True
    files: Mapping[Path, str] = field(default_factory=dict)

    def markdown(self, repeats: int) -> str:
        """The section as Markdown; ends with the machine and the method."""
        how = f"medians of {repeats} pairs" if self.paired else "measured once"
        return f"## {self.title}\n\n{self.table}\n\n{self.note}\n\n{_machine()}; {how}."


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))


def number(spread: Spread) -> str:
    """A median rate, to three digits."""
    return figures(spread.median)


def ratio(spread: Spread) -> str:
    """A ratio with its quartiles; a small one has two more decimals."""
    places = 2 if spread.median >= 0.1 else 4
    return f"**{spread.median:.{places}f}** ({spread.low:.{places}f} - {spread.high:.{places}f})"


def milliseconds(spread: Spread) -> str:
    """A time with its quartiles."""
    return f"{spread.median * 1e3:.0f} ms ({spread.low * 1e3:.0f} - {spread.high * 1e3:.0f})"


def insert(document: Path, name: str, text: str) -> None:
    """Insert ``text`` at its marked place.

    Raises:
        ValueError: The document has no such place.
    """
    begin, end = f"<!-- benchmark {name} -->", f"<!-- end {name} -->"
    old = document.read_text()
    found = re.search(f"{re.escape(begin)}.*?{re.escape(end)}", old, re.DOTALL)
    if found is None:
        raise ValueError(f"{document} has no place for {name!r}: it needs the lines {begin} and {end}.")
    document.write_text(f"{old[: found.start()]}{begin}\n{text}\n{end}{old[found.end() :]}")


def figures(value: float) -> str:
    """A value to three digits: ``1234567`` as ``1,230,000``."""
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:g}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _machine() -> str:
    cores = f"{os.cpu_count()} cores, shared with other work"
    return f"{_processor()}, {cores}; {platform.system()}; Python {platform.python_version()}"
