"""coq-proof-v0: prove a theorem in Coq.

Action: a text with the requested theorem, by its name, preceded by whatever it needs. Coq's kernel must accept it as a
proof of exactly that statement, without axioms (docs/proofs.md); otherwise the policy can try again, a limited number
of times, with Coq's reply. The theorems are those of lean-proof-v0, and both share their splits. Difficulty: longer
proofs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from envhub.authoring import Staged
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.lean.attempts import KERNEL, Attempts, drawn, given, judged
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code
from envhub.verifiers.proofs.checker import Proofs
from envhub.verifiers.proofs.proof import Statement

IMPORTS: Final = ("Arith", "List", "Lia")
OPENS: Final = ("ListNotations",)
_RULES: Final = (
    "The text is read by Coq 8.16 or later, after Require Import Arith List Lia. and Import ListNotations. It may hold the "
    "commands Theorem, Lemma, Fact, Remark, Corollary, Proposition, Definition, Fixpoint, Inductive, Proof, Qed and Defined, "
    "and tactics, lia, ring, congruence and firstorder among them.\nNot allowed outside comments: Admitted, admit, "
    "axioms, imports, notations, Ltac, options, hints, modules, sections, attributes, any other command, and quotation marks."
)


class CoqProof(Attempts):
    """Prove a theorem in Coq."""

    answer: AnswerType = Code(language="coq", sample="Theorem example_only : True.\nProof. exact I. Qed.")
    resources: ClassVar[Mapping[str, Resource]] = {KERNEL: Proofs("coq")}

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

    def prompt(self, problem: JSON) -> str:
        """The statement and the rules."""
        theorem = f"```coq\nTheorem asked : {problem['statement']}.\n```"
        return (
            f"Prove this theorem in Coq:\n\n{theorem}\n\n{given(problem['preamble'], 'coq')}The answer is a text that "
            "states the theorem asked, as it stands here, with its proof; lemmas and definitions of your own may stand before "
            f"it. {self.rules(problem)}"
        )

    def rules(self, problem: JSON) -> str:
        """Rules for every text."""
        return f"{judged('Coq', 'Coq', problem['attempts'])} {_RULES}"

    def asked(self, inst: Instance, text: str) -> Statement:
        """The statement, under the name ``asked``; no axiom is allowed."""
        problem = inst.problem
        return Statement("asked", problem["statement"], problem["preamble"], IMPORTS, OPENS, frozenset())
