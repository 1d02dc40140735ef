"""``envhub bank``: tasks drawn in advance; the work is in :mod:`envhub.tasks.bank`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from envhub.cli import completion
from envhub.cli.catalogue import AsJson
from envhub.cli.generate import levels_of
from envhub.cli.options import Split
from envhub.cli.terminal import Group, console, plain, print_json

app = typer.Typer(cls=Group, no_args_is_help=True, help="Draw tasks in advance, and check such a bank.")


@app.command("build")
def build(
    ids: Annotated[
        str,
        typer.Argument(
            metavar="ID[,ID...]", help="Environment ids with equal weights.", autocompletion=completion.environments
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="Folder of the bank.")],
    tasks: Annotated[int, typer.Option("-n", min=1, metavar="N", help="Total number of tasks.")],
    difficulty: Annotated[
        str, typer.Option(metavar="D|LOW-HIGH", help="Difficulty level, or a range of levels.")
    ] = "3",
    split: Split = "train",
    seed: Annotated[int, typer.Option(help="Seed of the stream whose first tasks are drawn.")] = 0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a bank in this folder.")] = False,
    as_json: AsJson = False,
) -> None:
    """Draw the first tasks of a stream into a folder.

    Set ENVHUB_BANK to the folder, and streams with the same environments, difficulty, split and seed read their tasks
    from it.
    """
    from rich.progress import Progress

    from envhub.tasks.bank_building import build as write

    low, high = levels_of(difficulty)
    errors = console(stderr=True)
    with Progress(console=errors, disable=not errors.is_terminal) as bar:
        doing = bar.add_task("tasks", total=tasks)
        bank = write(
            out,
            [id.strip() for id in ids.split(",")],
            tasks,
            difficulty=low if low == high else (low, high),
            split=split,
            seed=seed,
            overwrite=overwrite,
            on_task=lambda: bar.advance(doing),
        )
    if as_json:
        print_json({"bank": str(out), "tasks": len(bank), "shards": len(bank.shards)})
    else:
        console().print(f"{len(bank)} tasks in {plain(str(out))}. Use them with ENVHUB_BANK={plain(str(out))}.")


@app.command("check")
def check(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder of the bank.")],
    as_json: AsJson = False,
) -> None:
    """Read all tasks of a bank and report damaged ones.

    Exit code 1 if any is damaged.
    """
    from envhub.tasks.bank import Bank

    bank = Bank(folder)
    damaged = sum(bank.get(root) is None for root in bank)
    if as_json:
        print_json({"bank": str(folder), "tasks": len(bank), "damaged": damaged, **bank.manifest})
    else:
        console().print(f"{len(bank)} tasks of {', '.join(bank.manifest['environments'])}, {damaged} of them damaged.")
    if damaged:
        raise typer.Exit(1)
