"""Toolchains: sets of packages that the sandbox lends to programs.

Programs can read the packages and not change them. ``envhub sandbox toolchain science`` builds one
(:mod:`envhub.sandbox.toolchains.setup`). A program or a session that names a toolchain finds its packages on the import
path; all others run as if it were not there::

    Setting("python", toolchain="science")
    Program("import sklearn", toolchain="science")

A toolchain is kept in a folder whose name contains a digest of its pinned packages and of the interpreter they are for. So a
changed pin or another interpreter makes it missing, never wrong.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Final

from envhub.core.errors import InvalidParameters, MissingExtra, nearest

FOLDER_VARIABLE: Final = "ENVHUB_TOOLCHAINS"
"""Environment variable that overrides the folder of all toolchains."""
_STAMP: Final = "toolchain.json"
_TAG: Final = "import platform, sys; print('%d.%d' % sys.version_info[:2], platform.machine())"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A set of packages.

    Attributes:
        name: Its name.
        packages: All packages with their exact versions, including dependencies.
        modules: Modules that must be importable from it.
        settings: Environment variables of programs that use it.
    """

    name: str
    packages: tuple[str, ...]
    modules: tuple[str, ...]
    settings: Mapping[str, str]

    @property
    def inside(self) -> str:
        """Its directory where programs run."""
        return f"/opt/{self.name}"

    @property
    def variables(self) -> dict[str, str]:
        """The environment variables of programs that use it, with the import path."""
        return {**self.settings, "PYTHONPATH": self.inside}

    def folder(self, python: str) -> Path:
        """Its folder on this machine for an interpreter; it may not exist."""
        body = json.dumps([self.packages, interpreter_tag(python)])
        return toolchains_home() / f"{self.name}-{sha256(body.encode()).hexdigest()[:16]}"


TOOLCHAINS: Final[Mapping[str, Toolchain]] = MappingProxyType(
    {
        "science": Toolchain(
            "science",
            (
                "numpy==2.4.6",
                "pandas==3.1.1",
                "scikit-learn==1.9.1",
                "scipy==1.17.1",
                "cloudpickle==3.1.2",
                "joblib==1.6.0",
                "narwhals==2.29.0",
                "python-dateutil==4.0.0",
                "threadpoolctl==3.8.0",
                "tzdata==2026.6",
            ),
            ("numpy", "pandas", "sklearn.ensemble", "sklearn.linear_model"),
            # a program has one processor: with a thread for each of the machine's, it takes many times longer
            {"OMP_NUM_THREADS": "1", "LOKY_MAX_CPU_COUNT": "1"},
        )
    }
)


def toolchain_named(name: str) -> Toolchain:
    """The toolchain with this name.

    Raises:
        InvalidParameters: No toolchain has this name.
    """
    if name not in TOOLCHAINS:
        known = ", ".join(TOOLCHAINS)
        raise InvalidParameters(f"Unknown toolchain {name!r}. Expected one of {known}.{nearest(name, TOOLCHAINS)}")
    return TOOLCHAINS[name]


def toolchains_home() -> Path:
    """The folder of all toolchains.

    For root it is accessible to other users, since programs have another user.
    """
    if named := os.environ.get(FOLDER_VARIABLE):
        return Path(named)
    if os.geteuid() == 0:
        return Path("/var/lib/envhub/toolchains")
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "envhub" / "toolchains"


def found_toolchains(python: str) -> dict[str, Path]:
    """Folders of the toolchains set up for an interpreter, by name."""
    if not toolchains_home().is_dir():
        return {}
    folders = {name: toolchain.folder(python) for name, toolchain in TOOLCHAINS.items()}
    return {name: folder for name, folder in folders.items() if (folder / _STAMP).is_file()}


def write_stamp(folder: Path, toolchain: Toolchain, python: str) -> None:
    """Mark a folder as complete."""
    stamp = {"name": toolchain.name, "packages": toolchain.packages, "interpreter": interpreter_tag(python)}
    (folder / _STAMP).write_text(json.dumps(stamp, indent=1) + "\n")


def not_set_up(name: str, backend: str) -> MissingExtra:
    """The error for a toolchain that a backend does not have."""
    remedy = f"envhub sandbox toolchain {name}"
    if backend == "docker":
        remedy += f" && envhub sandbox image --toolchain {name}"
    elif backend == "process":
        return MissingExtra(
            f"The process sandbox has no toolchains, so it cannot lend {name!r}. Use namespace or docker."
        )
    return MissingExtra(f"The toolchain {name!r} is not set up for the {backend} sandbox. Set it up with: {remedy}")


@cache
def interpreter_tag(python: str) -> str:
    """The version and the machine of an interpreter, as in ``3.11 x86_64``.

    Raises:
        MissingExtra: It cannot be run.
    """
    try:
        command = [python, "-I", "-S", "-c", _TAG]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        raise MissingExtra(f"The interpreter {python} cannot be run: {error}") from None
