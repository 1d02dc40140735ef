"""lean-dojo itself, nightly: its traced theorems become tasks, and its live proofs are judged by our kernel.

The tracing alone takes a Lean with its library, lake and the network, and is the one step that is not run here: the syntax tree
that it would write is written by hand (``traced.py``). All that is done with it is the library's own code, over the real
elaborator and kernel.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from envhub.adapters.lean_dojo.steps import DojoProof
from envhub.adapters.lean_dojo.theorems import Found, row_of, statement_of, tasks_of
from envhub.core.errors import InvalidParameters, ResourceError
from envhub.generators.user_files.theorems import theorem_of
from envhub.verifiers.proofs.lean import LeanKernel
from tests.envs.lean.kernel import block
from tests.envs.lean.test_theorems import of
from tests.support.kernels import lean_kernel, toolchain
from tests.support.peers import folder_of, on_path

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # the library leaves files open
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
LIBRARY = """open Nat

def twice (n : Nat) : Nat := n + n

namespace Twice

variable (k : Nat)

theorem base : twice 0 = 0 := by
  rfl

-- a word about it
theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := by
  constructor
  exact h.2
  exact h.1

theorem uses : twice k = k + k := rfl

end Twice

theorem after : twice 0 = 0 := by
  exact Twice.base

theorem cheat : twice 1 = 3 := by
  sorry

include k

theorem late : True := by
  exact True.intro
"""
LAKE = '#!/bin/sh\nshift 2\nexec python3 "{stand_in}" "$@"\n'


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The repository as the library has traced it."""
    place = tmp_path_factory.mktemp("dojo")
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the library imports is full of them
        patch.setenv("CACHE_DIR", str(place / "cache"))
        patch.setenv("DISABLE_REMOTE_CACHE", "1")
        with on_path(folder_of("lean-dojo", "lean_dojo"), prefix="lean-dojo/", library="lean_dojo"):
            from tests.adapters.lean_dojo.traced import traced

            (place / "repo").mkdir()
            whole = traced(place / "repo", LIBRARY)
            (place / "bin").mkdir()
            lake = place / "bin" / "lake"
            lake.write_text(LAKE.format(stand_in=Path(__file__).with_name("dojo_stand_in.py")))
            lake.chmod(0o755)
            patch.setenv("PATH", f"{lake.parent}:/usr/bin:/bin")
            patch.setenv("STAND_IN_LEAN", f"{toolchain().sysroot}/bin/lean")
            dojo = import_module("lean_dojo.interaction.dojo")
            patch.setattr(dojo, "get_traced_repo_path", lambda repo, build_deps=True: place / "repo")
            yield whole


@pytest.fixture(scope="module")
def kernel() -> LeanKernel:
    return lean_kernel()


@pytest.fixture(scope="module")
def found(repo: Any, kernel: LeanKernel) -> Found:
    return tasks_of(repo.get_traced_theorems(), kernel)


def named(repo: Any, name: str) -> Any:
    return next(each for each in repo.get_traced_theorems() if each.theorem.full_name == name)


def test_theorems_are_stated_alone_and_their_own_proofs_prove_them(found: Found) -> None:
    rows = {row["name"]: row for row in found.rows}
    assert list(rows) == ["Twice.base", "Twice.swap", "Twice.uses", "after"]
    swap = rows["Twice.swap"]
    assert swap["formal_statement"] == "theorem Twice.swap (k : Nat) (p q : Prop) (h : p ∧ q) : q ∧ p := by sorry"
    assert swap["within"] == ["open Nat", "open Twice"]
    assert (swap["difficulty"], rows["Twice.uses"]["difficulty"]) == (3, 1)
    assert "a word about it" not in str(rows)


def test_what_is_left_out_is_named_with_the_reason(found: Found) -> None:
    reasons = dict(found.left_out)
    assert list(reasons) == ["cheat", "late"]
    assert "refused" in reasons["cheat"]
    assert "include" in reasons["late"]
    with pytest.raises(InvalidParameters, match=r"There is no theorem to write\. cheat"):
        Found((), found.left_out).write("nowhere")


def test_they_are_tasks_and_no_prompt_shows_a_proof(found: Found, tmp_path: Path) -> None:
    path = tmp_path / "theorems.jsonl"
    found.write(path)
    assert [json.loads(line)["name"] for line in path.read_text("utf-8").splitlines()] == [
        row["name"] for row in found.rows
    ]
    env = of(str(path), "Twice.swap")  # the one of difficulty 3
    assert "theorem base : twice 0 = 0 := …" in env.task.prompt
    assert "rfl" not in env.task.prompt
    assert "constructor" not in env.task.prompt
    head = "theorem Twice.swap (k : Nat) (p q : Prop) (h : p ∧ q) : q ∧ p := "
    assert env.fork().step(block(f"{head}h.symm"))[1] == 1.0
    assert env.fork().step(block(f"{head}h"))[1] == 0.0
    assert env.fork().step(block(head.replace("(k : Nat) ", "") + "h.symm"))[1] == 0.0
    assert env.step(env.solve())[1] == 1.0


def proof_of(repo: Any, name: str, kernel: LeanKernel) -> DojoProof:
    from lean_dojo import Dojo

    theorem = named(repo, name)
    return DojoProof(lambda: Dojo(theorem.theorem, timeout=60), theorem_of(row_of(theorem)), kernel)


def test_a_live_proof_is_judged_by_our_kernel(repo: Any, kernel: LeanKernel) -> None:
    with proof_of(repo, "Twice.swap", kernel) as proof:
        assert [goal.rsplit("⊢ ")[1] for goal in proof.goals] == ["q ∧ p"]
        assert proof.step("constructor").goals == proof.goals
        assert [goal.rsplit("⊢ ")[1] for goal in proof.goals] == ["q", "p"]
        for wrong in ("exact h.1", "no_such_tactic", ""):
            report = proof.step(wrong)
            assert report.outcome == "rejected"
            assert report.messages
            assert len(proof.goals) == 2
        for cheat in ("sorry", "native_decide", "exact sorryAx _", "set_option debug.skipKernelTC true in rfl"):
            assert proof.step(cheat).outcome == "refused"
        assert proof.undo()
        assert len(proof.goals) == 1
        assert not proof.undo()
        proof.step("constructor")
        proof.step("exact h.2")
        report = proof.step("exact h.1  -- done")
        assert report.accepted
        assert kernel.check(statement_of(theorem_of(row_of(named(repo, "Twice.swap")))), proof.source).accepted
    with pytest.raises(ResourceError, match="has ended"):
        proof.step("rfl")


def test_what_the_library_takes_for_a_proof_is_none_before_our_kernel_says_so(repo: Any, kernel: LeanKernel) -> None:
    class Strict:
        def check(self, statement: Any, submission: str) -> Any:
            return kernel.check(statement, submission.replace("h.1", "h.2"))

    with proof_of(repo, "Twice.swap", Strict()) as proof:  # type: ignore[arg-type]
        assert proof.step("exact ⟨h.2, h.1⟩").outcome == "rejected"
        assert len(proof.goals) == 1


def test_a_process_that_a_tactic_ends_twice_is_the_tactic_s_doing(
    repo: Any, kernel: LeanKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STAND_IN_DIES", "exact h.2")
    with proof_of(repo, "Twice.swap", kernel) as proof:
        proof.step("constructor")
        assert proof.step("exact h.2").outcome == "abused"


def test_a_theorem_that_is_not_there_is_no_proof_that_could_begin(repo: Any, kernel: LeanKernel) -> None:
    from lean_dojo import Dojo, Theorem

    absent = Theorem(named(repo, "after").theorem.repo, "Lib.lean", "absent")
    stated = theorem_of(row_of(named(repo, "after")))
    with pytest.raises(ResourceError, match="could not begin the proof of after: DojoInitError"):
        DojoProof(lambda: Dojo(absent, timeout=60), stated, kernel).__enter__()
