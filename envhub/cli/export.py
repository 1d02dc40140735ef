"""``envhub export``: write finished episodes as JSONL, with :mod:`envhub.server.journal.export`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from envhub.cli.terminal import console, plain
from envhub.core.errors import EnvhubError

_FOR_EVER_S: Final = 1e12  # idle episodes are exported until a server deletes them


def export(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Output file, .jsonl. An existing file is replaced.")
    ],
    journal: Annotated[
        str | None,
        typer.Option(metavar="URL", help="Journal of the server. Defaults to that of envhub serve."),
    ] = None,
) -> None:
    """Write a server's finished episodes as JSONL, one line per episode.

    Each line contains the task key, messages, actions, verdict, rewards and timing. The server may be running; it deletes
    episodes that have been idle for --episode-ttl-s. Keep the file private: a task key is enough to compute the solution.
    """
    import asyncio
    import os

    from envhub.cli.configuration import read_settings
    from envhub.server.journal import open_journal, parse_sqlite_url
    from envhub.server.journal.export import export as write

    settings = read_settings({} if journal is None else {"journal": journal})
    if settings.journal_url.startswith("memory:"):
        raise EnvhubError("A journal in memory can be read only by its server. Name another with --journal.")
    if settings.journal_url.startswith("sqlite:") and not parse_sqlite_url(settings.journal_url)[0].exists():
        raise EnvhubError(f"There is no journal {settings.journal_url}; name another with --journal.")
    opened = open_journal(settings.journal_url, _FOR_EVER_S, settings.max_episodes)
    partial = out.with_name(f"{out.name}.partial")
    try:
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            written = asyncio.run(write(opened, file))
        partial.replace(out)
    except OSError as error:
        raise EnvhubError(f"{out} cannot be written: {error.strerror}.") from None
    finally:
        opened.close()
        partial.unlink(missing_ok=True)
    console().print(f"{written} episodes in {plain(str(out))}.", soft_wrap=True)
