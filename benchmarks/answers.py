"""Comparisons of final answers per CPU second, beside math-verify: ``python -m benchmarks answers``."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Final

from benchmarks.harness import OURS, ROOT, Side, Spread, alternate, workload
from benchmarks.report import Section, number, ratio, table
from benchmarks.venvs import PEERS, peer

_CORPORA: Final = (("declared kinds", "tests/corpus"), ("undeclared", "tests/corpus/undeclared"))
_EVERY: Final = 4
_WARM: Final = 40
_HEAD: Final = ("pairs", "ours, per CPU second", "theirs, per CPU second", "ours / theirs", "right, ours", "theirs")


def answers(repeats: int) -> Section:
    """Both graders on a quarter of the labelled pairs."""
    theirs = peer("math-verify")
    rows = [_row(what, ROOT / folder, theirs, repeats) for what, folder in _CORPORA]
    return Section(
        f"Final answers against `{PEERS['math-verify']}`",
        table((*_HEAD, "wrong, ours", "theirs"), rows),
        f"Every {_EVERY}th pair of a gold and an answer in `tests/corpus`, in one process. *right* are the right answers that "
        "a grader accepts, *wrong* the wrong ones. math-verify cannot use a declared kind. Its time limits, five seconds for "
        "each reading and each comparison, are on; what it gives up counts as rejected. "
        "[Verifiers](verifiers.md#how-it-compares) has all pairs and the public golds.",
    )


def _row(what: str, folder: Path, theirs: str, repeats: int) -> list[str]:
    pairs = [line for half in ("dev", "held") for line in (folder / f"{half}.jsonl").read_text().splitlines()]
    taken, warm = pairs[:-_WARM][::_EVERY], pairs[-_WARM:]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("\n".join([*taken, *warm]))
        file.flush()
        mine, other = (
            workload(OURS, "ours.answers", len(taken), file.name),
            workload(theirs, "peers.math_verify_answers", len(taken), file.name),
        )
        left, right = alternate(lambda: _told(mine), lambda: _told(other), repeats)
    rates = [[each["items"] / each["cpu_s"] for each in told] for told in (left, right)]
    labels = [json.loads(line)["right"] for line in taken]
    shares = [
        f"{told[0][kind]} of {labels.count(kind == 'right')}" for kind in ("right", "wrong") for told in (left, right)
    ]
    found = Spread.of([a / b for a, b in zip(*rates, strict=True)])
    return [f"{what}, {len(taken)}", *(number(Spread.of(side)) for side in rates), ratio(found), *shares]


def _told(side: Side) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(side.output())
    return told
