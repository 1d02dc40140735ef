"""``envhub lean``: set up the Lean kernel, with :mod:`envhub.sandbox.lean`."""

from __future__ import annotations

from typing import Annotated

import typer

from envhub.cli.terminal import console, plain, print_json
from envhub.core.errors import MissingExtra

app = typer.Typer(help="Set up the Lean kernel, which checks proofs.", no_args_is_help=True)


@app.callback()
def _lean() -> None:
    """Set up the Lean kernel, which checks proofs."""


@app.command("setup")
def make(
    lean: Annotated[
        str, typer.Option(metavar="PATH", help="Path of the lean executable. Defaults to the one on PATH.")
    ] = "",
    project: Annotated[
        str, typer.Option(metavar="FOLDER", help="Built Lake project whose modules proofs may import.")
    ] = "",
    fixture: Annotated[
        bool,
        typer.Option("--fixture", help="Use the pinned wheel and the small core library, even if Lean is installed."),
    ] = False,
    again: Annotated[bool, typer.Option("--again", help="Repeat the setup even if it has been done.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only check the current setup; change nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the setup as JSON.")] = False,
) -> None:
    """Find Lean, or build a minimal one for tests.

    Its location is stored for the proof sandboxes. If Lean is not installed, this takes its shared library from a
    pinned wheel and compiles a small core library. That library is a test fixture: its proofs are about its own
    definitions, not about Lean's library or Mathlib.
    """
    from envhub.sandbox.lean import find_toolchain, setup as steps, toolchain_home

    if check:
        toolchain = find_toolchain()
        if toolchain is None:
            raise MissingExtra(f"Lean has not been set up in {toolchain_home()}. Run: envhub lean setup")
        steps.check(toolchain)
    else:
        toolchain = steps.setup(lean, project, fixture=fixture, again=again)
    if as_json:
        print_json({"kind": toolchain.kind, "version": toolchain.version, "sysroot": toolchain.sysroot})
        return
    what = "the small core library of tests" if toolchain.kind == "fixture" else "its own library"
    console().print(plain(f"{toolchain.version} in {toolchain.sysroot}, with {what}. It works."), soft_wrap=True)
