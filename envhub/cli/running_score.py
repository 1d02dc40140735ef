"""What ``envhub eval`` shows while it runs.

Attempts done, the share solved so far, and why requests fail: a bar at a terminal, elsewhere a line for each tenth of the
attempts. Everything goes to standard error.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import typer

from envhub.cli.terminal import console, plain

if TYPE_CHECKING:
    from envhub.evaluation import Record

_LINES: Final = 10
"""Number of lines that a whole run writes where there is no terminal."""


class RunningScore:
    """Progress of one evaluation.

    Args:
        total: Number of attempts of the configuration.
    """

    def __init__(self, total: int) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        errors = console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
        self._doing = self._bar.add_task("attempts", total=total)
        self._total = total
        self._judged = self._solved = self._lines = 0
        self._reasons: set[str] = set()

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.stop()

    def note(self, record: Record, done: int) -> None:
        """Show a finished attempt.

        Args:
            record: The attempt.
            done: Number of judged attempts, those of earlier runs included.
        """
        if record.judged:
            self._judged += 1
            self._solved += record.solved
        elif record.why not in self._reasons:
            self._reasons.add(record.why)
            self._bar.console.print(f"{plain(record.job.env_id)}: {plain(record.why)}", soft_wrap=True)
        self._bar.update(self._doing, completed=done, description=f"{plain(record.job.env_id)}, {self._score}")
        lines = _LINES * done // self._total
        if self._bar.disable and lines > self._lines:
            self._lines = lines
            typer.echo(f"{done} of {self._total} attempts, {self._score}", err=True)

    @property
    def _score(self) -> str:
        return f"solved {self._solved / self._judged:.2f}" if self._judged else "none judged"
