"""``envhub verify``: judge the responses to a dataset, with :mod:`envhub.dataset.grading`."""

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
    tasks: Annotated[Path, typer.Argument(metavar="TASKS", help="Dataset written by envhub generate.")],
    responses: Annotated[
        Path,
        typer.Option(metavar="FILE", help='JSON lines, one per row: {"response": "..."} or {"responses": [...]}.'),
    ],
    out: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="File for the verdicts.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Overwrite --out if it exists.")] = False,
    answer_format: Annotated[
        str | None,
        typer.Option(
            metavar="FORM",
            help="Answer format that counts as well formatted. Defaults to each row's.",
        ),
    ] = None,
    min_score: Annotated[
        float | None, typer.Option(min=0, max=1, metavar="X", help="Exit with code 1 if the mean score is lower.")
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Number of judge processes. Defaults to one per CPU core.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the summary as JSON.")] = False,
) -> None:
    """Judge the responses to a dataset.

    Show a summary per environment and difficulty. The exit code is 0 if every response was judged and the mean score is
    not below --min-score, else 1. A response that could not be judged is counted as an error, not as a score of 0.
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
    """Open the file for the verdicts.

    Raises:
        OutputExists: It exists, or is one of the input files.
        InvalidParameters: It cannot be written.
    """
    from envhub.dataset import OutputExists

    if out.is_file():
        if any(path.exists() and path.samefile(out) for path in read):
            raise OutputExists(f"{out} is an input file; choose another name for the verdicts.")
        if not overwrite:
            raise OutputExists(f"{out} already exists. Choose another name or pass --overwrite.")
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
        out.print(plain(f"{env_id}: the checker fails on more than 1 % of the answers, so it is broken; fix it"))
