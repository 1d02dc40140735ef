"""A proof checker as a resource: journaled, shared, and never to blame for what it could not judge."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import envhub
from envhub.authoring import World
from envhub.core.effects import Check, Exec
from envhub.core.errors import InvalidParameters, JudgementError, MissingExtra, ResourceError
from envhub.core.resources import Resources
from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.gymnasium.env import Env
from envhub.registry import registry
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code
from envhub.verifiers.proofs import checker
from envhub.verifiers.proofs.checker import (
    Proofs,
    check_proof,
    close_kernels,
    describe_report,
    goals_at,
    journaled,
    use_kernel,
    verdict_of,
)
from envhub.verifiers.proofs.proof import Message, ProofReport, Statement
from tests.support.kernels import toolchain

TRUE = Statement("t", "∀ (p : Prop), p → p", opens=("Nat",))
PROOF = "theorem t (p : Prop) (h : p) : p := h"
REJECTED = ProofReport("rejected", (Message("warning", "hm"), Message("error", "type mismatch at ?m.17", 2, 4)))


class Scripted:
    """A kernel that says what it is told to."""

    def __init__(self, *says: ProofReport | Exception) -> None:
        self.says = list(says)
        self.asked = 0
        self.closed = False

    def check(self, statement: Statement, submission: str) -> ProofReport:
        self.asked += 1
        said = self.says.pop(0)
        if isinstance(said, Exception):
            raise said
        return said

    def goals(self, statement: Statement, submission: str, line: int) -> tuple[str, ...]:
        return (f"⊢ ?m.{line}", "x" * 5000)

    def close(self) -> None:
        self.closed = True


class Toy(World):
    """toy-v0: prove it; three attempts."""

    answer: AnswerType = Code(language="any")
    split_by = "none"
    max_turns = 3

    def sample(self, rng: Stream, p: Any) -> Instance:
        return Instance({})

    def prompt(self, problem: Any) -> str:
        return "Prove it."

    def act(self, inst: Instance, state: Any, value: str, rng: Stream) -> Any:
        report = yield from check_proof("kernel", TRUE, value)
        if report.outcome == "rejected":
            goals = yield from goals_at("kernel", TRUE, value, 2)
            return Turn(state, f"{describe_report(report)}\n{goals[0]}")
        return Turn.end(state, verdict_of(report))

    def solve(self, inst: Instance, state: Any) -> str:
        return PROOF


def toy(kernel: Any, monkeypatch: pytest.MonkeyPatch) -> Env:
    monkeypatch.setattr(Toy, "resources", {"kernel": Proofs(kernel)})
    registry.register("toy-proofs-v0", Toy)
    try:
        env = envhub.make("toy-proofs-v0")
    finally:
        registry.unregister("toy-proofs-v0")
    env.reset(seed=1)
    return env


def test_what_was_said_is_journaled_and_a_replay_asks_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Scripted(REJECTED, ProofReport("proved", axioms=("propext",), seconds=3.0))
    env = toy(kernel, monkeypatch)
    seen = env.step("```\nwrong\n```")
    assert seen[0] == "line 2, column 4: error: type mismatch at ?m\nline 1, column 0: warning: hm\n⊢ ?m"
    done = env.step(f"```\n{PROOF}\n```")
    assert (done[1], done[2], done[4]["verdict"]["solved"]) == (1.0, True, True)
    asked = kernel.asked
    twin = env.episode.fork()
    assert [turn.observation for turn in twin.turns] == [turn.observation for turn in env.episode.turns]
    assert kernel.asked == asked == 2
    journal = json.dumps(env.episode.snapshot()["journal"])
    assert "seconds" not in journal
    assert "3.0" not in journal


@pytest.mark.parametrize(
    "failure",
    [ProofReport("error", fault="the kernel does not work"), JudgementError("no such type"), MissingExtra("no Lean")],
)
def test_what_could_not_be_judged_is_an_error_and_no_reward(failure: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    env = toy(Scripted(failure), monkeypatch)
    _, reward, terminated, truncated, info = env.step(f"```\n{PROOF}\n```")
    assert reward != reward
    assert (terminated, truncated) == (False, True)
    words = failure.fault if isinstance(failure, ProofReport) else str(failure)
    assert words in info["error"]["reason"]


def test_what_took_the_kernel_down_scores_nothing_and_is_called_abuse(monkeypatch: pytest.MonkeyPatch) -> None:
    env = toy(Scripted(ProofReport("abused", (Message("error", "it ended the checker"),))), monkeypatch)
    _, reward, terminated, _, info = env.step("```\nbomb\n```")
    assert (reward, terminated, info["verdict"]["components"]["abuse"]) == (0.0, True, 1.0)


def test_a_text_is_judged_once_unless_the_kernel_suffered() -> None:
    abused, right = ProofReport("abused"), ProofReport("proved")
    kernel = Scripted(abused, right, REJECTED)
    live = Proofs(kernel).open({})
    effect = Check("kernel", ["check", TRUE.to_json(), PROOF])
    outcomes = [live.perform(effect).data["outcome"] for _ in range(4)]
    assert outcomes == ["abused", "proved", "proved", "proved"]
    other = Check("kernel", ["check", TRUE.to_json(), PROOF + " "])
    assert live.perform(other).data["outcome"] == "rejected"
    assert kernel.asked == 3


def test_only_checks_are_taken() -> None:
    with pytest.raises(ResourceError, match="Expected a Check effect, got Exec"):
        Proofs(Scripted()).open({}).perform(Exec("kernel", ["check", TRUE.to_json(), PROOF]))


def test_an_unknown_kernel_is_refused_with_the_nearest() -> None:
    words = r"Unknown kernel 'laen'\. Did you mean 'lean'.* Available: lean, coq, lean-interact\."
    with pytest.raises(InvalidParameters, match=words):
        Proofs("laen")
    with pytest.raises(InvalidParameters, match=words):
        use_kernel("laen", Scripted())


def test_without_a_kernel_it_says_how_to_get_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    close_kernels()
    monkeypatch.setenv("ENVHUB_LEAN", str(tmp_path))
    record = Resources({"kernel": Proofs()}, {}).perform(Check("kernel", ["check", TRUE.to_json(), PROOF]))
    assert record.fault is not None
    assert "envhub lean setup" in record.fault.reason
    assert "envhub lean setup" in (Proofs().absent() or "")
    assert Proofs(Scripted()).absent() is None


def test_a_report_is_kept_bounded_and_without_what_differs_from_run_to_run() -> None:
    many = tuple(Message("error", f"?m.{n} : ?u.{n}.1 = n?x {'y' * 3000}") for n in range(30))
    report = journaled(ProofReport("rejected", many, tuple("⊢ ?m.1" for _ in range(50)), seconds=2.0))
    assert len(report.messages) == len(report.goals) == 20
    assert report.messages[0].text.startswith("?m : ?u = n?x yyy")
    assert len(report.messages[0].text) < 2100
    assert (report.goals[0], report.seconds) == ("⊢ ?m", 0.0)
    assert len(describe_report(report, 100)) < 140


def test_kernels_are_shared_and_ended_together(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Scripted] = []

    def make() -> Scripted:
        made.append(Scripted())
        return made[-1]

    close_kernels()
    monkeypatch.setattr(checker, "KERNELS", {"lean": f"{__name__}:make_kernel"})
    monkeypatch.setattr(sys.modules[__name__], "make_kernel", make, raising=False)
    for _ in range(3):
        Proofs("lean").open({})
    close_kernels()
    assert len(made) == 1
    assert made[0].closed


def test_a_kernel_is_put_in_the_place_of_another() -> None:
    def outcome() -> Any:
        record = Resources({"kernel": Proofs("lean")}, {}).perform(Check("kernel", ["check", TRUE.to_json(), PROOF]))
        assert record.outcome is not None, record.fault
        return record.outcome.data["outcome"]

    first, second = Scripted(ProofReport("proved")), Scripted(REJECTED)
    try:
        use_kernel("lean", first)
        assert [outcome(), outcome()] == ["proved", "proved"]
        use_kernel("lean", second)
        assert outcome() == "rejected"  # what the other said is not remembered of this one
        assert (first.asked, second.asked) == (1, 1)
        assert (first.closed, second.closed) == (True, False)
        use_kernel("lean", second)
        assert not second.closed
    finally:
        close_kernels()
    assert second.closed


# -- a real kernel -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def real() -> Iterator[Resources]:
    toolchain()
    resources = Resources({"kernel": Proofs()}, {})
    yield resources
    resources.close()
    close_kernels()


@pytest.mark.slow
def test_the_real_kernel_accepts_and_rejects(real: Resources) -> None:
    def outcome(submission: str, statement: Statement = TRUE) -> str:
        record = real.perform(Check("kernel", ["check", statement.to_json(), submission]))
        assert record.outcome is not None, record.fault
        return str(record.outcome.data["outcome"])

    assert outcome(PROOF) == "proved"
    assert outcome("theorem t (p : Prop) (h : p) : p := p") == "rejected"
    assert outcome("theorem t (p : Prop) (h : p) : p := sorry") == "refused"
    opened = Statement("t", "add 1 1 = 2", opens=("Nat",))
    assert outcome("theorem t : add 1 1 = 2 := rfl", opened) == "proved"


@pytest.mark.slow
def test_the_real_kernel_says_what_is_left(real: Resources) -> None:
    text = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  constructor\n  exact h.2"
    row = Statement("t", "∀ (p q : Prop), p ∧ q → q ∧ p").to_json()
    goals = [real.perform(Check("kernel", ["goals", row, text, line])).outcome for line in (2, 3, 4)]
    assert [len(outcome.data) for outcome in goals if outcome] == [1, 2, 1]


@pytest.mark.slow
def test_a_statement_that_is_not_in_order_is_our_fault(real: Resources) -> None:
    row = Statement("t", "no_such_thing = 1").to_json()
    record = real.perform(Check("kernel", ["check", row, "theorem t : no_such_thing = 1 := rfl"]))
    assert record.fault is not None
    assert "does not compile" in record.fault.reason
