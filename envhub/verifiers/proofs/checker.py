"""Proof kernels as a resource of environments; their reports are journaled.

An environment declares a kernel and yields effects through the functions below. A replay returns the journaled reports and
runs nothing::

    class Theorems(World):
        resources = {"kernel": Proofs("lean")}
        def act(self, inst, state, source, rng):
            report = yield from check_proof("kernel", statement, source)       # a ProofReport
            return Turn.end(state, verdict_of(report))

All episodes of a process share one kernel of each kind and its servers, which are sessions of the sandbox (or of the
broker, if the sandbox is one). A submission that crashes a kernel gets a report (``abused`` scores 0). A kernel that is
broken or missing is a failure of the resource, never the policy's. Reports are stored without durations and without the
numbers of metavariables, which differ between runs.
"""

from __future__ import annotations

import atexit
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from importlib import import_module
from typing import Final

from envhub.core.effects import Check, Effect, Live, Outcome, Resource
from envhub.core.errors import EnvhubError, InvalidParameters, ResourceError, TooBusy, nearest
from envhub.core.seeding import canonical_json
from envhub.core.types import JSON, Verdict
from envhub.sandbox import default_sandbox
from envhub.verifiers.proofs.proof import Kernel, Message, ProofReport, Statement

Checking = Generator[Effect, Outcome, ProofReport]

KERNELS: Final = {
    "lean": "envhub.verifiers.proofs.lean:shared",
    "coq": "envhub.verifiers.proofs.coq:shared",
    "lean-interact": "envhub.verifiers.proofs.lean_interact:shared",
}
"""Maps the name of a kernel to the function that creates it."""
_MESSAGES, _GOALS, _LONGEST = 20, 20, 2000
_REMEMBERED: Final = 2048
_NUMBERED: Final = re.compile(r"\?(m|u|_mvar|_uniq)[._]\d+(?:\.\d+)*")


class Proofs(Resource):
    """Checks proofs. Stateless, so that a rebuild or a fork loses nothing.

    Args:
        kernel: The name of a kernel, or a kernel of your own.

    Raises:
        InvalidParameters: The name is unknown.
    """

    def __init__(self, kernel: str | Kernel = "lean") -> None:
        super().__init__("replay")
        if isinstance(kernel, str) and kernel not in KERNELS:
            raise InvalidParameters(
                f"Unknown kernel {kernel!r}.{nearest(str(kernel), KERNELS)} Available: {', '.join(KERNELS)}."
            )
        self._kernel = kernel

    @property
    def name(self) -> str:
        """Name of the kernel; empty for one of your own."""
        return self._kernel if isinstance(self._kernel, str) else ""

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Start the kernel of this process if it is not running."""
        if not isinstance(self._kernel, str):
            return _Proofs(self._kernel, _Memory())
        try:
            return _Proofs(*_shared(self._kernel))
        except EnvhubError as error:  # not installed or unable to run: keep the advice in the message
            raise ResourceError(str(error)) from error

    def absent(self) -> str | None:
        """Why the kernel is not available; None if it is."""
        try:
            if isinstance(self._kernel, str):
                _shared(self._kernel)
        except EnvhubError as error:
            return str(error)
        return None


class _Memory:
    """Cache of recent reports.

    Many answers to one task are equal, and decided reports are final.
    """

    def __init__(self) -> None:
        self._reports: OrderedDict[str, ProofReport] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, asked: str) -> ProofReport | None:
        """The cached report of an effect with this digest, if any."""
        with self._lock:
            report = self._reports.get(asked)
            if report is not None:
                self._reports.move_to_end(asked)
            return report

    def put(self, asked: str, report: ProofReport) -> None:
        """Cache a report, unless a retry could end differently."""
        if report.outcome in ("abused", "error"):
            return
        with self._lock:
            self._reports[asked] = report
            while len(self._reports) > _REMEMBERED:
                self._reports.popitem(last=False)


class _Proofs(Live):
    def __init__(self, kernel: Kernel, memory: _Memory) -> None:
        self._kernel = kernel
        self._memory = memory

    def perform(self, effect: Effect) -> Outcome:
        """Judge the submission of a ``Check``, or return its open goals."""
        if not isinstance(effect, Check):
            raise ResourceError(f"Expected a Check effect, got {type(effect).__name__}.")
        what, row, submission, *more = effect.payload
        statement = Statement.from_json(row)
        try:
            if what == "goals":
                goals = self._kernel.goals(statement, submission, *more)
                return Outcome(data=[_plain(goal) for goal in goals[:_GOALS]])
            return Outcome(data=self._check(_digest(effect), statement, submission).to_json())
        except (TooBusy, ResourceError):
            raise
        except EnvhubError as error:  # the statement does not compile, or the kernel does not work here
            raise ResourceError(str(error)) from error

    async def aperform(self, effect: Effect) -> Outcome:
        """:meth:`perform` in a thread of the sandbox.

        It has one per concurrent job.
        """
        return await default_sandbox().soon("job", partial(self.perform, effect))

    def _check(self, asked: str, statement: Statement, submission: str) -> ProofReport:
        known = self._memory.get(asked)
        if known is not None:
            return known
        report = journaled(self._kernel.check(statement, submission))
        if report.outcome == "error":
            raise ResourceError(report.fault or "the kernel could not judge")
        self._memory.put(asked, report)
        return report


def check_proof(resource: str, statement: Statement, submission: str) -> Checking:
    """Check whether a submission proves a statement.

    Args:
        resource: The name under which the environment declares its :class:`Proofs`.
        statement: The statement, which is trusted.
        submission: The text that should prove it.
    """
    outcome = yield Check(resource, ["check", statement.to_json(), submission])
    return ProofReport.from_json(outcome.data)


def goals_at(
    resource: str, statement: Statement, submission: str, line: int
) -> Generator[Effect, Outcome, tuple[str, ...]]:
    """The open goals before a line of a submission.

    Empty if none, or on errors.

    Args:
        resource: The name under which the environment declares its :class:`Proofs`.
        statement: The statement.
        submission: The text.
        line: The line, counted from 1.
    """
    outcome = yield Check(resource, ["goals", statement.to_json(), submission, line])
    return tuple(outcome.data)


def verdict_of(report: ProofReport, feedback: str = "") -> Verdict:
    """The verdict: 1 if the statement is proved, else 0.

    A crash of the kernel also has ``abuse``.

    Args:
        report: The report on the submission.
        feedback: The feedback for the policy; by default :func:`describe_report` with a heading.
    """
    words = feedback or (
        "The kernel accepts the proof." if report.accepted else f"Not accepted.\n{describe_report(report)}"
    )
    abuse = {"abuse": 1.0} if report.outcome == "abused" else {}
    return Verdict.exact(report.accepted, words).noting(None, **abuse)


def describe_report(report: ProofReport, most: int = 4000) -> str:
    """A report as feedback for the policy.

    All messages with their places, errors first.

    Args:
        report: The report on the policy's own submission.
        most: Maximum number of characters; the text says how much is cut.
    """
    ordered = sorted(report.messages, key=lambda message: message.severity != "error")
    lines = [f"line {m.line}, column {m.column}: {m.severity}: {m.text}" for m in ordered]
    text = "\n".join(lines) or "The kernel said nothing of it."
    return text if len(text) <= most else f"{text[:most]}\n[cut: {len(text) - most} characters]"


def journaled(report: ProofReport) -> ProofReport:
    """The report for the journal.

    Bounded, and without anything that changes from run to run.
    """
    messages = tuple(Message(m.severity, _plain(m.text), m.line, m.column) for m in report.messages[:_MESSAGES])
    return replace(report, messages=messages, goals=tuple(_plain(goal) for goal in report.goals[:_GOALS]), seconds=0.0)


def _plain(text: str) -> str:
    text = _NUMBERED.sub(r"?\1", text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} [cut]"


def _digest(effect: Effect) -> str:
    """A digest of a submission.

    Too long for finding another submission with the digest of a proof.
    """
    return blake2b(canonical_json(effect.payload), digest_size=32).hexdigest()


# -- the kernels of this process ---------------------------------------------------------------------------------------


def _shared(name: str) -> tuple[Kernel, _Memory]:
    """The kernel of this process, created on first use."""
    with _lock:
        if name not in _kernels:
            module, _, function = KERNELS[name].partition(":")
            make: Callable[[], Kernel] = getattr(import_module(module), function)
            _kernels[name] = make(), _Memory()
        return _kernels[name]


def use_kernel(name: str, kernel: Kernel) -> None:
    """Replace the kernel of a name in this process, until :func:`close_kernels`.

    The old one is closed. Other processes, such as those of a server, keep their own.

    Args:
        name: The name, such as ``lean``.
        kernel: The new kernel.

    Raises:
        InvalidParameters: The name is unknown.
    """
    if name not in KERNELS:
        raise InvalidParameters(f"Unknown kernel {name!r}.{nearest(name, KERNELS)} Available: {', '.join(KERNELS)}.")
    with _lock:
        before, _ = _kernels.pop(name, (None, None))
        _kernels[name] = kernel, _Memory()
    if before is not None and before is not kernel:
        _end(before)


def close_kernels() -> None:
    """Close all kernels of this process. The next use starts new ones."""
    with _lock:
        kernels = [kernel for kernel, _ in _kernels.values()]
        _kernels.clear()
    for kernel in kernels:
        _end(kernel)


def _end(kernel: Kernel) -> None:
    close: Callable[[], None] = getattr(kernel, "close", lambda: None)
    close()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    _kernels.clear()  # their servers are the parent's


_kernels: dict[str, tuple[Kernel, _Memory]] = {}
_lock = threading.Lock()
atexit.register(close_kernels)
os.register_at_fork(after_in_child=_after_fork)
