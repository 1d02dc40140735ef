"""Short answers are compared as a whole, and only what does not matter is left out."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.seeding import Stream
from envhub.verifiers.answers.phrases import Phrase, is_one_of, is_unclear, judged, normal

ANSWERS = ("Silver Door", "the baker Ada Reed", "1987", "4", "not in the corpus")


@pytest.mark.parametrize(
    "text",
    [
        "Silver Door",
        "\u201cThe Silver Door\u201d.",
        " silver  door ",
        "**The Baker Ada Reed**",
        "1987.",
        "four",
        "Not in the corpus.",
    ],
)
def test_what_counts(text: str) -> None:
    assert is_one_of(text, ANSWERS)
    assert Phrase().read(f"<answer>{text}</answer>").value in map(normal, ANSWERS)


@pytest.mark.parametrize(
    "text",
    [
        "", "the", ".", "Ada Reed", "Silver", "Silver Door or Gold Door", "Silver Door, Gold Door", "not Silver Door",
        "-1987", "1987 or 1988", "19.87", "It is the Silver Door", "4 works", "40",
        "the Silver Door" + " " * 300 + "or not", "in the corpus",
    ],
)  # fmt: skip
def test_what_does_not(text: str) -> None:
    assert not is_one_of(text, ANSWERS)


@pytest.mark.parametrize(
    ("text", "unclear"),
    [
        ("Gold Door", False),
        ("it rains " * 6, False),
        ("it rains " * 6 + "here", True),
        ("perhaps Gold Door", True),
        ("the old Silver Door there", True),
        ("a Silver Doorknob", False),
        ("not in the corpus, perhaps", True),
        ("4 people", True),
        ("Four people", True),
        ("Five people", False),
    ],
)
def test_what_says_more_than_a_name_is_unclear(text: str, unclear: bool) -> None:
    assert is_unclear(text, [*ANSWERS, "."]) is unclear
    assert judged(text, ANSWERS).status == ("no_answer" if unclear else "graded")


def test_any_of_several_answers_among_other_words_is_unclear() -> None:
    assert is_unclear("the silver door there", ["Silver Door", "Gold Gate"])
    assert is_unclear("the gold gate there", ["Silver Door", "Gold Gate"])
    assert not is_unclear("silver gate", ["Silver Door", "Gold Gate"])


def test_an_answer_known_to_be_wrong_is_wrong_whatever_its_words() -> None:
    assert judged("not in the corpus", ANSWERS[:1]).status == "no_answer"
    assert judged("not in the corpus", ANSWERS[:1], ANSWERS[-1:]).status == "graded"


@given(st.text())
def test_no_text_fails_and_the_normal_form_is_its_own(text: str) -> None:
    Phrase().read(text)
    assert isinstance(is_one_of(text, ANSWERS), bool)
    assert normal(Phrase().random(Stream(b"", text))).isdigit()
