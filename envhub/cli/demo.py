"""``envhub demo``: play environments over HTTP, with :mod:`envhub.evaluation.demo`."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from envhub.cli.terminal import FAILED, INTERRUPTED, complain, console, plain, print_json, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from envhub.evaluation.demo import DemoReport, Played


def demo(
    episodes: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of episodes per environment, difficulty and agent.")
    ] = 1,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first task; the next seeds follow.")] = 0,
    everything: Annotated[
        bool, typer.Option("--all", help="Play every environment instead of a sample of each category.")
    ] = False,
    url: Annotated[str | None, typer.Option(help="URL of a running server. Defaults to starting one.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the report as JSON.")] = False,
) -> None:
    """Play environments over HTTP and check the results.

    It plays some of each category, or all with --all. The oracle and a random agent that knows only the action format
    play them at every difficulty. The demo passes (exit code 0) if the oracle's mean reward is 1.000 everywhere, the
    random agent's overall mean reward is at most 0.10, every answer was judged, and the server agrees with a local
    copy on every observation and reward. Otherwise the exit code is 1.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from envhub.evaluation.demo import DemoReport, Diverged, run_demo, serving

    played: list[Played] = []
    errors = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=errors, transient=True, disable=not errors.is_terminal)
    doing = bar.add_task("starting the server", total=None)
    lines = bar.disable and not as_json  # for output to a file: one line per environment shows the progress

    def note(episode: Played, total: int) -> None:
        if lines and (not played or played[-1].env_id != episode.env_id):
            typer.echo(f"{len(played)}/{total} {plain(episode.env_id)}")
        played.append(episode)
        bar.update(doing, completed=len(played), total=total, description=plain(episode.env_id))

    try:
        with bar, serving() if url is None else nullcontext(url) as address:
            report = run_demo(address, episodes=episodes, seed=seed, everything=everything, on_episode=note)
    except KeyboardInterrupt:
        if played:
            _show(DemoReport(played, complete=False), as_json)
        raise typer.Exit(INTERRUPTED) from None
    except Diverged as error:
        complain(str(error))
        raise typer.Exit(FAILED) from None
    _show(report, as_json)
    if not report.passed:
        raise typer.Exit(FAILED)


def _show(report: DemoReport, as_json: bool) -> None:
    if as_json:
        print_json(report.to_json())
        return
    out = console()
    _rewards(report, out)
    _rates(report, out)
    played = len(report.env_ids)
    if played + len(report.skipped) < report.available:
        out.print(f"A sample of {played} of {report.available} environments. To play all of them: envhub demo --all")
    for env_id, reason in report.skipped.items():
        out.print(f"skipped {plain(env_id)}: {plain(reason)}", soft_wrap=True)
    out.print(f"random agent over all: {_mean(report.random_mean)}")
    out.print(f"errors (could not be judged): {len(report.errors)}")
    for episode in report.errors:
        if episode.error is not None:
            where = f"{episode.env_id}, difficulty {episode.difficulty}, seed {episode.seed}, {episode.agent} agent"
            out.print(plain(f"  {where}: {episode.error.code}: {episode.error.reason}"), soft_wrap=True)
    if report.passed:
        out.print("passed", style="bold green")
    for failure in report.failures:
        out.print(f"FAILED: {plain(failure)}", style="bold red", soft_wrap=True)


def _rewards(report: DemoReport, out: Console) -> None:
    table = table_of("environment", "difficulty", "oracle", "random", title="Mean reward")
    last = ""
    for (env_id, difficulty), means in report.cells.items():
        if last and env_id != last:
            table.add_section()
        table.add_row(plain(env_id), str(difficulty), _mean(means["oracle"]), _mean(means["random"]))
        last = env_id
    out.print(table)


def _rates(report: DemoReport, out: Console) -> None:
    table = table_of("environment", "episodes", "steps", "steps/s", "resets/s", title="Over HTTP, one at a time")
    for env_id in (*report.env_ids, None):
        rate = report.rate(env_id)
        counts = (f"{rate[name]:,.0f}" for name in ("episodes", "steps", "steps_per_s", "resets_per_s"))
        if env_id is None:
            table.add_section()
        table.add_row("all" if env_id is None else plain(env_id), *counts)
    out.print(table)


def _mean(value: float) -> str:
    return "none" if math.isnan(value) else f"{value:.3f}"
