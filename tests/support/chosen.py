"""The environments that the quick tier plays: those a change touches, one of each category, and a tenth of the rest.

The tenth is drawn from the commit's hash, so it changes with every commit and is the same for everyone who tests that commit.
Environments that need another process, such as a sandbox or a proof kernel, belong to the slow tier, touched or not: the quick
tier runs before a kernel is installed. So do those whose audit may exceed its budget (`audit_cost` in the registry).
"""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

import pytest

from envhub.authoring import Environment
from envhub.authoring.model_requests import Models
from envhub.browser.resource import Pages
from envhub.families.member import Member
from envhub.registry.registry import list_envs, load, self_contained, spec
from tests.support.places import ROOT

MOST_TOUCHED: Final = 12
"""Maximum number of touched environments; the slow tier runs the rest."""
REPRESENTATIVE: Final = (
    "arithmetic-v0",  # one turn
    "function-call-v0",  # tools of its own for every task
    "guess-number-v0",  # several turns, a hidden number
    "kuhn-poker-v0",  # an opponent, cards and several actions
    "search-qa-v0",  # tools over a corpus
    "sudoku-v0",  # a grid; slow to draw, so kept in the cache
)
"""One environment of each kind: what carries environments over a wire or shows them is tested with these by day."""
_OWN: Final = ("envhub/envs/", "envhub/families/", "envhub/generators/", "envhub/verifiers/")
"""Where a change touches some environments and not all."""


def everything() -> list[str]:
    """All environments but those that need a user's file, which have tests of their own."""
    return [id for id in list_envs() if self_contained(id)]


@cache
def quick() -> frozenset[str]:
    """The environments of the quick tier."""
    ids, commit = everything(), _git("rev-parse", "HEAD")
    order = sorted(ids, key=lambda id: blake2b(f"{commit} {id}".encode()).digest())
    touched = touched_by(changed(), filter(cheap, order))[:MOST_TOUCHED]
    return frozenset([*touched, *one_of_each(ids), *tenth(order)])


@cache
def daily() -> frozenset[str]:
    """The environments of the quick and the slow tier.

    All that a change touches, but of the others only some: a sixth of the members of families, of what is played in a
    browser, and of those that are slow to draw or to audit or need another process. Each commit has its own part; nightly
    runs play all.
    """
    ids, commit = everything(), _git("rev-parse", "HEAD")
    due = [id for id in ids if _due(commit, id)]
    return frozenset([*due, *quick(), *touched_by(changed(), ids)[:MOST_TOUCHED]])


def turns(id: str) -> int:
    """An environment that no change touches is due once in this many commits, on average."""
    return 6 if _many_or_slow(load(spec(id))) or not cheap(id) else 1


def _many_or_slow(cls: type[Environment]) -> bool:
    """Whether it is a member of a family, or is played in a browser."""
    return issubclass(cls, Member) or any(isinstance(resource, Pages) for resource in cls.resources.values())


def _due(commit: str, id: str) -> bool:
    return blake2b(f"{commit} slow {id}".encode()).digest()[0] % turns(id) == 0


def marks(id: str) -> tuple[pytest.MarkDecorator, ...]:
    """The marker of an environment where every one is carried or shown in the same way."""
    if id not in REPRESENTATIVE:
        return (pytest.mark.nightly,)
    return () if alone(id) else (pytest.mark.slow,)


def one_of_each(ids: Iterable[str]) -> list[str]:
    """The first environment of each category that is cheap; if none is, the first that needs no other process."""
    found: dict[str, str] = {}
    for id in sorted(ids, key=lambda id: not cheap(id)):
        if spec(id).category not in found and unaided(id) and not spec(id).audit_cost:
            found[spec(id).category] = id
    return list(found.values())


def tenth(order: list[str]) -> list[str]:
    """The first tenth of those that are cheap."""
    usable = (id for id in order if cheap(id))
    return [id for id, _ in zip(usable, range((len(order) + 9) // 10), strict=False)]


def alone(id: str) -> bool:
    """Whether an environment's answers are judged in this process, and its tasks are drawn within a moment."""
    return unaided(id) and not load(spec(id)).slow


def unaided(id: str) -> bool:
    """Whether an environment's answers are judged in this process."""
    return all(isinstance(resource, Models) for resource in load(spec(id)).resources.values())


def cheap(id: str) -> bool:
    """Whether an environment needs no other process, and its audit keeps the budget of CPU seconds."""
    return alone(id) and not spec(id).audit_cost


def touched_by(paths: set[str], ids: Iterable[str]) -> list[str]:
    """The environments whose own files, or files they import from generators and verifiers, are among these paths."""
    relevant = {path for path in paths if path.startswith(_OWN)}
    if not relevant:
        return []
    return [id for id in ids if any(_concerns(path, sources(id)) for path in relevant)]


@cache
def sources(id: str) -> frozenset[str]:
    """The modules an environment consists of: its own, and what that imports from environments, generators and verifiers."""
    found: set[str] = set()
    due = [_file(spec(id).entry.partition(":")[0])]
    while due:
        path = due.pop()
        if path is not None and path not in found and path.startswith(_OWN):
            found.add(path)
            due += [_file(name) for name in _imported(path)]
    return frozenset(found)


def changed() -> set[str]:
    """The files that differ from where this branch left main; on main, from the commit before. Empty without git."""
    head = _git("rev-parse", "HEAD")
    base = next((base for main in ("origin/main", "main") if (base := _git("merge-base", "HEAD", main))), "")
    if base in ("", head):
        base = _git("rev-parse", "--verify", "HEAD~1")
    differing = _git("diff", "--name-only", base) if base else ""
    return {*differing.splitlines(), *_git("ls-files", "--others", "--exclude-standard").splitlines()}


def _concerns(path: str, modules: frozenset[str]) -> bool:
    """Whether a file is one of these modules, or data in the folder of one of them."""
    if path in modules:
        return True
    folder = path.rpartition("/")[0]
    return not path.endswith(".py") and any(module.startswith(f"{folder}/") for module in modules)


@cache
def _imported(path: str) -> frozenset[str]:
    """Every name a module imports, dotted; of ``from a import b`` both ``a`` and ``a.b``."""
    return frozenset(_names(ast.parse((ROOT / path).read_text("utf-8"))))


def _names(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def _file(module: str) -> str | None:
    """The file of a module of this repository; None for any other name."""
    path = Path(*module.split("."))
    return next(
        (found.as_posix() for found in (path.with_suffix(".py"), path / "__init__.py") if (ROOT / found).is_file()),
        None,
    )


@cache
def _git(*arguments: str) -> str:
    """What git says; nothing where there is no git, or no such commit."""
    try:
        run = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return run.stdout.strip() if run.returncode == 0 else ""
