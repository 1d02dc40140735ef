"""An evaluation as one HTML page: shares over difficulty with their intervals, what went wrong, and conversations to read.

The page stands alone (:mod:`envhub.reports.html`). What it shows is escaped, whoever wrote it.
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

TRANSCRIPTS: Final = 3
"""How many conversations are shown of each environment and difficulty, those that failed first."""
_SHOWN: Final = 20_000
_WIDTH: Final = 420
_HEIGHT: Final = 160
_LEFT: Final = 34
_STYLE: Final = """
svg text { font: 11px system-ui, sans-serif; fill: #5b6675; } .grid { stroke: #e6e9ed; }
.bar { stroke: #8fb0dc; stroke-width: 5; } circle { fill: #3b6fb6; }
details { border: 1px solid #dfe3e8; border-radius: 4px; margin: .4rem 0; padding: .3rem .7rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0 .8rem; font-size: 12px; }
.role { font-weight: 600; }
"""


def page(summary: Summary, found: Read) -> str:
    """The page of an evaluation."""
    sections = "".join(
        _environment(env_id, cell, summary, found.records) for env_id, cell in summary.environments.items()
    )
    missing = (
        f"<p class='bad'>{summary.missing} attempts of the plan have not been judged.</p>" if summary.missing else ""
    )
    rows = "".join(_row(env_id, cell) for env_id, cell in [("all", summary.overall), *summary.environments.items()])
    ks = "".join(f"<th>pass@{k}</th>" for k in summary.overall.passes)
    return standalone(
        _shown(summary.player),
        f"<p>envhub {escape(summary.plan.version)}, split {escape(summary.plan.split)}, {summary.plan.tasks} tasks for each "
        f"environment and difficulty, {summary.plan.attempts} attempts at each. Intervals are 95 %, by the bootstrap over "
        f"tasks.</p>{missing}<table><tr><th></th>{ks}<th>score</th><th>judged</th><th>nothing to grade</th><th>cut off</th>"
        f"<th>could not be judged</th><th>endpoint failed</th></tr>{rows}</table>{sections}",
        _STYLE,
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
    shown = "".join(_transcript(record) for level in sorted(levels) for record in _chosen(mine, level))
    told = f"<p>{cell.turns:.1f} turns in the mean, {cell.tokens:,} tokens.</p>{_checker(cell)}"
    rates = summary.references.get(env_id)
    if rates is not None:
        told = f"<p>Dashed: what {escape(rates.policy)} solves, which knows nothing hidden.</p>{told}"
    return f"<h2>{escape(env_id)}</h2>{curve(points, rates.solved if rates else ())}{told}{shown}"


def _checker(cell: Cell) -> str:
    """What a user's checker failed on."""
    if not cell.checker_failed:
        return ""
    broken = " That is more than 1 %, so the checker is broken; repair it." if cell.broken else ""
    return f"<p class='bad'>{cell.checker_failed} answers made the checker fail and scored 0.{broken}</p>"


def curve(points: Sequence[tuple[int, Estimate]], reference: Sequence[float] = ()) -> str:
    """Shares solved over difficulties 1 to 10, each with its interval; dashed, those of a reference policy."""

    def x(level: int) -> float:
        return _LEFT + (level - 0.5) * (_WIDTH - _LEFT) / len(LEVELS)

    def y(share: float) -> float:
        return 8 + (1 - share) * (_HEIGHT - 32)

    grid = "".join(
        f"<line class='grid' x1='{_LEFT}' x2='{_WIDTH}' y1='{y(share):.1f}' y2='{y(share):.1f}'/>"
        f"<text x='0' y='{y(share) + 4:.1f}'>{share:.2f}</text>"
        for share in (0.0, 0.5, 1.0)
    )
    names = "".join(f"<text x='{x(level) - 4:.1f}' y='{_HEIGHT - 4}'>{level}</text>" for level in LEVELS)
    bars = "".join(
        f"<line class='bar' x1='{x(level):.1f}' x2='{x(level):.1f}' y1='{y(of.low):.1f}' y2='{y(of.high):.1f}'/>"
        f"<circle cx='{x(level):.1f}' cy='{y(of.mean):.1f}' r='3'/>"
        for level, of in points
    )
    line = " ".join(f"{x(level):.1f},{y(of.mean):.1f}" for level, of in points)
    other = " ".join(f"{x(level):.1f},{y(rate):.1f}" for level, rate in enumerate(reference, 1))
    dashed = f"<polyline stroke-dasharray='4 3' points='{other}'/>" if reference else ""
    return (
        f"<svg width='{_WIDTH}' height='{_HEIGHT}' role='img' aria-label='share solved by difficulty'>"
        f"{grid}{names}{bars}{dashed}<polyline points='{line}'/></svg>"
    )


def _chosen(records: Sequence[Record], level: int) -> list[Record]:
    at_level = [record for record in records if record.job.level == level]
    return sorted(at_level, key=lambda record: (record.solved, record.job))[:TRANSCRIPTS]


def _transcript(record: Record) -> str:
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
    """What others wrote, so that it is text and nothing else."""
    return escape(_shown(text))


def _shown(text: str) -> str:
    """What others wrote, not without end, and with nothing that UTF-8 has no form for."""
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]} [cut: {len(text) - _SHOWN} characters]"
    return shown.encode("utf-8", "replace").decode()
