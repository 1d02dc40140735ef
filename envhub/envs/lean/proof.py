"""lean-proof-v0: prove a theorem in Lean.

Action: a text with the requested theorem, by its name, preceded by whatever it needs. Lean's kernel must accept it as a
proof of exactly that statement (docs/proofs.md); otherwise the policy can try again, a limited number of times, with
the kernel's reply. Theorems are drawn with a proof and so are true: propositional and first-order logic, equations,
induction on numbers and lists, order, divisibility. Difficulty: longer proofs. Two problems are the same when their
statements differ only in names and the order of premises, in all theorem environments.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.authoring import Staged, wording as w
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.lean import wording
from envhub.envs.lean.attempts import Attempts, drawn
from envhub.verifiers.proofs.proof import Statement

_TASK: Final = w.Phrase(
    "Prove this theorem in Lean 4.",
    "You are given a theorem. Write a proof of it in Lean 4.",
    "Write Lean 4 code that proves this theorem.",
    held_out="Construct a Lean 4 proof of the goal.",
)
_DATA: Final = wording.theorem("lean", "theorem asked : ")


class Proof(Attempts):
    """Prove a theorem."""

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A theorem with its proof, which is the key."""
        theorem = drawn(rng, p.family, p.level)
        yield theorem.canonical
        problem = {
            "statement": theorem.lean.statement,
            "preamble": theorem.lean.preamble,
            "effort": theorem.effort,
            "attempts": p.attempts,
        }
        return Instance(problem, key=theorem.lean_source("asked"))

    def prompt(self, problem: JSON) -> w.Statement:
        """The statement and the rules."""
        return self.stated(problem, _TASK, _DATA, wording.STATED)

    def asked(self, inst: Instance, text: str) -> Statement:
        """The statement, under the name ``asked``."""
        return Statement("asked", inst.problem["statement"], inst.problem["preamble"])
