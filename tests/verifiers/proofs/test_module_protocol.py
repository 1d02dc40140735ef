"""Whatever three modules come to, nothing but the kernel's own answer is a proof, and no fault of ours is a rejection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import pytest

from envhub.core.errors import JudgementError, MissingExtra
from envhub.sandbox import Result
from envhub.sandbox.jobs import LimitName, Limits, Usage
from envhub.verifiers.proofs import module_protocol
from envhub.verifiers.proofs.module_protocol import ModuleProtocol, allowed, patience
from envhub.verifiers.proofs.proof import Message, Statement
from envhub.verifiers.proofs.proof_text import Refused

ASKED = Statement("t", "asked", axioms=frozenset({"fair"}))
PROBE = Statement("t", "probe", axioms=frozenset())


@dataclass(frozen=True)
class Told:
    """A run as a test tells it."""

    compiled: bytes | None = None
    wrong: bool = False
    remarks: str = ""
    limit: LimitName | None = None
    axioms: tuple[str, ...] | None = None
    cpu_s: float = 0.0

    @property
    def result(self) -> Result:
        return Result(limit=self.limit, usage=Usage(wall_s=10.0, cpu_s=self.cpu_s))


FINE = Told(b"module")
PROVES = Told(b"module", axioms=())
WRONG = Told(wrong=True)
LOST = Told()
Play = Callable[[str, str], Told]


class Scripted(ModuleProtocol[Told]):
    """A language in which every run ends as it is told, and probes as they should."""

    suffix: ClassVar[str] = ".m"
    probe: ClassVar[tuple[Statement, str, str]] = (PROBE, "true", "false")

    def __init__(self, play: Play) -> None:
        super().__init__()
        self.play = play
        self.runs: list[tuple[str, str, frozenset[str]]] = []

    def _prepared(self, submission: str) -> str:
        if "cheat" in submission:
            raise Refused("The word 'cheat' is not allowed.", 2, 3)
        return submission

    def _compile(self, module: str, text: str, files: Mapping[str, bytes]) -> Told:
        self.runs.append((module, text, frozenset(files)))
        return self.play(module, text)

    def _spec_text(self, statement: Statement) -> str:
        return statement.type

    def _head(self, statement: Statement) -> str:
        return f"{statement.type}: "

    def _question(self, statement: Statement, name: str) -> str:
        return f"{statement.type} {name}"

    def _axioms(self, ran: Told, name: str) -> tuple[str, ...] | None:
        return ran.axioms

    def _messages(self, ran: Told, head: str, text: str) -> tuple[Message, ...]:
        return (Message("error", "wrong"),) if ran.wrong else ()

    def _open(self, statement: Statement, text: str, messages: tuple[Message, ...]) -> tuple[str, ...]:
        return ("left",)

    def _left(self, statement: Statement, text: str) -> tuple[str, ...]:
        return (text,)

    def _lacks(self, ran: Told) -> bool:
        return False

    def _unwell(self) -> str:
        return "It does not work here."


def well(module: str, text: str) -> Told:
    """What a kernel that is well makes of the probe."""
    return WRONG if (module, text) == ("Submission", "probe: false\n") else PROVES


def kernel(theirs: Told = FINE, ours: Told = PROVES, spec: Told = FINE, probe: Play = well) -> Scripted:
    """One that makes this of the three modules."""
    asked = {"Spec": spec, "Submission": theirs, "Check": ours}
    return Scripted(lambda module, text: asked[module] if text.startswith("asked") else probe(module, text))


def test_a_proof_takes_three_modules_and_the_answer() -> None:
    judge = kernel()
    assert judge.check(ASKED, "text").outcome == "proved"
    modules = [(module, files) for module, text, files in judge.runs if text.startswith("asked")]
    assert modules == [
        ("Spec", frozenset()),
        ("Submission", {"Spec.m"}),
        ("Check", {"Spec.m", "Submission.m"}),
    ]


def test_no_two_questions_have_the_same_name() -> None:
    judge = kernel()
    assert judge.check(ASKED, "text") == judge.check(ASKED, "text")
    names = [text for module, text, _ in judge.runs if module == "Check"]
    assert len(set(names)) == len(names)


LIMITS: tuple[LimitName, ...] = ("cpu", "memory", "output", "file", "wall", "pids")


RUNS = [
    Told(compiled, wrong, "", limit, axioms)
    for compiled in (None, b"module")
    for wrong in (False, True)
    for limit in (None, *LIMITS[::4])  # one that it can use up, one that others can
    for axioms in (None, (), ("fair",), ("fair", "foul"))
]


def test_nothing_but_the_answer_is_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_protocol, "load", lambda: 2.0)
    for theirs, ours in product(RUNS, RUNS):
        report = kernel(theirs, ours).check(ASKED, "text")
        clean = all(ran.compiled and not ran.wrong and ran.limit is None for ran in (theirs, ours))
        assert report.accepted == (clean and ours.axioms in ((), ("fair",))), (theirs, ours)
        assert report.outcome != "error" or "wall" in (theirs.limit, ours.limit)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("ends", ["theirs", "ours"])
def test_only_what_its_own_work_can_use_up_is_a_rejection(
    monkeypatch: pytest.MonkeyPatch, ends: str, limit: LimitName
) -> None:
    monkeypatch.setattr(module_protocol, "load", lambda: 2.0)  # a busy machine: the clock accuses nobody
    ran = Told(limit=limit)
    report = (kernel(theirs=ran) if ends == "theirs" else kernel(ours=ran)).check(ASKED, "text")
    assert report.outcome == ("rejected" if limit in LIMITS[:4] else "error" if limit == "wall" else "abused")


@pytest.mark.parametrize("ends", ["theirs", "ours"])
@pytest.mark.parametrize(
    ("per_processor", "cpu_s", "outcome"),
    [(0.0, 0.1, "rejected"), (0.0, 6.0, "error"), (2.0, 0.1, "error"), (5.0, 6.0, "error"), (50.0, 0.0, "error")],
)
def test_who_is_ended_by_the_clock_is_never_accused(
    monkeypatch: pytest.MonkeyPatch, ends: str, per_processor: float, cpu_s: float, outcome: str
) -> None:
    monkeypatch.setattr(module_protocol, "load", lambda: per_processor)
    ran = Told(limit="wall", cpu_s=cpu_s)
    judge = kernel(theirs=ran) if ends == "theirs" else kernel(ours=ran)
    report = judge.check(ASKED, "text")
    assert report.outcome == outcome
    tried = [module for module, text, _ in judge.runs if text.startswith("asked")].count("Submission")
    assert tried == (2 if outcome == "rejected" else 1)  # where the machine is to blame, the turn is not made longer


def test_the_clock_allows_more_on_a_busy_machine_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(cpu_s=8, wall_s=90)
    allowed = []
    for per_processor in (0.0, 1.0, 2.0, 5.0, 50.0):
        monkeypatch.setattr(module_protocol, "load", lambda at=per_processor: at)
        allowed.append(patience(limits))
        assert allowed[-1] >= min(90, limits.cpu_s * (per_processor + 1))  # a fair share of a processor is enough
    assert allowed == sorted(allowed)
    assert allowed[-1] == 90
    assert module_protocol.load() == 50


def test_all_runs_of_a_check_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(module_protocol.time, "monotonic", lambda: now)
    limits, given = Limits(cpu_s=50, wall_s=90), []

    class Slow(Scripted):
        def _compile(self, module: str, text: str, files: Mapping[str, bytes]) -> Told:
            nonlocal now
            if text.startswith("asked"):
                given.append(self._patient(limits).wall_s)
                now += 40.0
            return super()._compile(module, text, files)

    asked = {"Spec": FINE, "Submission": FINE, "Check": PROVES}
    judge = Slow(lambda module, text: asked[module] if text.startswith("asked") else well(module, text))
    judge.check(ASKED, "text")
    assert given == [90.0, 50.0, 10.0]


@pytest.mark.parametrize("lost", ["Submission", "Check"])
@pytest.mark.parametrize(("times", "outcome"), [(1, "proved"), (2, "abused")])
def test_what_ends_without_a_verdict_is_tried_once_more(lost: str, times: int, outcome: str) -> None:
    left = times

    def play(module: str, text: str) -> Told:
        nonlocal left
        if module == lost and text.startswith("asked") and left:
            left -= 1
            return LOST
        return well(module, text)

    assert Scripted(play).check(ASKED, "text").outcome == outcome


@pytest.mark.parametrize(
    "probe",
    [lambda module, text: LOST, lambda module, text: PROVES, lambda module, text: WRONG],
    ids=["says nothing", "accepts all", "rejects all"],
)
def test_a_kernel_that_is_not_well_is_never_the_proof_s_fault(probe: Play) -> None:
    with pytest.raises(MissingExtra, match="does not work here"):
        kernel(probe=probe).check(ASKED, "text")
    sick = False
    judge = kernel(theirs=LOST, probe=lambda module, text: probe(module, text) if sick else well(module, text))
    assert judge.check(ASKED, "text").outcome == "abused"
    sick = True
    assert judge.check(ASKED, "text").outcome == "error"


@pytest.mark.parametrize("spec", [WRONG, LOST, Told(b"module", remarks="a proof left out")])
def test_a_statement_that_is_none_is_our_fault(spec: Told) -> None:
    with pytest.raises(JudgementError, match="The statement t does not compile"):
        kernel(spec=spec).check(ASKED, "text")


def test_a_statement_that_is_late_is_the_machine_s_fault() -> None:
    with pytest.raises(JudgementError, match="The statement t did not compile in time"):
        kernel(spec=Told(limit="wall")).check(ASKED, "text")


def test_what_is_refused_is_not_run() -> None:
    judge = kernel()
    report = judge.check(ASKED, "a cheat")
    assert report.outcome == "refused"
    assert report.messages == (Message("error", "The word 'cheat' is not allowed.", 2, 3),)
    assert not any(text.startswith("asked") for _, text, _ in judge.runs)


def test_goals_are_those_before_a_line() -> None:
    assert kernel().goals(ASKED, "one\ntwo\nthree", 3) == ("one\ntwo\n",)
    assert kernel().goals(ASKED, "one\ncheat\nthree", 3) == ()


def test_an_axiom_that_is_not_allowed_is_named() -> None:
    report = allowed(ASKED, ("fair", "foul"))
    assert (report.outcome, report.axioms) == ("rejected", ("fair", "foul"))
    assert report.messages[-1].text == "The proof rests on foul, which is not allowed."
