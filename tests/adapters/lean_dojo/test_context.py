"""What is in force at a place in a Lean file."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.adapters.lean_dojo.context import context_of
from envhub.generators.user_files.theorems import theorem_of
from envhub.verifiers.proofs.proof import Statement
from tests.support.kernels import lean_kernel

TEXT = """import Mathlib.Order
public import Mathlib.Data

/-! About it. -/

universe v
open Nat hiding add

namespace A
variable {T : Type v} [Inhabited T]
section
universe u
variable (n : Nat)
  (f : Nat → Nat)
open scoped Foo
def one : Nat := 1 -- sorry
end
section Named
open Bar in
@[simp] theorem two : 1 + 1 = 2 := by
  rfl
theorem three : ∀ n, n = n
  | 0 => rfl
  | n + 1 => rfl
namespace B
example : True := trivial
"""


def test_what_is_open_is_known_and_ended() -> None:
    context = context_of(TEXT)
    assert context.imports == ("Mathlib.Order", "Mathlib.Data")
    assert context.within == ("open Nat hiding add", "open A", "open A.B")
    assert context.variables == "{T : Type v} [Inhabited T]"
    assert context.preamble.endswith("namespace B\n\nend B\n\nend Named\n\nend A")
    assert "import" not in context.preamble
    assert "example" not in context.preamble
    assert "sorry" not in context.preamble


def test_proofs_are_not_shown() -> None:
    shown = context_of(TEXT).shown
    assert "@[simp] theorem two : 1 + 1 = 2 := …" in shown
    assert "theorem three : ∀ n, n = n := …" in shown
    assert "rfl" not in shown
    assert "def one : Nat := 1" in shown


def test_universes_of_a_section_are_declared_again() -> None:
    context = context_of("section\nuniverse u v\nvariable (T : Type u)\n")
    assert context.preamble.endswith("end\n\nuniverse u v")


def test_variables_of_a_file_are_not_those_of_the_statement() -> None:
    context = context_of("universe u\nvariable [Inhabited Nat] (T : Type u)\ndef a := 1\n")
    assert context.preamble.startswith("section\n\nuniverse u")
    assert context.preamble.endswith("def a := 1\n\nend\n\nuniverse u")
    assert context.variables == "[Inhabited Nat] (T : Type u)"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("end A\n", "line 1: 'end A' does not match the open"),
        ("namespace A\nend B\n", "line 2: 'end B' does not match the open"),
        ("def a := 1\nmutual\n", "line 2: 'mutual' is not understood"),
        ("variable (n)\n", r"the variable '\(n\)' is not understood"),
        ("variable n\n", "the variable 'n' is not understood"),
        ("variable (n : Nat)\ninclude n\n", "'include' changes which variables"),
        ("  def a := 1\n", "a command begins where a line does"),
    ],
)
def test_what_cannot_be_taken_out_of_its_place_is_told(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        context_of(text)


@given(st.text("abc:=()[]{}\n .-/|") | st.lists(st.sampled_from(TEXT.split("\n"))).map("\n".join))
def test_any_text_is_understood_or_told(text: str) -> None:
    try:
        context = context_of(text)
    except ValueError:
        return
    assert context_of(context.preamble).variables == ""


@pytest.mark.slow
def test_a_row_with_its_context_is_judged_as_it_stands() -> None:
    text = (
        "def twice (n : Nat) : Nat := n + n\nnamespace A\nvariable (k : Nat)\ntheorem base : twice k = k + k := rfl\n"
    )
    context = context_of(text)
    row = {
        "formal_statement": f"theorem A.t {context.variables} : twice (k + 0) = k + k := by sorry",
        "preamble": context.preamble,
        "shown": context.shown,
        "within": list(context.within),
    }
    stated = theorem_of(row)
    assert stated.text == "open A in\ntheorem A.t (k : Nat) : twice (k + 0) = k + k"
    assert stated.shown == context.shown
    statement = Statement(stated.name, stated.type, stated.preamble)
    kernel = lean_kernel()
    assert kernel.check(statement, f"{stated.text} := A.base k").accepted
    assert kernel.check(statement, "theorem A.t (k : Nat) : twice k = k + k := A.base k").accepted
    assert kernel.check(statement, "theorem A.t : twice 0 = 0 := A.base 0").outcome == "rejected"


@pytest.mark.parametrize("within", ["open Nat", ["Nat"], ["open Nat\naxiom x : False"], [1]])
def test_what_a_statement_is_read_within_is_looked_at(within: object) -> None:
    with pytest.raises(ValueError, match="within: expected a list like"):
        theorem_of({"formal_statement": "theorem t : True := by sorry", "within": within})
