"""lean-repair-v0 and lean-refute-v0: what is called broken is, and both answers to a claim have to be proved."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.generators.theorems import draw
from envhub.generators.theorems.faults import broken
from tests.envs.lean.kernel import begun, block
from tests.support.kernels import toolchain


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    toolchain()


def rejected(level: int, seed: int) -> None:
    env = begun("lean-repair-v0", seed, difficulty=level)
    whole = env.solve()
    observation, reward, terminated, _, _ = env.fork().step(block(env.task.problem["broken"]))
    assert (reward, terminated) == (0.0, False), env.task.problem["broken"]
    assert "Not accepted." in observation
    assert env.step(whole)[1] == 1.0


@pytest.mark.parametrize("level", range(1, 11))
def test_a_broken_proof_is_rejected_and_the_right_one_is_accepted(level: int) -> None:
    rejected(level, 5)


@pytest.mark.nightly
@pytest.mark.parametrize("level", range(1, 11))
def test_every_broken_proof_is_rejected(level: int) -> None:
    for seed in range(40):
        rejected(level, seed)


@given(st.integers(0, 10_000), st.integers(1, 10), st.integers(1, 4))
def test_faults_change_a_proof_and_are_the_same_again(seed: int, level: int, faults: int) -> None:
    steps = draw(Stream(b"repair", seed), "propositional", min(level, 4)).lean.steps
    spoilt = broken(Stream(b"faults", seed), steps, faults)
    assert spoilt == broken(Stream(b"faults", seed), steps, faults)
    assert spoilt != steps
    assert spoilt != ()


def test_a_fault_never_takes_another_back() -> None:
    steps = ("intro p a", "have b : p := a", "have c : p := b", "exact c")
    for seed in range(400):
        assert broken(Stream(b"twice", seed), steps, 2) != steps


def test_a_proof_without_room_for_faults_is_not_broken() -> None:
    assert broken(Stream(b"none"), ["rfl"], 1) is None


@pytest.mark.parametrize("level", [1, 4, 7, 10])
def test_claims_are_true_and_false_and_each_is_settled_by_its_own_theorem_alone(level: int) -> None:
    answers = set()
    for seed in range(8):
        env = begun("lean-refute-v0", seed, difficulty=level)
        right = env.solve()
        name = "holds" if "theorem holds" in right else "fails"
        if name in answers:
            continue
        answers.add(name)
        other = "fails" if name == "holds" else "holds"
        claims = {"holds": env.task.problem["statement"], "fails": env.task.problem["negation"]}
        proof = right.split(" := by")[1].rstrip("`\n")
        texts = {
            "the other name": right.replace(f"theorem {name}", f"theorem {other}"),
            "the other claim": block(f"theorem {other} : {claims[other]} := by{proof}"),
            "both": block(
                f"theorem {name} : {claims[name]} := by{proof}\ntheorem {other} : {claims[other]} := by{proof}"
            ),
            "neither": block("theorem asked : True := trivial"),
        }
        for what, text in texts.items():
            assert env.fork().step(text)[1:3] == (0.0, False), what
        assert env.step(right)[1] == 1.0
    assert answers == {"holds", "fails"}


def test_both_names_are_told() -> None:
    env = begun("lean-refute-v0", 1, difficulty=1)
    both = block("theorem holds : True := trivial\ntheorem fails : True := trivial")
    assert "exactly one of theorem holds and theorem fails" in env.step(both)[0]
