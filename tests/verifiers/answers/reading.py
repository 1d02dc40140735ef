"""What the tests of answer types share: the types, texts to read, and what reading must say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from envhub.verifiers.answers.extraction import FORMS
from envhub.verifiers.answers.grids import Grid
from envhub.verifiers.answers.types import AnswerType, Expression, Integer, Rational, Word

TYPES: list[AnswerType] = [Integer(), Rational(), Expression(), Grid(), Word()]
ANYTHING = st.text(st.characters(), max_size=80)
PIECES = st.lists(
    st.sampled_from(
        [
            "<think>",
            "</think>",
            "<answer>",
            "</answer>",
            "\\boxed{",
            "}",
            "{",
            "\n",
            " ",
            "5",
            "12",
            "-",
            ",",
            ".",
            "/",
            "(",
            ")",
            "[",
            "]",
            "|",
            "**",
            "$",
            "`",
            "```",
            "=",
            "+",
            "answer is ",
            "or",
            "\ud800",
            "\x00",
            "\u2212",
            "\u0665",
            "\\frac{",
        ]
    ),
    max_size=20,
).map("".join)
every_type = pytest.mark.parametrize("kind", TYPES, ids=lambda kind: type(kind).__name__)
every_form = pytest.mark.parametrize("form", FORMS)


def tag(text: str) -> str:
    return f"<answer>{text}</answer>"


def value_of(kind: AnswerType, text: str) -> Any:
    reading = kind.read(text)
    assert reading.reason is None, reading
    assert reading.feedback == ""
    return reading.value


def refused(kind: AnswerType, text: str) -> str:
    reading = kind.read(text)
    assert reading.reason is not None, reading
    assert reading.value is None
    assert reading.feedback
    assert not reading.formatted
    return reading.reason
