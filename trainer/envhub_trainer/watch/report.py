"""HTML report of a run: results, curves, episodes token by token, settings.

::

    report(Path("runs/addition"))       # runs/addition/report.html

The page is self-contained: no scripts, no external resources, and a content security policy that forbids both. All content is
escaped. Runs in progress and resumed runs can be reported too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final, TypeVar

from envhub.reports.html import standalone
from envhub.reports.svg import STYLE as CHART_STYLE, Series, chart, figure
from envhub_trainer.watch.panels import panels
from envhub_trainer.watch.summary import EVALUATED, Log, facts, share_text, shares, splits
from envhub_trainer.watch.track import EPISODES, LOG, lines, read
from envhub_trainer.watch.transcript import STYLE as TRANSCRIPT_STYLE, strongest, transcript

T = TypeVar("T")
SHOWN: Final = 16
"""Maximum number of episodes on the page."""

STYLE: Final = (
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
    text = page(folder.resolve().name, read(folder), settings(folder), _kept(folder / EPISODES))
    draft.write_bytes(text.encode("utf-8", "replace"))  # a policy may sample half a surrogate pair
    draft.replace(final)
    return final


def page(
    name: str,
    log: Log,
    told: Mapping[str, Any],
    records: Sequence[Mapping[str, Any]],
) -> str:
    """Build the page.

    Args:
        name: Name of the run.
        log: As :func:`envhub_trainer.watch.track.read` returns it.
        told: The configuration by section, as JSON values.
        records: Lines of ``episodes.jsonl``.
    """
    body = [
        _summary(log, told),
        _evaluations(log),
        panels(log, _told(log)),
        _episodes(records),
        _configuration(told),
    ]
    return standalone(name, "".join(body), STYLE)


# -- what came of it ----------------------------------------------------------------------------------------------------


def _summary(log: Log, told: Mapping[str, Any]) -> str:
    if not log:
        return "<p>Nothing was logged yet.</p>"
    rows = facts(log, (told.get("run") or {}).get("steps"))
    return (
        f"<table>{''.join(f'<tr><th>{escape(name)}</th><td>{escape(fact)}</td></tr>' for name, fact in rows)}</table>"
    )


def _evaluations(log: Log) -> str:
    """Held-out success as a chart and table, with intervals where possible."""
    drawn = []
    for split in splits(log):
        measured = {name: shares(log, split, name) for name in EVALUATED}
        rows = []
        for step in spread(sorted({point.x for points in measured.values() for point in points}), 12):
            cells = (next((point for point in measured[name] if point.x == step), None) for name in EVALUATED)
            rows.append(f"<tr><td>{step}</td>{''.join(f'<td>{share_text(cell)}</td>' for cell in cells)}</tr>")
        series = [Series(name, points) for name, points in measured.items() if points]
        head = "".join(f"<th>{name}</th>" for name in ("step", *EVALUATED))
        drawn.append(
            f"<h2>Held-out success ({escape(split)})</h2><div class='charts'>{chart('solved', series, (0.0, 1.0))}"
            f"<table><tr>{head}</tr>{''.join(rows)}</table></div>"
            "<p><small>In brackets and as bars: 95 % intervals of the share (Wilson).</small></p>"
        )
    return "".join(drawn)


def _told(log: Log) -> set[str]:
    """The names shown with the evaluations."""
    return {f"{split}/{name}" for split in splits(log) for name in (*EVALUATED, "episodes")}


# -- episodes and settings ------------------------------------------------------------------------------------------------


def _kept(path: Path) -> list[dict[str, Any]]:
    """Episodes of some steps in order; reads the file twice, saving memory."""
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


def settings(folder: Path) -> dict[str, Any]:
    """The configuration of a run as JSON values, if it is there."""
    path = folder / "config.json"
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return found


def flat(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The settings of all sections by their full names."""
    for section, inside in values.items():
        if isinstance(inside, Mapping):
            yield from ((f"{section}.{name}", value) for name, value in inside.items())
        else:
            yield section, inside


def _configuration(values: Mapping[str, Any]) -> str:
    rows = [
        f"<tr><td>{escape(name)}</td><td><code>{escape(json.dumps(value))}</code></td></tr>"
        for name, value in flat(values)
    ]
    return f"<h2>Settings</h2><table>{''.join(rows)}</table>" if rows else ""


def spread(items: Sequence[T], count: int) -> list[T]:
    """Pick at most ``count`` items, evenly spread (if one, the last)."""
    if len(items) <= count:
        return list(items)
    if count == 1:
        return [items[-1]]
    return [items[round(i * (len(items) - 1) / (count - 1))] for i in range(count)]
