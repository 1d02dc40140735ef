"""Virtual environments of the peers under ``.venvs/``, created on first use.

Peers are pinned, because results depend on their version. Their dependencies are whatever pip resolves at that time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

from benchmarks.harness import ROOT

PEERS: Final = {
    "gem": "gem-llm==0.1.0",
    "math-verify": "math-verify[antlr4_13_2]==0.9.0",
    "reasoning-gym": "reasoning-gym==0.1.25",
    "gymnasium": "gymnasium==1.4.0",
    "openenv": "openenv==0.10.0",
    "nemo-gym": "nemo-gym==0.7.0",
    "open-spiel": "open_spiel==2.0.2",
    "textarena": "textarena==0.7.4",
    "lean-interact": "lean-interact==0.11.6",
    "lean-dojo": "lean-dojo==4.20.0",
    "pyperplan": "pyperplan==2.1",
    "minigrid": "minigrid==3.2.0",
    "scienceworld": "scienceworld==1.2.3",
    "miniwob": "miniwob==1.1.0",
    "textworld": "textworld==1.7.0",
    "nle": "nle==1.3.0",
    "alfworld": "alfworld==0.4.2",
    "trl": "trl==1.16.0",
    "zensical": "zensical==0.0.73",
}
_BESIDE: Final = {"textarena": ("numpy",), "zensical": ("mkdocstrings[python]>=1,<2",)}
"""Packages that a peer needs and does not declare."""
_FILES: Final = frozenset({"miniwob"})
"""Peers whose files alone are read; they are installed without their dependencies."""
_PYTHON: Final = {"nemo-gym": "python3.13"}
"""Python versions of peers that do not run under ours; any patch release works, whatever their metadata require."""
_HOME: Final = ROOT / ".venvs"
_LEFT_OUT: Final = shutil.ignore_patterns(".*", "__pycache__", "node_modules")


def peer(name: str) -> str:
    """The interpreter of a peer, installed first if missing or at another version."""
    alone = ("--no-deps",) if name in _FILES else ()
    return _made(_HOME / name, PEERS[name], _PYTHON.get(name), (*_BESIDE.get(name, ()), *alone))


def trl() -> str:
    """An interpreter with TRL and this checkout.

    An environment that holds the pinned release is kept, because other trainers may be installed beside it
    (docs/trainers.md).
    """
    home, release = _HOME / "trl", PEERS["trl"].replace("==", "-")
    if any(home.glob(f"lib/python*/site-packages/{release}.dist-info")):
        return str(home / "bin" / "python")
    return _made(home, PEERS["trl"], beside=("torch==2.13.0", "transformers>=5.16,<5.20", "--editable", str(ROOT)))


def bare() -> str:
    """An interpreter of an empty virtual environment."""
    return _made(_HOME / "bare", None)


@cache
def core() -> str:
    """An interpreter with a fresh, non-editable install of this checkout without extras.

    Rebuilt in every run.
    """
    home = _HOME / "core"
    shutil.rmtree(home, ignore_errors=True)
    with tempfile.TemporaryDirectory() as copied:  # a build writes into its source folder
        shutil.copytree(ROOT, copied, ignore=_LEFT_OUT, dirs_exist_ok=True)
        return _made(home, copied)


def _made(home: Path, requirement: str | None, other: str | None = None, beside: Sequence[str] = ()) -> str:
    python, stamp = home / "bin" / "python", home / "requirement.txt"
    wanted = " ".join([str(requirement), *beside])
    if not (stamp.exists() and stamp.read_text() == wanted):
        print(f"making {home.relative_to(ROOT)} ...", file=sys.stderr)
        shutil.rmtree(home, ignore_errors=True)
        subprocess.run([_interpreter(other) if other else sys.executable, "-m", "venv", str(home)], check=True)
        if requirement is not None:
            pip = [str(python), "-m", "pip", "install", "--quiet", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, *(["--ignore-requires-python"] if other else []), requirement, *beside], check=True)
        stamp.write_text(wanted)
    return str(python)


def _interpreter(name: str) -> str:
    """A Python of another version, from the path or pyenv.

    Raises:
        RuntimeError: It is not installed.
    """
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = [shutil.which(name), *map(str, sorted(versions.glob(f"*/bin/{name}"), reverse=True))]
    for python in filter(None, found):  # pyenv's shim is on the path even if it cannot run
        if subprocess.run([python, "-c", ""], capture_output=True).returncode == 0:
            return python
    raise RuntimeError(
        f"There is no {name}, which this peer needs: install it, or make its virtual environment yourself."
    )
