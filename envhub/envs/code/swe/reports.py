"""Outcomes of tests, as our plugin for pytest reports them.

A line for each phase of each test, as JSON. A test passes if its call passed and neither its set-up nor its tear-down
failed; a test without a line did not run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Final

PLUGIN: Final = """
import json


def pytest_runtest_logreport(report):
    with open("{place}", "a") as file:
        file.write(json.dumps([report.nodeid, report.when, report.outcome]) + "\\n")
"""


def canary(failing: str, passing: str) -> str:
    """A module of tests, one of which fails."""
    return (
        f"def {failing}():\n    assert len('{failing}') == 0\n\n\ndef {passing}():\n    assert len('{passing}') > 0\n"
    )


def outcomes_of(report: bytes) -> dict[str, str]:
    """The outcome of every test by its id.

    ``passed``, ``failed`` or ``skipped``; lines that cannot be read are ignored.
    """
    found: dict[str, str] = {}
    for line in report.decode("utf-8", "replace").split("\n"):
        try:
            name, when, outcome = json.loads(line)
        except ValueError:
            continue
        if not all(isinstance(word, str) for word in (name, when, outcome)):
            continue
        if outcome != "passed":
            found[name] = outcome if found.get(name) != "failed" else "failed"
        elif when == "call":
            found.setdefault(name, outcome)
    return found


def passed(wanted: str, outcomes: Mapping[str, str]) -> bool:
    """Whether the test, or all tests, with this name passed.

    Names are ids of pytest, or, as R2E-Gym and some rows of SWE-bench write them, without the file: ``TestA.test_b``. If
    several files have such a test, none may fail and not all may be skipped.
    """
    if wanted in outcomes:
        return outcomes[wanted] == "passed"
    if "::" in wanted:
        return False
    return _all_passed(outcome for name, outcome in outcomes.items() if ".".join(name.split("::")[1:]) == wanted)


def _all_passed(found: Iterable[str]) -> bool:
    outcomes = list(found)
    return "passed" in outcomes and "failed" not in outcomes
