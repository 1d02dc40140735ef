"""The poker environments: who does not look fails, who reads more solves more, and levels rise."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

import envhub
from envhub.audit.blind import guess_bound
from envhub.authoring.game import best_response
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.envs.games.poker.environment import PokerMatch
from envhub.envs.games.poker.kuhn_poker import KuhnPoker
from envhub.envs.games.poker.leduc_poker import LeducPoker
from envhub.envs.games.poker.match import read_habits, rival_of
from envhub.envs.games.poker.rules import RANKS, Habits, acts
from tests.envs.games.poker_rates import blind, card_rules, naive, rate, tasks
from tests.envs.playing import match

GAMES: dict[str, PokerMatch] = {"kuhn-poker-v0": KuhnPoker(), "leduc-poker-v0": LeducPoker()}


def check_blind(poker: str, level: int, count: int) -> None:
    game, insts = GAMES[poker], tasks(poker, level, count)
    rates = {name: rate(game, insts, maker) for name, maker in blind(game).items()}
    assert max(rates.values()) <= guess_bound(game, level)[0], (poker, level, rates)


@pytest.mark.parametrize("level", [1, 5, 10])
def test_who_does_not_look_solves_almost_nothing(level: int) -> None:
    check_blind("kuhn-poker-v0", level, 20)
    check_blind("leduc-poker-v0", level, 3 if level > 1 else 12)


@pytest.mark.nightly
@pytest.mark.parametrize("poker", GAMES)
def test_levels_rise_for_who_reads_less_than_all(poker: str) -> None:
    game = GAMES[poker]
    solved = []
    for level in range(1, 11):
        check_blind(poker, level, 40)
        solved.append(rate(game, tasks(poker, level, 40), naive(game)))
    assert solved[0] == pytest.approx(1.0)
    assert all(later <= earlier + 0.12 for earlier, later in pairwise(solved)), solved
    assert solved[9] < solved[4] < solved[0]


@pytest.mark.slow
def test_a_rule_for_each_card_is_not_enough() -> None:
    game = GAMES["kuhn-poker-v0"]
    best = []
    for level in (1, 10):
        insts = tasks("kuhn-poker-v0", level, 15)
        best.append(max(rate(game, insts, rule) for rule in card_rules(game).values()))
    assert best[0] < 0.75
    assert best[1] < 0.05


@pytest.mark.parametrize("poker", GAMES)
def test_worths_against_drawn_opponents_are_those_of_a_best_response(poker: str) -> None:
    game = GAMES[poker]
    [inst] = tasks(poker, 5, 1)
    table = read_habits(inst.problem["habits"][0])
    one = type(inst)({**inst.problem, "hands": 1, "habits": [table], "player": 0})

    def plays(s: Any) -> list[tuple[str, float]]:
        card, words = s.cards[len(acts(s.seen)) % 2], game.words(acts(s.seen))
        return [(words[letter], share) for letter, share in game.poker.habit(table, 0, card, s.seen).items() if share]

    first = sum(max(game.poker.worths(table, 0, card, "").values()) for card in RANKS) / 3
    assert first == pytest.approx(best_response(game, one, game.start(one), 0, plays), abs=1e-9)


def percentages(prompt: str) -> list[int]:
    return [int(share) for share in re.findall(r"(\d+)%", prompt)]


def test_the_prompt_states_every_frequency() -> None:
    env = envhub.make("kuhn-poker-v0", difficulty=10)
    prompt, _ = env.reset(seed=1)
    stated = percentages(prompt)
    for table in env.task.problem["habits"]:
        wanted = [row[2] for row in table[:6]] + [row[1] for row in table[6:]]
        told = [tuple(wanted[at : at + 3]) for at in range(0, 12, 3)]
        for row in told:
            part = [row[0]] if len(set(row)) == 1 else list(row)
            assert any(stated[at : at + len(part)] == part for at in range(len(stated)))


def opponents_moves(poker: str, **params: Any) -> tuple[Habits, Counter[tuple[int, str]]]:
    """How often the opponent did what, by row of its table."""
    game, seen = GAMES[poker], Counter[tuple[int, str]]()
    env = envhub.make(poker, difficulty=5, hands=24, opponents=1, **params)
    env.reset(seed=2)
    table = read_habits(env.task.problem["habits"][0])
    for luck in range(120):
        env.reset(seed=2, options={"turn_seed": luck})
        over, rng = False, Stream(b"any", luck)
        while not over:
            _, _, over, _, _ = env.step(env.random_action(rng))
        for _, seat, card, history, letter in env.episode.state.s.decided:
            if seat != env.task.problem["player"]:
                seen[game.poker.row(card, history), letter] += 1
    return table, seen


@pytest.mark.parametrize("poker", ["kuhn-poker-v0"])
def test_the_opponent_plays_what_is_stated(poker: str) -> None:
    table, seen = opponents_moves(poker)
    for row, weights in enumerate(table):
        total = sum(seen[row, letter] for letter in "fcr")
        assert total > 30
        for letter, weight in zip("fcr", weights, strict=True):
            spread = 4 * (total * weight / 100 * (1 - weight / 100)) ** 0.5 + 1e-9
            assert abs(seen[row, letter] - total * weight / 100) <= spread


@pytest.mark.parametrize("poker", GAMES)
def test_one_wrong_decision_is_named_and_earns_nothing(poker: str) -> None:
    game = GAMES[poker]
    env = envhub.make(poker, difficulty=5)
    named = 0
    for seed in range(6):
        env.reset(seed=seed)
        inst, wrong, over = env.episode.instance, -1, False
        while not over:
            s = env.episode.state.s
            card = s.cards[len(acts(s.seen)) % 2]
            worth = game.poker.worths(*rival_of(inst, s.hand), card, s.seen)
            worst = min(worth, key=lambda letter: worth[letter])
            if wrong < 0 and max(worth.values()) - worth[worst] >= 0.02:
                wrong = s.hand
                action = f"<answer>{game.words(acts(s.seen))[worst]}</answer>"
            else:
                action = env.solve()
            observation, reward, over, _, info = env.step(action)
        hands = inst.problem["hands"]
        assert reward == 0.0
        assert f"hand {wrong + 1} (" in observation
        assert info["verdict"]["components"]["sound"] == pytest.approx(1 - 1 / hands)
        named += 1
    assert named == 6


@pytest.mark.parametrize("poker", GAMES)
def test_named_opponents_are_stated_and_graded(poker: str) -> None:
    for opponent in ("random", "greedy", "optimal"):
        verdict = match(poker, opponent, 1, lambda env: env.solve(), hands=4, slips=20)
        assert verdict["solved"]
    env = envhub.make(poker, difficulty=None, opponent="mcts:20", hands=2)
    assert "as if your opponent played this way" in env.reset(seed=0)[0]


def test_a_step_that_does_not_divide_a_hundred_is_refused() -> None:
    with pytest.raises(InvalidParameters, match="grain must divide 100"):
        envhub.make("kuhn-poker-v0", grain=30)


@pytest.mark.parametrize("poker", GAMES)
def test_there_are_no_more_opponents_than_hands(poker: str) -> None:
    env = envhub.make(poker, difficulty=10, hands=1)
    env.reset(seed=0)
    assert len(env.task.problem["habits"]) == 1
    assert env.step(env.solve())
