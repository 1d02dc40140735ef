"""The result of a family: claim, proof or refutation, and effort."""

from __future__ import annotations

from dataclasses import dataclass

from envhub.generators.theorems.definitions import Function
from envhub.generators.theorems.steps import Step
from envhub.generators.theorems.syntax import Expr


@dataclass(frozen=True, slots=True)
class Sketch:
    """A claim with its proof.

    Attributes:
        claim: The closed claim.
        steps: They prove it, or its negation.
        effort: Number of inferences in its derivation.
        functions: Its functions beyond the libraries.
    """

    claim: Expr
    steps: tuple[Step, ...]
    effort: int
    functions: tuple[Function, ...] = ()
