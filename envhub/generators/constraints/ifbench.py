"""Checkers for the instruction ids of IFBench about counts, words and sentences."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from string import ascii_lowercase
from typing import Final

from envhub.generators.constraints.kinds import Settings
from envhub.generators.constraints.public_lists import CONJUNCTIONS, PERSON_NAMES, PRONOUNS
from envhub.generators.constraints.public_terms import Checker, initials, occurrences
from envhub.generators.constraints.units import VOWELS, Text, spaced, words_of


def _vowels(text: str) -> int:
    return len(VOWELS & set(text.lower()))


def _letters(word: str) -> str:
    return "".join(sign for sign in word.lower() if sign.isalpha())


def _sentence_types(text: Text) -> Counter[str]:
    return Counter(sentence[-1] for sentence in text.sentences)


def _alphabet(text: Text, p: Settings) -> bool:
    letters = initials(text)
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
    return all(occurrences(text, p[f"keyword{k}"]) == times for k, times in enumerate((1, 2, 3, 5, 7), 1))


def _names(text: Text) -> set[str]:
    """All words, without the ending of a possessive."""
    return {word.removesuffix("'s") for word in text.words}


def _punctuation(text: Text, p: Settings) -> bool:
    bang = next((mark for mark in ("?!", "!?", "\u203d") if mark in text.raw), "")
    rest = text.raw.replace(bang, "", 1) if bang else ""
    return all(mark in rest for mark in ".,!?;:")


IFBENCH: Final[dict[str, Checker]] = {
    "count:word_count_range": lambda text, p: p["min_words"] <= len(text.words) <= p["max_words"],
    "count:unique_word_count": lambda text, p: len(text.word_counts) >= p["N"],
    "count:conjunctions": lambda text, p: len(CONJUNCTIONS & set(text.folded)) >= p["small_n"],
    "count:person_names": lambda text, p: len(PERSON_NAMES & _names(text)) >= p["N"],
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
    "words:no_consecutive": lambda text, p: all(one != other for one, other in pairwise(initials(text))),
    "words:keywords_specific_position": _placed_word,
    "words:words_position": _second_words,
    "sentence:alliteration_increment": _alliteration,
    "sentence:increment": _increments,
    "sentence:keyword": _sentence_word,
}
"""Checkers by instruction id."""
