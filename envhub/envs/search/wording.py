"""Phrases and renderings of environments about generated worlds."""

from __future__ import annotations

import json
import re
from typing import Final

from envhub.authoring.wording import Phrase, Rendering, Variants
from envhub.core.types import JSON
from envhub.generators.worlds.questions import UNKNOWN

# -- how to read the documents -----------------------------------------------------------------------------------------

_ONLY: Final = Phrase(
    "Use only the documents. A fact that no document states is unknown.",
    "The documents are your only source. If none of them states a fact, the fact is unknown.",
    "Nothing counts as known unless a document states it.",
    held_out="Closed world: whatever the documents do not state is unknown.",
)
_YEARS: Final = Phrase(
    "Each document has a year and describes the situation in that year.",
    "A document describes how things were in its year.",
    "Every document is dated with a year, and what it says is about that year.",
    held_out="Document dates are years; the contents of a document are valid as of its year.",
)
_CHANGES: Final = Phrase(
    "Employers, main employers, heads of companies, mayors and company seats can change. A later document overrides an earlier "
    "one. Whoever or whatever was replaced had the position from the previous change until the replacement.",
    "What can change: employers, main employers, heads of companies, mayors and company seats. If documents differ, the later "
    "one is right. The predecessor in a change had the position since the change before it.",
    "Later documents override earlier ones, because employers, main employers, heads of companies, mayors and company seats "
    "can change. Between two changes, the position was with the one who was replaced in the second.",
    held_out="Time-dependent relations: employer, main employer, head of a company, mayor, seat of a company. The latest "
    "document prevails. A replaced holder's term runs from the preceding change to the replacement.",
)
_PRESENT: Final = Phrase(
    "Where no year is given, the present is meant: 2024.",
    "If no year is named, take the present year, which is 2024.",
    "The present is 2024. Everything without a year refers to it.",
    held_out="Default time of reference: 2024 (the present).",
)
_SECOND_NAMES: Final = Phrase(
    "A person, company, town, work or event may have a second name, which a document states.",
    "People, companies, towns, works and events can have two names. If so, a document says so.",
    "Some people, companies, towns, works and events have a second name. You find it in a document.",
    held_out="Aliases: any person, company, town, work or event may have one; it is stated in some document.",
)
_NAMESAKES: Final = Phrase(
    "Two people may share a name. Their occupations tell them apart.",
    "People with the same name can be told apart by their occupations.",
    "If two people have the same name, they have different occupations.",
    held_out="Names of people are not unique; the pair of name and occupation is.",
)
_COMPANIES: Final = Phrase(
    "The seat of a company is the town of its head office. The head of a company is the person who runs it.",
    "A company has its seat in the town of its head office, and its head is the person who runs it.",
    "By the head of a company we mean the person who runs it, by its seat the town of its head office.",
    held_out="company.seat = town of the head office; company.head = person who runs it.",
)
_WORKS: Final = Phrase(
    "The setting of a work is the town where its story takes place. The year of a work is the year of its first edition.",
    "A work has the year of its first edition, and its setting is the town where the story takes place.",
    "By the year of a work we mean that of its first edition, by its setting the town where its story takes place.",
    held_out="work.setting = town of the story; work.year = year of the first edition.",
)
_EVENTS: Final = Phrase(
    "The place of an event is the town where it was held.",
    "An event has as its place the town where it was held.",
    "By the place of an event we mean the town where it was held.",
    held_out="event.place = town where it was held.",
)
READING: Final = (
    *(_ONLY, _YEARS, _CHANGES, _PRESENT, _SECOND_NAMES, _NAMESAKES),
    *(_COMPANIES, _WORKS, _EVENTS),
)

# -- questions ---------------------------------------------------------------------------------------------------------

ANSWER: Final = Phrase(
    "Your answer must be only a name, a year or a number. If several people share the name, add the occupation, as in: the "
    "baker Ada Example.",
    "Answer with a name, a year or a number and nothing else. Put the occupation before a name that several people share, as "
    "in: the baker Ada Example.",
    "The answer is a name, a year or a number, without any other word. Only for people who share a name, add the occupation, "
    "as in: the baker Ada Example.",
    held_out="Format of the answer: a bare name, year or number. For a shared name write occupation and name, as in: the "
    "baker Ada Example.",
)
UNANSWERED: Final = Phrase(
    f"If the documents do not give the answer, the right answer is: {UNKNOWN}.",
    f"Where the documents leave the question open, you must answer: {UNKNOWN}.",
    f"Answer with these words if the answer cannot be found in the documents: {UNKNOWN}.",
    held_out=f"Value for an answer that is not derivable from the documents: {UNKNOWN}.",
)
CITING: Final = Phrase(
    "You may list the ids of the documents that support your answer. This does not change the score.",
    "Listing the documents that support your answer is optional and does not affect your score.",
    "Your score depends on the answer alone, not on the documents that you list as its support.",
    held_out="Supporting documents: optional; not scored.",
)


def _line(problem: JSON) -> str:
    return f"Question: {problem['question']}"


def _quote(problem: JSON) -> str:
    return f"The question is:\n\n> {problem['question']}"


def _object(problem: JSON) -> str:
    return json.dumps({"question": problem["question"]}, ensure_ascii=False)


def _query(problem: JSON) -> str:
    return f"QUERY\n    {problem['question']}"


QUESTION: Final[Variants[Rendering]] = Variants(_line, _quote, _object, held_out=_query, name="data")

# -- a question with its documents -------------------------------------------------------------------------------------

_HEAD: Final = re.compile(r"\[(\S+)\] \((\d+)\) (.*)\n(.*)", re.DOTALL)


def _texts(problem: JSON) -> str:
    return "\n\n".join([*problem["documents"], _line(problem)])


def _rows(problem: JSON) -> str:
    rows = "\n".join(" | ".join(row) for row in _split(problem))
    told = "Each line is a document: its id, its year, its title and its text, separated by bars."
    return f"{_line(problem)}\n\n{told}\n\n{rows}"


def _arrays(problem: JSON) -> str:
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in _split(problem))
    return f"Each document is a list of its id, its year, its title and its text.\n\n[{rows}]\n\n{_line(problem)}"


def _chapters(problem: JSON) -> str:
    chapters = "\n".join(f"# {id}, year {year}: {title}\n{text}" for id, year, title, text in _split(problem))
    return f"{chapters}\n\n{_query(problem)}"


def _split(problem: JSON) -> list[list[str]]:
    """Id, year, title and text of each document."""
    return [list(_HEAD.fullmatch(text).groups()) for text in problem["documents"]]  # type: ignore[union-attr]


DOCUMENTS: Final[Variants[Rendering]] = Variants(_texts, _rows, _arrays, held_out=_chapters, name="data")
