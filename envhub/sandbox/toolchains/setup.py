"""Builds toolchains.

Installs pinned wheels with pip into a folder, for the interpreter of the sandbox.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from envhub.core.errors import EnvhubError, MissingExtra
from envhub.sandbox.toolchains import (
    Toolchain,
    found_toolchains,
    interpreter_tag,
    toolchain_named,
    toolchains_home,
    write_stamp,
)

_UNUSED: Final = ("scipy", "sklearn", "pandas")
"""Packages whose folders of tests nothing else imports; they are a third of all files."""
_MOST_S: Final = 1800


def setup_toolchain(name: str, python: str, *, again: bool = False) -> Path:
    """Build a toolchain and return its folder.

    Does nothing if it is complete.

    Args:
        name: Name of the toolchain.
        python: The interpreter that will use it.
        again: Build it even if it is complete.

    Raises:
        InvalidParameters: Unknown toolchain.
        MissingExtra: The packages cannot be downloaded, or do not support this interpreter.
        EnvhubError: They are installed but cannot be imported.
    """
    toolchain = toolchain_named(name)
    folder = found_toolchains(python).get(name)
    if folder is not None and not again:
        return folder
    folder = toolchain.folder(python)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as work:
        made = Path(work, name)
        _install(toolchain, python, made)
        _trim(made)
        _compile(python, made)
        check_imports(toolchain, python, made)
        write_stamp(made, toolchain, python)
        _open_to_all(made)
        if folder.exists():  # incomplete, or to be replaced
            folder.rename(Path(work, "previous"))
        made.rename(folder)
    toolchains_home().chmod(0o755)
    return folder


def check_imports(toolchain: Toolchain, python: str, folder: Path) -> None:
    """Import the modules of a toolchain.

    Raises:
        EnvhubError: One cannot be imported; the message contains the interpreter's output.
    """
    code = f"import sys; sys.path.append({str(folder)!r}); import {', '.join(toolchain.modules)}"
    run = _run([python, "-I", "-S", "-B", "-c", code])
    if run.returncode:
        raise EnvhubError(f"The toolchain in {folder} does not work: {run.stderr.strip()[-500:]}")


def _install(toolchain: Toolchain, python: str, folder: Path) -> None:
    version, _, machine = interpreter_tag(python).partition(" ")
    options = ["--no-deps", "--no-compile", "--only-binary=:all:", "--disable-pip-version-check", "--quiet"]
    options += ["--python-version", version, "--implementation", "cp", "--target", str(folder)]
    run = _run([sys.executable, "-m", "pip", "install", *options, *toolchain.packages])
    if run.returncode:
        raise MissingExtra(
            f"The packages of {toolchain.name!r} cannot be installed for {python} (Python {version} on {machine}; 3.11 or "
            f"later is needed): {run.stderr.strip()[-500:]}"
        )


def _trim(folder: Path) -> None:
    """Remove the tests of packages, and programs for the command line."""
    for package in _UNUSED:
        for tests in [path for path in (folder / package).rglob("tests") if path.is_dir()]:
            shutil.rmtree(tests, ignore_errors=True)
    shutil.rmtree(folder / "bin", ignore_errors=True)


def _compile(python: str, folder: Path) -> None:
    """Compile all modules, since programs cannot write beside them."""
    _run([python, "-I", "-S", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(folder)])


def _open_to_all(folder: Path) -> None:
    """Let the user of programs read it."""
    for home, folders, files in os.walk(folder):
        for name in folders:
            os.chmod(os.path.join(home, name), 0o755)
        for name in files:
            os.chmod(os.path.join(home, name), 0o644)
    folder.chmod(0o755)


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=_MOST_S)
