"""lean-theorems-v0: a user's theorems, judged as ours are."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import envhub
from envhub.core.errors import InvalidParameters, SplitExhausted
from envhub.core.seeding import SPLITS
from envhub.gymnasium.env import Env
from tests.envs.lean.kernel import begun, block
from tests.support.kernels import toolchain

ID = "lean-theorems-v0"
FILE = """open Nat

def twice (n : Nat) : Nat := n + n

theorem twice_zero : twice 0 = 0 := rfl

theorem added {n : Nat} : add n 0 = n := by sorry
"""


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    toolchain()


@pytest.fixture
def path(tmp_path: Path) -> str:
    (tmp_path / "mine.lean").write_text(FILE)
    return str(tmp_path / "mine.lean")


def of(path: str, name: str) -> Env:
    for split in SPLITS:
        for seed in range(40):
            try:
                env = begun(ID, seed, path=path, split=split)
            except SplitExhausted:
                continue
            if env.task.problem["name"] == name:
                return env
    raise AssertionError(f"there is no {name}")


def test_a_theorem_with_its_proof_is_solved_and_one_without_can_be(path: str) -> None:
    env = of(path, "twice_zero")
    assert "def twice (n : Nat) : Nat := n + n" in env.task.prompt
    assert env.step(env.solve())[1] == 1.0
    env = of(path, "added")
    assert "theorem added {n : Nat} : add n 0 = n" in env.task.prompt
    with pytest.raises(InvalidParameters, match="The theorem added comes without a proof"):
        env.solve()
    wrong = "theorem added {n : Nat} : add n 0 = n := by sorry"
    assert env.step(block(wrong))[1:3] == (0.0, False)
    assert env.step(block("theorem added {n : Nat} : add n 0 = n := rfl"))[1] == 1.0


def test_a_definition_that_is_given_keeps_its_meaning(path: str) -> None:
    env = of(path, "twice_zero")
    for text, reward in {
        "theorem twice_zero : Spec.twice 0 = 0 := rfl": 1.0,
        "def twice (n : Nat) : Nat := 7\ntheorem twice_zero : twice 0 = 7 := rfl": 0.0,
        "def twice (n : Nat) : Prop := True\ntheorem twice_zero : twice 0 := trivial": 0.0,
        "theorem twice_zero : 0 = 0 ∨ True := Or.inl rfl": 0.0,
    }.items():
        assert env.fork().step(block(text))[1] == reward, text


def test_a_statement_that_does_not_compile_is_an_error_and_no_reward(tmp_path: Path) -> None:
    row = {"formal_statement": "theorem t (x : Reel) : x = x := by sorry"}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    env = begun(ID, 1, path=str(tmp_path / "a.jsonl"), split=_split(str(tmp_path / "a.jsonl")))
    _, reward, _, truncated, info = env.step(block("theorem t (x : Reel) : x = x := rfl"))
    assert math.isnan(reward)
    assert truncated
    assert "does not compile" in info["error"]["reason"]


def _split(path: str) -> str:
    for split in SPLITS:
        try:
            begun(ID, 1, path=path, split=split)
        except SplitExhausted:
            continue
        return split
    raise AssertionError("there is a theorem in no split")


def test_what_does_not_fit_is_told_when_it_is_made(tmp_path: Path) -> None:
    (tmp_path / "a.lean").write_text("namespace A\ntheorem t : True := trivial\n")
    with pytest.raises(InvalidParameters, match="line 1: 'namespace A' is not recognised"):
        envhub.make(ID, path=str(tmp_path / "a.lean"))
    with pytest.raises(InvalidParameters, match="path"):
        envhub.make(ID)
