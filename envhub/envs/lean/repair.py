"""lean-repair-v0: repair a Lean proof with one to four errors.

The prompt gives a theorem and a proof with one to four faults: a step is lost or comes too late, a name is not
introduced, a lemma is misspelt, the end is missing. Each fault leaves an open goal or an unknown name, so the text is
not a proof (tests check this with the kernel at every level). Action: the whole text, fixed or rewritten; attempts,
rules and theorems are those of lean-proof-v0. Difficulty: longer proofs, then more faults. Two problems with the same
theorem are the same, whatever the faults.
"""

from __future__ import annotations

import json
from typing import Any, Final, Self

from pydantic import Field

from envhub.authoring import Staged, wording as w
from envhub.authoring.wording import listings
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.lean import wording
from envhub.envs.lean.attempts import Attempts, TheoremParams, drawn
from envhub.generators.theorems.faults import broken
from envhub.verifiers.proofs.proof import Statement

_TASK: Final = w.Phrase(
    "The Lean 4 kernel does not accept this proof. Correct it.",
    "Repair this Lean 4 proof, which the kernel rejects.",
    "You are given a Lean 4 proof that the kernel rejects. Send a proof that it accepts.",
    held_out="Turn the rejected Lean 4 proof into one that passes the kernel.",
)


def _blocks(problem: JSON) -> str:
    return f"Rejected proof:\n\n{listings.fenced(problem['broken'], 'lean')}{wording.definitions(problem)}"


def _one_block(problem: JSON) -> str:
    parts = ["-- the proof that is rejected", problem["broken"]]
    if problem["preamble"]:
        parts = ["-- given", problem["preamble"], "", *parts]
    return listings.fenced("\n".join(parts), "lean")


def _json(problem: JSON) -> str:
    given = {"definitions": listings.lines(problem["preamble"])} if problem["preamble"] else {}
    shown = json.dumps({**given, "proof": listings.lines(problem["broken"])}, ensure_ascii=False, indent=1)
    return f"Code is given as a list of its lines.\n\n{shown}"


def _numbered(problem: JSON) -> str:
    context = (
        [f"  {line}" for line in problem["preamble"].split("\n")] if problem["preamble"] else ["  (no definitions)"]
    )
    listing = listings.numbered(problem["broken"])
    return "\n".join(["CONTEXT", *context, f"REJECTED. {listings.NUMBERED}", listing])


_DATA: Final[w.Variants[w.Rendering]] = w.Variants(_blocks, _one_block, _json, held_out=_numbered, name="data")


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

    def prompt(self, problem: JSON) -> w.Statement:
        """The broken text and the rules."""
        return self.stated(problem, _TASK, _DATA, wording.TRUE, wording.STATED)

    def asked(self, inst: Instance, text: str) -> Statement:
        """The statement, under the name ``asked``."""
        return Statement("asked", inst.problem["statement"], inst.problem["preamble"])

    def random_action(self, inst: Instance, state: int, rng: Stream) -> str:
        """The unchanged proof."""
        return self.answer.wrap(inst.problem["broken"])
