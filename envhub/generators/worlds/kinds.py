"""The kind of a question about a world.

Without its names, numbers and wordings.
"""

from __future__ import annotations

from typing import Final

from envhub.generators.worlds.questions import Expression
from envhub.generators.worlds.tables import RELATIONS


def kind_of(expression: Expression) -> str:
    """The kind of a question: its relations and their wording, without names.

    Questions with and without an answer share kinds: the kind reveals nothing about the answer.
    """
    what = expression[0]
    if what in ("of", "in"):
        relation = RELATIONS[expression[1]]
        asked = f"{what} {relation.of} {relation.to}"
    else:
        asked = f"{what} {expression[1]}"
    inner = sorted({part for each in _inner_of(expression) for part in _parts_of(each)} & _SPECIAL)
    return f"{asked}, by {' and '.join(inner)}" if inner else asked


_SPECIAL: Final = frozenset({"first", "last", "in", "only"})


def _inner_of(expression: Expression) -> list[Expression]:
    if expression[0] in ("of", "in"):
        return [expression[-1]]
    if expression[0] in ("first", "last"):
        return list(expression[2])
    return [inner for _, inner in expression[2]] if expression[0] != "name" else []


def _parts_of(expression: Expression) -> list[str]:
    return [str(expression[0]), *(part for inner in _inner_of(expression) for part in _parts_of(inner))]
