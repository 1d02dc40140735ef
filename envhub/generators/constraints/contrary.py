"""Contrary constraints: pairs that no text can satisfy together."""

from __future__ import annotations

from typing import Any

from envhub.core.seeding import Stream
from envhub.generators.constraints.kinds import Constraint
from envhub.generators.constraints.measures import MEASURES
from envhub.generators.constraints.shapes import SHAPES
from envhub.generators.constraints.units import Text

_NUMBERED = frozenset(
    {"bullets", "highlights", "placeholders", "parentheses", "dividers", "questions", "capital_words", "planted"}
)
_WORDED = frozenset({"title", "last_words", "first_words", "postscript"})


def contrary(rng: Stream, constraint: Constraint) -> Constraint | None:
    """A contrary constraint; None for a kind that has none."""
    name, settings = constraint
    if name in ("upper_case", "lower_case"):
        return ("lower_case" if name == "upper_case" else "upper_case"), {}
    if name in _NUMBERED:
        return name, {**settings, "n": settings["n"] + rng.between(1, 3)}
    if name in _WORDED:
        return name, _another(rng, name, settings)
    if name == "no_comma":
        return "sign_count", {"sign": "comma", "mark": ",", "relation": "at least", "n": rng.between(1, 4)}
    if name == "forbidden":
        return "keyword_count", {"word": rng.choice(settings["words"]), "relation": "at least", "n": rng.between(1, 3)}
    if name in MEASURES and "relation" in settings:
        return name, _opposite(rng, settings)
    return None


def _another(rng: Stream, name: str, settings: Any) -> Any:
    """Other words for the same place of the text."""
    while True:
        found = SHAPES[name].draw(rng, Text(""))
        if found != settings:
            return found


def _opposite(rng: Stream, settings: Any) -> Any:
    """A bound on the same number that excludes the given one."""
    relation, n, distance = settings["relation"], settings["n"], rng.between(1, 4)
    if relation == "at least" and n > distance:
        return {**settings, "relation": "at most", "n": n - distance}
    if relation == "at least":
        return {**settings, "relation": "exactly", "n": n - 1}
    return {**settings, "relation": "at least", "n": n + distance}
