"""``envhub gold``: how the golds of a data set are read, with :mod:`envhub.evaluation.gold_report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from envhub.cli.terminal import console, plain, print_json, table_of

_SHOWN = 80


def gold(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Data set, .jsonl or .parquet.")],
    column: Annotated[str, typer.Option(metavar="NAME", help="Column with the gold answer.")] = "answer",
    gold_from: Annotated[
        str, typer.Option(metavar="PLACE", help="Place of the gold: answer, ####, boxed or last_number.")
    ] = "answer",
    most: Annotated[int, typer.Option(min=0, metavar="N", help="Maximum number of findings shown.")] = 40,
    as_json: Annotated[bool, typer.Option("--json", help="Write the report as JSON.")] = False,
) -> None:
    """Report how the gold answers of a data set are read.

    No kind is declared for them.

    Lists unreadable and ambiguous golds, and suggests the kind to declare.
    """
    from envhub.core.errors import InvalidParameters
    from envhub.evaluation.gold_report import gold_report, golds_of
    from envhub.generators.user_files.files import digest_of, place_of, rows_at
    from envhub.verifiers.answers.golds import GOLD_FROM

    if gold_from not in GOLD_FROM:
        raise InvalidParameters(f"--gold-from must be one of {', '.join(GOLD_FROM)}, got {gold_from!r}.")
    digest = digest_of(str(file))
    report = gold_report(golds_of(rows_at(place_of(str(file), digest), digest), column), gold_from)
    if as_json:
        print_json(report.to_json())
        return
    out = console()
    table = table_of("read as", "golds")
    for name, count in report.types.most_common():
        table.add_row(plain(name), str(count))
    out.print(table)
    out.print(plain(f"kind to declare: {report.suggestion}"))
    for finding in report.findings[:most]:
        advice = f"; declare {finding.kind}" if finding.kind else ""
        out.print(plain(f"row {finding.row}: {finding.gold[:_SHOWN]!r}: {finding.note}{advice}"), soft_wrap=True)
    if len(report.findings) > most:
        out.print(plain(f"{len(report.findings) - most} more; raise --most to see them"))
