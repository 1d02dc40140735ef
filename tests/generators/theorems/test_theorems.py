"""Theorems: every proof is one to both kernels, what is spoilt is none, and the same claim is the same whatever its names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.generators.theorems import FAMILIES, LEVELS, Theorem, draw, window
from envhub.generators.theorems.normal import canonical
from envhub.generators.theorems.syntax import Expr, Sort, closed, every, imp, opened, replaced, var
from tests.support.proofs import coq_said, lean_wrong

SAMPLE = (1, 4, 7, 10)


def some(family: str, levels: tuple[int, ...], seeds: int = 1) -> list[Theorem]:
    return [
        draw(Stream(b"theorems", family, level, seed, holds), family, level, holds=holds)
        for level in levels
        for seed in range(seeds)
        for holds in (True, False)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_lean_accepts_every_proof_and_no_spoilt_one(family: str, tmp_path: Path) -> None:
    assert_lean(some(family, SAMPLE), tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("family", FAMILIES)
def test_lean_accepts_proofs_of_every_level(family: str, tmp_path: Path) -> None:
    assert_lean(some(family, tuple(LEVELS), 6), tmp_path)


def assert_lean(theorems: list[Theorem], folder: Path) -> None:
    right = [(theorem, theorem.lean_source()) for theorem in theorems]
    cut = [(theorem, "\n".join(source.rstrip().split("\n")[:-1]) + "\n") for theorem, source in right]
    other = [
        (
            theorem,
            f"theorem t : {theorem.lean.negation if theorem.holds else theorem.lean.statement} := by{steps(theorem)}",
        )
        for theorem in theorems
    ]
    wrong = lean_wrong(folder, [*right, *cut, *other])
    assert wrong == set(range(len(right), 3 * len(right)))


def steps(theorem: Theorem) -> str:
    return "".join(f"\n  {line}" for line in theorem.lean.steps)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_coq_accepts_every_proof_and_no_spoilt_one(family: str, tmp_path: Path) -> None:
    assert_coq(some(family, SAMPLE), tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("family", FAMILIES)
def test_coq_accepts_proofs_of_every_level(family: str, tmp_path: Path) -> None:
    assert_coq(some(family, tuple(LEVELS), 6), tmp_path)


def assert_coq(theorems: list[Theorem], folder: Path) -> None:
    texts = [(theorem, theorem.coq_source()) for theorem in theorems]
    for theorem in theorems:
        done = "".join(f"  {line}\n" for line in theorem.coq.steps[:-1])
        texts.append((theorem, f"Theorem t : {theorem.coq.proved}.\nProof.\n{done}Fail Qed.\nAbort.\n"))
    assert coq_said(folder, texts) == ""
    spoilt = texts[0][1].replace(f"  {theorems[0].coq.steps[-1]}\nQed.", "Qed.")
    assert "incomplete proof" in coq_said(folder, [(theorems[0], spoilt)])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(FAMILIES), st.integers(1, 10), st.integers(0, 2**32), st.booleans())
def test_a_theorem_is_what_it_is_drawn_from(family: str, level: int, seed: int, holds: bool) -> None:
    one, other = (draw(Stream(b"law", seed), family, level, holds=holds) for _ in range(2))
    assert one == other
    assert one.canonical == other.canonical
    least, most = window(level)
    assert least <= one.effort <= most
    for rendering in (one.lean, one.coq):
        assert rendering.proved == (rendering.statement if holds else rendering.negation)
        assert rendering.steps
        assert "  " not in rendering.statement
    assert one.english.count("(") == one.english.count(")")
    assert "t" not in {function.name for function in one.functions}


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(("propositional", "predicate", "divisibility")),
    st.integers(1, 10),
    st.integers(0, 2**32),
    st.randoms(),
)
def test_names_and_the_order_of_premises_do_not_count(family: str, level: int, seed: int, random: object) -> None:
    theorem = draw(Stream(b"same", seed), family, level)
    names, premises, conclusion = opened(theorem.claim)
    shuffle = random.shuffle  # type: ignore[attr-defined]
    new = {name: f"v{at}x" for at, (name, _) in enumerate(names)}
    values = {name: var(other) for name, other in new.items()}
    mixed = [resorted(replaced(premise, values), new) for premise in premises]
    shuffle(mixed)
    rebound: list[tuple[str, Sort]] = [(new[name], tuple(new.get(part, part) for part in sort)) for name, sort in names]
    first, rest = rebound[:1], rebound[1:]
    if family != "predicate":
        first, rest = [], rebound
    shuffle(rest)
    claim = closed([*first, *rest], mixed, resorted(replaced(conclusion, values), new))
    same = canonical(claim)
    assert same == theorem.canonical or ties(theorem)
    assert canonical(closed([*first, *rest], mixed[1:], conclusion)) != theorem.canonical


def ties(theorem: Theorem) -> bool:
    """Whether two outermost names cannot be told apart, which is not folded."""
    names, premises, conclusion = opened(theorem.claim)
    shapes = []
    for name, sort in names:
        marked = {name: var("!")}
        parts = sorted(str(canonical(replaced(part, marked))) for part in premises)
        shapes.append((sort, tuple(parts), str(canonical(replaced(conclusion, marked)))))
    return len(set(shapes)) < len(shapes)


def resorted(expr: Expr, names: dict[str, str]) -> Expr:
    """With new names in the sorts of what is bound."""
    args = tuple(resorted(arg, names) for arg in expr.args)
    return Expr(expr.op, args, expr.name, tuple(names.get(part, part) for part in expr.sort))


def test_what_differs_is_told_apart() -> None:
    p, q = var("p"), var("q")
    both = [("p", ("Prop",)), ("q", ("Prop",))]
    one = closed(both, [imp(p, q)], p)
    assert canonical(one) != canonical(closed(both, [imp(q, p)], p))
    assert canonical(one) == canonical(closed(both[::-1], [imp(p, q)], p))
    assert canonical(one) == canonical(closed(both, [imp(q, p)], q))
    bound = every("x", ("Nat",), every("y", ("Nat",), Expr("le", (var("x"), var("y")))))
    again = every("a", ("Nat",), every("b", ("Nat",), Expr("le", (var("a"), var("b")))))
    turned = every("a", ("Nat",), every("b", ("Nat",), Expr("le", (var("b"), var("a")))))
    assert canonical(imp(bound, p)) == canonical(imp(again, p))
    assert canonical(imp(bound, p)) != canonical(imp(turned, p))


def test_a_million_claims_are_not_few() -> None:
    for family in FAMILIES:
        seen = {str(draw(Stream(b"many", seed), family, 5).canonical) for seed in range(40)}
        assert len(seen) >= 38, family


def test_what_there_is_not_is_said() -> None:
    with pytest.raises(InvalidParameters, match="Did you mean 'lists'"):
        draw(Stream(b""), "list", 3)
    with pytest.raises(InvalidParameters, match="1 to 10"):
        draw(Stream(b""), "lists", 11)
