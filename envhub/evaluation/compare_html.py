"""HTML report of a comparison.

Differences, success by difficulty, and the tasks on which two players differ. Self-contained and escaped, like
:mod:`envhub.evaluation.html`.
"""

from __future__ import annotations

from html import escape
from statistics import fmean
from typing import Final

from envhub.core.difficulty import LEVELS
from envhub.evaluation.compare import Comparison, Difference
from envhub.evaluation.html import STYLE, transcript
from envhub.evaluation.records import Read, Record
from envhub.evaluation.summary import Summary, by_task, summarise
from envhub.reports.html import standalone
from envhub.reports.svg import Point, Series, chart

TASKS: Final = 20
"""Maximum number of tasks shown, the largest differences first."""
_PAIR: Final = ".pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start; }"


def comparison_page(found: Comparison, first: Read, second: Read) -> str:
    """The HTML page of a comparison of two evaluations."""
    rows = "".join(_row(name, each) for name, each in [("all", found.overall), *found.environments.items()])
    names = "".join(f"<th>{escape(name)}</th>" for name in found.players)
    left_out = f"<p>{found.left_out} tasks were judged for only one of the two, or neither.</p>" * (found.left_out > 0)
    sides = summarise(first), summarise(second)
    charts = "".join(_chart(env_id, *sides) for env_id in found.environments)
    return standalone(
        " and ".join(found.players),
        "<p>Share of tasks solved. Each task is a pair; the interval of the difference is a 95 % bootstrap over tasks, p is "
        f"from a paired permutation test.</p><table><tr><th></th><th>tasks</th>{names}<th>difference</th><th>95 %</th>"
        f"<th>p</th></tr>{rows}</table>{left_out}{charts}{_tasks(first, second)}",
        STYLE + _PAIR,
    )


def _row(name: str, each: Difference) -> str:
    numbers = (
        str(each.tasks),
        f"{each.first:.3f}",
        f"{each.second:.3f}",
        f"{each.second - each.first:+.3f}",
        f"{each.low:+.3f} to {each.high:+.3f}",
        f"{each.p:.4f}",
    )
    return f"<tr><td>{escape(name)}</td>" + "".join(f"<td class='n'>{number}</td>" for number in numbers) + "</tr>"


def _chart(env_id: str, *sides: Summary) -> str:
    series = [
        Series(
            side.player,
            [
                Point(level, cell.solved.mean, (cell.solved.low, cell.solved.high))
                for (name, level), cell in sorted(side.levels.items())
                if name == env_id and cell.solved is not None
            ],
        )
        for side in sides
    ]
    return f"<h2>{escape(env_id)}</h2>" + chart(
        "Share solved", series, (0.0, 1.0), "difficulty", (LEVELS[0], LEVELS[-1])
    )


def _tasks(first: Read, second: Read) -> str:
    """Attempts at the tasks with the largest differences, side by side."""
    ones, others = by_task(first.records), by_task(second.records)
    gaps = {task: _share(others[task]) - _share(ones[task]) for task in ones if task in others}
    apart = sorted((task for task in gaps if gaps[task]), key=lambda task: (-abs(gaps[task]), task))
    shown = "".join(
        f"<div class='pair'><div>{_attempts(ones[task])}</div><div>{_attempts(others[task])}</div></div>"
        for task in apart[:TASKS]
    )
    heading = f"<h2>Tasks that they solve differently often: {len(apart)} of {len(gaps)}</h2>"
    more = f"<p>The {TASKS} with the largest differences.</p>" * (len(apart) > TASKS)
    return f"{heading}{more}{shown}"


def _share(records: list[Record]) -> float:
    return fmean(record.solved for record in records)


def _attempts(records: list[Record]) -> str:
    return "".join(map(transcript, records))
