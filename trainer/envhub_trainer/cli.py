"""``envhub train``: run, warm start, evaluate, report.

Heavy modules are imported only when a command needs them.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from envhub_trainer.config import Config
    from envhub_trainer.evaluate import Score

_FAILED = 1
_BAD_USAGE = 2

Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SECTION.NAME=VALUE", help="Change a setting; may be repeated."),
]
File = Annotated[
    Path, typer.Argument(metavar="RUN", help="A TOML file, or the name of a recipe; envhub train --list shows them.")
]
Folders = Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="The folders of runs.")]


class Commands(TyperGroup):
    """The commands.

    Any other word names a recipe or run file to train.
    """

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command named by the arguments."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["run", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=Commands,
    help="Train a language model on environments: GRPO, PPO and relatives, multi-turn.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _list(wanted: bool) -> None:
    if wanted:
        from envhub_trainer.config import recipes

        for name, what in recipes().items():
            typer.echo(f"{name:10} {what}")
        raise typer.Exit


@app.callback()
def _train(
    listed: Annotated[bool, typer.Option("--list", callback=_list, is_eager=True, help="List the recipes.")] = False,
) -> None:
    """Train a language model on environments: GRPO, PPO and relatives, multi-turn.

    `envhub train RUN` is short for `envhub train run RUN`. RUN is a TOML file or the name of a recipe.
    """


@app.command()
def run(file: File, changes: Set = None) -> None:
    """Train a model; a killed run resumes from its last checkpoint.

    If the recipe has a [tiny] section and model.path does not exist yet, the model is created first, as by
    `envhub train warmstart`. SIGTERM or Ctrl-C stops the run after the current step and saves a checkpoint.
    """
    config = _config(file, changes)
    from envhub_trainer.loop import train

    if config.tiny is not None and not (Path(config.model.path) / "config.json").is_file():
        typer.echo(f"{config.model.path} does not exist; the warm start creates it first.", err=True)
        _warm_start(config)

    done = _guarded(lambda: asyncio.run(train(config)))
    _summarise(config.run.folder, config.run.steps)
    rest = " The same command resumes it." if done.step < config.run.steps else ""
    typer.echo(f"`envhub train report {config.run.folder}` writes a page with curves and episodes.{rest}")


@app.command()
def warmstart(file: File, changes: Set = None) -> None:
    """Create the initial model of a run by supervised learning.

    The model learns from demonstrations of the run's environments, or from the chats of --set warmstart.data=FILE.jsonl, and
    is saved in model.path. A recipe with a [tiny] section builds it from scratch; otherwise --set warmstart.base=MODEL
    names the model to start from. The same command resumes a warm start that was stopped.
    """
    _warm_start(_config(file, changes))


@app.command()
def evaluate(
    file: File,
    changes: Set = None,
    model: Annotated[
        str | None, typer.Option(help="A folder, a checkpoint or hub:OWNER/NAME instead of model.path.")
    ] = None,
    k: Annotated[int | None, typer.Option(help="Sampled attempts at each task; evaluate.k by default.")] = None,
) -> None:
    """Measure a model on the run's held-out tasks, sampled and greedily.

    Prints success overall, by environment and by level, with 95 % intervals. With --k 8 each task is attempted eight
    times, and the success of one attempt (avg@8) and of at least one in eight (pass@8) are printed.
    """
    config = _config(file, [*(changes or []), *([f"evaluate.k={k}"] if k is not None else [])])
    from envhub_trainer.setup import measure

    for name, score in _guarded(lambda: asyncio.run(measure(config, model))).items():
        failed = f", {score.failed} could not be judged" if score.failed else ""
        typer.echo(f"{name}: {score.share:.4f} ({score.solved} of {score.episodes}{failed})")
        _table(score, config.evaluate.k if name == "sampled" else 1)


def _table(score: Score, k: int) -> None:
    """Print the success of each environment and level."""
    parts = {"all": score}
    for place, part in score.places().items():
        parts[place.env_id if place.level is None else f"{place.env_id}, level {place.level}"] = part
    width = max(map(len, parts))
    columns = [f"avg@{k}", f"pass@{k}"] if k > 1 else ["solved"]
    typer.echo(f"  {'':{width}}  {'tasks':>6}" + "".join(f"  {column:22}" for column in columns))
    for name, part in parts.items():
        estimates = [part.average(), part.passes(k)][: len(columns)]
        told = "".join(f"  {each.mean:6.1%} [{each.low:6.1%}, {each.high:6.1%}]" for each in estimates)
        typer.echo(f"  {name:{width}}  {len(part.results):>6}{told}")


@app.command()
def report(
    folders: Folders,
    out: Annotated[Path, typer.Option(help="File of a page that compares several runs.")] = Path("compare.html"),
) -> None:
    """Write a run as one HTML page, or compare several.

    The page of a run has its curves, sample episodes and settings.
    """
    from envhub_trainer.watch.compare import compare
    from envhub_trainer.watch.report import report as write

    typer.echo(_guarded(lambda: write(folders[0]) if len(folders) == 1 else compare(folders, out)))


@app.command()
def curves(
    folders: Folders, out: Annotated[Path, typer.Option(help="A .csv or .jsonl file.")] = Path("curves.csv")
) -> None:
    """Write all numbers of one or more runs as a table."""
    from envhub_trainer.watch.curves import write

    typer.echo(_guarded(lambda: write(folders, out)))


@app.command()
def export(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a run.")],
    to: Annotated[Path, typer.Argument(metavar="TO", help="A new folder.")],
) -> None:
    """Write a run's model as a Hugging Face folder.

    The model is that of the last checkpoint, with adapters merged.
    """
    from envhub_trainer.export import export as write

    typer.echo(_guarded(lambda: write(folder, to)))


def main() -> None:
    """Run the command line and exit."""
    app(prog_name="envhub train")


def _warm_start(config: Config) -> None:
    """Run the warm start and print the share of solved tasks."""
    from envhub_trainer.warmstart import warm_start

    solved = _guarded(lambda: asyncio.run(warm_start(config, lambda line: typer.echo(line, err=True))))
    told = f"solves {solved:.3f} of train tasks, sampled" if solved == solved else "written; not measured"
    typer.echo(f"{config.model.path}: {told}.")


def _summarise(folder: Path, planned: int) -> None:
    """Print the facts of a run."""
    from envhub_trainer.watch.summary import facts
    from envhub_trainer.watch.track import read

    told = facts(read(folder), planned)
    width = max((len(name) for name, _ in told), default=0)
    for name, fact in told:
        typer.echo(f"{name:{width}}  {fact}")


def _config(file: Path, changes: list[str] | None) -> Config:
    from envhub_trainer.config import load

    config: Config = _guarded(lambda: load(file, changes or []))
    return config


def _guarded(work: Any) -> Any:
    """Return the result of ``work``.

    Print errors that a user can fix, and exit.
    """
    try:
        return work()
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in {"torch", "transformers", "tokenizers", "tensorboard"}:
            _end(
                f"{error.name} is not installed. Install it: pip install torch==2.13.0 'envhub[train]'.",
                _BAD_USAGE,
                error,
            )
        raise
    except (ValueError, FileNotFoundError) as error:  # ConfigError, TemplateError and damaged files
        _end(str(error), _BAD_USAGE, error)
    except OSError as error:  # such as a full disk
        _end(str(error), _FAILED, error)
    except RuntimeError as error:
        from envhub_trainer.hub import HubError
        from envhub_trainer.policy import PolicyError
        from envhub_trainer.skips import StuckError

        if not isinstance(error, (PolicyError, HubError, StuckError)):
            raise
        _end(str(error), _FAILED, error)


def _end(message: str, code: int, error: Exception) -> None:
    typer.echo(f"Error: {message}", err=True)
    raise typer.Exit(code) from error
