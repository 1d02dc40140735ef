"""Kinds of constraint on a text: checking and drawing.

A constraint is a kind's name with parameters, as JSON values: ``["word_count", {"relation": "at least", "n": 40}]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.constraints.units import Text

Settings = Mapping[str, Any]
Constraint = tuple[str, Settings]
RELATIONS: Final = ("at least", "at most", "exactly")


class Kind(NamedTuple):
    """One kind of constraint.

    Attributes:
        holds: Whether a text satisfies the constraint with these parameters.
        draw: Parameters that are true of a text, or, for a kind that a writer obeys, any; None if no parameters fit.
        terms: Terms that a prompt must define.
        excludes: Groups of kinds that cannot hold together; two kinds that share a group are never drawn together.
        repeats: It may be drawn more than once, with another subject.
    """

    holds: Callable[[Text, Settings], bool]
    draw: Callable[[Stream, Text], Settings | None]
    terms: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    repeats: bool = False


def compare(found: int, wanted: Settings) -> bool:
    """Whether a count is as the fields ``relation`` and ``n`` say."""
    relation, n = wanted["relation"], int(wanted["n"])
    return found >= n if relation == "at least" else found <= n if relation == "at most" else found == n


def bound(rng: Stream, found: int, slack: int) -> Settings:
    """A true bound on a count, at most ``slack`` away from it."""
    relation = rng.choice(RELATIONS)
    distance = rng.below(slack + 1)
    n = {"at least": max(1, found - distance), "at most": found + distance, "exactly": found}[relation]
    if not found:  # "at least 1" would be wrong, and "at most 0" is an unusual way to say it
        return {"relation": "exactly", "n": 0}
    return {"relation": relation, "n": n}
