"""kuhn-poker-v0: the game's value, the equilibrium, and decisions judged without luck."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import envhub
from envhub.authoring.game import Opponent, best_response, choose, exploitability, game_value
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.games.poker import kuhn
from envhub.envs.games.poker.kuhn_poker import KuhnPoker
from envhub.envs.games.poker.match import State
from tests.envs.games.poker_rates import any_letter
from tests.envs.playing import by_strategy, match

GAME = KuhnPoker()
ONE = Instance({"hands": 1, "habits": [], "opponent": "optimal", "slips": 0, "player": 0, "target": 0.0})
START = GAME.start(ONE)


def equilibrium(s: State) -> Any:
    return GAME.strategy(ONE, s)


def test_the_value_is_minus_an_eighteenth_and_nobody_gains_by_another_strategy() -> None:
    assert game_value(GAME, ONE, START, equilibrium) == pytest.approx(-1 / 18)
    assert exploitability(GAME, ONE, START, equilibrium) == pytest.approx(0, abs=1e-12)
    assert best_response(GAME, ONE, START, 0, equilibrium) == pytest.approx(-1 / 18)


def test_other_strategies_are_exploitable() -> None:
    assert exploitability(GAME, ONE, START, lambda s: [(move, 1) for move in GAME.legal(ONE, s)]) > 0.3
    assert exploitability(GAME, ONE, START, lambda s: [(GAME.greedy(ONE, s, 0, Stream(b"g")), 1)]) > 0.1


def test_there_are_thirty_ends() -> None:
    def ends(s: State) -> int:
        mover = GAME.to_move(s)
        if mover is None:
            return 1
        moves = [m for m, _ in GAME.chances(ONE, s)] if mover == "chance" else GAME.legal(ONE, s)
        return sum(ends(GAME.play(ONE, s, move)) for move in moves)

    assert ends(START) == 30


@pytest.mark.parametrize(
    ("cards", "seen", "won"),
    [("KJ", "cc", 1), ("JK", "cc", -1), ("QK", "rc", -2), ("KQ", "crc", 2), ("JK", "rf", 1), ("KJ", "crf", -1)],
)
def test_what_hands_pay(cards: str, seen: str, won: int) -> None:
    assert kuhn.GAME.over(seen)
    assert kuhn.GAME.pays(cards, seen) == won


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "random"])
def test_decisions_are_worth_what_playing_them_out_brings(opponent: str) -> None:
    """The best decisions from the deal on bring what a best response does."""
    inst = Instance({**ONE.problem, "opponent": opponent})
    habits = {
        "optimal": equilibrium,
        "greedy": lambda s: [(GAME.greedy(inst, s, 0, Stream(b"g")), 1)],
        "random": lambda s: [(move, 1) for move in GAME.legal(inst, s)],
    }
    first = sum(max(kuhn.GAME.worths(opponent, 0, card, "").values()) for card in "JQK") / 3
    assert first == pytest.approx(best_response(GAME, inst, START, 0, habits[opponent]), abs=1e-8)


def play(opponent: str, seed: int, choose: Callable[[Any], str], **params: Any) -> dict[str, Any]:
    return match("kuhn-poker-v0", opponent, seed, choose, **params)


def test_whoever_decides_well_is_solved_however_unlucky() -> None:
    payoffs = [play("optimal", seed, lambda env: env.solve(), hands=5) for seed in range(30)]
    assert {verdict["solved"] for verdict in payoffs} == {True}
    assert min(verdict["payoff"] for verdict in payoffs) < 0 < max(verdict["payoff"] for verdict in payoffs)


def test_every_equilibrium_strategy_is_without_a_mistake_against_an_equilibrium() -> None:
    for seed in range(40):
        assert play("optimal", seed, by_strategy(GAME, Stream(b"mixed", seed)), hands=8)["solved"]


def test_a_lucky_mistake_is_not_solved() -> None:
    """Who always bets and calls calls with J sooner or later, and wins all the same now and then."""

    def bold(env: Any) -> str:
        return "<answer>call</answer>" if env.episode.state.s.seen.endswith("r") else "<answer>bet</answer>"

    verdicts = [play("optimal", seed, bold, hands=12) for seed in range(60)]
    lucky = [verdict for verdict in verdicts if verdict["payoff"] > 0]
    assert len(lucky) > 10
    assert sum(verdict["solved"] for verdict in lucky) < len(lucky) / 4
    assert all(verdict["score"] < 0.5 for verdict in lucky if not verdict["solved"])


@pytest.mark.parametrize(("card", "facing"), [("K", "fold"), ("J", "call")])
def test_folding_the_best_card_and_calling_with_the_worst_are_mistakes(card: str, facing: str) -> None:
    worth = kuhn.GAME.worths("optimal", 0, card, "r")
    letter = {"fold": "f", "call": "c"}[facing]
    assert worth[letter] < max(worth.values()) - 0.5


def test_words_that_do_not_fit_are_told_why() -> None:
    env = envhub.make("kuhn-poker-v0", difficulty=None, hands=1, seat=0, opponent="greedy")
    env.reset(seed=0)
    observation, *_ = env.step("<answer>call</answer>")
    assert "call is not a legal move. Legal moves: bet, check." in observation


def test_both_players_act_first_in_turn_and_chips_add_up() -> None:
    env = envhub.make("kuhn-poker-v0", difficulty=None, hands=4, opponent="self")
    _, info = env.reset(seed=5)
    firsts, over = [], False
    while not over:
        s = env.episode.state.s
        if not s.seen:
            firsts.append(info["player"])
        move = "fold" if s.seen.endswith("r") else "bet" if s.hand == 2 else "check"
        _, _, over, _, info = env.step(f"<answer>{move}</answer>")
    assert firsts == [0, 1, 0, 1]
    assert sum(info["payoffs"]) == 0


@pytest.mark.parametrize(("hand", "chips"), [(0, 2), (1, -2)])
def test_chips_go_to_who_has_won_whoever_acts_first(hand: int, chips: int) -> None:
    s = GAME.play(ONE, State(1, hand), "KJ")  # the king is that of who acts first
    s = GAME.play(ONE, GAME.play(ONE, s, "bet"), "call")
    assert s.chips == chips
    assert f"Player {hand + 1} won 2" in s.last


def test_what_is_imagined_can_be() -> None:
    s = GAME.play(ONE, START, "KJ")
    seen = {GAME.imagine(ONE, s, seat, Stream(b"i", n)).cards for seat in (0, 1) for n in range(30)}
    assert seen == {"KJ", "KQ", "QJ"}


@pytest.mark.parametrize("opponent", ["optimal", "greedy", "random"])
def test_how_often_nothing_is_lost_at_random_is_as_played_out(opponent: str) -> None:
    inst, rng, found, played = Instance({**ONE.problem, "opponent": opponent}), Stream(b"luck"), 0, 6000
    for number in range(played):
        s, seat = State(1, number % 2), 0
        while (mover := GAME.to_move(s)) is not None:
            if mover == "chance":
                s = GAME.play(inst, s, GAME.draw(inst, s, rng))
            elif mover == seat:
                s = GAME.play(inst, s, rng.choice(GAME.legal(inst, s)))
            else:
                s = GAME.play(inst, s, choose(GAME, inst, s, 1, Opponent(opponent), rng))
        found += GAME.par(inst, s, seat) - s.chips < 1e-9
    shares = kuhn.GAME.faultless(opponent, 0, GAME.least, any_letter(GAME))
    assert found / played == pytest.approx(sum(shares) / 2, abs=0.025)
