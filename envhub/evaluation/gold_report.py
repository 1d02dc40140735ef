"""How the golds of a data set are read.

Without a declared kind.

Counts types, and lists what is unreadable or ambiguous with the kind to declare::

    report = gold_report(["(0, 1)", "42"])
    report.types, [finding.note for finding in report.findings]
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from envhub.core.errors import InvalidParameters
from envhub.verifiers.answers.golds import gold_in, is_prose
from envhub.verifiers.math import Gold, NotMath


class Finding(NamedTuple):
    """A gold that needs a decision of the author.

    Attributes:
        row: Its row, from 1.
        gold: Its text.
        note: ``unreadable: ...`` or ``ambiguous: ...``.
        kind: The kind to declare, or an empty text.
    """

    row: int
    gold: str
    note: str
    kind: str


@dataclass
class GoldReport:
    """The readings of all golds of a data set.

    Attributes:
        golds: Number of golds.
        types: Number of golds whose likeliest reading has a type, by type.
        kinds: Number of golds for which a kind is suggested, by kind.
        findings: Unreadable and ambiguous golds.
    """

    golds: int = 0
    types: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)

    @property
    def suggestion(self) -> str:
        """The one kind that suits all golds, or ``auto``."""
        return next(iter(self.kinds)) if len(self.kinds) == 1 and sum(self.kinds.values()) == self.golds else "auto"

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values."""
        return {
            "golds": self.golds,
            "types": dict(self.types.most_common()),
            "kinds": dict(self.kinds.most_common()),
            "suggestion": self.suggestion,
            "findings": [finding._asdict() for finding in self.findings],
        }


def gold_report(golds: Iterable[str], gold_from: str = "answer") -> GoldReport:
    """How golds are read.

    Args:
        golds: The golds, in the order of the data set.
        gold_from: Their location in the texts, one of :data:`envhub.verifiers.answers.golds.GOLD_FROM`.
    """
    report = GoldReport()
    for row, text in enumerate(golds, 1):
        report.golds += 1
        try:
            gold = Gold.of(gold_in(text, gold_from))
        except (NotMath, ValueError) as problem:
            report.types["unreadable"] += 1
            report.findings.append(Finding(row, text, f"unreadable: {problem}", ""))
            continue
        report.types[gold.types[0]] += 1
        report.kinds[gold.suggestion or "auto"] += 1
        note = _note(gold)
        if note:
            report.findings.append(Finding(row, gold.text, note, gold.suggestion))
    return report


def _note(gold: Gold) -> str:
    """What the author should decide; empty if nothing."""
    if not gold.readable or is_prose(gold.text):
        return "unreadable: only the same notation is equal to it"
    if not gold.ambiguous:
        return ""
    if gold.types[0] == "unordered list":
        return "ambiguous: a list whose order is unknown; any order is accepted"
    return f"ambiguous: {' or '.join(gold.types)}"


def golds_of(rows: Iterable[Any], column: str) -> list[str]:
    """The texts of a column.

    Raises:
        InvalidParameters: A row has no such text.
    """
    found: list[str] = []
    for number, row in enumerate(rows, 1):
        value = row.get(column) if isinstance(row, Mapping) else None
        if not isinstance(value, str):
            columns = ", ".join(map(str, row)) if isinstance(row, Mapping) else "none"
            raise InvalidParameters(f"Row {number} has no text in column {column!r}. Its columns: {columns}.")
        found.append(value)
    return found
