"""English for zebra puzzles: attributes with values, and clues as sentences.

Every value is one word of one attribute, so a word determines its attribute::

    attributes = draw_attributes(rng, attributes=2, houses=3)      # [["drink", ["milk", "tea", "water"]], ["name", [...]]]
    english(["same", 0, 4], attributes)                             # "Clara drinks milk."
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.logic.zebra.clues import PLACES

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

_REPHRASED: Final = {
    "at": "{} lives in house number {}",
    "not_at": "house {1} is not where {0} lives",
    "either": "{} lives in one of the houses {} and {}",
    "left": "{} lives immediately left of {}",
    "before": "{} lives further left than {}",
    "next": "{} and {} are neighbours",
    "gap": "between the houses of {} and {} there is one other house, and only one",
    "apart": "{} and {} do not live in the same house and are not neighbours",
    "same": "{} and {} are the same person",
    "differ": "{} and {} are two different people",
}
STRANGERS: Final = {
    "name": ("Xenia", "Yorick", "Zelda", "Wanda", "Victor", "Ursula"),
    "colour": ("silver", "golden", "orange", "pink", "grey", "beige"),
    "drink": ("broth", "punch", "mead", "syrup", "nectar", "soda"),
    "pet": ("ferret", "gecko", "lizard", "mouse", "pony", "canary"),
    "job": ("judge", "tailor", "sailor", "miner", "editor", "clerk"),
    "hobby": ("fishing", "skating", "knitting", "juggling", "origami", "fencing"),
    "food": ("bread", "noodles", "omelette", "pancakes", "waffles", "chowder"),
    "instrument": ("oboe", "tuba", "banjo", "zither", "clarinet", "organ"),
}
"""Values that no puzzle has, for the example of the answer."""


def draw_attributes(rng: Stream, *, attributes: int, houses: int) -> list[JSON]:
    """Attributes with one value per house, in alphabetical order: ``[name, values]``."""
    names = rng.sample(list(_WORDS), attributes)
    return [[name, sorted(rng.sample(_WORDS[name][1], houses))] for name in names]


def english(clue: Sequence[Any], attributes: Sequence[Any]) -> str:
    """A clue as a sentence.

    Items are numbered through the values of all attributes.
    """
    kind, x, *rest = clue
    if kind in ("same", "differ"):
        one, other = sorted((x, rest[0]), key=lambda item: not _is_name(item, attributes))
        return _sentence(f"{_phrase(one, attributes, 0)} {_phrase(other, attributes, 1 if kind == 'same' else 2)}")
    return _sentence(_SENTENCES[kind].format(*_placed(clue, attributes)))


def rephrased(clue: Sequence[Any], attributes: Sequence[Any]) -> str:
    """A clue as another sentence with the same meaning as :func:`english`."""
    return _sentence(_REPHRASED[clue[0]].format(*_placed(clue, attributes)))


def value_of(item: int, attributes: Sequence[Any]) -> str:
    """The word of an item."""
    attribute, value = divmod(item, len(attributes[0][1]))
    return str(attributes[attribute][1][value])


def _placed(clue: Sequence[Any], attributes: Sequence[Any]) -> list[str | int]:
    """The people of a clue, then its house numbers."""
    kind, x, *rest = clue
    who = _phrase(x, attributes, 0)
    if kind in PLACES:
        return [who, *(house + 1 for house in rest)]
    return [who, *(_phrase(y, attributes, 0) for y in rest)]


def _sentence(said: str) -> str:
    return f"{said[0].upper()}{said[1:]}."


def _is_name(item: int, attributes: Sequence[Any]) -> bool:
    return bool(attributes[item // len(attributes[0][1])][0] == "name")


def _phrase(item: int, attributes: Sequence[Any], form: int) -> str:
    name = attributes[item // len(attributes[0][1])][0]
    return _WORDS[name][0][form].format(value_of(item, attributes))
