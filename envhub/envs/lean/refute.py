"""lean-refute-v0: prove or refute a claim in Lean.

Action: a text with ``theorem holds``, the claim, or ``theorem fails``, its negation; not both. Lean's kernel must
accept it, so a guess earns nothing. Half of the claims are true. The false ones look similar: a premise is missing, a
side is swapped, a number is changed. Attempts, families and difficulty are those of lean-proof-v0, and the content is
shared.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from envhub.authoring import Staged, wording as w
from envhub.authoring.wording import listings
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.envs.lean import wording
from envhub.envs.lean.attempts import Attempts, drawn
from envhub.verifiers.proofs.proof import Statement

_NAMED: Final = re.compile(r"\b(?:theorem|lemma|def)\s+(holds|fails)\b")

_TASK: Final = w.Phrase(
    "Is this claim true? Prove it, or prove that it is false, in Lean 4.",
    "Decide whether this claim is true, and prove either the claim or its negation in Lean 4.",
    "You are given a claim that may be true or false. Prove or refute it in Lean 4.",
    held_out="Settle the claim: give a Lean 4 proof of it or of its negation.",
)


def _blocks(problem: JSON) -> str:
    holds, fails = (listings.fenced(text, "lean") for text in _theorems(problem))
    return f"If the claim is true, prove:\n\n{holds}\n\nIf it is false, prove:\n\n{fails}{wording.definitions(problem)}"


def _one_block(problem: JSON) -> str:
    holds, fails = _theorems(problem)
    parts = ["-- the claim", holds, "", "-- its negation", fails]
    if problem["preamble"]:
        parts = ["-- given", problem["preamble"], "", *parts]
    return listings.fenced("\n".join(parts), "lean")


def _json(problem: JSON) -> str:
    given = {"definitions": listings.lines(problem["preamble"])} if problem["preamble"] else {}
    holds, fails = _theorems(problem)
    return json.dumps({**given, "claim": holds, "negation": fails}, ensure_ascii=False, indent=1)


def _sequents(problem: JSON) -> str:
    context = (
        [f"  {line}" for line in problem["preamble"].split("\n")] if problem["preamble"] else ["  (no definitions)"]
    )
    holds, fails = _theorems(problem)
    return "\n".join(["CONTEXT", *context, "GOAL, one of", f"  {holds}", f"  {fails}"])


def _theorems(problem: JSON) -> tuple[str, str]:
    return f"theorem holds : {problem['statement']}", f"theorem fails : {problem['negation']}"


_DATA: Final[w.Variants[w.Rendering]] = w.Variants(_blocks, _one_block, _json, held_out=_sequents, name="data")


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

    def prompt(self, problem: JSON) -> w.Statement:
        """The claim, both theorems and the rules."""
        return self.stated(problem, _TASK, _DATA, wording.EITHER)

    def asked(self, inst: Instance, text: str) -> Statement | str:
        """The claim or its negation, depending on the given theorem's name."""
        named = set(_NAMED.findall(text))
        if len(named) != 1:
            return "The code must contain exactly one of theorem holds and theorem fails."
        name = named.pop()
        claim = inst.problem["statement" if name == "holds" else "negation"]
        return Statement(name, claim, inst.problem["preamble"])
