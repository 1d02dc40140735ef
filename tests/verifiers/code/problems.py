"""Problems with their tests, as rows of a user's file, and the verdicts on programs."""

from __future__ import annotations

import json
from typing import Any

from envhub.core.types import Verdict
from envhub.verifiers.code.own_tests import AgainstTests

Row = dict[str, Any]

DOUBLE: Row = {
    "prompt": "Read an integer, print its double.",
    "cases": [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in (3, 71, -5)],
}
CALL: Row = {
    "prompt": "Write double.",
    "function": "double",
    "cases": [{"args": [3], "expected": 6}, {"args": [71], "expected": 142}],
}
SQUARE: Row = {
    "prompt": "Print two factors of n.",
    "cases": [{"input": "12\n", "output": "12"}, {"input": "35\n", "output": "35"}],
    "checker": "def check(n, text, right):\n  a, b = map(int, text.split())\n  return a * b == int(right) and 1 < a < int(n)",
}
"""It has many right outputs, so a checker judges them."""

RIGHT, LISTED = "def double(n): return 2 * n", "def double(n): return [2 * n]"
METHOD = "class Solution:\n    def double(self, n): return 2 * n"


def public(outputs: list[Any], *, name: str = "double", inputs: Any = ([3], [71]), **more: Any) -> Row:
    """A problem in the shape of public datasets: `input_output` with the name of a function."""
    tests = {"inputs": list(inputs), "outputs": outputs, "fn_name": name}
    return {"prompt": "x", "input_output": tests, **more}


def block(source: str, language: str = "python") -> str:
    """A program as an answer."""
    return f"```{language}\n{source}\n```"


def judged(row: Row, source: str, language: str = "python") -> Verdict:
    """The verdict on a program."""
    return AgainstTests(json.dumps(row))(block(source, language))
