r"""Public gold answers and labelled pairs in a folder of yours.

The environment variable ``ENVHUB_GOLDS`` names a folder with any of:

- ``golds.jsonl``: a line for each gold, ``{"source", "gold"}``;
- ``math_verify/test_*.py``: the tests of math-verify, whose tables of ``gold``, ``pred`` and ``expected`` are read as
  literals and never run.

Every readable gold should equal itself under the rewritings of :data:`REWRITINGS`. Nothing of the folder is part of
the package::

    sets = in_folder(Path("golds"))         # {"math-verify's tests": [Pair, ...], "rewritten golds": [Pair, ...]}
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from envhub.core.errors import InvalidParameters
from envhub.evaluation.math_texts import gold_of_text
from envhub.verifiers.math.pairs import Pair

VARIABLE: Final = "ENVHUB_GOLDS"
REWRITTEN: Final = "rewritten golds"
"""The set whose answers are golds in other notations, not whole responses."""

_FRACTION: Final = re.compile(r"\\frac(?![a-z])")
_COMMA: Final = re.compile(r",(?![0-9]{3})(?!\\!)\s*")
_SQUEEZED: Final = re.compile(r"(?<=[0-9)}\]=+]) +(?=[+=)}\]-])")


def _dollars(text: str) -> str:
    return text if "$" in text else f"${text}$"


def _spread(text: str) -> str:
    """Spaces around signs outside words, as some data sets write them."""
    return text if "\\text" in text else re.sub(r"(?<![\\<>=!-])([+=])(?![=>])", r" \1 ", text)


REWRITINGS: Final[Mapping[str, Callable[[str], str]]] = {
    "itself": str,
    "\\dfrac": lambda text: _FRACTION.sub(r"\\dfrac", text),
    "\\tfrac": lambda text: _FRACTION.sub(r"\\tfrac", text),
    "in a box": lambda text: f"\\boxed{{{text}}}" if text.count("{") == text.count("}") else text,
    "in dollars": _dollars,
    "without dollars": lambda text: text.replace("\\$", "\0").replace("$", " ").replace("\0", "\\$"),
    "displayed": lambda text: text if "$" in text else f"\\[{text}\\]",
    "a full stop": lambda text: text if text.rstrip().endswith((".", "\\")) else f"{text}.",
    "without \\left": lambda text: re.sub(
        r"\\(?:left|right)(?=[\s()\[\]|\\])(?!\s?\\(?:left|right|lang|rang))", "", text
    ),
    "spaces after commas": lambda text: _COMMA.sub(", ", text),
    "no spaces before signs": lambda text: text if "\\text" in text else _SQUEEZED.sub("", text),
    "spaces around signs": _spread,
    "\\displaystyle": lambda text: text.replace("$", "$\\displaystyle ", 1) if text.startswith("$") else text,
}
"""Changes of notation that change no value, by name."""


def folder() -> Path | None:
    """The folder that ``ENVHUB_GOLDS`` names, or None."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def in_folder(path: Path) -> dict[str, list[Pair]]:
    """The sets of labelled pairs in a folder, by name.

    Empty sets are left out.

    Raises:
        InvalidParameters: The folder has none, or a file cannot be read.
    """
    found = {
        "math-verify's tests": [pair for file in sorted(path.glob("math_verify/test_*.py")) for pair in tests_in(file)],
        REWRITTEN: [pair for source, gold in golds_in(path / "golds.jsonl") for pair in rewritten(source, gold)],
    }
    if not any(found.values()):
        raise InvalidParameters(
            f"{path} has neither golds.jsonl nor math_verify/test_*.py; set {VARIABLE} to a folder that has."
        )
    return {name: pairs for name, pairs in found.items() if pairs}


def golds_in(path: Path) -> list[tuple[str, str]]:
    """The source and the text of each gold in a file.

    Empty if the file does not exist.

    Raises:
        InvalidParameters: A line is not a gold.
    """
    if not path.exists():
        return []
    rows: list[tuple[str, str]] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            rows.append((str(row.get("source", path.stem)), str(row["gold"])))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InvalidParameters(f"{path}, line {number}, is no gold: {error}.") from None
    return rows


def rewritten(source: str, gold: str) -> Iterator[Pair]:
    """The pairs of a gold and itself in other notations."""
    for change in dict.fromkeys(change(gold) for change in REWRITINGS.values()):
        yield Pair("auto", {}, gold, change, True, source)


def tests_in(path: Path) -> Iterator[Pair]:
    """The labelled pairs in the tables of a test module."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or getattr(node.func, "attr", "") != "parametrize" or len(node.args) < 2:
            continue
        names, table = node.args[:2]
        columns = [name.strip() for name in _literal(names, "").split(",")]
        right = next((name for name in ("expected", "result") if name in columns), "")
        if not {"gold", "pred"} <= set(columns) or not right or not isinstance(table, ast.List):
            continue
        for entry in table.elts:
            row = _literal(entry, ())
            if len(row) == len(columns):
                cells = dict(zip(columns, row, strict=True))
                yield Pair("auto", {}, gold_of_text(cells["gold"]), cells["pred"], bool(cells[right]), path.stem)


def _literal(node: ast.AST, otherwise: Any) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return otherwise
