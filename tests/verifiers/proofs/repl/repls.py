"""What tests of REPL kernels share: ``lean-interact`` itself, over a stand-in for the REPL that runs the Lean of tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.support.lean_projects import lake_in
from tests.support.peers import folder_of, on_path

STAND_IN = Path(__file__).with_name("stand_in.py")


@contextmanager
def library() -> Iterator[Any]:
    """``lean_interact``; without it the test is skipped, in CI it is installed."""
    with on_path(folder_of("lean-interact", "lean_interact"), prefix="lean-interact/", library="lean_interact"):
        yield import_module("lean_interact")


def config_in(folder: Path, library: Any, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> Any:
    """A configuration of the library's whose REPL is the stand-in."""
    lake, known = lake_in(folder)
    built = folder / "repl" / ".lake" / "build" / "bin"
    built.mkdir(parents=True)
    shutil.copy(STAND_IN, built / "repl")
    (folder / "repl" / "lean-toolchain").write_text("leanprover/lean4:v4.35.0\n")
    monkeypatch.setenv("STAND_IN_LEAN", f"{known.sysroot}/bin/lean")
    return library.LeanREPLConfig(
        local_repl_path=folder / "repl", build_repl=False, lake_path=lake, verbose=False, **settings
    )
