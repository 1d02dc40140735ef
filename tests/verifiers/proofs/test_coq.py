"""What Coq's kernel accepts, and what nobody talks it into accepting."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.errors import JudgementError, MissingExtra
from envhub.verifiers.proofs import module_protocol
from envhub.verifiers.proofs.coq import LIMITS, CoqKernel, _assumed
from envhub.verifiers.proofs.coq_text import COMMANDS, prepared
from envhub.verifiers.proofs.proof import Message, ProofReport, Statement
from envhub.verifiers.proofs.proof_text import Refused
from tests.support.hanging import Hanging
from tests.support.proofs import coq, coq_kernel

NONE: frozenset[str] = frozenset()
FALSE = Statement("t", "2 + 2 = 5", axioms=NONE)
SWAP = Statement("t", "forall p q : Prop, p /\\ q -> q /\\ p", axioms=NONE)
ZERO = Statement(
    "t", "forall n : nat, n + 0 = n", imports=("Arith", "List", "Lia"), opens=("ListNotations",), axioms=NONE
)
DOUBLE = Statement(
    "t", "forall n : nat, double n = n + n", preamble="Definition double (n : nat) : nat := n + n.", axioms=NONE
)
CLASSIC = Statement("t", "forall p : Prop, p \\/ ~ p", imports=("Classical",), axioms=NONE)


SLOW = "Theorem t : forall n : nat, n + 0 = n. Proof. do 100000000 idtac. Qed."


@pytest.fixture(scope="module")
def kernel() -> CoqKernel:
    return coq_kernel()


def test_a_slow_proof_takes_too_much_time(kernel: CoqKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        module_protocol, "load", lambda: 100.0
    )  # whatever it is, for the test: the clock allows all it can
    report = CoqKernel(kernel._sandbox, replace(LIMITS, cpu_s=1.0)).check(ZERO, SLOW)
    assert (report.outcome, report.messages[0].text) == ("rejected", "Checking the proof took too much time.")


def test_a_slow_proof_that_the_clock_ends_is_not_accused(kernel: CoqKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_protocol, "load", lambda: 5.0)
    brief = CoqKernel(kernel._sandbox, LIMITS)
    assert brief.check(ZERO, "Theorem t n : n + 0 = n. Proof. induction n; simpl; congruence. Qed.").accepted
    monkeypatch.setattr(brief, "_limits", replace(LIMITS, wall_s=1.0))
    assert brief.check(ZERO, SLOW).outcome == "error"


RIGHT = {
    "a term": (SWAP, "Definition t : forall p q : Prop, p /\\ q -> q /\\ p := fun p q h => conj (proj2 h) (proj1 h)."),
    "tactics": (
        SWAP,
        "Theorem t (p q : Prop) : p /\\ q -> q /\\ p.\nProof.\n  intros [a b]. split.\n  - exact b.\n  - exact a.\nQed.",
    ),
    "braces, goals by number": (
        SWAP,
        "Lemma t : forall p q : Prop, p /\\ q -> q /\\ p.\nProof. intros p q [a b]. split. 2: exact a. { exact b. } Qed.",
    ),
    "induction": (
        ZERO,
        "Theorem t n : n + 0 = n.\nProof.\n induction n as [|n ih]; simpl; [|rewrite ih]; reflexivity.\nQed.",
    ),
    "what is imported": (ZERO, "Theorem t : forall n, n + 0 = n. Proof. intros. lia. Qed."),
    "definitions of its own": (
        ZERO,
        "Inductive tree := leaf | node (l r : tree).\nFixpoint size t := match t with leaf => 0 | node l r => S (size l) "
        "end.\nLemma helper n : n + 0 = n. Proof. apply Nat.add_0_r. Qed.\n"
        "Theorem t : forall n, n + 0 = n. Proof. exact helper. Qed.",
    ),
    "given definitions": (DOUBLE, "Theorem t : forall n, double n = n + n. Proof. reflexivity. Qed."),
    "several goals at once": (
        SWAP,
        "Theorem t : forall p q : Prop, p /\\ q -> q /\\ p. Proof. split. par: tauto. Qed.",
    ),
    "comments": (
        SWAP,
        "(* Axiom no. (* Admitted. *) *)\nTheorem t : forall p q : Prop, p /\\ q -> q /\\ p. Proof. tauto. Qed.",
    ),
    "an axiom that is allowed": (
        Statement("t", CLASSIC.type, imports=("Classical",), axioms=frozenset({"Classical_Prop.classic"})),
        "Theorem t : forall p : Prop, p \\/ ~ p. Proof. exact classic. Qed.",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_proof_is_accepted(kernel: CoqKernel, name: str) -> None:
    report = kernel.check(*RIGHT[name])
    assert report.accepted, report
    assert set(report.axioms) == RIGHT[name][0].axioms
    assert ProofReport.from_json(report.to_json()) == report


PROVED = "Theorem t : 2 + 2 = 5. Proof. "
WRONG = {
    "nothing": (SWAP, ""),
    "lower-case prose": (SWAP, "the proof is obvious."),
    "an end that does not come": (SWAP, "Theorem t : forall p q : Prop, p /\\ q -> q /\\ p. Proof. tauto."),
    "swapped": (SWAP, "Theorem t (p q : Prop) (h : p /\\ q) : q /\\ p. Proof. exact h. Qed."),
    "unfinished": (
        SWAP,
        "Theorem t (p q : Prop) (h : p /\\ q) : q /\\ p.\nProof.\n  split.\n  - exact (proj2 h).\nQed.",
    ),
    "computed": (FALSE, PROVED + "vm_compute. reflexivity. Qed."),
    "another statement": (FALSE, "Theorem t : 2 + 2 = 4. Proof. reflexivity. Qed."),
    "a further premise": (FALSE, "Theorem t (h : False) : 2 + 2 = 5. Proof. destruct h. Qed."),
    "an implicit premise": (FALSE, "Definition t {h : 2 + 2 = 5} : 2 + 2 = 5 := h."),
    "another name": (SWAP, "Theorem s : forall p q : Prop, p /\\ q -> q /\\ p. Proof. tauto. Qed."),
    "a value of the statement": (FALSE, "Definition t := 2 + 2 = 5."),
    "numbers of its own": (FALSE, "Inductive nat := five.\nDefinition t : nat := five."),
    "an equality of its own": (
        FALSE,
        "Inductive eq (a b : nat) : Prop := yes.\nDefinition t : eq (2 + 2) 5 := yes _ _.",
    ),
    "a goal of its own": (FALSE, "Definition goal : Prop := True.\nDefinition t : goal := I."),
    "a given definition of its own": (
        Statement("t", "forall n, double n = 0", preamble=DOUBLE.preamble, axioms=NONE),
        "Definition double (n : nat) := 0.\nTheorem t : forall n, double n = 0. Proof. reflexivity. Qed.",
    ),
    "recursion without an end": (FALSE, "Fixpoint f (n : nat) : 2 + 2 = 5 := f n.\nDefinition t := f 0."),
    "not positive": (FALSE, "Inductive bad := mk (f : bad -> False).\nDefinition t : 2 + 2 = 5 := eq_refl."),
    "a type of types": (FALSE, "Definition u := Type.\nDefinition t : (u : u) := u."),
    "an axiom of the library": (CLASSIC, "Theorem t : forall p : Prop, p \\/ ~ p. Proof. exact classic. Qed."),
    "several goals at once": (
        SWAP,
        "Theorem t : forall p q : Prop, p /\\ q -> q /\\ p. Proof. split. par: discriminate. Qed.",
    ),
    "a proof left out": (FALSE, PROVED + "shelve. Qed."),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_proof_of_the_statement_is_rejected(kernel: CoqKernel, name: str) -> None:
    report = kernel.check(*WRONG[name])
    assert report.outcome == "rejected", report
    assert any(message.severity == "error" and message.text for message in report.messages)


CHEATS = {
    "Admitted": PROVED + "Admitted.",
    "Admitted behind a bullet": PROVED + "\n- Admitted.",
    "Admitted in braces": PROVED + "{ Admitted.",
    "Admitted behind goals": PROVED + "all: Admitted.",
    "Admitted behind named goals": PROVED + "[x]: Admitted.",
    "admit": PROVED + "admit. Qed.",
    "give_up": PROVED + "give_up. Qed.",
    "an axiom": "Axiom t : 2 + 2 = 5.",
    "axioms": "Axioms (a : False) (t : 2 + 2 = 5).",
    "a parameter": "Parameter t : 2 + 2 = 5.",
    "a conjecture": "Conjecture t : 2 + 2 = 5.",
    "a hypothesis": "Hypothesis t : 2 + 2 = 5.",
    "a variable": "Variable t : 2 + 2 = 5.",
    "a context": "Context (t : 2 + 2 = 5).",
    "a section": "Section S. Theorem t : True. Proof. exact I. Qed.",
    "a module": "Module M. Theorem t : True. Proof. exact I. Qed.",
    "a functor's parameter": "Module Type T. Axiom a : False. End T.",
    "notation": 'Notation "a = b" := True.',
    "notation without marks": "Notation five := 4.",
    "an infix": "Infix := True.",
    "an abbreviation everywhere": "Global Notation goal := True.",
    "tactics of its own": "Ltac lia := idtac.",
    "another language of tactics": "From Ltac2 Require Import Ltac2.",
    "a tactic notation": "Tactic Notation := idtac.",
    "a file": "Load x.",
    "an import": "Require Import Classical.",
    "an import from": "From Coq Require Import Classical.",
    "an inclusion": "Include M.",
    "machine code": "Declare ML Module x.",
    "an option": "Set Universe Polymorphism.",
    "the guard off": "Unset Guard Checking.",
    "positivity off": "Unset Positivity Checking.",
    "universes off": "Unset Universe Checking.",
    "the guard off by attribute": "#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.",
    "universes off by attribute": "#[bypass_check(universes)] Definition u : Type := Type.",
    "a local attribute behind a theorem": PROVED + "exact I. Qed. #[global] Definition x := 1.",
    "a coercion": "Coercion f : nat >-> bool.",
    "a coercion in a type": "Inductive r := mk (x :> nat).",
    "a canonical structure": "Canonical Structure c := 1.",
    "an instance": "Instance i : True := I.",
    "a hint": "Hint Resolve I : core.",
    "a primitive": "Primitive x := x.",
    "a registration": "Register nat as x.",
    "opaque": "Opaque Nat.add.",
    "arguments": "Arguments eq _ _ _.",
    "a scope": "Open Scope type_scope.",
    "another mode of proof": "Proof Mode.\nObligation Tactic := idtac.",
    "a program": "Program Definition t : 2 + 2 = 5 := _.",
    "an extraction": "Extraction x nat.",
    "output to a file": "Redirect x Print nat.",
    "the end": "Drop.",
    "the beginning": "Reset Initial.",
    "what is asked": "Print Assumptions t.",
    "evaluation": "Compute 1.",
    "a failure": "Fail Qed.",
    "time": "Time Qed.",
    "native code": PROVED + "native_compute. reflexivity. Qed.",
    "a cast that is not checked": PROVED + "vm_cast_no_check I. Qed.",
    "text": PROVED + 'idtac "Closed under the global context". Qed.',
    "text that hides the end of a comment": '(* " *) Axiom no : False. (* " *)',
    "a comment that hides nothing": "(* (* *) *) Axiom no : False.",
    "a comment between a command and its end": "Axiom(* *)t : 2 + 2 = 5.",
    "a comment that does not end": "(* (* *)\nTheorem t : True.",
    "a comment that has not begun": "*) Axiom no : False.",
    "a line end as the blank": "Definition a := 1.\nAxiom t : 2 + 2 = 5.",
    "a tabulator as the blank": "Definition a := 1.\tAxiom t : 2 + 2 = 5.",
    "dots": PROVED + "auto... Admitted.",
    "a NUL character": PROVED + "\0",
    "a blank that is none": "Definition a := 1.\u00a0Axiom t : 2 + 2 = 5.",
    "text that runs backwards": PROVED + "\u202e",
    "too much": PROVED + " " * 100_000,
}


@pytest.mark.parametrize("name", CHEATS)
def test_what_a_proof_has_no_need_of_is_refused(kernel: CoqKernel, name: str) -> None:
    report = kernel.check(FALSE, CHEATS[name])
    assert report.outcome == "refused", report
    assert len(report.messages) == 1


BEHIND_THE_WALL = {
    "Admitted": PROVED + "Admitted.",
    "an axiom": "Axiom t : 2 + 2 = 5.",
    "an axiom beside": "Axiom no : False. " + PROVED + "destruct no. Qed.",
    "the guard off": "Unset Guard Checking. Fixpoint f (n : nat) : False := f n. " + PROVED + "destruct (f 0). Qed.",
    "positivity off": "Unset Positivity Checking. Inductive b := mk (f : b -> False).\n"
    "Definition no (x : b) : False := match x with mk f => f x end.\n" + PROVED + "destruct (no (mk no)). Qed.",
    "our name": "Module Spec. Definition goal := True. End Spec. Definition t : Spec.goal := I.",
    "what is asked": PROVED + "Admitted. Print Assumptions Nat.add.",
    "another meaning of a sign": 'Global Notation "a = b" := True. Definition t : 2 + 2 = 5 := I.',
    "an axiom under a name that is allowed": "Module Classical_Prop. Axiom classic : 2 + 2 = 5. End Classical_Prop.\n"
    "Definition t := Classical_Prop.classic.",
}


@pytest.mark.parametrize("name", BEHIND_THE_WALL)
def test_the_kernel_does_not_need_the_refusals_to_reject_these(kernel: CoqKernel, name: str) -> None:
    statement = Statement("t", FALSE.type, axioms=frozenset({"Classical_Prop.classic"}))
    report = kernel._judge(statement, BEHIND_THE_WALL[name])
    assert report is not None
    assert report.outcome == "rejected", report


def test_there_are_forty_cheats_and_more() -> None:
    assert len(CHEATS) + len(BEHIND_THE_WALL) + len(WRONG) >= 90


def test_messages_have_the_positions_of_the_submission(kernel: CoqKernel) -> None:
    report = kernel.check(
        SWAP, "Definition β := 1.\n\nTheorem t (p q : Prop) (h : p /\\ q) : q /\\ p.\nProof. (* ≤≤ *) exact h. Qed."
    )
    (message,) = report.messages
    assert (message.severity, message.line, message.column) == ("error", 4, 22)
    assert "has type" in message.text
    report = kernel.check(SWAP, "Definition a := 1.\n  Axiom b : False.")
    assert report.messages == (Message("error", "The command Axiom is not allowed in a proof.", 2, 2),)


def test_goals_that_are_left(kernel: CoqKernel) -> None:
    text = "Theorem t (p q : Prop) (h : p /\\ q) : q /\\ p.\nProof.\n  split.\n  - exact (proj2 h).\n  - exact (proj1 h).\nQed."
    (goal,) = kernel.goals(SWAP, text, 3)
    assert goal.startswith("p, q : Prop\nh : p /\\ q\n====")
    assert goal.endswith("q /\\ p")
    assert [each.splitlines()[-1] for each in kernel.goals(SWAP, text, 4)] == ["q", "p"]
    assert kernel.goals(SWAP, text, 7) == ()
    assert kernel.goals(SWAP, "Admitted.", 2) == ()
    assert kernel.check(SWAP, "\n".join([*text.split("\n")[:3], "Qed."])).goals == kernel.goals(SWAP, text, 4)


def test_a_statement_that_is_none_is_our_fault(kernel: CoqKernel) -> None:
    with pytest.raises(JudgementError, match="does not compile"):
        kernel.check(Statement("t", "2 + = 5", axioms=NONE), "Theorem t : True. Proof. exact I. Qed.")


@pytest.mark.parametrize(
    ("said", "axioms"),
    [
        ("Closed under the global context\n", ()),
        ("Axioms:\na : False\nb.c\n  : 1 = 1\n", ("a", "b.c")),
        ("Axioms:\nf is assumed to be guarded.\n", ("f is assumed to be guarded.",)),
        ("", None),
        ("Closed under the global context", None),
        ("Closed under the global context\nClosed under the global context\n", None),
        ("Section Variables:\nx : nat\nClosed under the global context\n", None),
        ("Axioms:\n", None),
    ],
)
def test_only_an_answer_is_one(said: str, axioms: tuple[str, ...] | None) -> None:
    assert _assumed(said) == axioms


def test_silence_is_not_a_pass(kernel: CoqKernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CoqKernel, "_question", lambda self, statement, name: "Require Spec.\n")
    assert kernel._judge(SWAP, RIGHT["a term"][1]) is None


@pytest.mark.parametrize(
    ("word", "times", "outcome"), [("proj2 h", 1, "proved"), ("proj2 h", -1, "rejected"), ("goal", -1, "error")]
)
def test_a_check_that_hangs_is_tried_again_and_then_somebody_s_fault(
    monkeypatch: pytest.MonkeyPatch, word: str, times: int, outcome: str
) -> None:
    monkeypatch.setattr(module_protocol, "load", lambda: 0.0)
    coq()
    with Hanging(word, 0) as sandbox:
        kernel = CoqKernel(sandbox)
        assert kernel.check(*RIGHT["comments"]).accepted
        sandbox.times = times
        report = kernel.check(*RIGHT["a term"])
        assert report.outcome == outcome
        assert bool(report.fault) == (outcome == "error")


def test_without_coq_the_error_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(MissingExtra, match="apt-get install coq"):
        CoqKernel()


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_no_text_makes_it_raise_anything_but_a_refusal(text: str) -> None:
    with suppress(Refused):
        assert len(prepared(text)) <= len(text)


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(["Axiom", "Admitted", "Unset", "Load", "Notation", "Fail"]),
    st.lists(
        st.sampled_from(["- ", "{ ", "} ", "+", "* ", "1: ", "all: ", "2-3: ", "!: ", "(* . *) ", "\n"]), max_size=4
    ),
    st.sampled_from(["Qed. ", "Proof.\n", "auto. ", "exact I.  ", ""]),
)
def test_a_command_is_found_wherever_a_sentence_begins(command: str, before: list[str], start: str) -> None:
    with pytest.raises(Refused, match=command):
        prepared(f"{start}{''.join(before)}{command} x.")


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_what_proofs_are_made_of_passes(command: str) -> None:
    text = f"{command} x. intros H. apply Nat.le_trans with (m := 3). rewrite <- H in *; [ > auto | lia ]. (tauto)."
    assert prepared(text) == text
