r"""Expressions as mathematics data writes them.

With mixed numbers, values of unknown functions and runs of letters.

What the grammar rejects as ambiguous in a declared answer has one usual meaning in data: ``4\frac13`` is 13/3 and
``f(2)`` is a value. Tokens are rewritten before the grammar reads them::

    formula("4\\frac{1}{3}", None)          # Num(Fraction(13, 3))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.identity import exact_value
from envhub.verifiers.math.lexer import NotMath, Token, closing, prepare, tokens_of
from envhub.verifiers.math.names import Names
from envhub.verifiers.math.reals import TooHard
from envhub.verifiers.math.scalars import in_order, nodes
from envhub.verifiers.math.tree import INF, Num, Sym, Tree, mapped, symbols
from envhub.verifiers.math.words import number_in_words
from envhub.verifiers.undeclared.sums import expanded

_FUNCTIONS: Final = frozenset("fghFGHPQWVSTANMDCR")
_BASES: Final = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
    "eleven": "11", "twelve": "12", "sixteen": "16",
}  # fmt: skip
_LONGEST: Final = 6


def formula(text: str, letters: frozenset[str] | None, *, commas: bool = True) -> Tree:
    """The expression in a text.

    Args:
        text: A spelled text.
        letters: The variables that may be adjacent; None for those that the text itself shows.
        commas: ``1,024`` is one number.

    Raises:
        NotMath: The text cannot be read as such.
    """
    spoken = number_in_words(text)
    if spoken is not None:
        return Num(spoken)
    return tree_of(tokens_of(prepare(text), commas=commas), letters)


def tree_of(tokens: Sequence[Token], letters: frozenset[str] | None = None) -> Tree:
    """The expression of some tokens, computed if it is a rational number.

    Raises:
        NotMath: The text cannot be read as such.
    """
    if tokens and tokens[0].text in ("{", "\\{") and closing(tokens, 0) == len(tokens) - 1:
        if tokens[0].text == "\\{" or not any(token.kind == "cmd" for token in tokens):
            raise NotMath("one value is expected, without braces")
        tokens = tokens[1:-1]
    if tokens and tokens[0].text == "[" and closing(tokens, 0) == len(tokens) - 1:
        raise NotMath("a list of one value is no value")
    if any(token.text in ("\\sum", "\\prod") for token in tokens):
        tokens, sums = expanded(tokens, lambda body, index: _parsed(_rewritten(body), letters, frozenset((index,))))
        return computed(mapped(_parsed(_rewritten(tokens), letters), lambda node: _sum_of(node, sums)))
    return computed(_parsed(_rewritten(tokens), letters))


def _sum_of(node: Tree, sums: Mapping[str, Tree]) -> Tree:
    return sums.get(node.name, node) if isinstance(node, Sym) else node


def _parsed(tokens: Sequence[Token], letters: frozenset[str] | None, words: frozenset[str] = frozenset()) -> Tree:
    """The tree of rewritten tokens.

    ``words`` are variables even if they are constants elsewhere, such as ``i``.
    """
    shown = _letters(tokens) if letters is None else letters
    try:
        return parse(tokens, Names(letters, words))
    except NotMath:
        if letters is None and not shown:
            raise
        return parse(tokens, Names(shown | _letters(tokens), words))


def computed(tree: Tree) -> Tree:
    """The tree in order, or its value if that is rational."""
    tree = in_order(tree, angle=False)
    if symbols(tree) or INF in nodes(tree):
        return tree
    try:
        value = exact_value(tree)
    except TooHard:
        return tree
    return tree if value is None else Num(value)


def _letters(tokens: Sequence[Token]) -> frozenset[str]:
    """The letters that occur alone or in pairs."""
    return frozenset(
        letter
        for token in tokens
        if (token.kind == "word" and len(token.text) <= 2) or (token.kind == "name" and len(token.text) == 1)
        for letter in token.text
    )


def _rewritten(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, with mixed numbers as sums and calls as names."""
    made: list[Token] = []
    at = 0
    factor = -1  # where a number would be a factor after a fraction
    while at < len(tokens):
        token = tokens[at]
        if at == factor and token.kind == "num":
            made.append(token._replace(kind="op", text="*"))
        if token.kind == "bar" and made and made[-1].kind == "cmd":
            end = next((i for i in range(at + 2, len(tokens)) if tokens[i].kind == "bar"), 0)
            if end:
                made += [token._replace(kind="open", text="("), token._replace(kind="open", text="|")]
                made += _rewritten(tokens[at + 1 : end])
                made += [token._replace(kind="close", text="|"), token._replace(kind="close", text="(")]
                at = end + 1
                continue
        if token.text == "frac":
            factor = _after_fraction(tokens, at)
        end = _mixed(tokens, at)
        if end:
            made += [token._replace(kind="open", text="("), token, token._replace(kind="op", text="+")]
            made += [*tokens[at + 1 : end], token._replace(kind="close", text="(")]
            at = end
            continue
        end = _called(tokens, at)
        if end:
            text = "".join(one.text for one in tokens[at:end])
            made.append(token._replace(kind="name", text=text))
            at = end
            continue
        pair, end = _chosen(tokens, at)
        if end:
            made += [token._replace(kind="cmd", text="binom"), *pair]
            at = end
            continue
        if token.text in _BASES and made and made[-1].text in ("_", "{"):
            token = token._replace(kind="num", text=_BASES[token.text])
        made.append(token)
        at += 1
    return made


def _mixed(tokens: Sequence[Token], at: int) -> int:
    """The end of a mixed number that starts here, or 0."""
    whole = tokens[at]
    if whole.kind != "num" or not whole.text.isdigit() or whole.text == "0" or at + 2 >= len(tokens):
        return 0
    if at and (
        tokens[at - 1].text in ("^", "_", "/") or tokens[at - 1].kind in ("close", "num", "word", "name", "cmd")
    ):
        return 0
    follower = tokens[at + 1]
    if follower.text == "frac":
        top, after = _argument(tokens, at + 2)
        bottom, end = _argument(tokens, after)
        if top and not bottom and len(top) == 2:  # \frac13
            top, bottom, end = top[0], top[1], after
    elif follower.kind == "num" and follower.gap and at + 3 < len(tokens) and tokens[at + 2].text == "/":
        top, bottom, end = follower.text, tokens[at + 3].text, at + 4
        if end < len(tokens) and tokens[end].kind not in ("op", "sep", "rel", "close"):
            return 0
    else:
        return 0
    return end if top.isdigit() and bottom.isdigit() and int(top) < int(bottom) else 0


def _after_fraction(tokens: Sequence[Token], at: int) -> int:
    """The end of a fraction with operands in braces, or -1."""
    top = closing(tokens, at + 1) if at + 1 < len(tokens) and tokens[at + 1].text == "{" else -1
    bottom = closing(tokens, top + 1) if 0 < top < len(tokens) - 1 and tokens[top + 1].text == "{" else -1
    return bottom + 1 if bottom > 0 else -1


def _argument(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """The digits in an operand, and where it ends."""
    if at < len(tokens) and tokens[at].kind == "num":
        return tokens[at].text, at + 1
    if at + 2 < len(tokens) and tokens[at].text == "{" and tokens[at + 1].kind == "num" and tokens[at + 2].text == "{":
        return tokens[at + 1].text, at + 3
    return "", at


def _chosen(tokens: Sequence[Token], at: int) -> tuple[list[Token], int]:
    """The operands and the end of a binomial coefficient ``C_n^k``.

    The end is 0 if none starts here.
    """
    if tokens[at].text != "C" or at + 4 >= len(tokens) or tokens[at + 1].text != "_":
        return [], 0
    middle = closing(tokens, at + 2) if tokens[at + 2].text == "{" else at + 2
    if middle < 0 or middle + 2 >= len(tokens) or tokens[middle + 1].text != "^":
        return [], 0
    end = closing(tokens, middle + 2) if tokens[middle + 2].text == "{" else middle + 2
    if end < 0:
        return [], 0
    return [*_braced(tokens[at + 2 : middle + 1]), *_braced(tokens[middle + 2 : end + 1])], end + 1


def _braced(tokens: Sequence[Token]) -> list[Token]:
    if tokens[0].kind == "open":
        return list(tokens)
    return [tokens[0]._replace(kind="open", text="{"), tokens[0], tokens[0]._replace(kind="close", text="{")]


def _called(tokens: Sequence[Token], at: int) -> int:
    """The end of a value of an unknown function, or 0."""
    token = tokens[at]
    if token.kind != "word" or len(token.text) > 1 or at + 3 >= len(tokens):
        return 0
    opened = tokens[at + 1]
    at_number = tokens[at + 2].kind == "num" and tokens[at + 3].text == "("
    if token.text not in _FUNCTIONS and not at_number:
        return 0
    if opened.text != "(" or opened.kind != "open" or opened.gap:
        return 0
    end = closing(tokens, at + 1)
    if end < 0 or end - at > _LONGEST or (token.text == "C" and any(t.text == "," for t in tokens[at:end])):
        return 0
    return end + 1
