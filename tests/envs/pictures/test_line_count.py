"""line-count-v0: numbers in order or by symbol, and what is no such list."""

from __future__ import annotations

import pytest

from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.pictures.line_count import Counts, LineCount, lines
from tests.verifiers.answers.reading import tag, value_of

GAME = LineCount()
BOARD = ["AAGE", "GGGE", "AEAE"]
INST = Instance({"board": BOARD, "order": ["G", "A", "E"]}, key="2, 1, 1")


def solves(text: str) -> bool:
    turn = GAME.advance(INST, None, f"<answer>{text}</answer>", Stream(b"x"))
    assert isinstance(turn, Turn)
    assert turn.verdict is not None
    return turn.verdict.solved


def test_the_key_is_the_count() -> None:
    assert lines(BOARD) == {"A": 1, "E": 1, "G": 2}


@pytest.mark.parametrize(
    "text",
    [
        *(
            "2, 1, 1",
            "[2, 1, 1]",
            "G: 2, A: 1, E: 1",
            "A: 1, E: 1, G: 2",
            "g = 2; a = 1; e = 1",
            "- G: 2\n- A: 1\n- E: 1",
        ),
        *("**G**: 2\n**E**: 1\n**A**: 1", "cyan cross: 2, red circle: 1, purple diamond: 1", "{G: 2, A: 1, E: 1}"),
    ],
)
def test_right_counts_are_read(text: str) -> None:
    assert solves(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "1, 2, 1",
            "G: 1, A: 2, E: 1",
            "A: 2, G: 1, E: 1",
            "G: 2, A: 1",
            "G: 2, A: 1, E: 1, B: 0",
            "X: 2, Y: 1, Z: 1",
        ),
        *(
            "G: 2, G: 2, A: 1, E: 1",
            "G: 2, 1, 1",
            "G 2, A 1, E 1",
            "G: 2 or 3, A: 1, E: 1",
            "G: A, A: 1, E: 1",
            "2: 1: 1",
            "",
        ),
        *("cyan cross: 2, A: 1, E: 1", "G: 2, A: 1, E: 1, G: 2", "A: 2, 1, 1", "not G: 2, A: 1, E: 1"),
    ],
)
def test_wrong_counts_and_other_texts_do_not_count(text: str) -> None:
    assert not solves(text)


def test_the_type_reads_what_it_promises() -> None:
    kind = Counts()
    values = [[value_of(kind, tag(text)) for text in group] for group in Counts.alike]
    for at, group in enumerate(values):
        assert all(value == group[0] for value in group), Counts.alike[at]
        assert all(group[0] != other[0] for other in values[:at])
    for text in Counts.refused:
        assert kind.read(tag(text)).reason is not None, text
