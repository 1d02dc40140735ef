"""The domains of the arguments of proposed functions.

They are small enough to be enumerated.

A domain is a list of argument lists in a fixed order. The solvers of rules count in it, so their rates are exact::

    domain("pair")[:2]      # [[0, 0], [0, 1]]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, Final

from envhub.verifiers.answers.literals import write_literal

NAMES: Final[dict[str, tuple[str, ...]]] = {"int": ("n",), "pair": ("a", "b"), "list": ("xs",), "text": ("s",)}
WORDS: Final[dict[str, str]] = {
    "int": "n is an integer from -30 to 60",
    "pair": "a and b are integers from 0 to 8",
    "list": "xs is a list of 1 to 3 integers, each from 0 to 3",
    "text": "s is a text of 1 to 3 of the letters a, b, c, d, e",
}
SHOWN: Final = 4
"""Number of calls of an induction task that the solver sees."""
CALLS: Final = 8
"""Number of all calls of an induction task."""


@cache
def _domain(kind: str) -> tuple[tuple[Any, ...], ...]:
    match kind:
        case "int":
            return tuple((number,) for number in range(-30, 61))
        case "pair":
            return tuple(product(range(9), repeat=2))
        case "list":
            return tuple((list(items),) for size in range(1, 4) for items in product(range(4), repeat=size))
    return tuple(("".join(letters),) for size in range(1, 4) for letters in product("abcde", repeat=size))


def domain(kind: str) -> list[list[Any]]:
    """All argument lists of a kind, in a fixed order."""
    return [[list(value) if type(value) is list else value for value in given] for given in _domain(kind)]


def call(arguments: Sequence[Any]) -> str:
    """A call of ``f`` in Python."""
    return f"f({', '.join(map(write_literal, arguments))})"
