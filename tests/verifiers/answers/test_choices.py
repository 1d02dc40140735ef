"""Choices: exactly one of the words, however it is spelled."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.audit.controls import NASTY
from envhub.core.seeding import Stream
from envhub.envs.games.maze.environment import Compass


@pytest.mark.parametrize(
    "text", ["north", "North", "NORTH", "n", "up", "U", "'north'", "north.", "**north**", "Answer: n"]
)
def test_spellings_of_one_word(text: str) -> None:
    assert Compass().read(f"<answer>{text}</answer>").value == "north"
    assert Compass().read(text).value == "north"


@pytest.mark.parametrize(
    "text",
    ["north south", "north, east", "not north", "north or south", "northeast", "nn", "\u017fouth", "-n", "7", "()"],
)
def test_what_is_not_exactly_one_word(text: str) -> None:
    found = Compass().read(f"<answer>{text}</answer>")
    assert (found.value, found.reason) == (None, "unreadable")
    assert "north, south, east, west" in found.feedback


def test_two_words_are_one_answer_only_when_they_mean_the_same() -> None:
    assert Compass().read("<answer>n</answer><answer>up</answer>").value == "north"
    assert Compass().read("<answer>n</answer><answer>down</answer>").reason == "ambiguous"


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_nasty_texts_are_no_choice(text: str) -> None:
    assert Compass().read(text).reason is not None


@given(st.integers(0, 10**9), st.text(max_size=30))
def test_random_choices_are_read_and_no_text_raises(seed: int, text: str) -> None:
    assert Compass().read(Compass().random(Stream(b"choice", seed))).reason is None
    Compass().read(text)
