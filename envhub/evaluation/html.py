"""HTML report of an evaluation.

Success by difficulty with intervals, errors, and sample transcripts. The page is self-contained
(:mod:`envhub.reports.html`), and everything it shows is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from envhub.core.difficulty import LEVELS
from envhub.core.types import JSON
from envhub.evaluation.records import Read, Record
from envhub.evaluation.summary import Cell, Estimate, Summary
from envhub.reports.html import standalone
from envhub.reports.svg import STYLE as CHART_STYLE, Point, Series, chart

TRANSCRIPTS: Final = 3
"""Number of transcripts shown per environment and difficulty, failed ones first."""
_SHOWN: Final = 20_000
STYLE: Final = (
    f"""{CHART_STYLE}.chart {{ max-width: 30rem; }}"""
    + """
details { border: 1px solid #dfe3e8; border-radius: 4px; margin: .4rem 0; padding: .3rem .7rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0 .8rem; font-size: 12px; }
.role { font-weight: 600; }
"""
)


def page(summary: Summary, found: Read) -> str:
    """The HTML page of an evaluation."""
    sections = "".join(
        _environment(env_id, cell, summary, found.records) for env_id, cell in summary.environments.items()
    )
    missing = f"<p class='bad'>{summary.missing} planned attempts have not been judged.</p>" if summary.missing else ""
    rows = "".join(_row(env_id, cell) for env_id, cell in [("all", summary.overall), *summary.environments.items()])
    ks = "".join(f"<th>pass@{k}</th>" for k in summary.overall.passes)
    return standalone(
        _shown(summary.player),
        f"<p>envhub {escape(summary.config.version)}, split {escape(summary.config.split)}, {summary.config.tasks} tasks "
        f"for each environment and difficulty, {summary.config.attempts} attempts at each. Intervals are 95 %, "
        f"by the bootstrap over tasks.</p>{missing}<table><tr><th></th>{ks}<th>score</th><th>judged</th>"
        "<th>nothing to grade</th><th>cut off</th>"
        f"<th>could not be judged</th><th>endpoint failed</th></tr>{rows}</table>{sections}",
        STYLE,
    )


def _row(name: str, cell: Cell) -> str:
    passes = "".join(f"<td class='n'>{_estimate(estimate)}</td>" for estimate in cell.passes.values())
    errors = ", ".join(f"{escape(code)}: {count}" for code, count in cell.errors.items()) or "0"
    return (
        f"<tr><td>{escape(name)}</td>{passes}<td class='n'>{_estimate(cell.score)}</td><td class='n'>{cell.judged}</td>"
        f"<td class='n'>{cell.no_answer}</td><td class='n'>{cell.cut}</td><td>{errors}</td>"
        f"<td class='n'>{cell.endpoint}</td></tr>"
    )


def _estimate(estimate: Estimate | None) -> str:
    if estimate is None:
        return "none"
    return f"{estimate.mean:.3f}<br><small>{estimate.low:.3f} to {estimate.high:.3f}</small>"


def _environment(env_id: str, cell: Cell, summary: Summary, records: Iterable[Record]) -> str:
    levels = {level: of for (name, level), of in summary.levels.items() if name == env_id}
    points = [(level, of.solved) for level, of in sorted(levels.items()) if of.solved is not None]
    mine = [record for record in records if record.job.env_id == env_id]
    shown = "".join(transcript(record) for level in sorted(levels) for record in _chosen(mine, level))
    told = f"<p>{cell.turns:.1f} turns per episode on average, {cell.tokens:,} tokens.</p>{_checker(cell)}"
    rates = summary.references.get(env_id)
    if rates is not None:
        told = f"<p>Dashed: share solved by {escape(rates.policy)}, which sees nothing hidden.</p>{told}"
    return f"<h2>{escape(env_id)}</h2>{success_chart(points, rates.solved if rates else ())}{told}{shown}"


def _checker(cell: Cell) -> str:
    """A warning if a user-supplied checker failed on some answers."""
    if not cell.checker_failed:
        return ""
    broken = " That is more than 1 %, so the checker is broken. Fix it." if cell.broken else ""
    return f"<p class='bad'>{cell.checker_failed} answers made the checker fail and scored 0.{broken}</p>"


def success_chart(points: Sequence[tuple[int, Estimate]], reference: Sequence[float] = ()) -> str:
    """Chart of the share solved by difficulty, with error bars.

    The reference policy's is dashed.
    """
    solved = [Point(level, of.mean, (of.low, of.high)) for level, of in points]
    known = [Point(level, rate) for level, rate in enumerate(reference, 1)]
    series = [Series("solved", solved), *([Series("reference", known, dashed=True)] if known else [])]
    return chart("Share solved", series, (0.0, 1.0), "difficulty", (LEVELS[0], LEVELS[-1]))


def _chosen(records: Sequence[Record], level: int) -> list[Record]:
    at_level = [record for record in records if record.job.level == level]
    return sorted(at_level, key=lambda record: (record.solved, record.job))[:TRANSCRIPTS]


def transcript(record: Record) -> str:
    """The conversation of an attempt, folded; opened, it shows every message."""
    job = record.job
    state = "solved" if record.solved else "failed"
    how = state if record.judged else record.outcome
    colour = "good" if record.solved else "bad"
    head = f"difficulty {job.level}, task {job.number}, attempt {job.attempt}: {how}"
    why = f" ({_text(record.why)})" if record.why else ""
    body = "".join(map(_message, record.messages))
    return f"<details><summary class='{colour}'>{escape(head)}{why}</summary>{body}</details>"


def _message(message: JSON) -> str:
    calls = "".join(f"\n{call}" for call in message.get("tool_calls", []))
    return f"<div class='role'>{_text(message['role'])}</div><pre>{_text(str(message.get('content')) + calls)}</pre>"


def _text(text: str) -> str:
    """Untrusted text, escaped."""
    return escape(_shown(text))


def _shown(text: str) -> str:
    """Untrusted text, cut to a maximum length and encodable as UTF-8."""
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} [cut: {len(text) - _SHOWN} characters]"
    return shown.encode("utf-8", "replace").decode()
