"""Rules of answers with citations."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

LINES: Final = Phrase(
    "Write one line for each attribute: its name, a colon and a space, its value as the source writes it, a space, and the "
    "citations. The lines may be in any order, and case does not matter.",
    "Each attribute takes one line, in any order, of the form: name, colon, space, value as in the source, space, citations. "
    "Case does not matter.",
    "Use a line of its own for every attribute, with its name, a colon, a space, the value exactly as in the source, a space "
    "and the citations. The order of lines and case do not matter.",
    held_out="Line format, in any order: attribute name, colon, space, value verbatim from the source, space, "
    "citations; case ignored.",
)
SOURCES: Final = Phrase(
    "A citation is the number of a source in square brackets. Write several without anything between them, such "
    "as [1][2], in any order.",
    "Cite sources by number in square brackets. Several citations follow each other directly, such as [1][2]; "
    "their order does not matter.",
    "Citations are numbers of sources in square brackets. Two sources are cited as [1][2] or [2][1].",
    held_out="Citation syntax: source numbers in square brackets, juxtaposed ([1][2]), order irrelevant.",
)
CLAIMS: Final = Phrase(
    "Cite every source that states the value, and no other source.",
    "For each value, the citations must be all the sources that state it, and only these.",
    "No source that states a value may be missing from its citations, and no other source may be cited.",
    held_out="Citations per value: exactly the set of sources that state it.",
)
REJECTED: Final = Phrase(
    "A source that names a value only to reject it, or for another subject, does not state it.",
    "A source does not state a value that it calls wrong or dropped, or that it gives only for another subject.",
    "If a source rejects a value, or gives it only for another subject, it does not state the value.",
    held_out="Not statements: a value that its source rejects, or gives only for another subject.",
)
UNKNOWN: Final = Phrase(
    "If no source states an attribute, its value is the word unknown, without a citation.",
    "Write unknown as the value of an attribute that no source states, and cite nothing for it.",
    "An attribute that is stated nowhere has the value unknown and no citation.",
    held_out="Attributes without a statement: value unknown, no citation.",
)
