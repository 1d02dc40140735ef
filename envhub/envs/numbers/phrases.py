"""Sentences that several environments of this category share."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

EXACT: Final = Phrase(
    "Give the exact value. Do not round.",
    "The answer must be exact; no rounding is allowed.",
    "Report the exact value, without any rounding.",
    held_out="An approximation is not accepted: state the value exactly.",
)
ROUNDED: Final = Phrase(
    "Round the final result, and nothing before it, to {places} decimal places. {rule}",
    "Keep intermediate results exact, and round the final result to {places} decimal places. {rule}",
    "Only the final value is rounded, to {places} decimal places. {rule}",
    held_out="Let v be the exact value. The answer is v, rounded to {places} decimal places. {rule}",
)
LOWEST_TERMS: Final = Phrase(
    "Give the exact result in lowest terms, as a fraction or as an integer. Do not write a decimal or a mixed number.",
    "The result must be exact and in lowest terms: a fraction or an integer, not a decimal or a mixed number.",
    "Reduce the result to lowest terms. Decimals and mixed numbers are not accepted; an integer is written without a fraction.",
    held_out="Write the value as an integer, or as p/q with q > 0 and gcd(p, q) = 1. Decimals and mixed numbers do not count.",
)
