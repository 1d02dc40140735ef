"""What people put around an answer is taken off, and nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given

from envhub.verifiers.answers.types import Integer
from envhub.verifiers.answers.unwrapping import undecorated
from tests.verifiers.answers.reading import ANYTHING, refused, tag, value_of


@pytest.mark.parametrize(
    "text",
    [
        "5",
        " 5 ",
        "5.",
        "**5**",
        "$5$",
        "$$5$$",
        "`5`",
        "\\(5\\)",
        "\\[5\\]",
        "\\boxed{5}",
        "$\\boxed{5}$",
        "**5.**",
        "**5**.",
        "answer: 5",
        "Answer = 5",
        "The answer is 5.",
        "the final answer is: **5**",
        "Final answer: $5$",
        "The answer is\n5",
    ],
)
def test_what_people_put_around_an_answer_is_taken_off(text: str) -> None:
    assert undecorated(text) == "5"
    assert value_of(Integer(), tag(text)) == 5
    if "\n" not in text:
        assert value_of(Integer(), f"Let me think.\n{text}") == 5


@pytest.mark.parametrize(
    "text",
    [
        "5..",
        "5...",
        "$5$ or $6$",
        "**5** or **6**",
        "`5`, `6`",
        "\\boxed{5} + \\boxed{6}",
        "$5",
        "5$",
        "(5)",
        "[5]",
        "5!",
        "'5'",
        "answer 5",
        "the answer isn't 5",
        "*5*",
        "five",
        "**-**5",
        "5 apples",
        "x = 5 = 6",
        "2x = 5",
        "x != 5",
        "not = 5",
    ],
)
def test_anything_else_around_an_answer_stays(text: str) -> None:
    assert refused(Integer(), tag(text)) == "unreadable"


@given(ANYTHING)
def test_taking_decoration_off_never_adds_anything(text: str) -> None:
    assert undecorated(text) in text
