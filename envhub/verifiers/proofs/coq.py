"""Coq's kernel, in the sandbox.

The submission is one of three modules (:mod:`envhub.verifiers.proofs.module_protocol`).

``Check`` states ``Definition verdict_N : Spec.goal := @Submission.t`` and asks for the assumptions; Coq must print
nothing else. Text that could make a compiled module lie is refused before (:mod:`envhub.verifiers.proofs.coq_text`)::

    report = CoqKernel().check(Statement("t", "forall n, n + 0 = n", axioms=frozenset()), "Theorem t : ...")
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from envhub.core.errors import MissingExtra
from envhub.sandbox import Limits, Result, Sandbox, default_sandbox
from envhub.verifiers.proofs.coq_text import prepared
from envhub.verifiers.proofs.module_protocol import ModuleProtocol, run_jailed
from envhub.verifiers.proofs.proof import Message, Statement

LIMITS: Final = Limits(wall_s=90.0, cpu_s=8.0, memory_mb=2048, pids=64, output_bytes=1 << 20)
"""Limits of a run; ``wall_s`` limits a check, and suffices at a load of five per processor."""
_COMMAND: Final = "exec env OCAMLFIND_CONF=/box/work/findlib.conf coqc -q -w none {module}.v"
_CLOSED: Final = "Closed under the global context\n"
_WHERE: Final = re.compile(r'File "\./(\w+)\.v", line (\d+), characters (\d+)-\d+:\n(?:In environment\n)?')
_PENDING: Final = "There are pending proofs"
_LEFT: Final = re.compile(r"(?m)^goal \d+ is:\n|^\d+ (?:focused )?goals?(?: .*)?\n")
_PROBE: Final = (
    Statement("t", "2 + 2 = 4", axioms=frozenset()),
    "Theorem t : 2 + 2 = 4.\nProof. reflexivity. Qed.",
    "Theorem t : 2 + 2 = 4.\nProof. exact (eq_refl 5). Qed.",
)


@dataclass(frozen=True, slots=True)
class _Ran:
    """One run of ``coqc``."""

    module: str
    result: Result

    @property
    def said(self) -> str:
        return self.result.stderr.decode("utf-8", "replace")

    @property
    def compiled(self) -> bytes | None:
        """The compiled module, if the run found no error."""
        if self.result.exit != 0 or self.result.limit or self.result.fault or self.said:
            return None
        return self.result.files.get(f"{self.module}.vo")

    @property
    def wrong(self) -> bool:
        """Whether the run finished and found an error in the text."""
        ended = not (self.result.limit or self.result.fault or self.result.crashed or self.result.cut)
        placed = _PENDING in self.said or bool(_WHERE.search(self.said))
        return ended and self.result.exit in (1, 129) and "Error" in self.said and placed

    @property
    def remarks(self) -> str:
        """Output besides errors: empty, unless a question was asked."""
        return self.result.stdout.decode("utf-8", "replace")


class CoqKernel(ModuleProtocol[_Ran]):
    """Checks proofs with the installed Coq.

    Args:
        sandbox: The sandbox; by default that of this process.
        limits: Limits of each run; ``wall_s`` covers a check.

    Raises:
        MissingExtra: There is no Coq.
    """

    suffix: ClassVar[str] = ".vo"
    probe: ClassVar[tuple[Statement, str, str]] = _PROBE

    def __init__(self, sandbox: Sandbox | None = None, limits: Limits = LIMITS) -> None:
        self._findlib = _findlib()
        super().__init__()
        self._sandbox = sandbox or default_sandbox()
        self._limits = limits

    def _prepared(self, submission: str) -> str:
        return prepared(submission)

    def _compile(self, module: str, text: str, files: Mapping[str, bytes]) -> _Ran:
        inside = {**files, f"{module}.v": text.encode(), "findlib.conf": self._findlib}
        script, made = _COMMAND.format(module=module), f"{module}{self.suffix}"
        return _Ran(module, run_jailed(self._sandbox, self._patient(self._limits), script, inside, made))

    def _spec_text(self, statement: Statement) -> str:
        return f"{_imports(statement)}{statement.preamble}\nDefinition goal : Prop :=\n  {statement.type}.\n"

    def _head(self, statement: Statement) -> str:
        return f"{_imports(statement)}Require Import Spec.\n"

    def _question(self, statement: Statement, name: str) -> str:
        return (
            "Require Spec.\nRequire Submission.\nSet Printing Width 1000000.\n"
            f"Definition {name} : Spec.goal := @Submission.{statement.name}.\nPrint Assumptions {name}.\n"
        )

    def _axioms(self, ran: _Ran, name: str) -> tuple[str, ...] | None:
        return _assumed(ran.remarks)

    def _messages(self, ran: _Ran, head: str, text: str) -> tuple[Message, ...]:
        return (_message(ran.said, head + text, head.count("\n")),) if ran.wrong else ()

    def _open(self, statement: Statement, text: str, messages: tuple[Message, ...]) -> tuple[str, ...]:
        (message,) = messages
        if "incomplete proof" not in message.text:
            return ()
        lines = text.split("\n")[: message.line]
        lines[-1] = lines[-1][: message.column]
        return self._left(statement, "\n".join(lines) + "\n")

    def _left(self, statement: Statement, text: str) -> tuple[str, ...]:
        ran = self._submitted(statement, f"{text}\nShow.\nAbort All.")
        if ran.compiled is None:
            return ()
        parts = _LEFT.split(ran.remarks)
        return tuple(_flat(part) for part in parts[1:] if part.strip())

    def _lacks(self, ran: _Ran) -> bool:
        return "was not found" in ran.said

    def _unwell(self) -> str:
        backend = self._sandbox.describe()["backend"]
        return f"Coq does not work in the {backend} sandbox: it has to be installed below /usr, as {_HOW}."


def shared() -> CoqKernel:
    """The kernel of environments.

    Raises:
        MissingExtra: There is no Coq.
    """
    return CoqKernel()


_HOW: Final = "apt-get install coq does it"


def _findlib() -> bytes:
    """Options that tell Coq its paths, since jails have no /etc.

    Raises:
        MissingExtra: There is no Coq.
    """
    coq = shutil.which("coqc")
    if coq is None:
        raise MissingExtra(f"There is no Coq here. It is part of Debian: {_HOW}.")
    run = subprocess.run([coq, "-config"], capture_output=True, text=True, check=False, timeout=60)
    rows = dict(line.split("=", 1) for line in run.stdout.splitlines() if "=" in line)
    core = rows.get("COQCORELIB") or rows.get("COQLIB") or "/usr/lib/ocaml/coq-core"
    place = str(Path(core).parent)
    return f'destdir="{place}"\npath="{place}"\n'.encode()


def _imports(statement: Statement) -> str:
    """One per line, so that lines can be counted."""
    required = f"Require Import {' '.join(statement.imports)}.\n" if statement.imports else ""
    return required + "".join(f"Import {name}.\n" for name in statement.opens)


def _assumed(said: str) -> tuple[str, ...] | None:
    """The assumptions listed by ``Print Assumptions``; None for any other output.

    Assumptions are listed line by line, names first; the rest of a type is indented. Any other line, such as one that a
    definition is assumed to terminate, counts as a name that is never allowed.
    """
    if said == _CLOSED:
        return ()
    head, _, rest = said.partition("\n")
    if head != "Axioms:" or not rest.strip():
        return None
    rows = [line for line in rest.splitlines() if line and not line[0].isspace()]
    return tuple(sorted({row.partition(" :")[0].strip() for row in rows})) or None


def _message(said: str, text: str, head: int) -> Message:
    """The error with its place in the submission.

    Converts Coq's byte columns to characters.
    """
    lines = text.split("\n")
    found = _WHERE.search(said)
    if found is None:  # the only error without a place
        return Message("error", "The text ends in the middle of a proof.", max(1, len(lines) - head))
    line, column = int(found[2]), int(found[3])
    before = lines[line - 1] if line <= len(lines) else ""
    said = said[found.end() :].strip().removeprefix("Error:").strip()
    return Message("error", said, max(1, line - head), len(before.encode()[:column].decode("utf-8", "ignore")))


def _flat(goal: str) -> str:
    """A goal without the common indentation of its lines."""
    lines = [line.removeprefix("  ") for line in goal.splitlines()]
    return "\n".join(line for line in lines if line.strip()).strip()
