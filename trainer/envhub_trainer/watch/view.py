"""Live view of a run in the terminal, with sparklines.

::

    view = View(steps=100)
    view.show(1, {"reward": 0.5, "seconds": 2.0})
    view.close()

In a terminal it shows the main numbers in a table that is redrawn each step; in a file or a pipe, one line per step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, isfinite
from statistics import fmean
from typing import Final

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

_BLOCKS: Final = "▁▂▃▄▅▆▇█"
_WIDTH: Final = 40
"""Number of steps in a sparkline."""

_RECENT: Final = 20
"""Number of last steps used to estimate the remaining time."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A displayed number: name in the log, label and format."""

    name: str
    label: str
    form: str


_NUMBERS: Final = (
    _Shown("reward", "reward", ".3f"),
    _Shown("solved", "solved", ".1%"),
    _Shown("validation/sampled", "validation", ".1%"),
    _Shown("validation/greedy", "validation greedy", ".1%"),
    _Shown("test/sampled", "test", ".1%"),
    _Shown("test/greedy", "test greedy", ".1%"),
    _Shown("entropy", "entropy", ".3f"),
    _Shown("kl", "KL", ".2g"),
    _Shown("sampled_per_s", "tokens/s", ",.0f"),
    _Shown("idle_trainer", "idle", ".0%"),
    _Shown("masked", "masked", ".1%"),
)


class View:
    """Shows a run's progress.

    Args:
        steps: Number of steps of the run; None if unknown.
        history: The log so far, as :func:`envhub_trainer.watch.track.read` returns it.
        console: Output console; standard output by default.
    """

    def __init__(
        self, steps: int | None = None, history: Sequence[Mapping[str, float]] = (), console: Console | None = None
    ) -> None:
        self._steps = steps
        self._console = console or Console()
        self._values: dict[str, list[float]] = {}
        self._step = 0
        for values in history:
            self._add(int(values["step"]), values)
        self._live = Live(console=self._console, auto_refresh=False) if self._console.is_terminal else None
        if self._live is not None:
            self._live.start()

    def show(self, step: int, values: Mapping[str, float]) -> None:
        """Show a step's numbers; unknown names are ignored."""
        self._add(step, values)
        if self._live is not None:
            self._live.update(self._table(), refresh=True)
            return
        told = [f"{each.label} {values[each.name]:{each.form}}" for each in _NUMBERS if each.name in values]
        if told:
            self._console.print("  ".join([self._head(), *told]), highlight=False, soft_wrap=True)

    def close(self) -> None:
        """Leave the last state on the screen and release the terminal."""
        if self._live is not None:
            self._live.stop()

    def _add(self, step: int, values: Mapping[str, float]) -> None:
        self._step = step
        for name, value in values.items():
            self._values.setdefault(name, []).append(value)

    def _head(self) -> str:
        of = f"/{self._steps}" if self._steps else ""
        left = self._left()
        return f"step {self._step}{of}" + (f"  {duration(left)} left" if left is not None else "")

    def _left(self) -> float | None:
        """Estimated seconds to the end of the run."""
        took = [seconds for seconds in self._values.get("seconds", ())[-_RECENT:] if isfinite(seconds)]
        if not took or self._steps is None:
            return None
        return fmean(took) * max(self._steps - self._step, 0)

    def _table(self) -> Group:
        table = Table(box=None, pad_edge=False, show_header=False)
        table.add_column(style="dim", no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(no_wrap=True)
        for each in _NUMBERS:
            if values := self._values.get(each.name):
                table.add_row(each.label, f"{values[-1]:{each.form}}", sparkline(values))
        return Group(Text(self._head(), style="bold"), table)


def sparkline(values: Sequence[float], width: int = _WIDTH) -> str:
    """The last values as blocks, from minimum to maximum; blank unless finite."""
    last = values[-width:]
    finite = [value for value in last if isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=0.0)
    return "".join(
        _block((value - low) / (high - low) if high > low else 0.5) if isfinite(value) else " " for value in last
    )


def _block(share: float) -> str:
    return _BLOCKS[min(int(share * len(_BLOCKS)), len(_BLOCKS) - 1)]


def duration(seconds: float) -> str:
    """Seconds for people: ``41 s``, ``3:05 min``, ``2:15 h``; rounded up."""
    whole = ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    minutes = ceil(seconds / 60)
    return f"{minutes // 60}:{minutes % 60:02} h"
