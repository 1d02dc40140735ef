"""Location of the Lean toolchain on this machine and inside jails.

``envhub lean setup`` records it in a small file (:mod:`envhub.sandbox.lean.setup`). Jails mount its directories read-only::

    toolchain = find_toolchain()    # None if Lean is not set up
    toolchain.lent                  # directories inside a jail, with their paths outside
    toolchain.search                # LEAN_PATH inside, after the working directory
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

FOLDER_VARIABLE: Final = "ENVHUB_LEAN"
"""Environment variable that overrides the folder of the toolchain."""
INSIDE: Final = "/opt/lean"
LEAN: Final = f"{INSIDE}/bin/lean"
WARM: Final = "lean"
"""Lean's name as a native program that is kept warm (:attr:`envhub.sandbox.jobs.Job.warm`)."""
WORDS: Final = 11
"""Words of the command line of a warm Lean, ``lean`` included: a fork cannot change their number."""
_LIBRARIES: Final = ("lib/libleanshared.so", "lib/lean/libleanshared.so")
_FILE: Final = "toolchain.json"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A Lean installation and the modules it can import.

    Attributes:
        kind: ``fixture``: the real kernel with a small core library of our own, for tests; ``stock``: a regular Lean.
        version: Output of ``lean --version``.
        sysroot: The directory with ``bin/lean`` and ``lib/lean``.
        paths: Further directories with compiled modules of a project and its dependencies.
        core: Digest of a fixture's core library.
    """

    kind: Literal["fixture", "stock"]
    version: str
    sysroot: str
    paths: tuple[str, ...] = ()
    core: str = ""

    @property
    def lent(self) -> Mapping[str, str]:
        """Directories inside a jail, with their paths outside."""
        return {INSIDE: self.sysroot} | {f"/opt/lean-path/{at}": path for at, path in enumerate(self.paths)}

    @property
    def search(self) -> str:
        """The value of ``LEAN_PATH`` inside."""
        return ":".join([f"{INSIDE}/lib/lean", *(inside for inside in self.lent if inside != INSIDE)])

    @property
    def warm(self) -> dict[str, Any] | None:
        """What :class:`envhub.sandbox.inside.warm.WarmProgram` needs; None without Lean's shared library."""
        for path in _LIBRARIES:
            if os.path.isfile(f"{self.sysroot}/{path}"):
                environment = {"LEAN_PATH": f"/box/work:{self.search}"}
                return {"library": f"{INSIDE}/{path}", "main": "lean_main", "words": WORDS, "environment": environment}
        return None

    def write(self, folder: Path) -> None:
        """Save it in a folder, where :func:`find_toolchain` reads it."""
        temporary = folder / f"{_FILE}.{os.getpid()}"
        temporary.write_text(json.dumps(asdict(self), indent=1) + "\n")
        temporary.replace(folder / _FILE)


def toolchain_home() -> Path:
    """The folder of the toolchain.

    For root it is accessible to other users, since jails have another user.
    """
    if named := os.environ.get(FOLDER_VARIABLE):
        return Path(named)
    if os.geteuid() == 0:
        return Path("/var/lib/envhub/lean")
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "envhub" / "lean"


def find_toolchain(folder: Path | None = None) -> Toolchain | None:
    """The toolchain that was set up, or None.

    None if it is missing or incomplete.
    """
    try:
        row = json.loads(((folder or toolchain_home()) / _FILE).read_text("utf-8"))
        known = Toolchain(row["kind"], row["version"], row["sysroot"], tuple(row["paths"]), row.get("core", ""))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return known if all(os.path.isdir(path) for path in known.lent.values()) else None
