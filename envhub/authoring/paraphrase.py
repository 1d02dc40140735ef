"""Decides whether a sentence is a faithful paraphrase of another one.

A model may reword what a simulated user says. The check keeps the meaning: every word that carries meaning, every number, id
and name must still be there, and no such word may be added; a few other words may. Words of a domain that carry meaning, such
as its cities and colors, are named by the caller::

    check = Faithful(("oslo", "blue", "red"))
    check("Yes, go ahead.", "Oh yes, sure, go ahead!")        # True
    check("Yes, go ahead.", "Go ahead? No, never.")           # False: no yes, and two negations
    check("I would like it in blue.", "Make it blue, not red.")   # False

When in doubt, it says no, and the plain sentence is sent instead.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

_PLAIN: Final = frozenset(
    (
        "a", "an", "the", "i", "me", "my", "mine", "you", "your", "it", "its", "this", "that", "these", "those", "there",
        "here", "we", "us", "our", "to", "of", "for", "in", "at", "by", "with", "from", "as", "and", "so", "is", "are",
        "am", "was", "be", "been", "do", "does", "did", "have", "has", "had", "will", "would", "could", "can", "should",
        "shall", "may", "might", "must", "like", "please", "thanks", "thank", "just", "really", "oh", "ah", "well", "hi",
        "hello", "hey", "sorry", "what", "which", "exactly",
    )
)  # fmt: skip
"""Words without a meaning of their own, which may be added or lost."""
_MEANING: Final = frozenset(
    (
        "yes", "yeah", "yep", "yup", "sure", "ok", "okay", "agreed", "agree", "accept", "accepted", "confirm",
        "confirmed", "approve", "fine", "no", "nope", "nah", "not", "never", "none", "nothing", "nobody", "neither",
        "nor", "without", "hardly", "barely", "unless", "except", "but", "however", "instead", "rather", "maybe",
        "perhaps", "if", "unsure", "wrong", "right", "refuse", "refused", "decline", "declined", "cannot", "disagree",
        "reject", "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve", "dozen", "hundred", "thousand", "half", "double", "twice", "dollar", "dollars", "euro", "euros",
        "percent", "free", "today", "tomorrow", "yesterday", "monday", "tuesday", "wednesday", "thursday", "friday",
        "saturday", "sunday", "january", "february", "march", "april", "june", "july", "august", "september", "october",
        "november", "december", "on", "off", "works", "working", "work", "broken", "done", "default", "changed",
        "changes", "inserted", "loose", "abroad", "home", "opened", "sealed", "unopened", "ill", "cancel", "cancelled",
        "exchange", "return", "returned", "refund", "refunded", "change", "date", "bags", "compensation", "delayed",
        "address", "system", "assistant", "agent", "policy", "reward", "score", "admin", "supervisor", "limit",
        "maximum", "minimum", "most", "least", "stop", "wait", "hold", "joking", "kidding", "forget", "ignore", "skip",
        "undo", "doubt", "later", "before", "after", "again", "another", "other", "different", "else", "also", "plus",
        "add", "extra", "more", "less", "only", "first", "lie", "too", "much",
    )
)  # fmt: skip
"""Words that must not be added: agreement, negation, numbers, and what requests are about."""
_BESIDE: Final = {
    "yes": frozenset(("yeah", "yep", "yup", "sure", "ok", "okay", "right")),
    "no": frozenset(("nope", "nah")),
}
"""Words that may stand beside a yes or a no that the plain sentence has."""
_SHORT: Final = (
    (re.compile(r"\bcan't\b|\bcannot\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"'(d|ll|ve|re|m|s)\b"), ""),
)
_CURLY: Final = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"}
)
_TEXT: Final = re.compile(r"[A-Za-z0-9 .,;:!?'\"$%()&-]+")
_TOKEN: Final = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_SPARE: Final = 120
_MOST_ADDED: Final = 8


def tidied(text: str) -> str:
    """A model's sentence on one line, with straight quotation marks."""
    return " ".join(text.translate(_CURLY).split())


class Faithful:
    """Checks paraphrases.

    Args:
        vocabulary: Words of the domain that carry meaning, in lower case.
    """

    def __init__(self, vocabulary: Iterable[str] = ()) -> None:
        self._meaning = _MEANING | {word for each in vocabulary for word in _words(each)}

    def __call__(self, plain: str, said: str) -> bool:
        """Whether a paraphrase says exactly what a plain sentence says.

        ``said`` must be the result of :func:`tidied`.
        """
        if not said or len(said) > 2 * len(plain) + _SPARE or not _TEXT.fullmatch(said):
            return False
        told, found = Counter(_words(plain)), Counter(_words(said))
        kept = told.keys() - _PLAIN <= found.keys() and _names(said) <= told.keys()
        if not kept or _numbers(plain) != _numbers(said):
            return False
        beside = frozenset[str]().union(*(words for word, words in _BESIDE.items() if word in told))
        added = (found - told).keys() - beside  # also a word that occurs more often than before
        return not added & self._meaning and len(added - _PLAIN) <= _MOST_ADDED


def keywords(plain: str) -> list[str]:
    """The words that a paraphrase must keep, in order."""
    wanted = {*_words(plain)} - _PLAIN
    return [token for token in dict.fromkeys(_TOKEN.findall(plain)) if token.lower() in wanted]


def _numbers(text: str) -> list[str]:
    """Numbers and ids: tokens with a digit."""
    return sorted(token for token in _TOKEN.findall(text) if any(map(str.isdigit, token)))


def _names(text: str) -> set[str]:
    """Words with a capital letter inside a sentence, in lower case."""
    inner = re.findall(r"(?<=[a-z,;0-9])[ \"(]+([A-Z][\w-]*)", text)
    return {token.lower() for token in inner} - {"i"}


def _spelled_out(text: str) -> str:
    low = text.lower()
    for pattern, long in _SHORT:
        low = pattern.sub(long, low)
    return low


def _words(text: str) -> list[str]:
    return _TOKEN.findall(_spelled_out(text))
