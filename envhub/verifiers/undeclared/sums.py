r"""Sums and products with numbers as limits: ``\sum_{k=1}^{10} k^2``.

They are expanded. The scope ends at the next plus or minus sign, as usual; if the index occurs after it, the scope is
unclear, and nothing is read. Limits bound the work: at most 200 terms, and no sum within a sum::

    tokens, terms = expanded(tokens_of(r"2 \sum_{k=1}^{3} k"), lambda body, index: ...)     # 2 sum~0, {"sum~0": 1 + 2 + 3}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from envhub.verifiers.math.lexer import NotMath, Token, closing
from envhub.verifiers.math.tree import Num, Sym, Tree, app, mapped

_OPERATIONS: Final = {"\\sum": "+", "\\prod": "*"}
_MOST_TERMS: Final = 200
_MOST_TOKENS: Final = 40

Parse = Callable[[Sequence[Token], str], Tree]
"""The tree of a body in which a name is a variable."""


def expanded(tokens: Sequence[Token], parse: Parse) -> tuple[list[Token], dict[str, Tree]]:
    """The tokens with a name per sum, and the sums by name.

    Raises:
        NotMath: A sum cannot be expanded.
    """
    tokens = [token for token in tokens if token.text != "\\limits"]
    made: list[Token] = []
    sums: dict[str, Tree] = {}
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.text not in _OPERATIONS:
            made.append(token)
            at += 1
            continue
        name = f"sum~{len(sums)}"
        index, low, high, start = _limits(tokens, at)
        at = _end(tokens, start)
        body = tokens[start:at]
        if any(one.text in _OPERATIONS for one in body) or any(one.text == index for one in tokens[at:]):
            raise NotMath("the scope of the sum is unclear")
        sums[name] = _terms(_OPERATIONS[token.text], parse(body, index), index, range(low, high + 1))
        made.append(token._replace(kind="name", text=name))
    return made, sums


def _terms(operation: str, body: Tree, index: str, values: range) -> Tree:
    """The sum or product of a body over an index."""
    each = [_at(body, Sym(index), value) for value in values]
    return app(operation, *each) if len(each) > 1 else each[0]


def _at(body: Tree, index: Sym, value: int) -> Tree:
    return mapped(body, lambda node: Num(Fraction(value)) if node == index else node)


def _limits(tokens: Sequence[Token], at: int) -> tuple[str, int, int, int]:
    """The index, its limits, and the start of the body.

    Raises:
        NotMath: The limits are not numbers, or there are too many terms.
    """
    first, middle = _argument(tokens, at + 1, "_")
    last, start = _argument(tokens, middle, "^")
    if len(first) < 3 or first[0].kind != "word" or len(first[0].text) > 1 or first[1].text != "=":
        raise NotMath("an index is expected")
    low, high = _whole(first[2:]), _whole(last)
    if not 0 <= high - low < _MOST_TERMS:
        raise NotMath("there are no terms, or too many")
    return first[0].text, low, high, start


def _argument(tokens: Sequence[Token], at: int, sign: str) -> tuple[Sequence[Token], int]:
    """The tokens of a limit and the position after it."""
    if at + 1 >= len(tokens) or tokens[at].text != sign:
        raise NotMath("both limits are expected")
    if tokens[at + 1].text != "{":
        return tokens[at + 1 : at + 2], at + 2
    end = closing(tokens, at + 1)
    if end < 0:
        raise NotMath("a brace is not closed")
    return tokens[at + 2 : end], end + 1


def _whole(tokens: Sequence[Token]) -> int:
    """The whole number of a limit."""
    text = "".join(token.text for token in tokens)
    if not text.removeprefix("-").isdigit() or len(text) > 9:
        raise NotMath("a limit is no number")
    return int(text)


def _end(tokens: Sequence[Token], start: int) -> int:
    """The end of the body: the next sign outside brackets."""
    depth = 0
    for at in range(start, len(tokens)):
        depth += {"open": 1, "close": -1}.get(tokens[at].kind, 0)
        if depth < 0 or (not depth and at > start and tokens[at].text in ("+", "-", "pm", "mp")):
            break
    else:
        at = len(tokens)
    if not 0 < at - start <= _MOST_TOKENS:
        raise NotMath("the body of the sum is missing, or too long")
    return at
