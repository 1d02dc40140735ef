"""A simulated user with hidden wishes and a fixed manner of answering.

A theme has features, each with options in groups (warm colours, cold colours). The user wants one option of each
feature, and answers a question about a feature in a fixed manner: ``plain`` (the option), ``vague`` (its group),
``not`` (all options but one are ruled out), ``depends`` (it follows from the group of another feature), ``unsure``
(nothing; the user must see it). Everything is rule-based::

    theme = draw_theme(rng, features=4)
    user = draw_user(rng, theme, Manner(vague=2))
    asked(theme, "Which colour would you like?")       # ["colour"]
    left_open(theme, user)                             # the options that agree with every answer
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from operator import ne
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON

GROUP: Final = 3
"""Number of options per group; a feature has two groups."""
MOST_COMBINATIONS: Final = 400
_MANY: Final = 200
_Options = tuple[int, ...]

# feature: other words for it, then the options by group
_Groups = dict[str, tuple[str, str, str]]
_THEMES: Final[dict[str, dict[str, tuple[tuple[str, ...], _Groups]]]] = {
    "a poster": {
        "colour": (("color", "colours"), {"warm": ("red", "orange", "yellow"), "cold": ("blue", "green", "violet")}),
        "size": (("format",), {"small": ("A5", "A4", "A3"), "large": ("A2", "A1", "A0")}),
        "lettering": (
            ("letters",),
            {"serif": ("Gothic", "Roman", "slab"), "plain": ("round", "narrow", "thin")},
        ),
        "picture": (
            ("motif", "image"),
            {"of nature": ("tree", "lake", "bird"), "of a town": ("tower", "bridge", "tram")},
        ),
        "paper": (("sheet",), {"shiny": ("gloss", "satin", "foil"), "dull": ("matt", "kraft", "linen")}),
        "border": (
            ("frame", "edge"),
            {"of lines": ("single", "double", "dotted"), "of things": ("leaves", "stars", "waves")},
        ),
        "mood": (("feeling",), {"loud": ("wild", "festive", "funny"), "quiet": ("calm", "solemn", "dreamy")}),
        "layout": (
            ("arrangement",),
            {"ordered": ("centred", "columns", "grid"), "free": ("spiral", "slanted", "scattered")},
        ),
        "era": (
            ("decade", "age"),
            {"old": ("baroque", "victorian", "twenties"), "new": ("sixties", "eighties", "today")},
        ),
    },
    "a cake": {
        "base": (("dough", "bottom"), {"light": ("sponge", "meringue", "filo"), "heavy": ("brownie", "nut", "carrot")}),
        "filling": (
            ("inside",),
            {"of fruit": ("cherry", "apricot", "lemon"), "of cream": ("vanilla", "mocha", "caramel")},
        ),
        "glaze": (
            ("icing", "coating"),
            {"dark": ("chocolate", "coffee", "plum"), "pale": ("sugar", "coconut", "honey")},
        ),
        "shape": (("form",), {"with corners": ("square", "star", "house"), "without": ("disc", "ring", "dome")}),
        "tiers": (("layers", "height"), {"few": ("one", "two", "three"), "many": ("four", "five", "six")}),
        "topping": (
            ("decoration",),
            {"to eat": ("berries", "almonds", "figs"), "to look at": ("candles", "ribbons", "flags")},
        ),
        "occasion": (
            ("event",),
            {"private": ("birthday", "wedding", "christening"), "public": ("fair", "jubilee", "match")},
        ),
        "spice": (
            ("seasoning",),
            {"sweet": ("cinnamon", "anise", "cardamom"), "sharp": ("ginger", "pepper", "chilli")},
        ),
        "writing": (
            ("text", "words"),
            {"of letters": ("a name", "a wish", "a pun"), "of signs": ("a date", "a heart", "a note")},
        ),
    },
    "a garden": {
        "hedge": (
            ("fence", "enclosure"),
            {"evergreen": ("yew", "box", "holly"), "bare": ("beech", "privet", "hazel")},
        ),
        "path": (("way", "walk"), {"hard": ("brick", "slate", "granite"), "soft": ("gravel", "bark", "grass")}),
        "water": (("basin",), {"still": ("pond", "pool", "trough"), "moving": ("stream", "fountain", "fall")}),
        "flowers": (
            ("flower", "blossoms"),
            {"of spring": ("tulips", "crocus", "iris"), "of summer": ("roses", "asters", "phlox")},
        ),
        "trees": (("tree",), {"with fruit": ("apple", "pear", "quince"), "for shade": ("lime", "maple", "birch")}),
        "seat": (
            ("bench", "seating"),
            {"of wood": ("swing", "plank", "stump"), "of metal": ("chair", "lounger", "rail")},
        ),
        "light": (
            ("lamps", "lighting"),
            {"bright": ("spots", "floods", "globes"), "dim": ("lanterns", "torches", "strings")},
        ),
        "style": (
            ("manner",),
            {"formal": ("French", "Italian", "Moorish"), "informal": ("English", "Japanese", "cottage")},
        ),
        "beds": (
            ("bed", "planting"),
            {"raised": ("boxes", "mounds", "terraces"), "flat": ("strips", "circles", "drifts")},
        ),
    },
}


class Theme(NamedTuple):
    """The thing to be made: for every feature its options by group."""

    name: str
    features: dict[str, dict[str, list[str]]]


class Manner(NamedTuple):
    """How the user answers.

    Attributes:
        vague: Number of features answered by their group only.
        unsure: Number of features that the user must see.
        excluding: Per cent of the others for which the user names unwanted options.
        depends: Per cent of the others that depend on another feature; the rest is plain.
    """

    vague: int = 0
    unsure: int = 0
    excluding: int = 0
    depends: int = 0


class User(NamedTuple):
    """The user's wishes, and the answers about every feature.

    Attributes:
        wants: The option wanted, by feature.
        says: The manner of every feature.
        facts: For ``not`` the options that are ruled out; for ``depends`` the other feature, and the wish by its group.
    """

    wants: dict[str, str]
    says: dict[str, str]
    facts: dict[str, JSON]


def draw_theme(rng: Stream, features: int) -> Theme:
    """Some features of a theme with their options, in any order."""
    name = rng.choice(sorted(_THEMES))
    bank = _THEMES[name]
    chosen = rng.sample(list(bank), features)
    return Theme(name, {f: {g: rng.sample(some, len(some)) for g, some in bank[f][1].items()} for f in chosen})


def options_of(theme: Theme, feature: str) -> list[str]:
    """All options of a feature."""
    return [option for options in theme.features[feature].values() for option in options]


def group_of(theme: Theme, feature: str, option: str) -> str:
    """The group an option is in."""
    return next(group for group, options in theme.features[feature].items() if option in options)


def draw_user(rng: Stream, theme: Theme, manner: Manner) -> User:
    """A user with random wishes and manners of answering."""
    features = list(theme.features)
    wants = {feature: rng.choice(options_of(theme, feature)) for feature in features}
    says: dict[str, str] = {}
    facts: dict[str, JSON] = {}
    order = rng.sample(features, len(features))
    unsure, vague = set(order[: manner.unsure]), set(order[manner.unsure : manner.unsure + manner.vague])
    clear = [feature for feature in order if feature in vague]  # may be depended on: cycles would say nothing
    for feature in order:
        lot = rng.below(100)
        if feature in unsure:
            says[feature] = "unsure"
        elif feature in vague:
            says[feature] = "vague"
        elif clear and lot < manner.depends:
            says[feature] = "depends"
            other = rng.choice(clear)
            rest = [option for option in options_of(theme, feature) if option != wants[feature]]
            told = {group: rng.choice(rest) for group in theme.features[other]}
            facts[feature] = [other, {**told, group_of(theme, other, wants[other]): wants[feature]}]
        elif lot < manner.depends + manner.excluding:
            says[feature] = "not"
            others = [option for option in options_of(theme, feature) if option != wants[feature]]
            facts[feature] = rng.sample(others, len(others))
        else:
            says[feature] = "plain"
            clear.append(feature)
    return User(wants, says, facts)


def words_for(theme: Theme, feature: str) -> list[str]:
    """The words that name a feature in a question."""
    return [feature, *_THEMES[theme.name][feature][0]]


def asked(theme: Theme, question: str) -> list[str]:
    """The features that a question mentions, in any of their words."""
    words = set(re.findall(r"[a-z]+", question.lower()))
    return [feature for feature in theme.features if words & set(words_for(theme, feature))]


def answer(theme: Theme, user: User, feature: str) -> str:
    """The user's answer about a feature; always the same."""
    manner = user.says[feature]
    if manner == "unsure":
        return f"About the {feature} I am not sure. I would have to see it."
    if manner == "vague":
        return f"For the {feature}, something {group_of(theme, feature, user.wants[feature])}."
    if manner == "not":
        return f"For the {feature}, neither {' nor '.join(user.facts[feature])}."
    if manner == "depends":
        other, told = user.facts[feature]
        cases = "; ".join(f"if that is {group}, {option}" for group, option in told.items())
        return f"My wish for the {feature} depends on the {other}: {cases}."
    return f"For the {feature}: {user.wants[feature]}."


def wrong(user: User, values: dict[str, str]) -> list[str]:
    """The features that a proposal has wrong."""
    return [feature for feature, wanted in user.wants.items() if values[feature] != wanted]


def left_open(theme: Theme, user: User) -> dict[str, list[str]]:
    """The options of each feature that agree with all answers."""
    found = {}
    for feature in theme.features:
        manner, options = user.says[feature], options_of(theme, feature)
        if manner == "vague":
            options = theme.features[feature][group_of(theme, feature, user.wants[feature])]
        elif manner == "not":
            options = [option for option in options if option not in user.facts[feature]]
        elif manner != "unsure":  # the feature it depends on is known up to its group, which suffices
            options = [user.wants[feature]]
        found[feature] = options
    return found


def proposals_needed(vague: int, unsure: int, named: bool) -> int:
    """Proposals a good player needs in the worst case after asking everything.

    If the user only counts wrong features, the player minimises the combinations that can remain.

    Args:
        vague: Number of features with a known group.
        unsure: Number of features with nothing known.
        named: Whether the user names the wrong features of a proposal, or only counts them.
    """
    sizes = (GROUP,) * vague + (2 * GROUP,) * unsure
    return max(sizes, default=1) if named else _counted(sizes)


@lru_cache(maxsize=64)
def _counted(sizes: tuple[int, ...]) -> int:
    every = list(product(*map(range, sizes)))
    return _longest(every, every)


def _longest(left: Sequence[_Options], every: Sequence[_Options]) -> int:
    """The most proposals that the player makes for any remaining combination."""
    if len(left) == 1:
        return 1
    inside = set(left)
    # few first moves differ, so at the start only possible answers are tried
    tried = left if len(left) > _MANY else every
    best = min(tried, key=lambda one: (max(map(len, _remaining(one, left).values())), one not in inside))
    return 1 + max(_longest(some, every) for some in _remaining(best, left).values())


def _remaining(proposal: _Options, left: Sequence[_Options]) -> dict[int, list[_Options]]:
    """The combinations left after a wrong proposal.

    By the number of wrong features.
    """
    found: dict[int, list[_Options]] = {}
    for other in left:
        if count := sum(map(ne, proposal, other)):
            found.setdefault(count, []).append(other)
    return found
