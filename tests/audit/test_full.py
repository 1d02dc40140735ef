"""The audit at full depth: some of what the last commit changed, and a tenth of the registry that moves; all of it nightly."""

from __future__ import annotations

import importlib
import inspect
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

import envhub
from envhub.audit import CHECKS, FULL, Subject
from envhub.registry import builtin_ids, load, self_contained, spec

ROOT = Path(envhub.__file__).parent.parent


@cache
def git(*arguments: str) -> str:
    """What git says of this checkout; nothing where there is none, or too little history."""
    try:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def sources(env_id: str) -> set[str]:
    """The files an environment is made of: its own, and those of the engines and answer types it imports."""
    module = inspect.getmodule(load(spec(env_id)))
    assert module is not None
    named = {name for name in dir(module) if inspect.ismodule(getattr(module, name))}
    modules: set[Any] = {module, *(getattr(module, name) for name in named)}
    modules |= {importlib.import_module(value.__module__) for value in vars(module).values() if inspect.isclass(value)}
    ours = (
        inspect.getsourcefile(m) for m in modules if m.__name__.startswith(("envhub.envs", "envhub.gen", "envhub.ver"))
    )
    return {str(Path(file).relative_to(ROOT)) for file in ours if file}


_BY_NIGHT: Final = frozenset({"lean", "code", "search"})
CHANGED: Final = 2
"""How many of the environments that the last commit changed are audited in full; a change of an engine touches dozens."""


@cache
def due() -> frozenset[str]:
    """The environments whose turn has come: a tenth of all, and the first of those that changed, from a place that moves.

    What runs programs or kernels, or writes long documents, takes minutes each: in full by night alone.
    """
    number = int((git("rev-parse", "HEAD").strip() or "0")[:8], 16)
    ids = [id for id in filter(self_contained, builtin_ids()) if spec(id).category not in _BY_NIGHT]
    files = set(git("diff", "--name-only", "HEAD~1", "HEAD").split())
    changed = [id for id in ids if not sources(id).isdisjoint(files)]
    start = number % max(len(changed), 1)
    tenth = {id for place, id in enumerate(ids) if place % 10 == number % 10}
    return frozenset({*tenth, *(changed[start:] + changed[:start])[:CHANGED]})


def subjects() -> list[Any]:
    ids = filter(self_contained, builtin_ids())  # what is about a file is audited in its own tests
    return [pytest.param(id, marks=() if id in due() else pytest.mark.nightly) for id in ids]


@pytest.mark.parametrize("chosen", subjects())
def test_keeps_the_contract_at_full_depth(chosen: str) -> None:
    subject = Subject(chosen, FULL)
    for check in CHECKS.values():
        check(subject)


def test_an_environments_turn_comes_with_its_engines() -> None:
    assert {
        "envhub/envs/logic/zebra.py",
        "envhub/generators/zebra_carve.py",
        "envhub/verifiers/tables.py",
    } <= sources("zebra-v0")
    assert "envhub/generators/zebra.py" not in sources("sudoku-v0")
