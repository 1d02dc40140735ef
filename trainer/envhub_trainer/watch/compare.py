"""HTML page that compares runs: facts, different settings, curves.

::

    compare([Path("runs/a"), Path("runs/b")], Path("compare.html"))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

from envhub.reports.html import standalone
from envhub.reports.svg import PALETTE, Point, Series, chart
from envhub_trainer.config import ConfigError
from envhub_trainer.watch.curves import logs
from envhub_trainer.watch.panels import by_section
from envhub_trainer.watch.report import STYLE, flat, settings
from envhub_trainer.watch.summary import EVALUATED, Log, facts, shares, splits


def compare(folders: Sequence[Path], to: Path) -> Path:
    """Write the page; ConfigError if there are more runs than colours."""
    if len(folders) > len(PALETTE):
        raise ConfigError(f"A page compares at most {len(PALETTE)} runs, got {len(folders)}.")
    found = logs(folders)
    told = dict(zip(found, map(settings, folders), strict=True))
    to.write_bytes(page(found, told).encode("utf-8", "replace"))
    return to


def page(found: Mapping[str, Log], told: Mapping[str, Mapping[str, Any]]) -> str:
    """Build the page.

    Args:
        found: The logs by run.
        told: The configurations by run, as JSON values.
    """
    happened = {name: dict(facts(log, (told[name].get("run") or {}).get("steps"))) for name, log in found.items()}
    chosen = {name: {key: repr(value) for key, value in flat(values)} for name, values in told.items()}
    differ = {key for values in chosen.values() for key in values if len({v.get(key) for v in chosen.values()}) > 1}
    different = {name: {key: values.get(key, "") for key in sorted(differ)} for name, values in chosen.items()}
    body = [_table("Runs", happened), _table("Settings that differ", different), _held_out(found), _curves(found)]
    return standalone(f"{len(found)} runs", "".join(body), STYLE)


def _table(title: str, columns: Mapping[str, Mapping[str, str]]) -> str:
    """A column for each run, a row for each name."""
    head = "".join(f"<th>{escape(run)}</th>" for run in columns)
    names = dict.fromkeys(name for values in columns.values() for name in values)
    cells = {name: "".join(f"<td>{escape(of.get(name) or '')}</td>" for of in columns.values()) for name in names}
    rows = "".join(f"<tr><th>{escape(name)}</th>{told}</tr>" for name, told in cells.items())
    return f"<h2>{escape(title)}</h2><table><tr><th></th>{head}</tr>{rows}</table>" if names else ""


def _held_out(found: Mapping[str, Log]) -> str:
    """Held-out success with intervals."""
    drawn = [
        chart(f"{split}/{name}", [Series(run, shares(log, split, name)) for run, log in found.items()], (0.0, 1.0))
        for split in dict.fromkeys(split for log in found.values() for split in splits(log))
        for name in EVALUATED
    ]
    return f"<h2>Held-out success</h2><div class='charts'>{''.join(drawn)}</div>" if drawn else ""


def _curves(found: Mapping[str, Log]) -> str:
    shown = {f"{split}/{name}" for log in found.values() for split in splits(log) for name in EVALUATED}
    names = {name for log in found.values() for line in log for name in line} - {"step", "time"} - shown
    return "".join(
        f"<h2>{escape(section)}</h2><div class='charts'>{''.join(_chart(found, name) for name in of)}</div>"
        for section, of in by_section(names).items()
    )


def _chart(found: Mapping[str, Log], name: str) -> str:
    series = [
        Series(run, [Point(int(line["step"]), line[name]) for line in log if name in line])
        for run, log in found.items()
    ]
    return chart(name, series)
