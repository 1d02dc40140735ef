"""Helpers shared by all commands.

Error handling, output, and text that is safe to print.
"""

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
    """Command group with exit codes for errors.

    An EnvhubError prints its message and exits with code 2, Ctrl-C exits with 130.
    """

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
    """Print an error message on standard error."""
    typer.echo(f"Error: {plain(message)}", err=True)


def plain(text: str) -> str:
    r"""Text with control characters escaped (``\x1b``).

    Untrusted text then cannot control the terminal.
    """
    return _CONTROL.sub(lambda found: ascii(found[0])[1:-1], text)


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    typer.echo(json.dumps(value, indent=2, allow_nan=False))


def console(*, stderr: bool = False, quiet: bool = False) -> Console:
    """A rich console without markup.

    Piped output is not wrapped at 80 columns.
    """
    from rich.console import Console

    out = Console(stderr=stderr, quiet=quiet, markup=False, highlight=False, emoji=False)
    if not out.is_terminal and "COLUMNS" not in os.environ:
        out.width = _PIPED_WIDTH
    return out


def table_of(*columns: str, title: str | None = None) -> Table:
    """A rich table that wraps long cells instead of cutting them."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title=title, title_justify="left")
    for column in columns:
        table.add_column(plain(column), overflow="fold", min_width=min(len(column), 16))
    return table
