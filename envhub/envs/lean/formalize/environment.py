"""lean-formalize-v0: translate an English sentence into a Lean proposition.

The prompt gives a sentence about people, with predicates and names for its terms. Action: a Lean proposition over
these. It is right if it is equivalent to the sentence, whatever its form: a fixed search
(:mod:`envhub.verifiers.proofs.tableau`) finds a proof in both directions, and Lean's kernel must accept it. Every
sentence is true in some world and false in another, so no tautology is equivalent to it. A proposition that differs in
some world of up to four people is wrong. One that our parser does not support (equality, ``fun``, ``∃!``), or that is
too large to compare, is *not recognised*: it scores 0 and has the component ``recognised`` 0. One that agrees with the
sentence in every world of one or two people, but is not proved, is an ``error`` and has no score: only a proposition
that close to the sentence can be undecided, so padding cannot turn a wrong one into an error. Difficulty: more phrases,
deeper nesting, and joined sentences; effort is the size of the formula. Two problems with the same sentence are the
same; other words or names make another problem.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Self

from pydantic import Field

from envhub.authoring import BaseParams, Grading, SingleTurn, wording as w
from envhub.core.effects import Resource
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.lean.formalize import sentences, wording
from envhub.envs.lean.formalize.interpretations import contingent
from envhub.generators.theorems.lean import LEAN
from envhub.generators.theorems.syntax import Expr
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.code.answer import Code
from envhub.verifiers.code.judging import Judging
from envhub.verifiers.proofs.checker import Proofs, check_proof, verdict_of
from envhub.verifiers.proofs.finite_models import agree
from envhub.verifiers.proofs.formulas import MOST, NotRecognised, parse
from envhub.verifiers.proofs.proof import Statement
from envhub.verifiers.proofs.tableau import LOGIC, equivalence

KERNEL: Final = "kernel"
_WORLDS: Final = (1, 2, 3, 4)
"""Sizes of the worlds searched for a difference."""
_CERTAIN: Final = 2
"""Up to this size the search must be complete."""
_UNDECIDED: Final = Verdict.failed(
    "undecided",
    "The proposition agrees with the sentence in small worlds, but no proof was found that they are equivalent.",
)
# phrases, joints, least and greatest size of the formula
_LEVELS: Final = (
    (1, 0, 6, 14),
    (2, 0, 12, 20),
    (2, 1, 18, 26),
    (3, 1, 24, 32),
    (4, 1, 30, 38),
    (4, 2, 36, 44),
    (5, 2, 42, 50),
    (6, 2, 48, 58),
    (6, 3, 56, 66),
    (7, 3, 64, 78),
)


class Params(BaseParams):
    """The complexity of the sentence."""

    phrases: int = Field(1, ge=1, le=9, description="phrases with a quantifier or a name, about")
    joints: int = Field(0, ge=0, le=4, description="how often sentences are joined into one, at most")
    least: int = Field(1, ge=1, le=200, description="the least size of the formula, in signs and names")
    most: int = Field(200, ge=10, le=200, description="and the greatest")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        phrases, joints, least, most = _LEVELS[difficulty - 1]
        return cls(phrases=phrases, joints=joints, least=least, most=most)


class Formalize(SingleTurn):
    """Say in Lean what a sentence says."""

    Params = Params
    answer: AnswerType = Code(language="lean", sample="∀ x : Person, ∃ y : Person, True")
    components: ClassVar[frozenset[str]] = frozenset({"format", "recognised"})
    resources: ClassVar[Mapping[str, Resource]] = {KERNEL: Proofs("lean")}

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A sentence that is true in some world and false in another."""
        said = sentences.draw(rng, p.phrases, p.joints)
        meant, signature = sentences.formula(said), sentences.signature(said)
        if not p.least <= meant.size <= p.most or not contingent(meant, signature, rng):
            return None
        return Instance({"sentence": said, "signature": signature}, key=LEAN.write(meant))

    def canonical(self, content: JSON) -> JSON:
        """The sentence."""
        return content["sentence"]

    def prompt(self, problem: JSON) -> w.Statement:
        """The sentence, its vocabulary, and the recognised syntax."""
        return w.Statement(
            task=wording.TASK,
            data=wording.DATA,
            problem=problem,
            rules=wording.rules(problem),
            values={"most": MOST},
        )

    def grade(self, inst: Instance, value: str) -> Grading:
        """Equivalent, not equivalent, or not recognised."""
        meant = sentences.formula(inst.problem["sentence"])
        signature = inst.problem["signature"]
        try:
            given = parse(value, signature)
        except NotRecognised as why:
            return _unrecognised(f"This is not recognised: {why}")
        for size in _WORLDS:
            same = agree(meant, given, signature, size)
            if same is False:
                words = "There is a world in which the sentence and the proposition are not both true or both false."
                return Verdict.exact(False, words).noting(None, recognised=1.0)
            if same is None and size <= _CERTAIN:
                return _unrecognised("This is too large to be compared with the sentence. Write a shorter proposition.")
        term = equivalence(meant, given, tuple(name for name, places in signature.items() if not places))
        return _UNDECIDED if term is None else _judged(signature, meant, given, term)

    def solve(self, inst: Instance) -> str:
        """The formula of the sentence."""
        return f"```lean\n{inst.key}\n```"

    def alternatives(self, inst: Instance) -> Any:
        """Equivalent formulas in other forms."""
        rng = Stream(b"formalize", inst.key)
        for _ in range(2):
            yield LEAN.write(sentences.reworded(sentences.formula(inst.problem["sentence"]), rng))

    def effort(self, inst: Instance) -> float:
        """The size of the formula."""
        return float(sentences.formula(inst.problem["sentence"]).size)


def _unrecognised(words: str) -> Verdict:
    return Verdict.exact(False, words).noting(None, recognised=0.0)


def _judged(signature: Mapping[str, int], meant: Expr, given: Expr, term: str) -> Judging:
    """Judge by the kernel. Its detailed output would reveal the intended formula."""
    binders, claim = sentences.declared(signature), f"({LEAN.write(meant)}) ↔ ({LEAN.write(given)})"
    statement = Statement("asked", f"∀ {binders}, {claim}", LOGIC)
    report = yield from check_proof(KERNEL, statement, f"theorem asked {binders} : {claim} :=\n  {term}")
    if not report.accepted:  # the term is ours, so no fault in it is the policy's
        return _UNDECIDED
    return verdict_of(report, "The kernel accepts that it says the same.").noting(None, recognised=1.0)
