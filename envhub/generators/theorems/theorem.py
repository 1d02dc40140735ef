"""A theorem: claim, and proof of it or its negation.

Both are in Lean and in Coq.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from envhub.core.types import JSON
from envhub.generators.theorems import english
from envhub.generators.theorems.coq import COQ
from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.language import Language
from envhub.generators.theorems.lean import LEAN
from envhub.generators.theorems.normal import canonical
from envhub.generators.theorems.steps import Step
from envhub.generators.theorems.syntax import Expr, no


@dataclass(frozen=True)
class Rendering:
    """A theorem in one language.

    Attributes:
        header: The imports; empty in Lean.
        preamble: The definitions that it uses.
        statement: The claim, a closed proposition.
        negation: Its negation.
        steps: Tactics, one a line, that prove ``statement`` or, if the claim does not hold, ``negation``.
        proved: The one of the two that they prove.
    """

    header: str
    preamble: str
    statement: str
    negation: str
    steps: tuple[str, ...]
    proved: str


@dataclass(frozen=True)
class Theorem:
    """A claim with a proof that it is true or false.

    Attributes:
        family: Its generator.
        level: The requested difficulty, 1 to 10.
        holds: Whether the claim is true; if not, ``steps`` prove its negation.
        claim: The statement, closed.
        functions: Its functions beyond the libraries.
        steps: The proof.
        effort: Number of inferences in the shortest known proof.
    """

    family: str
    level: int
    holds: bool
    claim: Expr
    functions: tuple[Function, ...]
    steps: tuple[Step, ...]
    effort: int

    @property
    def proved(self) -> Expr:
        """The proposition that the steps prove."""
        return self.claim if self.holds else no(self.claim)

    @cached_property
    def lean(self) -> Rendering:
        """The theorem in Lean 4."""
        return self._rendered(LEAN)

    @cached_property
    def coq(self) -> Rendering:
        """The theorem in Coq."""
        return self._rendered(COQ)

    @cached_property
    def english(self) -> str:
        """The claim in words, definitions first."""
        return english.describe(self.claim, self.functions)

    @cached_property
    def canonical(self) -> JSON:
        """Canonical form of the claim: see :func:`envhub.generators.theorems.normal.canonical`."""
        return canonical(self.claim, self.functions)

    def lean_source(self, name: str = "t") -> str:
        """The text of a whole proof in Lean."""
        return LEAN.proof(name, self.proved, self.steps)

    def coq_source(self, name: str = "t") -> str:
        """The text of a whole proof in Coq."""
        return COQ.proof(name, self.proved, self.steps)

    def _rendered(self, language: Language) -> Rendering:
        steps = tuple(line for step in self.steps for line in language.lines(step))
        preamble = "\n".join(map(language.define, self.functions))
        claim, negation = language.write(self.claim), language.write(no(self.claim))
        return Rendering(language.header, preamble, claim, negation, steps, language.write(self.proved))


LEVELS: Final = range(1, 11)
