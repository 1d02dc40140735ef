"""lean-proof-v0: what the kernel accepts scores, nothing else does, and attempts are counted."""

from __future__ import annotations

import json
import math

import pytest

from envhub.core.errors import InvalidParameters
from envhub.envs.lean.proof import Proof
from envhub.generators.theorems import FAMILIES
from tests.envs.lean.kernel import begun, block, down
from tests.support.kernels import toolchain

ID = "lean-proof-v0"


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    toolchain()


@pytest.mark.parametrize("level", range(1, 11))
def test_the_oracle_is_accepted_and_a_proof_cut_short_is_not(level: int) -> None:
    env = begun(ID, 7, difficulty=level)
    short = env.fork()
    right = env.solve()
    _, reward, terminated, _, info = env.step(right)
    assert (reward, terminated) == (1.0, True)
    assert info["verdict"]["components"] == {"first": 1.0, "format": 1.0}
    observation, reward, terminated, _, _ = short.step("\n".join(right.rstrip("`\n").split("\n")[:-1]) + "\n```")
    assert (reward, terminated) == (0.0, False)
    assert "Not accepted.\nline " in observation
    assert "Attempts left: 3. Send the whole code again." in observation


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_can_be_asked_for(family: str) -> None:
    env = begun(ID, 3, family=family, level=2)
    assert env.step(env.solve())[1] == 1.0


def test_there_is_no_other_family() -> None:
    with pytest.raises(InvalidParameters, match="no family"):
        begun(ID, 1, family="geometry")


CHEATS = {
    "sorry": "theorem asked : {claim} := by sorry",
    "an axiom": "axiom asked : {claim}",
    "an axiom beside": "axiom no : False\ntheorem asked : {claim} := no.elim",
    "another statement": "theorem asked : True := True.intro",
    "another name": "theorem other : {claim} := {proof}",
    "a premise more": "theorem asked (h : {claim}) : {claim} := h",
    "a variable": "variable (h : {claim})\ninclude h\ntheorem asked : {claim} := h",
    "itself": "theorem asked : {claim} := asked",
    "unsafe": "unsafe def no : False := lcProof\ntheorem asked : {claim} := no.elim",
    "a macro": 'macro "done_it" : tactic => `(tactic| sorry)\ntheorem asked : {claim} := by done_it',
    "notation": 'notation "∀" => True\ntheorem asked : {claim} := True.intro',
    "an instance": "instance : Inhabited False := ⟨sorry⟩\ntheorem asked : {claim} := default",
    "an option": "set_option debug.skipKernelTC true\ntheorem asked : {claim} := True.intro",
    "the statement made true": "def Prop' := True\ntheorem asked : (fun (_ : Prop) => True) ({claim}) := True.intro",
    "a message": "#print axioms Nat.add\ntheorem asked : {claim} := True.intro",
    "a namespace left": "end Submission\ntheorem asked : {claim} := True.intro",
    "an import": "import Spec\ntheorem asked : {claim} := True.intro",
}


def test_nobody_is_talked_into_accepting() -> None:
    for number, (name, cheat) in enumerate(CHEATS.items()):
        env = begun(ID, number, difficulty=1 + number % 10, split="test")
        claim = env.task.problem["statement"]
        observation, reward, _, _, _ = env.step(block(cheat.format(claim=claim, proof="by\n  trivial")))
        assert reward == 0.0, name
        assert observation.startswith("Not accepted."), name


def test_what_the_kernel_says_can_be_used_and_the_first_attempt_counts_apart() -> None:
    env = begun(ID, 4, difficulty=2)
    right = env.solve()
    for left in (3, 2):
        observation, _, terminated, _, _ = env.step(
            block(f"theorem asked : {env.task.problem['statement']} := by\n  skip")
        )
        assert not terminated
        assert "unsolved goals" in observation
        assert f"Attempts left: {left}." in observation
    _, reward, terminated, _, info = env.step(right)
    assert (reward, terminated, info["verdict"]["components"]["first"]) == (1.0, True, 0.0)


def test_attempts_end_also_with_what_cannot_be_read() -> None:
    env = begun(ID, 4, level=2, attempts=2)
    assert "This is the last attempt" in env.step("I give up.")[0]
    _, reward, terminated, truncated, info = env.step("```python\npass\n```")
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert info["verdict"]["status"] == "no_answer"
    env = begun(ID, 4, level=2, attempts=1)
    _, reward, terminated, _, info = env.step(block("theorem asked : True := trivial"))
    assert (reward, terminated, info["verdict"]["status"]) == (0.0, True, "graded")


def test_what_takes_the_kernel_down_is_abuse_and_what_is_ours_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Proof, "resources", down("abused"))
    _, reward, terminated, _, info = begun(ID, 1).step(block("theorem asked : True := trivial"))
    assert (reward, terminated, info["verdict"]["components"]["abuse"]) == (0.0, True, 1.0)
    monkeypatch.setattr(Proof, "resources", down("error"))
    _, reward, terminated, truncated, info = begun(ID, 1).step(block("theorem asked : True := trivial"))
    assert math.isnan(reward)
    assert (terminated, truncated, info["error"]["code"]) == (False, True, "resource_failed")


def test_no_proof_and_no_seed_is_in_what_is_kept() -> None:
    env = begun(ID, 7_260_518_403_816_273, difficulty=3)
    env.step(block("theorem asked : True := trivial"))
    kept = json.dumps([env.episode.snapshot()["journal"], env.task.prompt, env.task.problem])
    assert "7260518403816273" not in kept
    steps = env.solve().split(" := by\n")[1].removesuffix("```").strip("\n")
    assert json.dumps(steps)[1:-1] not in kept
