"""Sentences of constraints on texts, and definitions of their terms."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from envhub.authoring import wording
from envhub.authoring.wording import Phrase
from envhub.core.types import JSON

TERMS: Final = {
    "word": Phrase(
        "A word is an unbroken run of letters and digits; an apostrophe or a hyphen between two of them belongs to the word.",
        "Words are runs of letters and digits that are as long as possible. "
        "An apostrophe or a hyphen between two such characters is part of the word.",
        "By a word we mean letters and digits in a row, as many as possible. "
        'An apostrophe or a hyphen between two of them does not split the word: "well-known" is one word.',
        held_out="Word: a maximal run of letters and digits, in which single inner apostrophes and hyphens are included.",
    ),
    "line": Phrase(
        "A line is the text between two line breaks, without spaces at its ends. A line without a letter or a digit is "
        "blank and does not count.",
        "Lines are separated by line breaks, and spaces at their ends do not belong to them. Blank lines, which have no "
        "letter and no digit, are not counted.",
        "A line ends at a line break and does not include spaces at its ends. Only lines with a letter or a digit count "
        "as lines.",
        held_out="Line: text between line breaks, without spaces at its ends, that has at least one letter or digit; "
        "other lines are blank.",
    ),
    "sentence": Phrase(
        'A sentence ends at ".", "!" or "?" if a space or the end of the line follows. '
        "The end of a line always ends a sentence. A sentence has at least one word.",
        'Sentences end where ".", "!" or "?" stands before a space or at the end of a line, and at every end of '
        "a line. "
        "Parts without a word are not sentences.",
        'Count as a sentence every part of a line, with at least one word, up to a ".", "!" or "?" '
        "before a space, or up to the end of the line.",
        held_out='Sentence: a part of one line that has a word and ends with ".", "!" or "?" before a space, or '
        "with the line.",
    ),
    "paragraph": Phrase(
        "A paragraph is a group of lines without a blank line in between. A line without a letter or a digit is blank.",
        "Paragraphs are separated by one or more blank lines. A line is blank if it has no letter and no digit.",
        "Lines without a letter or a digit are blank. The lines between two blank lines are one paragraph.",
        held_out="Paragraph: a maximal run of lines that each have a letter or a digit.",
    ),
    "number": Phrase(
        "A number is a word that consists of digits only.",
        "A word counts as a number if all of its characters are digits.",
        "Only words without any character but digits are numbers.",
        held_out="Number: a word of digits only.",
    ),
}


_COUNTED: Final = Phrase(
    "The text must have {counted}.",
    "Write {counted} in total.",
    "In the whole text there must be {counted}.",
    held_out="Required: {counted}.",
)
NOUNS: Final = {
    "word_count": "word",
    "sentence_count": "sentence",
    "paragraph_count": "paragraph",
    "line_count": "line",
    "number_count": "number",
    "distinct_words": "different word",
    "letter_count": "time",
    "keyword_count": "time",
    "sign_count": "time",
    "sentence_length": "word",
    "line_length": "character",
    "long_words": "word",
    "capital_words": "word",
    "bullets": "bullet point",
    "highlights": "highlighted part",
    "placeholders": "placeholder",
    "parentheses": "remark",
    "dividers": "divider",
    "questions": "sentence",
    "planted": "time",
}
"""What the number ``n`` of a kind counts."""
_RELATIONS: Final = {"distinct_words": "at least", "sentence_length": "at most", "line_length": "at most"}

CONSTRAINTS: Final = {
    "word_count": _COUNTED,
    "sentence_count": _COUNTED,
    "paragraph_count": _COUNTED,
    "line_count": _COUNTED,
    "number_count": _COUNTED,
    "distinct_words": Phrase(
        "The text must have {counted}. Case does not matter.",
        "Use {counted}, without regard to case.",
        "In the whole text there must be {counted}; upper and lower case count as the same.",
        held_out="Required, ignoring case: {counted}.",
    ),
    "letter_count": Phrase(
        'The letter "{letter}" must occur {counted} in the text. Case does not matter.',
        'Use the letter "{letter}" {counted}, counting upper and lower case.',
        'In the whole text, the letter "{letter}" must appear {counted}, in either case.',
        held_out='Letter "{letter}", ignoring case: {counted}.',
    ),
    "keyword_count": Phrase(
        'The word "{word}" must occur {counted}. Case does not matter.',
        'Use the word "{word}" {counted}, in any case.',
        'Without regard to case, the text must contain the word "{word}" {counted}.',
        held_out='Word "{word}", ignoring case: {counted}.',
    ),
    "keywords": Phrase(
        "Each of these words must occur at least once, in any case: {quoted}.",
        "Include all of these words, without regard to case: {quoted}.",
        "The text must contain every one of the words {quoted}. Case does not matter.",
        held_out="Required words, ignoring case: {quoted}.",
    ),
    "sentence_word": Phrase(
        'In sentence number {sentence}, word number {place} must be "{word}", in any case. Count both from 1.',
        'Word {place} of sentence {sentence} must be "{word}". Count both from 1; case does not matter.',
        'Counting from 1 and ignoring case, the word at place {place} of sentence {sentence} is "{word}".',
        held_out='Sentence {sentence}, word {place} (both counted from 1, case ignored): "{word}".',
    ),
    "paragraph_word": Phrase(
        'There must be {paragraphs}, and paragraph number {paragraph} must begin with the word "{word}". '
        "Count from 1. Case does not matter.",
        'Write {paragraphs}. The first word of paragraph {paragraph}, counted from 1, must be "{word}", in any case.',
        'The text must have {paragraphs}. Counting from 1 and ignoring case, number {paragraph} must start with "{word}".',
        held_out='Required: {paragraphs}. First word of number {paragraph} (from 1, case ignored): "{word}".',
    ),
    "sentence_length": Phrase(
        "Each sentence may have {counted}.",
        "No sentence may be longer than allowed: {counted}.",
        "Keep every sentence to {counted}.",
        held_out="Length of each sentence: {counted}.",
    ),
    "line_length": Phrase(
        "Each line may have {counted}. Spaces at the ends of a line do not count.",
        "No line may be longer than allowed: {counted}, without the spaces at its ends.",
        "Keep every line to {counted}, not counting spaces at its ends.",
        held_out="Length of each line, spaces at its ends excluded: {counted}.",
    ),
    "sign_count": Phrase(
        'The character "{mark}" ({sign}) must occur {counted}.',
        'Use the {sign} "{mark}" {counted} in the whole text.',
        'In total, the text must have the character "{mark}" ({sign}) {counted}.',
        held_out='Character "{mark}" ({sign}): {counted}.',
    ),
    "long_words": Phrase(
        "The text must have {counted} of {length} or more characters. Repeated words count each time.",
        "Use {counted} with at least {length} characters. A word that is repeated counts each time.",
        "In the whole text there must be {counted} with {length} characters or more, repetitions included.",
        held_out="Required, with repetition: {counted} of at least {length} characters.",
    ),
    "title": Phrase(
        "The first line must be the title <<{title}>>, in double angle brackets and with nothing else in the "
        "line. Case does not matter.",
        "Begin with a line that is exactly <<{title}>>, in any case.",
        "Line 1 is a title in double angle brackets and nothing more: <<{title}>>. Its case does not matter.",
        held_out="First line, ignoring case: <<{title}>>.",
    ),
    "first_words": Phrase(
        'The text must begin with the words "{phrase}", in any case.',
        'Start with "{phrase}". Case does not matter.',
        'The first words of the text must be "{phrase}", without regard to case.',
        held_out='Opening words, ignoring case: "{phrase}".',
    ),
    "last_words": Phrase(
        'The text must end with exactly "{phrase}", in any case. Nothing may come after it.',
        'End with "{phrase}" and write nothing after it. Case does not matter.',
        'The last characters of the text must be "{phrase}", without regard to case.',
        held_out='Final characters, ignoring case: "{phrase}".',
    ),
    "quoted": Phrase(
        "Put the whole text in double quotation marks, and use no other double quotation mark.",
        'The text must begin and end with ", and may not contain this character anywhere else.',
        'The first and the last character of the text must be ". There may be no third one.',
        held_out='Enclose the text in one pair of double quotation marks ("); these are the only two.',
    ),
    "upper_case": Phrase(
        "All letters must be capital letters.",
        "Write in capital letters only.",
        "The text may not have a lower-case letter.",
        held_out="Case: upper only.",
    ),
    "lower_case": Phrase(
        "All letters must be lower-case letters.",
        "Write in lower-case letters only.",
        "The text may not have a capital letter.",
        held_out="Case: lower only.",
    ),
    "capital_words": Phrase(
        "The text must have {counted} in all capital letters. Only words of two or more characters, all of them "
        "letters, count.",
        "Use {counted} in all capital letters. Words of one character, and words with a digit, a hyphen or an apostrophe, "
        "do not count.",
        "In the whole text there must be {counted} in all capitals. Such a word has at least two characters, and "
        "all are letters.",
        held_out="Required: {counted} of at least two characters, all of them capital letters.",
    ),
    "bullets": Phrase(
        "The text must have {counted}. A bullet point is a line that begins with an asterisk and a space.",
        'Write {counted}. Each line that begins with "* " is a bullet point.',
        'In the whole text there must be {counted}. Lines that begin with "* " are bullet points.',
        held_out='Required: {counted}, where a bullet point is a line that begins with "* ".',
    ),
    "highlights": Phrase(
        "The text must have {counted}, *like this*. A highlighted part stands in one line between two single asterisks, with "
        "no space next to them on the inside.",
        "Write {counted}, *like this*: text between two single asterisks in one line. "
        "No space may stand just inside the asterisks.",
        "In the whole text there must be {counted}. Each is in one line and *between two single asterisks* without a space "
        "next to them inside.",
        held_out="Required: {counted} of the form *text*, in one line and without inner spaces at the asterisks.",
    ),
    "placeholders": Phrase(
        "The text must have {counted} in square brackets, such as [name]. The brackets must contain a word.",
        "Write {counted}. A placeholder is text in square brackets with a word in it, such as [date].",
        "In the whole text there must be {counted}, such as [address]: square brackets with at least one word inside.",
        held_out="Required: {counted}, where a placeholder is a pair of square brackets with a word inside.",
    ),
    "parentheses": Phrase(
        "The text must have {counted} in round brackets. The brackets must contain a word (like this).",
        "Write {counted} in round brackets. A remark (such as this) contains a word.",
        "In the whole text there must be {counted} in round brackets (as here), with at least one word inside.",
        held_out="Required: {counted}, where a remark is a pair of round brackets with a word inside.",
    ),
    "dividers": Phrase(
        'The text must have {counted}. A divider is "=====" on a line of its own.',
        'Write {counted}. A divider consists of "=====" and has a line to itself.',
        'In the whole text there must be {counted}, each of them "=====" with nothing else in its line.',
        held_out='Required: {counted}, where a divider is "=====" alone on a line.',
    ),
    "questions": Phrase(
        "The text must have {counted} with a question mark at the end.",
        "Write {counted} with a question mark as the last character. No other sentence may end with one.",
        "In the whole text there must be {counted} whose last character is a question mark.",
        held_out='Required: {counted} with "?" as the last character.',
    ),
    "sections": Phrase(
        'Divide the text into {n} sections. They are headed by the lines "{head} 1" to "{head} {n}", in this '
        "order and with nothing "
        'else in them. No other line may begin with "{head} ". Case does not matter.',
        'The text must have {n} sections. Each begins with a line of its own, "{head} 1" for the first and so on '
        'up to "{head} {n}". '
        'Other lines may not begin with "{head} ", and case does not matter.',
        'Number the {n} sections with the lines "{head} 1" to "{head} {n}", in order and in any case. These '
        "lines contain nothing else, "
        'and no other line begins with "{head} ".',
        held_out='Headings, ignoring case: exactly the {n} lines "{head} 1" to "{head} {n}", in order; no other '
        'line begins with "{head} ".',
    ),
    "postscript": Phrase(
        'The last paragraph must be a postscript that begins with "{marker}" and a space, in any case. It may '
        "not be the only paragraph.",
        'End with a postscript: a paragraph of its own that begins with "{marker}" and a space. Case does not matter. '
        "At least one paragraph comes before it.",
        "After the other paragraphs, of which there must be one or more, add a last one that starts with "
        '"{marker}" and a space, in any case.',
        held_out='Last of two or more paragraphs: begins with "{marker}" and a space, case ignored.',
    ),
    "no_comma": Phrase(
        "The text may not have a comma.",
        "Do not use commas.",
        "Commas are not allowed.",
        held_out="Number of commas: 0.",
    ),
    "forbidden": Phrase(
        "None of these words may occur, in any case: {quoted}.",
        "Do not use any of the words {quoted}. Case does not matter.",
        "Each of these words is forbidden, without regard to case: {quoted}.",
        held_out="Forbidden words, ignoring case: {quoted}.",
    ),
    "planted": Phrase(
        'The text must use the word "{word}"; it must occur {counted}. Case does not matter.',
        'Write the word "{word}" {counted}, in any case.',
        'Ignoring case, the text must have the word "{word}" {counted}.',
        held_out='Required word "{word}", ignoring case: {counted}.',
    ),
}
"""The sentence of each kind of constraint, by name."""


def sentence(name: str, settings: JSON, speaker: str = "") -> Phrase:
    """The sentence of one constraint, after its speaker, if any."""
    values: dict[str, Any] = dict(settings)
    if name in NOUNS:
        relation = values.get("relation", _RELATIONS.get(name, "exactly"))
        values["counted"] = counted(relation, values["n"], NOUNS[name])
    if name == "paragraph_word":
        values["paragraphs"] = counted("exactly", values["count"], "paragraph")
    if "words" in values:
        values["quoted"] = ", ".join(f'"{word}"' for word in values["words"])
    return _spoken(name, speaker).bound(values)


@cache
def _spoken(name: str, speaker: str) -> Phrase:
    """The sentence of a kind with a speaker in front."""
    if not speaker:
        return CONSTRAINTS[name]
    *options, held_out = (f"{speaker}: {text}" for text in CONSTRAINTS[name])
    return Phrase(*options, held_out=held_out)


def counted(relation: str, n: int, noun: str) -> str:
    """A number of things in words: ``at least 3 words``, ``exactly once``."""
    if noun == "time" and n == 1:
        return f"{relation} once"
    if n == 0 and noun != "time":
        return f"no {noun}s"
    return f"{relation} {wording.counted(n, noun)}"
