"""Tables of facts, and the rule by which a sentence reports one.

A sentence reports a fact if it contains its attribute, its value and some other words, and nothing of another fact: a
copy of the table reports nothing::

    facts = draw_facts(rng, 3)      # {"subject": "the museum of Oakford", "rows": [["architect", "Mara Lundmark"], ...]}
    report_of(facts["rows"], Text("The architect is Mara Lundmark.")).missing
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.constraints.units import Text, spaced
from envhub.generators.worlds.names import Names

Maker = Callable[[Stream, Names], str]
_OTHER_WORDS: Final = 2
"""Least number of words of a report besides the attribute and the value."""


def _person(rng: Stream, names: Names) -> str:
    return names.person()


def _town(rng: Stream, names: Names) -> str:
    return names.town()


def _year(rng: Stream, names: Names) -> str:
    return str(rng.between(1801, 2024))


def _count(low: int, high: int) -> Maker:
    return lambda rng, names: str(rng.between(low, high))


def _measure(low: int, high: int, unit: str) -> Maker:
    return lambda rng, names: f"{rng.between(low, high)} {unit}"


def _one_of(options: str) -> Maker:
    return lambda rng, names: rng.choice(options.split(", "))


TOPICS: Final[dict[str, dict[str, Maker]]] = {
    "museum": {
        "architect": _person,
        "director": _person,
        "location": _town,
        "opening": _year,
        "visitors": _count(2100, 99000),
        "treasure": _one_of("a bronze owl, a glass crown, a paper globe, a stone lion, an ivory flute, a silver clock"),
        "entrance": _measure(11, 48, "euros"),
        "emblem": _one_of("a blue heron, a red fox, a white hare, a black swan, a green toad, a grey wolf"),
        "patron": _person,
        "galleries": _count(51, 99),
    },
    "ship": {
        "builder": _person,
        "captain": _person,
        "harbour": _town,
        "launch": _year,
        "length": _measure(51, 290, "metres"),
        "crew": _count(2100, 5000),
        "cargo": _one_of("dried figs, raw cotton, roof slate, sea salt, tea leaves, barley malt, cork bark"),
        "flag": _one_of("two gold stripes, a white star, three blue waves, a red anchor, a green cross"),
        "owner": _person,
        "cabins": _count(11, 50),
    },
    "festival": {
        "founder": _person,
        "venue": _town,
        "start": _year,
        "month": _one_of("January, February, April, June, July, August, September, October, November"),
        "audience": _count(2100, 80000),
        "headliner": _person,
        "dish": _one_of("lentil soup, plum cake, smoked trout, onion tart, cherry jam, pumpkin bread"),
        "stages": _count(11, 50),
        "curator": _person,
        "budget": _measure(110, 990, "crowns"),
    },
    "bridge": {
        "engineer": _person,
        "inspector": _person,
        "site": _town,
        "completion": _year,
        "span": _measure(120, 980, "metres"),
        "traffic": _count(2100, 60000),
        "material": _one_of("riveted iron, pale granite, pressed steel, tarred oak, poured concrete"),
        "colour": _one_of("dark green, rust red, light grey, pale blue, deep yellow"),
        "lanterns": _count(11, 99),
        "mason": _person,
    },
    "bakery": {
        "proprietor": _person,
        "apprentice": _person,
        "address": _town,
        "foundation": _year,
        "loaves": _count(2100, 9900),
        "speciality": _one_of("rye rolls, walnut bread, honey buns, seed crackers, apple strudel, corn pretzels"),
        "ovens": _count(11, 50),
        "supplier": _person,
        "rent": _measure(110, 990, "euros"),
        "mascot": _one_of("a brown mouse, a yellow duck, a spotted cat, a round bear"),
    },
}


def draw_facts(rng: Stream, count: int, topic: str | None = None) -> JSON:
    """A subject, and ``count`` attributes with values that do not overlap."""
    names = Names(rng)
    topic = topic or rng.choice(sorted(TOPICS))
    makers = TOPICS[topic]
    rows: list[list[str]] = []
    for attribute in rng.sample(list(makers), count):
        value = makers[attribute](rng, names)
        while any(_overlap(value, other) for _, other in rows):
            value = makers[attribute](rng, names)
        rows.append([attribute, value])
    return {"subject": f"the {topic} of {names.town()}", "rows": rows}


def _overlap(one: str, other: str) -> bool:
    """Whether one value contains the other."""
    first, second = spaced(one), spaced(other)
    return first in second or second in first


class Report(NamedTuple):
    """How a text reports facts.

    Attributes:
        missing: The attributes of the facts that no sentence reports.
        mixed: A sentence contains attributes or values of two facts.
    """

    missing: list[str]
    mixed: bool


def report_of(rows: Sequence[Sequence[str]], text: Text) -> Report:
    """How a text reports facts."""
    parts = [[spaced(part) for part in row] for row in rows]
    least = [sum(len(part.split()) for part in row) + _OTHER_WORDS for row in parts]
    reported: set[int] = set()
    mixed = False
    for sentence in map(spaced, text.sentences):
        said = [at for at, row in enumerate(parts) if any(part in sentence for part in row)]
        mixed = mixed or len(said) > 1
        size = len(sentence.split())
        reported.update(at for at in said if all(part in sentence for part in parts[at]) and size >= least[at])
    return Report([attribute for at, (attribute, _) in enumerate(rows) if at not in reported], mixed)
