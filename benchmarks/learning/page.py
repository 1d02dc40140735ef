"""Tables of docs/learning.md, from records alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Final

from benchmarks.harness import ROOT
from benchmarks.intervals import Interval
from benchmarks.learning.experiment import Experiment
from benchmarks.learning.records import Record, Records
from benchmarks.report import insert, table

PAGE: Final = ROOT / "docs" / "learning.md"

_HEAD: Final = ("measure", "before", "after", "rise, 95 % interval", "control: before to after", "rise less control's")


def write(experiment: Experiment, records: Records) -> None:
    """Write the table of an experiment into its place in the page."""
    insert(PAGE, experiment.name, section(experiment, records))


def section(experiment: Experiment, records: Records) -> str:
    """The heading, the table and how it was made."""
    arms = [(arm, records.of(arm), records.of(arm, permuted=True)) for arm in experiment.arms]
    rows = [row for arm, found, controls in arms for row in _rows(arm, found, controls)]
    everything = [record for _, found, controls in arms for record in (*found, *controls)]
    return f"## {experiment.title}\n\n{table(_head(experiment), rows)}\n\n{_made(experiment, everything)}"


def _head(experiment: Experiment) -> Sequence[str]:
    return _HEAD if len(experiment.arms) == 1 else (experiment.arm, *_HEAD)


def _rows(arm: str, found: Sequence[Record], controls: Sequence[Record]) -> Iterator[list[str]]:
    """One row per measure, over the seeds that have been run."""
    for measure in found[0].after if found else ():
        cells = [measure, _mean(found, measure, "before"), _mean(found, measure, "after")]
        cells.append(_interval([record.rise(measure) for record in found]))
        cells.append(
            f"{_mean(controls, measure, 'before')} to {_mean(controls, measure, 'after')}" if controls else "-"
        )
        pairs = [(record, control) for record in found for control in controls if record.seed == control.seed]
        cells.append(_interval([record.rise(measure) - control.rise(measure) for record, control in pairs]))
        yield [arm, *cells] if arm else cells


def _mean(records: Sequence[Record], measure: str, when: str) -> str:
    return f"{fmean(getattr(record, when)[measure] for record in records):.3f}"


def _interval(values: Sequence[float]) -> str:
    return str(Interval.of(values)) if values else "-"


def _made(experiment: Experiment, records: Sequence[Record]) -> str:
    """The command, and the size of the runs."""
    if not records:
        return f"Not run yet: `python -m benchmarks.learning {experiment.name}`."
    seeds = sorted({record.seed for record in records})
    cpu = sum(record.cpu_s for record in records)
    return (
        f"`python -m benchmarks.learning {experiment.name}`: {len(records)} runs with the seeds {', '.join(map(str, seeds))}; "
        f"{records[0].episodes:,} training episodes each, {records[0].tried} evaluation episodes per measure and model, "
        f"{cpu:,.0f} CPU seconds of training in all. Means and Student's intervals are over the seeds."
    )
