"""What every command shares: how errors end it, where output goes, and text that cannot steer the terminal."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperGroup

from envhub.core.errors import EnvhubError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

FAILED: Final = 1
BAD_USAGE: Final = 2
INTERRUPTED: Final = 130
_PIPED_WIDTH: Final = 240

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Group(TyperGroup):
    """The commands; an error of ours is its message and exit code 2, Ctrl-C is exit code 130."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except EnvhubError as error:
            complain(str(error))
            raise typer.Exit(BAD_USAGE) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None


def complain(message: str) -> None:
    """Say on standard error what went wrong."""
    typer.echo(f"Error: {plain(message)}", err=True)


def plain(text: str) -> str:
    r"""Text with control characters made visible (``\x1b``): what others wrote must not steer the terminal."""
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def print_json(value: Any) -> None:
    """Write a value on standard output as JSON."""
    typer.echo(json.dumps(value, indent=2, allow_nan=False))


def console(*, stderr: bool = False, quiet: bool = False) -> Console:
    """A terminal for people; texts are shown as they are, without markup. What is piped is not folded at 80 columns."""
    from rich.console import Console

    out = Console(stderr=stderr, quiet=quiet, markup=False, highlight=False, emoji=False)
    if not out.is_terminal and "COLUMNS" not in os.environ:
        out.width = _PIPED_WIDTH
    return out


def table_of(*columns: str, title: str | None = None) -> Table:
    """A table for people; what does not fit is folded, never cut."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title=title, title_justify="left")
    for column in columns:
        table.add_column(plain(column), overflow="fold", min_width=min(len(column), 16))
    return table
