"""``envhub lean``: the proof kernel that Lean environments need; the work is in :mod:`envhub.sandbox.lean`."""

from __future__ import annotations

from typing import Annotated

import typer

from envhub.cli.terminal import console, plain, print_json
from envhub.core.errors import MissingExtra

app = typer.Typer(help="The Lean kernel, which judges proofs.", no_args_is_help=True)


@app.callback()
def _lean() -> None:
    """The Lean kernel, which judges proofs."""


@app.command("setup")
def make(
    lean: Annotated[str, typer.Option(metavar="PATH", help="The lean to use; the one on the PATH if not given.")] = "",
    project: Annotated[
        str, typer.Option(metavar="FOLDER", help="A built Lake project whose modules proofs may import.")
    ] = "",
    fixture: Annotated[
        bool, typer.Option("--fixture", help="Use the pinned wheel and the small core library, whatever is installed.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Look or build again, even if there is one.")] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; say what there is and whether it works.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write what there is as JSON.")] = False,
) -> None:
    """Find a Lean, or build one for tests, and remember it for the jails in which proofs are checked.

    Without an installed Lean it takes Lean's shared library from a pinned wheel and compiles a small core library, which is a
    test fixture: proofs over it are about its own definitions, not about Lean's library or Mathlib.
    """
    from envhub.sandbox.lean import find_toolchain, setup as steps, toolchain_home

    if check:
        toolchain = find_toolchain()
        if toolchain is None:
            raise MissingExtra(f"No Lean has been set up in {toolchain_home()}. Do it with: envhub lean setup")
        steps.check(toolchain)
    else:
        toolchain = steps.setup(lean, project, fixture=fixture, again=again)
    if as_json:
        print_json({"kind": toolchain.kind, "version": toolchain.version, "sysroot": toolchain.sysroot})
        return
    what = "the small core library of tests" if toolchain.kind == "fixture" else "its own library"
    console().print(plain(f"{toolchain.version} in {toolchain.sysroot}, with {what}. It works."), soft_wrap=True)
