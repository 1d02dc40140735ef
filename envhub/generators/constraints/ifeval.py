"""Checkers for the instruction ids of IFEval."""

from __future__ import annotations

from typing import Final

from envhub.generators.constraints.kinds import Settings
from envhub.generators.constraints.public_terms import Checker, occurrences, parts_of, related
from envhub.generators.constraints.shapes import count_bracketed, count_highlights
from envhub.generators.constraints.units import Text, words_of
from envhub.generators.documents.strict import NotStrict, read_json


def _letter_frequency(text: Text, p: Settings) -> bool:
    return related(text.raw.lower().count(p["letter"].lower()), p["let_relation"], p["let_frequency"])


def _paragraphs(text: Text, p: Settings) -> bool:
    parts = parts_of(text, "***")
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
    parts = parts_of(text, "******")
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
    return related(found, p["capital_relation"], p["capital_frequency"])


IFEVAL: Final[dict[str, Checker]] = {
    "keywords:existence": lambda text, p: all(occurrences(text, word) for word in p["keywords"]),
    "keywords:frequency": lambda text, p: related(occurrences(text, p["keyword"]), p["relation"], p["frequency"]),
    "keywords:forbidden_words": lambda text, p: not any(occurrences(text, word) for word in p["forbidden_words"]),
    "keywords:letter_frequency": _letter_frequency,
    "length_constraints:number_sentences": lambda text, p: related(
        len(text.sentences), p["relation"], p["num_sentences"]
    ),
    "length_constraints:number_paragraphs": _paragraphs,
    "length_constraints:number_words": lambda text, p: related(len(text.words), p["relation"], p["num_words"]),
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
}
"""Checkers by instruction id."""
