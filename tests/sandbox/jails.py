"""Where a test gets a jail, what it asks of it, and how a file of tests is run again as an unprivileged user.

Run as root, ``test_unprivileged.py`` runs the files of jails once more as a user without any rights; so in CI they are run with
``sudo -E .venv/bin/python -m pytest tests/sandbox`` beside the ordinary run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import envhub
from envhub.core.errors import MissingExtra
from envhub.sandbox.backend import Setting, Slot
from envhub.sandbox.jobs import Job, Limits, Program, Result
from envhub.sandbox.linux.namespace import NamespaceBackend, NamespaceSlot

ROOT = Path(envhub.__file__).parents[1]
NOBODY = 12345
SHORT = Limits(wall_s=5, cpu_s=4)
BASH = Setting("bash")


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
    """A slot that has not been started."""
    made = backend().slot(number)
    assert isinstance(made, NamespaceSlot)
    return made


def installed(language: str) -> None:
    """Skip where programs of a language cannot be run, but not in CI."""
    if language not in backend().languages():
        lacking(f"{language} is not installed")


def run(slot: Slot, source: str, language: str = "python", **rest: Any) -> Result:
    """The last result of a program."""
    job = Job(Program(source, language, rest.pop("files", {}), rest.pop("args", ())), **{"limits": SHORT, **rest})
    return slot.run(job)[-1]


def call(slot: Slot, source: str, *calls: tuple[Any, ...], **rest: Any) -> Result:
    """What calls of the function ``f`` give."""
    return run(slot, source, function="f", calls=calls, **rest)


def descendants(pid: int) -> list[int]:
    """A process and all that it started, as far as they are still its children."""
    try:
        children = [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (FileNotFoundError, ProcessLookupError):
        children = []
    return [pid, *(below for child in children for below in descendants(child))]


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def unprivileged(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the interpreter as a user without any rights, and with an empty environment.

    The interpreter of the virtual environment may be root's own, so it is the system's, of the same version.
    """
    python = f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}"
    if not os.access(python, os.X_OK):
        lacking(f"an unprivileged user needs an interpreter that is not root's own: {python} is not there")
    command = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs", "env", "-i"]
    command += [f"PYTHONPATH={ROOT}:{ROOT}/trainer:{sysconfig.get_path('purelib')}", "PYTHONDONTWRITEBYTECODE=1"]
    command += ["HOME=/nonexistent", "PATH=/usr/bin:/bin", *(["CI=1"] if os.environ.get("CI") else [])]
    return subprocess.run([*command, python, *arguments], cwd=ROOT, capture_output=True, text=True)


def again_unprivileged(file: str, *selection: str) -> None:
    """Run a file of tests, or those that pytest's options select, as a user without any rights; all have to pass."""
    if os.geteuid() != 0:
        pytest.skip("these tests run unprivileged already")
    ran = unprivileged("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-x", *selection, file)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
    assert " passed" in ran.stdout
