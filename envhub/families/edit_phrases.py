"""Sentences of exact edits, and how edits are read."""

from __future__ import annotations

from typing import Final

from envhub.authoring.wording import Phrase

EDITS: Final = {
    "replace": Phrase(
        'Edit {step}: In line {a}, replace the word "{b}" with "{c}".',
        'Edit {step}: Replace "{b}" in line {a} with "{c}".',
        'Edit {step}: Line {a} contains the word "{b}". Change it to "{c}".',
        held_out='Edit {step}: line {a}, substitute "{c}" for "{b}".',
    ),
    "delete": Phrase(
        "Edit {step}: Delete line {a}.",
        "Edit {step}: Remove line {a}, with its line break.",
        "Edit {step}: Take line {a} out of the text; the lines after it move up.",
        held_out="Edit {step}: line {a}, delete.",
    ),
    "insert": Phrase(
        'Edit {step}: Insert the new line "{b}" directly after line {a}.',
        'Edit {step}: Add a line after line {a}. It consists of "{b}".',
        'Edit {step}: After line {a}, insert a line with the text "{b}".',
        held_out='Edit {step}: new line "{b}" directly after line {a}.',
    ),
    "swap": Phrase(
        "Edit {step}: Swap line {a} and line {b}.",
        "Edit {step}: Exchange the places of line {a} and line {b}.",
        "Edit {step}: Put line {a} where line {b} is, and line {b} where line {a} is.",
        held_out="Edit {step}: interchange lines {a} and {b}.",
    ),
    "upper": Phrase(
        "Edit {step}: Change all letters of line {a} to capital letters.",
        "Edit {step}: Write line {a} in capital letters.",
        "Edit {step}: In line {a}, turn every lower-case letter into a capital letter.",
        held_out="Edit {step}: line {a}, convert to upper case.",
    ),
    "append": Phrase(
        'Edit {step}: At the end of line {a}, append "{b}". The space at its beginning is part of it.',
        'Edit {step}: Append "{b}" to line {a}, including the space in front.',
        'Edit {step}: Add "{b}", with its first space, at the end of line {a}.',
        held_out='Edit {step}: line {a}, suffix "{b}" (leading space included).',
    ),
    "everywhere": Phrase(
        'Edit {step}: In all lines, replace each occurrence of the word "{a}" with "{b}".',
        'Edit {step}: Replace the word "{a}" with "{b}" everywhere in the text.',
        'Edit {step}: Wherever the word "{a}" occurs in the text, change it to "{b}".',
        held_out='Edit {step}: all lines, substitute "{b}" for every "{a}".',
    ),
    "duplicate": Phrase(
        "Edit {step}: Repeat line {a} as a new line directly after itself.",
        "Edit {step}: Duplicate line {a}; the copy comes directly after it.",
        "Edit {step}: After line {a}, insert a copy of it.",
        held_out="Edit {step}: line {a}, duplicate in place.",
    ),
}
"""The sentence of each kind of edit, by name."""

ORDER: Final = Phrase(
    "Apply the edits in the order of their numbers. Line numbers count from 1 and refer to the text that the "
    "earlier edits left.",
    "The edits must be applied one after the other, by number. A line number, counted from 1, always means the "
    "text after the earlier edits.",
    "Edits are numbered and come in this order. Count lines from 1 in the text as it is after the edits before.",
    held_out="Sequence: ascending edit numbers; 1-based line numbers relate to the current state of the text.",
)
WORD: Final = Phrase(
    "A word to replace stands between spaces or at the ends of a line. A word with a punctuation mark attached to it, or "
    "in another case, is another word.",
    "Words to replace are bounded by spaces or ends of lines. With a punctuation mark attached, or in another case, it is "
    "another word.",
    "Only spaces and ends of lines bound a word to replace. If it has a punctuation mark attached or differs in case, it "
    "is another word.",
    held_out="Word match: case-sensitive and delimited by spaces or line ends only; attached punctuation makes a "
    "different word.",
)
KEEP: Final = Phrase(
    "Do not change anything else. Mistakes and double spaces must stay as they are.",
    "Everything else must stay, including mistakes and double spaces.",
    "Leave every other character as it is. Do not correct mistakes or double spaces.",
    held_out="All remaining characters, errors and repeated spaces included, are preserved.",
)
