"""Theorems that are true by construction, with a proof.

False look-alikes come with a proof of their negation. Each theorem is written for Lean and for Coq, using only their
standard libraries, and in words::

    theorem = draw(rng, "propositional", level=4)
    theorem.lean.statement, theorem.lean_source("t"), theorem.lean.steps, theorem.english
    false = draw(rng, "propositional", level=4, holds=False)         # false.steps prove false.lean.negation

The effort (inferences of the derivation) of level ``n`` is in :func:`window`, whatever the family.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from envhub.core.errors import EnvhubError, InvalidParameters, nearest
from envhub.core.seeding import Stream
from envhub.generators.theorems import equations, lists, naturals, predicate, propositional, relations
from envhub.generators.theorems.sketch import Sketch
from envhub.generators.theorems.theorem import LEVELS, Rendering, Theorem

__all__ = ["FAMILIES", "LEVELS", "Rendering", "Theorem", "draw", "window"]

_SKETCHES: Final[dict[str, Callable[..., Sketch | None]]] = {
    "propositional": propositional.sketch,
    "predicate": predicate.sketch,
    "equations": equations.sketch,
    "naturals": naturals.sketch,
    "lists": lists.sketch,
    "divisibility": relations.divisibility,
    "inequalities": relations.inequalities,
}
FAMILIES: Final = tuple(_SKETCHES)
"""Kinds of theorems."""
_TRIES: Final = 2000


def window(level: int) -> tuple[int, int]:
    """The minimum and maximum effort of a level."""
    return 2 * level, 2 * level + 3


def draw(rng: Stream, family: str, level: int, *, holds: bool = True) -> Theorem:
    """Draw a theorem.

    Args:
        rng: Source of randomness.
        family: One of ``FAMILIES``.
        level: 1 to 10.
        holds: Whether the claim is to be true.

    Raises:
        InvalidParameters: Unknown family or level.
    """
    if family not in _SKETCHES:
        raise InvalidParameters(f"There is no family {family!r} of theorems.{nearest(family, FAMILIES)}")
    if level not in LEVELS:
        raise InvalidParameters(f"The level of a theorem is 1 to 10, got {level}.")
    least, most = window(level)
    for _ in range(_TRIES):
        made = _SKETCHES[family](rng, level, holds=holds)
        if made is not None and least <= made.effort <= most:
            return Theorem(family, level, holds, made.claim, made.functions, made.steps, made.effort)
    raise EnvhubError(f"No theorem of family {family} and level {level} was found.")
