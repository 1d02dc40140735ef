"""A simulated user who wants something made, knows what it should be like, and says so more or less clearly.

A theme has features, each with options in groups (warm colours, cold colours). The user wants one option of every feature, and
answers a question about a feature in a manner of their own: ``plain`` (the option), ``vague`` (its group), ``not`` (some that
it is not), ``depends`` (it follows from the group of another feature), ``unsure`` (nothing; the user has to be shown). All
of it is decided by rules; :func:`messages_needed` is a reference that asks about everything and then proposes what still fits::

    theme = draw_theme(rng, features=4)
    user = draw_user(rng, theme, Manner(vague=50))
    asked(theme, "Which colour would you like?")       # ["colour"]
"""

from __future__ import annotations

import re
from itertools import product
from operator import ne
from typing import Final, NamedTuple

from envhub.seeding import Stream
from envhub.types import JSON

MOST_COMBINATIONS: Final = 1500

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
    """What is to be made: for every feature its options by group."""

    name: str
    features: dict[str, dict[str, list[str]]]


class Manner(NamedTuple):
    """How the user answers: per cent of features by manner, the number of those they are unsure of; the rest is plain."""

    vague: int = 0
    excluding: int = 0
    depends: int = 0
    unsure: int = 0


class User(NamedTuple):
    """What is wanted, and what is said about every feature.

    Attributes:
        wants: The option wanted, by feature.
        says: The manner of every feature.
        facts: For ``not`` the options named; for ``depends`` the other feature, and what is wanted by its group.
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
    """Somebody with wishes and ways of answering."""
    features = list(theme.features)
    wants = {feature: rng.choice(options_of(theme, feature)) for feature in features}
    says: dict[str, str] = {}
    facts: dict[str, JSON] = {}
    unsure = set(rng.sample(features, manner.unsure))
    clear: list[str] = []  # what others may depend on: circles would say nothing
    for feature in rng.sample(features, len(features)):
        lot = rng.below(100)
        if feature in unsure:
            says[feature] = "unsure"
        elif clear and lot < manner.depends:
            says[feature] = "depends"
            other = rng.choice(clear)
            rest = [option for option in options_of(theme, feature) if option != wants[feature]]
            told = {group: rng.choice(rest) for group in theme.features[other]}
            facts[feature] = [other, {**told, group_of(theme, other, wants[other]): wants[feature]}]
        elif lot < manner.depends + manner.vague:
            says[feature] = "vague"
            clear.append(feature)
        elif lot < manner.depends + manner.vague + manner.excluding:
            says[feature] = "not"
            others = [option for option in options_of(theme, feature) if option != wants[feature]]
            facts[feature] = sorted(rng.sample(others, len(others) - 1))
        else:
            says[feature] = "plain"
            clear.append(feature)
    return User(wants, says, facts)


def asked(theme: Theme, question: str) -> list[str]:
    """The features that a question is about, in whatever words."""
    words = set(re.findall(r"[a-z]+", question[:2000].lower()))
    bank = _THEMES[theme.name]
    return [feature for feature in theme.features if words & {feature, *bank[feature][0]}]


def answer(theme: Theme, user: User, feature: str) -> str:
    """What the user says about a feature; always the same."""
    manner = user.says[feature]
    if manner == "unsure":
        return f"About the {feature} I am not sure. I would have to see it."
    if manner == "vague":
        return f"For the {feature} something {group_of(theme, feature, user.wants[feature])}."
    if manner == "not":
        return f"For the {feature} not {' and not '.join(user.facts[feature])}."
    if manner == "depends":
        other, told = user.facts[feature]
        cases = "; ".join(f"if that is {group}, {option}" for group, option in told.items())
        return f"My wish for the {feature} depends on the {other}: {cases}."
    return f"For the {feature}: {user.wants[feature]}."


def wrong(user: User, values: dict[str, str]) -> list[str]:
    """The features that a proposal does not have as they are wanted."""
    return [feature for feature, wanted in user.wants.items() if values[feature] != wanted]


def combinations(theme: Theme, user: User) -> list[dict[str, str]] | None:
    """All proposals that fit what the user says about every feature; None if there are very many."""
    open_sets: dict[str, list[str]] = {}
    count = 1
    for feature in theme.features:
        manner, options = user.says[feature], options_of(theme, feature)
        if manner == "plain":
            options = [user.wants[feature]]
        elif manner == "vague":
            options = theme.features[feature][group_of(theme, feature, user.wants[feature])]
        elif manner == "not":
            options = [option for option in options if option not in user.facts[feature]]
        elif manner == "depends":
            continue
        open_sets[feature] = options
        count *= len(options)
    if count > MOST_COMBINATIONS:
        return None
    found = []
    for chosen in product(*open_sets.values()):
        values = dict(zip(open_sets, chosen, strict=True))
        for feature in theme.features:
            if user.says[feature] == "depends":
                other, told = user.facts[feature]
                values[feature] = told[group_of(theme, other, values[other])]
        found.append(values)
    return found


def messages_needed(theme: Theme, user: User, named: bool) -> int | None:
    """How many messages the reference needs: a question a feature, then proposals that fit all that was said.

    Args:
        theme: What is to be made.
        user: Who wants it.
        named: Whether the user names what is wrong with a proposal, or only says how much.
    """
    fitting = combinations(theme, user)
    if fitting is None:
        return None
    features = list(user.wants)
    wanted = tuple(user.wants.values())
    left = [tuple(values[feature] for feature in features) for values in fitting]
    used = len(features)
    while True:
        used += 1
        proposal = left[0]
        if proposal == wanted:
            return used
        if named:
            heard = list(map(ne, proposal, wanted))
            left = [other for other in left if list(map(ne, proposal, other)) == heard]
        else:
            count = sum(map(ne, proposal, wanted))
            left = [other for other in left if sum(map(ne, proposal, other)) == count]
