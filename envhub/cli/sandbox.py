"""``envhub sandbox``: inspect and run the sandbox for untrusted programs, with :mod:`envhub.sandbox`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from envhub.cli.terminal import FAILED, console, plain, print_json, table_of
from envhub.core.errors import EnvhubError, InvalidParameters

if TYPE_CHECKING:
    from envhub.sandbox.attacks import Verdict
    from envhub.sandbox.doctor import Health

app = typer.Typer(help="Inspect and run the sandbox for untrusted programs.", no_args_is_help=True)


@app.callback()
def _sandbox() -> None:
    """Inspect and run the sandbox for untrusted programs."""


@app.command()
def doctor(
    backend: Annotated[str, typer.Option(metavar="NAME", help="Backend to examine. Defaults to ENVHUB_SANDBOX.")] = "",
    socket: Annotated[str, typer.Option(metavar="PATH", help="Socket of a broker to examine.")] = "",
    attacks: Annotated[bool, typer.Option("--attacks", help="Also run the attacks in docs/threat-model.md.")] = False,
    only: Annotated[list[int] | None, typer.Option(metavar="NUMBER", help="Run only this attack. Repeatable.")] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail if any layer is inactive, including optional ones.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the findings as JSON.")] = False,
) -> None:
    """Show the active isolation layers and the available languages.

    For inactive layers, also the reason. The exit code is 0 if every required layer is active and, with --attacks,
    every attack was stopped; else it is 1.
    """
    from envhub.sandbox.doctor import configured_backend, examine

    name, named_socket = configured_backend()
    health = examine(backend or name, socket or named_socket)
    if not as_json:
        _show(health)
    verdicts = _attack(backend or name, only, quiet=as_json) if (attacks or only) and not health.problem else []
    if as_json:
        print_json(health.to_json() | {"attacks": [_plain(verdict) for verdict in verdicts]})
    broken = [verdict for verdict in verdicts if verdict.breaches]
    if broken or not (health.complete if strict else health.healthy):
        raise typer.Exit(FAILED)


@app.command()
def languages(
    backend: Annotated[str, typer.Option(metavar="NAME", help="Sandbox backend. Defaults to ENVHUB_SANDBOX.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Write the list as JSON.")] = False,
) -> None:
    """List the available programming languages, and why others are unavailable."""
    from envhub.sandbox.doctor import configured_backend, examine

    health = examine(backend or configured_backend()[0])
    if as_json:
        print_json(dict(health.languages))
        return
    if health.problem:
        raise InvalidParameters(health.problem)
    _rows("language", health.languages)


@app.command()
def broker(
    socket: Annotated[Path, typer.Option(metavar="PATH", help="Unix socket to listen on.")],
    backend: Annotated[str, typer.Option(metavar="NAME", help="Sandbox backend.")] = "namespace",
    slots: Annotated[int, typer.Option(min=0, help="Number of concurrent jobs. 0: one per CPU core.")] = 0,
    sessions: Annotated[int, typer.Option(min=1, help="Number of concurrent sessions.")] = 64,
    idle: Annotated[
        float, typer.Option(min=0, help="Seconds without a client after which the broker exits. 0: never.")
    ] = 0,
) -> None:
    """Run a sandbox broker, shared by all processes of this user.

    Ctrl-C or SIGTERM stops it. Set ENVHUB_SANDBOX=unix:PATH in the processes that use it.
    """
    from envhub.sandbox.broker.server import main

    options: dict[str, Any] = {"socket": socket, "backend": backend, "slots": slots, "sessions": sessions, "idle": idle}
    status = main([part for name, value in options.items() for part in (f"--{name}", str(value))])
    if status:
        raise typer.Exit(2)


@app.command()
def image(
    language: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Language to add to python and bash. Repeatable."),
    ] = None,
    dockerfile: Annotated[
        bool, typer.Option("--dockerfile/--from-host", help="Build from the Dockerfile, with every language.")
    ] = False,
    toolchain: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Toolchain of this machine to include, such as science. Repeatable."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write the result as JSON.")] = False,
) -> None:
    """Build the docker sandbox's image and load it into the daemon.

    The daemon is the one at DOCKER_HOST. The image is packed from files of this machine, without a registry, or built
    with --dockerfile. Its tag is derived from its content. ENVHUB_SANDBOX=docker uses the newest image, unless
    ENVHUB_SANDBOX_IMAGE names another.
    """
    from envhub.sandbox.docker.daemon import Daemon
    from envhub.sandbox.docker.image import from_dockerfile, from_host

    if dockerfile and language:
        raise InvalidParameters("The image of the Dockerfile has every language: leave out --language or --dockerfile.")
    if dockerfile and toolchain:
        raise InvalidParameters("A toolchain is copied from this machine: leave out --toolchain or --dockerfile.")
    daemon = Daemon()
    try:
        made = (
            from_dockerfile(daemon) if dockerfile else from_host(daemon, ["bash", *(language or ())], toolchain or ())
        )
    except OSError as error:
        raise EnvhubError(f"The image was not made: {error}") from None
    finally:
        daemon.close()
    if as_json:
        parts = {"languages": sorted(made.languages), "toolchains": sorted(made.toolchains)}
        print_json({"tag": made.tag, "id": made.key, **parts})
        return
    inside = ", ".join([*sorted(made.languages), *sorted(made.toolchains)])
    console().print(f"{plain(made.tag)} with {inside}.", soft_wrap=True)


@app.command("toolchain")
def make_toolchain(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The toolchain: science.")],
    again: Annotated[bool, typer.Option("--again", help="Build it again even if it is complete.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write the result as JSON.")] = False,
) -> None:
    """Set up a toolchain: packages that programs in the sandbox may import.

    `science` is numpy, pandas and scikit-learn. The packages are downloaded with pip in pinned versions, for the interpreter
    of the sandbox, and lent to it read-only. For the docker sandbox, add them to its image afterwards: envhub sandbox
    image --toolchain NAME
    """
    from envhub.sandbox.linux.namespace import jail_interpreter
    from envhub.sandbox.toolchains import toolchain_named
    from envhub.sandbox.toolchains.setup import setup_toolchain

    packages = list(toolchain_named(name).packages)
    folder = setup_toolchain(name, jail_interpreter()[0], again=again)
    if as_json:
        print_json({"name": name, "folder": str(folder), "packages": packages})
        return
    console().print(plain(f"{name} in {folder}: {', '.join(packages)}."), soft_wrap=True)


def _show(health: Health) -> None:
    from envhub.sandbox.doctor import FALLBACKS, REQUIRED

    out = console()
    state = "healthy" if health.healthy else "NOT SAFE"
    speed = ", ".join(f"{name} {took:.1f} ms" for name, took in health.milliseconds.items())
    out.print(f"{plain(health.backend)}: {state}{' (' + speed + ')' if speed else ''}")
    if health.problem:
        out.print(f"Programs cannot be run: {plain(health.problem)}", soft_wrap=True)
    rows = {
        name: said if said == "active" else f"{'MISSING' if name in REQUIRED else 'not active'}: {said}"
        for name, said in health.layers.items()
    }
    for name, stands_in in FALLBACKS.items():
        if rows.get(name, "active") != "active" and health.healthy:
            rows[name] += f"; {stands_in}"
    if rows:
        _rows("layer", rows)
    if health.languages:
        _rows("language", health.languages)
    if health.toolchains:
        _rows("toolchain", health.toolchains)
    _rows("system", {**health.system, "broker": health.broker})


def _rows(title: str, rows: Any) -> None:
    table = table_of(title, "")
    for name, said in rows.items():
        table.add_row(plain(name), plain(said))
    console().print(table)


def _attack(backend: str, only: list[int] | None, *, quiet: bool) -> list[Verdict]:
    from envhub.sandbox.attacks import ATTACKS, RESIDUAL, attack
    from envhub.sandbox.backends import backend_named

    known = {each.number: each for each in ATTACKS}
    for number in only or ():
        if number not in known:
            why = (
                f": {RESIDUAL[number]}" if number in RESIDUAL else f"; there are {len(known)}, see docs/threat-model.md"
            )
            raise InvalidParameters(f"There is no attack {number} to be tried{why}.")
    wanted = [known[number] for number in only] if only else ATTACKS
    out, found = console(quiet=quiet), backend_named(backend)

    def told(verdict: Verdict) -> None:
        state = "stopped" if verdict.stopped else "skipped" if verdict.skipped else "NOT STOPPED"
        why = verdict.skipped or "; ".join(f"{name}: {seen}" for name, seen in verdict.breaches.items())
        table = f"{verdict.attack.number:>4}  {state:<12} {verdict.attack.name}"
        out.print(plain(f"{table} ({why or verdict.attack.layer})"), soft_wrap=True)

    try:
        verdicts = attack(found, wanted, on_verdict=told)
    finally:
        found.close()
    stopped, skipped = sum(each.stopped for each in verdicts), sum(bool(each.skipped) for each in verdicts)
    out.print(f"{stopped} of {len(verdicts)} attacks were stopped, {skipped} were not tried.")
    return verdicts


def _plain(verdict: Verdict) -> dict[str, Any]:
    return {
        "number": verdict.attack.number,
        "name": verdict.attack.name,
        "stopped": verdict.stopped,
        "breaches": dict(verdict.breaches),
        "ended": verdict.ended,
        "skipped": verdict.skipped or None,
    }
