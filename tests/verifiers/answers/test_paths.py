"""Paths: what is read as a path with its cost, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.audit.controls import NASTY
from envhub.core.seeding import Stream
from envhub.verifiers.answers.claims import Claim
from envhub.verifiers.answers.paths import Path

RIGHT = Claim(("B", "D", "A"), 17)


@pytest.mark.parametrize(
    "text",
    [
        "B -> D -> A, cost 17",
        "B->D->A cost 17",
        "b -> d -> a, cost 17",
        "B \u2192 D \u2192 A, cost: 17",
        "B => D => A = 17",
        "B, D, A, cost 17",
        "B D A cost 17",
        "[B, D, A], total cost = 17",
        "B --> D --> A (cost 17)",
        "B -> D -> A (total cost: 17)",
        "B -> D -> A\nTotal cost: 17",
        "B \\to D \\rightarrow A, cost 17.",
        "**B -> D -> A, cost 17**",
        "B -> D -> A with total cost of 17",
    ],
)
def test_ways_to_write_a_path(text: str) -> None:
    assert Path().read(f"<answer>{text}</answer>").value == RIGHT


@pytest.mark.parametrize(
    "text",
    [
        "B -> D -> A",
        "17",
        "cost 17",
        "B -> D -> A, cost",
        "B -> D -> A, cost 17 or 18",
        "B -> D -> A, cost 17, cost 18",
        "B -> D -> A, cost -17",
        "B -> D -> A, cost 17.5",
        "-B -> D -> A, cost 17",
        "B -> -> A, cost 17",
        "B -> D, A, cost 17",
        "B -> D -> A = 17 = 18",
        "B - D - A, cost 17",
        "B -> D -> A, cost 9999999999999",
        "B -> (D) -> A, cost 17",
        "B" + " -> B" * 250 + ", cost 17",
    ],
)
def test_what_is_no_path(text: str) -> None:
    found = Path().read(f"<answer>{text}</answer>")
    assert (found.value, found.reason) == (None, "unreadable")
    assert found.feedback


def test_the_same_path_twice_is_one_answer_and_two_paths_or_costs_are_none() -> None:
    one, other = "<answer>B -> D, cost 3</answer>", "<answer>B -> D, cost 4</answer>"
    assert Path().read(one + "<answer>B, D = 3</answer>").value == Claim(("B", "D"), 3)
    assert Path().read(one + other).reason == "ambiguous"


def test_a_node_may_be_called_as_a_word_is() -> None:
    assert Path().parse("A B A cost 5").witness == ("A", "B", "A")
    assert Path().parse("OF -> IS -> WITHIN, cost 5").witness == ("OF", "IS", "WITHIN")


@given(st.text(st.sampled_from("AB ->=,;:cost()[]0179\n\u2192\\to"), max_size=60) | st.text(max_size=60))
def test_no_text_raises(text: str) -> None:
    Path().read(text)
    Path().read(f"<answer>{text}</answer>")


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_nasty_texts_are_no_paths(text: str) -> None:
    assert Path().read(text).reason is not None


@given(st.integers(0, 10**9))
def test_random_answers_are_read(seed: int) -> None:
    assert Path().read(Path().random(Stream(b"path", seed))).reason is None
