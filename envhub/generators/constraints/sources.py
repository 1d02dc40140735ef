"""Short sources, and the table of which source states which fact.

::

    world = draw_sources(rng, facts=3, subjects=2, sources=4, plans=1)
    world.sources[0]     # "The entry for captain of the ship of Oakford is Mara Lundmark. ..."
    world.stated         # [["captain", "Mara Lundmark", [1, 3]], ["cargo", None, []]]: value, and the numbers of its sources
"""

from __future__ import annotations

from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.constraints.facts import TOPICS, draw_facts
from envhub.generators.worlds.names import Names

_STATES: Final = (
    "The entry for {attribute} of {subject} is {value}.",
    "{Subject} has an entry for {attribute}: {value}.",
    "Under {attribute}, the file on {subject} says {value}.",
)
_PLANS: Final = (
    "An early plan for {subject} had the entry {value} for {attribute}, but the plan was dropped.",
    "It is wrong that {subject} has the entry {value} for {attribute}.",
)
_ASIDES: Final = (
    "Little is known about {subject}.",
    "{Subject} is worth a visit.",
    "A new book about {subject} is in print.",
    "Many letters mention {subject}.",
)


class Sources(NamedTuple):
    """Sources, and what they state about the subject of the task.

    Attributes:
        subject: What is asked about.
        sources: Texts, numbered from 1 in this order.
        stated: Each attribute asked for, its value or None, and the numbers of the sources that state it.
    """

    subject: str
    sources: list[str]
    stated: list[JSON]


def draw_sources(rng: Stream, facts: int, unknown: int, subjects: int, sources: int, plans: int) -> Sources | None:
    """Draw sources.

    Args:
        rng: Source of randomness.
        facts: Number of attributes asked for that some source states.
        unknown: Number of attributes asked for that no source states.
        subjects: Number of other subjects of the same kind.
        sources: Number of sources.
        plans: Sentences that name a wrong value and say that it is wrong.
    """
    main = draw_facts(rng, facts + unknown)
    topic = main["subject"].split(" ")[1]
    others = [draw_facts(rng, 4, topic) for _ in range(subjects)]
    if any(other["subject"] == main["subject"] for other in others):
        return None
    texts: list[list[str]] = [[] for _ in range(sources)]
    stated: list[JSON] = []
    for attribute, value in main["rows"][:facts]:
        places = sorted(rng.sample(range(sources), rng.between(1, 2)))
        for place in places:
            texts[place].append(_say(rng, _STATES, main["subject"], attribute, value))
        stated.append([attribute, value, [place + 1 for place in places]])
    stated += [[attribute, None, []] for attribute, _ in main["rows"][facts:]]
    for other in others:
        for attribute, value in other["rows"]:
            rng.choice(texts).append(_say(rng, _STATES, other["subject"], attribute, value))
    for _ in range(plans):
        attribute, right = rng.choice(main["rows"])
        value = TOPICS[topic][attribute](rng, Names(rng))
        if value == right:
            return None
        rng.choice(texts).append(_say(rng, _PLANS, main["subject"], attribute, value))
    for text in texts:
        text.append(_say(rng, _ASIDES, rng.choice([main, *others])["subject"]))
        rng.shuffle(text)
    rng.shuffle(stated)
    return Sources(main["subject"], [" ".join(text) for text in texts], stated)


def _say(rng: Stream, forms: tuple[str, ...], subject: str, attribute: str = "", value: str = "") -> str:
    said = rng.choice(forms).format(
        subject=subject, Subject=subject[0].upper() + subject[1:], attribute=attribute, value=value
    )
    return said[0].upper() + said[1:]
