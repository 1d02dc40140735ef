"""The history of the quick benchmark: one JSON line per run, so that a change for the worse is seen.

::

    now = entry({"steps": (0.7, False)}, {"rows": 1.0}, commit())    # ratios, with whether less is better; slopes
    worse(previous, now)                                    # ["steps: 0.70 after 0.90"]
"""

from __future__ import annotations

import json
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.harness import ROOT

FILE: Final = ROOT / "docs" / "benchmarks.jsonl"
ALLOWED: Final = 0.15
"""Relative change for the worse that is reported; runs differ by about a tenth."""
_SLOPE: Final = 0.1


def entry(ratios: Mapping[str, tuple[float, bool]], slopes: Mapping[str, float], commit: str) -> dict[str, Any]:
    """One run.

    Args:
        ratios: Ratio ours / theirs of each measure, and whether a smaller one is better.
        slopes: Slope of each kind of growing work.
        commit: What was measured.
    """
    return {
        "when": datetime.now(UTC).strftime("%Y-%m-%dT%H:%MZ"),
        "commit": commit,
        "python": platform.python_version(),
        "ratios": {what: float(f"{value:.3g}") for what, (value, _) in ratios.items()},
        "less_is_better": [what for what, (_, less) in ratios.items() if less],
        "slopes": {kind: round(slope, 3) for kind, slope in slopes.items()},
    }


def worse(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """The measures of both runs that are now worse, with both figures."""
    found = []
    for what in before["ratios"].keys() & now["ratios"].keys():
        old, new = before["ratios"][what], now["ratios"][what]
        if (new / old if what in now["less_is_better"] else old / new) > 1 + ALLOWED:
            found.append(f"{what}: {new:.3g} after {old:.3g}")
    for kind in before["slopes"].keys() & now["slopes"].keys():
        old, new = before["slopes"][kind], now["slopes"][kind]
        if new > old + _SLOPE:
            found.append(f"slope of {kind}: {new:.2f} after {old:.2f}")
    return sorted(found)


def compared(lines: list[str], now: Mapping[str, Any]) -> str:
    """A sentence on what is worse than in the last recorded run."""
    if not lines:
        return "This is the first recorded run."
    before = json.loads(lines[-1])
    found = worse(before, now)
    told = "nothing is worse by more than the noise" if not found else f"worse: {'; '.join(found)}"
    return f"Compared with the run of {before['when']} (commit {before['commit']}): {told}."


def commit() -> str:
    """The commit that is checked out."""
    done = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or "unknown"


def lines(file: Path = FILE) -> list[str]:
    """The recorded runs, the last one last."""
    return file.read_text().splitlines() if file.exists() else []
