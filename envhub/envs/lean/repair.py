"""lean-repair-v0: repair a Lean proof with one to four errors.

The prompt gives a theorem and a proof with one to four faults: a step is lost or comes too late, a name is not
introduced, a lemma is misspelt, the end is missing. Each fault leaves an open goal or an unknown name, so the text is
not a proof (tests check this with the kernel at every level). Action: the whole text, fixed or rewritten; attempts,
rules and theorems are those of lean-proof-v0. Difficulty: longer proofs, then more faults. Two problems with the same
theorem are the same, whatever the faults.
"""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field

from envhub.authoring import Staged
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.lean.attempts import Attempts, TheoremParams, drawn, given
from envhub.generators.theorems.faults import broken
from envhub.verifiers.proofs.proof import Statement


class Params(TheoremParams):
    """The theorem drawn, and the number of faults in its proof."""

    faults: int = Field(1, ge=1, le=6, description="places that are wrong")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The theorems of a level.

        With one more fault at levels 4, 7 and 10.
        """
        return cls(level=difficulty, faults=1 + (difficulty - 1) // 3)


class Repair(Attempts):
    """Fix a proof."""

    Params = Params

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A theorem with its proof, and that proof with faults.

        The correct proof is the key.
        """
        theorem = drawn(rng, p.family, p.level)
        yield theorem.canonical
        steps = broken(rng, theorem.lean.steps, p.faults)
        if steps is None:
            return None
        head = f"theorem asked : {theorem.lean.statement} := by\n"
        problem = {
            "statement": theorem.lean.statement,
            "preamble": theorem.lean.preamble,
            "broken": head + "\n".join(f"  {step}" for step in steps),
            "effort": theorem.effort + 2 * p.faults,
            "attempts": p.attempts,
        }
        return Instance(problem, key=theorem.lean_source("asked"))

    def prompt(self, problem: JSON) -> str:
        """The broken text and the rules."""
        return (
            f"The kernel does not accept this proof:\n\n```lean\n{problem['broken']}\n```\n\n{given(problem['preamble'])}"
            "The theorem is true. Correct the proof or write another one. Send the whole text, with the theorem asked as it "
            f"is stated here. {self.rules(problem)}"
        )

    def asked(self, inst: Instance, text: str) -> Statement:
        """The statement, under the name ``asked``."""
        return Statement("asked", inst.problem["statement"], inst.problem["preamble"])

    def random_action(self, inst: Instance, state: int, rng: Stream) -> str:
        """The unchanged proof."""
        return self.answer.wrap(inst.problem["broken"])
