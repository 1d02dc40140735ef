"""The size and features of programs, and their argument types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON

LETTERS: Final = "abcdefgh"


@dataclass(frozen=True, slots=True)
class Shape:
    """Features of the programs to draw.

    Attributes:
        blocks: Steps of the program: a loop, a comprehension, a branch, an assignment.
        nesting: Depth of nested loops and conditions.
        size: Depth of expressions.
        kinds: Constructs: 1 has integers, lists and loops; 2 has texts and tables as well; 3 has while loops, stacks and
            two pointers.
        arguments: Number of arguments.
        helpers: Number of helper functions.
        length: Maximum length of lists and texts.
        reach: Maximum size of integers in them.
    """

    blocks: int = 2
    nesting: int = 1
    size: int = 1
    kinds: int = 2
    arguments: int = 1
    helpers: int = 0
    length: int = 8
    reach: int = 20


def domain(rng: Stream, shape: Shape, first: bool) -> JSON:
    """The domain of an argument.

    The first one is not a lone integer.
    """
    kinds = ["ints", "ints", "str", "strs", "dict"] if shape.kinds >= 2 else ["ints"]
    if not first:
        kinds = [*kinds[:3], "int", "int", "int"]
    kind = rng.choice(kinds)
    if kind == "int":
        return {"kind": "int", "low": 1, "high": shape.reach}
    most = shape.length if kind in ("ints", "str") else max(3, min(5, shape.length // 2))
    drawn = {"kind": kind, "least": max(2, most // 2), "most": most}
    if kind in ("ints", "dict"):
        drawn |= {"low": rng.choice((0, 1, -shape.reach // 2)), "high": shape.reach}
    if kind != "ints":
        drawn["letters"] = "".join(sorted(rng.sample(LETTERS, rng.between(5, 8))))
    return drawn
