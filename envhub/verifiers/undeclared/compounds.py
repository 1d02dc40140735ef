r"""Quantities in several units: ``7 hours 30 minutes``, ``5 ft 6 in``, ``1 minute and 30 seconds``.

The units measure the same, each is smaller than the one before, and each amount is less than one of the unit before, so
that a list of quantities is not read as their sum::

    compound("7 \\text{ hours } 30 \\text{ minutes}")          # 15/2 hours
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from typing import Final

from envhub.verifiers.math.lexer import NotMath
from envhub.verifiers.math.tree import Num
from envhub.verifiers.math.units import unit_of
from envhub.verifiers.undeclared.values import Amount

_MARKUP: Final = re.compile(r"\\text\s?(?=\{)|[{}~]|\\[ ,;]")
_PART: Final = r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?([A-Za-z]{1,12})\.?"
_PARTS: Final = re.compile(_PART)
_WHOLE: Final = re.compile(rf"{_PART}(?: (?:and )?{_PART}){{1,3}}")


def compound(text: str) -> Amount:
    """The sum of the parts, in the unit of the first.

    Raises:
        NotMath: The text is something else.
    """
    plain = " ".join(_MARKUP.sub(" ", text).split())
    if not _WHOLE.fullmatch(plain):
        raise NotMath("a quantity in several units is expected")
    parts = [(Fraction(number), unit_of(name)) for number, name in _PARTS.findall(plain)]
    for (number, unit), (rest, smaller) in pairwise(parts):
        if unit.powers != smaller.powers or unit.offset or unit.pi != smaller.pi:
            raise NotMath("the units do not measure the same")
        if number.denominator > 1 or rest * smaller.size >= unit.size:
            raise NotMath("each part must be less than one unit of the part before")
    first = parts[0][1]
    return Amount(Num(sum((number * unit.size for number, unit in parts), Fraction(0)) / first.size), first)
