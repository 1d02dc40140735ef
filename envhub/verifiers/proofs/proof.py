"""Statements, proof reports, and the interface of proof kernels.

A :class:`Kernel` checks whether a submission proves exactly the given statement. Its report says whose fault a failure is::

    report = kernel.check(Statement("t", "∀ p q : Prop, p ∧ q → q ∧ p"), "theorem t (p q : Prop) (h : p ∧ q) : ...")
    report.accepted, report.messages, report.axioms, report.fault

Only ``accepted`` is a pass. An exit status of 0 or an empty output is not.
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
    """A statement to prove. All of it is ours and trusted.

    Attributes:
        name: Name of the theorem that the submission must contain.
        type: The proposition, a closed term: ``∀ (n : Nat), 0 + n = n``.
        preamble: Definitions that the statement and proofs use.
        imports: Modules besides the standard ones.
        opens: Namespaces that are open for the statement and for proofs.
        axioms: The axioms that a proof may use.

    Raises:
        InvalidParameters: A name is not valid.
    """

    name: str
    type: str
    preamble: str = ""
    imports: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    axioms: frozenset[str] = STANDARD_AXIOMS

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InvalidParameters(f"{self.name!r} is not a valid name of a theorem.")
        for what in (*self.imports, *self.opens):
            if not _NAME.fullmatch(what):
                raise InvalidParameters(f"{what!r} is not a valid name of a module or a namespace.")

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        row: dict[str, Any] = {"name": self.name, "type": self.type, "preamble": self.preamble}
        return row | {"imports": list(self.imports), "opens": list(self.opens), "axioms": sorted(self.axioms)}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Inverse of :meth:`to_json`."""
        lists = {name: tuple(row[name]) for name in ("imports", "opens")}
        return cls(row["name"], row["type"], row["preamble"], **lists, axioms=frozenset(row["axioms"]))


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the kernel about a place in a submission.

    Lines count from 1, columns from 0.
    """

    severity: Severity
    text: str
    line: int = 1
    column: int = 0


@dataclass(frozen=True, slots=True)
class ProofReport:
    """The result of checking a submission.

    Attributes:
        outcome: ``proved``; ``refused``: filtered before the kernel, for content that no proof needs; ``rejected``: the
            kernel does not accept it as a proof of the statement; ``abused``: it crashed the kernel twice, and the kernel was
            healthy before and after; ``error``: we could not judge it.
        messages: Messages about the submission.
        goals: The open goals where the proof ends too early.
        axioms: The axioms that the proof uses.
        fault: Why we could not judge.
        seconds: Duration of the check; not compared and not stored.
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
        """Plain values, without the duration."""
        messages = [[each.severity, each.text, each.line, each.column] for each in self.messages]
        row: dict[str, Any] = {"outcome": self.outcome, "messages": messages, "goals": list(self.goals)}
        return row | {"axioms": list(self.axioms), "fault": self.fault}

    @classmethod
    def from_json(cls, row: Mapping[str, Any]) -> Self:
        """Inverse of :meth:`to_json`."""
        messages = tuple(Message(*each) for each in row["messages"])
        return cls(row["outcome"], messages, tuple(row["goals"]), tuple(row["axioms"]), row["fault"])

    def timed(self, seconds: float) -> ProofReport:
        """A copy with the duration."""
        return replace(self, seconds=seconds)


class Kernel(Protocol):
    """Checks proofs. No submission makes it raise."""

    def check(self, statement: Statement, submission: str) -> ProofReport:
        """Check whether the submission proves the statement.

        Raises:
            MissingExtra: The kernel is not installed.
            JudgementError: The statement itself does not compile.
        """

    def goals(self, statement: Statement, submission: str, line: int) -> tuple[str, ...]:
        """The open goals before a line of the submission, counted from 1.

        Empty if none, or on errors.
        """
