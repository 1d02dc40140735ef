"""lean-formalize-v0: what says the same is accepted in any form, what does not never is; the rest is unrecognised."""

from __future__ import annotations

from itertools import pairwise

import pytest

from envhub.core.seeding import Stream
from envhub.envs.lean.formalize.environment import Formalize
from envhub.envs.lean.formalize.sentences import english, formula
from envhub.generators.theorems.lean import LEAN
from envhub.generators.theorems.syntax import Expr
from tests.envs.lean.kernel import begun, block, down
from tests.support.kernels import toolchain
from tests.verifiers.proofs.prenex import prenex

ID = "lean-formalize-v0"


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    toolchain()


@pytest.mark.parametrize("level", range(1, 11))
def test_the_formula_is_accepted_and_so_is_another_form_of_it(level: int) -> None:
    env = begun(ID, 2, difficulty=level)
    other = next(iter(env.environment.alternatives(env.episode.instance)))  # type: ignore[attr-defined]
    for text in (env.solve(), block(other)):
        _, reward, terminated, _, info = env.fork().step(text)
        assert (reward, terminated, info["verdict"]["components"]["recognised"]) == (1.0, True, 1.0)


def test_a_proof_between_two_forms_states_what_it_proves() -> None:
    env = begun(ID, 40, difficulty=10)  # Lean took a person for a proposition where the steps alone said what is proved
    for other in env.environment.alternatives(env.episode.instance):  # type: ignore[attr-defined]
        assert env.fork().step(block(other))[1] == 1.0


def test_what_merely_holds_is_never_accepted() -> None:
    for seed in range(40):
        env = begun(ID, seed, difficulty=1 + seed % 10)
        person = next(name for name, places in env.task.problem["signature"].items() if not places)
        for text in ("True", "False", "True ∨ False", "∀ x, True", f"∃ x, (x = {person})", "True → True"):
            _, reward, _, _, info = env.fork().step(block(text))
            assert (reward, info["verdict"]["solved"]) == (0.0, False), (text, english(env.task.problem["sentence"]))


def test_another_sentence_is_not_accepted() -> None:
    envs = [begun(ID, seed, difficulty=2) for seed in range(12)]
    for one, other in pairwise(envs):
        assert one.fork().step(other.solve())[1] == 0.0


@pytest.mark.parametrize(
    ("change", "said", "recognised"),
    [
        (lambda text: f"¬({text})", "There is a world", 1.0),
        (lambda text: f"({text}) ∧ ∀ x : Person, ∃ y : Person, False", "There is a world", 1.0),
        (lambda text: f"({text}) ∧ asked", "'asked' is no predicate", 0.0),
        (lambda text: f"def asked : Prop := {text}", "'def' is no predicate", 0.0),
        (lambda text: f"({text}", "was expected", 0.0),
        (lambda text: f"{text}\n#print axioms asked", "stands '#'", 0.0),
        (lambda text: f"({text}) ∨ sorry", "'sorry' is no predicate", 0.0),
    ],
)
def test_what_is_wrong_and_what_is_not_recognised_are_told_apart(change: object, said: str, recognised: float) -> None:
    env = begun(ID, 9, difficulty=2)
    formula = env.solve().removeprefix("```lean\n").removesuffix("\n```")
    observation, reward, terminated, _, info = env.step(block(change(formula)))  # type: ignore[operator]
    assert (reward, terminated) == (0.0, True)
    assert said in observation
    assert info["verdict"]["components"]["recognised"] == recognised
    assert formula not in observation


@pytest.mark.parametrize("outcome", ["rejected", "abused"])
def test_a_proof_of_ours_that_the_kernel_rejects_is_an_error(monkeypatch: pytest.MonkeyPatch, outcome: str) -> None:
    monkeypatch.setattr(Formalize, "resources", down(outcome))
    env = begun(ID, 1, difficulty=1)
    _, _, terminated, truncated, info = env.step(env.solve())
    assert (terminated, truncated, info["verdict"]["status"], info["verdict"]["score"]) == (False, True, "error", None)


def test_only_what_agrees_in_finite_models_can_be_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("envhub.envs.lean.formalize.environment.equivalence", lambda *_: None)
    env = begun(ID, 1, difficulty=3)
    right = env.solve().removeprefix("```lean\n").removesuffix("\n```")
    assert env.fork().step(block(right))[4]["verdict"]["error"]["code"] == "undecided"
    people = [f"z{number}" for number in range(9)]
    packed = f"∀ {' '.join(people)}, {' ∧ '.join(['(True → True)'] * 20)}"
    for wrong in (f"¬({right})", "True", f"({right}) ∨ ({packed})", f"({packed}) ∧ ¬({right})"):
        _, reward, terminated, _, info = env.fork().step(block(wrong))
        assert (reward, terminated, info["verdict"]["status"]) == (0.0, True, "graded"), wrong


def test_what_is_too_large_is_not_recognised() -> None:
    env = begun(ID, 1, difficulty=1)
    right = env.solve().removeprefix("```lean\n").removesuffix("\n```")
    predicate = next(name for name, places in env.task.problem["signature"].items() if places == 1)
    people = [f"z{number}" for number in range(40)]
    pairs = [f"({predicate} {one} ↔ {predicate} {other})" for one, other in pairwise(people)]
    for wrong in (" ↔ ".join([f"({right})", *pairs]), f"∀ {' '.join(people)}, {' ↔ '.join(pairs)}"):
        observation, reward, _, _, info = env.fork().step(block(wrong))
        assert (reward, info["verdict"]["components"].get("recognised", 0.0)) == (0.0, 0.0)
        assert "too large" in observation or "nested" in observation or "expected" in observation


@pytest.mark.parametrize("level", [3, 5, 8, 10])
def test_prenex_forms_are_accepted_and_their_neighbours_are_not(level: int) -> None:
    env = begun(ID, 0, difficulty=level)
    meant = formula(env.task.problem["sentence"])
    other = prenex(meant, Stream(b"prenex", level))
    assert env.fork().step(block(LEAN.write(other)))[1] == 1.0
    flipped = Expr("ex" if other.op == "all" else "all", other.args, other.name, other.sort)
    _, reward, _, _, info = env.fork().step(block(LEAN.write(flipped)))
    assert (reward, info["verdict"]["status"]) == (0.0, "graded")


def test_prompts_hold_no_formula() -> None:
    for seed in range(10):
        env = begun(ID, seed, difficulty=5)
        assert env.solve().split("\n")[1] not in env.task.prompt
        assert english(env.task.problem["sentence"]) in env.environment.worded(env.task.problem)
