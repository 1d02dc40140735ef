"""Interactive ``lean-dojo`` proofs, under the rules for every submission.

Each step returns a :class:`envhub.verifiers.proofs.proof.ProofReport`. When ``Dojo`` reports a finished proof, the
whole proof is sent to our kernel, and only its verdict is ``proved``: the library checks neither the axioms of a proof
nor that it can be parsed again. Its process is not sandboxed, so tactics that a submission may not contain never reach
it::

    stated = theorem_of(row)                        # envhub.generators.user_files.theorems; the row is of
    envhub.adapters.lean_dojo.theorems with DojoProof(lambda: Dojo(theorem, timeout=60), stated, kernel) as proof:
        proof.goals
        proof.step("intro h").goals                 # what is left; the outcome is "rejected", for nothing is proved
        proof.step("exact h.symm").accepted

A process lost during a tactic is restarted and the earlier tactics are repeated. If the tactic loses it again, the
tactic is to blame (``abused``); if repeating fails, nothing is (``error``). This module never imports the library; it
distinguishes its answers by their attributes.
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
"""Maximum bytes of a tactic: a terminal cuts lines at 4,096."""


class _Lost(Exception):
    """The process did not answer, or gave an unexpected answer."""


class DojoProof:
    """A proof in progress.

    A complete proof or a lost process ends it.

    Args:
        start: Creates the ``Dojo`` of the theorem, not yet entered.
        stated: The theorem as stated in the task.
        kernel: Kernel that checks the complete proof.
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
        """The goals left to prove."""
        return _goals(self._states[-1]) if self._states else ()

    @property
    def source(self) -> str:
        """The text of the proof so far."""
        lines = "\n".join(f"  {line}" for tactic in self._script for line in tactic.split("\n"))
        return f"{self._stated.text} := by\n{lines}\n"

    def undo(self) -> bool:
        """Undo the last tactic; False if there is nothing to undo."""
        if not self._script:
            return False
        self._script.pop()
        self._states.pop()
        return True

    def step(self, tactic: str) -> ProofReport:
        """Run a tactic; a failed tactic changes nothing.

        Raises:
            ResourceError: The process was lost or has ended.
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
        """Convert an answer of the library."""
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
        except Exception as error:  # an untraced repository, no lake, or a changed file
            _closed(dojo)
            raise _Lost(f"{type(error).__name__}: {str(error)[:300]}") from error
        self._live = (dojo, live)
        self._states = [state]

    def _again(self) -> None:
        """A fresh process in which the tactics so far are repeated."""
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
    """End a process that may be gone or only partly started.

    A partly started one leaves its file.
    """
    parts: list[Any] = [dojo, getattr(dojo, "modified_file", None)]
    for part in parts:
        with suppress(Exception):
            part.__exit__(None, None, None)


def _goals(state: Any) -> tuple[str, ...]:
    return tuple(goal.strip() for goal in str(state.pp).split("\n\n") if goal.strip())
