"""The files of a repository besides its modules: README and tests."""

from __future__ import annotations

from collections.abc import Sequence
from pprint import pformat
from textwrap import indent
from typing import Any, Final

from envhub.envs.code.repo_repair.application import Application
from envhub.envs.code.repo_repair.catalog import functions
from envhub.envs.code.repo_repair.nouns import renamed
from envhub.envs.code.repo_repair.running import Case

_WIDTH: Final = 100
_MEANINGS: Final = {
    "UNIT": "the smallest units (minutes, grams, pieces) that prices count as one unit",
    "RATE": "price of a unit, in cents",
    "LOW_RATE": "price of each further unit above FULL_UNITS, in cents",
    "FULL_UNITS": "number of units at the full price",
    "MINIMUM": "the least that a record costs, in cents",
    "WEEKEND_PERCENT": "extra charge at weekends, in per cent",
    "LOYAL_AFTER": "earlier records from which on a client gets the discount",
    "LOYAL_PERCENT": "this discount, in per cent",
    "LARGE": "amount above which it counts as large, in the smallest unit",
    "LARGE_PERCENT": "discount for large amounts, in per cent",
    "SPECIAL_FEE": "fee for special articles, in cents",
    "SPECIAL": "the special articles",
    "DAY_CAP": "the most that one client pays for one day, in cents",
    "TAX_PERCENT": "tax, in per cent",
    "STATUS_PERCENT": "share of the price that each status is charged, in per cent",
    "DEFAULT_STATUS": "status of a record that states none",
    "DEFAULT_TOP": "ranks that top lists if --top is not given",
    "STREAK_LEAST": "least number of consecutive days that count as a streak",
    "COLUMNS": "the columns of a file",
}


def readme(app: Application) -> str:
    """The README: commands, options, settings."""
    reports = functions("reports")
    rows = [f"- `{name}`: {_told(reports[f'show_{name}'].doc, app)}" for name in app.plan["commands"]]
    values = [f"- `{name}` = `{value!r}`: {_told(_MEANINGS[name], app)}" for name, value in app.values.items()]
    return "\n".join(
        [
            f"# {app.package}",
            "",
            f"Keeps {app.domain.title} in a text file.",
            "",
            f"    python3 -m {app.package} FILE COMMAND [ARGUMENTS]",
            "",
            "## Commands",
            "",
            *rows,
            f"- `add`: Adds a record with the values given in the order {', '.join(app.values.get('COLUMNS', ()))}.",
            "- `tidy`: Sorts the file by day and rewrites it.",
            "",
            "Reports accept `--since DAY`, `--until DAY`, `--status STATUS` and `--top NUMBER`.",
            "",
            "## Settings",
            "",
            *values,
            "",
        ]
    )


def tests(app: Application, cases: Sequence[tuple[Case, Any]], calls: Sequence[tuple[str, list[Any], Any]]) -> str:
    """A file of tests with right results of commands and functions."""
    used = sorted({"run", *(name for name, _, _ in calls)})
    head = ["import unittest", "", *(f"from {app.module(name)} import {name}" for name in used), "", ""]
    body = ["class TestProgram(unittest.TestCase):"]
    rows = [*((f"run_{case.arguments[0]}", "run", list(case), result) for case, result in cases)]
    rows += [(name, name, arguments, result) for name, arguments, result in calls]
    for number, (title, name, arguments, result) in enumerate(rows, 1):
        written = ",\n".join(indent(pformat(value, width=_WIDTH, sort_dicts=False), " " * 12) for value in arguments)
        expected = indent(pformat(result, width=_WIDTH, sort_dicts=False), " " * 12)
        body += [
            f"    def test_{number}_{title}(self):",
            f"        found = {name}(\n{written},\n        )",
            f"        self.assertEqual(\n            found,\n{expected},\n        )",
            "",
        ]
    return "\n".join([*head, *body]).rstrip("\n") + "\n"


def _told(text: str, app: Application) -> str:
    return renamed(text, app.domain)
