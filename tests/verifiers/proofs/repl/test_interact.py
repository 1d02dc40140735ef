"""Proofs judged through lean-interact's own classes: the verdicts of three modules, with commands in place of modules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envhub.core.errors import InvalidParameters, JudgementError, MissingExtra
from envhub.gymnasium.env import Env
from envhub.verifiers.proofs import lean_interact
from envhub.verifiers.proofs.checker import close_kernels, use_kernel
from envhub.verifiers.proofs.lean_interact import interact_kernel, lean_setup
from envhub.verifiers.proofs.lean_repl import ReplKernel, ReplLost
from envhub.verifiers.proofs.proof import Message, ProofReport, Statement
from tests.envs.lean.kernel import begun
from tests.support.lean_projects import MODULES, project_in
from tests.verifiers.proofs.repl.repls import config_in, library
from tests.verifiers.proofs.test_proof import BEHIND_THE_WALL, CHEATS, FALSE, RIGHT, SWAP, WRONG


@pytest.fixture(scope="module")
def interact() -> Iterator[Any]:
    with library() as found:
        yield found


@pytest.fixture(scope="module")
def config(interact: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        yield config_in(tmp_path_factory.mktemp("interact"), interact, patch)


@pytest.fixture(scope="module")
def kernel(config: Any) -> Iterator[ReplKernel]:
    made = interact_kernel(config, timeout_s=60)
    yield made
    made.close()


def test_a_proof_is_accepted_and_what_is_none_is_rejected(kernel: ReplKernel) -> None:
    for name in ("a term", "definitions that are given"):
        report = kernel.check(*RIGHT[name])
        assert report.accepted, report
    for name in ("swapped", "another statement", "another name"):
        report = kernel.check(*WRONG[name])
        assert report.outcome == "rejected", name
        assert any(message.severity == "error" for message in report.messages)
    assert kernel.check(FALSE, CHEATS["an axiom"]).outcome == "refused"


def test_messages_and_goals_have_the_positions_of_the_submission(kernel: ReplKernel) -> None:
    (message,) = kernel.check(*WRONG["swapped"]).messages
    assert (message.severity, message.line, message.column) == ("error", 1, 47)
    text = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  constructor\n  · exact h.2\n  · exact h.1"
    assert [goal.rsplit("⊢ ")[1] for goal in kernel.goals(SWAP, text, 3)] == ["q", "p"]


def test_a_private_theorem_counts_if_it_is_the_one_that_was_asked(kernel: ReplKernel) -> None:
    assert kernel.check(Statement("t", "2 + 2 = 4"), "private theorem t : 2 + 2 = 4 := rfl").accepted
    assert kernel.check(FALSE, "private theorem t : 2 + 2 = 4 := rfl").outcome == "rejected"


LEAKS = {
    "a variable": "end Submission\nvariable (h : 2 + 2 = 5)\ninclude h\nnamespace Submission\ntheorem t : 2 + 2 = 5 := h",
    "all ended and as many begun": (
        "end Submission\nend\nvariable {h : 2 + 2 = 5}\ninclude h\nsection\nnamespace Submission\ntheorem t : 2 + 2 = 5 := h"
    ),
    "a section left open": "section\nvariable (h : 2 + 2 = 5)\ninclude h\ntheorem t : 2 + 2 = 5 := h",
    "a namespace left open": "namespace A\ntheorem t : 2 + 2 = 5 := by decide",
}


@pytest.mark.parametrize("name", ["a section left open", "all ended and as many begun"])
def test_nothing_that_a_submission_leaves_open_reaches_the_question(kernel: ReplKernel, name: str) -> None:
    report = kernel._judge(FALSE, LEAKS[name])  # past the words that are refused
    assert report is not None
    assert report.outcome == "rejected", report


def test_a_scope_that_is_left_open_is_no_proof_even_of_what_is_true(kernel: ReplKernel) -> None:
    true = Statement("t", "2 + 2 = 4")
    text = "theorem t : 2 + 2 = 4 := rfl\nsection\nvariable (h : False)"
    report = kernel._judge(true, text)
    assert report is not None
    assert report.outcome == "rejected"
    assert kernel.check(true, text).outcome == "refused"


@pytest.mark.nightly
def test_every_verdict_is_the_one_of_modules(kernel: ReplKernel) -> None:
    for name, (statement, text) in RIGHT.items():
        assert kernel.check(statement, text).accepted, name
    for name, (statement, text) in WRONG.items():
        assert kernel.check(statement, text).outcome == "rejected", name
    for name, text in CHEATS.items():
        assert kernel.check(FALSE, text).outcome == "refused", name
    for name, text in (BEHIND_THE_WALL | LEAKS).items():
        report = kernel._judge(FALSE, text)
        assert report is not None, name
        assert report.outcome == "rejected", name


def test_a_statement_that_is_none_is_our_fault(kernel: ReplKernel) -> None:
    with pytest.raises(JudgementError, match="does not compile"):
        kernel.check(Statement("t", "2 + = 5"), "theorem t : True := trivial")
    with pytest.raises(JudgementError, match=r"does not compile.*unknown module"):
        kernel.check(Statement("t", "True", imports=("No.Such",)), "theorem t : True := trivial")


def test_what_a_second_kernel_says_of_a_proof_counts(config: Any) -> None:
    asked: list[str] = []

    class Second:
        def check(self, statement: Statement, submission: str) -> ProofReport:
            asked.append(submission)
            return ProofReport("rejected", (Message("error", "no"),))

        def goals(self, statement: Statement, submission: str, line: int) -> tuple[str, ...]:
            return ()

    kernel = interact_kernel(config, timeout_s=60, second=Second())
    assert kernel.check(*WRONG["swapped"]).messages != (Message("error", "no"),)
    assert asked == []
    assert kernel.check(*RIGHT["a term"]).messages == (Message("error", "no"),)
    assert asked == [RIGHT["a term"][1]]
    kernel.close()


def test_a_repl_that_ends_is_replaced_and_the_proof_is_judged(config: Any) -> None:
    kernel = interact_kernel(config, timeout_s=60)
    assert kernel.check(*RIGHT["a term"]).accepted
    kernel._repls._idle[0].repl._server._proc.kill()  # type: ignore[attr-defined]
    assert kernel.check(*RIGHT["implicit arguments"]).accepted
    kernel.close()
    assert kernel._repls._idle == []


def test_environments_ask_it_where_it_is_put_in_the_place_of_another(kernel: ReplKernel) -> None:
    try:
        use_kernel("lean", kernel)
        env: Env = begun("lean-proof-v0", 3, difficulty=1)
        assert env.fork().step("```lean\ntheorem asked : True := trivial\n```")[1] == 0.0
        assert env.step(env.solve())[1] == 1.0
        assert kernel._repls._idle
    finally:
        close_kernels()


def test_a_project_is_judged_by_its_modules_by_the_repl_and_by_the_jail(
    interact: Any, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path_factory.mktemp("project")
    project = interact.LocalProject(directory=project_in(folder), auto_build=False)
    config = config_in(folder, interact, monkeypatch, project=project)
    thrice = Statement("t", "∀ (n : Nat), thrice n = n + n + n", imports=("Mine.Basic",))
    kernel = interact_kernel(config, timeout_s=60)
    assert kernel.check(thrice, "theorem t (n : Nat) : thrice n = n + n + n := rfl").accepted
    assert kernel.check(thrice, "theorem t (n : Nat) : thrice n = n + n + n := thrice_zero").outcome == "rejected"
    kernel.close()
    made = lean_setup(config, folder / "data")
    assert made.paths[-1] == str(folder / "project" / MODULES)


def test_what_is_no_configuration_is_named(interact: Any, monkeypatch: pytest.MonkeyPatch, config: Any) -> None:
    with pytest.raises(InvalidParameters, match=r"Expected a lean_interact\.LeanREPLConfig, got dict"):
        interact_kernel({})
    with pytest.raises(InvalidParameters, match="names no project"):
        lean_setup(config)
    monkeypatch.setenv(lean_interact.PROJECT, "/no/such/project")
    with pytest.raises(MissingExtra, match="could not make a REPL ready"):
        lean_interact.shared()


def test_without_the_library_the_error_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lean_interact, "import_module", _absent)
    with pytest.raises(MissingExtra, match=r"pip install 'envhub\[lean\]'"):
        interact_kernel()


def _absent(name: str) -> Any:
    raise ImportError(name)


def test_a_repl_that_does_not_start_is_no_fault_of_a_proof(interact: Any, config: Any, tmp_path: Path) -> None:
    broken = config_in(tmp_path, interact, pytest.MonkeyPatch())
    broken.lake_path = tmp_path / "none"
    with pytest.raises(MissingExtra, match="REPL does not work here: the REPL does not start"):
        interact_kernel(broken).check(*RIGHT["a term"])
    with pytest.raises(ReplLost):
        lean_interact._Interact(broken, 1.0)
