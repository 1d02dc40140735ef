"""number-link-v0: boards that cheat, and right ones that the key does not have."""

from __future__ import annotations

import pytest

from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.puzzles.number_link import NumberLink

GAME = NumberLink()
SMALL = Instance({"height": 3, "width": 3, "ends": [[0, 6], [1, 8]], "walls": [4]}, key=[1, 2, 2, 1, 0, 2, 1, 1, 2])


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1 2 2\n1 1 2\n1 2 2",
            "1 2 2\n1 0 2\n1 2 2",
            "2 1 1\n2 0 1\n2 2 1",
            "1 2 2\n0 0 2\n1 1 2",
            "1 1 1\n1 0 1\n1 1 1",
        ),
        *(
            "1 2 2\n1 0 2",
            "1 2 2 2\n1 0 2 2\n1 1 2 2",
            "1 2 3\n1 0 2\n1 1 2",
            "1 2 2\n1 0 2\n1 1 9",
            "0 0 0\n0 0 0\n0 0 0",
        ),
        *("x", "", "1 2 2\n1 # 2\n1 1 2", "1 2 2 / 1 0 2 / 1 1 2", "1 1 2\n1 0 2\n1 2 2"),
    ],
)
def test_a_board_that_breaks_a_rule_does_not_count(text: str) -> None:
    turn = GAME.advance(SMALL, None, f"<answer>{text}</answer>", Stream(b"x"))
    assert isinstance(turn, Turn)
    assert turn.verdict is not None
    assert not turn.verdict.solved


def test_a_board_that_keeps_the_rules_counts() -> None:
    inst = Instance({"height": 2, "width": 4, "ends": [[0, 3], [4, 7]], "walls": []}, key=[1, 1, 1, 1, 2, 2, 2, 2])
    turn = GAME.advance(inst, None, "<answer>\n1 1 1 1\n2 2 2 2\n</answer>", Stream(b"x"))
    assert isinstance(turn, Turn)
    assert turn.verdict is not None
    assert turn.verdict.solved


def test_a_closed_line_beside_the_right_one_does_not_count() -> None:
    ends = [[4, 6], [7, 11], [0, 20]]
    board = [[3, 1, 1, 1, 1], [3, 1, 2, 2, 2], [3, 2, 1, 1, 2], [3, 2, 1, 1, 2], [3, 2, 2, 2, 2]]
    inst = Instance({"height": 5, "width": 5, "ends": ends, "walls": []}, key=[])
    verdict = GAME.grade(inst, board)
    assert verdict.feedback == "The cells with 1 are not connected."
    assert not verdict.solved
    walled = Instance({**inst.problem, "walls": [12, 13, 17, 18]}, key=[])
    assert GAME.grade(
        walled,
        [
            [0 if (r, c) in {(2, 2), (2, 3), (3, 2), (3, 3)} else n for c, n in enumerate(row)]
            for r, row in enumerate(board)
        ],
    ).solved
