"""Facts about a run, from its log alone.

::

    for name, told in facts(read(folder), planned=100):
        print(f"{name}: {told}")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from statistics import fmean
from typing import Final

from envhub.core.statistics import wilson
from envhub.reports.svg import Point
from envhub_trainer.watch.view import duration

EVALUATED: Final = ("sampled", "greedy")
"""Ways to evaluate."""

_EDGE: Final = 10
"""Number of steps at either end of a run whose means are compared."""

Log = Sequence[Mapping[str, float]]


def facts(log: Log, planned: int | None = None) -> list[tuple[str, str]]:
    """What happened, as names and sentences.

    Args:
        log: As :func:`envhub_trainer.watch.track.read` returns it.
        planned: Number of steps of the run, if known.
    """
    if not log:
        return []
    found = [
        ("steps done", f"{log[-1]['step']}" + (f" of {planned}" if planned is not None else "")),
        ("last written", datetime.fromtimestamp(log[-1]["time"], UTC).strftime("%Y-%m-%d %H:%M:%S UTC")),
    ]
    took, episodes = sum(values(log, "seconds")), sum(values(log, "episodes"))
    failed = sum(each["masked"] * each["episodes"] for each in log if "masked" in each and "episodes" in each)
    if took:
        found.append(("time in these steps", duration(took)))
    if episodes:
        share = f"{failed / episodes:.2%}"
        found.append(("episodes", f"{episodes:,.0f}; {failed:,.0f} failed and were not learned from ({share})"))
    if skipped := _skipped(log):
        found.append(("steps without an update", skipped))
    for name, form in (("reward", ".3f"), ("solved", ".1%"), ("loss", ".3f")):
        if (of := values(log, name)) and (name != "loss" or not episodes):  # the loss of a policy gradient says nothing
            edge = min(_EDGE, (len(of) + 1) // 2)
            span = "step" if edge == 1 else f"{edge} steps"
            told = f"{fmean(of[:edge]):{form}} in the first {span}, {fmean(of[-edge:]):{form}} in the last {span}"
            found.append((f"{name} in training", told))
    return found + [each for split in splits(log) for each in _held_out(log, split)]


def splits(log: Log) -> list[str]:
    """The splits on which the run was evaluated."""
    names = {name for each in log for name in each}
    return [split for split in ("test", "validation") if any(f"{split}/{name}" in names for name in EVALUATED)]


def shares(log: Log, split: str, name: str) -> list[Point]:
    """The points of a share, with intervals over the judged episodes."""
    points = []
    for each in log:
        share = each.get(f"{split}/{name}")
        if share is None:
            continue
        judged = int(each.get(f"{split}/episodes", 0) - each.get(f"{split}/{name}_failed", 0))
        bounds = wilson(share * judged, judged) if judged > 0 else None
        points.append(Point(int(each["step"]), share, bounds))
    return points


def share_text(point: Point | None) -> str:
    """A share with its interval, if known."""
    if point is None or not isfinite(point.value):
        return ""
    return f"{point.value:.1%}" + (f" [{point.bounds[0]:.1%}, {point.bounds[1]:.1%}]" if point.bounds else "")


def values(log: Log, name: str) -> list[float]:
    """The finite values of a name."""
    return [each[name] for each in log if name in each and isfinite(each[name])]


def _held_out(log: Log, split: str) -> list[tuple[str, str]]:
    told = []
    for name in EVALUATED:
        points = [point for point in shares(log, split, name) if isfinite(point.value)]
        if points:
            steps = f" (step {points[0].x}) to {share_text(points[-1])} (step {points[-1].x})" if points[1:] else ""
            told.append((f"held-out success ({split}, {name})", share_text(points[0]) + steps))
    return told


def _skipped(log: Log) -> str:
    """Skipped steps by reason."""
    prefix = "skipped/"
    names = sorted({name for each in log for name in each if name.startswith(prefix)})
    return ", ".join(f"{name.removeprefix(prefix)} {sum(values(log, name)):.0f}" for name in names)
