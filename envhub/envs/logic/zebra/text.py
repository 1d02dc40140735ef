"""English for zebra puzzles: attributes with values, and clues as sentences.

Every value is one word of one attribute, so a word determines its attribute::

    attributes = draw_attributes(rng, attributes=2, houses=3)      # [["drink", ["milk", "tea", "water"]], ["name", [...]]]
    english(["same", 0, 4], attributes)                             # "The person who drinks milk is Clara."
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON

# For each attribute: who has a value, to have it, not to have it, the values.
_WORDS: Final[dict[str, tuple[tuple[str, str, str], tuple[str, ...]]]] = {
    "name": (
        ("{}", "is {}", "is not {}"),
        ("Alice", "Boris", "Clara", "Diego", "Elena", "Farid", "Greta", "Hiro"),
    ),
    "colour": (
        ("the person in the {} house", "lives in the {} house", "does not live in the {} house"),
        ("red", "blue", "green", "yellow", "white", "black", "purple", "brown"),
    ),
    "drink": (
        ("the person who drinks {}", "drinks {}", "does not drink {}"),
        ("tea", "coffee", "milk", "juice", "water", "cocoa", "lemonade", "cider"),
    ),
    "pet": (
        ("the person who owns the {}", "owns the {}", "does not own the {}"),
        ("cat", "dog", "horse", "rabbit", "parrot", "hamster", "turtle", "goldfish"),
    ),
    "job": (
        ("the {}", "is the {}", "is not the {}"),
        ("baker", "doctor", "farmer", "lawyer", "painter", "pilot", "plumber", "nurse"),
    ),
    "hobby": (
        ("the person who enjoys {}", "enjoys {}", "does not enjoy {}"),
        ("chess", "swimming", "cycling", "pottery", "gardening", "sailing", "dancing", "archery"),
    ),
    "food": (
        ("the person who eats {}", "eats {}", "does not eat {}"),
        ("pasta", "soup", "pizza", "salad", "curry", "rice", "stew", "sushi"),
    ),
    "instrument": (
        ("the person who plays the {}", "plays the {}", "does not play the {}"),
        ("violin", "piano", "flute", "guitar", "drums", "trumpet", "harp", "cello"),
    ),
}  # fmt: skip

_SENTENCES: Final = {
    "at": "{} lives in house {}",
    "not_at": "{} does not live in house {}",
    "either": "{} lives in house {} or in house {}",
    "left": "{} lives directly to the left of {}",
    "before": "{} lives somewhere to the left of {}",
    "next": "{} lives next to {}",
    "gap": "there is exactly one house between the house of {} and that of {}",
    "apart": "{} and {} live in different houses that are not next to each other",
}

CONVENTIONS: Final = (
    'Two houses are next to each other when no house is between them. "Directly to the left" means in the next house on the '
    'left; "somewhere to the left" means in any house further left. Different descriptions may be of the same person.'
)


def draw_attributes(rng: Stream, *, attributes: int, houses: int) -> list[JSON]:
    """Attributes with one value per house, in alphabetical order: ``[name, values]``."""
    names = rng.sample(list(_WORDS), attributes)
    return [[name, sorted(rng.sample(_WORDS[name][1], houses))] for name in names]


def english(clue: Sequence[Any], attributes: Sequence[Any]) -> str:
    """A clue as a sentence.

    Items are numbered through the values of all attributes.
    """
    kind, x, *rest = clue
    who = _phrase(x, attributes, 0)
    if kind in ("same", "differ"):
        said = f"{who} {_phrase(rest[0], attributes, 1 if kind == 'same' else 2)}"
    elif kind in ("at", "not_at", "either"):
        said = _SENTENCES[kind].format(who, *(house + 1 for house in rest))
    else:
        said = _SENTENCES[kind].format(who, _phrase(rest[0], attributes, 0))
    return f"{said[0].upper()}{said[1:]}."


def _phrase(item: int, attributes: Sequence[Any], form: int) -> str:
    attribute, value = divmod(item, len(attributes[0][1]))
    name, values = attributes[attribute]
    return _WORDS[name][0][form].format(values[value])
