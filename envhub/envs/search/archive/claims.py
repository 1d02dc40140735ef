"""Claims of a report: one sentence, one fact, one cited paragraph.

A claim is the text before a citation ``[doc-12:3]``, back to the end of the sentence before it, in one of three forms::

    The owner of the Silver Heron is Axbex Paper [doc-12:3].
    The Silver Heron's owner is Axbex Paper [doc-12:3].
    Axbex Paper is the owner of the Silver Heron [doc-12:3].

Text without a citation is not read. Names are compared as a whole, so a name that is not of the archive makes a claim
that does not hold, never another claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from envhub.envs.search.archive.prose import written
from envhub.envs.search.archive.schema import ATTRIBUTES, linked, numbered
from envhub.envs.search.archive.world import Fact, Law, World

_CITATION: Final = re.compile(r"\[\s*doc-(\d{1,6})\s*:\s*(\d{1,4})\s*\]", re.IGNORECASE | re.ASCII)
_END: Final = re.compile(r"[.!?;:\n]")
_VERB: Final = " (?:is|was) "
_NOUN: Final = f"({'|'.join(sorted({row.noun for row in ATTRIBUTES}, key=lambda noun: (-len(noun), noun)))})"
_FORMS: Final = (
    (re.compile(rf"the {_NOUN} of (.+?){_VERB}(.+)"), (2, 1, 3)),
    (re.compile(rf"(.+?)'s? {_NOUN}{_VERB}(.+)"), (1, 2, 3)),
    (re.compile(rf"(.+?){_VERB}the {_NOUN} of (.+)"), (3, 2, 1)),
)
_NUMBER: Final = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,9}", re.ASCII)
_EDGES: Final = " \t,*_`\"'()-#>|\u2022"


class Claim(NamedTuple):
    """A sentence with a citation.

    Attributes:
        text: The sentence without its citation.
        parts: Thing, attribute and value as written, in lower case; None if the sentence has none of the forms.
        document: Number of the cited document.
        paragraph: Number of the cited paragraph.
    """

    text: str
    parts: tuple[str, str, str] | None
    document: int
    paragraph: int


def claims_in(report: str) -> Iterator[Claim]:
    """The claims of a report, in order."""
    begin = 0
    for cited in _CITATION.finditer(report):
        text = _END.split(report[begin : cited.start()])[-1].strip(_EDGES)
        begin = cited.end()
        yield Claim(text, _parts(text), int(cited[1]), int(cited[2]))


def _parts(text: str) -> tuple[str, str, str] | None:
    plain = " ".join(text.replace("\u2019", "'").lower().replace("*", "").replace("_", " ").split())
    plain = re.sub(r"^\d{1,3}\) ", "", plain)
    for form, (thing, noun, value) in _FORMS:
        found = form.fullmatch(plain)
        if found:
            return found[thing].strip(), found[noun], found[value].strip()
    return None


def fact_of(world: World, claim: Claim) -> Fact | None:
    """The fact that a claim states; None if it names something unknown."""
    if claim.parts is None:
        return None
    name, noun, value = claim.parts
    thing = world.by_name.get(name.removeprefix("the "))
    attribute = numbered(world.kind(thing), noun) if thing is not None else None
    if thing is None or attribute is None:
        return None
    if linked(attribute):
        other = world.by_name.get(value.removeprefix("the "))
        return None if other is None else Fact(thing, attribute, other)
    unit = ATTRIBUTES[attribute].unit
    plain = value.removesuffix(f" {unit}") if unit else value
    return Fact(thing, attribute, int(plain.replace(",", ""))) if _NUMBER.fullmatch(plain) else None


def holds(world: World, law: Law, fact: Fact) -> bool:
    """Whether the law decides for a fact."""
    return world.decided(fact.thing, fact.attribute, law) == fact.value


def supported(world: World, law: Law, claim: Claim, fact: Fact) -> bool:
    """Whether the cited paragraph states a fact, in a document that counts."""
    paper = world.by_id(claim.document)
    if paper is None or not law.admits(paper):
        return False
    paragraphs = written(world, paper).paragraphs
    return 1 <= claim.paragraph <= len(paragraphs) and fact in paragraphs[claim.paragraph - 1].facts


def claimed(world: World, fact: Fact, citation: str) -> str:
    """A fact as a claim."""
    noun = ATTRIBUTES[fact.attribute].noun
    return f"The {noun} of {world.called(fact.thing)} is {world.said(fact.attribute, fact.value)} [{citation}]."
