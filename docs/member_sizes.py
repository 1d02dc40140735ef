"""Print how long the members of families are: ``python docs/member_sizes.py``.

One row per category: number of files, the median of their lines, how many of these lines are wordings, and the
median of the remaining ones. Wordings are the sentences of prompts, at least four per rule.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import NamedTuple

from envhub.families.member import Member
from envhub.registry.registry import builtin_ids, load, spec


class Size(NamedTuple):
    """The lines of a file, and those of them that are wordings."""

    lines: int
    wordings: int


def size(path: Path) -> Size:
    """The size of a member's file."""
    source = path.read_text(encoding="utf-8")
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    phrases = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id in ("Phrase", "Variants"))
    return Size(len(source.splitlines()), sum(1 + (call.end_lineno or 0) - call.lineno for call in phrases))


def row(name: str, sizes: Iterable[Size]) -> str:
    """A line of the table."""
    known = list(sizes)
    columns = [one.lines for one in known], [one.wordings for one in known], [a - b for a, b in known]
    return " ".join([f"{name:14}{len(known):6}", *(f"{median(column):10g}" for column in columns)])


def main() -> None:
    """Print the table."""
    members = [env_id for env_id in builtin_ids() if issubclass(load(spec(env_id)), Member)]
    files = {Path(inspect.getfile(load(spec(env_id)))): spec(env_id).category for env_id in members}
    print(f"{'category':14}{'files':>6}{'lines':>11}{'wordings':>11}{'others':>11}")
    for category in sorted(set(files.values())):
        print(row(category, (size(path) for path, other in files.items() if other == category)))
    print(row("all", map(size, files)))


if __name__ == "__main__":
    main()
