"""Texts of listed words, judged on their letters as they are written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Final

from envhub.core.types import JSON

_PRIMES: Final = tuple(n for n in range(2, 40) if all(n % k for k in range(2, n)))


def _neighbours(text: str) -> list[tuple[str, str]]:
    """Pairs of words that follow each other in a sentence."""
    found = [sentence.split() for sentence in text.split(".")]
    return [pair for sentence in found for pair in pairwise(sentence)]


LISTED: Final[Mapping[str, Callable[[str, Any], bool]]] = {
    "prime_lengths": lambda text, p: all(len(word) in _PRIMES for word in re.findall("[a-z]+", text)),
    "rising_lengths": lambda text, p: not [1 for one, two in _neighbours(text) if one[len(two) :]],
    "falling_lengths": lambda text, p: not [1 for one, two in _neighbours(text) if two[len(one) :]],
    "parity": lambda text, p: not [1 for one, two in _neighbours(text) if len(one + two) % 2 == 0],
    "lipogram": lambda text, p: text.find(p["letter"]) == -1,
    "univocalic": lambda text, p: not any(vowel in text for vowel in "aeiou" if vowel not in p["vowels"]),
    "alphabetical": lambda text, p: all(sorted(sent.split()) == sent.split() for sent in text.split(".")),
    "alliteration": lambda text, p: all(len({word[0] for word in sent.split()}) < 2 for sent in text.split(".")),
    "chain": lambda text, p: all(two.startswith(one[-1]) for one, two in _neighbours(text)),
    "new_initials": lambda text, p: not any(two.startswith(one[0]) for one, two in _neighbours(text)),
    "letter_total": lambda text, p: len(re.sub("[^a-z]", "", text)) == p["n"],
    "vowel_total": lambda text, p: len(re.sub("[^aeiou]", "", text)) == p["n"],
    "letter_times": lambda text, p: text.count(p["letter"]) == p["n"],
    "initial_times": lambda text, p: len(re.findall(rf"\b{p['letter']}", text)) == p["n"],
    "length_times": lambda text, p: len(re.findall(rf"\b[a-z]{{{p['length']}}}\b", text)) == p["n"],
    "sentence_lengths": lambda text, p: [len(sent.split()) for sent in text.split(".")][:-1] == p["sizes"],
    "acrostic": lambda text, p: "".join(re.findall(r"(?:\A|\.\s)([a-z])", text)) == p["letters"],
    "last_letters": lambda text, p: "".join(re.findall(r"([a-z])\.", text)) == p["letters"],
    "letter_set": lambda text, p: set(p["letters"]).issubset(text),
    "doubled": lambda text, p: len(re.findall(r"\b[a-z]*?([a-z])\1[a-z]*", text)) == p["n"],
}
"""Whether a text of listed words obeys a law or has a measure."""


def accepts(problem: JSON, text: str) -> bool:
    """Whether a text of listed words is right."""
    used = re.findall("[a-z]+", text)
    return (
        re.fullmatch(r"[a-z]+(?: [a-z]+)*\.(?:[ \n][a-z]+(?: [a-z]+)*\.)*", text) is not None
        and sorted(used) == sorted(set(used) & set(problem["list"]))
        and (text.count("."), len(used)) == (problem["sentences"], problem["words"])
        and all(LISTED[name](text, p) for name, p in problem["constraints"])
    )
