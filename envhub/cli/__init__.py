"""The command line: ``envhub list``, ``info``, ``play`` and the other commands.

Commands read options and show results; the library does the work. Nothing heavy is imported before a command needs it, so
``envhub --help`` is fast.

Exit codes: 0 success; 1 the result is a failure (a problem not solved, a demo that did not pass); 2 bad usage or an error, with
its message on standard error; 130 stopped by Ctrl-C.
"""

from __future__ import annotations

from typing import Annotated

import typer

from envhub.cli import (
    audit,
    bank,
    bench,
    catalogue,
    coverage,
    demo,
    doctor,
    evaluate,
    export,
    generate,
    gold,
    keys,
    lean,
    new,
    picture,
    play,
    sandbox,
    serve,
    verify,
    view,
)
from envhub.cli.terminal import Group
from envhub_trainer.cli import app as train

__all__ = ["app", "main"]

app = typer.Typer(
    name="envhub",
    cls=Group,
    invoke_without_command=True,
    rich_markup_mode=None,  # plain help needs no rich: 50 ms instead of 200
    pretty_exceptions_enable=False,  # these can show local variables, and with them solutions
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        import envhub

        typer.echo(f"envhub {envhub.__version__}")
        raise typer.Exit


@app.callback(
    epilog="Exit codes: 0 success, 1 the result is a failure, 2 bad usage or an error, 130 stopped by Ctrl-C.",
)
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Environments and verifiers for reinforcement learning of language models."""
    if context.invoked_subcommand is None:
        typer.echo(_GREETING)


_GREETING = """\
envhub: environments and verifiers for reinforcement learning of language models.

  envhub play sudoku-v0 --difficulty 1     play a puzzle here
  envhub serve                             see, play and use all environments at http://127.0.0.1:8420
  envhub generate sudoku-v0 -n 100 -o tasks.jsonl     write a dataset of verifiable tasks

envhub doctor shows what works on this machine, and envhub --help all commands."""


app.command("doctor")(doctor.doctor)
app.command("list")(catalogue.list_environments)
app.command("info")(catalogue.info)
app.command("coverage")(coverage.coverage)
app.command("new")(new.new)
app.command("play")(play.play)
app.command("picture")(picture.picture)
app.command("generate")(generate.generate)
app.add_typer(bank.app, name="bank")
app.command("verify")(verify.verify)
app.command("gold")(gold.gold)
app.add_typer(evaluate.app, name="eval")
app.command("audit")(audit.audit)
app.add_typer(bench.app, name="bench")
app.command("serve")(serve.serve)
app.add_typer(keys.app, name="keys")
app.add_typer(sandbox.app, name="sandbox")
app.add_typer(lean.app, name="lean")
app.command("export")(export.export)
app.command("view")(view.view)
app.command("demo")(demo.demo)
app.add_typer(train, name="train")


def main() -> None:
    """Run the command line and exit."""
    app(prog_name="envhub")
