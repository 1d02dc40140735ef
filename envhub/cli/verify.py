"""``envhub verify``: the responses to a dataset, judged; the work is in :mod:`envhub.dataset.grading`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from envhub.cli.terminal import FAILED, console, plain, print_json, table_of
from envhub.core.errors import InvalidParameters

if TYPE_CHECKING:
    from envhub.dataset import Report
    from envhub.dataset.grading import Judged, Tally


def verify(
    tasks: Annotated[Path, typer.Argument(metavar="TASKS", help="Rows that envhub generate wrote.")],
    responses: Annotated[
        Path, typer.Option(metavar="FILE", help='JSON lines, one a row: {"response": "..."} or {"responses": [...]}.')
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write every verdict here.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Write --out even if it is there already.")] = False,
    answer_format: Annotated[
        str | None,
        typer.Option(metavar="FORM", help="Which form counts as well formatted; what each row says if not given."),
    ] = None,
    min_score: Annotated[
        float | None, typer.Option(min=0, max=1, metavar="X", help="Fail when the mean score is lower.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="How many judge; one for each core if not given.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the summary as JSON.")] = False,
) -> None:
    """Judge the responses to a dataset: a verdict for each, a summary per environment and difficulty.

    The exit code is 0 when everything could be judged (and the mean score is not below --min-score), else 1. What could
    not be judged is an error, counted apart; it is no score of 0.
    """
    import orjson
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from envhub.dataset import judge_file

    errors = console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.completed} judged"), TimeElapsedColumn())
    with ExitStack() as open_files:
        verdicts = None if out is None else open_files.enter_context(_opened(out, overwrite, tasks, responses))
        bar = open_files.enter_context(Progress(*columns, console=errors, disable=not errors.is_terminal))
        doing = bar.add_task("judging", total=None)

        def note(judged: Judged) -> None:
            if verdicts is not None:
                verdicts.write(orjson.dumps(judged.to_json()) + b"\n")
            bar.advance(doing)

        report = judge_file(tasks, responses, answer_format=answer_format, processes=processes, on_verdict=note)
    if as_json:
        print_json(report.to_json())
    else:
        _show(report)
    mean = report.total.mean
    if report.total.errors or (min_score is not None and (mean is None or mean < min_score)):
        raise typer.Exit(FAILED)


def _opened(out: Path, overwrite: bool, *read: Path) -> BinaryIO:
    """The file for the verdicts.

    Raises:
        OutputExists: It is there already, or is one of those that are read.
        InvalidParameters: It cannot be written.
    """
    from envhub.dataset import OutputExists

    if out.is_file():
        if any(path.exists() and path.samefile(out) for path in read):
            raise OutputExists(f"{out} is to be read; choose another name for the verdicts.")
        if not overwrite:
            raise OutputExists(f"{out} is there already; choose another name or say --overwrite.")
    try:
        return out.open("wb")
    except OSError as error:
        raise InvalidParameters(f"{out} cannot be written: {error.strerror or error}.") from None


def _show(report: Report) -> None:
    table = table_of("environment", "difficulty", "responses", "mean score", "solved", "no answer", "errors")

    def line(name: str, level: int | None, tally: Tally) -> None:
        mean = "-" if tally.mean is None else f"{tally.mean:.3f}"
        counts = (tally.responses, mean, tally.solved, tally.no_answer, tally.errors)
        table.add_row(plain(name), "" if level is None else str(level), *map(str, counts))

    for (name, level), tally in sorted(report.cells.items(), key=lambda item: (item[0][0], item[0][1] or 0)):
        line(name, level, tally)
    line("all", None, report.total)
    out = console()
    out.print(table)
    for code, count in sorted(report.reasons.items()):
        out.print(plain(f"{count} could not be judged: {code}"))
    for env_id, count in sorted(report.checkers.items()):
        out.print(plain(f"{env_id}: {count} answers made the checker fail and score 0 (checker_failed_on_answer)"))
    for env_id in report.broken():
        out.print(plain(f"{env_id}: the checker fails on more than 1 % of the answers, so it is broken; repair it"))
