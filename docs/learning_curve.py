"""Draw docs/learning_curve.svg from a run's log: ``python docs/learning_curve.py runs/addition/log.jsonl``.

The run is ``envhub train addition``. The curves are solve rates on the test split, with 95 % intervals.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, Final

from envhub.core.statistics import wilson
from envhub.reports.svg import PALETTE, STYLE, WIDTH, Point, Series, chart

FILE: Final = Path(__file__).with_suffix(".svg")
CURVES: Final = {"test/greedy": "greedy", "test/sampled": "sampled"}
LEGEND_HEIGHT: Final = 20


def drawn(rows: list[dict[str, Any]]) -> str:
    """The log's evaluations as one SVG file."""
    figure = chart("Held-out solve rate", [Series(name, points(rows, key)) for key, name in CURVES.items()], (0.3, 0.7))
    found = re.search(r"<svg .*?viewBox='0 0 (\d+) (\d+)'.*?>(.*)</svg>", figure, re.DOTALL)
    assert found is not None
    height = int(found[2]) + LEGEND_HEIGHT
    legend = "".join(
        f"<text x='{60 + 70 * at}' y='13' style='fill:{colour};font-weight:bold'>{name}</text>"
        for at, (name, colour) in enumerate(zip(CURVES.values(), PALETTE, strict=False))
    )
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' class='chart' viewBox='0 0 {WIDTH} {height}' width='{2 * WIDTH}'>"
        f"<style>{STYLE}</style><rect width='{WIDTH}' height='{height}' fill='white'/>{legend}"
        f"<g transform='translate(0 {LEGEND_HEIGHT})'>{found[3]}</g></svg>\n"
    )


def points(rows: list[dict[str, Any]], key: str) -> list[Point]:
    """The evaluations of one curve."""
    return [
        Point(row["step"], row[key], wilson(row[key] * row["test/episodes"], int(row["test/episodes"])))
        for row in rows
        if key in row
    ]


if __name__ == "__main__":
    FILE.write_text(drawn([json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]))
