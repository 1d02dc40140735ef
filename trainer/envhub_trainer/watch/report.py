"""HTML report of a run: results, curves, episodes token by token, settings.

::

    report(Path("runs/addition"))       # runs/addition/report.html

The page is self-contained: no scripts, no external resources, and a content security policy that forbids both. All content is
escaped. Runs in progress and resumed runs can be reported too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from math import isfinite
from pathlib import Path
from statistics import fmean
from typing import Any, Final, TypeVar

from envhub.core.statistics import wilson
from envhub.reports.html import standalone
from envhub.reports.svg import STYLE as CHART_STYLE, Point, Series, chart, figure
from envhub_trainer.watch.panels import panels
from envhub_trainer.watch.track import EPISODES, LOG, lines, read
from envhub_trainer.watch.transcript import STYLE as TRANSCRIPT_STYLE, strongest, transcript
from envhub_trainer.watch.view import duration

T = TypeVar("T")
SHOWN: Final = 16
"""Maximum number of episodes on the page."""

_EDGE: Final = 10
"""Number of steps at either end of a run whose means the summary compares."""

_EVALUATED: Final = ("sampled", "greedy")
_STYLE: Final = (
    """
td { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; } code { font-size: 12px; } .broken { color: #b42318; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: .5rem 1.5rem; }
"""
    + CHART_STYLE
    + TRANSCRIPT_STYLE
)


def report(folder: Path) -> Path:
    """Write the report of a run.

    Args:
        folder: Folder of the run.

    Returns:
        Path of ``report.html`` in the folder, replaced atomically.

    Raises:
        FileNotFoundError: The folder holds no log.
        ValueError: The log is damaged before its last line.
    """
    if not (folder / LOG).is_file():
        raise FileNotFoundError(f"{folder} holds no run: there is no {LOG} in it.")
    final, draft = folder / "report.html", folder / ".report.html.draft"
    text = page(folder.resolve().name, read(folder), _settings(folder), _kept(folder / EPISODES))
    draft.write_bytes(text.encode("utf-8", "replace"))  # a policy may sample half a surrogate pair
    draft.replace(final)
    return final


def page(
    name: str,
    log: Sequence[Mapping[str, float]],
    settings: Mapping[str, Any],
    records: Sequence[Mapping[str, Any]],
) -> str:
    """Build the page.

    Args:
        name: Name of the run.
        log: As :func:`envhub_trainer.watch.track.read` returns it.
        settings: The configuration by section, as JSON values.
        records: Lines of ``episodes.jsonl``.
    """
    body = [
        _summary(log, settings),
        _evaluations(log),
        panels(log, _told(log)),
        _episodes(records),
        _configuration(settings),
    ]
    return standalone(name, "".join(body), _STYLE)


# -- what came of it ----------------------------------------------------------------------------------------------------


def _summary(log: Sequence[Mapping[str, float]], settings: Mapping[str, Any]) -> str:
    if not log:
        return "<p>Nothing was logged yet.</p>"
    planned = (settings.get("run") or {}).get("steps")
    took, episodes = sum(_values(log, "seconds")), sum(_values(log, "episodes"))
    failed = sum(each["masked"] * each["episodes"] for each in log if "masked" in each and "episodes" in each)
    facts = [
        ("steps done", f"{log[-1]['step']}" + (f" of {planned}" if planned is not None else "")),
        ("last written", datetime.fromtimestamp(log[-1]["time"], UTC).strftime("%Y-%m-%d %H:%M:%S UTC")),
    ]
    if took:
        facts.append(("time in these steps", duration(took)))
    if episodes:
        facts.append(
            (
                "episodes",
                f"{episodes:,.0f}, of which {failed:,.0f} failed and were not learned from ({failed / episodes:.2%})",
            )
        )
    for name, form in (("reward", ".3f"), ("solved", ".1%")):
        values = _values(log, name)
        if values:
            edge = min(_EDGE, len(values))
            told = f"{fmean(values[:edge]):{form}} in the first {edge} steps, {fmean(values[-edge:]):{form}} in the last {edge}"
            facts.append((f"{name} in training", told))
    return (
        "<table>"
        + "".join(f"<tr><th>{escape(name)}</th><td>{escape(told)}</td></tr>" for name, told in facts)
        + "</table>"
    )


def _evaluations(log: Sequence[Mapping[str, float]]) -> str:
    """Held-out success as a chart and table.

    With intervals if episode counts are known.
    """
    drawn = []
    for split in _splits(log):
        measured = {name: _shares(log, split, name) for name in _EVALUATED}
        rows = []
        for step in spread(sorted({point.x for points in measured.values() for point in points}), 12):
            cells = (next((point for point in measured[name] if point.x == step), None) for name in _EVALUATED)
            rows.append(f"<tr><td>{step}</td>{''.join(f'<td>{_share(cell)}</td>' for cell in cells)}</tr>")
        series = [Series(name, points) for name, points in measured.items() if points]
        head = "".join(f"<th>{name}</th>" for name in ("step", *_EVALUATED))
        drawn.append(
            f"<h2>Held-out success ({escape(split)})</h2><div class='charts'>{chart('solved', series, (0.0, 1.0))}"
            f"<table><tr>{head}</tr>{''.join(rows)}</table></div>"
            "<p><small>In brackets and as bars: 95 % intervals of the share (Wilson).</small></p>"
        )
    return "".join(drawn)


def _splits(log: Sequence[Mapping[str, float]]) -> list[str]:
    names = {name for each in log for name in each}
    return [split for split in ("test", "validation") if any(f"{split}/{name}" in names for name in _EVALUATED)]


def _told(log: Sequence[Mapping[str, float]]) -> set[str]:
    """The names shown with the evaluations."""
    return {f"{split}/{name}" for split in _splits(log) for name in (*_EVALUATED, "episodes")}


def _shares(log: Sequence[Mapping[str, float]], split: str, name: str) -> list[Point]:
    """The points of a share.

    With intervals over the episodes that could be judged.
    """
    points = []
    for each in log:
        share = each.get(f"{split}/{name}")
        if share is None:
            continue
        judged = int(each.get(f"{split}/episodes", 0) - each.get(f"{split}/{name}_failed", 0))
        bounds = wilson(share * judged, judged) if judged > 0 else None
        points.append(Point(int(each["step"]), share, bounds))
    return points


def _share(point: Point | None) -> str:
    if point is None or not isfinite(point.value):
        return ""
    return f"{point.value:.1%}" + (f" [{point.bounds[0]:.1%}, {point.bounds[1]:.1%}]" if point.bounds else "")


# -- episodes and settings ------------------------------------------------------------------------------------------------


def _kept(path: Path) -> list[dict[str, Any]]:
    """Episodes of some steps, first to last.

    Reads the file twice to save memory.
    """
    counts: dict[int, int] = {}
    for record in lines(path):
        counts[record["step"]] = counts.get(record["step"], 0) + 1
    wanted = set(spread(sorted(counts), max(1, SHOWN // max(counts.values(), default=1))))
    return [record for record in lines(path) if record["step"] in wanted][:SHOWN]


def _episodes(records: Sequence[Mapping[str, Any]]) -> str:
    if not records:
        return ""
    scale = strongest(records)
    legend = (
        "Grey text was given; underlined text was sampled, blue where its advantage is above 0, orange where it is below, "
        f"the darker the further from 0 (darkest: {figure(scale)}), a dotted line where it was not learned from. "
        "A token's log-probability and advantage appear when the pointer rests on it."
    )
    newest = sorted(records, key=lambda record: -record["step"])
    return f"<h2>Episodes</h2><p><small>{legend}</small></p>{''.join(transcript(record, scale) for record in newest)}"


def _settings(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    settings: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return settings


def _configuration(settings: Mapping[str, Any]) -> str:
    rows = []
    for section, values in settings.items():
        inside = values if isinstance(values, Mapping) else {"": values}
        for name, value in inside.items():
            full = f"{section}.{name}" if name else section
            rows.append(f"<tr><td>{escape(full)}</td><td><code>{escape(json.dumps(value))}</code></td></tr>")
    return f"<h2>Settings</h2><table>{''.join(rows)}</table>" if rows else ""


def spread(items: Sequence[T], count: int) -> list[T]:
    """Pick at most ``count`` items, evenly spread from first to last.

    If one, the last.
    """
    if len(items) <= count:
        return list(items)
    if count == 1:
        return [items[-1]]
    return [items[round(i * (len(items) - 1) / (count - 1))] for i in range(count)]


def _values(log: Sequence[Mapping[str, float]], name: str) -> list[float]:
    return [each[name] for each in log if name in each and isfinite(each[name])]
