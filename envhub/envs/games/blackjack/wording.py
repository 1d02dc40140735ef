"""The prompt of blackjack-v0.

Phrasings of the rules, and renderings of the deck.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from envhub.authoring.game.rulebook import limit_of
from envhub.authoring.wording import GAME_FRAMES, Phrase, Statement, Variants, counted
from envhub.core.types import JSON
from envhub.envs.games.blackjack import rules as blackjack

_TASK: Final = Phrase(
    "You play {hands} of blackjack against the dealer, each for a stake of 1.",
    "Play a match of blackjack against the dealer. It has {hands}, each with a stake of 1.",
    "You are the player in {hands} of blackjack and stake 1 on each of them. Your opponent is the dealer.",
    held_out="Your part in a blackjack match of {hands} is that of the player. The stake per hand is 1.",
)
_DRAW: Final = Phrase(
    "Every card is drawn at random from the whole deck and returned at once, so earlier cards tell you nothing about later "
    "ones.",
    "The deck is complete for each single card: a card goes back as soon as it has been drawn. Counting cards is useless.",
    "Cards are drawn with replacement: each draw is made at random from the full deck, whatever was drawn before.",
    held_out="Draws are independent and uniform over the complete deck.",
)
_COUNT: Final = Phrase(
    "An ace (A) counts 11, or 1 where 11 would bring the hand over 21. Every other card counts its number.",
    "Cards count their number. An ace, written A, counts 11 as long as the hand does not exceed 21 with it, and 1 otherwise.",
    "The value of a card is its number. For an ace (A) it is 11 if the total stays at 21 or less, and else 1.",
    held_out="Card values equal their numbers; A = 11 unless the total would exceed 21, in which case A = 1.",
)
_SOFT: Final = Phrase(
    "The total of a hand is shown in parentheses. A total is called soft if an ace counts 11 in it.",
    "After the cards of a hand, its total stands in parentheses, with the word soft if an ace in it counts 11.",
    "You see the total of a hand in parentheses after its cards; soft means that one of its aces counts 11.",
    held_out="Parentheses after a hand contain its total; the prefix soft marks an ace that counts 11.",
)
_DEAL: Final = Phrase(
    "You get two cards. The dealer shows one card.",
    "A hand begins with two cards for you and one visible card of the dealer.",
    "At the start of a hand, you are dealt two cards, and you see one card of the dealer.",
    held_out="Deal: two cards to the player; one card of the dealer is visible.",
)
_NATURAL: Final = Phrase(
    "An ace and a 10 as your first two cards are a blackjack. It ends your hand at once and wins 1.5 stakes. If the dealer's "
    "first two cards are a blackjack as well, you get your stake back instead.",
    "Two first cards that are an ace and a 10 are called a blackjack. If you have one, the hand is over and you win 1.5 "
    "stakes, or just get your stake back if the dealer has one, too.",
    "With an ace and a 10 as your first two cards you have a blackjack: the hand ends, and you win 1.5 stakes, unless the "
    "dealer also has a blackjack. Then your stake is returned.",
    held_out="Blackjack: A and 10 as the first two cards. A player's blackjack terminates the hand and pays 1.5 stakes; "
    "against a dealer's blackjack the stake is returned.",
)
_OVER: Final = Phrase(
    "With more than 21 you lose your stake at once. With 21 you stand automatically.",
    "If your total exceeds 21, your stake is lost immediately. If it is exactly 21, you stand without being asked.",
    "A total of more than 21 loses the stake on the spot, and a total of 21 makes you stand automatically.",
    held_out="Total > 21: immediate loss of the stake. Total = 21: automatic stand.",
)
_DEALER: Final = Phrase(
    "When you stand, the dealer draws: it takes a card with a total of less than 17, and stands on every total of 17 or more.",
    "After you stand, it is the dealer's turn. It takes cards while its total is 16 or less, and stops at 17 or more.",
    "The dealer plays after you. With less than 17 it must take a card; with 17 or more it must stand.",
    held_out="Dealer's play, after the player's: draw while total <= 16, stand on any total >= 17.",
)
_DEALER_SOFT: Final = Phrase(
    "When you stand, the dealer draws: it takes a card with a total of less than 17 and with a soft 17, and stands on every "
    "other total of 17 or more.",
    "After you stand, it is the dealer's turn. It takes cards while its total is 16 or less or a soft 17, and stops otherwise.",
    "The dealer plays after you. With less than 17, or with 17 in which an ace counts 11, it must take a card; otherwise it "
    "must stand.",
    held_out="Dealer's play, after the player's: draw while total <= 16 or on a soft 17, stand on any other total.",
)
_RESULT: Final = Phrase(
    "You win your stake if your total is higher than the dealer's or if the dealer has more than 21. With equal totals you "
    "get your stake back. Otherwise you lose it.",
    "A total higher than the dealer's wins your stake, and so does a dealer with more than 21. Equal totals return your "
    "stake, and a lower total loses it.",
    "Compare the totals at the end: the higher one wins, and equal ones give your stake back. If the dealer has more than "
    "21, you win your stake in any case.",
    held_out="Settlement: win the stake if your total > dealer's total or dealer's total > 21; return it if equal; lose it "
    "otherwise.",
)
_DEALER_NATURAL: Final = Phrase(
    "A blackjack of the dealer beats every hand but a blackjack. Doubled and split stakes are then lost in full.",
    "If the dealer has a blackjack, you lose everything that you have staked on the hand, doubled and split stakes included, "
    "unless you have a blackjack yourself.",
    "Only a blackjack is not beaten by a blackjack of the dealer. Against it, all stakes of the hand are lost, also those "
    "added by doubling or splitting.",
    held_out="A dealer's blackjack wins against all hands except a blackjack and takes all stakes of the hand, doubled or "
    "split ones included.",
)
_MOVES: Final = Phrase(
    "Your moves: hit takes a card; stand takes no more cards.",
    "With hit you take another card. With stand you stop taking cards.",
    "You can always hit, which gives you one more card, or stand, which ends your play of the hand.",
    held_out="Moves: hit = one further card; stand = no further cards.",
)
_DOUBLE: Final = Phrase(
    "A further move is double: you double your stake and take exactly one card, and then you stand. It is legal while the "
    "hand has two cards.",
    "You may also double a hand of two cards. This doubles your stake, gives you exactly one more card, and ends your play "
    "of the hand.",
    "While a hand has only two cards, double is possible: twice the stake, one card, and no more moves for this hand.",
    held_out="Move double (two-card hands only): the stake is doubled, one card is drawn, and the hand stands.",
)
_SPLIT: Final = Phrase(
    "A further move is split: your two cards become two hands with the same stake each. Each gets a second card, and you "
    "play one after the other. It is legal with two cards of equal value, once per hand.",
    "You may also split two cards of equal value, once per hand. Each of them then starts a hand of its own with the same "
    "stake and gets a second card. The two hands are played one after the other.",
    "With two cards of the same value, split is possible, but only once per hand: it makes two hands of them, each with the "
    "full stake and a new second card, which you play in turn.",
    held_out="Move split (two cards of equal value, once per hand): each card begins a separate hand with the same stake and "
    "receives a second card; the hands are played in sequence.",
)
_SPLIT_21: Final = Phrase(
    "A 21 with the two cards of a split hand is not a blackjack.",
    "If a split hand has 21 with two cards, this does not count as a blackjack.",
    "An ace and a 10 in a split hand are an ordinary 21 and no blackjack.",
    held_out="Two-card totals of 21 after a split are not blackjacks.",
)
_SPLIT_DOUBLE: Final = Phrase(
    "You may double a split hand.",
    "A hand that comes from a split may be doubled as well.",
    "Doubling is also legal after a split.",
    held_out="Split hands admit the move double.",
)
_GOAL: Final = Phrase(
    "Your goal: in each decision, choose a move with the highest expected winnings, with best play afterwards. You succeed "
    "if no move of yours has lower expected winnings than another legal move. The stakes that you actually win do not "
    "matter. Your score is 1 if you succeed, otherwise 0.",
    "You are graded on your decisions and not on the stakes that you win. The expected winnings of each legal move are "
    "computed, assuming that you play best afterwards. If you choose a best move every time, you succeed with a score of 1. "
    "Otherwise your score is 0.",
    "Make every decision so that your expected winnings are as high as possible, assuming best play in the rest of the hand. "
    "One move with lower expected winnings than another legal move means failure and a score of 0; without any, you succeed "
    "and score 1. How much you really win is irrelevant.",
    held_out="Grading: success (score 1, otherwise 0) means that each chosen move maximises the expected winnings over the "
    "legal moves, given optimal continuation. Actual winnings are not graded.",
)


def statement(problem: JSON, hand: str) -> Statement:
    """A match before it is worded.

    Args:
        problem: The match.
        hand: The first hand and its legal moves, as every message shows them.
    """
    double, split = problem["double"], problem["split"]
    limit, often = limit_of(2)
    return Statement(
        task=_TASK,
        data=_data(f"Hand 1 of {problem['hands']}. {hand}"),
        problem=problem,
        rules=(
            *(_DRAW, _COUNT, _SOFT, _DEAL, _NATURAL, _OVER, _DEALER_SOFT if problem["soft17"] else _DEALER, _RESULT),
            *(_DEALER_NATURAL, _MOVES),
            *([_DOUBLE] if double else []),
            *([_SPLIT, _SPLIT_21] if split else []),
            *([_SPLIT_DOUBLE] if double and split else []),
            limit,
        ),
        note=_GOAL,
        values={"hands": counted(problem["hands"], "hand"), "action": "move", "whole": "match", **often},
        frames=GAME_FRAMES,
    )


def shown(cards: Sequence[int], up: int) -> str:
    """The player's hand and the dealer's card."""
    return f"Your hand: {listed(cards)}. The dealer shows {named(up)}."


def listed(cards: Sequence[int]) -> str:
    """Cards with their total."""
    count, soft = blackjack.total(cards)
    return f"{' '.join(map(named, cards))} ({'soft ' * soft}{count})"


def named(card: int) -> str:
    """A card as a number, or A."""
    return "A" if card == blackjack.ACE else str(card)


def _data(hand: str) -> Variants[Any]:
    """Renderings of the deck, each followed by the first hand."""

    def in_a_line(problem: JSON) -> str:
        deck = ", ".join(f"{name}: {count}" for name, count in _deck(problem).items())
        return f"Number of cards of each value in the deck: {deck}.\n\n{hand}"

    def in_a_table(problem: JSON) -> str:
        rows = [f"| {name} | {count} |" for name, count in _deck(problem).items()]
        return "\n".join(["The deck:", "", "| card | number of cards |", "|---|---|", *rows, "", hand])

    def as_json(problem: JSON) -> str:
        return f"The deck as JSON, with the number of cards of each value: {json.dumps(_deck(problem))}\n\n{hand}"

    def as_probabilities(problem: JSON) -> str:
        deck = _deck(problem)
        shares = ", ".join(f"P({name}) = {count}/{sum(deck.values())}" for name, count in deck.items())
        return f"Distribution of each drawn card: {shares}.\n\n{hand}"

    return Variants(in_a_line, in_a_table, as_json, held_out=as_probabilities, name="data")


def _deck(problem: JSON) -> dict[str, int]:
    return {named(card): count for card, count in enumerate(problem["deck"], 1) if count}
