"""Formulas agree in the worlds of a size or do not; trying every world says the same."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.lean.formalize.interpretations import Model, differ, true_in
from envhub.envs.lean.formalize.sentences import draw, formula, reworded, signature
from envhub.verifiers.proofs import finite_models
from envhub.verifiers.proofs.finite_models import agree
from envhub.verifiers.proofs.formulas import parse
from tests.verifiers.proofs.prenex import prenex

NAMES = {"R": 2, "P": 1, "a": 0, "b": 0}
PIECES = (
    "P a", "P b", "R a b", "∀ x, P x", "∃ x, R x a", "∀ x, ∃ y, R x y", "∃ y, ∀ x, R x y", "∀ x y, R x y → R y x",
    "∀ x, P x ↔ R x x", "True", "False",
)  # fmt: skip


def everywhere(one: str, other: str, size: int) -> bool:
    left, right = parse(one, NAMES), parse(other, NAMES)
    people = range(size)
    pairs = list(product(people, repeat=2))
    for a, b in pairs:
        for happy, likes in product(product((0, 1), repeat=size), product((0, 1), repeat=len(pairs))):
            tables = {
                "P": frozenset((who,) for who in people if happy[who]),
                "R": frozenset(pair for pair, there in zip(pairs, likes, strict=True) if there),
            }
            world = Model(size, {"a": a, "b": b}, tables)
            if true_in(world, left) != true_in(world, right):
                return False
    return True


@settings(max_examples=60)
@given(st.data())
def test_trying_every_world_says_the_same(data: st.DataObject) -> None:
    def text() -> str:
        one, other = data.draw(st.sampled_from(PIECES)), data.draw(st.sampled_from(PIECES))
        return f"{data.draw(st.sampled_from(('', '¬ ')))}(({one}) {data.draw(st.sampled_from('∧∨→↔'))} ({other}))"

    one, other = text(), text()
    for size in (1, 2):
        assert agree(parse(one, NAMES), parse(other, NAMES), NAMES, size) == everywhere(one, other, size)


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(0, 2))
def test_forms_of_a_sentence_agree_and_another_sentence_does_not(seed: int, phrases: int, joints: int) -> None:
    rng = Stream(b"small worlds", seed)
    said = draw(rng, phrases, joints)
    meant, names = formula(said), signature(said)
    for other in (reworded(meant, rng), prenex(meant, rng)):
        assert all(agree(meant, other, names, size) for size in (1, 2))
    other = prenex(meant, rng)
    wrong = formula(["not", said])
    assert agree(other, wrong, names, 1) is False


def test_what_differs_in_a_larger_world_only() -> None:
    one, other = parse("∀ x, ∃ y, R x y", NAMES), parse("∃ y, ∀ x, R x y", NAMES)
    assert [agree(one, other, NAMES, size) for size in (1, 2)] == [True, False]
    assert differ(one, other, NAMES) is not None


def test_what_is_too_large_or_takes_too_long_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = parse("∀ x, ∃ y, R x y", NAMES), parse("∀ x, ¬ ∀ z, ¬ (R x z ∧ (P z ∨ ¬ P z))", NAMES)
    assert agree(one, other, NAMES, 3) is True
    people = " ".join(f"x{number}" for number in range(30))
    pairs = " ∨ ".join(f"(R x{number} x{number + 1} ∧ ¬ R x{number} x{(number * 7 + 3) % 30})" for number in range(29))
    assert agree(one, parse(f"∀ {people}, {pairs}", NAMES), NAMES, 3) is None
    monkeypatch.setattr(finite_models, "STEPS", 3)
    assert agree(one, parse("∃ y, ∀ x, R x y ∨ R y x", NAMES), NAMES, 3) is None
