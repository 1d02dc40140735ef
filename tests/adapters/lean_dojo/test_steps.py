"""A live proof whose process is lost, without the library: whose doing it was."""

from __future__ import annotations

from typing import Any

import pytest

from envhub.adapters.lean_dojo.steps import DojoProof
from envhub.core.errors import ResourceError
from envhub.generators.user_files.theorems import UserTheorem
from envhub.verifiers.proofs.proof import ProofReport, Statement

STATED = UserTheorem("t", "", "True")


class TacticState:
    def __init__(self, pp: str) -> None:
        self.pp = pp


class ProofFinished:
    pass


class ProofGivenUp:
    pass


class DojoCrashError(Exception):
    pass


class Dojo:
    """One that says what it is told to, whatever the tactic."""

    def __init__(self, *says: Any) -> None:
        self.says = list(says)
        self.ended = 0

    def __enter__(self) -> Any:
        if self.says and isinstance(self.says[0], OSError):
            raise self.says[0]
        return self, TacticState("⊢ True")

    def __exit__(self, *error: object) -> None:
        self.ended += 1

    def run_tac(self, state: Any, tactic: str) -> Any:
        said = self.says.pop(0)
        if isinstance(said, Exception):
            raise said
        return said


class Kernel:
    def __init__(self, outcome: Any = "proved") -> None:
        self.outcome = outcome
        self.asked: list[str] = []

    def check(self, statement: Statement, submission: str) -> ProofReport:
        self.asked.append(submission)
        return ProofReport(self.outcome)

    def goals(self, statement: Statement, submission: str, line: int) -> tuple[str, ...]:
        return ()


def lost() -> Exception:
    return DojoCrashError("it ended")


def begun(*dojos: Dojo, kernel: Kernel | None = None) -> DojoProof:
    left = iter(dojos)
    return DojoProof(lambda: next(left), STATED, kernel or Kernel()).__enter__()


def test_a_process_that_is_lost_once_is_brought_to_where_it_was() -> None:
    first, second = Dojo(TacticState("a\n\nb"), lost()), Dojo(TacticState("a\n\nb"), ProofFinished())
    kernel = Kernel()
    proof = begun(first, second, kernel=kernel)
    assert proof.step("one").goals == ("a", "b")
    assert proof.step("two").accepted
    assert (first.ended, second.ended) == (1, 1)
    assert kernel.asked == ["theorem t : True := by\n  one\n  two\n"]


def test_a_process_that_is_lost_twice_at_a_tactic_is_the_tactic_s_doing() -> None:
    dojos = Dojo(lost()), Dojo(lost())
    assert begun(*dojos).step("one").outcome == "abused"
    assert [dojo.ended for dojo in dojos] == [1, 1]


@pytest.mark.parametrize("again", [Dojo(OSError("no lake")), Dojo(lost()), Dojo(ProofGivenUp())])
def test_a_process_that_cannot_be_brought_back_is_an_error(again: Dojo) -> None:
    proof = begun(Dojo(TacticState("a"), lost()), again)
    proof.step("one")
    assert proof.step("two").outcome == "error"
    with pytest.raises(ResourceError):
        proof.step("two")


def test_one_that_does_not_begin_is_no_answer() -> None:
    with pytest.raises(ResourceError, match="could not begin the proof of t: OSError: no lake"):
        begun(Dojo(OSError("no lake")))


@pytest.mark.parametrize("said", ["a text", None, {"sid": 1}])
def test_an_answer_of_another_kind_is_none(said: Any) -> None:
    assert begun(Dojo(said), Dojo(said)).step("one").outcome == "abused"


@pytest.mark.parametrize("outcome", ["rejected", "refused", "error", "abused"])
def test_finished_is_what_our_kernel_says(outcome: str) -> None:
    proof = begun(Dojo(ProofFinished(), TacticState("a")), kernel=Kernel(outcome))
    assert proof.step("one").outcome == outcome
    assert proof.source == "theorem t : True := by\n\n" or outcome == "abused"


def test_what_is_refused_does_not_reach_the_process() -> None:
    dojo = Dojo()
    proof = begun(dojo)
    for tactic in ("sorry", "run_tac x", "exact (by native_decide)", 'trace "x"', "x" * 4000, "rfl \0", "-- sorry"):
        assert proof.step(tactic).outcome in ("refused", "rejected")
    assert begun(Dojo(ProofGivenUp())).step("one").outcome == "rejected"
