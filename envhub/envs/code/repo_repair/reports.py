"""Test files for generated packages, and users' reports of their faults."""

from __future__ import annotations

from collections.abc import Sequence
from pprint import pformat
from textwrap import indent
from typing import Any

from envhub.envs.code.repo_repair.package import PARTS, RAISED, Call, Package

_WIDTH = 100


def tests(package: Package, calls: Sequence[Call], outcomes: Sequence[Any]) -> dict[str, str]:
    """Files of tests by path, one per part, with correct results."""
    found: dict[str, list[str]] = {}
    for (part, args, _), outcome in zip(calls, outcomes, strict=True):
        cases = found.setdefault(part, [])
        module, function = PARTS[part].entry
        if not cases:
            cases.append(f"import unittest\n\nfrom {package.name}.{module} import {function}\n\n")
            cases.append(f"class Test{part.capitalize()}(unittest.TestCase):\n")
        cases.append(
            f"    def test_{len(cases) - 1}(self):\n        found = {_call(function, args, 8)}\n"
            f"        self.assertEqual(found, {_value(outcome, 8)})\n\n"
        )
    return {f"tests/test_{part}.py": "".join(cases).rstrip("\n") + "\n" for part, cases in found.items()}


def issue(package: Package, call: Call, got: Any, should: Any) -> str:
    """A user's report of a call.

    Args:
        package: The package.
        call: The call.
        got: Its actual result.
        should: Its expected result; None if the user does not know it.
    """
    module, function = PARTS[call.part].entry
    lines = [
        f"Wrong result of {module}.{function}",
        "",
        f"    from {package.name}.{module} import {function}",
        indent(_call(function, call.args, 0), "    "),
        "",
    ]
    if isinstance(got, tuple) and got[:1] == (RAISED,):
        lines.append(f"raises {got[1]}.")
    else:
        lines += ["gives", "", indent(_value(got, 0), "    ")]
    if should is None:
        lines += ["", "That cannot be right."]
    else:
        lines += ["", "It should give", "", indent(_value(should, 0), "    ")]
    return "\n".join(lines)


def _value(value: Any, column: int) -> str:
    return indent(pformat(value, width=_WIDTH, sort_dicts=False), " " * column).lstrip(" ")


def _call(function: str, args: Sequence[Any], column: int) -> str:
    inner = " " * 4
    written = [indent(pformat(arg, width=_WIDTH, sort_dicts=False), inner) for arg in args]
    return indent(f"{function}(\n" + "".join(f"{arg},\n" for arg in written) + ")", " " * column).lstrip(" ")
