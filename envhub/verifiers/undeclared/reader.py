r"""Typed readings of a text whose kind nobody declared, the likeliest first.

A text may have several: ``(0, 1)`` is a pair or an interval, ``1,234`` a number or two. :mod:`matching` decides which of
them are compared. Every text has at least the reading ``Label``, which is only equal to itself::

    readings("t = 8")            # [Named("t", 8), Chain, Label]
    readings("(2,7), (-1,4)")    # [Group of two ordered groups, Label]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from envhub.verifiers.math.expressions import Expression
from envhub.verifiers.math.groups import enclosed
from envhub.verifiers.math.lexer import NotMath, Token, prepare, split, tokens_of
from envhub.verifiers.math.relations import Relation
from envhub.verifiers.math.tree import Num, Tree, both_signs
from envhub.verifiers.math.words import number_in_words
from envhub.verifiers.undeclared.amounts import amount
from envhub.verifiers.undeclared.arrays import grid
from envhub.verifiers.undeclared.compounds import compound
from envhub.verifiers.undeclared.equations import equation
from envhub.verifiers.undeclared.formulas import formula
from envhub.verifiers.undeclared.labels import label, special
from envhub.verifiers.undeclared.lists import assembled
from envhub.verifiers.undeclared.names import base_name
from envhub.verifiers.undeclared.regions import region
from envhub.verifiers.undeclared.spelling import spelled
from envhub.verifiers.undeclared.values import Amount, Chain, Group, Named, Ratio, Region, Value

_THOUSANDS: Final = re.compile(r"(?<![0-9.])[1-9][0-9]{0,2}(?:,[0-9]{3})+(?![0-9])")
_EUROPEAN: Final = re.compile(r"(-?[0-9]{1,9}),([0-9]{1,12})")
_LEADING_ZERO: Final = re.compile(r"-?0,[0-9]{2,12}|-?[0-9]{1,9},0[0-9]{1,12}")
_INTEGERS: Final = re.compile(
    r"[\s,;]*[(]?\s*(?:\b(?:where|for|with|and)\b)?[\s,]*(?:\b(?:any|all|some|every|each)\b)?"
    r"\s*(?:integers?\s*)?(?<![A-Za-z\\])([a-zA-Z])\s*"
    r"(?:\\in\s*\\mathbb\s?\{?\s?Z\s?\}?|in Z|(?:is|be|are)?\s*(?:any |an |some )?(?:arbitrary )?integers?)[\s).]*$"
)
_ALL_INTEGERS: Final = re.compile(
    r"[\s,;]*[(]?\s*\b(?:for|any|all|every)\b\s*(?:any|all|some|every)?\s*integers?\s+([a-z])[\s).]*$"
)
_PROSE: Final = re.compile(r"[A-Za-z][A-Za-z' .,-]*")
_EXPRESSION: Final = Expression()
_SETS: Final = ("R", "empty")
_APPROXIMATE: Final = "\\approx"
_BRACES: Final = ("{", "\\{")
_BRACKETS: Final = ("(", "[", "<", *_BRACES)
_MOST_LISTED: Final = 200


def readings(text: str, letters: frozenset[str] | None = None) -> list[Value]:
    """The readings of a text, in order of rank.

    Args:
        text: Any text.
        letters: The variables that may be adjacent; None for those of the text.

    Raises:
        NotMath: It is empty or too long.
    """
    text = spelled(text)
    found: list[Value] = []
    known = special(text)
    if known is not None:
        return [known, *_ratio(text)] if known.kind == "clock" else [known]
    if not _is_prose(text, letters or frozenset()):
        text_, bound = _bounded(text)
        reader = _Reader(letters, bound)
        for commas in (True, False) if _THOUSANDS.search(text_) else (False,):
            if (commas and enclosed(_tokens(text_))) or (found and letters is None):
                continue
            found += [value for value in reader.values(text_, commas) if value not in found]
        european = _EUROPEAN.fullmatch(text)
        if (
            european
            and not _THOUSANDS.fullmatch(text.lstrip("-"))
            and (letters is not None or _LEADING_ZERO.fullmatch(text))
        ):
            found.append(amount(f"{european[1]}.{european[2]}", letters))
    return [*found, label(text)]


def _ratio(text: str) -> list[Value]:
    """The ratio that a time of day might be."""
    terms = text.split(":")
    whole = all(term.isdigit() and int(term) for term in terms)
    return [Ratio(tuple(Num(Fraction(int(term))) for term in terms))] if whole else []


def _is_prose(text: str, letters: frozenset[str]) -> bool:
    """Whether a text is words, not a number or a product."""
    if len(text) < 2 or not _PROSE.fullmatch(text) or number_in_words(text) is not None:
        return False
    if text in ("abc", "xyz") or (len(text) < 5 and letters.issuperset(text)):
        return False
    if text.islower() and len(text) == 2:
        return text in ("no", "is", "of", "it", "if", "or", "in", "pi")
    if "-" in text and not re.search("[A-Za-z]{2}", text):
        return False
    kinds = {token.kind for token in _tokens(text)}
    return not kinds & {"const", "cmd", "num"} or bool(kinds == {"word", "sep"})


def _bounded(text: str) -> tuple[str, str]:
    """The text without its remark on an arbitrary integer.

    Also returns the name of that integer.
    """
    if "nteger" not in text and "Z" not in text:
        return text, ""
    opened = prepare(text)
    remark = _ALL_INTEGERS.search(opened) or _INTEGERS.search(opened)
    if remark is None or not remark.start():
        return text, ""
    return opened[: remark.start()].rstrip(" ,;("), remark[1]


def _tokens(text: str, commas: bool = False) -> list[Token]:
    return tokens_of(text, commas=commas)


class _Reader:
    """Reads texts with the same variables."""

    def __init__(self, letters: frozenset[str] | None, bound: str) -> None:
        self.letters = letters
        self.bound = bound

    def values(self, text: str, commas: bool) -> list[Value]:
        """All readings of a text."""
        tokens = _tokens(text, commas)
        if text[:1].isdigit() and (found := _tried(lambda: compound(text))):
            return found
        found = []
        if any(token.kind == "rel" and token.text not in ("=", "in") for token in tokens):
            found += _tried(lambda: region(text))
        found += _tried(lambda: self.listed(text, tokens, commas)) or self.single(text, commas)
        return found

    def listed(self, text: str, tokens: Sequence[Token], commas: bool) -> Value:
        """The reading of a list.

        Raises:
            NotMath: It is not a list, or an item cannot be read.
        """
        outer = [run for run in split(tokens, ";", "\n", "or") if run]
        if len(outer) > 1:
            items = [self.first(_source(text, run), commas) for run in outer]
            made = assembled(items, mixed=any(len(_inner(run)) > 1 for run in outer))
            if any(token.text == "or" for token in _outside(tokens)) and not _are_alternatives(items, made):
                raise NotMath("'or' stands only between different values of one name")
            return made
        inner = _inner(tokens)
        if not 1 < len(inner) <= _MOST_LISTED:
            raise NotMath("it is not a list")
        items = [self.item(_source(text, run), commas) for run in inner]
        if any(token.text == "and" for token in _outside(tokens)) and _are_conditions(items):
            raise NotMath("the conditions exclude each other")
        return assembled(items, mixed=False)

    def first(self, text: str, commas: bool) -> Value:
        """The likeliest reading.

        Raises:
            NotMath: There are no readings.
        """
        found = self.values(text, commas)
        if not found:
            raise NotMath("an item cannot be read")
        return found[0]

    def item(self, text: str, commas: bool) -> Value:
        """The likeliest reading of an item of a list.

        Raises:
            NotMath: There are no readings.
        """
        found = self.single(text, commas)
        if not found:
            raise NotMath("an item cannot be read")
        return found[0]

    def single(self, text: str, commas: bool) -> list[Value]:
        """All readings of a text that is not a list."""
        tokens = _tokens(text, commas)
        relations = {token.text for token in _outside(tokens) if token.kind == "rel"}
        if relations or _APPROXIMATE in text:
            return self.related(text, relations, commas)
        return [one for read in self.readers(text, tokens, commas) for one in _tried(read)]

    def related(self, text: str, relations: set[str], commas: bool) -> list[Value]:
        """The readings of a text with relation signs."""
        readers: list[Callable[[], Value]] = []
        if relations <= {"=", "in"}:
            readers.append(lambda: equation(text, lambda part: self.item(part, commas)))
        if relations - {"="}:
            readers.append(lambda: region(text))
        readers.append(lambda: Chain(Relation(self.letters).read(text)))
        found = [one for read in readers for one in _tried(read)]
        return found or (_tried(lambda: self.signed(text, commas)) if "\\pm" in text else [])

    def readers(self, text: str, tokens: Sequence[Token], commas: bool) -> Iterator[Callable[[], Value]]:
        """The readers to try for a text without relation signs, by rank."""
        bracket, outside = enclosed(tokens), _outside(tokens)
        if any(token.kind == "begin" for token in tokens) or [token.text for token in tokens[:2]] == ["[", "["]:
            yield lambda: grid(text)
        if bracket == "[":
            yield lambda: region(text)
        if bracket:
            yield lambda: self.bracketed(text, tokens, bracket, commas)
        if (bracket and bracket != "[") or any(token.kind == "join" or token.text in _SETS for token in outside):
            yield lambda: region(text)
        if any(token.text in ("pm", "mp") for token in tokens):
            yield lambda: self.both(text, commas)
        elif any(token.text == ":" for token in outside):
            yield lambda: Ratio(tuple(self.tree(_source(text, run)) for run in _at_colons(tokens)))
        else:
            yield lambda: self.amount(text, commas)
            yield lambda: self.weak(text, commas)

    def bracketed(self, text: str, tokens: Sequence[Token], bracket: str, commas: bool) -> Value:
        """Items in brackets."""
        runs = [run for run in split(tokens[1:-1], ",", ";", "and") if run]
        fewest = 1 if bracket in _BRACES else 2
        if not fewest <= len(runs) <= _MOST_LISTED or bracket not in _BRACKETS:
            raise NotMath("several values are expected")
        if any("inf" in [token.text for token in run] for run in runs):
            raise NotMath("infinity is no value")
        made = assembled([self.item(_source(text, run), commas) for run in runs], mixed=False)
        items = made.items if isinstance(made, Group) else (made,)
        if bracket not in _BRACES and len(items) == len(runs) + 1 and len(runs) > 1:
            return self.expanded(text, tokens, commas)
        return Group(items, bracket not in _BRACES, "{" if bracket in _BRACES else bracket)

    def expanded(self, text: str, tokens: Sequence[Token], commas: bool) -> Value:
        """Both tuples of a tuple with one plus-minus sign.

        Raises:
            NotMath: There are several signs.
        """
        signs = [token for token in tokens if token.text in ("pm", "mp")]
        if len(signs) != 1:
            raise NotMath("the signs may be independent")
        before, after = text[: signs[0].start], text[signs[0].end :]
        return Group(tuple(self.item(f"{before}{sign}{after}", commas) for sign in "+-"), False)

    def both(self, text: str, commas: bool) -> Value:
        """Both values of a plus-minus sign."""
        found = self.amount(text, commas)
        trees = both_signs(found.tree)
        values = tuple(_with(found, _EXPRESSION.of_tree(tree)) for tree in trees)
        return Group(values, False)

    def signed(self, text: str, commas: bool) -> Value:
        """Both relations of a plus-minus sign."""
        texts = (text.replace("\\pm", "+").replace("\\mp", "-"), text.replace("\\pm", "-").replace("\\mp", "+"))
        return Group(tuple(self.item(one, commas) for one in texts), False)

    def tree(self, text: str) -> Tree:
        """The expression in a text."""
        return formula(text, self.letters)

    def weak(self, text: str, commas: bool) -> Amount:
        """The amount with a unit that might be a variable."""
        found = amount(text, self.letters, commas=commas, weak=True)
        if not found.weak:
            raise NotMath("it has another reading")
        return found

    def amount(self, text: str, commas: bool) -> Amount:
        """The amount in a text."""
        found = amount(text, self.letters, commas=commas)
        return _with(found, found.tree, self.bound) if self.bound else found


def _are_alternatives(items: Sequence[Value], made: Value) -> bool:
    """Whether items are values of at most one name, without repetition."""
    values = made.items if isinstance(made, Group) else (made,)
    names = {base_name(item.name) for item in items if isinstance(item, Named)}
    return len(names) < 2 and len(set(values)) == len(values)


def _are_conditions(items: Sequence[Value]) -> bool:
    """Whether the items are inequalities in one unknown."""
    names = {item.name if isinstance(item, Region) else "" for item in items}
    return len(names) == 1 and "" not in names


def _with(found: Amount, tree: Tree, bound: str | None = None) -> Amount:
    return Amount(
        tree,
        found.unit,
        found.noun,
        found.percent,
        None if bound is None else found.shown,
        found.weak,
        bound or found.bound,
    )


def _tried(read: Callable[[], Value]) -> list[Value]:
    try:
        return [read()]
    except NotMath:
        return []


def _source(text: str, run: Sequence[Token]) -> str:
    return text[run[0].start : run[-1].end]


def _inner(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    return [run for run in split(tokens, ",", "and") if run]


def _outside(tokens: Sequence[Token]) -> list[Token]:
    """The tokens outside all brackets."""
    depth, found = 0, []
    for token in tokens:
        depth += {"open": 1, "begin": 1, "close": -1, "end": -1}.get(token.kind, 0)
        if not depth:
            found.append(token)
    return found


def _at_colons(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """The runs between colons outside brackets.

    Raises:
        NotMath: One is empty.
    """
    outside = {id(token) for token in _outside(tokens)}
    ends = [-1, *(i for i, token in enumerate(tokens) if token.text == ":" and id(token) in outside), len(tokens)]
    runs = [tokens[a + 1 : b] for a, b in pairwise(ends)]
    if any(not run for run in runs):
        raise NotMath("a term of the ratio is missing")
    return runs
