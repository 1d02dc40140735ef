"""Parameters of proposer-v0, and the drawing of a task."""

from __future__ import annotations

from math import log
from typing import Any, Final, Literal, Self

from pydantic import Field, field_validator

from envhub.authoring import BaseParams
from envhub.core.seeding import Stream
from envhub.envs.code.proposer.arguments import NAMES, domain
from envhub.envs.code.proposer.library import RETURNS as LIBRARY_RETURNS, library
from envhub.envs.code.proposer.model_solver import check_solver
from envhub.envs.code.proposer.proposals import KINDS
from envhub.envs.code.proposer.rates import Pays
from envhub.envs.code.proposer.templates import CONSTRUCTS, RETURNS, example

Kind = Literal["any", "deduction", "abduction", "induction"]
Argument = Literal["any", "int", "pair", "list", "text"]
Returned = Literal["any", "int", "bool", "str", "list"]
# tolerance in percentage points, constructs, examples
_LEVELS: Final = (
    (16, 1, 1),
    (14, 1, 1),
    (12, 1, 2),
    (11, 2, 2),
    (10, 2, 2),
    (9, 2, 3),
    (8, 3, 3),
    (7, 3, 3),
    (6, 3, 4),
    (5, 3, 4),
)
_FEWEST, _MOST = 26, 80
"""Critical operations at the target of a deduction task."""


class Params(BaseParams):
    """What is proposed, who solves it, and what is paid."""

    kind: Kind = Field("any", description="deduction, abduction or induction; any draws one per task")
    argument: Argument = Field(
        "any", description="kind of the argument: int, pair, list or text; any draws one per task"
    )
    returns: Returned = Field(
        "any", description="type of the result, for deduction and abduction; any draws one per task"
    )
    target: int | None = Field(None, ge=10, le=90, description="the target in percent; drawn from 25 to 75 if null")
    tolerance: int = Field(10, ge=2, le=20, description="distance from the target that is a success, percentage points")
    constructs: int = Field(2, ge=1, le=4, description="how many constructs the program must contain")
    examples: int = Field(2, ge=1, le=6, description="how many programs are shown that may not be copied")
    pays: Pays = Field("target", description="reward by solve rate: target, absolute-zero (1 - rate) or r-zero")
    opponent: str = Field(
        "rules",
        max_length=400,
        description="who solves: rules (an exact rate), self (the policy, in the next seats), or a model's URL",
        examples=["rules", "self"],
    )
    attempts: int = Field(8, ge=2, le=16, description="attempts of a model or of the policy")

    @field_validator("opponent")
    @classmethod
    def _known(cls, opponent: str) -> str:
        check_solver(opponent)
        return opponent

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        tolerance, constructs, examples = _LEVELS[difficulty - 1]
        return cls(tolerance=tolerance, constructs=constructs, examples=examples)


def draw(rng: Stream, p: Any) -> dict[str, Any]:
    """The requirements of a task."""
    kind = rng.choice(KINDS) if p.kind == "any" else p.kind
    argument = rng.choice(list(NAMES)) if p.argument == "any" else p.argument
    target = rng.between(25, 75) if p.target is None else p.target
    returns = rng.choice(RETURNS) if p.returns == "any" else p.returns
    anchor = None
    if kind == "induction":
        everything, made = domain(argument), library(argument)
        at, row = rng.below(len(everything)), rng.choice(made.rows)
        anchor = [everything[at], row[at]]
    size = len(domain(argument))
    slips = [slip for slip in (1, 2, 3, 4) if _FEWEST <= log(target / 100) / log(1 - slip / 100) <= _MOST]
    tries = rng.between(3, size // 2)
    if kind == "induction":
        tries = len(library(argument)) * rng.between(10, 80) // 100
    return {
        "kind": kind,
        "argument": argument,
        "returns": LIBRARY_RETURNS[argument] if kind == "induction" else returns,
        "constructs": [] if kind == "induction" else sorted(rng.sample(CONSTRUCTS, p.constructs)),
        "anchor": anchor,
        "target": target,
        "tolerance": p.tolerance,
        "slip": rng.choice(slips) if slips else 1,
        "tries": tries,
        "size": size,
        "references": [example(rng, argument) for _ in range(p.examples)],
        "pays": p.pays,
        "opponent": p.opponent,
        "attempts": p.attempts,
        **({"player": 0} if p.opponent == "self" else {}),
    }
