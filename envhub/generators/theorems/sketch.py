"""Result of a family: a claim, steps that prove it or its negation, and the effort."""

from __future__ import annotations

from dataclasses import dataclass

from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.steps import Step
from envhub.generators.theorems.syntax import Expr


@dataclass(frozen=True, slots=True)
class Sketch:
    """A claim with its proof.

    Attributes:
        claim: What is claimed, closed.
        steps: They prove it, or its negation.
        effort: How many inferences the derivation has from which it was made.
        functions: What the claim speaks of beside the libraries.
    """

    claim: Expr
    steps: tuple[Step, ...]
    effort: int
    functions: tuple[Function, ...] = ()
