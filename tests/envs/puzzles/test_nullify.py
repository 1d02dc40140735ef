"""nullify-steps-v0: what a move costs, and units that cannot be used."""

from __future__ import annotations

from fractions import Fraction

import pytest

from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.puzzles.moves.nullify import NullifySteps, applied

GAME = NullifySteps()


def test_nothing_grows_without_bound() -> None:
    assert applied(Fraction(40_000), "square") is None
    assert applied(Fraction(30_000), "square") == 900_000_000


def say(inst: Instance, *texts: str) -> Turn:
    state, turn = GAME.begin(inst, Stream(b"x")), None
    for text in texts:
        turn = GAME.advance(inst, state, f"<answer>{text}</answer>", Stream(b"x"))
        assert isinstance(turn, Turn)
        state = turn.state
    assert turn is not None
    return turn


INST = Instance({"units": ["+4", "*2", "-8", "sqrt"], "limit": 4}, key={"moves": [], "steps": 0})


def test_a_solution_wins_and_a_wrong_order_does_not() -> None:
    won = Instance({"units": ["+4", "*2", "-8"], "limit": 2}, key={"moves": [], "steps": 0})
    solved, lost = say(won, "B>A", "C>A"), say(won, "C>A", "B>A")
    assert solved.verdict is not None
    assert solved.verdict.solved
    assert lost.verdict is not None
    assert not lost.verdict.solved
    assert say(INST, "D>A", "B>A", "C>A").verdict is None  # 2 * 2 - 8 is not 0


@pytest.mark.parametrize("text", ["A>A", "A>B", "E>A", "D>C", "B", "A+C", "B>A, C>A", "0", "B>A or C>A", "", "C>Z"])
def test_what_cannot_be_used_costs_a_move(text: str) -> None:
    turn = say(INST, text)
    assert turn.info["rejected"]
    assert turn.state.left == 3
    assert turn.state.at == GAME.begin(INST, Stream(b"x")).at


def test_the_oracle_writes_a_move_even_if_none_is_possible() -> None:
    inst = Instance(INST.problem, key={"moves": [["d", "a"], ["b", "a"], ["c", "a"]], "steps": 0})
    stuck = say(inst, "D>A", "B>A", "C>A").state
    assert GAME.legal_answers(inst, stuck) == []
    assert GAME.answer.parse(GAME.solve(inst, stuck)) == (("d", "a"),)
