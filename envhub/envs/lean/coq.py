"""coq-proof-v0: prove a theorem in Coq.

Action: a text with the requested theorem, by its name, preceded by whatever it needs. Coq's kernel must accept it as a
proof of exactly that statement, without axioms (docs/proofs.md); otherwise the policy can try again, a limited number
of times, with Coq's reply. The theorems are those of lean-proof-v0, and both share their splits. Difficulty: longer
proofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from envhub.authoring import Staged, wording as w
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.lean import wording
from envhub.envs.lean.attempts import KERNEL, Attempts, drawn
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code
from envhub.verifiers.proofs.checker import Proofs
from envhub.verifiers.proofs.proof import Statement

IMPORTS: Final = ("Arith", "List", "Lia")
OPENS: Final = ("ListNotations",)
_TASK: Final = w.Phrase(
    "Prove this theorem in Coq.",
    "You are given a theorem. Write a proof of it in Coq.",
    "Write Coq code that proves this theorem.",
    held_out="Construct a Coq proof of the goal.",
)
_LIBRARY: Final = w.Phrase(
    "Your code is read by Coq 8.16 or later, after Require Import Arith List Lia. and Import ListNotations.",
    "The checker is Coq 8.16 or later. It executes Require Import Arith List Lia. and Import ListNotations. Then it reads "
    "your code.",
    "Before your code, Coq (8.16 or later) has already executed Require Import Arith List Lia. and Import ListNotations.",
    held_out="Prelude: Require Import Arith List Lia. Import ListNotations. Version: Coq 8.16 or later.",
)
_COMMANDS: Final = w.Phrase(
    "You may use the commands Theorem, Lemma, Fact, Remark, Corollary, Proposition, Definition, Fixpoint, Inductive, Proof, "
    "Qed and Defined, and tactics, which include lia, ring, congruence and firstorder.",
    "Only these commands are allowed, besides tactics such as lia, ring, congruence and firstorder: Theorem, Lemma, Fact, "
    "Remark, Corollary, Proposition, Definition, Fixpoint, Inductive, Proof, Qed and Defined.",
    "Tactics, such as lia, ring, congruence and firstorder, are allowed, and so are the commands Theorem, Lemma, Fact, "
    "Remark, Corollary, Proposition, Definition, Fixpoint, Inductive, Proof, Qed and Defined.",
    held_out="Allowed commands: Theorem Lemma Fact Remark Corollary Proposition Definition Fixpoint Inductive Proof Qed "
    "Defined. Tactics: allowed, including lia, ring, congruence, firstorder.",
)
_FORBIDDEN: Final = w.Phrase(
    "Not allowed outside comments: Admitted, admit, axioms, imports, notations, Ltac, options, hints, modules, sections, "
    'attributes, any other command, and the characters " ` $.',
    "Outside comments you may not use Admitted, admit, axioms, imports, notations, Ltac, options, hints, modules, sections, "
    'attributes, any other command, or the characters " ` $.',
    "Your code is rejected if it contains, outside comments, Admitted, admit, an axiom, an import, a notation, Ltac, an "
    'option, a hint, a module, a section, an attribute, any other command, or one of the characters " ` $.',
    held_out="Forbidden (comments excepted): Admitted; admit; axioms; imports; notations; Ltac; options; hints; modules; "
    'sections; attributes; all other commands; the characters " ` $.',
)
_DATA: Final = wording.theorem("coq", "Theorem asked : ")


class CoqProof(Attempts):
    """Prove a theorem in Coq."""

    answer: AnswerType = Code(language="coq", sample="Theorem example_only : True.\nProof. exact I. Qed.")
    resources: ClassVar[Mapping[str, Resource]] = {KERNEL: Proofs("coq")}
    usable: ClassVar[tuple[w.Phrase, ...]] = (_LIBRARY, _COMMANDS, _FORBIDDEN)
    kernel: ClassVar[str] = "Coq"

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A theorem with its proof, which is the key."""
        theorem = drawn(rng, p.family, p.level)
        yield theorem.canonical
        problem = {
            "statement": theorem.coq.statement,
            "preamble": theorem.coq.preamble,
            "effort": theorem.effort,
            "attempts": p.attempts,
        }
        return Instance(problem, key=theorem.coq_source("asked"))

    def prompt(self, problem: JSON) -> w.Statement:
        """The statement and the rules."""
        return self.stated(problem, _TASK, _DATA, wording.STATED)

    def asked(self, inst: Instance, text: str) -> Statement:
        """The statement, under the name ``asked``; no axiom is allowed."""
        problem = inst.problem
        return Statement("asked", problem["statement"], problem["preamble"], IMPORTS, OPENS, frozenset())
