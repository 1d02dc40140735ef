"""The simulated user, who knows their tastes and answers questions.

Rule-based, with the recognition of intents of customer-service-v0: each feature has several words, and a message that names
one asks about it. The user answers every feature that is named, truly and always the same, and volunteers nothing. The
user has not seen the offers, so no question about them helps::

    reply(user, "Do you mind changing planes?")     # (("stops",), "Each stop is worth $30 to me.")
"""

from __future__ import annotations

from typing import Final, NamedTuple

from envhub.envs.tools.intents import has, intents, plain
from envhub.envs.tools.recommend.bank import BANK

STYLES: Final = 3
"""Number of phrasings of each reply."""
_CARES: Final = ("{}.", "I do care: {}.", "Yes, it matters, {}.")
_AGAIN: Final = (
    "Sorry, I do not know what you mean. Ask me about something that such offers may have.",
    "I am not sure what you ask. What should I tell you about?",
    "Could you ask about one thing in particular?",
)
_UNSEEN: Final = ("offer", "offers", "best", "recommend", "prefer", "which one", "everything", "matters most")
_UNKNOWN: Final = (
    "I have not seen the offers. Ask me about one thing at a time.",
    "That depends. Ask me about something in particular.",
    "I leave that to you. Ask me what you need to know.",
)


class User(NamedTuple):
    """A user.

    Attributes:
        thing: What the user looks for.
        features: Features that offers have.
        units: Dollars of the two tastes of each feature.
        tastes: The taste of each feature; 0 is not caring.
        style: Number of the phrasings that the user prefers, from 0 to 2.
    """

    thing: str
    features: tuple[str, ...]
    units: tuple[tuple[int, int], ...]
    tastes: tuple[int, ...]
    style: int


def reply(user: User, message: str) -> tuple[tuple[str, ...], str]:
    """The features that a message asks about, and what the user says."""
    text = plain(message)
    asked = tuple(intents(text, {name: BANK[user.thing][name].phrases for name in user.features}))
    if not asked:
        return (), (_UNKNOWN if has(text, _UNSEEN) else _AGAIN)[user.style]
    return asked, " ".join(answer(user, name) for name in asked)


def answer(user: User, name: str) -> str:
    """What the user says about a feature."""
    at = user.features.index(name)
    feature, taste = BANK[user.thing][name], user.tastes[at]
    if taste == 0:
        return feature.none[user.style]
    told = taste_in_words(user.thing, name, taste, user.units[at])
    form = _CARES[user.style]
    return _capital(form.format(_capital(told) if form.startswith("{}") else told))


def taste_in_words(thing: str, name: str, taste: int, units: tuple[int, int]) -> str:
    """A taste as a clause with its dollars."""
    return BANK[thing][name].tastes[taste - 1][0].format(*units)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
