"""Write docs/coverage.md, the share of public catalogues that ours ask: ``python docs/coverage.py``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from envhub.registry.coverage import Coverage, coverage, sources

FILE: Final = Path(__file__).with_suffix(".md")
HEAD: Final = """# Coverage

Which tasks of public catalogues the environments of envhub ask. *Native*: one of ours asks the same task. *Kin*: one of
ours resembles it. *Adapter*: an adapter plays it, if its package is installed. *Left out*: on purpose, with a reason.
Every task of a source is counted.

`envhub coverage` prints the table and `envhub coverage SOURCE` its tasks; `python docs/coverage.py` writes this page.
`covers` in `registry.yaml` states which of ours asks a task, `envhub/registry/catalogues.toml` everything else.
"""


def page() -> str:
    """The whole page."""
    found = [coverage(source) for source in sources()]
    rows = [
        f"| {one.title} | {one.total} | {len(one.native)} | {len(one.native) / one.total:.0%} | {len(one.kin)} "
        f"| {len(one.adapter)} | {len(one.left_out)} | {len(one.missing)} |"
        for one in found
    ]
    head = (
        "| source | tasks | native | share | kin | adapter | left out | missing |",
        "|---|---|---|---|---|---|---|---|",
    )
    return "\n".join([HEAD, *head, *rows, "", *map(section, found)])


def section(found: Coverage) -> str:
    """The tasks of one source, by group."""
    native = {task: ", ".join(ids) + _difference(found, task) for task, ids in found.native.items()}
    groups = {"Native": native, "Kin": found.kin, "Adapter": found.adapter, "Left out": found.left_out}
    lines = [f"**{name}**: {_listed(group)}." for name, group in groups.items() if group]
    missing = [f"**Missing**: {', '.join(found.missing)}."] if found.missing else []
    return "\n\n".join([f"## {found.title}", *lines, *missing]) + "\n"


def _difference(found: Coverage, task: str) -> str:
    return f": {found.differs[task].rstrip('.')}" if task in found.differs else ""


def _listed(group: Mapping[str, str]) -> str:
    return "; ".join(f"{task} ({why})" for task, why in group.items())


if __name__ == "__main__":
    FILE.write_text(page())
