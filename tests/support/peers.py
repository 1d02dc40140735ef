"""Peers' libraries for tests, each in its own virtual environment under ``.venvs/`` as ``benchmarks/`` makes them.

Where such an environment is not there its tests are skipped by name; in CI it is made, so there they fail if it cannot be.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from types import ModuleType

import pytest

import envhub.adapters
from envhub.registry import registry
from tests.support.places import ROOT

HOME = ROOT / ".venvs"


def folder_of(peer: str, module: str) -> str | None:
    """Where a peer's packages are; None where they are installed beside envhub.

    Raises:
        pytest.skip.Exception: It is nowhere.
    """
    if find_spec(module) is not None:
        return None
    python = python_of(peer)
    program = "import sys, sysconfig; print(sys.version_info[:2] == {}, sysconfig.get_path('purelib'))"
    asked = [python, "-c", program.format(tuple(sys.version_info[:2]))]
    same, _, found = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip().partition(" ")
    if same != "True":
        pytest.skip(f".venvs/{peer} has another version of Python than this one")
    return found


def python_of(peer: str) -> str:
    """The interpreter of a peer's own environment, for a program that is run in it.

    Raises:
        pytest.skip.Exception: There is none.
    """
    python = HOME / peer / "bin" / "python"
    if os.environ.get("CI"):
        from benchmarks.venvs import peer as made

        return made(peer)
    if not python.exists():
        pytest.skip(
            f"{peer} is not installed: python -c \"from benchmarks.venvs import peer; peer('{peer}')\" makes it"
        )
    return str(python)


@contextmanager
def on_path(folder: str | None, *ours: str, prefix: str, library: str) -> Iterator[None]:
    """Let adapters find a library, and forget afterwards both it and what they registered.

    Args:
        folder: Where it is; last on the path, for what envhub needs is our own.
        ours: The adapter's modules.
        prefix: Of the ids that it registers.
        library: The module it imports.
    """
    before = _taken_out(library)
    sys.modules.update(_kept.get((folder, library), {}))
    _forget(ours, prefix)
    if folder is not None:
        sys.path.append(folder)
        importlib.invalidate_caches()
    try:
        yield
    finally:
        if folder is not None:
            sys.path.remove(folder)
        _forget(ours, prefix)
        _kept[folder, library] = _taken_out(library)
        sys.modules.update(before)


_kept: dict[tuple[str | None, str], dict[str, ModuleType]] = {}  # a compiled module cannot be loaded twice


def _taken_out(library: str) -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name.partition(".")[0] == library]
    return {name: sys.modules.pop(name) for name in names}


def _forget(ours: tuple[str, ...], prefix: str) -> None:
    for name in ours:
        if sys.modules.pop(name, None) is not None:
            vars(envhub.adapters).pop(name.rpartition(".")[2], None)
    for spec in registry.registered():
        if spec.id.startswith(prefix):
            registry.unregister(spec.id)
            registry._classes.pop(spec.id, None)
