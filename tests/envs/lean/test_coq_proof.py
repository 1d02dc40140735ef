"""coq-proof-v0: what Coq's kernel accepts scores, nothing else does, and its tasks are those of Lean in other words."""

from __future__ import annotations

import pytest

import envhub
from envhub.envs.lean.coq import CoqProof
from tests.envs.lean.kernel import begun, down
from tests.support.proofs import coq

ID = "coq-proof-v0"


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    coq()


def block(text: str) -> str:
    return f"```coq\n{text}\n```"


@pytest.mark.parametrize("level", [1, 5, 10])
def test_the_oracle_is_accepted_and_a_proof_cut_short_is_not(level: int) -> None:
    env = begun(ID, 7, difficulty=level)
    short = env.fork()
    right = env.solve()
    _, reward, terminated, _, info = env.step(right)
    assert (reward, terminated) == (1.0, True)
    assert info["verdict"]["components"] == {"first": 1.0, "format": 1.0}
    lines = right.strip("`\n").split("\n")
    last = next(line for line in reversed(lines) if line.startswith("  "))
    observation, reward, terminated, _, _ = short.step(right.replace(f"{last}\nQed.", "Qed."))
    assert (reward, terminated) == (0.0, False)
    assert "incomplete proof" in observation
    assert "Attempts left: 3." in observation


CHEATS = {
    "Admitted": "Theorem asked : {claim}.\nProof. Admitted.",
    "an axiom": "Axiom asked : {claim}.",
    "another statement": "Theorem asked : True.\nProof. exact I. Qed.",
    "another name": "Theorem other : True.\nProof. exact I. Qed.",
    "a premise more": "Theorem asked (h : {claim}) : {claim}.\nProof. exact h. Qed.",
    "an option": "Unset Guard Checking.\nFixpoint no (n : nat) : False := no n.\n"
    "Definition asked : {claim} := match no 0 with end.",
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_cheats_score_nothing(cheat: str) -> None:
    env = begun(ID, 11, difficulty=1)
    claim = env.task.problem["statement"]
    _, reward, terminated, _, _ = env.step(block(CHEATS[cheat].replace("{claim}", claim)))
    assert (reward, terminated) == (0.0, False)


def test_lemmas_of_its_own_are_welcome_and_no_axiom_is_asked_for() -> None:
    env = begun(ID, 3, family="naturals", level=2)
    proof = env.solve().strip("`\n").removeprefix("coq\n").replace("Theorem asked", "Lemma mine")
    claim = env.task.problem["statement"]
    text = f"{proof}\nTheorem asked : {claim}.\nProof. exact mine. Qed."
    assert env.step(block(text))[1] == 1.0


def test_the_splits_are_shared_with_lean() -> None:
    ours = envhub.make(ID, difficulty=2, family="lists", split="test")
    theirs = envhub.make("lean-proof-v0", difficulty=2, family="lists", split="train")
    seen: set[str] = set()
    for seed in range(6):
        ours.reset(seed=seed)
        seen.add(ours.task.fingerprint)
    for seed in range(6):
        theirs.reset(seed=seed)
        assert theirs.task.fingerprint not in seen
    assert CoqProof.family == "theorems"


@pytest.mark.parametrize(("outcome", "scored"), [("error", False), ("abused", True)])
def test_a_kernel_that_is_down_is_nobody_s_reward(monkeypatch: pytest.MonkeyPatch, outcome: str, scored: bool) -> None:
    monkeypatch.setattr(CoqProof, "resources", down(outcome))
    env = begun(ID, 5, difficulty=1)
    _, reward, terminated, truncated, info = env.step(block("Theorem asked : True."))
    assert (reward == 0.0) == scored
    assert (terminated, truncated) == (scored, not scored)
    assert ("error" in info and info["error"] is not None) != scored
