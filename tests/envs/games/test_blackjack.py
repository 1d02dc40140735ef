"""blackjack-v0: hands, the dealer, the worth of decisions, and a judgement that luck does not touch."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from envhub.core.seeding import Stream
from envhub.core.types import Instance, Turn
from envhub.envs.games.blackjack import environment as env, rules as blackjack
from envhub.envs.games.blackjack.environment import Blackjack, Params, State
from envhub.envs.games.blackjack.rules import Rules

GAME = Blackjack()
ALL = Rules(double=True, split=True)


def game(cards: list[int], up: int = 10, hands: int = 1, deck: list[int] | None = None) -> Instance:
    rules = {"double": True, "split": True, "soft17": False, "deck": deck or [4] * 9 + [16]}
    return Instance({"hands": hands, **rules, "up": up, "cards": cards})


def say(inst: Instance, state: State, text: str, *luck: int) -> Turn:
    turn = GAME.advance(inst, state, text, Stream(b"luck", *luck))
    assert isinstance(turn, Turn)
    return turn


def begin(inst: Instance) -> State:
    return GAME.begin(inst, Stream(b"unused"))


@pytest.mark.parametrize(
    ("cards", "count", "soft"),
    [((1, 10), 21, True), ((1, 1), 12, True), ((1, 5, 10), 16, False), ((10, 9, 5), 24, False), ((1, 1, 9), 21, True)],
)
def test_totals(cards: tuple[int, ...], count: int, soft: bool) -> None:
    assert blackjack.total(cards) == (count, soft)


@given(st.lists(st.integers(1, 10), min_size=2, max_size=8))
def test_a_total_is_the_same_card_by_card(cards: list[int]) -> None:
    state = blackjack.total(cards[:1])
    for card in cards[1:]:
        state = blackjack._add(*state, card)
    assert state == blackjack.total(cards)


@pytest.mark.parametrize(
    ("cards", "up", "move"),
    [  # what every table says where the dealer takes no hole card and stands on every 17
        ((10, 6), 10, "hit"),
        ((10, 6), 6, "stand"),
        ((10, 2), 3, "hit"),
        ((10, 2), 4, "stand"),
        ((5, 6), 9, "double"),
        ((5, 6), 10, "hit"),
        ((4, 5), 2, "hit"),
        ((4, 5), 3, "double"),
        ((8, 8), 6, "split"),
        ((8, 8), 10, "hit"),
        ((9, 9), 7, "stand"),
        ((9, 9), 9, "split"),
        ((10, 10), 6, "stand"),
        ((5, 5), 5, "double"),
        ((1, 7), 9, "hit"),
        ((1, 7), 8, "stand"),
        ((1, 6), 3, "double"),
        ((1, 1), 9, "split"),
    ],
)
def test_the_best_decisions_are_those_of_basic_strategy(cards: tuple[int, ...], up: int, move: str) -> None:
    worth = blackjack.worths(ALL, up, cards, False)
    assert max(worth, key=lambda move: worth[move]) == move


def dealt(rules: Rules, cards: tuple[int, ...], chance: float = 1.0) -> dict[str, float]:
    """How the dealer ends, by drawing every card one by one."""
    found: dict[str, float] = {}
    for card, weight in enumerate(rules.weights, 1):
        held, likely = (*cards, card), chance * weight / sum(rules.weights)
        soft = 1 in held and sum(held) <= 11
        count = sum(held) + 10 * soft
        more = count < 17 or (count == 17 and soft and rules.soft17)
        name = "natural" if sorted(held) == [1, 10] else str(min(count, 22))
        for end, share in (dealt(rules, held, likely) if more else {name: likely}).items():
            found[end] = found.get(end, 0.0) + share
    return found


@pytest.mark.parametrize("up", [1, 6, 10])
@pytest.mark.parametrize("soft17", [False, True])
def test_how_the_dealer_ends_is_as_drawn_one_by_one_and_a_natural_beats_21(up: int, soft17: bool) -> None:
    rules = Rules((2, 1, 1, 1, 1, 1, 1, 1, 1, 6), soft17=soft17)
    ends = dealt(rules, (up,))
    expected = [ends.get(end, 0.0) for end in ("17", "18", "19", "20", "21", "22", "natural")]
    assert blackjack._ends(rules, up) == pytest.approx(expected)
    below = sum(ends.get(end, 0.0) for end in ("17", "18", "19", "20", "22"))
    assert blackjack._stand(rules, up, 21) == pytest.approx(below - ends.get("natural", 0.0))


@pytest.mark.parametrize(("cards", "up"), [((10, 6), 10), ((1, 7), 9), ((9, 9), 1)])
def test_the_worth_of_standing_agrees_with_the_dealer_played_out(cards: tuple[int, ...], up: int) -> None:
    rng = Stream(b"played", up)
    won = [env._won(ALL, up, ((cards, 1),), False, rng)[0] for _ in range(8000)]
    assert sum(won) / len(won) == pytest.approx(blackjack.worths(ALL, up, cards, False)["stand"], abs=0.035)


@pytest.mark.parametrize(("cards", "up", "move"), [([10, 6], 9, "hit"), ([8, 8], 6, "split"), ([5, 6], 7, "double")])
def test_the_worth_of_a_move_agrees_with_the_game_played_out(cards: list[int], up: int, move: str) -> None:
    inst, total, games = game(cards, up), 0.0, 4000
    for luck in range(games):
        turn = say(inst, begin(inst), move, luck, 0)
        number = 0
        while turn.verdict is None:
            number += 1
            turn = say(inst, turn.state, GAME.oracle(inst, turn.state), luck, number)
        assert turn.verdict.payoff is not None
        total += turn.verdict.payoff
    assert total / games == pytest.approx(blackjack.worths(ALL, up, tuple(cards), False)[move], abs=0.08)


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=25)
def test_the_oracle_solves_whatever_the_luck_and_a_worse_decision_never_does(seed: int, odd: bool) -> None:
    p = Params(hands=6, doubling=True, splitting=True, odd=odd, soft17=odd)
    inst = GAME.sample(Stream(b"test", seed), p)
    for wrong in (None, 0):
        state, verdict, turns, slipped = begin(inst), None, 0, False
        while verdict is None:
            worth = blackjack.worths(env._rules(inst.problem), state.up, state.cards, state.parted)
            worst = min(worth, key=lambda move: worth[move])
            slip = turns == wrong and worth[worst] < max(worth.values()) - 1e-6
            slipped = slipped or slip
            assert set(worth) == set(env._moves(inst.problem, state))
            turn = say(inst, state, worst if slip else GAME.oracle(inst, state), seed, turns)
            state, verdict, turns = turn.state, turn.verdict, turns + 1
        assert verdict.solved == (not slipped)
        assert verdict.components["sound"] == (5 / 6 if slipped else 1.0)


def test_a_worse_decision_is_not_made_good_by_better_ones_in_the_same_hand() -> None:
    inst, went_on = game([10, 5], up=6), 0
    for luck in range(30):
        turn = say(inst, begin(inst), "hit", luck)  # 15 against a 6: stand
        went_on += turn.verdict is None
        while turn.verdict is None:
            turn = say(inst, turn.state, GAME.oracle(inst, turn.state), luck, 1)
        assert (turn.verdict.score, turn.verdict.solved, turn.verdict.components["sound"]) == (0.0, False, 0.0)
    assert went_on > 5


def test_the_end_names_every_hand_in_which_a_decision_lost_something() -> None:
    inst, named = game([10, 6], up=6, hands=3), 0
    for luck in range(12):
        turn, number, wrong = say(inst, begin(inst), "hit", luck), 0, blackjack.worths(ALL, 6, (10, 6), False)
        while turn.verdict is None:
            number += 1
            turn = say(inst, turn.state, GAME.oracle(inst, turn.state), luck, number)
        lost = max(wrong.values()) - wrong["hit"]
        assert turn.verdict.score == 0.0
        assert f"gave up: {lost:.2g} stakes in all, hand 1 ({lost:.2g})." in turn.observation
        named += 1
    right = say(game([10, 9], up=6), begin(game([10, 9], up=6)), "stand")
    assert right.observation.endswith("None of your decisions gave up expected winnings.")
    assert named == 12


def test_a_message_without_a_move_lists_only_allowed_moves() -> None:
    inst = game([4, 3])
    turn = say(inst, begin(inst)._replace(cards=(4, 3, 2)), "fold")
    assert "Legal moves: hit, stand." in turn.observation
    assert "double" not in turn.observation
    assert "split" not in turn.observation


def test_stakes_add_up_over_the_match_and_fouls_do_too() -> None:
    inst, payoffs = game([10, 9], up=6, hands=4), set[float | None]()
    for match in range(4):
        state, verdict, turns, told = begin(inst), None, 0, 0.0
        while verdict is None:
            turn = say(inst, state, GAME.oracle(inst, state), match, turns)
            told += sum(map(float, re.findall(r"You win ([+-][0-9.]+)\.(?:\n|$)", turn.observation)))
            state, verdict, turns = turn.state, turn.verdict, turns + 1
        assert verdict.payoff == told
        payoffs.add(verdict.payoff)
    assert len(payoffs) > 1
    state = say(inst, say(inst, begin(inst), "fold").state, "fold").state
    state = say(inst, state, "stand").state  # the next hand: what was no move before still counts
    last = say(inst, state, "fold").verdict
    assert last is not None
    assert last.components["sound"] == 1 / 4


def test_a_stake_that_is_doubled_is_that_of_its_own_hand() -> None:
    """Of two parted tens the first is doubled; the second gets an ace, which is 21 for a single stake."""
    seen: set[float | None] = set()
    inst = game([10, 10], up=10, deck=[1, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    for luck in range(60):
        parted = say(inst, begin(inst), "split", luck)
        if parted.verdict is None and parted.state.waiting and parted.state.cards == (10, 10):
            end = say(inst, parted.state, "double", luck, 1)
            if end.verdict is not None:
                seen.add(end.verdict.payoff)
    assert seen == {3.0, -1.0, -3.0}  # the first hand is 21, or over it; or the dealer has a blackjack


def test_luck_changes_the_payoff_and_not_the_score() -> None:
    inst = game([10, 9], up=6)
    ends = [say(inst, begin(inst), "stand", luck).verdict for luck in range(40)]
    assert {end.score for end in ends if end} == {1.0}
    assert {end.payoff for end in ends if end} == {1.0, 0.0, -1.0}
    wrong = [say(inst, begin(inst), "double", luck).verdict for luck in range(40)]
    assert {end.score for end in wrong if end} == {0.0}
    assert 2.0 in {end.payoff for end in wrong if end}  # lucky, and wrong


def test_the_dealers_cards_decide() -> None:
    tens = [1, *[0] * 8, 1]  # a deck of aces and tens
    fives = [1, 0, 0, 0, 10**9, 0, 0, 0, 0, 1]
    assert {env._won(Rules(tuple(tens)), 10, (((10, 10), 1),), False, Stream(b"d", n))[0] for n in range(20)} == {
        0.0,
        -1.0,
    }
    naturals = [env._won(Rules(tuple(tens)), 10, (((1, 10), 1),), False, Stream(b"d", n))[0] for n in range(20)]
    assert set(naturals) == {0.0, 1.5}  # the dealer has a blackjack as well, or not
    assert env._won(Rules(tuple(fives)), 5, (((10, 9), 2),), False, Stream(b"d"))[0] == -2.0  # 5 5 5 5 is 20
    assert env._won(Rules(tuple(fives)), 7, (((10, 8), 1),), False, Stream(b"d"))[0] == 1.0  # 7 5 5 is 17
    assert env._won(Rules(tuple(fives)), 10, (((1, 10), 1),), False, Stream(b"d"))[0] == 1.5
    assert env._won(Rules(tuple(fives)), 10, (((1, 10), 1),), True, Stream(b"d"))[0] == 1.0  # of a split: no blackjack
    assert env._won(Rules(tuple(fives)), 10, (((10, 5, 9), 1), ((10, 5, 8), 2)), True, Stream(b"d"))[0] == -3.0
    soft = (1, 6)
    assert not blackjack.dealer_draws(Rules(), soft)
    assert blackjack.dealer_draws(Rules(soft17=True), soft)
    assert not blackjack.dealer_draws(Rules(soft17=True), (10, 7))


@pytest.mark.parametrize(
    "text", ["double", "split", "fold", "", "hit or stand", "<answer>hit</answer><answer>stand</answer>"]
)
def test_what_is_no_allowed_move_is_answered_and_the_third_ends_the_match(text: str) -> None:
    inst = game([4, 3])
    state = begin(inst)._replace(cards=(4, 3, 2))  # three cards: neither double nor split
    for fouls in (1, 2):
        turn = say(inst, state, text)
        assert turn.verdict is None
        assert turn.state == state._replace(fouls=fouls)
        assert turn.observation.endswith("Your hand: 4 3 2 (9). The dealer shows 10. Legal moves: hit, stand.")
        state = turn.state
    last = say(inst, state, text).verdict
    assert last is not None
    assert (last.score, last.solved, last.status, last.components["sound"]) == (0.0, False, "graded", 0.0)


@pytest.mark.parametrize("loop", ["hit", "stand"])
def test_looping_yields_less_than_finishing(loop: str) -> None:
    for seed in range(10):
        inst = GAME.sample(Stream(b"loop", seed), Params.at(7))
        state, verdict, turns = begin(inst), None, 0
        while verdict is None:
            turn = say(inst, state, loop, seed, turns)
            state, verdict, turns = turn.state, turn.verdict, turns + 1
        assert verdict.score == 0.0
        assert verdict.components["sound"] < 1.0
        assert turns <= GAME.max_turns


def test_the_dealers_second_card_is_nowhere_before_it_is_drawn() -> None:
    inst = game([10, 6], hands=3)
    state: State = begin(inst)
    assert inst.key is None
    assert (state.up, state.cards, state.waiting) == (10, (10, 6), 0)
    texts = {say(inst, state, "double", luck).observation.split("Dealer: ")[-1] for luck in range(30)}
    assert len(texts) > 10


@pytest.mark.parametrize("bad", [{"hands": 0}, {"hands": 26}])
def test_parameters_that_make_no_match_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"greater|less"):
        Params(**bad)
