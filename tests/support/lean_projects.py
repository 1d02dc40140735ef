"""A project and a stand-in for lake, over the Lean of tests: what the routes to a user's own Lean are tested with."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from envhub.sandbox.lean import Toolchain
from tests.support.kernels import toolchain

MODULES = ".lake/build/lib/lean"
BASIC = "def thrice (n : Nat) : Nat := n + n + n\ntheorem thrice_zero : thrice 0 = 0 := rfl\n"
LAKE = """#!/bin/sh
# a project's Lean is that of the tests, and its modules are where lake builds them; a relative path, as lake gives them
[ "$1" = env ] || exit 1
shift
export LEAN_PATH="{search}:./{modules}"
[ "$1" = lean ] && {{ shift; exec {lean} "$@"; }}
exec "$@"
"""


def lake_in(folder: Path) -> tuple[Path, Toolchain]:
    """A stand-in for lake, and the toolchain behind it."""
    known = toolchain()
    lake = folder / "lake"
    lean, search = f"{known.sysroot}/bin/lean", f"{known.sysroot}/lib/lean"
    lake.write_text(LAKE.format(lean=lean, search=search, modules=MODULES))
    lake.chmod(0o755)
    return lake, known


def project_in(folder: Path) -> Path:
    """A project with the module ``Mine.Basic``, built."""
    known = toolchain()
    project = folder / "project"
    built = project / MODULES / "Mine"
    built.mkdir(parents=True)
    (project / "Mine").mkdir()
    (project / "Mine" / "Basic.lean").write_text(BASIC)
    (project / "lean-toolchain").write_text("leanprover/lean4:v4.35.0\n")
    words = [f"{known.sysroot}/bin/lean", "-R", ".", "-o", str(built / "Basic.olean"), "Mine/Basic.lean"]
    environment = os.environ | {"LEAN_PATH": f"{known.sysroot}/lib/lean"}
    subprocess.run(words, cwd=project, env=environment, check=True)
    for path in (folder, project, *project.rglob("*")):  # jails have another user
        path.chmod(0o755 if path.is_dir() else 0o644)
    return project
