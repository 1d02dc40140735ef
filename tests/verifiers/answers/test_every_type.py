"""What holds of every answer type: its forms, its prompt, and that no text makes reading fail."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.verifiers.answers.extraction import FORMS
from envhub.verifiers.answers.types import AnswerType, Integer
from tests.verifiers.answers.reading import ANYTHING, PIECES, every_form, every_type, refused, tag


@every_type
@given(text=ANYTHING | PIECES)
def test_no_text_makes_reading_fail(kind: AnswerType, text: str) -> None:
    for whole in (text, tag(text), f"\\boxed{{{text}}}", f"5\n{text}"):
        reading = kind.read(whole)
        assert (reading.value is None) == (reading.reason is not None)
        assert reading.reason in (None, "empty", "unreadable", "ambiguous")
        assert bool(reading.feedback) == (reading.reason is not None)
        assert len(reading.text) <= 200
        reading.feedback.encode()  # may be sent as it is: it holds no lone surrogate


@every_type
@every_form
@given(key=st.binary(max_size=8))
def test_what_a_type_draws_is_read_back_in_every_form(kind: AnswerType, form: str, key: bytes) -> None:
    asking = kind.asking(form)
    text = asking.random(Stream(key))
    reading = asking.read(asking.wrap(text))
    assert reading.reason is None
    assert reading.value == kind.parse(text)
    assert reading.formatted


@every_type
@every_form
def test_the_prompt_states_the_form_with_an_example_that_is_read(kind: AnswerType, form: str) -> None:
    asking = kind.asking(form)
    instruction = asking.instruction()
    assert kind.noun in instruction
    assert instruction.endswith(asking.wrap(kind.example))
    reading = asking.read(asking.wrap(kind.example))
    assert reading.formatted
    assert reading.value == kind.parse(kind.example)


def test_an_unreadable_text_without_the_form_is_told_where_the_answer_belongs() -> None:
    place = "inside <answer> tags"
    assert place in Integer().read("It is 42 because 6 times 7 is.").feedback
    assert "inside \\boxed{}" in Integer().asking("boxed").read("It is 42 because 6 times 7 is.").feedback
    assert place not in Integer().read("<answer>forty-two of them</answer>").feedback
    assert place not in Integer().asking("last").read("It is 42 because 6 times 7 is.").feedback


@every_type
@every_form
def test_other_forms_are_read_as_well_but_are_not_well_formatted(kind: AnswerType, form: str) -> None:
    for other in FORMS:
        reading = kind.asking(form).read(kind.asking(other).wrap(kind.example))
        assert reading.reason is None
        assert reading.formatted == (form == other)


@every_type
@pytest.mark.parametrize("text", ["", " \n\t ", "<answer></answer>", "<answer> \n </answer>", "\\boxed{}", "<think>5"])
def test_nothing_is_empty(kind: AnswerType, text: str) -> None:
    assert refused(kind, text) == "empty"


@every_type
@pytest.mark.parametrize(
    "text", ["I don't know, sorry.", "nan?!", "\x00\x01", "\ud800!", "<answer>?</answer>", "lambda: 0"]
)
def test_words_are_unreadable(kind: AnswerType, text: str) -> None:
    assert refused(kind, text) in ("unreadable", "empty")  # the tail of a text may hold no grid at all


def test_an_answer_format_that_does_not_exist_is_named_with_the_nearest() -> None:
    with pytest.raises(InvalidParameters, match="Did you mean 'boxed'"):
        Integer().asking("box")
    with pytest.raises(InvalidParameters, match="tag, boxed, last"):
        Integer().asking(3)


def test_the_text_that_is_kept_is_short() -> None:
    assert Integer().read(tag("9" * 500)).text == "9" * 200
