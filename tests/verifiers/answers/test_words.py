"""Words as answers: what is read as one, and above all what is not."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.verifiers.answers.extraction import FORMS
from envhub.verifiers.answers.types import Word
from tests.verifiers.answers.reading import refused, tag, value_of


@pytest.mark.parametrize(
    "text",
    [
        "apple",
        "Apple",
        " APPLE. ",
        '"apple"',
        "'apple'",
        "**apple**",
        "The answer is apple.",
        "answer: Apple",
        "Apple!",
    ],
)
def test_words_are_read_whatever_their_case(text: str) -> None:
    assert value_of(Word(), tag(text)) == "apple"


@pytest.mark.parametrize(
    "text",
    [
        "apple pear",
        "apple, pear",
        "apple or pear",
        "not apple",
        "apple?",
        "app1e",
        "apple-pie",
        "ap\nple",
        "5",
        "",
        "''",
        "a" * 65,
        "apple/pear",
        "apple\x00",
        "the answer is not apple",
        "answer island",
        "<b>apple</b>",
        "apple\u200b",
    ],
)
def test_nothing_but_one_word_is_a_word(text: str) -> None:
    assert refused(Word(), tag(text)) in ("unreadable", "empty")


@given(st.text(st.characters(categories=["Lu", "Ll"]), min_size=1, max_size=20), st.sampled_from(FORMS))
def test_every_word_is_read_back(word: str, form: str) -> None:
    kind = Word().asking(form)
    assert value_of(kind, kind.wrap(word)) == word.casefold()
