"""NetHack's actions as words, and its levels, without NetHack."""

from __future__ import annotations

import pytest

from envhub.adapters.nle.actions import ACTIONS, OneAction, keys_of
from envhub.adapters.nle.tables import LEVELS, TASKS

ENDING = [
    ord("S"),
    ord("Q") | 0x80,
    ord("q") | 0x80,
    ord("#"),
    ord("!"),
    ord("O"),
    ord("X"),
    ord("v"),
    0x1A,
    0x12,
    0x18,
]
"""Save, quit, extended commands, shell, options, explore mode, version, suspend, redraw, attributes."""


def test_no_action_saves_quits_or_asks_about_the_program() -> None:
    assert not {keys[0] for keys in ACTIONS.values()} & {*ENDING}
    assert not any(len(keys) > 1 and name != "search 10" for name, keys in ACTIONS.items())


@pytest.mark.parametrize("action", ["S", "O", "#", "!", "X", "v", "Q", "q", "y"])
def test_a_character_is_an_action_only_while_the_game_asks(action: str) -> None:
    assert keys_of(action, asked=False) is None
    assert keys_of(action, asked=True) == (None if action in "#!" else [ord(action)])


def test_names_are_read_in_any_case_and_characters_keep_theirs() -> None:
    read = OneAction().read
    assert read("<answer> Far  North </answer>").value == "far north"
    assert read("<answer>Y</answer>").value == "Y"
    assert read("<answer>y</answer>").value == read("<answer>'y'</answer>").value == "y"
    assert read('<answer>"Far east"</answer>').value == "far east"
    assert keys_of("far north", asked=False) == [ord("K")]


@pytest.mark.parametrize("text", ["save", "quit", "#quit", "\x1b", "north south", "", "S!", "\x03"])
def test_other_texts_are_no_actions(text: str) -> None:
    assert OneAction().read(f"<answer>{text}</answer>").reason is not None


def test_levels_have_every_task_that_keys_alone_do_not_solve() -> None:
    assert len(LEVELS) == 10
    assert {goal.task for level in LEVELS for goal in level} == {*TASKS} - {"eat"}
