"""Moves as answers: how they are asked for, and spaces within them."""

from __future__ import annotations

import pytest

import envhub
from envhub.families.moves import Pours, Slides


@pytest.mark.parametrize(
    ("name", "one", "several"),
    [
        ("free-block", "give one slide, as a block and a direction, inside", "separated by commas, each as a block"),
        ("ball-sort", "give one move inside", "separated by commas, inside"),
    ],
)
def test_one_move_and_several_are_asked_in_the_right_number(name: str, one: str, several: str) -> None:
    assert one in envhub.make(f"{name}-steps-v0", difficulty=1).reset(seed=1)[0]
    assert several in envhub.make(f"{name}-v0", difficulty=1).reset(seed=1)[0]


def test_spaces_within_a_move_do_not_matter() -> None:
    for answer, text in ((Slides(), "A  right , B  up"), (Pours(), "A  >  B;  C  to  D")):
        reading = answer.read(f"<answer>{text}</answer>")
        assert reading.reason is None, text
        assert len(reading.value) == 2
    assert Slides().read("<answer>A ri ght</answer>").reason == "unreadable"
