"""Measures how many generated theorems a single line proves.

``python -m benchmarks.one_line [--each N] [--levels 1 4 7 10]``

Each tactic of a fixed list is tried alone on each theorem, in Lean with a limit on work (heartbeats) and in Coq with one on
time. A theorem is closed if one of them proves it. Uses the configured Lean; the tests' core library lacks omega and grind,
which are tried only if available. Theorems and tactics are trusted, so this runs without a jail.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from envhub.core.seeding import Stream
from envhub.generators.theorems import FAMILIES, LEVELS, Theorem, draw
from envhub.sandbox.lean import Toolchain, find_toolchain

LEAN: Final = (
    "rfl",
    "decide",
    "trivial",
    "simp",
    "simp_all",
    "intros; rfl",
    "intros; assumption",
    "intros; contradiction",
    "intros; constructor",
    "intros; trivial",
    "intros; simp",
    "intros; simp [*]",
    "intros; simp_all",
    "simp [DEFINED]",
    "intros; simp_all [DEFINED]",
)
LEAN_STOCK: Final = ("omega", "intros; omega", "grind", "grind [DEFINED]")
COQ: Final = (
    "trivial",
    "easy",
    "auto",
    "eauto",
    "auto with *",
    "eauto with *",
    "eauto with arith",
    "tauto",
    "intuition",
    "intuition eauto",
    "intuition lia",
    "intuition congruence",
    "firstorder",
    "firstorder congruence",
    "congruence",
    "intros; congruence",
    "lia",
    "intros; lia",
    "intros; ring",
    "reflexivity",
    "discriminate",
    "intros; subst; auto",
    "simpl; auto",
    "nia",
)
HEARTBEATS: Final = 40_000
SECONDS: Final = 2


def by_lean(theorems: Sequence[Theorem], toolchain: Toolchain) -> set[tuple[int, str]]:
    """The theorems that each tactic closes in Lean."""
    tactics = LEAN + (LEAN_STOCK if toolchain.kind == "stock" else ())
    text, where = "", []
    for at, theorem in enumerate(theorems):
        defined = ", ".join(function.name for function in theorem.functions) or "*"
        for tactic in tactics:
            one = (
                f"namespace N{at}\n{theorem.lean.preamble if tactic == tactics[0] else ''}\n"
                f"set_option maxHeartbeats {HEARTBEATS} in\nexample : {theorem.lean.statement} := by\n"
                f"  {tactic.replace('DEFINED', defined)}\nend N{at}\n"
            )
            text += one
            where += [(at, tactic)] * one.count("\n")
    with tempfile.TemporaryDirectory() as place:
        file = Path(place, "All.lean")
        file.write_text(text)
        command = [f"{toolchain.sysroot}/bin/lean", "-j1", "-DmaxErrors=1000000", "-Dlinter.all=false", str(file)]
        environment = os.environ | {"LEAN_PATH": ":".join([f"{toolchain.sysroot}/lib/lean", *toolchain.paths])}
        run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    wrong = {where[int(line) - 1] for line in re.findall(r"(?m)All\.lean:(\d+):\d+: (?:error|warning)", run.stdout)}
    if run.returncode not in (0, 1) or not wrong:
        raise SystemExit(f"Lean did not finish: {run.stderr[-500:]}")
    return set(where) - wrong


def by_coq(theorems: Sequence[Theorem]) -> set[tuple[int, str]]:
    """The same in Coq."""
    return {(at, tactic) for at, theorem in enumerate(theorems) for tactic in _closing(theorem)}


def _closing(theorem: Theorem) -> list[str]:
    """The tactics that close a theorem in Coq.

    One that ignores its time limit ends the run, and the later ones are not tried.
    """
    parts = [theorem.coq.header, f"{theorem.coq.preamble}\n"]
    for number, tactic in enumerate(COQ):
        trial = f'tryif solve [timeout {SECONDS} ({tactic})] then idtac "CLOSED {number}" else idtac'
        parts.append(f"Goal {theorem.coq.statement}.\n{trial}.\nAbort.\n")
    with tempfile.TemporaryDirectory() as place:
        Path(place, "All.v").write_text("".join(parts))
        command = ["timeout", str(2 * SECONDS * len(COQ)), "coqc", "-q", "-w", "none", "All.v"]
        run = subprocess.run(command, capture_output=True, text=True, cwd=place, check=False)
    if run.returncode not in (0, 124):
        raise SystemExit(f"Coq did not finish: {run.stderr[-500:]}")
    if run.returncode:
        print(f"# not all tactics were tried on {theorem.coq.statement}", flush=True)
    return [COQ[int(number)] for number in re.findall(r"CLOSED (\d+)", run.stdout)]


def shares(family: str, levels: Sequence[int], each: int) -> Mapping[str, list[int]]:
    """Number of closed theorems by language and level.

    Prints which tactics close those of the last level.
    """
    theorems = [draw(Stream(b"one line", family, level, at), family, level) for level in levels for at in range(each)]
    toolchain = find_toolchain()
    closed = {"Lean": by_lean(theorems, toolchain)} if toolchain else {}
    if shutil.which("coqc"):
        closed["Coq"] = by_coq(theorems)
    result = {}
    for language, pairs in closed.items():
        ats = {at for at, _ in pairs}
        result[language] = [sum(at // each == place for at in ats) for place in range(len(levels))]
        for at, tactic in sorted(pairs):
            if at // each == len(levels) - 1 and levels[-1] == LEVELS[-1]:
                print(f"# {language}, level {levels[-1]}: {tactic} closes {theorems[at].lean.statement}", flush=True)
    return result


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description="How many generated theorems a single line closes.")
    parser.add_argument("families", nargs="*", default=FAMILIES, help="all of them by default")
    parser.add_argument("--each", type=int, default=10, help="theorems of a family and level (default: %(default)s)")
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 4, 7, 10])
    given = parser.parse_args()
    print("| family | language | " + " | ".join(f"level {level}" for level in given.levels) + " |")
    print("|---|---|" + "---|" * len(given.levels))
    for family in given.families:
        for language, counts in shares(family, given.levels, given.each).items():
            cells = " | ".join(f"{count} of {given.each}" for count in counts)
            print(f"| {family} | {language} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
