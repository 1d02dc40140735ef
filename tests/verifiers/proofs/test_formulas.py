"""Formulas are read as Lean reads them, and what is not recognised is said."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.lean.formalize.interpretations import differ
from envhub.envs.lean.formalize.sentences import draw, formula, reworded, signature
from envhub.generators.theorems.lean import LEAN
from envhub.verifiers.proofs.formulas import NotRecognised, parse

NAMES = {"P": 1, "Q": 1, "R": 2, "a": 0, "b": 0}

BRACKETS = {
    "P a → Q a → P b": "P a → (Q a → P b)",
    "P a ∧ Q a ∧ P b": "P a ∧ (Q a ∧ P b)",
    "P a ∧ Q a ∨ P b": "(P a ∧ Q a) ∨ P b",
    "P a ∨ Q a → P b": "(P a ∨ Q a) → P b",
    "P a → Q a ↔ P b": "(P a → Q a) ↔ P b",
    "¬P a ∧ Q a": "(¬(P a)) ∧ Q a",
    "¬ ¬ P a → Q a": "(¬(¬ P a)) → Q a",
    "∀ x, P x → Q x": "∀ x, (P x → Q x)",
    "∀ x, P x ∧ Q a → P b": "∀ x, ((P x ∧ Q a) → P b)",
    "P a ∧ ∃ x, Q x ∨ P x": "P a ∧ (∃ x, (Q x ∨ P x))",
    "¬ ∀ x, P x → Q x": "¬ (∀ x, (P x → Q x))",
    "P a → ∀ x, Q x ↔ P x": "P a → (∀ x, (Q x ↔ P x))",
    "∀ x y, R x y": "∀ x, (∀ y, R x y)",
    "∀ (x y : Person), R x y": "∀ x : Person, ∀ y : Person, R x y",
    "∃ (x : Person) (y : Person), R x y": "∃ x, ∃ y, R x y",
    "∀ x, ∃ x, P x": "∀ y, ∃ z, P z",
    "R (a) ((b))": "R a b",
    "((P a))": "P a",
    "forall x, P x -> exists y, R x y /\\ not Q y \\/ False": "∀ x, P x → ∃ y, (R x y ∧ ¬ Q y) ∨ False",
    "P a <-> True": "P a ↔ True",
}


@pytest.mark.parametrize("text", BRACKETS)
def test_signs_bind_as_in_lean(text: str) -> None:
    assert LEAN.write(parse(text, NAMES)) == LEAN.write(parse(BRACKETS[text], NAMES))


REFUSED = {
    "": "A formula was expected, and there is the end",
    "P": "A person is expected|the end",
    "P a b": "Behind a whole formula stands 'b'",
    "R a": "the end",
    "a": "a is a person, and a formula is expected",
    "S a": "'S' is no predicate",
    "Pa a": "'Pa' is no predicate",
    "P c": "A person is expected, and there is 'c'",
    "P x": "A person is expected, and there is 'x'",
    "∀ x, P y": "there is 'y'",
    "(∀ x, P x) ∧ Q x": "there is 'x'",
    "∀ P, P a": "'P' is no predicate",
    "∀ x x, P x": "each of them once",
    "∀ , P a": "there is no name",
    "∀ x : Nat, P x": "over Person here, not over 'Nat'",
    "∀ x P x": "Behind|was expected|binds names|A formula",
    "P a ↔ Q a ↔ P b": "Behind a whole formula stands '↔'",
    "P a = Q a": "Behind a whole formula stands '='",
    "∃! x, P x": "no predicate and no sign",
    "(P a": r"\) was expected",
    "P a)": r"stands '\)'",
    "fun x => P x": "'fun' is no predicate",
    "P a; sorry": "stands ';'",
    "theorem t : P a": "'theorem' is no predicate",
    "P a\n#eval 1": "stands '#'",
    "¬" * 100 + "P a": "nested more than",
    "(" * 3000: "nested more than",
    "P a ∧ " * 1000 + "P a": "more than 4000 characters",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_not_recognised_is_said(text: str) -> None:
    with pytest.raises(NotRecognised, match=REFUSED[text]):
        parse(text, NAMES)


def test_a_near_name_is_proposed() -> None:
    with pytest.raises(NotRecognised, match="Did you mean 'Teacher'"):
        parse("Teachr ann", {"Teacher": 1, "ann": 0})


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(0, 2))
def test_what_is_written_is_read_as_it_was(seed: int, phrases: int, joints: int) -> None:
    rng = Stream(b"formulas", seed)
    said = draw(rng, phrases, joints)
    meant = reworded(formula(said), rng)
    text = LEAN.write(meant)
    again = parse(text, signature(said))
    assert differ(meant, again, signature(said), 20) is None
    assert again.size == meant.size
    assert parse(LEAN.write(again), signature(said)) == again


@given(st.text(alphabet="∀∃¬∧∨→↔()PQRabxy, :=TrueFalsPerson\n", max_size=60) | st.text(max_size=40))
def test_any_text_is_read_or_not_recognised(text: str) -> None:
    try:
        found = parse(text, NAMES)
    except NotRecognised:
        return
    assert parse(LEAN.write(found), NAMES) == found
