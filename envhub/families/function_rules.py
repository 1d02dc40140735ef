"""Rules that tasks about functions of x share."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

POSITIVE: Final = Phrase(
    "Consider only x > 0.",
    "The variable x is positive.",
    "Assume that x > 0.",
    held_out="The domain is x > 0.",
)
ANY_FORM: Final = Phrase(
    "You may write the answer in any equivalent form. All numbers must be exact.",
    "Any equivalent form is accepted, but all numbers must be exact.",
    "Numbers must be exact. The form of the answer does not matter.",
    held_out="Equivalent forms are all accepted. Give exact numbers, without rounding.",
)
NAMES: Final = Phrase(
    "ln(x) and log(x) mean the natural logarithm, exp(x) means e^x, sqrt(x) means the square root, "
    "and atan(x) means the inverse tangent.",
    "Here ln and log are the natural logarithm, exp(x) is e^x, sqrt is the square root, and atan is the inverse tangent.",
    "Notation: exp(x) is e^x, ln and log are both the natural logarithm, atan is the inverse tangent, "
    "and sqrt is the square root.",
    held_out="The names ln and log stand for the natural logarithm, exp(x) for e^x, atan for the inverse tangent and sqrt for "
    "the square root.",
)
