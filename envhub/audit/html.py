"""HTML report of an audit.

Each environment's checks, and its measures by difficulty. The page is self-contained (:mod:`envhub.reports.html`), and
everything it shows is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Final

import envhub
from envhub.audit.measures import Level
from envhub.audit.report import Report
from envhub.reports.html import standalone
from envhub.reports.svg import sparkline

_STYLE: Final = "table { width: 100%; } svg { display: block; } .bad { font-weight: 600; }"
_CURVES: Final[tuple[tuple[str, str, Callable[[Level], float]], ...]] = (
    ("effort", "median work of a reference solver", lambda level: level.effort),
    ("problems per CPU second", "", lambda level: level.generate_per_s),
    ("judging, ms", "median; 99th percentile below", lambda level: level.verify_ms_p50),
    ("different problems", "share of those drawn", lambda level: level.distinct / max(level.drawn, 1)),
    ("best blind policy", "share it solves", lambda level: level.blind),
    ("random agent", "share solved", lambda level: level.agents["random"]),
    ("noisy oracle", "share solved", lambda level: level.agents["noisy oracle"]),
)


def page(reports: Sequence[Report]) -> str:
    """The HTML page of some audit reports."""
    passed = sum(report.passed for report in reports)
    body = "".join(map(_environment, reports))
    told = f"<p>envhub {escape(envhub.__version__)}: {passed} of {len(reports)} environments keep the contract.</p>"
    return standalone("envhub audit", told + body, _STYLE)


def _environment(report: Report) -> str:
    state, colour = ("kept", "good") if report.passed else ("broken", "bad")
    breaches = "".join(
        f"<li class='bad'>{escape(check.name)}: {escape(check.breach or '')}</li>" for check in report.breaches
    )
    checks = ", ".join(escape(check.name) for check in report.having("passed"))
    skipped = ", ".join(escape(check.name) for check in report.having("not_applicable"))
    head = f"<h2 id='{escape(report.id)}'>{escape(report.id)} <span class='{colour}'>{state}</span></h2>"
    told = f"<ul>{breaches}</ul>" if breaches else ""
    results = f"<p><small>{escape(report.depth)}: {checks}<br>not applicable: {skipped or '-'}</small></p>"
    return f"{head}{results}{told}{_measures(report.levels)}"


def _measures(levels: Sequence[Level]) -> str:
    if not levels:
        return ""
    head = "".join(f"<th>{level.difficulty}</th>" for level in levels)
    rows = "".join(_curve(name, about, [value(level) for level in levels]) for name, about, value in _CURVES)
    worst = "".join(f"<td class='n'><small>{level.verify_ms_p99:.3g}</small></td>" for level in levels)
    return (
        f"<table><tr><th>difficulty</th><th></th>{head}</tr>{rows}"
        f"<tr><td>judging, ms<br><small>99th percentile</small></td><td></td>{worst}</tr></table>"
    )


def _curve(name: str, about: str, values: Sequence[float]) -> str:
    cells = "".join(f"<td class='n'>{value:.3g}</td>" for value in values)
    told = f"<br><small>{escape(about)}</small>" if about else ""
    return f"<tr><td>{escape(name)}{told}</td><td>{sparkline(values)}</td>{cells}</tr>"
