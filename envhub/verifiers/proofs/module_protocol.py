"""Judges a proof by compiling three modules, one of them the submission.

Language-independent.

``Spec`` is ours and states ``goal``. ``Submission`` is theirs, compiled in its own jail. ``Check`` is ours: in another
jail, with nothing of theirs open, it states under a partly random name that their theorem proves ``Spec.goal``, and
asks for its axioms. A language defines how a text is prepared, compiled and read::

    class Mine(ModuleProtocol[MyRun]): ...
    report = Mine(sandbox, limits).check(statement, submission)

``proved`` requires that both modules compile without an error and that the kernel answers our question with allowed
axioms; an exit status or silence is not enough. ``rejected`` requires a run that finished with an error, or that
exhausted what only its own work can. Anything else is inconclusive: it is retried if the kernel is still healthy, and
is then ``abused``; with a broken kernel, ``error``.

Processor time decides. Wall time only bounds a check: its limit grows with the load of the machine (:func:`patience`),
and a run that times out is never ``abused``. Such a run is ``rejected`` if it waited by itself on a machine that was
not busy, twice, and otherwise an ``error``.
"""

from __future__ import annotations

import os
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final, Generic, Protocol, TypeVar

from envhub.core.errors import JudgementError, MissingExtra
from envhub.sandbox import Job, Limits, Program, Result, Sandbox
from envhub.verifiers.proofs.proof import Message, ProofReport, Statement
from envhub.verifiers.proofs.proof_text import Refused

_KEPT: Final = 256
_SPENT: Final = frozenset({"cpu", "memory", "output", "file"})
"""The limits that only the program's own work can exhaust."""
_LEAST_S: Final = 2.0
"""Wall time of a run if a check has used its time; enough for a probe."""
_BUSY: Final = 1.0
"""Load per processor above which other processes may have delayed a run."""
_WAITED: Final = 0.25
"""Share of processor in wall time up to which a run waited by itself, unless the machine is busy."""


class Run(Protocol):
    """One compiled module."""

    @property
    def result(self) -> Result:
        """The result of the program."""

    @property
    def compiled(self) -> bytes | None:
        """The module, if the run finished without errors."""

    @property
    def wrong(self) -> bool:
        """Whether the run finished and found an error in the text."""

    @property
    def remarks(self) -> str:
        """Output that our statements may not cause, even if they compile."""


R = TypeVar("R", bound=Run)


class ModuleProtocol(ABC, Generic[R]):
    """Checks proofs by three modules."""

    suffix: ClassVar[str]
    """File name suffix of a compiled module."""
    probe: ClassVar[tuple[Statement, str, str]]
    """A statement, a proof of it and a non-proof, to check a kernel's health."""

    def __init__(self) -> None:
        self._specs: OrderedDict[Statement, bytes] = OrderedDict()
        self._lock = threading.Lock()
        self._proven = False
        self._turn = threading.local()

    def check(self, statement: Statement, submission: str) -> ProofReport:
        """See :meth:`Kernel.check`."""
        started = time.monotonic()
        self._turn.until = None
        self._ready()
        self._turn.until = None
        try:
            report = self._verdict(statement, self._prepared(submission))
        except Refused as refused:
            report = ProofReport("refused", (Message("error", str(refused), refused.line, refused.column),))
        return report.timed(time.monotonic() - started)

    def goals(self, statement: Statement, submission: str, line: int) -> tuple[str, ...]:
        """See :meth:`Kernel.goals`."""
        self._turn.until = None
        try:
            text = self._prepared("\n".join(submission.split("\n")[: line - 1]) + "\n")
        except Refused:
            return ()
        self._ready()
        return self._left(statement, text)

    # -- specific to a language ------------------------------------------------------------------------------

    @abstractmethod
    def _prepared(self, submission: str) -> str:
        """The text for the kernel.

        Raises:
            Refused: It has text that no proof needs.
        """

    @abstractmethod
    def _compile(self, module: str, text: str, files: Mapping[str, bytes]) -> R:
        """Compile a module, with the given files beside it."""

    @abstractmethod
    def _spec_text(self, statement: Statement) -> str:
        """``Spec``: the preamble, and the statement as ``goal``."""

    @abstractmethod
    def _head(self, statement: Statement) -> str:
        """Our lines before those of ``Submission``; each with its line end."""

    @abstractmethod
    def _question(self, statement: Statement, name: str) -> str:
        """The question for the kernel's check of a theorem.

        ``Check``: their theorem as a proof of ``Spec.goal`` under this name, and its axioms.
        """

    @abstractmethod
    def _axioms(self, ran: R, name: str) -> tuple[str, ...] | None:
        """The kernel's answer to our question.

        None for no or any other answer.
        """

    @abstractmethod
    def _messages(self, ran: R, head: str, text: str) -> tuple[Message, ...]:
        """The messages on ``Submission``, with their places in its text."""

    @abstractmethod
    def _open(self, statement: Statement, text: str, messages: tuple[Message, ...]) -> tuple[str, ...]:
        """The open goals where a proof ends too early.

        For a text with an error.
        """

    @abstractmethod
    def _left(self, statement: Statement, text: str) -> tuple[str, ...]:
        """The open goals at the end of a text."""

    @abstractmethod
    def _lacks(self, ran: R) -> bool:
        """Whether ``Check`` fails because they have no theorem of the name."""

    @abstractmethod
    def _unwell(self) -> str:
        """Advice about a kernel that does not work here."""

    # -- the verdict ---------------------------------------------------------------------------------------------------

    def _verdict(self, statement: Statement, text: str) -> ProofReport:
        """Judges a prepared text; retries once if inconclusive."""
        waited = False
        for _ in range(2):
            try:
                report = self._judge(statement, text)
            except _RanOut as ran_out:
                if not self._waited(ran_out.result):
                    return ProofReport("error", fault="the machine was too busy to check the proof in time")
                waited, report = True, None
            if report is not None:
                return report
            if not self._well():
                return ProofReport("error", fault="the kernel does not work at present")
        if waited:
            return _too_much("cpu")
        return ProofReport("abused", (Message("error", "The proof ended the checker without a verdict."),))

    def _waited(self, result: Result) -> bool:
        """Whether a timed-out run waited by itself.

        Otherwise it waited for a busy processor.
        """
        return result.usage.cpu_s <= _WAITED * result.usage.wall_s and not busy()

    def _judge(self, statement: Statement, text: str) -> ProofReport | None:
        """The verdict; None if inconclusive.

        Raises:
            _RanOut: A run timed out.
        """
        theirs = self._submitted(statement, text)
        _in_time(theirs.result)
        if (limit := theirs.result.limit) in _SPENT:
            return _too_much(limit)
        messages = self._messages(theirs, self._head(statement), text)
        if theirs.wrong:
            return ProofReport("rejected", messages, self._open(statement, text, messages))
        if theirs.compiled is None:
            return None
        name = f"verdict_{secrets.token_hex(8)}"
        modules = self._modules(statement) | {f"Submission{self.suffix}": theirs.compiled}
        ours = self._compile("Check", self._question(statement, name), modules)
        _in_time(ours.result)
        if (limit := ours.result.limit) in _SPENT:
            return _too_much(limit)
        if ours.wrong:
            return ProofReport("rejected", (*messages, mismatch(statement, lacks=self._lacks(ours))))
        axioms = self._axioms(ours, name) if ours.compiled is not None else None
        return None if axioms is None else allowed(statement, axioms, messages)

    def _patient(self, limits: Limits) -> Limits:
        """The limits of a run: ``wall_s`` covers all runs of a check.

        This one gets the rest.
        """
        now, until = time.monotonic(), getattr(self._turn, "until", None)
        if until is None:
            until = self._turn.until = now + limits.wall_s
        return replace(limits, wall_s=max(_LEAST_S, min(patience(limits), until - now)))

    # -- modules -------------------------------------------------------------------------------------------------------

    def _submitted(self, statement: Statement, text: str) -> R:
        """Compile the submission."""
        return self._compile("Submission", f"{self._head(statement)}{text}\n", self._modules(statement))

    def _modules(self, statement: Statement) -> dict[str, bytes]:
        return {f"Spec{self.suffix}": self._spec(statement)}

    def _spec(self, statement: Statement) -> bytes:
        """The compiled module of the statement.

        Raises:
            JudgementError: It does not compile silently.
        """
        with self._lock:
            if statement in self._specs:
                self._specs.move_to_end(statement)
                return self._specs[statement]
        for _ in range(2):
            ran = self._compile("Spec", self._spec_text(statement), {})
            if ran.compiled is not None or ran.wrong:
                break
        if ran.result.limit == "wall":
            raise JudgementError(f"The statement {statement.name} did not compile in time: the machine is too busy.")
        if ran.compiled is None or ran.remarks:
            said = ran.remarks or ran.result.stderr.decode("utf-8", "replace") or repr(ran.result)
            raise JudgementError(f"The statement {statement.name} does not compile: {said[:300]}")
        with self._lock:
            self._specs[statement] = ran.compiled
            while len(self._specs) > _KEPT:
                self._specs.popitem(last=False)
        return ran.compiled

    # -- whether the kernel is well ------------------------------------------------------------------------------------

    def _ready(self) -> None:
        """Check once that it accepts a proof and rejects a non-proof.

        Raises:
            MissingExtra: It does not; with advice.
        """
        if not self._proven and not self._well():
            raise MissingExtra(self._unwell())
        self._proven = True

    def _well(self) -> bool:
        statement, true, false = self.probe
        with self._lock:
            self._specs.pop(statement, None)
        try:
            good, bad = (self._judge(statement, text) for text in (true, false))
        except (JudgementError, _RanOut):
            return False
        return good is not None and good.accepted and bad is not None and bad.outcome == "rejected"


class _RanOut(Exception):
    """A run timed out, without exhausting another limit."""

    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


def _in_time(result: Result) -> None:
    if result.limit == "wall":
        raise _RanOut(result)


def load() -> float:
    """Runnable processes per processor.

    Now or in the last minute, whichever is higher.
    """
    try:
        with open("/proc/loadavg") as file:
            row = file.read().split()
        return max(float(row[0]), float(row[3].partition("/")[0]) - 1) / (os.cpu_count() or 1)
    except (OSError, ValueError, IndexError):
        return os.getloadavg()[0] / (os.cpu_count() or 1)


def busy() -> bool:
    """Whether the load exceeds the number of processors."""
    return load() > _BUSY


def patience(limits: Limits) -> float:
    """Wall seconds in which a run exhausts its processor time.

    At the current load, with a margin.

    Args:
        limits: ``cpu_s``, and ``wall_s`` as the maximum.
    """
    return min(limits.wall_s, limits.cpu_s * (2 + 2 * load()))


def run_jailed(
    sandbox: Sandbox,
    limits: Limits,
    script: str,
    files: Mapping[str, bytes],
    made: str,
    args: Sequence[str] = (),
    warm: str = "",
) -> Result:
    """Run a compiler in its own jail.

    Args:
        sandbox: The sandbox.
        limits: Its limits.
        script: A shell script.
        files: Its files.
        made: The name of the file that it creates.
        args: Arguments of the script.
        warm: The program that a warm sandbox runs with these arguments instead of the script.
    """
    (result,) = sandbox.run(Job(Program(script, "bash", files, tuple(args)), fetch=(made,), limits=limits, warm=warm))
    return result


def allowed(statement: Statement, axioms: tuple[str, ...], messages: tuple[Message, ...] = ()) -> ProofReport:
    """The report on a proof with these axioms and messages.

    It proves the statement.
    """
    beyond = [axiom for axiom in axioms if axiom not in statement.axioms]
    if not beyond:
        return ProofReport("proved", messages, axioms=axioms)
    said = f"The proof rests on {', '.join(beyond)}, which is not allowed."
    return ProofReport("rejected", (*messages, Message("error", said)), axioms=axioms)


def mismatch(statement: Statement, *, lacks: bool) -> Message:
    """The message on a submission without errors that proves something else.

    A missing theorem has a message of its own.
    """
    if lacks:
        return Message("error", f"The submission holds no theorem {statement.name}.")
    return Message("error", f"What {statement.name} proves is not the statement that was asked.")


def _too_much(limit: str) -> ProofReport:
    what = {"cpu": "time", "memory": "memory"}.get(limit, f"{limit} room")
    return ProofReport("rejected", (Message("error", f"Checking the proof took too much {what}."),))
