"""Bitwise operators on words of a fixed width."""

from __future__ import annotations

from functools import cache
from typing import Final

from envhub.generators.numbers.formulas import Operator, Operators

NOTATIONS: Final = {"decimal": "{}", "hexadecimal": "{:#x}", "binary": "{:#b}"}
"""How a word may be written, as format texts."""


@cache
def operators(width: int) -> Operators:
    """The operators on unsigned integers of ``width`` bits."""
    mask = (1 << width) - 1
    return {
        "&": Operator("and", 0, lambda a, b: a & b, "&", "&"),
        "|": Operator("or", 0, lambda a, b: a | b, "|", "|"),
        "^": Operator("xor", 0, lambda a, b: a ^ b, "^", "^"),
        "+": Operator("add", 0, lambda a, b: a + b & mask, "+", "+"),
        "<<": Operator("shift_left", 0, lambda a, b: a << b & mask, "", "<<"),
        ">>": Operator("shift_right", 0, lambda a, b: a >> b, "", ">>"),
        "rot": Operator("rotate_left", 0, lambda a, b: (a << b | a >> width - b) & mask, "", "rotl"),
        "~": Operator("~", 0, lambda a: ~a & mask, "", "~"),
        "ones": Operator("ones", 0, lambda a: a.bit_count(), "", "ones"),
        "*": Operator("multiply", 0, lambda a, b: a * b & mask, "*", "*"),
    }


MEANINGS: Final = {
    "&": "a & b has a one wherever both a and b have one.",
    "|": "a | b has a one wherever a or b or both have one.",
    "^": "a ^ b has a one wherever exactly one of a and b has one.",
    "+": "a + b is the sum modulo 2^w.",
    "<<": "a << k shifts a by k bits to the left: zeros enter on the right, and bits beyond the width are dropped.",
    ">>": "a >> k shifts a by k bits to the right: zeros enter on the left.",
    "rot": "rotl(a, k) rotates a by k bits to the left: the k highest bits of the w bits return on the right.",
    "~": "~(a) inverts all w bits of a.",
    "ones": "ones(a) is the number of ones in the binary notation of a.",
    "*": "a * b is the product modulo 2^w.",
}
"""What each operator does to words of w bits."""
