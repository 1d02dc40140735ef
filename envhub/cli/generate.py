"""``envhub generate``: a dataset of verifiable tasks; the work is in :mod:`envhub.dataset`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envhub.cli import completion
from envhub.cli.options import AnswerFormat, ObservationName, Param, Split, System, ToolFormat, WordingName
from envhub.cli.terminal import INTERRUPTED, complain, console, plain, print_json, table_of
from envhub.core.errors import InvalidParameters

if TYPE_CHECKING:
    from envhub.dataset import Written
    from envhub.dataset.publishing import DatasetHub

_RANGE = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?")
_NUMBER = re.compile(r"[0-9]{1,18}")


def generate(
    ids: Annotated[
        str,
        typer.Argument(
            metavar="ID[,ID...]",
            help="Environment ids, such as sudoku-v0. See envhub list.",
            autocompletion=completion.environments,
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Output file, .jsonl or .parquet.")],
    rows: Annotated[
        int | None, typer.Option("-n", metavar="N", help="Total number of rows over all environments and levels.")
    ] = None,
    difficulty: Annotated[
        str,
        typer.Option(
            metavar="D|LOW-HIGH",
            help="Difficulty level, or a range of levels with equal shares.",
            autocompletion=completion.level,
        ),
    ] = "3",
    split: Split = "train",
    splits: Annotated[
        str | None,
        typer.Option(metavar="NAME=N,...", help="Write several splits, one file each; instead of -n and --split."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the dataset. Another seed gives other problems.")] = 0,
    layout: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="NAME",
            help="Row format: verl, trl, openrlhf, nemo-gym or verifiers.",
            autocompletion=completion.row_format,
        ),
    ] = "verl",
    param: Param = None,
    answer_format: AnswerFormat = None,
    tool_format: ToolFormat = None,
    wording: WordingName = None,
    observation: ObservationName = "text",
    system: System = None,
    with_solutions: Annotated[
        bool, typer.Option("--with-solutions", help="Add the oracle's actions to the rows.")
    ] = False,
    exclude: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Leave out problems in this file: the same ones if envhub wrote it, else shared n-grams.",
        ),
    ] = None,
    exclude_ngram: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of words in an n-gram of --exclude.")
    ] = 13,
    allow_fewer: Annotated[
        bool, typer.Option("--allow-fewer", help="Write fewer rows if there are not enough distinct problems.")
    ] = False,
    processes: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Number of processes. Defaults to one per CPU core.")
    ] = None,
    push_to_hub: Annotated[
        str | None,
        typer.Option(
            "--push-to-hub",
            metavar="REPO",
            help="Upload the files and the card to this dataset of the Hugging Face Hub, such as me/sudoku.",
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Overwrite existing output instead of resuming.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON.")] = False,
) -> None:
    """Write a dataset of verifiable tasks and its dataset card.

    Output is byte-identical on any machine and with any number of processes. Run the same command again to resume an
    interrupted run. No problem appears twice or in two splits.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from envhub.authoring.wording import wording_number
    from envhub.dataset import DatasetConfig, Exclusion, generate as write
    from envhub.episodes.transcript import read_params

    hub = None if push_to_hub is None else _hub(push_to_hub)
    exclusion = Exclusion.of_files(exclude or (), exclude_ngram)
    config = DatasetConfig(
        environments=tuple(id.strip() for id in ids.split(",")),
        splits=_splits(rows, split, splits),
        levels=levels_of(difficulty),
        seed=seed,
        params=read_params(param or ()),
        format=layout,
        answer_format=answer_format,
        tool_format=tool_format,
        wording=wording_number(wording),
        observation=observation,
        system=system,
        with_solutions=with_solutions,
        allow_fewer=allow_fewer,
        exclude=exclusion.digest if exclusion else None,
    )
    errors = console(stderr=True)
    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn()
    )  # fmt: skip
    with Progress(*columns, console=errors, disable=not errors.is_terminal) as bar:
        doing = {name: bar.add_task(name, total=wanted) for name, wanted in config.splits.items()}
        try:
            written = write(
                config,
                out,
                exclusion=exclusion,
                processes=processes,
                overwrite=overwrite,
                on_row=lambda name, row, total: bar.update(doing[name], completed=row),
            )
        except KeyboardInterrupt:
            bar.stop()
            complain("Stopped. The rows written so far are kept. Run the same command again to resume.")
            raise typer.Exit(INTERRUPTED) from None
    pushed = None if hub is None else hub.push(written)
    _show(written, pushed, as_json)


def _hub(repo: str) -> DatasetHub:
    from envhub.dataset.publishing import DatasetHub

    return DatasetHub(repo)


def _show(written: Written, pushed: str | None, as_json: bool) -> None:
    if as_json:
        print_json(written.to_json() if pushed is None else {**written.to_json(), "pushed": pushed})
        return
    table = table_of("split", "rows", "file")
    for name, path in written.files.items():
        table.add_row(name, str(sum(written.counts[name].values())), plain(str(path)))
    out = console()
    out.print(table)
    if written.resumed:
        out.print(f"{written.resumed} rows existed already.")
    out.print(f"The card is {plain(str(written.card))}.", soft_wrap=True)
    if pushed is not None:
        out.print(f"Pushed: {plain(pushed)}", soft_wrap=True)


def _splits(rows: int | None, split: str, splits: str | None) -> dict[str, int]:
    """Number of rows per split."""
    if splits is None:
        if rows is None:
            raise InvalidParameters("Say how many rows: -n N, or --splits train=N,test=M.")
        return {split: rows}
    if rows is not None:
        raise InvalidParameters("Give either -n or --splits.")
    wanted: dict[str, int] = {}
    for part in splits.split(","):
        name, _, number = part.strip().partition("=")
        if not _NUMBER.fullmatch(number) or name in wanted:
            raise InvalidParameters(f"--splits is like train=10000,test=500, each split once; got {part!r}.")
        wanted[name] = int(number)
    return wanted


def levels_of(text: str) -> tuple[int, int]:
    """Parse ``3`` or ``1-5``."""
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        raise InvalidParameters(f"--difficulty is a level like 3 or a range like 1-5, got {text!r}.")
    return int(found[1]), int(found[2] or found[1])
