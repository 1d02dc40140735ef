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
    """Browse recorded episodes in a browser: filter, search, read and compare them.

    The page is served on this machine alone until Ctrl-C.
    """
    import webbrowser

    from envhub.viewer.app import create_app
    from envhub.viewer.index import Index
    from envhub.viewer.serving import serve
    from envhub.viewer.sources import files_of

    out = console()
    with tempfile.TemporaryDirectory(prefix="envhub-view-") as scratch:
        index = Index.of(files_of(paths, Path(scratch)))
        count = len(index)

        def announce(url: str) -> None:
            out.print(f"{count} episode{'' if count == 1 else 's'} at {url} (Ctrl-C stops)", soft_wrap=True)
            if browser:
                webbrowser.open(url)

        serve(create_app(index), port, announce)
