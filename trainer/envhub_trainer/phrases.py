"""Recurring phrases and numbers of conversations, for a tiny model's tokenizer.

::

    phrases(conversations, "whole")     # ["I am thinking of a whole number between 1 and 16, both ...", ...]
    numbers(conversations)              # ["1", "2", ..., "17"]

Texts are split into words, numbers and single characters. The two neighbours that are adjacent in the most conversations are
then joined, repeatedly, until no pair is frequent enough: byte-pair encoding (Sennrich et al. 2016, arXiv 1508.07909) with
words instead of bytes. Words are joined first, numbers later and only if nearly all conversations have the same ones; the
phrases without them are kept too, for the other conversations.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, Literal, TypeVar

Digits = Literal["single", "whole"]
"""How a number is tokenized: one token per digit, or one token."""

Conversation = Sequence[Mapping[str, str]]
"""Chat messages with ``role`` and ``content``."""

_Found = TypeVar("_Found")

_UNITS: Final[Mapping[Digits, re.Pattern[str]]] = {
    "single": re.compile(r"\d|[^\W\d_]+|[\W_]"),
    "whole": re.compile(r"\d+|[^\W\d_]+|[\W_]"),
}


def phrases(
    conversations: Sequence[Conversation], digits: Digits, share: float = 0.02, share_with_number: float = 0.25
) -> list[str]:
    """The recurring texts, most frequent first.

    Args:
        conversations: The texts to search.
        digits: Whether the units are whole numbers or single digits.
        share: Two neighbours are joined if this share of conversations, and at least two, have them side by side.
        share_with_number: The same if one of the two is a number, so that only numbers are joined that are the same nearly
            everywhere.

    Returns:
        Texts of at least two characters that do not begin with a digit.
    """
    few, many = (max(2, math.ceil(each * len(conversations))) for each in (share, share_with_number))
    holders: dict[str, set[int]] = {}
    for number, conversation in enumerate(conversations):
        for message in conversation:
            holders.setdefault(message["content"], set()).add(number)
    texts = {text: _UNITS[digits].findall(text) for text in holders}
    found: dict[str, set[int]] = {}
    for with_numbers, least in ((False, few), (True, many)):
        while (best := _best(texts, holders, with_numbers, least)) is not None:
            texts = {text: _joined(units, best) for text, units in texts.items()}
        kept = _count(((text, set(units)) for text, units in texts.items()), holders)
        found |= {
            unit: in_ for unit, in_ in kept.items() if len(in_) >= few and len(unit) > 1 and not unit[0].isdigit()
        }
    return sorted(found, key=lambda unit: (-len(found[unit]), unit))


def numbers(conversations: Sequence[Conversation]) -> list[str]:
    """The numbers that occur, most frequent first, counted in conversations."""
    seen: Counter[str] = Counter()
    for conversation in conversations:
        seen.update({number for message in conversation for number in re.findall(r"[0-9]+", message["content"])})
    return sorted(seen, key=lambda number: (-seen[number], len(number), number))


def _count(found: Iterable[tuple[str, set[_Found]]], holders: Mapping[str, set[int]]) -> dict[_Found, set[int]]:
    """The conversations that contain each item, from the texts that contain it."""
    held: dict[_Found, set[int]] = {}
    for text, things in found:
        for thing in things:
            held.setdefault(thing, set()).update(holders[text])
    return held


def _best(
    texts: Mapping[str, Sequence[str]], holders: Mapping[str, set[int]], with_numbers: bool, least: int
) -> tuple[str, str] | None:
    """The two neighbours to join: the most frequent pair, if frequent enough."""
    held = _count(((text, set(pairwise(units))) for text, units in texts.items()), holders)
    joinable = [pair for pair, in_ in held.items() if len(in_) >= least and _may_join(pair, with_numbers)]
    return max(joinable, key=lambda pair: (len(held[pair]), pair), default=None)


def _may_join(pair: tuple[str, str], with_numbers: bool) -> bool:
    """Whether a pair may be joined: no phrase begins with a number."""
    if with_numbers:
        return not pair[0][0].isdigit()
    return not any(unit[0].isdigit() for unit in pair)


def _joined(units: Sequence[str], pair: tuple[str, str]) -> list[str]:
    """The units with the pair joined everywhere, from left to right."""
    joined: list[str] = []
    at = 0
    while at < len(units):
        both = tuple(units[at : at + 2]) == pair
        joined.append(units[at] + units[at + 1] if both else units[at])
        at += 1 + both
    return joined
