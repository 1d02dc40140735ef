"""The three modules in Lean.

Their text, and how Lean's output is read.

``Check`` states ``theorem verdict_N : Spec.goal := @Submission.t`` and asks for the axioms; only a message at our line, of
exactly the expected words counts. Text that could make a submission lie is refused before
(:mod:`envhub.verifiers.proofs.lean_text`). A kernel compiles a module and returns Lean's messages as rows::

    class Mine(LeanModules):
        def _compile(self, module, text, files):
            return LeanRun(module, result, rows)
"""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from envhub.sandbox import Result
from envhub.verifiers.proofs.lean_text import prepared
from envhub.verifiers.proofs.module_protocol import ModuleProtocol
from envhub.verifiers.proofs.proof import Message, Statement

Rows = tuple[Mapping[str, Any], ...]
"""Lean's messages: ``severity``, ``data`` and ``pos`` (``line`` from 1, ``column`` from 0), as in ``lean --json``."""
SEVERITIES: Final = ("error", "warning", "information")
_SILENT: Final = re.compile(r"'([^']+)' does not depend on any axioms")
_AXIOMS: Final = re.compile(r"'([^']+)' depends on axioms: \[([^\]]*)\]")
_UNSOLVED: Final = "unsolved goals\n"
_PROBE: Final = Statement("t", "2 + 2 = 4"), "theorem t : 2 + 2 = 4 := rfl", "theorem t : 2 + 2 = 4 := Eq.refl 5"


@dataclass(frozen=True, slots=True)
class LeanRun:
    """One compiled module and its messages; None for any other output."""

    module: str
    result: Result
    rows: Rows | None

    @property
    def compiled(self) -> bytes | None:
        """The compiled module, if the run found no error."""
        if self.rows is None or self.result.limit or self.result.exit != 0 or self.errors:
            return None
        return self.result.files.get(f"{self.module}.olean")

    @property
    def wrong(self) -> bool:
        """Whether the run finished and found an error in the text."""
        return self.rows is not None and not self.result.limit and self.result.exit in (0, 1) and bool(self.errors)

    @property
    def errors(self) -> list[str]:
        """The errors it found."""
        return [row["data"] for row in self.rows or () if row["severity"] == "error"]

    @property
    def remarks(self) -> str:
        """Errors, and warnings of ``sorry`` and the like."""
        return "\n".join(row["data"] for row in self.rows or () if row["severity"] != "information")


class LeanModules(ModuleProtocol[LeanRun], ABC):
    """Checks proofs by three modules of Lean."""

    suffix: ClassVar[str] = ".olean"
    probe: ClassVar[tuple[Statement, str, str]] = _PROBE
    question_line: ClassVar[int]
    """Line of ``Check`` that asks for the axioms of the proof."""

    def _prepared(self, submission: str) -> str:
        return prepared(submission)

    def _spec_text(self, statement: Statement) -> str:
        opens = f"open{opened}\n" if (opened := opened_in(statement)) else ""
        goal = f"{statement.preamble}\ndef goal : Prop :=\n  {statement.type}\n"
        return f"{imports_of(statement)}namespace Spec\n{opens}{goal}end Spec\n"

    def _question(self, statement: Statement, name: str) -> str:
        return f"theorem {name} : _root_.Spec.goal := @_root_.Submission.{statement.name}\n#print axioms {name}\n"

    def _axioms(self, ran: LeanRun, name: str) -> tuple[str, ...] | None:
        if ran.rows is None or len(ran.rows) != 1:
            return None
        (row,) = ran.rows
        if row["severity"] != "information" or row["pos"] != {"line": self.question_line, "column": 0}:
            return None
        return _listed(row["data"], name)

    def _messages(self, ran: LeanRun, head: str, text: str) -> tuple[Message, ...]:
        before = head.count("\n")
        places = ((row, int(row["pos"].get("line", 1)), int(row["pos"].get("column", 0))) for row in ran.rows or ())
        return tuple(
            Message(row["severity"], row["data"], max(1, line - before), column) for row, line, column in places
        )

    def _open(self, statement: Statement, text: str, messages: tuple[Message, ...]) -> tuple[str, ...]:
        for message in messages:
            if message.severity == "error" and message.text.startswith(_UNSOLVED):
                goals = message.text.removeprefix(_UNSOLVED).split("\n\n")
                return tuple(goal.strip() for goal in goals if goal.strip())
        return ()

    def _left(self, statement: Statement, text: str) -> tuple[str, ...]:
        messages = self._messages(self._submitted(statement, text), self._head(statement), text)
        return self._open(statement, text, messages)

    def _lacks(self, ran: LeanRun) -> bool:
        return any(unknown(said) for said in ran.errors)


def imports_of(statement: Statement) -> str:
    """The lines that import a statement's modules."""
    return "".join(f"import {name}\n" for name in statement.imports)


def opened_in(statement: Statement) -> str:
    """The namespaces open for a statement, as written after ``open``."""
    return "".join(f" {name}" for name in statement.opens)


def unknown(said: str) -> bool:
    """Whether an error is about an unknown name."""
    return "Unknown" in said or "unknown" in said


def _listed(said: str, name: str) -> tuple[str, ...] | None:
    """The axioms listed by ``#print axioms``; None for other output or another name."""
    if (silent := _SILENT.fullmatch(said)) and silent[1] == name:
        return ()
    listed = _AXIOMS.fullmatch(said)
    if listed is None or listed[1] != name or not listed[2].strip():
        return None
    return tuple(sorted(axiom.strip() for axiom in listed[2].split(",")))
