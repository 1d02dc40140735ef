"""Draw docs/learning_curve.svg from a run's log: ``python docs/learning_curve.py runs/addition/log.jsonl``.

The run is ``envhub train addition``. The curves are solve rates on the test split, with 95 % intervals.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

from envhub.core.statistics import wilson
from envhub.reports.svg import Point, Series, picture

FILE: Final = Path(__file__).with_suffix(".svg")
CURVES: Final = {"test/greedy": "greedy", "test/sampled": "sampled"}


def drawn(rows: list[dict[str, Any]]) -> str:
    """The log's evaluations as one SVG file."""
    return picture("Held-out solve rate", [Series(name, points(rows, key)) for key, name in CURVES.items()], (0.3, 0.7))


def points(rows: list[dict[str, Any]], key: str) -> list[Point]:
    """The evaluations of one curve."""
    return [
        Point(row["step"], row[key], wilson(row[key] * row["test/episodes"], int(row["test/episodes"])))
        for row in rows
        if key in row
    ]


if __name__ == "__main__":
    FILE.write_text(drawn([json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]))
