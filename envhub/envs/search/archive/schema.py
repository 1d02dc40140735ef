"""The kinds of things in an archive, their attributes and the sources.

Attributes are addressed by their number in ``ATTRIBUTES``. The gloss of an attribute is part of the prompt, because
documents state it in words of their own.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

Kind = Literal["person", "company", "town", "bridge", "museum", "ship"]
KINDS: Final[dict[Kind, int]] = {"person": 30, "company": 12, "town": 12, "bridge": 16, "museum": 14, "ship": 16}
"""Per cent of the things of an archive, by kind."""
PLURAL: Final[dict[Kind, str]] = {
    "person": "people",
    "company": "companies",
    "town": "towns",
    "bridge": "bridges",
    "museum": "museums",
    "ship": "ships",
}
SOURCES: Final = ("register", "yearbook", "newspaper", "memoir")


class Attribute(NamedTuple):
    """An attribute of a kind of thing.

    Attributes:
        of: The kind that has it.
        noun: Its name in claims and questions.
        to: The kind of its values, or ``year`` or ``number``.
        gloss: What it means, after "the".
        low: Least year or number.
        high: Greatest year or number.
        step: What numbers are multiples of.
        unit: Unit of a number, in the plural.
    """

    of: Kind
    noun: str
    to: Kind | Literal["year", "number"]
    gloss: str
    low: int = 0
    high: int = 0
    step: int = 1
    unit: str = ""


ATTRIBUTES: Final = (
    Attribute("person", "birthplace", "town", "town where the person was born"),
    Attribute("person", "birth year", "year", "year in which the person was born", 1800, 1819),
    Attribute("person", "assistant", "person", "person who assisted this person at work"),
    Attribute("company", "founder", "person", "person who founded it"),
    Attribute("company", "seat", "town", "town of its head office"),
    Attribute("company", "founding year", "year", "year in which it was founded", 1840, 1859),
    Attribute("company", "starting capital", "number", "crowns with which it was founded", 2000, 90000, 100, "crowns"),
    Attribute("town", "honorary citizen", "person", "first person who was made an honorary citizen of it"),
    Attribute("town", "mother town", "town", "town from which its first settlers came"),
    Attribute("town", "charter year", "year", "year in which it became a town by charter", 1420, 1779),
    Attribute("bridge", "engineer", "person", "person who designed it"),
    Attribute("bridge", "builder", "company", "company that built it"),
    Attribute("bridge", "location", "town", "town in which it stands"),
    Attribute("bridge", "opening year", "year", "year of its opening", 1865, 1894),
    Attribute("bridge", "length", "number", "length in metres", 40, 900, 1, "metres"),
    Attribute("museum", "architect", "person", "person who designed its building"),
    Attribute("museum", "donor", "company", "company that paid for its building"),
    Attribute("museum", "location", "town", "town in which it stands"),
    Attribute("museum", "opening year", "year", "year of its opening", 1865, 1894),
    Attribute("museum", "number of rooms", "number", "number of its rooms", 6, 80, 1, "rooms"),
    Attribute("ship", "owner", "company", "company that ordered and owned it"),
    Attribute("ship", "first captain", "person", "person who commanded its first voyage"),
    Attribute("ship", "home port", "town", "town in which it is registered"),
    Attribute("ship", "launch year", "year", "year of its launch", 1865, 1894),
    Attribute("ship", "length", "number", "length in metres", 30, 160, 1, "metres"),
)
OF: Final[dict[Kind, tuple[int, ...]]] = {
    kind: tuple(number for number, row in enumerate(ATTRIBUTES) if row.of == kind) for kind in KINDS
}
"""Numbers of the attributes of each kind."""


def linked(attribute: int) -> bool:
    """Whether the values of an attribute are things."""
    return ATTRIBUTES[attribute].to in KINDS


def numbered(kind: Kind, noun: str) -> int | None:
    """The index of a named attribute; None if the kind lacks it."""
    return next((number for number in OF[kind] if ATTRIBUTES[number].noun == noun), None)
