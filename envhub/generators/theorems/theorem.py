"""A theorem: what it claims, a proof of it or of its contrary, and both in the languages of the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from envhub.core.types import JSON
from envhub.generators.theorems import coq, english, lean
from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.normal import canonical
from envhub.generators.theorems.steps import Step
from envhub.generators.theorems.syntax import Expr, no


@dataclass(frozen=True)
class Rendering:
    """A theorem in one language.

    Attributes:
        header: What is imported first; empty in Lean.
        preamble: The definitions that the statement speaks of.
        statement: What is claimed, a closed proposition.
        negation: That it is false.
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
    """Something claimed, and the proof that it is so, or that it is not.

    Attributes:
        family: Which generator made it.
        level: How difficult it was to be, 1 to 10.
        holds: Whether the claim is true; if not, ``steps`` prove its negation.
        claim: The statement, closed.
        functions: What it speaks of beside the libraries.
        steps: The proof.
        effort: How many inferences the shortest proof that we know takes.
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
        """What the steps prove."""
        return self.claim if self.holds else no(self.claim)

    @cached_property
    def lean(self) -> Rendering:
        """In Lean 4. A proof is ``theorem t : PROVED := by``, and the steps, indented."""
        write = lean.LEAN.write
        steps = tuple(line for step in self.steps for line in lean.lines(step))
        preamble = "\n".join(map(lean.definition, self.functions))
        return Rendering("", preamble, write(self.claim), write(no(self.claim)), steps, write(self.proved))

    @cached_property
    def coq(self) -> Rendering:
        """In Coq. A proof is ``Theorem t : PROVED.``, then ``Proof.``, the steps and ``Qed.``."""
        write = coq.COQ.write
        steps = tuple(line for step in self.steps for line in coq.lines(step))
        preamble = "\n".join(map(coq.definition, self.functions))
        return Rendering(coq.HEADER, preamble, write(self.claim), write(no(self.claim)), steps, write(self.proved))

    @cached_property
    def english(self) -> str:
        """The claim in words, definitions first."""
        return english.told(self.claim, self.functions)

    @cached_property
    def canonical(self) -> JSON:
        """What makes two claims the same: see :func:`envhub.generators.theorems.normal.canonical`."""
        return canonical(self.claim, self.functions)

    def lean_source(self, name: str = "t") -> str:
        """The text of a whole proof in Lean."""
        steps = "".join(f"\n  {line}" for line in self.lean.steps)
        return f"theorem {name} : {self.lean.proved} := by{steps}\n"

    def coq_source(self, name: str = "t") -> str:
        """The text of a whole proof in Coq."""
        steps = "".join(f"  {line}\n" for line in self.coq.steps)
        return f"Theorem {name} : {self.coq.proved}.\nProof.\n{steps}Qed.\n"


LEVELS: Final = range(1, 11)
