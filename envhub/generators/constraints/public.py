"""Checkers for the instruction ids of the public benchmarks IFEval and IFBench.

Words, sentences and lines are those of :mod:`envhub.generators.constraints.units`. Every checker refuses the empty
text, relations and numbers are read from the row and never drawn, and an id that occurs twice is checked twice. What
cannot be decided by a rule is listed in ``LEFT_OUT``::

    checker("keywords:frequency")(Text("tea and tea"), {"keyword": "tea", "frequency": 2, "relation": "at least"})    # True
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from string import ascii_lowercase, punctuation
from typing import Any, Final

from envhub.core.errors import nearest
from envhub.generators.constraints.public_lists import CONJUNCTIONS, LEFT_OUT, PERSON_NAMES, PRONOUNS
from envhub.generators.constraints.shapes import count_bracketed, count_highlights
from envhub.generators.constraints.units import VOWELS, Text, spaced, words_of
from envhub.generators.documents.formats import read_rows
from envhub.generators.documents.strict import NotStrict, read_json

Settings = Mapping[str, Any]
Checker = Callable[[Text, Settings], bool]


class UnknownInstruction(ValueError):
    """An instruction id that is unknown or has no checker."""


def checker(name: str) -> Checker:
    """The checker of an instruction id.

    Raises:
        UnknownInstruction: The id has no checker.
    """
    if name in LEFT_OUT:
        raise UnknownInstruction(f"{name!r} has no checker: {LEFT_OUT[name]}.")
    if name not in CHECKERS:
        raise UnknownInstruction(f"Unknown instruction id {name!r}.{nearest(name, CHECKERS)}")
    return CHECKERS[name]


def _related(found: int, relation: str, n: Any) -> bool:
    """The relations of IFEval: ``less than`` and ``at least``."""
    if relation not in ("less than", "at least"):
        raise UnknownInstruction(f"The relation must be 'less than' or 'at least', got {relation!r:.40}.")
    return found < int(n) if relation == "less than" else found >= int(n)


def _times(text: Text, phrase: str) -> int:
    """How often a phrase occurs as whole words, in any case."""
    words = words_of(phrase.lower())
    if not words:  # a sign, which is not part of words
        return text.raw.count(phrase)
    return f" {'  '.join(text.folded)} ".count(f" {'  '.join(words)} ")


def _parts(text: Text, divider: str) -> list[str]:
    return [part.strip() for part in text.raw.split(divider)]


def _initials(text: Text) -> list[str]:
    return [word[0] for word in text.folded]


def _vowels(text: str) -> int:
    return len(VOWELS & set(text.lower()))


def _letters(word: str) -> str:
    return "".join(sign for sign in word.lower() if sign.isalpha())


# -- IFEval --------------------------------------------------------------------------------------------------------------


def _letter_frequency(text: Text, p: Settings) -> bool:
    return _related(text.raw.lower().count(p["letter"].lower()), p["let_relation"], p["let_frequency"])


def _paragraphs(text: Text, p: Settings) -> bool:
    parts = _parts(text, "***")
    return len(parts) == int(p["num_paragraphs"]) and all(words_of(part) for part in parts)


def _paragraph_word(text: Text, p: Settings) -> bool:
    if len(text.paragraphs) != p["num_paragraphs"] or p["nth_paragraph"] > len(text.paragraphs):
        return False
    first = words_of(text.paragraphs[p["nth_paragraph"] - 1])[0]
    return first.lower() == str(p["first_word"]).lower()


def _postscript(text: Text, p: Settings) -> bool:
    marker = p["postscript_marker"].lower()
    starts = [line for line in text.raw.lower().split("\n") if line.strip().startswith(marker)]
    return any(words_of(line.strip()[len(marker) :]) for line in starts)


def _bullets(text: Text, p: Settings) -> bool:
    return sum(line.startswith(("* ", "- ")) for line in text.lines) == int(p["num_bullets"])


def _constrained(text: Text, p: Settings) -> bool:
    return text.raw.strip() in ("My answer is yes.", "My answer is no.", "My answer is maybe.")


def _sections(text: Text, p: Settings) -> bool:
    heads = [line for line in text.lines if line.lower().startswith(p["section_spliter"].lower())]
    numbered = [line[len(p["section_spliter"]) :].strip()[:1].isdigit() for line in heads]
    return sum(numbered) >= int(p["num_sections"])


def _json(text: Text, p: Settings) -> bool:
    raw = text.raw.strip()
    if raw.startswith("```") and raw.endswith("```"):
        raw = raw.split("\n", 1)[-1][:-3]
    try:
        return isinstance(read_json(raw), (dict, list))
    except NotStrict:
        return False


def _title(text: Text, p: Settings) -> bool:
    return any(words_of(part.partition(">>")[0]) and ">>" in part for part in text.raw.split("<<")[1:])


def _two_responses(text: Text, p: Settings) -> bool:
    parts = _parts(text, "******")
    return len(parts) == 2 and all(map(words_of, parts)) and parts[0] != parts[1]


def _repeat_prompt(text: Text, p: Settings) -> bool:
    wanted, raw = p["prompt_to_repeat"].strip(), text.raw.strip()
    return raw.lower().startswith(wanted.lower()) and bool(words_of(raw[len(wanted) :]))


def _ends(text: Text, p: Settings) -> bool:
    return text.raw.strip().strip('"').lower().endswith(p["end_phrase"].strip().lower())


def _quoted(text: Text, p: Settings) -> bool:
    raw = text.raw.strip()
    return raw[:1] == raw[-1:] == '"' and bool(words_of(raw))


def _capitals(text: Text, p: Settings) -> bool:
    found = sum(word.isupper() and any(map(str.isalpha, word)) for word in text.words)
    return _related(found, p["capital_relation"], p["capital_frequency"])


# -- IFBench: counts and words ---------------------------------------------------------------------------------------------


def _sentence_types(text: Text) -> Counter[str]:
    return Counter(sentence[-1] for sentence in text.sentences)


def _alphabet(text: Text, p: Settings) -> bool:
    letters = _initials(text)
    follows = all(ascii_lowercase.find(b) == (ascii_lowercase.find(a) + 1) % 26 for a, b in pairwise(letters))
    return follows and all(letter in ascii_lowercase for letter in letters)


def _clusters(text: Text, p: Settings) -> bool:
    def has_cluster(word: str) -> bool:
        return any(a.isalpha() and b.isalpha() and not {a, b} & VOWELS for a, b in pairwise(word))

    return all(map(has_cluster, text.folded))


def _alliteration(text: Text, p: Settings) -> bool:
    def longest(sentence: str) -> int:
        best = run = 1
        for one, other in pairwise(words_of(sentence.lower())):
            run = run + 1 if one[0] == other[0] else 1
            best = max(best, run)
        return best

    runs = [longest(sentence) for sentence in text.sentences]
    return len(runs) > 1 and all(one < other for one, other in pairwise(runs))


def _palindromes(text: Text, p: Settings) -> bool:
    return sum(len(word) >= 5 and word.isalpha() and word == word[::-1] for word in text.folded) >= 10


def _increments(text: Text, p: Settings) -> bool:
    sizes = [len(words_of(sentence)) for sentence in text.sentences]
    return len(sizes) > 1 and all(other - one == int(p["small_n"]) for one, other in pairwise(sizes))


def _same_length(text: Text, p: Settings) -> bool:
    sizes = {len(sentence) for sentence in text.sentences}
    return len(text.sentences) == 3 and len(sizes) == 1 and max(text.word_counts.values()) == 1


def _japanese(text: Text, p: Settings) -> bool:
    tokens = text.raw.split()
    places = tokens[int(p["N"]) - 1 :: int(p["N"])]
    return bool(places) and all(
        any("\u3040" <= s <= "\u30ff" or "\u4e00" <= s <= "\u9fff" for s in token) for token in places
    )


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


def _chain(text: Text, p: Settings) -> bool:
    ends = [words_of(sentence.lower()) for sentence in text.sentences]
    return len(ends) > 1 and all(one[-1] == other[0] for one, other in pairwise(ends))


def _framed_paragraphs(text: Text, p: Settings) -> bool:
    ends = [words_of(line.lower()) for line in text.lines]
    return all(len(words) > 1 and words[0] == words[-1] for words in ends)


def _sentence_word(text: Text, p: Settings) -> bool:
    at = int(p["N"])
    return len(text.sentences) >= at and spaced(p["word"]) in spaced(text.sentences[at - 1])


def _placed_word(text: Text, p: Settings) -> bool:
    sentence, place = int(p["n"]), int(p["m"])
    words = words_of(text.sentences[sentence - 1].lower()) if len(text.sentences) >= sentence else ()
    return len(words) >= place and words[place - 1] == p["keyword"].strip().lower()


def _second_words(text: Text, p: Settings) -> bool:
    words = text.folded
    return len(words) > 2 and words[1] == words[-2] == p["keyword"].strip().lower()


def _multiple_keywords(text: Text, p: Settings) -> bool:
    return all(_times(text, p[f"keyword{k}"]) == times for k, times in enumerate((1, 2, 3, 5, 7), 1))


# -- IFBench: formats ------------------------------------------------------------------------------------------------------


def _punctuation(text: Text, p: Settings) -> bool:
    bang = next((mark for mark in ("?!", "!?", "\u203d") if mark in text.raw), "")
    rest = text.raw.replace(bang, "", 1) if bang else ""
    return all(mark in rest for mark in ".,!?;:")


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
    minor = frozenset(
        [
            "a",
            "an",
            "the",
            "and",
            "but",
            "or",
            "nor",
            "for",
            "so",
            "yet",
            "at",
            "by",
            "in",
            "of",
            "on",
            "to",
            "up",
            "as",
            "from",
            "with",
        ]
    )
    return all(not w[0].isalpha() or w[0].isupper() or w in minor for w in text.words) and text.words[0][0].isupper()


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


CHECKERS: Final[dict[str, Checker]] = {
    "keywords:existence": lambda text, p: all(_times(text, word) for word in p["keywords"]),
    "keywords:frequency": lambda text, p: _related(_times(text, p["keyword"]), p["relation"], p["frequency"]),
    "keywords:forbidden_words": lambda text, p: not any(_times(text, word) for word in p["forbidden_words"]),
    "keywords:letter_frequency": _letter_frequency,
    "length_constraints:number_sentences": lambda text, p: _related(
        len(text.sentences), p["relation"], p["num_sentences"]
    ),
    "length_constraints:number_paragraphs": _paragraphs,
    "length_constraints:number_words": lambda text, p: _related(len(text.words), p["relation"], p["num_words"]),
    "length_constraints:nth_paragraph_first_word": _paragraph_word,
    "detectable_content:number_placeholders": lambda text, p: count_bracketed(text, "[", "]") >= p["num_placeholders"],
    "detectable_content:postscript": _postscript,
    "detectable_format:number_bullet_lists": _bullets,
    "detectable_format:constrained_response": _constrained,
    "detectable_format:number_highlighted_sections": lambda text, p: (
        count_highlights(Text(text.raw.replace("**", "*"))) >= p["num_highlights"]
    ),
    "detectable_format:multiple_sections": _sections,
    "detectable_format:json_format": _json,
    "detectable_format:title": _title,
    "combination:two_responses": _two_responses,
    "combination:repeat_prompt": _repeat_prompt,
    "startend:end_checker": _ends,
    "startend:quotation": _quoted,
    "change_case:capital_word_frequency": _capitals,
    "change_case:english_capital": lambda text, p: text.raw == text.raw.upper() and bool(text.letter_counts),
    "change_case:english_lowercase": lambda text, p: text.raw == text.raw.lower() and bool(text.letter_counts),
    "punctuation:no_comma": lambda text, p: "," not in text.raw,
    "count:word_count_range": lambda text, p: p["min_words"] <= len(text.words) <= p["max_words"],
    "count:unique_word_count": lambda text, p: len(text.word_counts) >= p["N"],
    "count:conjunctions": lambda text, p: len(CONJUNCTIONS & set(text.folded)) >= p["small_n"],
    "count:person_names": lambda text, p: len(PERSON_NAMES & set(text.words)) >= p["N"],
    "count:numbers": lambda text, p: sum(word.isdecimal() for word in text.words) == p["N"],
    "count:pronouns": lambda text, p: sum(word in PRONOUNS for word in text.folded) >= p["N"],
    "count:punctuation": _punctuation,
    "count:words_japanese": _japanese,
    "count:keywords_multiple": _multiple_keywords,
    "ratio:sentence_type": lambda text, p: _sentence_types(text)["."] == 2 * _sentence_types(text)["?"] > 0,
    "ratio:sentence_balance": lambda text, p: (
        _sentence_types(text)["."] == _sentence_types(text)["?"] == _sentence_types(text)["!"] > 0
    ),
    "ratio:sentence_words": _same_length,
    "words:alphabet": _alphabet,
    "words:vowel": lambda text, p: len(text.paragraphs) == 1 and _vowels(text.raw) <= 3,
    "words:consonants": _clusters,
    "words:palindrome": _palindromes,
    "words:prime_lengths": lambda text, p: all(
        len(_letters(word)) in (2, 3, 5, 7, 11, 13, 17, 19, 23) for word in text.words
    ),
    "words:repeats": lambda text, p: max(text.word_counts.values()) <= p["small_n"],
    "words:last_first": _chain,
    "words:paragraph_last_first": _framed_paragraphs,
    "words:no_consecutive": lambda text, p: all(one != other for one, other in pairwise(_initials(text))),
    "words:keywords_specific_position": _placed_word,
    "words:words_position": _second_words,
    "sentence:alliteration_increment": _alliteration,
    "sentence:increment": _increments,
    "sentence:keyword": _sentence_word,
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
"""Checkers by instruction id. None is called with a text that has no word."""


def settings_of(given: Mapping[str, Any] | str | None) -> dict[str, Any]:
    """The arguments of one instruction without nulls, with whole numbers as integers."""
    found = json.loads(given) if isinstance(given, str) else given or {}
    whole = {name: int(v) if isinstance(v, float) and v.is_integer() else v for name, v in found.items()}
    return {name: value for name, value in whole.items() if value is not None}
