"""Formal proofs: what is to be proved, and what a kernel says of a submission.

A :class:`Kernel` checks whether a submission proves a statement, exactly that one. Its report says whose fault a failure is::

    report = kernel.check(Statement("t", "∀ p q : Prop, p ∧ q → q ∧ p"), "theorem t (p q : Prop) (h : p ∧ q) : ...")
    report.accepted, report.messages, report.axioms, report.fault

Only ``accepted`` is a pass: neither an exit status nor silence is one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, Protocol, Self

from envhub.core.errors import InvalidParameters

STANDARD_AXIOMS: Final = frozenset({"propext", "Classical.choice", "Quot.sound"})
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_']*(\.[A-Za-z][A-Za-z0-9_']*)*")
Severity = Literal["error", "warning", "information"]
Outcome = Literal["proved", "refused", "rejected", "abused", "error"]


@dataclass(frozen=True, slots=True)
class Statement:
    """What is to be proved. All of it is ours and trusted.

    Attributes:
        name: Of the theorem that the submission is to hold.
        type: What it states, a closed term: ``∀ (n : Nat), 0 + n = n``.
        preamble: Definitions that the statement and proofs use.
        imports: Modules beside the standard ones.
        opens: Namespaces that are open for the statement and for proofs.
        axioms: Those that a proof may rest on.

    Raises:
        InvalidParameters: The name is none.
    """

    name: str
    type: str
    preamble: str = ""
    imports: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    axioms: frozenset[str] = STANDARD_AXIOMS

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InvalidParameters(f"{self.name!r} is not the name of a theorem.")
        for what in (*self.imports, *self.opens):
            if not _NAME.fullmatch(what):
                raise InvalidParameters(f"{what!r} is not the name of a module or a namespace.")

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        row: dict[str, Any] = {"name": self.name, "type": self.type, "preamble": self.preamble}
        return row | {"imports": list(self.imports), "opens": list(self.opens), "axioms": sorted(self.axioms)}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """What :meth:`to_json` made."""
        lists = {name: tuple(row[name]) for name in ("imports", "opens")}
        return cls(row["name"], row["type"], row["preamble"], **lists, axioms=frozenset(row["axioms"]))


@dataclass(frozen=True, slots=True)
class Message:
    """What was said of a place in a submission: the line is counted from 1, the column from 0."""

    severity: Severity
    text: str
    line: int = 1
    column: int = 0


@dataclass(frozen=True, slots=True)
class ProofReport:
    """What came of a submission.

    Attributes:
        outcome: ``proved``; ``refused``: it holds what no proof needs, the kernel did not see it; ``rejected``: the kernel
            does not accept it as a proof of the statement; ``abused``: it took the kernel down, twice, which was well before
            and after; ``error``: we could not judge.
        messages: What was said, of places in the submission.
        goals: What is left to prove where a proof ends too early.
        axioms: What the proof rests on.
        fault: Why we could not judge.
        seconds: How long it took; not part of what is compared or kept.
    """

    outcome: Outcome
    messages: tuple[Message, ...] = ()
    goals: tuple[str, ...] = ()
    axioms: tuple[str, ...] = ()
    fault: str | None = None
    seconds: float = field(default=0.0, compare=False)

    @property
    def accepted(self) -> bool:
        """Whether the statement has been proved."""
        return self.outcome == "proved"

    def to_json(self) -> dict[str, Any]:
        """Plain values, without the time it took."""
        messages = [[each.severity, each.text, each.line, each.column] for each in self.messages]
        row: dict[str, Any] = {"outcome": self.outcome, "messages": messages, "goals": list(self.goals)}
        return row | {"axioms": list(self.axioms), "fault": self.fault}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """What :meth:`to_json` made."""
        messages = tuple(Message(*each) for each in row["messages"])
        return cls(row["outcome"], messages, tuple(row["goals"]), tuple(row["axioms"]), row["fault"])

    def timed(self, seconds: float) -> ProofReport:
        """The same with the time it took."""
        return replace(self, seconds=seconds)


class Kernel(Protocol):
    """Something that checks proofs. Nothing in a submission makes it raise."""

    def check(self, statement: Statement, submission: str) -> ProofReport:
        """Whether the submission proves the statement.

        Raises:
            MissingExtra: There is no kernel here.
            JudgementError: The statement itself does not compile.
        """

    def goals(self, statement: Statement, submission: str, line: int) -> tuple[str, ...]:
        """What is left to prove before a line of the submission, counted from 1; empty if nothing is, or it has errors."""
