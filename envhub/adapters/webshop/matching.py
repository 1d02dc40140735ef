"""WebShop's reward: how much of an instruction a purchase meets.

Attributes, options and the price bound count one each; the share that is met is multiplied by how well the kind of the
product matches. Texts match if the ratio of their token sets exceeds 85 of 100 (:func:`token_set_ratio`, as ``thefuzz``
computes it).

Two rules are not WebShop's. The words of a name that count for its kind are all but the common ones, where WebShop takes the
nouns that a model finds. Options are compared as they are, where WebShop first reduces each to a colour that it contains.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_ENOUGH: Final = 85
_OTHER: Final = re.compile(r"\W")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_BETWEEN: Final = "\u203a"
_COMMON: Final = frozenset(
    [
        "and",
        "for",
        "with",
        "the",
        "of",
        "in",
        "on",
        "to",
        "by",
        "from",
        "or",
        "an",
        "at",
        "is",
        "it",
        "as",
        "your",
        "you",
    ]
)


class Item(NamedTuple):
    """The fields of a product that the reward uses.

    Attributes:
        name: Its title.
        query: The search query that WebShop's authors collected it with.
        category: Its category path, separated by single angle quotation marks.
        attributes: Its attributes.
        text: Its features and its description, in lower case, separated.
        options: The values of each group of options.
        cents: Its price.
    """

    name: str
    query: str
    category: str
    attributes: tuple[str, ...]
    text: tuple[str, str]
    options: Mapping[str, tuple[str, ...]]
    cents: int


class Goal(NamedTuple):
    """The conditions of an instruction.

    Attributes:
        asin: The code of the product that it was written for.
        text: The instruction.
        attributes: Attributes that the product must have.
        options: Values of options that must be chosen.
        most: Highest price in cents; None without a bound.
    """

    asin: str
    text: str
    attributes: tuple[str, ...]
    options: tuple[str, ...]
    most: int | None


class Reward(NamedTuple):
    """The parts of a reward, each from 0 to 1."""

    attributes: float
    options: float
    price: float
    kind: float
    total: float


def reward(goal: Goal, wanted: Item, bought: Item, chosen: Sequence[str]) -> Reward:
    """The reward for a purchase.

    Args:
        goal: What was asked for.
        wanted: The product that the instruction was written for.
        bought: The product that was bought.
        chosen: The values of its options that were chosen.
    """
    attributes = sum(has(bought, each) for each in goal.attributes)
    options = sum(any(alike(value, each) for value in chosen) for each in goal.options)
    price = goal.most is None or bought.cents <= goal.most
    kind = same_kind(wanted, bought)
    total = kind * (attributes + options + price) / (len(goal.attributes) + len(goal.options) + 1)
    return Reward(
        attributes / len(goal.attributes) if goal.attributes else 1.0,
        options / len(goal.options) if goal.options else 1.0,
        float(price),
        kind,
        total,
    )


def has(item: Item, attribute: str) -> bool:
    """Whether a product has an attribute: in its list or texts."""
    listed = any(alike(each, attribute) for each in item.attributes)
    return listed or any(attribute in text for text in (item.name.lower(), *item.text))


def same_kind(wanted: Item, bought: Item) -> float:
    """How well the kind matches: 1, 0.5, 0.1 or 0."""
    named, shown = _nouns(wanted.name), _nouns(bought.name)
    shared = len(named & shown) / len(named) if named else 0.2
    both = _categories(wanted.category) & _categories(bought.category)
    if shared == 0:
        return 0.0
    if shared < 0.1:
        return 0.1
    return 1.0 if bought.query == wanted.query or len(both) >= 2 or shared > 0.2 else 0.5


def _categories(text: str) -> set[str]:
    return {part.strip() for part in text.split(_BETWEEN)}


def _nouns(name: str) -> set[str]:
    return set(_WORD.findall(name.lower())) - _COMMON


def alike(first: str, second: str) -> bool:
    """Whether two texts count as the same."""
    return round(token_set_ratio(first, second)) > _ENOUGH


def token_set_ratio(first: str, second: str) -> float:
    """The similarity of two texts as word sets, from 0 to 100."""
    left, right = (set(_OTHER.sub(" ", text).lower().split()) for text in (first, second))
    if not left or not right:
        return 0.0
    common, one, other = (" ".join(sorted(each)) for each in (left & right, left - right, right - left))
    if common and (not one or not other):
        return 100.0
    joint = len(common) + bool(common)
    lengths = (joint + len(one), joint + len(other))
    found = [_similar(_distance(one, other), sum(lengths))]
    if common:
        found += [_similar(bool(common) + len(each), 2 * len(common) + 1 + len(each)) for each in (one, other)]
    return max(found)


def _similar(distance: int, length: int) -> float:
    return 100 - 100 * distance / length if length else 100.0


def _distance(first: str, second: str) -> int:
    """Insertions and deletions that turn one text into the other."""
    places: dict[str, int] = {}
    for at, char in enumerate(first):
        places[char] = places.get(char, 0) | 1 << at
    whole = (1 << len(first)) - 1
    row = whole
    for char in second:  # one bit a character; a cleared bit is a step of the longest common subsequence
        match = row & places.get(char, 0)
        row = (row + match | row - match) & whole
    return len(first) + len(second) - 2 * (len(first) - row.bit_count())
