"""Texts of listed words: their notation, laws and measures.

A word text is a list of sentences, and a sentence a list of words of a shown list, no word twice in the text. It is
written in lower case, with single spaces and a full stop after each sentence: ``amber river. old stone.``
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.generators.constraints.units import VOWELS
from envhub.generators.constraints.word_pool import POOL

WordText = list[list[str]]
Settings = Mapping[str, Any]
_PRIMES: Final = (2, 3, 5, 7, 11, 13)
_TRIES: Final = 40
_PICKS: Final = 80


class Law(NamedTuple):
    """A constraint that a writer obeys while it chooses words.

    Attributes:
        draw: Its parameters.
        allows: Whether a word may occur at all.
        follows: Whether a word may come directly after another one in a sentence.
    """

    draw: Callable[[Stream], Settings]
    allows: Callable[[str, Settings], bool] = lambda word, p: True
    follows: Callable[[str, str], bool] = lambda before, word: True

    def holds(self, text: WordText, p: Settings) -> bool:
        """Whether a text obeys the law."""
        return all(
            all(self.allows(word, p) for word in sentence)
            and all(self.follows(before, word) for before, word in pairwise(sentence))
            for sentence in text
        )


class Measure(NamedTuple):
    """A constraint that is read off a text.

    Attributes:
        draw: Parameters that are true of a text.
        holds: Whether a text satisfies it.
    """

    draw: Callable[[Stream, WordText], Settings]
    holds: Callable[[WordText, Settings], bool]


def words(text: WordText) -> list[str]:
    """All words in order."""
    return [word for sentence in text for word in sentence]


def letters(text: WordText) -> str:
    """All letters in order."""
    return "".join(words(text))


def spell(text: WordText) -> str:
    """A word text as the policy writes it."""
    return " ".join(f"{' '.join(sentence)}." for sentence in text)


def read(raw: str) -> WordText | None:
    """The sentences of a text; None if it is spelt otherwise."""
    raw = " ".join(raw.split("\n"))
    text = [piece.split(" ") for piece in raw.removesuffix(".").split(". ")]
    return text if spell(text) == raw and all(word for sentence in text for word in sentence) else None


def _nothing(rng: Stream) -> Settings:
    return {}


LAWS: Final[dict[str, Law]] = {
    "prime_lengths": Law(_nothing, allows=lambda word, p: len(word) in _PRIMES),
    "rising_lengths": Law(_nothing, follows=lambda before, word: len(before) <= len(word)),
    "falling_lengths": Law(_nothing, follows=lambda before, word: len(before) >= len(word)),
    "parity": Law(_nothing, follows=lambda before, word: (len(before) + len(word)) % 2 == 1),
    "lipogram": Law(lambda rng: {"letter": rng.choice("aeiorstn")}, allows=lambda word, p: p["letter"] not in word),
    "univocalic": Law(
        lambda rng: {"vowels": rng.choice(["aei", "aeo", "aeu", "eio", "aio", "eou", "ae", "eo", "ei"])},
        allows=lambda word, p: set(word) & VOWELS <= set(p["vowels"]),
    ),
    "alphabetical": Law(_nothing, follows=lambda before, word: before < word),
    "alliteration": Law(_nothing, follows=lambda before, word: before[0] == word[0]),
    "chain": Law(_nothing, follows=lambda before, word: before[-1] == word[0]),
    "new_initials": Law(_nothing, follows=lambda before, word: before[0] != word[0]),
}
"""Laws by name. Each word must be allowed, and each must be able to follow the one before it."""


def _letter_draw(rng: Stream, text: WordText) -> Settings:
    letter = rng.choice(sorted(set(letters(text))))
    return {"letter": letter, "n": letters(text).count(letter)}


def _initial_draw(rng: Stream, text: WordText) -> Settings:
    letter = rng.choice(sorted({word[0] for word in words(text)}))
    return {"letter": letter, "n": _initials(text, letter)}


def _initials(text: WordText, letter: str) -> int:
    return sum(word[0] == letter for word in words(text))


def _length_draw(rng: Stream, text: WordText) -> Settings:
    length = rng.choice(sorted({len(word) for word in words(text)}))
    return {"length": length, "n": _of_length(text, length)}


def _of_length(text: WordText, length: int) -> int:
    return sum(len(word) == length for word in words(text))


def _vowels(text: WordText) -> int:
    return sum(letter in VOWELS for letter in letters(text))


def _doubled(text: WordText) -> int:
    return sum(any(one == other for one, other in pairwise(word)) for word in words(text))


def _number(count: Callable[[WordText], int]) -> Measure:
    return Measure(lambda rng, text: {"n": count(text)}, lambda text, p: count(text) == p["n"])


def acrostic(text: WordText) -> str:
    """The first letters of the sentences."""
    return "".join(sentence[0][0] for sentence in text)


def _sample_letters(rng: Stream, text: WordText) -> Settings:
    found = sorted(set(letters(text)))
    return {"letters": "".join(sorted(rng.sample(found, min(len(found), 6))))}


MEASURES: Final[dict[str, Measure]] = {
    "letter_total": _number(lambda text: len(letters(text))),
    "vowel_total": _number(_vowels),
    "letter_times": Measure(_letter_draw, lambda text, p: letters(text).count(p["letter"]) == p["n"]),
    "initial_times": Measure(_initial_draw, lambda text, p: _initials(text, p["letter"]) == p["n"]),
    "length_times": Measure(_length_draw, lambda text, p: _of_length(text, p["length"]) == p["n"]),
    "sentence_lengths": Measure(
        lambda rng, text: {"sizes": [len(sentence) for sentence in text]},
        lambda text, p: [len(sentence) for sentence in text] == list(p["sizes"]),
    ),
    "acrostic": Measure(lambda rng, text: {"letters": acrostic(text)}, lambda text, p: acrostic(text) == p["letters"]),
    "last_letters": Measure(
        lambda rng, text: {"letters": "".join(sentence[-1][-1] for sentence in text)},
        lambda text, p: "".join(sentence[-1][-1] for sentence in text) == p["letters"],
    ),
    "letter_set": Measure(_sample_letters, lambda text, p: set(p["letters"]) <= set(letters(text))),
    "doubled": _number(_doubled),
}
"""Measures by name; all numbers are exact."""


def satisfies(text: WordText, constraints: Sequence[Sequence[Any]]) -> list[str]:
    """The names of the constraints that a text does not satisfy."""
    return [name for name, p in constraints if not (LAWS.get(name) or MEASURES[name]).holds(text, p)]


def compose(rng: Stream, sizes: Sequence[int], laws: Sequence[tuple[str, Settings]]) -> WordText | None:
    """A text of given sizes that obeys some laws, or None."""
    allowed: Sequence[str] = POOL
    for name, p in laws:
        allowed = [word for word in allowed if LAWS[name].allows(word, p)]
    used: set[str] = set()
    text: WordText = []
    for size in sizes:
        sentence = _sentence(rng, size, [word for word in allowed if word not in used], laws)
        if sentence is None:
            return None
        used.update(sentence)
        text.append(sentence)
    return text


def _sentence(rng: Stream, size: int, free: Sequence[str], laws: Sequence[tuple[str, Settings]]) -> list[str] | None:
    follows = [LAWS[name].follows for name, _ in laws]
    for _ in range(_TRIES if free else 0):
        found = [rng.choice(free)]
        while len(found) < size:
            word = _next(rng, found, free, follows)
            if word is None:
                break
            found.append(word)
        if len(found) == size:
            return found
    return None


def _next(
    rng: Stream, found: Sequence[str], free: Sequence[str], follows: Sequence[Callable[[str, str], bool]]
) -> str | None:
    """A new word that may follow the last one, or None."""
    before = found[-1]
    for _ in range(_PICKS):
        word = rng.choice(free)
        if word not in found and all(law(before, word) for law in follows):
            return word
    return None
