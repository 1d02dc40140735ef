"""``envhub bench``: repeatable measurements, with :mod:`envhub.evaluation.graders`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envhub.cli.terminal import FAILED, complain, console, plain, print_json, table_of
from envhub.core.errors import InvalidParameters

if TYPE_CHECKING:
    from envhub.evaluation.graders import Grader, Score
    from envhub.verifiers.math.pairs import Pair

app = typer.Typer(help="Benchmark envhub against other graders.", no_args_is_help=True)


@app.callback()
def _bench() -> None:
    """Benchmark envhub against other graders."""


@app.command()
def verifiers(
    corpus: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="File of labelled pairs. Defaults to the corpus in the checkout. Repeatable."
        ),
    ] = None,
    generated: Annotated[int, typer.Option(min=0, metavar="N", help="Number of generated pairs to add.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the generated pairs.")] = 0,
    golds: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            envvar="ENVHUB_GOLDS",
            help="Folder with public golds (golds.jsonl) and the tests of math-verify (math_verify/test_*.py).",
        ),
    ] = None,
    misses: Annotated[
        bool, typer.Option("--misses", help="Show the right answers that were rejected, by kind.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the scores as JSON.")] = False,
) -> None:
    """Grade labelled pairs with envhub and, if installed, with math-verify.

    Each set of --golds has its own table. Every gold there should equal itself in other notations.

    Prints recall (of right answers) and the false positive rate (of wrong ones) with 95 % Wilson intervals, and the
    milliseconds per pair. The exit code is 1 if envhub accepts any wrong answer.
    """
    from envhub.evaluation.gold_sets import REWRITTEN, in_folder
    from envhub.evaluation.graders import measure, ours, ours_on_texts, read_pairs, theirs
    from envhub.verifiers.math import math_verify
    from envhub.verifiers.math.pairs import generate
    from envhub.workers.pool import Pool

    pairs: list[Pair] = read_pairs(corpus or _own()) + generate(generated, seed)
    sets: list[tuple[str, Grader, list[Pair]]] = [("labelled pairs", ours, pairs)]
    if golds is not None:
        sets += [
            (name, ours if name == REWRITTEN else ours_on_texts, found) for name, found in in_folder(golds).items()
        ]
    with ExitStack() as open_pools:
        other: Grader | None = None
        if math_verify.installed():
            pool = open_pools.enter_context(Pool(workers=1, deadline_s=10.0))
            pool.call(f"{math_verify.__name__}:same", "1", "1")  # start and import before the first timed pair
            other = theirs(pool)
        elif not as_json:
            complain(
                "math-verify is not installed, so it is not compared. To install it: pip install 'envhub[math-verify]'"
            )
        results = {
            name: [measure("envhub", mine, found), *([measure("math-verify", other, found)] if other else [])]
            for name, mine, found in sets
        }
    if as_json:
        scores = {name: [score.to_json() for score in scores] for name, scores in results.items()}
        print_json(scores if golds is not None else scores["labelled pairs"])
    else:
        for name, scores_ in results.items():
            _show(name, scores_, misses)
    if results["labelled pairs"][0].fooled:
        raise typer.Exit(FAILED)


def _own() -> list[Path]:
    """The corpus in a checkout."""
    import envhub

    found = sorted((Path(envhub.__file__).parent.parent / "tests" / "corpus").rglob("*.jsonl"))
    if not found:
        raise InvalidParameters("This installation has no corpus. Name a file with --corpus.")
    return found


def _show(name: str, scores: list[Score], misses: bool) -> None:
    from envhub.core.statistics import percentile, wilson

    table = table_of(
        "grader", "pairs", "recall", "95 %", "false positives", "95 %", "failed", "ms p50", "ms p99", title=name
    )
    for score in scores:
        low, high = wilson(score.taken, score.right)
        least, most = wilson(score.fooled, score.wrong)
        table.add_row(
            score.name,
            str(score.right + score.wrong),
            f"{score.recall:.3f} ({score.taken} of {score.right})",
            f"{low:.3f} - {high:.3f}",
            f"{score.false_positives:.4f} ({score.fooled} of {score.wrong})",
            f"{least:.4f} - {most:.4f}",
            str(score.failed),
            f"{percentile(score.milliseconds, 50):.3f}",
            f"{percentile(score.milliseconds, 99):.2f}",
        )
    out = console()
    out.print(table)
    for pair in scores[0].taken_in:
        out.print(plain(f"wrong and taken for right ({pair.kind}): {pair.answer!r} for {pair.gold!r}"), soft_wrap=True)
    if misses:
        for group, count in scores[0].missed.most_common():
            out.print(plain(f"right and refused: {count} x {group}"))
