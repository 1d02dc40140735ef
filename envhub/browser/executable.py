"""Finds the headless shell: ``ENVHUB_BROWSER``, or the system's ``chromium-headless-shell``.

Distributions install a shell script that starts the real program, which lies elsewhere. The jail needs the program and
its folder, so a script is followed to the program that it names.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Final

from envhub.core.errors import InvalidParameters, MissingExtra

BROWSER_VARIABLE: Final = "ENVHUB_BROWSER"
"""Environment variable with the path or the name of a headless shell of Chromium."""
_NAMES: Final = ("chromium-headless-shell", "chrome-headless-shell", "headless_shell")
_STARTED: Final = re.compile(rb'^(?:exec )?"?(/[^\s"]+)"? ', re.MULTILINE)


def find_browser() -> Path:
    """Find the program of the headless shell.

    Raises:
        InvalidParameters: ``ENVHUB_BROWSER`` names no program.
        MissingExtra: No shell was found; the message says how to install one.
    """
    named = os.environ.get(BROWSER_VARIABLE)
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, _NAMES)), None)
    if found is not None:
        return _program(Path(found).resolve())
    if named:
        raise InvalidParameters(
            f"{BROWSER_VARIABLE} must name a headless shell of Chromium, got {named!r}: no such program."
        )
    raise MissingExtra(
        f"This environment needs {_NAMES[0]}. Install it with: apt install {_NAMES[0]}. Or set {BROWSER_VARIABLE} to the "
        "path of any headless shell of Chromium."
    )


def missing() -> str | None:
    """Why this machine has no browser; None if it has one."""
    try:
        find_browser()
    except (InvalidParameters, MissingExtra) as error:
        return str(error)
    return None


def _program(path: Path) -> Path:
    """The program that a script starts, or the path itself."""
    with path.open("rb") as file:
        start = file.read(4096)
    named = _STARTED.search(start) if start.startswith(b"#!") else None
    return Path(os.fsdecode(named[1])).resolve() if named else path
