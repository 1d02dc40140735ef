"""``envhub eval``: evaluate a model and compare two evaluations, with :mod:`envhub.evaluation`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from envhub.cli import completion
from envhub.cli.options import AnswerFormat, ObservationName, Split, System, ToolFormat, WordingName
from envhub.cli.running_score import RunningScore
from envhub.cli.terminal import FAILED, INTERRUPTED, complain, console, plain, print_json, table_of
from envhub.core.errors import InvalidParameters

if TYPE_CHECKING:
    from envhub.evaluation import EvaluationConfig, Player, Summary
    from envhub.evaluation.compare import Comparison
    from envhub.evaluation.summary import Cell, Estimate

_TRAINING: Final = "training-wordings"
"""Folder of the same tasks in their training wordings, inside that of an evaluation with the held-out one."""

app = typer.Typer(no_args_is_help=False, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def evaluate(
    context: typer.Context,
    env: Annotated[
        list[str] | None,
        typer.Option(
            "--env",
            metavar="ID[:D|:LOW-HIGH]",
            help="Environment and difficulty levels, such as sudoku-v0:1-5. Repeatable.",
            autocompletion=completion.environment,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="Output folder. A run that it already contains is resumed."),
    ] = None,
    endpoint: Annotated[
        str | None, typer.Option(metavar="URL", help="OpenAI-compatible endpoint, such as http://127.0.0.1:8000/v1.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="Name of the model at the endpoint.")] = None,
    checkpoint: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder of a model on disk, instead of an endpoint.")
    ] = None,
    tasks: Annotated[
        int, typer.Option("-n", min=1, metavar="N", help="Number of tasks per environment and difficulty.")
    ] = 20,
    attempts: Annotated[int, typer.Option("-k", min=1, metavar="K", help="Number of attempts per task.")] = 1,
    split: Split = "test",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first task; the next seeds follow.")] = 0,
    answer_format: AnswerFormat = None,
    tool_format: ToolFormat = None,
    wording: WordingName = None,
    observation: ObservationName = "text",
    system: System = None,
    temperature: Annotated[float, typer.Option(min=0.0, help="Sampling temperature.")] = 1.0,
    max_tokens: Annotated[int, typer.Option(min=1, help="Maximum number of tokens per message.")] = 4096,
    api_key_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="Environment variable with the endpoint's API key.")
    ] = None,
    timeout_s: Annotated[float, typer.Option(metavar="S", help="Timeout of one message, in seconds.")] = 600.0,
    at_once: Annotated[int, typer.Option(min=1, metavar="N", help="Number of concurrent attempts.")] = 8,
    server: Annotated[
        str | None,
        typer.Option(metavar="URL", help="URL of a server that runs the episodes. Defaults to this process."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the summary as JSON.")] = False,
) -> None:
    """Evaluate a model.

    Solve rates with confidence intervals, pass@k, results by difficulty, transcripts. The output folder contains
    attempts.jsonl (every attempt), summary.json and report.html. The same command resumes an interrupted run. With
    --wording held-out the same tasks are also attempted in their training wordings, and wordings.json contains the
    paired difference. Failed requests and unjudged attempts are reported separately and not scored. The exit code is 1
    while attempts are missing.
    """
    if context.invoked_subcommand is not None:
        return
    from envhub.authoring.wording import HELD_OUT, wording_number
    from envhub.evaluation import EvaluationConfig, read, summarise
    from envhub.evaluation.html import page

    if not env or out is None:
        raise InvalidParameters("An evaluation needs --env (such as --env sudoku-v0:1-5) and a folder, --out.")
    config = EvaluationConfig.of(
        env,
        tasks=tasks,
        attempts=attempts,
        split=split,
        seed=seed,
        answer_format=answer_format,
        tool_format=tool_format,
        wording=wording_number(wording),
        observation=observation,
        system=system,
    )
    if checkpoint is not None and observation != "text":
        raise InvalidParameters(
            f"A --checkpoint is a model of text: `observation` must be 'text', got {observation!r}. Give an --endpoint."
        )
    sampling = {"temperature": temperature, "max_tokens": max_tokens}
    player = _player(endpoint, model, checkpoint, api_key_env, timeout_s, sampling)
    try:
        missing = _run(config, player, out, at_once, server)
        if config.wording == HELD_OUT.number:
            missing += _run(replace(config, wording=None), player, out / _TRAINING, at_once, server)
    except KeyboardInterrupt:
        _show_partial(out, as_json)
        raise typer.Exit(INTERRUPTED) from None
    found = read(out)
    summary = summarise(found)
    (out / "summary.json").write_text(json.dumps(summary.to_json(), indent=2) + "\n", "utf-8")
    (out / "report.html").write_text(page(summary, found), "utf-8")
    if as_json:
        print_json(summary.to_json())
    else:
        _show(summary, out)
    if config.wording == HELD_OUT.number and not missing:
        _show_wordings(out)
    if missing:
        failed = [record.why for record in found.records if record.outcome in ("endpoint", "error") and record.why]
        why = f" The last failure: {failed[-1]}" if failed else ""
        complain(f"{missing} attempts have no verdict yet.{why}\nRun the same command again to resume them.")
        raise typer.Exit(FAILED)


@app.command("compare")
def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="Output folder of envhub eval.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Output folder of another run on the same tasks.")],
    html: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write an HTML report with the attempts that differ, side by side."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the comparison as JSON.")] = False,
) -> None:
    """Compare two evaluations of the same tasks, task by task.

    By a paired permutation test and a bootstrap over tasks.
    """
    from envhub.evaluation import compare as compared, read
    from envhub.evaluation.compare_html import comparison_page

    one, other = read(first), read(second)
    found = compared(one, other)
    if html is not None:
        html.write_text(comparison_page(found, one, other), "utf-8")
    if as_json:
        print_json(found.to_json())
    else:
        _show_difference(found, found.players)


def _show_wordings(out: Path) -> None:
    """Write and show what held-out wordings cost on the same tasks."""
    from envhub.evaluation import compare as compared, read

    found = compared(read(out / _TRAINING), read(out))
    (out / "wordings.json").write_text(json.dumps(found.to_json(), indent=2) + "\n", "utf-8")
    _show_difference(found, ("training wordings", "held-out wording"))


def _show_difference(found: Comparison, names: Sequence[str]) -> None:
    table = table_of("environment", "tasks", *map(plain, names), "difference", "95 %", "p")
    for name, each in [("all", found.overall), *found.environments.items()]:
        bounds = f"{each.low:+.3f} to {each.high:+.3f}"
        shares = f"{each.first:.3f}", f"{each.second:.3f}", f"{each.second - each.first:+.3f}"
        table.add_row(plain(name), str(each.tasks), *shares, bounds, f"{each.p:.4f}")
    out = console()
    out.print(table)
    if found.left_out:
        out.print(f"{found.left_out} tasks were left out because one of the two has no verdict on them.")


def _player(
    endpoint: str | None,
    model: str | None,
    checkpoint: Path | None,
    api_key_env: str | None,
    timeout_s: float,
    sampling: dict[str, Any],
) -> Player:
    if (endpoint is None) == (checkpoint is None):
        raise InvalidParameters("Who is evaluated is either an --endpoint with a --model, or a --checkpoint.")
    how = ", ".join(f"{name} {value:g}" for name, value in sampling.items())
    if checkpoint is not None:
        from envhub.evaluation.checkpoints import CheckpointPlayer

        return CheckpointPlayer(checkpoint, f"{checkpoint.name} ({how})", **sampling)
    if model is None:
        raise InvalidParameters("The model's name at the endpoint is given by --model.")
    from envhub.evaluation import EndpointPlayer
    from envhub.verifiers.judge.endpoint import Endpoint

    assert endpoint is not None
    extra = {"temperature": sampling["temperature"]}
    return EndpointPlayer(
        Endpoint(endpoint, model, api_key_env, timeout_s, sampling["max_tokens"], extra=extra), f"{model} ({how})"
    )


def _run(config: EvaluationConfig, player: Player, out: Path, at_once: int, server: str | None) -> int:
    from envhub.evaluation import run

    with RunningScore(len(config)) as shown:
        return run(config, player, out, at_once=at_once, url=server, on_attempt=shown.note)


def _show_partial(out: Path, as_json: bool) -> None:
    """Show what an interrupted run has measured so far."""
    from envhub.evaluation import read, summarise

    summary = summarise(read(out))
    if as_json:
        print_json(summary.to_json())
    elif summary.overall.judged:
        _show_table(summary)
    complain(f"Stopped with {summary.missing} attempts missing. Run the same command again to resume.")


def _show(summary: Summary, folder: Path) -> None:
    _show_table(summary)
    out = console()
    for env_id, cell in summary.environments.items():
        if cell.checker_failed:
            broken = " More than 1 %: the checker is broken. Fix it." if cell.broken else ""
            out.print(plain(f"{env_id}: {cell.checker_failed} answers made the checker fail and scored 0.{broken}"))
    for env_id, rates in summary.references.items():
        out.print(f"reference of {plain(env_id)}: {plain(rates.policy)}", soft_wrap=True)
    out.print(f"{plain(summary.player)}: {folder / 'report.html'}", soft_wrap=True)


def _show_table(summary: Summary) -> None:
    ks = list(summary.overall.passes)
    beside = ["reference"] if summary.references else []
    table = table_of(
        "environment", "difficulty", *(f"pass@{k}" for k in ks), *beside, "score", "judged", "errors", "endpoint"
    )

    def row(name: str, level: str, cell: Cell) -> None:
        passes = (_estimate(cell.passes.get(k)) for k in ks)
        counts = str(cell.judged), str(sum(cell.errors.values())), str(cell.endpoint)
        rate = summary.reference(name, int(level)) if level.isdigit() else None
        reference = ["" if rate is None else f"{rate:.2f}"] if beside else []
        table.add_row(plain(name), level, *passes, *reference, _estimate(cell.score), *counts)

    for env_id, cell in summary.environments.items():
        for (name, level), of in summary.levels.items():
            if name == env_id:
                row(env_id, str(level), of)
        row(env_id, "all", cell)
        table.add_section()
    row("all", "", summary.overall)
    console().print(table)


def _estimate(estimate: Estimate | None) -> str:
    return "none" if estimate is None else f"{estimate.mean:.3f} ({estimate.low:.2f}-{estimate.high:.2f})"
