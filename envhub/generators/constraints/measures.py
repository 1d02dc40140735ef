"""Constraints on what can be measured in any text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.generators.constraints.kinds import Kind, Settings, bound, compare
from envhub.generators.constraints.units import Text, words_of

_SIGNS: Final = {"full stop": ".", "hyphen": "-", "colon": ":", "comma": ",", "exclamation mark": "!"}


def _counted(count: Callable[[Text], int], *terms: str, slack: int) -> Kind:
    """A kind that bounds a number."""
    return Kind(
        lambda text, p: compare(count(text), p), lambda rng, text: bound(rng, count(text), slack), terms=tuple(terms)
    )


def _draw_distinct(rng: Stream, text: Text) -> Settings:
    return {"n": max(1, len(text.word_counts) - rng.below(4))}


def _draw_letter(rng: Stream, text: Text) -> Settings:
    letter = rng.choice("abcdefghiklmnoprstuvwy")
    return {"letter": letter, **bound(rng, text.letter_counts[letter], 2)}


def _draw_keyword(rng: Stream, text: Text) -> Settings | None:
    known = [word for word, count in sorted(text.word_counts.items()) if word.isalpha() and len(word) > 3]
    if not known:
        return None
    word = rng.choice(known)
    return {"word": word, **bound(rng, text.word_counts[word], 1)}


def _draw_keywords(rng: Stream, text: Text) -> Settings | None:
    known = [word for word in sorted(text.word_counts) if word.isalpha() and len(word) > 3]
    return {"words": rng.sample(known, 3)} if len(known) >= 3 else None


def _draw_sentence_word(rng: Stream, text: Text) -> Settings:
    sentence = rng.below(len(text.sentences))
    words = words_of(text.sentences[sentence])
    place = rng.below(len(words))
    return {"sentence": sentence + 1, "place": place + 1, "word": words[place].lower()}


def _sentence_word(text: Text, p: Settings) -> bool:
    if len(text.sentences) < p["sentence"]:
        return False
    words = words_of(text.sentences[p["sentence"] - 1])
    return len(words) >= p["place"] and bool(words[p["place"] - 1].lower() == p["word"])


def _draw_paragraph_word(rng: Stream, text: Text) -> Settings:
    number = rng.below(len(text.paragraphs))
    word = words_of(text.paragraphs[number])[0].lower()
    return {"paragraph": number + 1, "count": len(text.paragraphs), "word": word}


def _paragraph_word(text: Text, p: Settings) -> bool:
    if len(text.paragraphs) != p["count"]:
        return False
    return bool(words_of(text.paragraphs[p["paragraph"] - 1])[0].lower() == p["word"])


def _sentence_lengths(text: Text) -> list[int]:
    return [len(words_of(sentence)) for sentence in text.sentences]


def _draw_longest(rng: Stream, text: Text) -> Settings:
    return {"n": max(_sentence_lengths(text)) + rng.below(2)}


def _draw_sign(rng: Stream, text: Text) -> Settings:
    sign = rng.choice(sorted(_SIGNS))
    return {"sign": sign, "mark": _SIGNS[sign], **bound(rng, text.raw.count(_SIGNS[sign]), 1)}


def _draw_longest_line(rng: Stream, text: Text) -> Settings:
    return {"n": max(map(len, text.lines)) + rng.below(4)}


def _numbers(text: Text) -> int:
    return sum(word.isdecimal() for word in text.words)


def _long_words(text: Text, p: Any) -> int:
    return sum(len(word) >= p["length"] for word in text.words)


def _draw_long_words(rng: Stream, text: Text) -> Settings:
    length = rng.between(6, 9)
    return {"length": length, **bound(rng, _long_words(text, {"length": length}), 1)}


MEASURES: Final[dict[str, Kind]] = {
    "word_count": _counted(lambda text: len(text.words), "word", slack=5),
    "sentence_count": _counted(lambda text: len(text.sentences), "sentence", slack=1),
    "paragraph_count": _counted(lambda text: len(text.paragraphs), "paragraph", slack=1),
    "line_count": _counted(lambda text: len(text.lines), "line", slack=1),
    "number_count": _counted(_numbers, "number", slack=1),
    "distinct_words": Kind(lambda text, p: len(text.word_counts) >= p["n"], _draw_distinct, ("word",)),
    "letter_count": Kind(lambda text, p: compare(text.letter_counts[p["letter"]], p), _draw_letter, repeats=True),
    "keyword_count": Kind(
        lambda text, p: compare(text.word_counts[p["word"]], p), _draw_keyword, ("word",), repeats=True
    ),
    "keywords": Kind(lambda text, p: all(text.word_counts[word] for word in p["words"]), _draw_keywords, ("word",)),
    "sentence_word": Kind(_sentence_word, _draw_sentence_word, ("word", "sentence"), repeats=True),
    "paragraph_word": Kind(_paragraph_word, _draw_paragraph_word, ("word", "paragraph")),
    "sentence_length": Kind(
        lambda text, p: max(_sentence_lengths(text), default=0) <= p["n"], _draw_longest, ("word", "sentence")
    ),
    "line_length": Kind(lambda text, p: max(map(len, text.lines), default=0) <= p["n"], _draw_longest_line, ("line",)),
    "sign_count": Kind(lambda text, p: compare(text.raw.count(p["mark"]), p), _draw_sign),
    "long_words": Kind(lambda text, p: compare(_long_words(text, p), p), _draw_long_words, ("word",)),
}
"""Kinds whose parameters are read off a text, by name."""
