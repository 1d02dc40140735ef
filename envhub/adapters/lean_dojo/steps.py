"""A live proof of ``lean-dojo``'s, tactic by tactic, under the rules that hold for every submission.

Each step is answered with a :class:`envhub.verifiers.proofs.proof.ProofReport`. What ``Dojo`` calls a finished proof
is put, as a
whole, to a kernel of ours, and only what that kernel says is ``proved``: the library asks of a proof neither its axioms nor
that it can be read again. Its process is no jail, so no tactic reaches it that a submission may not hold::

    stated = theorem_of(row)                        # envhub.generators.user_files.theorems; the row is of
    envhub.adapters.lean_dojo.theorems with DojoProof(lambda: Dojo(theorem, timeout=60), stated, kernel) as proof:
        proof.goals
        proof.step("intro h").goals                 # what is left; the outcome is "rejected", for nothing is proved
        proof.step("exact h.symm").accepted

A process that is lost at a tactic is started again and brought to where it was: if it is lost there once more, the
tactic is to blame (``abused``), and if it cannot be brought there, nobody is (``error``). The library itself is never
imported here; its answers are told apart by what they hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from textwrap import dedent
from types import TracebackType
from typing import Any, Final, Self

from envhub.adapters.lean_dojo.theorems import statement_of
from envhub.core.errors import ResourceError
from envhub.generators.user_files.theorems import UserTheorem
from envhub.verifiers.proofs.lean_text import prepared
from envhub.verifiers.proofs.proof import Kernel, Message, ProofReport
from envhub.verifiers.proofs.proof_text import Refused

_LOST: Final = ("DojoCrashError", "DojoTacticTimeoutError", "DojoInitError")
_BLANK: Final = re.compile(r"[^\S\n]+\n")
_LONGEST: Final = 3000
"""Bytes of a tactic: it goes through a terminal, which cuts lines of 4,096."""


class _Lost(Exception):
    """The process did not answer, or not as it should."""


class DojoProof:
    """A proof that is being made. It ends with what is proved; a lost process ends it, too.

    Args:
        start: Makes the ``Dojo`` of the theorem, not yet entered.
        stated: The theorem, as it is asked.
        kernel: What says whether it is proved.
    """

    def __init__(self, start: Callable[[], Any], stated: UserTheorem, kernel: Kernel) -> None:
        self._start = start
        self._stated = stated
        self._kernel = kernel
        self._live: tuple[Any, Any] | None = None
        self._states: list[Any] = []
        self._script: list[str] = []

    def __enter__(self) -> Self:
        """Start the process.

        Raises:
            ResourceError: It does not start.
        """
        try:
            self._begin()
        except _Lost as lost:
            raise ResourceError(f"lean-dojo could not begin the proof of {self._stated.name}: {lost}") from lost
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self._end()

    @property
    def goals(self) -> tuple[str, ...]:
        """What is left to prove."""
        return _goals(self._states[-1]) if self._states else ()

    @property
    def source(self) -> str:
        """The proof as far as it goes, as a whole text."""
        lines = "\n".join(f"  {line}" for tactic in self._script for line in tactic.split("\n"))
        return f"{self._stated.text} := by\n{lines}\n"

    def undo(self) -> bool:
        """Take the last tactic back; False if there is none."""
        if not self._script:
            return False
        self._script.pop()
        self._states.pop()
        return True

    def step(self, tactic: str) -> ProofReport:
        """What comes of a tactic; one that fails changes nothing.

        Raises:
            ResourceError: There is no process: it has been lost, or ended.
        """
        if self._live is None:
            raise ResourceError("The proof has ended.")
        tactic = dedent(tactic).strip("\n").rstrip()
        try:
            text = _BLANK.sub("\n", prepared(tactic)).strip()
        except Refused as refused:
            return ProofReport("refused", (Message("error", str(refused), refused.line, refused.column),))
        if len(text.encode()) > _LONGEST:
            return ProofReport("refused", (Message("error", f"The tactic is longer than {_LONGEST} bytes."),))
        if not text:
            return ProofReport("rejected", (Message("error", "There is no tactic."),), self.goals)
        try:
            said = self._run(text)
        except _Lost:
            try:
                self._again()
            except _Lost as lost:
                self._end()
                return ProofReport("error", fault=f"lean-dojo was lost: {lost}")
            try:
                said = self._run(text)
            except _Lost:
                self._end()
                return ProofReport("abused", (Message("error", "The tactic ended the checker without a verdict."),))
        return self._taken(text, said)

    def _taken(self, tactic: str, said: Any) -> ProofReport:
        """What an answer comes to."""
        kind = type(said).__name__
        if kind == "TacticState":
            self._script.append(tactic)
            self._states.append(said)
            return ProofReport("rejected", goals=self.goals)
        if kind != "ProofFinished":
            words = str(said.error) if kind == "LeanError" else "A tactic may not give the proof up."
            return ProofReport("rejected", (Message("error", words),), self.goals)
        self._script.append(tactic)
        report = self._kernel.check(statement_of(self._stated), self.source)
        if report.accepted or report.outcome == "abused":
            self._end()
        else:
            self._script.pop()
        return report

    # -- the process ---------------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        dojo = self._start()
        try:
            live, state = dojo.__enter__()
        except Exception as error:  # a repository that is not traced, no lake, a file that has changed
            _closed(dojo)
            raise _Lost(f"{type(error).__name__}: {str(error)[:300]}") from error
        self._live = (dojo, live)
        self._states = [state]

    def _again(self) -> None:
        """A process of its own, brought to where the last one was."""
        self._end()
        self._begin()
        for tactic in self._script:
            said = self._run(tactic)
            if type(said).__name__ != "TacticState":
                raise _Lost("it does not take again what it had taken")
            self._states.append(said)

    def _run(self, tactic: str) -> Any:
        assert self._live is not None
        try:
            said = self._live[1].run_tac(self._states[-1], tactic)
        except Exception as error:
            if type(error).__name__ not in _LOST and not isinstance(error, OSError | KeyError | ValueError):
                raise
            raise _Lost(f"{type(error).__name__}: {str(error)[:300]}") from error
        if type(said).__name__ not in ("TacticState", "ProofFinished", "LeanError", "ProofGivenUp"):
            raise _Lost(f"it answered with {type(said).__name__}")
        return said

    def _end(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            _closed(live[0])


def _closed(dojo: Any) -> None:
    """End what may be gone already, or has only half begun: then its file is still there."""
    parts: list[Any] = [dojo, getattr(dojo, "modified_file", None)]
    for part in parts:
        with suppress(Exception):
            part.__exit__(None, None, None)


def _goals(state: Any) -> tuple[str, ...]:
    return tuple(goal.strip() for goal in str(state.pp).split("\n\n") if goal.strip())
