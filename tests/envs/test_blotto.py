"""blotto-v0: who wins a round, what is a division, and that foresight pays."""

from __future__ import annotations

from math import comb
from typing import Any

import pytest
from hypothesis import given, strategies as st

import envhub
from envhub.difficulty import resolve
from envhub.envs.games.blotto import Allocation, Blotto, Params, State, beats, divisions
from envhub.errors import InvalidParameters
from envhub.seeding import Stream
from envhub.types import Instance

GAME = Blotto()


@pytest.mark.parametrize(
    ("mine", "other", "won"),
    [((4, 4, 0), (3, 3, 2), 1), ((8, 0, 0), (7, 1, 0), 0), ((3, 3, 2), (3, 3, 2), 0), ((1, 1, 6), (2, 2, 4), -1)],
)
def test_who_wins_a_round(mine: tuple[int, ...], other: tuple[int, ...], won: int) -> None:
    assert beats(mine, other) == won == -beats(other, mine)


@given(st.integers(2, 4), st.integers(0, 9))
def test_every_division_is_there_once(fields: int, troops: int) -> None:
    found = divisions(fields, troops)
    assert len(found) == len(set(found)) == comb(troops + fields - 1, fields - 1)
    assert all(len(division) == fields and sum(division) == troops for division in found)


@pytest.mark.parametrize("text", ["4 3 1", "4,3,1", "4, 3, 1", "[4, 3, 1]", "(4 3 1)"])
def test_a_division_is_read_in_every_form(text: str) -> None:
    assert Allocation().read(f"<answer>{text}</answer>").value == (4, 3, 1)


@pytest.mark.parametrize("text", ["", "4 3 x", "-1 4 5", "4.5 3 1", "1 " * 20, "99999 1 1"])
def test_what_is_none_is_not(text: str) -> None:
    assert Allocation().read(f"<answer>{text}</answer>").reason is not None


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ((4, 4), "There are 3 fields, and you gave 2 numbers."),
        ((4, 4, 4), "You have 8 troops, and placed 12."),
        ((4, 4, 0), ""),
    ],
)
def test_what_is_wrong_with_a_division_is_told(value: tuple[int, ...], why: str) -> None:
    inst = Instance({"fields": 3, "troops": 8, "rounds": 1, "player": 0, "opponent": "random", "target": 1.0})
    assert GAME.fault(inst, GAME.start(inst), value) == why


def test_a_lead_longer_than_the_match_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="lead <= rounds"):
        resolve(Params, None, {"rounds": 2, "lead": 3})


@pytest.mark.parametrize(
    "wrong", [{"fields": 2}, {"fields": 3, "troops": 3}, {"fields": 5, "troops": 5}, {"troops": 3}]
)
def test_what_cannot_be_won_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InvalidParameters, match=r"troops|fields"):
        resolve(Params, None, wrong)


@pytest.mark.parametrize("fields", [3, 4, 5])
def test_every_division_can_be_beaten_with_more_troops_than_fields(fields: int) -> None:
    for troops in (fields + 1, fields + 2, 2 * fields):
        resolve(Params, None, {"fields": fields, "troops": troops})
        moves = divisions(fields, troops)
        assert all(any(beats(move, other) > 0 for move in moves) for other in moves)
    even = (1,) * fields  # negative control: with as many troops as fields one cannot
    assert not any(beats(move, even) > 0 for move in divisions(fields, fields))


@pytest.mark.parametrize(("fields", "last"), [(2, (5, 3)), (3, (1, 1, 1))])
def test_greedy_moves_where_nothing_wins(fields: int, last: tuple[int, ...]) -> None:
    """No task has such parameters any more; an opponent finds a move all the same."""
    inst = Instance(
        {"fields": fields, "troops": sum(last), "rounds": 2, "player": 0, "opponent": "greedy", "target": 1.0}
    )
    s = State(1, 1, None, 0, ((last, last),))
    assert {GAME.greedy(inst, s, 1, Stream(b"b", n)) for n in range(20)} <= set(GAME.legal(inst, s))


@pytest.mark.parametrize("level", range(1, 11))
def test_the_oracle_leads_at_every_level(level: int) -> None:
    env = envhub.make("blotto-v0", difficulty=level)
    env.reset(seed=level)
    over = False
    while not over:
        _, reward, over, _, _ = env.step(env.solve())
    assert reward == 1.0


def foresee(env: Any) -> str:
    """The best answer to all that greedy may do, which answers what was done last."""
    game, inst, s = env.author, env.episode.instance, env.episode.state.s
    moves = game.legal(inst, s)
    mine = s.past[-1][inst.problem["player"]] if s.past else None
    theirs = [move for move in moves if mine is None or beats(move, mine) > 0]
    best = max(moves, key=lambda move: sum(beats(move, other) for other in theirs))
    return f"<answer>{game.write_move(best)}</answer>"


def test_who_sees_through_the_habit_gets_the_lead_without_seeing_the_choice() -> None:
    solved = {1: 0, 10: 0}
    for level in solved:
        env = envhub.make("blotto-v0", difficulty=level)
        for seed in range(20):
            env.reset(seed=seed)
            over = False
            while not over:
                _, _, over, _, info = env.step(foresee(env))
            solved[level] += info["verdict"]["solved"]
    assert solved[1] > 8
    assert 0 < solved[10] < 20
