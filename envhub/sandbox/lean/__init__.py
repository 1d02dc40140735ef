"""Where Lean is on this machine, and under which names jails see it.

``envhub lean setup`` writes one small file that says so (:mod:`envhub.sandbox.lean.setup`); a jail is lent the directories
it names, read-only::

    toolchain = found()             # None: there is none
    toolchain.lent                  # what a jail sees, and what it is outside
    toolchain.search                # LEAN_PATH inside, after the working directory
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

WHERE: Final = "ENVHUB_LEAN"
"""The variable that names the folder of the toolchain, if it is not the usual one."""
INSIDE: Final = "/opt/lean"
LEAN: Final = f"{INSIDE}/bin/lean"
_FILE: Final = "toolchain.json"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A Lean and what it may import.

    Attributes:
        kind: ``fixture``: the real kernel over a small core library of our own, which is for tests; ``stock``: Lean as it is
            distributed.
        version: What it says of itself.
        sysroot: The directory with ``bin/lean`` and ``lib/lean``.
        paths: Further directories with compiled modules, of a project and the packages it depends on.
        core: Of a fixture, which state of its core library it was compiled from.
    """

    kind: Literal["fixture", "stock"]
    version: str
    sysroot: str
    paths: tuple[str, ...] = ()
    core: str = ""

    @property
    def lent(self) -> Mapping[str, str]:
        """Directories of a jail, and what they are outside."""
        return {INSIDE: self.sysroot} | {f"/opt/lean-path/{at}": path for at, path in enumerate(self.paths)}

    @property
    def search(self) -> str:
        """Where modules are looked for inside, as in ``LEAN_PATH``."""
        return ":".join([f"{INSIDE}/lib/lean", *(inside for inside in self.lent if inside != INSIDE)])

    def write(self, folder: Path) -> None:
        """Keep it in a folder, from where :func:`found` reads it."""
        temporary = folder / f"{_FILE}.{os.getpid()}"
        temporary.write_text(json.dumps(asdict(self), indent=1) + "\n")
        temporary.replace(folder / _FILE)


def home() -> Path:
    """The folder of the toolchain. Root's is one that others may enter, for jails have another user."""
    if named := os.environ.get(WHERE):
        return Path(named)
    if os.geteuid() == 0:
        return Path("/var/lib/envhub/lean")
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "envhub" / "lean"


def found(folder: Path | None = None) -> Toolchain | None:
    """The toolchain that was set up, if there is one and it is still there."""
    try:
        row = json.loads(((folder or home()) / _FILE).read_text("utf-8"))
        known = Toolchain(row["kind"], row["version"], row["sysroot"], tuple(row["paths"]), row.get("core", ""))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return known if all(os.path.isdir(path) for path in known.lent.values()) else None
