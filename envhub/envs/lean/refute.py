"""lean-refute-v0: prove or refute a claim in Lean.

Action: a text with ``theorem holds``, the claim, or ``theorem fails``, its negation; not both. Lean's kernel must
accept it, so a guess earns nothing. Half of the claims are true. The false ones look similar: a premise is missing, a
side is swapped, a number is changed. Attempts, families and difficulty are those of lean-proof-v0, and the content is
shared.
"""

from __future__ import annotations

import re
from typing import Any, Final

from envhub.authoring import Staged
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.lean.attempts import Attempts, drawn, given
from envhub.verifiers.proofs.proof import Statement

_NAMED: Final = re.compile(r"\b(?:theorem|lemma|def)\s+(holds|fails)\b")


class Refute(Attempts):
    """Prove a claim or refute it."""

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A claim.

        The key is the proof of it or of its negation.
        """
        holds = rng.below(2) == 1
        theorem = drawn(rng, p.family, p.level, holds=holds)
        yield theorem.canonical
        problem = {
            "statement": theorem.lean.statement,
            "negation": theorem.lean.negation,
            "preamble": theorem.lean.preamble,
            "effort": theorem.effort,
            "attempts": p.attempts,
        }
        return Instance(problem, key=theorem.lean_source("holds" if holds else "fails"))

    def prompt(self, problem: JSON) -> str:
        """The claim, both theorems and the rules."""
        return (
            f"Is this claim true?\n\n```lean\n{problem['statement']}\n```\n\n{given(problem['preamble'])}"
            "Prove it, or prove that it is false, in Lean 4. The answer is a text that states one of the two theorems\n\n"
            f"```lean\ntheorem holds : {problem['statement']}\n```\n\nor\n\n"
            f"```lean\ntheorem fails : {problem['negation']}\n```\n\nwith its proof. {self.rules(problem)}"
        )

    def asked(self, inst: Instance, text: str) -> Statement | str:
        """The claim or its negation, depending on the given theorem's name."""
        named = set(_NAMED.findall(text))
        if len(named) != 1:
            return "The text must hold either theorem holds or theorem fails, and not both."
        name = named.pop()
        claim = inst.problem["statement" if name == "holds" else "negation"]
        return Statement(name, claim, inst.problem["preamble"])
