"""Proofs of equivalence are found for what is equivalent, and a real kernel accepts them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.envs.lean.formalize.interpretations import differ
from envhub.envs.lean.formalize.sentences import declared, draw, formula, reworded, signature
from envhub.generators.theorems.lean import LEAN
from envhub.generators.theorems.syntax import Expr
from envhub.verifiers.proofs.formulas import parse
from envhub.verifiers.proofs.lean import LeanKernel
from envhub.verifiers.proofs.proof import Statement
from envhub.verifiers.proofs.tableau import LOGIC, equivalence, implication, normal
from tests.support.kernels import lean_kernel
from tests.verifiers.proofs.prenex import prenex

NAMES = {"R": 2, "P": 1, "Q": 1, "a": 0}
BINDERS = declared({"R": 2, "P": 1, "Q": 1, "a": 0})


@pytest.fixture(scope="module")
def kernel() -> LeanKernel:
    return lean_kernel()


def read(text: str) -> Expr:
    return parse(text, NAMES)


def accepted(kernel: LeanKernel, one: Expr, other: Expr, term: str, binders: str = BINDERS) -> bool:
    claim = f"({LEAN.write(one)}) ↔ ({LEAN.write(other)})"
    statement = Statement("t", f"∀ {binders}, {claim}", LOGIC)
    return kernel.check(statement, f"theorem t {binders} : {claim} :=\n  {term}").accepted


# every rule of the search is used by one of them
SAME = {
    "order": ("P a ∧ Q a ∧ R a a", "R a a ∧ P a ∧ Q a"),
    "contraposition": ("P a → Q a", "¬ Q a → ¬ P a"),
    "double negation": ("¬ ¬ P a", "P a"),
    "an arrow as a disjunction": ("P a → Q a", "¬ P a ∨ Q a"),
    "one premise or two": ("P a → Q a → R a a", "P a ∧ Q a → R a a"),
    "laws of De Morgan": ("¬ (P a ∨ Q a)", "¬ P a ∧ ¬ Q a"),
    "distribution": ("P a ∧ (Q a ∨ R a a)", "P a ∧ Q a ∨ P a ∧ R a a"),
    "if and only if": ("P a ↔ Q a", "(P a → Q a) ∧ (Q a → P a)"),
    "not if and only if": ("¬ (P a ↔ Q a)", "P a ↔ ¬ Q a"),
    "no and every": ("¬ ∃ x, P x ∧ Q x", "∀ x, P x → ¬ Q x"),
    "not every": ("¬ ∀ x, P x → Q x", "∃ x, P x ∧ ¬ Q x"),
    "quantifiers of one kind": ("∃ x, ∃ y, R x y", "∃ y x, R x y"),
    "a quantifier moved out": ("P a ∧ ∃ x, Q x", "∃ x, P a ∧ Q x"),
    "a quantifier moved over an arrow": ("(∃ x, P x) → Q a", "∀ x, P x → Q a"),
    "a quantifier divided": ("∀ x, P x ∧ Q x", "(∀ x, P x) ∧ ∀ x, Q x"),
    "scopes made small": ("∀ x, P x → ∀ y, Q y → R x y", "∀ y x, Q y ∧ P x → R x y"),
    "true and false": ("P a ∧ True ∨ False", "P a"),
    "what is absurd": ("P a ∧ ¬ P a", "False"),
    "said twice": ("P a ∧ P a", "P a"),
    "absorbed": ("P a ∨ P a ∧ Q a", "P a"),
    "an instance": ("(∀ x, P x) ∧ P a", "∀ x, P x"),
    "an equivalence, prenex": (
        "(∀ x, P x → Q x) ↔ ∀ x, ¬ R x a",
        "∃ x y, ∀ z w, ((P x → Q x) → ¬ R z a) ∧ (¬ R y a → P w → Q w)",
    ),
    "parts in every order": (
        "∃ x, (P x ∧ P a) ∧ ((Q a ∧ Q x) ∧ (R a a ∧ (R x x ∧ (P x ∧ (Q a ∧ (P a ∧ Q x))))))",
        "(P a ∧ Q a ∧ R a a) ∧ ∃ x, P x ∧ Q x ∧ R x x",
    ),
    "alternatives in every order": (
        "∀ x, (P x ∨ P a) ∨ ((Q a ∨ Q x) ∨ (R a a ∨ (R x x ∨ (P x ∨ (Q a ∨ (P a ∨ Q x))))))",
        "(P a ∨ Q a ∨ R a a) ∨ ∀ x, P x ∨ Q x ∨ R x x",
    ),
    "a part on one side": ("∃ x, ((P a ∧ P x) ∧ Q a) ∧ Q x", "(P a ∧ Q a) ∧ ∃ x, P x ∧ Q x"),
    "quantifiers exchanged": ("∃ x y, P y ∧ Q x", "∀ z, (∃ x, P x) ∧ ∃ y, Q y"),
    "universal ones exchanged": ("∀ x y, P y ∨ Q x", "(∀ x, P x) ∨ ∀ y, Q y"),
    "nothing bound": ("∃ y, ∀ x, P a", "P a"),
    "denied in every way": (
        "¬ ((∀ x, P x ∧ True) → ((∃ y, Q y) ∨ False) ∨ ¬ (P a ↔ Q a))",
        "∀ x y, (P x ∧ ¬ Q y) ∧ (P a ↔ Q a)",
    ),
    "denied constants": ("¬ (True → False) ∧ P a", "P a"),
}


@pytest.mark.parametrize("name", SAME)
def test_what_is_equivalent_is_proved_and_the_kernel_accepts_it(kernel: LeanKernel, name: str) -> None:
    one, other = map(read, SAME[name])
    assert differ(one, other, NAMES) is None
    term = equivalence(one, other, ("a",))
    assert term is not None
    assert accepted(kernel, one, other, term)


OTHER = {
    "the converse": ("P a → Q a", "Q a → P a"),
    "quantifiers of two kinds": ("∀ x, ∃ y, R x y", "∃ y, ∀ x, R x y"),
    "some for every": ("∃ x, P x ∧ Q x", "∃ x, P x → Q x"),
    "every with and": ("∀ x, P x → Q x", "∀ x, P x ∧ Q x"),
    "sides swapped": ("∀ x, R x a", "∀ x, R a x"),
    "a negation moved": ("¬ ∀ x, P x", "∀ x, ¬ P x"),
    "what is true": ("P a", "True"),
    "stronger": ("P a ∨ Q a", "P a"),
}


@pytest.mark.parametrize("name", OTHER)
def test_for_what_is_not_equivalent_nothing_is_found(name: str) -> None:
    one, other = map(read, OTHER[name])
    assert differ(one, other, NAMES) is not None
    assert equivalence(one, other, ("a",)) is None


def test_one_direction_alone_is_no_equivalence() -> None:
    one, other = read("∃ y, ∀ x, R x y"), read("∀ x, ∃ y, R x y")
    assert implication(one, other) is not None
    assert implication(other, one) is None


@given(st.integers(0, 10_000), st.integers(1, 6), st.integers(0, 2))
def test_other_words_for_a_sentence_are_recognised(seed: int, phrases: int, joints: int) -> None:
    rng = Stream(b"tableau", seed)
    said = draw(rng, phrases, joints)
    meant = formula(said)
    other = reworded(reworded(meant, rng), rng)
    names = tuple(name for name, places in signature(said).items() if not places)
    term = equivalence(meant, other, names)
    assert term is not None
    assert len(term) < 60_000


@given(st.integers(0, 10_000), st.integers(1, 7), st.integers(0, 3))
def test_prenex_forms_are_recognised(seed: int, phrases: int, joints: int) -> None:
    rng = Stream(b"prenex", seed)
    said = draw(rng, phrases, joints)
    meant = formula(said)
    names = tuple(name for name, places in signature(said).items() if not places)
    assert equivalence(meant, prenex(meant, rng), names) is not None


@given(st.integers(0, 10_000))
def test_a_prenex_form_of_another_sentence_is_not_proved(seed: int) -> None:
    rng = Stream(b"prenex of another", seed)
    said = draw(rng, 3, 1)
    meant, names = formula(said), signature(said)
    other = prenex(meant, rng)
    wrong = Expr("ex" if other.op == "all" else "all", other.args, other.name, other.sort)
    if differ(meant, wrong, names) is not None:
        assert equivalence(meant, wrong, tuple(name for name, places in names.items() if not places)) is None


@given(st.integers(0, 10_000))
def test_another_sentence_is_never_proved_the_same(seed: int) -> None:
    rng = Stream(b"others", seed)
    one, other = formula(draw(rng, 2, 1)), formula(draw(rng, 2, 1))
    # of one vocabulary, or they would differ in that alone
    words = [(name, f"P{len(name) % 2}") for name in sorted(_predicates(one) | _predicates(other))]
    one, other = _renamed(one, dict(words)), _renamed(other, dict(words))
    names = {"P0": 1, "P1": 1, "ann": 0, "bob": 0, "carla": 0, "dan": 0}
    if differ(one, other, names) is not None:
        assert equivalence(one, other, ("ann", "bob", "carla", "dan")) is None


def _predicates(expr: Expr) -> set[str]:
    own = {expr.name} if expr.op == "call" else set()
    return own.union(*map(_predicates, expr.args)) if expr.args else own


def _renamed(expr: Expr, words: dict[str, str]) -> Expr:
    """With predicates of one place for those that it has."""
    if expr.op == "call":
        return Expr("call", expr.args[-1:], words[expr.name])
    return Expr(expr.op, tuple(_renamed(arg, words) for arg in expr.args), expr.name, expr.sort)


@pytest.mark.parametrize("seed", range(6))
def test_the_kernel_accepts_what_is_found_for_long_sentences(kernel: LeanKernel, seed: int) -> None:
    rng = Stream(b"long", seed)
    said = draw(rng, 3 + seed % 4, seed % 3)
    meant = formula(said)
    other = prenex(meant, rng) if seed % 2 else reworded(meant, rng)
    names = signature(said)
    term = equivalence(meant, other, tuple(name for name, places in names.items() if not places))
    assert term is not None
    assert accepted(kernel, meant, other, term, declared(names))


def test_a_wrong_term_is_rejected(kernel: LeanKernel) -> None:
    one, other = read("P a → Q a"), read("¬ Q a → ¬ P a")
    term = equivalence(one, other)
    assert term is not None
    assert not accepted(kernel, one, read("Q a → P a"), term)
    assert not accepted(kernel, one, other, term.replace("not_imp", "not_and", 1))


def test_the_normal_form_is_that_of_what_differs_in_form_only() -> None:
    one, other = read("∀ x, P x ∧ (Q x ∧ R x a) → ¬ ¬ Q a"), read("¬ ∃ z, ¬ Q a ∧ (R z a ∧ Q z) ∧ P z")
    assert normal(one) == normal(other) != normal(one, holds=False)
    assert normal(read("P a ↔ Q a")) == normal(read("Q a ↔ P a"))
    assert normal(read("∀ x, ∃ y, R x y")) != normal(read("∀ x, ∃ y, R y x"))
