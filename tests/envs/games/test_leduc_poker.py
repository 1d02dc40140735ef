"""leduc-poker-v0: the game's value, the equilibrium, and decisions judged without luck."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

import envhub
from envhub.authoring.game import CHANCE, best_response, exploitability, game_value
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.games.poker import leduc
from envhub.envs.games.poker.leduc_poker import LeducPoker
from envhub.envs.games.poker.match import State
from envhub.envs.games.poker.rules import acts
from tests.envs.playing import by_strategy, match

GAME = LeducPoker()
ONE = Instance({"hands": 1, "habits": [], "opponent": "optimal", "slips": 0, "player": 0, "target": 0.0})
START = GAME.start(ONE)
HABITS: dict[str, Any] = {
    "optimal": lambda s: GAME.strategy(ONE, s),
    "greedy": lambda s: [(GAME.greedy(ONE, s, 0, Stream(b"g")), 1)],
    "random": lambda s: [(move, 1) for move in GAME.legal(ONE, s)],
}


def test_the_value_is_as_published_and_hardly_anything_is_gained_by_another_strategy() -> None:
    """-0.085606 chips a hand for who acts first (OpenSpiel's leduc_poker)."""
    assert game_value(GAME, ONE, START, HABITS["optimal"]) == pytest.approx(-0.085606424, abs=1e-6)
    assert 0 <= exploitability(GAME, ONE, START, HABITS["optimal"]) < 2e-4


def test_other_strategies_are_exploitable() -> None:
    assert exploitability(GAME, ONE, START, HABITS["random"]) == pytest.approx(2.373611, abs=1e-6)  # as OpenSpiel's
    assert exploitability(GAME, ONE, START, HABITS["greedy"]) > 0.3


def test_as_many_information_states_as_there_are() -> None:
    """936 with suits (OpenSpiel); 288 with ranks alone."""
    suited: dict[tuple[Any, str], int] = {}

    def go(s: State) -> None:
        mover = GAME.to_move(s)
        if isinstance(mover, int):
            card, public = s.cards[mover], s.seen.partition("/")[2][:1]
            ways = 2 * (1 if not public or public == card else 2)  # two cards of a rank; one is left beside its own
            suited[mover, GAME.observe(ONE, s, mover)] = ways
        if mover is None:
            return
        moves = [m for m, _ in GAME.chances(ONE, s)] if mover == CHANCE else GAME.legal(ONE, s)
        for move in moves:
            go(GAME.play(ONE, s, move))

    go(START)
    assert len(suited) == 288 == len(leduc.table())
    assert sum(suited.values()) == 936
    assert all(sum(weights) == 10_000 for weights in leduc.table().values())


@pytest.mark.parametrize(
    ("cards", "seen", "won"),
    [
        ("KJ", "cc/Qcc", 1),
        ("KJ", "cc/Jcc", -1),
        ("QQ", "crrc/Krrc", 0),
        ("KQ", "crrc/Jrrc", 13),
        ("KJ", "rf", 1),
        ("KJ", "crf", -1),
        ("JK", "rrf", -3),
        ("JK", "rc/Qcrf", -3),
        ("JK", "rc/Qcrrf", 7),
    ],
)
def test_what_hands_pay(cards: str, seen: str, won: int) -> None:
    assert leduc.GAME.over(seen)
    assert leduc.GAME.pays(cards, seen) == won


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "random"])
def test_decisions_are_worth_what_playing_them_out_brings(opponent: str) -> None:
    """The best decisions from the deal on bring what a best response does, in either place."""
    first = sum(max(leduc.GAME.worths(opponent, 0, card, "").values()) for card in "JQK") / 3
    assert first == pytest.approx(best_response(GAME, ONE, START, 0, HABITS[opponent]), abs=1e-9)


def play(opponent: str, seed: int, choose: Callable[[Any], str], **params: Any) -> dict[str, Any]:
    return match("leduc-poker-v0", opponent, seed, choose, **params)


def test_whoever_decides_well_is_solved_however_unlucky() -> None:
    payoffs = [play("greedy", seed, lambda env: env.solve(), hands=4, slips=20) for seed in range(20)]
    assert {verdict["solved"] for verdict in payoffs} == {True}
    assert min(verdict["payoff"] for verdict in payoffs) < 0 < max(verdict["payoff"] for verdict in payoffs)


def test_an_equilibrium_makes_no_mistake_against_itself() -> None:
    for seed in range(25):
        assert play("optimal", seed, by_strategy(GAME, Stream(b"mixed", seed)), hands=6)["solved"]


def test_a_lucky_mistake_is_not_solved() -> None:
    lucky = 0
    for seed in range(40):

        def bold(env: Any) -> str:
            words = GAME.legal(env.episode.instance, env.episode.state.s)
            return f"<answer>{words[-1]}</answer>"

        verdict = play("greedy", seed, bold, hands=6)
        lucky += verdict["payoff"] > 0 and not verdict["solved"]
        assert verdict["solved"] is (verdict["score"] == 1.0)
        assert verdict["score"] <= 0.5 or verdict["solved"]
    assert lucky > 2


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), opponent=st.sampled_from(["optimal", "greedy", "random"]))
def test_matches_at_random_pay_what_is_staked_and_show_no_card_of_the_other(seed: int, opponent: str) -> None:
    rng = Stream(b"any", seed)
    s = GAME.start(ONE)
    while (mover := GAME.to_move(s)) is not None:
        if mover == CHANCE:
            s = GAME.play(ONE, s, GAME.draw(ONE, s, rng))
            continue
        twin = GAME.imagine(ONE, s, int(mover), rng)
        assert GAME.observe(ONE, twin, int(mover)) == GAME.observe(ONE, s, int(mover))
        assert GAME.legal(ONE, twin) == GAME.legal(ONE, s)
        worth = leduc.GAME.worths(opponent, 10, s.cards[len(acts(s.seen)) % 2], s.seen)
        assert len(worth) == len(GAME.legal(ONE, s))
        assert all(abs(value) <= leduc.GAME.most for value in worth.values())
        s = GAME.play(ONE, s, GAME.random_move(ONE, s, rng))
    assert abs(s.chips) <= leduc.GAME.most
    assert sum(GAME.paid(ONE, s)) == 0


def test_words_that_do_not_fit_are_told_why() -> None:
    env = envhub.make("leduc-poker-v0", difficulty=None, hands=1, seat=0, opponent="greedy")
    env.reset(seed=0)
    observation, *_ = env.step("<answer>call</answer>")
    assert "call is not a legal move. Legal moves: bet, check." in observation
