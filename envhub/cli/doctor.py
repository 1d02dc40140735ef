"""``envhub doctor``: what works on this machine, and remedies for the rest."""

from __future__ import annotations

import re
import shutil
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Annotated, Final

import typer

from envhub.cli.terminal import console, plain, print_json, table_of

_EXTRA: Final = re.compile(r"(?P<name>[A-Za-z0-9._-]+).*;\s*extra\s*==\s*['\"](?P<extra>[\w-]+)['\"]")
_OF_DEVELOPERS: Final = frozenset({"all", "dev", "docs", "quick", "test"})


@dataclass(frozen=True)
class Finding:
    """Whether one thing works here.

    Attributes:
        name: The thing.
        works: Whether it works.
        says: What was found.
        remedy: The command that makes it work; empty if it works or nothing can be installed.
    """

    name: str
    works: bool
    says: str
    remedy: str = ""


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Write the findings as JSON.")] = False) -> None:
    """Show what works on this machine, with a remedy for the rest.

    Covers the environments, the sandbox for programs, the kernels for proofs, and the optional extras.
    """
    sections = {"environments": environments(), "programs and proofs": tools(), "extras": extras()}
    if as_json:
        print_json({title: [asdict(finding) for finding in found] for title, found in sections.items()})
        return
    for title, found in sections.items():
        table = table_of(title, "", "to make it work")
        for finding in found:
            table.add_row(plain(finding.name), plain(finding.says), plain(finding.remedy))
        console().print(table)


def environments() -> list[Finding]:
    """How many environments can be loaded, and each one that cannot."""
    from envhub.registry.describe import summaries
    from envhub.registry.registry import lacking, spec

    found = summaries()
    broken = [line for line in found if line["error"] is not None]
    sound = [line["id"] for line in found if line["error"] is None]
    asking = [id for id in sound if lacking(spec(id)) is not None]
    says = f"{len(sound)} of {len(found)} can be loaded"
    rows = [Finding("installed", not broken, says, "")]
    if asking:
        rows.append(
            Finding("with your own data", True, ", ".join(asking), "pass the path of a file; see envhub info ID")
        )
    jailed = [id for id in sound if runs_programs(id)]
    rows.append(
        Finding(
            "that run programs",
            True,
            f"{len(jailed)} need the sandbox below: {', '.join(jailed)}; the other {len(sound) - len(jailed)} work without it",
        )
    )
    return rows + [Finding(line["id"], False, *_split(line["error"])) for line in broken]


def runs_programs(id: str) -> bool:
    """Whether an environment runs programs or proofs in the sandbox."""
    from envhub.registry.registry import load, spec
    from envhub.sandbox.resource import Jobs, Sessions
    from envhub.verifiers.proofs.checker import Proofs

    return any(isinstance(resource, Jobs | Sessions | Proofs) for resource in load(spec(id)).resources.values())


def tools() -> list[Finding]:
    """The sandbox and the kernels."""
    from envhub.sandbox.doctor import configured_backend, examine
    from envhub.sandbox.lean import find_toolchain, toolchain_home

    health = examine(*configured_backend())
    missing = ", ".join(f"{name}: {health.layers.get(name, 'missing')}" for name in health.missing)
    says = health.problem or missing or f"{health.backend}, every required layer is active"
    lean, coq = find_toolchain(), shutil.which("coqc")
    lent = [
        Finding(f"toolchain {name}", said == "installed", *_remedied(said)) for name, said in health.toolchains.items()
    ]
    return [
        Finding(
            "sandbox", health.healthy, says, "" if health.healthy else "envhub sandbox doctor; docs/sandbox-docker.md"
        ),
        Finding(
            "Lean",
            lean is not None,
            lean.version if lean else f"not set up in {toolchain_home()}",
            "" if lean else "envhub lean setup",
        ),
        Finding("Coq", coq is not None, coq or "no coqc on PATH", "" if coq else "apt install coq"),
        *lent,
    ]


def extras() -> list[Finding]:
    """The extras of the package: installed, or which packages they lack."""
    wanted: dict[str, list[str]] = {name: [] for name in metadata.metadata("envhub").get_all("Provides-Extra") or ()}
    for requirement in metadata.requires("envhub") or ():
        match = _EXTRA.match(requirement)
        if match and match["name"] != "envhub":
            wanted[match["extra"]].append(match["name"])
    return [
        _extra(name, packages) for name, packages in sorted(wanted.items()) if packages and name not in _OF_DEVELOPERS
    ]


def _extra(name: str, packages: list[str]) -> Finding:
    lacks = [package for package in packages if not _installed(package)]
    says = f"lacks {', '.join(lacks)}" if lacks else "installed"
    return Finding(name, not lacks, says, f"pip install 'envhub[{name}]'" if lacks else "")


def _installed(package: str) -> bool:
    try:
        metadata.version(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def _remedied(said: str) -> tuple[str, str]:
    """The state of a toolchain, and the command to set it up."""
    says, _, command = said.partition(" Set it up with: ")
    return says, command


def _split(error: str) -> tuple[str, str]:
    """The explanation of an error and the command that it names."""
    says, found, command = error.partition("pip install")
    return says.rstrip(" :"), (found + command).rstrip(".")
