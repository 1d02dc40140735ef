"""Theorems of a user's own: read as Lean has them, and told wrong with row or line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.generators.user_files.files import digest_of
from envhub.generators.user_files.theorems import UserTheorem, read_theorem, theorems

READ = {
    "theorem t : 1 = 1": ("", "1 = 1"),
    "theorem t (n : Nat) : n = n := by sorry": ("(n : Nat)", "n = n"),
    "lemma t {A : Type} [h : Inhabited A] (f : A → A) :\n    ∀ x, f x = f x :=\nsorry": (
        "{A : Type} [h : Inhabited A] (f : A → A)",
        "∀ x, f x = f x",
    ),
    "theorem t (h : (fun x : Nat => x) 1 = 1) : {x : Nat // x = 1} = {x : Nat // x = 1} := by\n  rfl": (
        "(h : (fun x : Nat => x) 1 = 1)",
        "{x : Nat // x = 1} = {x : Nat // x = 1}",
    ),
    "theorem t -- of sums\n  (a b : Nat) /- with : a colon -/ : a + b = b + a := by": ("(a b : Nat)", "a + b = b + a"),
    "theorem Nat.t' : True": ("", "True"),
}


@pytest.mark.parametrize("text", READ)
def test_a_statement_is_taken_apart(text: str) -> None:
    found, whole = read_theorem(text)
    assert (found.binders, found.conclusion) == READ[text]
    assert found.type == (f"∀ {found.binders}, {found.conclusion}" if found.binders else found.conclusion)
    assert (whole is not None) == text.endswith("rfl")
    assert read_theorem(found.text)[0] == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "expected 'theorem NAME"),
        ("example : 1 = 1", "expected 'theorem NAME"),
        ("theorem «t» : 1 = 1", "expected 'theorem NAME"),
        ("theorem t := rfl", "no colon"),
        ("theorem t (n : Nat)", "no colon"),
        ("theorem t : := rfl", "is not recognised"),
        ("theorem t : let x := 1; x = 1", "let, have and by are not"),
    ],
)
def test_what_is_no_statement_is_told(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_theorem(text)


@given(st.text(alphabet="theormla t(n:Na){x}=:=by sorry\n-/∀→", max_size=60))
def test_any_text_is_a_statement_or_a_value_error(text: str) -> None:
    try:
        read_theorem(f"theorem t {text}")
    except ValueError:
        return


def written(folder: Path, name: str, text: str) -> tuple[UserTheorem, ...]:
    path = folder / name
    path.write_text(text)
    return tuple(theorems(str(path), digest_of(str(path))))


FILE = """import Init
open Nat Function
set_option maxHeartbeats 400000

/-- Twice a number. -/
def twice (n : Nat) : Nat :=
  n + n

theorem zero : twice 0 = 0 := by
  rfl

inductive Colour
  | red | blue

theorem two (c : Colour) :
    c = .red ∨ c = .blue := by sorry
"""


def test_a_lean_file_has_theorems_with_what_stands_before_them(tmp_path: Path) -> None:
    zero, two = written(tmp_path, "a.lean", FILE)
    assert (zero.name, zero.type, zero.imports, zero.opens) == ("zero", "twice 0 = 0", ("Init",), ("Nat", "Function"))
    assert zero.preamble == "def twice (n : Nat) : Nat :=\n  n + n"
    assert zero.proof == "theorem zero : twice 0 = 0 := by\n  rfl"
    assert (two.type, two.proof) == ("∀ (c : Colour), c = .red ∨ c = .blue", None)
    assert "inductive Colour" in two.preamble


ROW = {"name": "t", "formal_statement": "theorem t (n : Nat) : n = n := by sorry"}


def test_rows_are_read_as_minif2f_has_them(tmp_path: Path) -> None:
    header = (
        "import Mathlib\nimport Aesop\n\nset_option maxHeartbeats 400000\n\nopen BigOperators Real Nat Topology Rat\n"
    )
    row = {**ROW, "split": "valid", "informal_prefix": "/-- It is itself. -/\n", "goal": "x", "header": header}
    (found,) = written(tmp_path, "a.jsonl", json.dumps({**row, "difficulty": 3, "proof": "theorem t := rfl"}))
    assert (found.imports, found.opens[0], found.informal) == (("Mathlib", "Aesop"), "BigOperators", "It is itself.")
    assert (found.level, found.proof, found.preamble) == (3, "theorem t := rfl", "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"formal_statment": "x"}, "row 1: unknown field 'formal_statment'. Did you mean 'formal_statement'"),
        ({"formal_statement": None}, "row 1: formal_statement: it is missing"),
        ({"formal_statement": 3}, "row 1: formal_statement: expected text, got int"),
        ({"formal_statement": "def t := 1"}, "row 1: expected 'theorem NAME"),
        ({"difficulty": 11}, "row 1: difficulty: expected an integer 1..10, got 11"),
        ({"header": "open scoped Nat"}, "row 1: 'open scoped Nat' is not recognised"),
        ({"header": "variable (n : Nat)"}, "row 1: .*is not recognised; import, open, definitions"),
        ({"header": "section\n"}, "row 1: 'section' is not recognised"),
        ({"header": "  indented"}, "row 1: a command begins where a line does"),
    ],
)
def test_a_row_that_does_not_fit_is_told(tmp_path: Path, change: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidParameters, match=said):
        written(tmp_path, "a.jsonl", json.dumps({**ROW, **change}))


def test_a_line_that_does_not_fit_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidParameters, match="line 13: 'namespace A' is not recognised"):
        written(tmp_path, "a.lean", FILE.replace("inductive Colour\n  | red | blue", "\nnamespace A"))
    with pytest.raises(InvalidParameters, match="no theorems"):
        written(tmp_path, "b.lean", "def x := 1\n")


def test_only_a_difficulty_that_is_there_can_be_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps({**ROW, "difficulty": level}) for level in (2, 5, 5)))
    assert len(theorems(str(path), digest_of(str(path)), 5)) == 2
    with pytest.raises(InvalidParameters, match="has the difficulty 7; there are 2, 5"):
        theorems(str(path), digest_of(str(path)), 7)
