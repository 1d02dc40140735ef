"""Labels: what people write is read, what contradicts itself is not, and nothing raises."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from envhub.audit.controls import NASTY
from envhub.verifiers.answers.labels import Labels

ROLES = Labels(labels=("knight", "knave"))
BOTH = {"ann": "knight", "bob": "knave"}


@pytest.mark.parametrize(
    "text",
    [
        "Ann: knight, Bob: knave",
        "bob: KNAVE; ANN: Knight.",
        "Ann is a knight, Bob is a knave",
        "Ann is a knight and Bob is a knave.",
        "Ann = knight\nBob = knave",
        "- Ann: knight\n- Bob: knave",
        "1. **Ann**: knight\n2. **Bob**: knave",
        '{"Ann": "knight", "Bob": "knave"}',
        "Ann -> knight, and Bob -> knave",
        "Ann: a knight, Bob: a knave, Ann: knight",
        "```\nAnn: knight\nBob: knave\n```",
        "The answer is: Ann: knight, Bob: knave",
    ],
)
def test_ways_to_write_labels(text: str) -> None:
    assert ROLES.read(f"<answer>{text}</answer>").value == BOTH


@pytest.mark.parametrize("text", ["Ann: knight, Bob: knave", "Ann: knight\nBob: knave", "- Ann: knight\n- Bob: knave"])
def test_labels_at_the_end_of_a_text(text: str) -> None:
    assert ROLES.read(f"I thought hard about it, and here it is.\n\n{text}").value == BOTH


@pytest.mark.parametrize(
    "text",
    [
        "Ann: knight, Ann: knave",
        "Ann: knight, Bob",
        "Ann: knight or knave",
        "Ann: knight, Bob: spy",
        "Ann is not a knight, Bob: knave",
        "not Ann: knight, Bob: knave",
        "anything but Ann: knight, Bob: knave",
        "Ann: not a knight",
        "Ann and Bob are knights",
        "knight, knave",
        "Ann: knight, Bob: knave, I guess",
        "Ann: knight, Bob: knave or the other way round",
        "Ann: knight/knave",
        "{}",
        ",,,",
    ],
)
def test_what_is_no_list_of_labels_is_refused(text: str) -> None:
    assert ROLES.read(f"<answer>{text}</answer>").value is None


def test_two_lists_that_differ_are_ambiguous_and_two_that_agree_are_not() -> None:
    one, other = "<answer>Ann: knight</answer>", "<answer>Ann: knave</answer>"
    assert ROLES.read(one + other).reason == "ambiguous"
    assert ROLES.read(one + "<answer>Ann is a knight</answer>").value == {"ann": "knight"}


@pytest.mark.parametrize("text", NASTY)
def test_nasty_texts_are_read_as_nothing(text: str) -> None:
    assert ROLES.read(text).value is None


@given(st.text(st.sampled_from('Annbo:=,;\n- isaknightve{}<>|*."1'), max_size=80))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    for wrapped in (text, f"<answer>{text}</answer>"):
        reading = ROLES.read(wrapped)
        assert (reading.value is None) == (reading.reason is not None)
