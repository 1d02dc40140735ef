"""``envhub audit``: check environments against the reward contract, with :mod:`envhub.audit`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from envhub.cli import completion
from envhub.cli.terminal import FAILED, console, plain, print_json, table_of
from envhub.core.errors import InvalidParameters

if TYPE_CHECKING:
    from envhub.audit import Report


def audit(
    ids: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[ID]...",
            help="Environment id, such as sudoku-v0. See envhub list.",
            autocompletion=completion.environment,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Audit all environments, including plug-ins.")] = False,
    full: Annotated[
        bool, typer.Option("--full/--fast", help="Use 10 to 50 times the samples and measure every level.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an HTML report with results by level.")
    ] = None,
    badge: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write an SVG badge with the number of checks passed or failed.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, metavar="N", help="Number of environments audited in parallel.")] = 1,
    timing: Annotated[bool, typer.Option("--timing", help="Show the CPU seconds of each check.")] = False,
    mutated: Annotated[
        bool, typer.Option("--mutate", help="Run mutation testing of the judging code and list the surviving mutants.")
    ] = False,
    mutants: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of mutants per environment with --mutate.")
    ] = 60,
    tests: Annotated[
        list[str] | None,
        typer.Option(
            "--tests", metavar="FILE", help="With --mutate: run these tests of one environment on undetected mutants."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the reports as JSON.")] = False,
) -> None:
    """Check environments against the reward contract.

    Checks that the oracle solves every difficulty, that wrong answers fail and right answers pass in every format, and
    that task keys, splits, replay, secrecy and difficulty hold. The exit code is 0 if every check passes, else 1.
    """
    from envhub.audit import FAST, FULL, audits
    from envhub.audit.badge import audit_badge
    from envhub.audit.html import page
    from envhub.registry.registry import lacking, list_envs, self_contained, spec

    if everything == bool(ids):
        raise InvalidParameters("Name the environments to audit, or pass --all.")
    chosen = list_envs() if everything else [spec(id).id for id in ids or ()]
    for id in [id for id in chosen if not self_contained(id)]:
        lacks = lacking(spec(id)) or ""
        if not everything:
            raise InvalidParameters(lacks)
        chosen.remove(id)
        console(stderr=True).print(f"{id} is left out: {plain(lacks)}", soft_wrap=True)
    if mutated:
        if tests and len(chosen) != 1:
            raise InvalidParameters("Name one environment with --tests: they are the tests of one.")
        _mutate(chosen, mutants, tests or [], as_json)
        return
    reports: list[Report] = []
    for report in audits(chosen, FULL if full else FAST, processes):
        reports.append(report)
        if not as_json:
            _show(report, timing)
    if html is not None:
        html.write_text(page(reports), encoding="utf-8")
    if badge is not None:
        badge.write_text(audit_badge(reports), encoding="utf-8")
    if as_json:
        print_json([report.to_json() for report in reports])
    if not all(report.passed for report in reports):
        raise typer.Exit(FAILED)


def _mutate(ids: list[str], most: int, tests: list[str], as_json: bool) -> None:
    from envhub.audit.mutate import mutate

    found = []
    table = table_of(
        "environment", "mutants", "made", "killed", "by record", "by tests", "explained", "survived", "idle checks"
    )
    for id in ids:
        mutation = mutate(id, most, tests)
        found.append(mutation)
        if as_json:
            continue
        numbers = mutation.to_json()
        columns = ("possible", "made", "killed", "record", "tests", "explained", "survived")
        table.add_row(id, *(str(numbers[name]) for name in columns), ", ".join(mutation.idle))
        for outcome in mutation.survivors:
            at = f"{outcome.mutant.file}:{outcome.mutant.line}"
            console().print(f"{at}: {plain(outcome.mutant.name)}", soft_wrap=True)
    if as_json:
        print_json([mutation.to_json() for mutation in found])
    else:
        console().print(table)
    if any(mutation.survivors for mutation in found):
        raise typer.Exit(FAILED)


def _show(report: Report, timing: bool) -> None:
    out = console()
    state = "kept" if report.passed else "BROKEN"
    skipped = [check.name for check in report.having("not_applicable")]
    applied = len(report.checks) - len(skipped)
    out.print(f"{plain(report.id)}: {state} ({applied} checks, {report.depth}, {report.cpu_s:.1f} CPU s)")
    for check in report.breaches:
        out.print(f"  {check.name}: {plain(check.breach or '')}", soft_wrap=True)
    if skipped:
        out.print(f"  not applicable: {', '.join(skipped)}", soft_wrap=True)
    if timing:
        costs = sorted(report.checks, key=lambda check: -check.cpu_s)
        each = [f"{check.name} {check.cpu_s:.2f} s" for check in costs]
        out.print("  " + ", ".join([f"measures {report.measures_s:.2f} s", *each]), soft_wrap=True)
    if report.over_budget and (timing or report.unexplained):
        out.print(f"  {plain(report.over_budget)}", soft_wrap=True)
    if not report.levels:
        return
    agents = list(report.levels[0].agents)
    table = table_of("level", "different", "best blind policy", "effort", "made/s", "judged ms p50", "p99", *agents)
    for level in report.levels:
        table.add_row(
            str(level.difficulty),
            f"{level.distinct} of {level.drawn}",
            f"{level.blind:.3f} {plain(level.blind_policy[:24])!r}",
            f"{level.effort:.0f}",
            f"{level.generate_per_s:.0f}",
            f"{level.verify_ms_p50:.3f}",
            f"{level.verify_ms_p99:.3f}",
            *(f"{level.agents[name]:.2f}" for name in agents),
        )
    out.print(table)
