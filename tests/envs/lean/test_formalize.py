"""lean-formalize-v0: what says the same is accepted in any form, what does not never is; the rest is unrecognised."""

from __future__ import annotations

from itertools import pairwise

import pytest

from envhub.envs.lean.formalize import Formalize
from envhub.generators.sentences import english
from tests.envs.lean.kernel import begun, block, down
from tests.kernels import toolchain

ID = "lean-formalize-v0"


@pytest.fixture(scope="module", autouse=True)
def _kernel() -> None:
    toolchain()


@pytest.mark.parametrize("level", range(1, 11))
def test_the_formula_is_accepted_and_so_is_another_form_of_it(level: int) -> None:
    env = begun(ID, 2, difficulty=level)
    other = next(iter(env.author.alternatives(env.episode.instance)))  # type: ignore[attr-defined]
    for text in (env.solve(), block(other)):
        _, reward, terminated, _, info = env.fork().step(text)
        assert (reward, terminated, info["verdict"]["components"]["recognised"]) == (1.0, True, 1.0)


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


def test_a_proof_that_the_kernel_rejects_counts_as_unrecognised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Formalize, "resources", down("rejected"))
    env = begun(ID, 1, difficulty=1)
    observation, reward, _, _, info = env.step(env.solve())
    assert (reward, info["verdict"]["components"]["recognised"]) == (0.0, 0.0)
    assert observation == "It could not be proved that this says the same."


def test_what_is_neither_told_apart_nor_proved_scores_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    env = begun(ID, 1, difficulty=3)
    monkeypatch.setattr("envhub.envs.lean.formalize.differ", lambda *_: None)
    for text in ("False", "∀ x : Person, ∃ y : Person, True"):  # the search itself proves nothing that is not so
        _, reward, _, _, info = env.fork().step(block(text))
        assert (reward, info["verdict"]["components"]["recognised"]) == (0.0, 0.0)
    monkeypatch.setattr("envhub.envs.lean.formalize.equivalence", lambda *_: None)
    observation, reward, _, _, info = env.step(env.solve())
    assert (reward, info["verdict"]["components"]["recognised"]) == (0.0, 0.0)
    assert "neither be proved nor disproved" in observation


def test_prompts_hold_no_formula() -> None:
    for seed in range(10):
        env = begun(ID, seed, difficulty=5)
        assert env.solve().split("\n")[1] not in env.task.prompt
        assert english(env.task.problem["sentence"]) in env.task.prompt
