"""Waiting for tasks: a trainer that asks for tasks of all environments at a fixed rate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from typing import Final

from benchmarks.harness import OURS, workload
from benchmarks.report import Section, table

_TASKS, _RATE, _LEVEL = 2_000, 200, 5
_LONG: Final = 1e3 / _RATE
"""Milliseconds after which the next task is due."""


def prefill(repeats: int) -> Section:
    """How long a trainer waits for tasks, by where they come from; measured once."""
    supply = json.loads(workload(OURS, "ours.supply", _TASKS, _LEVEL).output())
    ahead = json.loads(workload(OURS, "ours.prefill", _TASKS, _RATE, _LEVEL, 1, 2).output())
    rows = [("drawn when asked for", *_row(_waits(supply["drawn"])), "-", "-")]
    for processes, (waits, blocked, busy) in ahead.items():
        counted = f"{processes} process{'es' if processes != '1' else ''}"
        rows.append(
            (
                f"server, tasks of slow environments drawn ahead by {counted}",
                *_row(waits),
                _blocked(blocked),
                f"{busy:.0%}",
            )
        )
    rows.append(("from a bank", *_row(_waits(supply["bank"])), "-", "-"))
    return Section(
        f"A trainer that asks for {_RATE} tasks a second",
        table(
            ("tasks", f"waited for over {_LONG:g} ms", "99 %, ms", "longest, ms", "none was ready", "processes busy"),
            rows,
        ),
        f"A mixture of all environments with equal weights at level {_LEVEL}, {_TASKS:,} tasks. A request is made every "
        f"{_LONG:g} ms and answered after those before it; the time is from the request to its task, so a slow task delays "
        "the next ones too. Time passes by the CPU time of the work, which is done for real, as if each process had a core. "
        "The server has had a request for each slow environment before (`benchmarks/ours/prefill.py`); others are drawn "
        "when asked for. *None was ready* counts the requests for a slow task that had to be drawn, with the longest draw; "
        "other waits are for tasks of environments that are not slow, for the cache, and for the requests before. A bank "
        "(`envhub bank build`) holds the tasks of the stream.",
        paired=False,
    )


def _waits(spent: Sequence[float]) -> list[float]:
    """Milliseconds from each request to its task, if the tasks take these times one after the other."""
    ends = accumulate(spent[1:], lambda end, taken: max(end - _LONG, 0.0) + taken, initial=spent[0])
    return list(ends)


def _blocked(spent: Sequence[float]) -> str:
    return f"{len(spent)}, at most {max(spent):.3g} ms" if spent else "never"


def _row(waits: Sequence[float]) -> tuple[str, ...]:
    ordered = sorted(waits)
    late = sum(wait > _LONG for wait in waits) / len(waits)
    return f"{late:.2%}", f"{ordered[len(ordered) * 99 // 100]:.3g}", f"{ordered[-1]:.3g}"
