"""A proof checker as a resource of environments: proofs are judged by a kernel, and what it said is journaled.

An environment declares which kernel, and yields through the functions below; a replay gives the same reports and
runs nothing::

    class Theorems(World):
        resources = {"kernel": Proofs("lean")}
        def act(self, inst, state, source, rng):
            report = yield from check_proof("kernel", statement, source)       # a ProofReport
            return Turn.end(state, verdict_of(report))

All episodes of a process share one kernel of each kind, with its live servers, which are sessions of the sandbox:
where that is a broker, they are the broker's. What a submission does to a kernel is a report (``abused`` scores 0);
a kernel that is not well, or not there, is a failure of the resource, and so of no policy. Reports are kept without
times, and without the numbers of metavariables, which no two runs share.
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
"""By name, what makes the kernel of this process."""
_MESSAGES, _GOALS, _LONGEST = 20, 20, 2000
_REMEMBERED: Final = 2048
_NUMBERED: Final = re.compile(r"\?(m|u|_mvar|_uniq)[._]\d+(?:\.\d+)*")


class Proofs(Resource):
    """Checks proofs. It keeps nothing, so there is nothing that a rebuild or a fork could lose.

    Args:
        kernel: The name of a kernel of this process, or one of your own.

    Raises:
        InvalidParameters: There is no kernel of this name.
    """

    def __init__(self, kernel: str | Kernel = "lean") -> None:
        super().__init__("replay")
        if isinstance(kernel, str) and kernel not in KERNELS:
            raise InvalidParameters(
                f"No kernel {kernel!r}; there are {', '.join(KERNELS)}.{nearest(str(kernel), KERNELS)}"
            )
        self._kernel = kernel

    @property
    def name(self) -> str:
        """Of the kernel; empty for one of your own."""
        return self._kernel if isinstance(self._kernel, str) else ""

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Nothing is started but the kernel of this process, if nobody has asked for it before."""
        if not isinstance(self._kernel, str):
            return _Proofs(self._kernel, _Memory())
        try:
            return _Proofs(*_shared(self._kernel))
        except EnvhubError as error:  # it is not installed, or cannot run here: what to do about it should be read
            raise ResourceError(str(error)) from error

    def absent(self) -> str | None:
        """Why there is no kernel here."""
        try:
            if isinstance(self._kernel, str):
                _shared(self._kernel)
        except EnvhubError as error:
            return str(error)
        return None


class _Memory:
    """Reports of late: a group of answers to one task is often of one mind, and what was decided stays decided."""

    def __init__(self) -> None:
        self._reports: OrderedDict[str, ProofReport] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, asked: str) -> ProofReport | None:
        """What was reported of an effect of this digest, if it is remembered."""
        with self._lock:
            report = self._reports.get(asked)
            if report is not None:
                self._reports.move_to_end(asked)
            return report

    def put(self, asked: str, report: ProofReport) -> None:
        """Remember it, unless another attempt might end in another way."""
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
        """Judge the submission of a ``Check``, or say what it leaves to be proved."""
        if not isinstance(effect, Check):
            raise ResourceError(f"A kernel is asked by Check effects, not by {type(effect).__name__}.")
        what, row, submission, *more = effect.payload
        statement = Statement.from_json(row)
        try:
            if what == "goals":
                goals = self._kernel.goals(statement, submission, *more)
                return Outcome(data=[_plain(goal) for goal in goals[:_GOALS]])
            return Outcome(data=self._check(_digest(effect), statement, submission).to_json())
        except (TooBusy, ResourceError):
            raise
        except EnvhubError as error:  # the statement is not in order, or the kernel does not work here
            raise ResourceError(str(error)) from error

    async def aperform(self, effect: Effect) -> Outcome:
        """:meth:`perform` in a thread of the sandbox, which has as many as jobs can run."""
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
    """Whether a submission proves a statement.

    Args:
        resource: The name under which the environment declares its :class:`Proofs`.
        statement: What is to be proved; all of it is ours.
        submission: What is said to prove it.
    """
    outcome = yield Check(resource, ["check", statement.to_json(), submission])
    return ProofReport.from_json(outcome.data)


def goals_at(
    resource: str, statement: Statement, submission: str, line: int
) -> Generator[Effect, Outcome, tuple[str, ...]]:
    """What is left to prove before a line of a submission, counted from 1; empty if nothing is, or it has errors.

    Args:
        resource: The name under which the environment declares its :class:`Proofs`.
        statement: What is to be proved.
        submission: The text that the line is of.
        line: Which.
    """
    outcome = yield Check(resource, ["goals", statement.to_json(), submission, line])
    return tuple(outcome.data)


def verdict_of(report: ProofReport, feedback: str = "") -> Verdict:
    """All or nothing: 1 if the statement has been proved. What took the kernel down scores 0 with ``abuse``.

    Args:
        report: What came of the submission.
        feedback: What the policy is told; by default :func:`describe_report` with a heading.
    """
    words = feedback or (
        "The kernel accepts the proof." if report.accepted else f"Not accepted.\n{describe_report(report)}"
    )
    abuse = {"abuse": 1.0} if report.outcome == "abused" else {}
    return Verdict.exact(report.accepted, words).noting(None, **abuse)


def describe_report(report: ProofReport, most: int = 4000) -> str:
    """What a policy is shown of a report: every message with its place, errors first.

    Args:
        report: Of a submission of the policy's own.
        most: How many characters are shown; what is cut is said.
    """
    ordered = sorted(report.messages, key=lambda message: message.severity != "error")
    lines = [f"line {m.line}, column {m.column}: {m.severity}: {m.text}" for m in ordered]
    text = "\n".join(lines) or "The kernel said nothing of it."
    return text if len(text) <= most else f"{text[:most]}\n[cut: {len(text) - most} characters]"


def journaled(report: ProofReport) -> ProofReport:
    """The report as it is journaled: bounded, without its time and without what changes from run to run."""
    messages = tuple(Message(m.severity, _plain(m.text), m.line, m.column) for m in report.messages[:_MESSAGES])
    return replace(report, messages=messages, goals=tuple(_plain(goal) for goal in report.goals[:_GOALS]), seconds=0.0)


def _plain(text: str) -> str:
    text = _NUMBERED.sub(r"?\1", text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} [cut]"


def _digest(effect: Effect) -> str:
    """As in a journal, but long: nobody is to find another submission that has the digest of a proof."""
    return blake2b(canonical_json(effect.payload), digest_size=32).hexdigest()


# -- the kernels of this process ---------------------------------------------------------------------------------------


def _shared(name: str) -> tuple[Kernel, _Memory]:
    """The kernel of this process, made when it is first asked for."""
    with _lock:
        if name not in _kernels:
            module, _, function = KERNELS[name].partition(":")
            make: Callable[[], Kernel] = getattr(import_module(module), function)
            _kernels[name] = make(), _Memory()
        return _kernels[name]


def use_kernel(name: str, kernel: Kernel) -> None:
    """From now on this kernel is the one of this process by a name, until :func:`close_kernels`; the last one is ended.

    Other processes, those of a server among them, have their own.

    Args:
        name: As environments ask for it, ``lean`` say.
        kernel: What judges instead.

    Raises:
        InvalidParameters: There is no kernel of this name.
    """
    if name not in KERNELS:
        raise InvalidParameters(f"No kernel {name!r}; there are {', '.join(KERNELS)}.{nearest(name, KERNELS)}")
    with _lock:
        before, _ = _kernels.pop(name, (None, None))
        _kernels[name] = kernel, _Memory()
    if before is not None and before is not kernel:
        _end(before)


def close_kernels() -> None:
    """End the live servers of this process; who asks again begins anew."""
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
