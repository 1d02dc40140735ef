r"""Names of quantities: the left side of ``M_{\min} = 3``, ``|AB| = 5``, ``\angle ABC = 60``, ``P(X = 2) = 1/4``.

A name is one symbol, call or geometric object, never a sum, a power or a product, so that an equation of unknowns is
not taken for the value of one of them::

    name_of(tokens_of("f(x)"))          # "f(x)"
    name_of(tokens_of("x + y"))         # ""
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from envhub.verifiers.math.lexer import Token, closing, split

_OBJECTS: Final = frozenset(
    (
        "\\angle",
        "\\lim",
        "\\triangle",
        "\\measuredangle",
        "\\widehat",
        "\\overset",
        "\\frown",
        "\\square",
        "\\odot",
        "deg",
    )
)
_FUNCTIONS: Final = frozenset(("sin", "cos", "tan", "cot", "min", "max", "gcd", "lcm", "det", "\\det"))
_INVERSES: Final = (["^", "{", "-", "1", "{"], ["^", "-", "1"])
_MOST: Final = 16
_CLOSERS: Final = {"(": ")", "[": "]", "{": "}", "\\{": "}"}


def name_of(tokens: Sequence[Token]) -> str:
    """The normal form of a name, else an empty text."""
    if not 1 <= len(tokens) <= _MOST:
        return ""
    if tokens[0].text == "m" and len(tokens) > 1 and tokens[1].text in _OBJECTS:
        tokens = tokens[1:]
    if tokens[0].text == "frac":
        top = closing(tokens, 1)
        parts = [tokens[2:top], tokens[top + 2 : -1]] if top > 0 and closing(tokens, top + 1) == len(tokens) - 1 else []
        return "/".join(map(_segment, parts)) if parts and all(map(_segment, parts)) else ""
    ratio = _ratio(tokens)
    if ratio:
        return ratio
    if tokens[0].kind == "bar" and tokens[-1].kind == "bar" and len(tokens) > 2:
        inner = name_of(tokens[1:-1])
        return inner and f"|{inner}|"
    return _symbol(tokens)


def _symbol(tokens: Sequence[Token]) -> str:
    """One symbol with its subscript and its arguments."""
    if tokens[0].text in _OBJECTS and len(tokens) > 1:
        return "".join(token.text.lstrip("\\") for token in tokens if token.kind not in ("open", "close"))
    if tokens[0].text in _FUNCTIONS and len(tokens) > 1:
        rest = _symbol(tokens[1:])
        return rest and tokens[0].text + rest
    first = tokens[0]
    if first.kind not in ("word", "name") or (first.kind == "word" and not _is_one(first.text)):
        return ""
    at = 1
    text = first.text
    if at < len(tokens) and tokens[at].text == "_":
        end = closing(tokens, at + 1) if at + 1 < len(tokens) and tokens[at + 1].kind == "open" else at + 1
        if not at < end < len(tokens):
            return ""
        text += "_" + "".join(token.text for token in tokens[at + 1 : end + 1] if token.kind not in ("open", "close"))
        at = end + 1
    if at == len(tokens):
        return text
    inverse = next((one for one in _INVERSES if [token.text for token in tokens[at : at + len(one)]] == one), None)
    if inverse is not None:
        text += "^-1"
        at += len(inverse)
        if at == len(tokens):
            return text
    if tokens[at].text == "(" and tokens[at].kind == "open" and closing(tokens, at) == len(tokens) - 1:
        return (
            text
            + "("
            + "".join(_CLOSERS.get(t.text, t.text) if t.kind == "close" else t.text for t in tokens[at + 1 :])
        )
    return ""


def _is_one(word: str) -> bool:
    """Whether a run of letters is one name."""
    return len(word) == 1 or word.isupper() or (len(word) > 3 and word.isalpha())


def _segment(tokens: Sequence[Token]) -> str:
    """The name of a distance, an area or a differential."""
    if len(tokens) == 1 and len(tokens[0].text) == 2 and tokens[0].text[0] == "d":
        return tokens[0].text
    if len(tokens) == 1 and tokens[0].text.isupper() and len(tokens[0].text) == 2:
        return tokens[0].text
    return _symbol(tokens) if len(tokens) > 1 and tokens[0].text in ("S", "V") else ""


def _ratio(tokens: Sequence[Token]) -> str:
    marks = [i for i, token in enumerate(tokens) if token.text == ":"]
    if not marks:
        return ""
    ends = [-1, *marks, len(tokens)]
    parts = [_symbol(tokens[a + 1 : b]) if b > a + 1 else "" for a, b in pairwise(ends)]
    return ":".join(parts) if all(parts) else ""


def base_name(name: str) -> str:
    """A name without its number: ``x`` of ``x_1``."""
    head, _, index = name.partition("_")
    return head if index.isdigit() else name


def arguments_of(name: str) -> tuple[str, ...]:
    """The variables in the brackets of a name: ``("x",)`` of ``f(x)``."""
    head, opened, rest = name.partition("(")
    found = tuple(rest.removesuffix(")").split(",")) if head and opened else ()
    return found if all(one.isalpha() and one.islower() for one in found) else ()


def tuple_of_names(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The names in ``(a, b)``; empty if the tokens are something else."""
    if len(tokens) < 5 or tokens[0].text != "(" or closing(tokens, 0) != len(tokens) - 1:
        return ()
    names = tuple(name_of(run) for run in split(tokens[1:-1], ",", ";"))
    return names if len(names) > 1 and all(names) and len(set(names)) == len(names) else ()
