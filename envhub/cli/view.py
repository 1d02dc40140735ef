"""``envhub view``: browse recorded episodes, with :mod:`envhub.viewer`."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

import typer

from envhub.cli.terminal import console


def view(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...",
            help="Results of envhub eval, a run of envhub train, the journal of a server, or .jsonl files of conversations.",
        ),
    ],
    port: Annotated[int, typer.Option(help="Port to bind on this machine; 0 selects a free one.")] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
) -> None:
    """Browse recorded episodes and training runs in a browser.

    Episodes can be filtered, searched, read and compared; the curves of a run grow while it trains. The page is served on this
    machine alone until Ctrl-C.
    """
    import webbrowser

    from envhub.authoring.wording.plurals import counted
    from envhub.viewer.app import create_app
    from envhub.viewer.index import Index
    from envhub.viewer.runs import runs_in
    from envhub.viewer.serving import serve
    from envhub.viewer.sources import files_of

    out = console()
    with tempfile.TemporaryDirectory(prefix="envhub-view-") as scratch:
        files, runs = files_of(paths, Path(scratch)), runs_in(paths)
        index = Index.of(files) if files else None

        def announce(url: str) -> None:
            found = [counted(len(index), "episode")] if index else []
            found += [counted(len(runs), "run")] if runs else []
            out.print(f"{' and '.join(found)} at {url} (Ctrl-C stops)", soft_wrap=True)
            if browser:
                webbrowser.open(url)

        serve(create_app(index, runs), port, announce)
