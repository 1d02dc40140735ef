"""Write the tables of docs/audit.md: ``python docs/audit_tables.py measures AUDIT.json`` or ``... mutants MUTANTS.json``.

The files are the output of ``envhub audit --all --json`` and ``envhub audit --all --mutate --json``. Rows of measures of
environments that the file does not name stay in the table.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from envhub.registry.describe import describe

PAGE = Path(__file__).parent / "audit.md"


def measures(reports: list[dict[str, Any]], known: Sequence[str]) -> str:
    """The known rows, with those of the reports new or replaced: shares at the measured levels."""
    head, rows = known[:2], {_id(row): row for row in known[2:]}
    for report in reports:
        levels = report["levels"]
        about = describe(report["id"])
        blind = " ".join(f"{level['blind']:.2f} ({level['guessable']:.2g})" for level in levels)
        forms = (
            " ".join(str(len(level["forms"])) for level in levels) if any(level["forms"] for level in levels) else ""
        )
        greedy = " ".join(f"{level['agents']['greedy']:.2f}" for level in levels if "greedy" in level["agents"])
        rates = (
            " ".join(f"{about[name]['solved'][str(level['difficulty'])]:.2f}" for level in levels)
            if about[name]
            else ""
            for name in ("reference", "ceiling")
        )
        rows[report["id"]] = f"| {' | '.join(cell or '-' for cell in (report['id'], forms, blind, greedy, *rates))} |"
    return "\n".join([*head, *(rows[name] for name in sorted(rows))])


def _id(row: str) -> str:
    return row.split(" | ")[0].removeprefix("| ")


def mutants(found: list[dict[str, Any]]) -> str:
    """One row per environment, the sums, and every surviving mutant."""
    names = ("possible", "made", "killed", "record", "tests", "explained", "survived")
    lines = [
        "| environment | possible | made | killed by a check | by the record alone | by tests alone | explained | survived |",
        "|---|---|---|---|---|---|---|---|",
        *(f"| {one['id']} | {' | '.join(str(one.get(name, 0)) for name in names)} |" for one in found),
        f"| all | {' | '.join(str(sum(one.get(name, 0) for one in found)) for name in names)} |",
    ]
    idle = sorted({name for one in found for name in one["idle"]})
    if idle:
        lines += ["", f"Checks that some of them broke without a mutant, and so could not use: {', '.join(idle)}."]
    survived = [
        mutant for one in found for mutant in one["mutants"] if not mutant["killed"] and not mutant["explained"]
    ]
    seen = dict.fromkeys(f"| `{m['file']}:{m['line']}` | `{_cell(m['old'])}` | `{_cell(m['new'])}` |" for m in survived)
    return "\n".join([*lines, "", "| survivor | expression | mutated to |", "|---|---|---|", *seen])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("`", "'")


def main() -> None:
    """Replace the table between its markers."""
    name, file = sys.argv[1:]
    found = json.loads(Path(file).read_text(encoding="utf-8"))
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(f"<!-- {name} -->\n")
    known, _, after = rest.partition(f"<!-- end of {name} -->\n")
    table = measures(found, known.splitlines()) if name == "measures" else mutants(found)
    PAGE.write_text(f"{before}<!-- {name} -->\n{table}\n<!-- end of {name} -->\n{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
