"""Where a test gets a jail, and how a whole file of tests is run again as an unprivileged user.

In CI run the files as both: ``pytest tests/sandbox`` as the user there is, and ``sudo -E .venv/bin/python -m pytest ...``. As
root every file that calls :func:`again_unprivileged` runs itself once more as user 12345.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import envhub
from envhub.errors import MissingExtra
from envhub.sandbox.namespace import NamespaceBackend, NamespaceSlot

ROOT = Path(envhub.__file__).parents[1]
NOBODY = 12345


def lacking(reason: str) -> None:
    """The machine lacks something: skip and say what, but not in CI."""
    if os.environ.get("CI"):
        pytest.fail(f"CI must have it: {reason}")
    pytest.skip(reason)


def backend() -> NamespaceBackend:
    try:
        found = NamespaceBackend()
    except MissingExtra as error:
        lacking(str(error))
        raise
    if found.layers()["namespaces"] != "active":
        lacking(found.layers()["namespaces"])
    return found


def slot(number: int) -> NamespaceSlot:
    """A slot that has not been started; numbers of tests are out of the way of others."""
    made = backend().slot(0x300 + number)
    assert isinstance(made, NamespaceSlot)
    return made


def again_unprivileged(file: str) -> None:
    """Run a file of tests as a user without any rights."""
    if os.geteuid() != 0:
        pytest.skip("these tests run unprivileged already")
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    python = f"/usr/bin/python{version}"
    if not os.access(python, os.X_OK):
        lacking(f"an unprivileged user needs an interpreter that is not root's own: {python} is not there")
    path = f"{ROOT}:{sysconfig.get_path('purelib')}"
    command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs"]
    command += [
        "env",
        "-i",
        f"PYTHONPATH={path}",
        "HOME=/nonexistent",
        "PATH=/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE=1",
    ]
    command += [python, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:hypothesispytest", "-x", file]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    assert " passed" in ran.stdout
