"""Records: the facts that a note or a report states.

A record is a JSON value: ``told`` has groups of facts, ``asked`` the names of the groups that the schema asks for, and
``corrections`` the statements that the text has wrong at first: group, number of the item, field and wrong value::

    mistaken(record)          # the groups as the body of the text has them
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Style:
    """How much a record has.

    Attributes:
        groups: Groups that the schema asks for, besides those that it always asks for.
        beyond: Groups that the text tells although the schema does not ask for them.
        items: Maximum number of items of a list.
        corrections: Number of statements that the text corrects.
        silent: Percentage of optional values that the text does not state.
    """

    groups: int
    beyond: int
    items: int
    corrections: int
    silent: int

    def count(self, rng: Stream, most: int = 9) -> int:
        """Number of items of a list."""
        return min(most, rng.between(max(1, self.items - 1), self.items))

    def maybe(self, rng: Stream, value: JSON) -> JSON:
        """The value, or None if it is not stated."""
        return None if rng.below(100) < self.silent else value


@dataclass(frozen=True, slots=True)
class Manner:
    """Percentage of unusual forms, and number of distractors."""

    varied: int
    distractors: int


class Note(NamedTuple):
    """A text, with the conversions and abbreviations that it uses."""

    paragraphs: list[str]
    units: list[str]
    glossary: list[str]


def mistaken(record: Record) -> Record:
    """The groups before any correction."""
    told = deepcopy(record["told"])
    for group, at, field, wrong in record["corrections"]:
        if group == field:  # a group that is one value
            told[group] = wrong
        elif field is None:
            told[group].append(wrong)
        else:
            (told[group] if at is None else told[group][at])[field] = wrong
    return dict(told)


def chosen(rng: Stream, possible: list[JSON], count: int) -> list[JSON]:
    """Some of the possible corrections, no two of one item."""
    found: list[JSON] = []
    for each in rng.sample(possible, len(possible)):
        if len(found) < count and all(each[:2] != other[:2] for other in found):
            found.append(each)
    return found
