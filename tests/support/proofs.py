"""Many theorems put to a kernel in one run: what tests of the generator need, whose texts are ours and so take no jail."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from envhub.generators.theorems import Theorem
from envhub.verifiers.proofs.coq import CoqKernel
from tests.support.kernels import toolchain


def coq() -> str:
    """Coq's compiler; without one the test is skipped, and in CI it fails."""
    found = shutil.which("coqc")
    if found is None:
        if os.environ.get("CI"):
            raise AssertionError("CI has no Coq: apt-get install coq")
        pytest.skip("no Coq here: apt-get install coq")
    return found


def coq_kernel() -> CoqKernel:
    """A kernel in the sandbox of this process."""
    coq()
    return CoqKernel()


def lean_wrong(folder: Path, theorems: Sequence[tuple[Theorem, str]]) -> set[int]:
    """Which of the theorems, each with the text of a proof, Lean finds anything wrong with, or rest on more than propext."""
    known = toolchain()
    lines: list[str] = []
    where: list[int] = []
    for at, (theorem, source) in enumerate(theorems):
        text = f"namespace N{at}\n{theorem.lean.preamble}\n{source}\n#print axioms t\nend N{at}\n"
        lines += text.splitlines()
        where += [at] * text.count("\n")
    file = folder / "All.lean"
    file.write_text("\n".join(lines) + "\n")
    command = [f"{known.sysroot}/bin/lean", "-j1", "-DmaxErrors=1000000", "-Dlinter.all=false", str(file)]
    environment = os.environ | {"LEAN_PATH": ":".join([f"{known.sysroot}/lib/lean", *known.paths])}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=600)
    assert run.returncode in (0, 1), run.stderr
    said = re.findall(r"(?m)^.*All\.lean:(\d+):\d+: (?:error|warning)", run.stdout)
    fine = re.findall(r"'N(\d+)\.t' (?:does not depend on any axioms|depends on axioms: \[propext\])", run.stdout)
    return {where[int(line) - 1] for line in said} | set(range(len(theorems))) - {int(at) for at in fine}


def coq_said(folder: Path, theorems: Sequence[tuple[Theorem, str]]) -> str:
    """What Coq says of the theorems, each with the text of a proof, up to the first error; nothing if all is well."""
    parts = [theorems[0][0].coq.header]
    for at, (theorem, source) in enumerate(theorems):
        parts.append(f"Module N{at}.\n{theorem.coq.preamble}\n{source}\nEnd N{at}.\n")
    file = folder / "All.v"
    file.write_text("".join(parts))
    command = [coq(), "-q", "-w", "none", "-noglob", str(file)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, timeout=600)
    return "" if run.returncode == 0 and not run.stderr else run.stderr or f"exit status {run.returncode}"
