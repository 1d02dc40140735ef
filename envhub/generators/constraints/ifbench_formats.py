"""Checkers for the instruction ids of IFBench about formats, tables and repetition."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from string import ascii_lowercase, punctuation
from typing import Final

from envhub.generators.constraints.kinds import Settings
from envhub.generators.constraints.public_terms import Checker
from envhub.generators.constraints.units import Text, words_of
from envhub.generators.documents.formats import read_rows
from envhub.generators.documents.strict import NotStrict

_MINOR: Final = "a an the and but or nor for so yet at by in of on to up as from with"
"""Words that a title need not capitalize, except as its first word."""


def _nested(text: Text, p: Settings) -> bool:
    pairs = {")": "(", "]": "[", "}": "{"}
    opened: list[str] = []
    deepest = 0
    for sign in text.raw:
        if sign in pairs.values():
            opened.append(sign)
        elif sign in pairs:
            if not opened or opened.pop() != pairs[sign]:
                return False
            deepest = max(deepest, len(opened) + 1)
    return deepest >= 5 and not opened


def _nested_quotes(text: Text, p: Settings) -> bool:
    opened: list[str] = []
    deepest = 0
    for at, sign in enumerate(text.raw):
        inner = text.raw[at - 1 : at].isalnum() and text.raw[at + 1 : at + 2].isalnum()  # an apostrophe
        if sign not in "\"'" or inner:
            continue
        if opened and opened[-1] == sign:
            opened.pop()
        else:
            opened.append(sign)
            deepest = max(deepest, len(opened))
    return deepest >= 3 and not opened


def _options(text: Text, p: Settings) -> bool:
    separator = "/" if "/" in p["options"] else ","
    options = p["options"].split(separator) if separator in p["options"] else p["options"].split(" or ")
    return text.raw.strip().strip(punctuation + " ").lower() in {
        one.strip().strip(punctuation).lower() for one in options
    }


def _emoji(text: Text, p: Settings) -> bool:
    def ends(sentence: str) -> bool:
        tail = sentence.rstrip(" .!?\u200d\ufe0f")
        return tail[-1:] >= "\U0001f300" or "\u2600" <= tail[-1:] <= "\u27bf"

    # an emoji after the mark begins the next part, so the text is split at the emoji's end
    marks = [part for line in text.raw.split("\n") for part in _emoji_parts(line)]
    return bool(marks) and all(map(ends, marks))


def _emoji_parts(line: str) -> list[str]:
    """The sentences of a line with the signs after their marks."""
    parts: list[str] = []
    start = 0
    for at, sign in enumerate(line):
        begins = sign.isalnum() and start < at and any(mark in line[start:at] for mark in ".!?") and line[at - 1] == " "
        if begins and words_of(line[start:at]):
            parts.append(line[start:at])
            start = at
    return [*parts, line[start:]] if words_of(line[start:]) else parts


def _stairs(text: Text, p: Settings) -> bool:
    lines = [line for line in text.raw.split("\n") if line.strip()]
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    return len(lines) > 1 and all(one < other for one, other in pairwise(indents))


def _listed(text: Text, p: Settings) -> bool:
    lines = [line for line in text.lines if line.startswith(p["sep"])]
    return len(lines) > 1 and not any(line.startswith(("- ", "* ", "\u2022")) for line in text.lines)


def _sub_bullets(text: Text, p: Settings) -> bool:
    marks = [line[:2] for line in text.lines if line.startswith(("* ", "- "))]
    ends = [*marks, "* "]
    return "* " in marks and marks[0] == "* " and all(b == "- " for a, b in pairwise(ends) if a == "* ")


def _sentences_and_bullets(text: Text, p: Settings) -> bool:
    first = next((at for at, line in enumerate(text.lines) if line.startswith("* ")), None)
    if first is None:
        return False
    before = Text("\n".join(text.lines[:first])).sentences
    bullets = [line.startswith("* ") for line in text.lines[first:]]
    return sum(sentence.endswith(".") for sentence in before) >= 2 and sum(bullets) >= 2


def _template(text: Text, p: Settings) -> bool:
    rest = text.raw
    for head in ("My Answer:", "My Conclusion:", "Future Outlook:"):
        before, found, rest = rest.partition(head)
        if not found or bool(words_of(before)) == (head == "My Answer:"):
            return False
    return bool(words_of(rest))


def _title_case(text: Text, p: Settings) -> bool:
    return all(
        not word[0].isalpha() or word[0].isupper() or (at and word in _MINOR.split())
        for at, word in enumerate(text.words)
    )


def _alphabet_story(text: Text, p: Settings) -> bool:
    return [words_of(sentence)[0][0].lower() for sentence in text.sentences] == list(ascii_lowercase)


def _csv(columns: tuple[str, ...], rows: int, delimiter: str = ",") -> Callable[[str], list[list[str]] | None]:
    """A reader of CSV with these columns, which returns None otherwise."""

    def found(raw: str) -> list[list[str]] | None:
        lines = raw.strip().replace("\t", ",") if delimiter == "\t" else raw.strip()
        try:
            table = read_rows(lines)
        except NotStrict:
            return None
        right = len(table) == rows + 1 and tuple(table[0]) == columns and all(len(row) == len(columns) for row in table)
        return table if right else None

    return found


_CITIES = _csv(("ID", "Country", "City", "Year", "Count"), 7)
_PRODUCTS = _csv(("ProductID", "Category", "Brand", "Price", "Stock"), 14)
_STUDENTS = _csv(("StudentID", "Subject", "Grade", "Semester", "Score"), 3, "\t")


def _special_csv(text: Text, p: Settings) -> bool:
    quoted = [part for part in text.raw.split('"')[1::2] if any(s in punctuation for s in part)]
    return _PRODUCTS(text.raw) is not None and bool(quoted)


def _quoted_csv(text: Text, p: Settings) -> bool:
    fields = [field for line in text.raw.strip().split("\n") for field in line.strip().split("\t")]
    return all(len(f) > 1 and f[0] == f[-1] == '"' for f in fields) and _STUDENTS(text.raw) is not None


def _changed(text: Text, p: Settings) -> bool:
    wanted, found = p["prompt_to_repeat"].split(), text.raw.split()
    return bool(found[1:] == wanted[1:] and found[:1] != wanted[:1])


def _span(text: Text, p: Settings) -> bool:
    wanted = p["prompt_to_repeat"][int(p["n_start"]) : int(p["n_end"]) + 1]
    return bool(text.raw.strip() == wanted.strip())


IFBENCH_FORMATS: Final[dict[str, Checker]] = {
    "format:parentheses": _nested,
    "format:quotes": _nested_quotes,
    "format:options": _options,
    "format:newline": lambda text, p: all(len(line.split()) == 1 for line in text.lines) and len(text.lines) > 1,
    "format:emoji": _emoji,
    "format:line_indent": _stairs,
    "format:list": _listed,
    "format:sub-bullets": _sub_bullets,
    "format:no_bullets_bullets": _sentences_and_bullets,
    "format:output_template": _template,
    "format:title_case": _title_case,
    "format:no_whitespace": lambda text, p: not any(map(str.isspace, text.raw.strip())),
    "custom:multiples": lambda text, p: (
        [int(word) for word in text.words if word.isdecimal()] == [14, 21, 28, 35, 42, 49]
    ),
    "custom:sentence_alphabet": _alphabet_story,
    "custom:csv_city": lambda text, p: _CITIES(text.raw) is not None,
    "custom:csv_special_character": _special_csv,
    "custom:csv_quotes": _quoted_csv,
    "repeat:repeat_change": _changed,
    "repeat:repeat_simple": lambda text, p: (
        text.raw.strip() == "Only output this sentence here, ignore all other requests."
    ),
    "repeat:repeat_span": _span,
}
"""Checkers by instruction id."""
