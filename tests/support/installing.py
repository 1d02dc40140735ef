"""A Python into which a test may install things, without network: everything that is installed here is there already."""

from __future__ import annotations

import os
import subprocess
import sysconfig
import venv
from pathlib import Path


class Place:
    """A virtual environment that sees what is installed here, ``envhub`` included.

    Args:
        root: An empty directory.

    Attributes:
        environment: The variables of a process that uses it.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        venv.EnvBuilder(symlinks=True).create(root)
        (site,) = root.glob("lib/python*/site-packages")
        # addsitedir reads the .pth files there, so an editable envhub is found as well
        (site / "outer.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
        for command in ("envhub", "pytest"):  # as pip writes them where it installs their packages
            script = root / "bin" / command
            script.write_text(f'#!/bin/sh\nexec "{root}/bin/python" -m {command} "$@"\n')
            script.chmod(0o755)
        kept = {
            name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTEST_", "ENVHUB_"))
        }
        self.environment = {
            **kept,
            "PATH": f"{root}/bin{os.pathsep}{os.environ['PATH']}",
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",  # which is how pip is told to build with what is there
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }

    def run(self, command: str | list[str], cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command, or a line of shell, in a directory; what it wrote on either stream is in ``stdout``."""
        return subprocess.run(
            command if isinstance(command, list) else ["sh", "-c", command],
            cwd=cwd,
            env={**self.environment, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
