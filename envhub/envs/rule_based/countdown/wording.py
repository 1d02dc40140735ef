"""The prompt of countdown-v0.

Phrasings of the rules, and renderings of numbers and target.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Statement, Variants, and_list
from envhub.core.types import JSON

_TASK: Final = Phrase(
    "Write an arithmetic expression whose value is exactly {target}.",
    "Combine the given numbers into an expression that equals {target}.",
    "How can you reach the target {target} with these numbers?",
    "Reach {target} with the numbers you are given, and write down how.",
    held_out="Construct an expression E over the multiset N with E = {target}.",
)
_NUMBERS: Final = Phrase(
    "Use only the given numbers, each at most as often as it is listed.",
    "You may not use a number that is not listed, or a listed number more often than it is listed.",
    "Each number in your expression must be one of those listed. A number that is listed once can be used once.",
    held_out="The multiset of the numbers in E must be contained in N.",
)
_SOME: Final = Phrase(
    "You do not have to use all numbers.",
    "You may leave numbers out.",
    "It is fine if some of the numbers are not used.",
    held_out="Members of N may remain unused.",
)
_OPERATORS: Final = Phrase(
    "The allowed operators are {operators}. You may use parentheses.",
    "You may use the operators {operators} as well as parentheses, and nothing else.",
    "Besides numbers, the expression may contain only {operators} and parentheses.",
    held_out="Admissible symbols other than numbers: {operators}, and parentheses.",
)
_BETWEEN: Final = Phrase(
    "Intermediate results may be negative or fractions, but you may not divide by zero.",
    "Parts of the expression may have negative or fractional values. Dividing by zero is not allowed.",
    "Negative numbers and fractions are fine as intermediate results; a division by zero is not.",
    held_out="Subexpressions take values in the rational numbers, and no divisor is zero.",
)
_DIGITS: Final = Phrase(
    "You may not join digits or numbers into new numbers.",
    "Do not put numbers side by side to make longer ones.",
    "Numbers must be used as they are: making 12 from 1 and 2 is not allowed.",
    held_out="Concatenation of digits or numbers is not an operation.",
)
_SIGN: Final = Phrase(
    "You may not put a minus sign in front of a number or a parenthesis; it must stand between two parts.",
    "A minus sign is only allowed between two parts of the expression, not as a sign in front of one.",
    "A minus sign may only subtract one part from another. It may not be the sign of a number or of a parenthesis.",
    held_out="There is no unary minus.",
)


def _plain(problem: JSON) -> str:
    return f"Numbers: {', '.join(map(str, problem['numbers']))}\nTarget: {problem['target']}"


def _as_json(problem: JSON) -> str:
    return json.dumps({"numbers": problem["numbers"], "target": problem["target"]})


def _in_words(problem: JSON) -> str:
    return f"The numbers are {and_list(problem['numbers'])}. The target is {problem['target']}."


def _on_cards(problem: JSON) -> str:
    cards = " ".join(f"[{number}]" for number in problem["numbers"])
    return f"Each number is on a card of its own: {cards}\nTarget: {problem['target']}"


def _as_set(problem: JSON) -> str:
    return f"N = {{{', '.join(map(str, sorted(problem['numbers'])))}}} (a multiset)\nE = {problem['target']}"


_DATA: Final[Variants[Rendering]] = Variants(_plain, _as_json, _in_words, _on_cards, held_out=_as_set, name="data")


def statement(problem: JSON) -> Statement:
    """A problem before it is worded."""
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_NUMBERS, _SOME, _OPERATORS, _BETWEEN, _DIGITS, _SIGN),
        values={"target": problem["target"], "operators": and_list(problem["operators"])},
    )
