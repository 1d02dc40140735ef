"""What the real kernel accepts, and what nobody talks it into accepting."""

from __future__ import annotations

from pathlib import Path

import pytest

from envhub.core.errors import InvalidParameters, JudgementError, MissingExtra
from envhub.verifiers.proofs import module_protocol
from envhub.verifiers.proofs.lean import LeanKernel
from envhub.verifiers.proofs.lean_text import prepared
from envhub.verifiers.proofs.proof import Message, ProofReport, Statement
from envhub.verifiers.proofs.proof_text import Refused
from tests.support.hanging import Hanging
from tests.support.kernels import toolchain

FALSE = Statement("t", "2 + 2 = 5")
SWAP = Statement("t", "∀ (p q : Prop), p ∧ q → q ∧ p")
ZERO = Statement("t", "∀ (n : Nat), 0 + n = n")
DOUBLE = Statement("t", "∀ (n : Nat), double n = 2 * n", preamble="def double (n : Nat) : Nat := n + n")


@pytest.fixture(scope="module", params=["warm", pytest.param("cold", marks=pytest.mark.nightly)])
def kernel(request: pytest.FixtureRequest) -> LeanKernel:
    """One that compiles in forks of a started Lean, and one that starts Lean for every module."""
    toolchain()
    return LeanKernel(warm=request.param == "warm")


RIGHT = {
    "a term": (SWAP, "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, h.1⟩"),
    "a function": (SWAP, "theorem t : ∀ (p q : Prop), p ∧ q → q ∧ p := fun _ _ ⟨a, b⟩ => ⟨b, a⟩"),
    "implicit arguments": (SWAP, "theorem t {p q : Prop} (h : p ∧ q) : q ∧ p := And.symm h"),
    "cases": (
        SWAP,
        "theorem t (p q : Prop) : p ∧ q → q ∧ p := by\n  intro h\n  cases h with\n  | intro a b => exact ⟨b, a⟩",
    ),
    "bullets": (SWAP, "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  constructor\n  · exact h.2\n  · exact h.1"),
    "induction": (
        ZERO,
        "theorem t (n : Nat) : 0 + n = n := by\n  induction n with\n  | zero => rfl\n"
        "  | succ n ih => exact congrArg Nat.succ ih",
    ),
    "simp": (ZERO, "theorem t (n : Nat) : 0 + n = n := by simp"),
    "rw": (ZERO, "theorem t (n : Nat) : 0 + n = n := by\n  rw [Nat.add_comm, Nat.add_zero]"),
    "a lemma of its own": (
        ZERO,
        "theorem helper (n : Nat) : 0 + n = n := Nat.zero_add n\ntheorem t (n : Nat) : 0 + n = n := helper n",
    ),
    "a definition of its own": (ZERO, "def zero := 0\ntheorem t (n : Nat) : zero + n = n := Nat.zero_add n"),
    "definitions that are given": (
        DOUBLE,
        "theorem t (n : Nat) : double n = 2 * n := by\n  show n + n = 2 * n\n  rw [Nat.mul_comm]\n  show n + n = 0 + n + n\n"
        "  rw [Nat.zero_add]",
    ),
    "decide": (Statement("t", "7 % 4 = 3 ∧ ¬(9 / 2 = 5)"), "theorem t : 7 % 4 = 3 ∧ ¬(9 / 2 = 5) := by decide"),
    "large numbers": (
        Statement("t", "12345678 * 87654321 = 1082152022374638"),
        "theorem t : 12345678 * 87654321 = 1082152022374638 := by decide",
    ),
    "there is": (
        Statement("t", "∃ x y : Nat, x * y = 6 ∧ x < y"),
        "theorem t : ∃ x y : Nat, x * y = 6 ∧ x < y := ⟨2, 3, rfl, by decide⟩",
    ),
    "lists": (
        Statement("t", "∀ (xs : List Nat), xs ++ [] = xs"),
        "theorem t (xs : List Nat) : xs ++ [] = xs := by\n  induction xs with\n  | nil => rfl\n  | cons x xs ih => simp",
    ),
    "steps": (
        Statement("t", "∀ (a b c : Nat), a < b → b ≤ c → a < c"),
        "theorem t (a b c : Nat) (h : a < b) (k : b ≤ c) : a < c := calc\n  a < b := h\n  _ ≤ c := k",
    ),
    "refused words in comments": (
        SWAP,
        "-- no macro, sorry\n/- nor /- an -/ axiom -/\ntheorem t (p q : Prop) (h : p ∧ q) : q ∧ p := h.symm -- import",
    ),
    "lines that end as on Windows": (SWAP, "theorem t (p q : Prop) (h : p ∧ q) :\r\n    q ∧ p := h.symm\r\n"),
    "a dotted name": (Statement("Nat.mine", "1 = 1"), "theorem Nat.mine : 1 = 1 := rfl"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_proof_is_accepted(kernel: LeanKernel, name: str) -> None:
    report = kernel.check(*RIGHT[name])
    assert report.accepted, report
    assert set(report.axioms) <= {"propext", "Quot.sound"}
    assert ProofReport.from_json(report.to_json()) == report


WRONG = {
    "nothing": (SWAP, ""),
    "white space": (SWAP, "\n  \n"),
    "prose": (SWAP, "The proof is obvious."),
    "swapped": (SWAP, "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.1, h.2⟩"),
    "unfinished": (SWAP, "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  constructor\n  · exact h.2"),
    "a hole": (SWAP, "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.2, _⟩"),
    "rfl of what is false": (FALSE, "theorem t : 2 + 2 = 5 := rfl"),
    "decide what is false": (FALSE, "theorem t : 2 + 2 = 5 := by decide"),
    "simp what is false": (FALSE, "theorem t : 2 + 2 = 5 := by simp"),
    "itself": (FALSE, "theorem t : 2 + 2 = 5 := t"),
    "another statement": (FALSE, "theorem t : 2 + 2 = 4 := rfl"),
    "a weaker statement": (SWAP, "theorem t (p q : Prop) (h : p ∧ q) : q ∧ True := ⟨h.2, trivial⟩"),
    "a further premise": (FALSE, "theorem t (h : False) : 2 + 2 = 5 := h.elim"),
    "a further premise, implicit": (FALSE, "theorem t {h : 2 + 2 = 5} : 2 + 2 = 5 := h"),
    "a premise that would be found": (FALSE, "theorem t [h : Decidable (2 + 2 = 5)] (g : 2 + 2 = 5) : 2 + 2 = 5 := g"),
    "a variable as premise": (FALSE, "variable (h : 2 + 2 = 5)\ninclude h\ntheorem t : 2 + 2 = 5 := h"),
    "another name": (SWAP, "theorem s (p q : Prop) (h : p ∧ q) : q ∧ p := h.symm"),
    "an example": (SWAP, "example (p q : Prop) (h : p ∧ q) : q ∧ p := h.symm"),
    "a private theorem": (FALSE, "private theorem t : 2 + 2 = 5 := by decide"),
    "a definition": (FALSE, "def t : Nat := 5"),
    "a value of the statement's type": (FALSE, "def t := 2 + 2 = 5"),
    "numbers of its own": (FALSE, "inductive Nat | five\ndef t : Nat := Nat.five"),
    "an equality of its own": (FALSE, "def Eq (a b : Nat) : Prop := True\ntheorem t : Eq (2 + 2) 5 := trivial"),
    "a sum of its own": (
        FALSE,
        "def HAdd.hAdd (a b : Nat) : Nat := 5\ntheorem t : HAdd.hAdd 2 2 = 5 := rfl",
    ),
    "a goal of its own": (FALSE, "def Spec.goal : Prop := True\ntheorem t : Spec.goal := trivial"),
    "a given definition of its own": (
        Statement("t", "∀ (n : Nat), double n = 0", preamble=DOUBLE.preamble),
        "def double (n : Nat) : Nat := 0\ntheorem t (n : Nat) : double n = 0 := rfl",
    ),
    "what the kernel computes": (
        Statement("t", "1 = 2"),
        "def Nat.gcd (m n : Nat) := 0\ntheorem t : 1 = 2 := by decide",
    ),
    "endless recursion": (FALSE, "theorem t : 2 + 2 = 5 := by\n  exact absurd rfl (fun h => t h)"),
    "recursion without an end": (FALSE, "def f (n : Nat) : 2 + 2 = 5 := f (n + 1)\ntheorem t : 2 + 2 = 5 := f 0"),
    "a type of types": (FALSE, "theorem t : 2 + 2 = 5 := (Type : Type)"),
    "not positive": (
        FALSE,
        "inductive Bad | mk (f : Bad → False)\n"
        "def no (b : Bad) : False := match b with\n  | .mk f => f b\ntheorem t : 2 + 2 = 5 := (no (.mk no)).elim",
    ),
    "error, then more": (FALSE, "theorem t : 2 + 2 = 5 := by\n  intro h\ntheorem u : True := trivial"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_proof_of_the_statement_is_rejected(kernel: LeanKernel, name: str) -> None:
    report = kernel.check(*WRONG[name])
    assert report.outcome == "rejected", report
    assert any(message.severity == "error" for message in report.messages)


PROVED = "theorem t : 2 + 2 = 5 := "
CHEATS = {
    "sorry": PROVED + "sorry",
    "sorry as a tactic": PROVED + "by sorry",
    "admit": PROVED + "by admit",
    "stop": PROVED + "by\n  stop\n  rfl",
    "the axiom of sorry": PROVED + "sorryAx _ false",
    "an axiom": "axiom t : 2 + 2 = 5",
    "an axiom beside": "axiom no : False\n" + PROVED + "no.elim",
    "a constant": "opaque no : 2 + 2 = 5\n" + PROVED + "no",
    "unsafe": "unsafe def no : False := lcProof\n" + PROVED + "no.elim",
    "the compiler's proof": PROVED + "lcProof",
    "the compiler's end": PROVED + "lcUnreachable",
    "partial": "partial def no (n : Nat) : False := no n\n" + PROVED + "(no 0).elim",
    "native_decide": PROVED + "by native_decide",
    "decide with native code": PROVED + "by decide +native",
    "what the compiler says": PROVED + "Lean.ofReduceBool _ _ rfl",
    "another implementation": "@[implemented_by Nat.succ] def f (n : Nat) : Nat := n\n" + PROVED + "rfl",
    "another implementation by command": "def f : Nat := 1\nattribute [implemented_by Nat.zero] f\n" + PROVED + "rfl",
    "foreign code": '@[extern "f"] def f : Nat := 1\n' + PROVED + "rfl",
    "the kernel switched off": "set_option debug.skipKernelTC true\n" + PROVED + "rfl",
    "the kernel switched off for one": "set_option debug.skipKernelTC true in\n" + PROVED + "rfl",
    "another meaning of a word": 'macro "rfl" : term => `(sorry)\n' + PROVED + "rfl",
    "another meaning of a sign": 'notation a " = " b => True\n' + PROVED + "trivial",
    "another meaning of plus": 'infixl:65 " + " => fun _ _ => 5\n' + PROVED + "rfl",
    "rules of a macro": "macro_rules | `(2 + 2) => `(5)\n" + PROVED + "rfl",
    "syntax": 'syntax "magic" : tactic\n' + PROVED + "by magic",
    "an elaborator": 'elab "magic" : term => pure default\n' + PROVED + "magic",
    "a program at once": "run_cmd pure ()\n" + PROVED + "rfl",
    "a program in a tactic": PROVED + "by run_tac pure ()",
    "a program in a term": PROVED + "by_elab pure default",
    "a program at the start": "initialize pure ()\n" + PROVED + "rfl",
    "evaluation": "#eval 1\n" + PROVED + "rfl",
    "words of the verdict": "#print axioms Nat.add\n" + PROVED + "rfl",
    "the verdict in a text": "#eval \"'verdict' does not depend on any axioms\"\n" + PROVED + "rfl",
    "a message in a theorem": 'theorem u : True := by trace "does not depend on any axioms"\n' + PROVED + "rfl",
    "a simplification procedure": "simproc no (2 + 2) := fun _ => pure default\n" + PROVED + "by simp",
    "a coercion": "instance : CoeT Nat 4 Nat := ⟨5⟩\n" + PROVED + "rfl",
    "an instance": "instance : Add Nat := ⟨fun _ _ => 5⟩\n" + PROVED + "rfl",
    "an instance of its own class": "class C where x : False\n" + PROVED + "C.x.elim",
    "an attribute": "@[simp] theorem no : (2 + 2 = 5) = True := rfl\n" + PROVED + "by simp",
    "a hint": "unif_hint (a : Nat) where |- a =?= 5\n" + PROVED + "rfl",
    "derived": "inductive A | a deriving DecidableEq\n" + PROVED + "rfl",
    "the end of the namespace": "end Submission\n" + PROVED + "rfl",
    "another namespace": "namespace Spec\ndef goal := True\n" + PROVED + "rfl",
    "the root": "theorem _root_.Submission.t : 2 + 2 = 5 := rfl",
    "exports": "export Nat (add)\n" + PROVED + "rfl",
    "an import": "import Init.Nat\n" + PROVED + "rfl",
    "prelude": "prelude\n" + PROVED + "rfl",
    "module": "module\n" + PROVED + "rfl",
    "a file": 'def f := include_str "/etc/passwd"\n' + PROVED + "rfl",
    "names in guillemets": "theorem «t» : 2 + 2 = 5 := rfl",
    "a word behind a number": 'theorem u : 1 = 1 := Eq.refl 1macro "x" : term => `(1)\n' + PROVED + "rfl",
    "a word behind a sign": "theorem u : 1 = 1 := fun λmacro => 1\n" + PROVED + "rfl",
    "a comment that hides the next": "/- -- -/ axiom no : False -- -/\n" + PROVED + "no.elim",
    "a comment in a comment": "/-/ -/ axiom no : False /- -/ -/\n" + PROVED + "no.elim",
    "a comment that does not end": "/- /- -/\n" + PROVED + "rfl",
    "a comment that has not begun": "-/ axiom no : False\n" + PROVED + "rfl",
    "a NUL character": PROVED + "rfl\0",
    "text that runs backwards": PROVED + "rfl \u202e",
    "too much": PROVED + "rfl" + " " * 100_000,
}


@pytest.mark.parametrize("name", CHEATS)
def test_what_a_proof_has_no_need_of_is_refused(kernel: LeanKernel, name: str) -> None:
    report = kernel.check(FALSE, CHEATS[name])
    assert report.outcome == "refused", report
    assert len(report.messages) == 1


BEHIND_THE_WALL = {
    "sorry": PROVED + "sorry",
    "the axiom of sorry": PROVED + "sorryAx _ false",
    "an axiom": "axiom t : 2 + 2 = 5",
    "an axiom beside": "axiom no : False\n" + PROVED + "no.elim",
    "classical choice of nothing": "axiom no : Nonempty False\n" + PROVED + "(Classical.choice no).elim",
    "opaque": "instance : Inhabited False := ⟨sorry⟩\nopaque no : False\n" + PROVED + "no.elim",
    "an instance": "@[instance 2000] def i : HAdd Nat Nat Nat := ⟨fun _ _ => 5⟩\n" + PROVED + "rfl",
    "the root": "end Submission\ntheorem Submission.t : 2 + 2 = 4 := rfl",
    "our name": "end Submission\ndef _root_.Spec.goal : Prop := True\ntheorem Submission.t : Spec.goal := trivial",
    "what is asked": PROVED + "sorry\n#print axioms Nat.add",
    "unsafe": "unsafe def no : False := lcProof\n" + PROVED + "no.elim",
}


@pytest.mark.parametrize("name", BEHIND_THE_WALL)
def test_the_kernel_does_not_need_the_refusals_to_reject_these(kernel: LeanKernel, name: str) -> None:
    report = kernel._judge(FALSE, BEHIND_THE_WALL[name])
    assert report is not None
    assert report.outcome == "rejected", report


def test_there_are_forty_cheats_and_more() -> None:
    assert len(CHEATS) + len(BEHIND_THE_WALL) + len(WRONG) >= 80


def test_axioms_are_named_and_only_those_allowed_pass(kernel: LeanKernel) -> None:
    text = "theorem t (p q : Prop) (h : p ↔ q) : p = q := propext h"
    statement = Statement("t", "∀ (p q : Prop), (p ↔ q) → p = q")
    assert kernel.check(statement, text).axioms == ("propext",)
    strict = Statement("t", statement.type, axioms=frozenset())
    report = kernel.check(strict, text)
    assert (report.outcome, report.axioms) == ("rejected", ("propext",))
    assert "propext" in report.messages[-1].text


def test_messages_have_the_positions_of_the_submission(kernel: LeanKernel) -> None:
    report = kernel.check(
        SWAP, "theorem u : True := trivial\n\ntheorem t (p q : Prop) (h : p ∧ q) : q ∧ p := ⟨h.1, h.2⟩"
    )
    (message,) = report.messages
    assert (message.severity, message.line, message.column) == ("error", 3, 47)
    report = kernel.check(SWAP, "theorem u : True := trivial\n  -- macro\n  macro")
    assert report.messages == (Message("error", "The word 'macro' is not allowed in a proof.", 3, 2),)


def test_goals_that_are_left(kernel: LeanKernel) -> None:
    text = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p := by\n  constructor\n  · exact h.2\n  · exact h.1"
    assert kernel.goals(SWAP, text, 2) == ("p q : Prop\nh : p ∧ q\n⊢ q ∧ p",)
    assert [goal.rsplit("⊢ ")[1] for goal in kernel.goals(SWAP, text, 3)] == ["q", "p"]
    assert kernel.goals(SWAP, text, 5) == ()
    assert kernel.goals(SWAP, "sorry", 2) == ()
    assert kernel.check(SWAP, "\n".join(text.split("\n")[:2])).goals == kernel.goals(SWAP, text, 3)


def test_a_statement_that_is_none_is_our_fault(kernel: LeanKernel) -> None:
    with pytest.raises(JudgementError, match="does not compile"):
        kernel.check(Statement("t", "2 + = 5"), "theorem t : True := trivial")
    with pytest.raises(JudgementError, match="does not compile"):
        kernel.check(Statement("t", "True", preamble="theorem no : False := sorry"), "theorem t : True := trivial")
    with pytest.raises(InvalidParameters, match="not a valid name"):
        Statement("t : True := trivial --", "True")


@pytest.mark.parametrize(
    ("word", "times", "outcome"),
    [
        ("And.symm", 1, "proved"),
        ("And.symm", -1, "rejected"),
        ("theorem verdict_", 1, "proved"),
        ("2 + 2 = 4", 0, "proved"),
    ],
)
def test_a_check_that_hangs_is_tried_again_and_then_is_the_proof_s_fault(
    monkeypatch: pytest.MonkeyPatch, word: str, times: int, outcome: str
) -> None:
    monkeypatch.setattr(module_protocol, "load", lambda: 0.0)
    toolchain()
    with Hanging(word, 0) as sandbox:
        kernel = LeanKernel(sandbox)
        assert kernel.check(ZERO, RIGHT["simp"][1]).accepted
        sandbox.times = times
        assert kernel.check(SWAP, RIGHT["implicit arguments"][1]).outcome == outcome


def test_a_kernel_that_is_not_well_is_an_error_of_ours() -> None:
    toolchain()
    with Hanging("Spec", 0) as sandbox:
        kernel = LeanKernel(sandbox)
        assert kernel.check(SWAP, RIGHT["implicit arguments"][1]).accepted
        sandbox.times = -1
        report = kernel.check(SWAP, RIGHT["implicit arguments"][1])
        assert (report.outcome, report.accepted) == ("error", False)
        assert report.fault
        sandbox.times = 0
        assert kernel.check(SWAP, RIGHT["implicit arguments"][1]).accepted
    with Hanging("Spec", -1) as sandbox, pytest.raises(MissingExtra, match="does not work in the namespace sandbox"):
        LeanKernel(sandbox).check(SWAP, RIGHT["implicit arguments"][1])


def test_without_a_toolchain_the_error_names_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ENVHUB_LEAN", str(tmp_path))
    with pytest.raises(MissingExtra, match="envhub lean setup"):
        LeanKernel()


def test_what_takes_too_much_is_rejected(kernel: LeanKernel) -> None:
    endless = (
        "def ack : Nat → Nat → Nat\n  | 0, n => n + 1\n  | .succ m, 0 => ack m 1\n"
        "  | .succ m, .succ n => ack m (ack (m + 1) n)\n"
    )
    report = kernel.check(FALSE, endless + "theorem t : 2 + 2 = 5 := absurd (rfl : ack 4 4 = 0) (by decide)")
    assert report.outcome == "rejected", report


def test_silence_is_not_a_pass(kernel: LeanKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LeanKernel, "_question", lambda self, statement, name: "import Spec\n")
    assert kernel._judge(SWAP, RIGHT["a term"][1]) is None


@pytest.mark.parametrize(
    "text",
    [
        "h.1 macro1 amacro macro'",
        "fun x => x -- sorry",
        "/- sorry -/ x",
        "x' y! z?",
        "Polynomial.eval relabel",
        "1 + 0xff",
    ],
)
def test_words_that_only_look_like_it_pass(text: str) -> None:
    assert len(prepared(text)) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "x macro",
        "x.macro",
        "1macro",
        "(macro)",
        "\u03b1macro",
        "x¹macro",
        "0x1macro",
        "register_x",
        "cbv_simproc",
        "grind_propagator",
        "with_weak_namespace",
    ],
)
def test_refused_words_are_found_wherever_lean_would_find_them(text: str) -> None:
    with pytest.raises(Refused):
        prepared(text)
