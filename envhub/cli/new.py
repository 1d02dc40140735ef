"""``envhub new``: create a package for a new environment, with :mod:`envhub.scaffold`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from envhub.cli.catalogue import AsJson
from envhub.cli.terminal import plain, print_json


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the package, such as word-chain.")],
    kind: Annotated[
        str, typer.Option(metavar="KIND", help="Kind of environment: single, value, cells, graph, game or tool.")
    ] = "single",
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Output folder; must be empty.  [NAME]")] = None,
    id: Annotated[str | None, typer.Option(metavar="ID", help="Id of the environment.  [NAME-v0]")] = None,
    as_json: AsJson = False,
) -> None:
    """Create a package for a new environment.

    It contains a small working environment, its tests and a README that says what to change. Kinds: single asks one
    question, value is a member of the family of that name, game has several turns and hidden state, tool has tools.
    Existing files are never overwritten.
    """
    from envhub.scaffold import write

    made = write(name, kind, out, id)
    steps = [f"cd {shlex.quote(str(made.root))}", "python -m pip install -e '.[test]'", "python -m pytest"]
    if as_json:
        about = {"name": made.name, "id": made.id, "kind": made.kind, "path": str(made.root)}
        print_json({**about, "files": list(made.files), "next": steps})
        return
    typer.echo(plain(f"{made.id} is in {made.root}; its README says what to change. Next:\n"))
    for step in steps:
        typer.echo(f"  {plain(step)}")
