"""The prompts of kuhn-poker-v0 and leduc-poker-v0.

Phrasings of the rules, and renderings of the opponent's strategies.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from envhub.authoring.game import Rulebook
from envhub.authoring.wording import Phrase, Variants, counted
from envhub.core.types import JSON
from envhub.envs.games.poker.habits import Row, cards, sentence


class Strategy(NamedTuple):
    """What is stated of an opponent.

    Attributes:
        heading: Says whose strategy it is, and in which hands: "Your opponent's strategy in hands 1 to 4".
        rows: Its frequencies by situation.
        told: Further sentences.
    """

    heading: str
    rows: tuple[Row, ...]
    told: Sequence[str]


_TASK: Final = Phrase(
    "You are {seat} in a match of {hands} of {game}.",
    "Play {game} as {seat}. The match has {hands}.",
    "This is a match of {game} with {hands}, and you play {seat}.",
    held_out="Your part in a {game} match of {hands} is that of {seat}.",
)
_HIDDEN_CARD: Final = Phrase(
    "Each player antes 1 chip and receives 1 card, which the other player does not see.",
    "A hand begins with an ante of 1 chip from each player. Each of them gets 1 card, hidden from the other.",
    "Before any betting, both players pay an ante of 1 chip and are dealt 1 private card each.",
    held_out="Ante: 1 chip each. Deal: 1 card each, visible to its owner only.",
)
_KUHN_DECK: Final = Phrase(
    "The deck has three cards: J, Q and K. K beats Q, and Q beats J. Each hand is dealt from the full deck.",
    "There are three cards, J, Q and K, from the lowest to the highest. All of them are shuffled again for every hand.",
    "Each hand uses a fresh deck of three cards. K is the highest card, Q comes next, and J is the lowest.",
    held_out="Deck: {{J, Q, K}} with J < Q < K, complete before each hand.",
)
_KUHN_FIRST: Final = Phrase(
    "The player who acts first checks or bets 1 chip.",
    "The first player to act may check or bet. A bet is 1 chip.",
    "To begin, the player who acts first chooses between a check and a bet of 1 chip.",
    held_out="Opening action: check, or bet 1 chip.",
)
_KUHN_CHECKED: Final = Phrase(
    "After a check, the other player checks or bets 1 chip. If both check, the higher card wins the antes.",
    "If the first player checks, the second player may check as well, and the higher card wins the antes. Or it may bet 1 "
    "chip.",
    "When the first player has checked, the other one chooses between a check, after which the higher card wins the antes, "
    "and a bet of 1 chip.",
    held_out="Reply to a check: check (showdown for the antes), or bet 1 chip.",
)
_KUHN_FACING: Final = Phrase(
    "A player who faces a bet calls or folds. This includes a player who has already checked.",
    "Anyone who faces a bet must call or fold, also after having checked before.",
    "A bet must be answered with a call or a fold, whether or not the player has checked earlier in the hand.",
    held_out="Reply to a bet, also by a player who checked before: call or fold.",
)
_KUHN_END: Final = Phrase(
    "After a call, the higher card wins both antes and both bets. After a fold, the bettor wins the antes and takes back the "
    "bet.",
    "A call adds 1 chip, and the higher card wins all 4 chips: both antes and both bets. A fold gives the antes to the "
    "player who bet, whose bet is returned.",
    "If the bet is called, the higher card takes both antes and both bets. If the other player folds, the player who bet "
    "gets the antes and its own bet back.",
    held_out="Call: showdown for both antes and both bets. Fold: the bettor collects the antes; its bet is returned.",
)
_KUHN_ORDER: Final = Phrase(
    "Player 1 acts first in hand 1. After that, the players alternate.",
    "The first to act is player 1 in hand 1, player 2 in hand 2, and so on in turn.",
    "The players take turns at acting first, starting with player 1 in hand 1.",
    held_out="First to act: player 1 in odd hands, player 2 in even hands.",
)
_LEDUC_DECK: Final = Phrase(
    "The deck has six cards: two each of J, Q and K. K beats Q, and Q beats J. Each hand is dealt from the full deck.",
    "There are six cards, J, J, Q, Q, K and K. J is the lowest rank and K the highest. All of them are shuffled again for "
    "every hand.",
    "Each hand uses a fresh deck of six cards with two cards of each rank. K is the highest rank, Q comes next, and J is the "
    "lowest.",
    held_out="Deck: {{J, J, Q, Q, K, K}} with J < Q < K, complete before each hand.",
)
_LEDUC_ROUNDS: Final = Phrase(
    "There are two rounds of betting. After the first, one card of the deck is placed face up: the open card.",
    "Betting takes place in two rounds. Between them, one of the remaining cards is turned up; it is called the open card.",
    "When the first of two betting rounds is over, a further card is dealt face up for both players. This is the open card.",
    held_out="Two betting rounds are separated by the deal of one public card, the open card.",
)
_LEDUC_ACTS: Final = Phrase(
    "The players act in turn. A player who faces no bet checks or bets. A player who faces a bet folds, calls or raises it. A "
    "player who faces a raise folds or calls.",
    "Players alternate. Without a bet to face, a player may check or bet; facing a bet, it may fold, call or raise; facing a "
    "raise, it may fold or call.",
    "Check and bet are possible when there is no bet to face. The replies to a bet are fold, call and raise, and the replies "
    "to a raise are fold and call. The players act alternately.",
    held_out="Actions alternate. No bet to face: check, bet. Facing a bet: fold, call, raise. Facing a raise: fold, call.",
)
_LEDUC_SIZES: Final = Phrase(
    "A bet adds 2 chips in round 1 and 4 chips in round 2. A raise matches the bet and adds the same amount again. A round "
    "has at most one bet and one raise.",
    "In round 1 a bet is 2 chips, in round 2 it is 4 chips. To raise, a player pays the bet and the same number of chips on "
    "top. Each round allows one bet and one raise at most.",
    "The stake of a bet is 2 chips in the first round and 4 chips in the second. A raise costs twice that: it matches the "
    "bet and adds as much again. No round has more than one bet and one raise.",
    held_out="Bet size: 2 chips (round 1), 4 chips (round 2). A raise pays twice the bet size. Maximum per round: one bet, one "
    "raise.",
)
_LEDUC_ROUND_END: Final = Phrase(
    "A round ends when both players have checked, or when a bet or raise is called.",
    "Two checks end a round, and so does the call of a bet or of a raise.",
    "The round is over after a call, or after both players have checked.",
    held_out="Round end: two checks, or a call.",
)
_LEDUC_FOLD: Final = Phrase(
    "A player who folds loses the chips paid so far in the hand to the other player.",
    "Folding ends the hand: the other player wins what the player who folds has paid in this hand.",
    "If a player folds, the hand is over, and the chips that this player has paid in it go to the other player.",
    held_out="A fold terminates the hand; the chips that the folding player has paid in it are lost to the other player.",
)
_LEDUC_SHOWDOWN: Final = Phrase(
    "If nobody folds, a private card that pairs the open card wins. If there is no pair, the higher private card wins. The "
    "winner gets what the other player has paid. With equal cards, nobody wins.",
    "Without a fold, the private cards are compared. A pair with the open card beats everything; otherwise the higher private "
    "card is better. The better one wins what the other player has paid, and equal cards win nothing.",
    "At the end of a hand without a fold, a player whose private card has the rank of the open card wins; if there is no such "
    "player, the higher private card wins. The loser's chips go to the winner. If the private cards are equal, nobody wins.",
    held_out="Showdown: a pair with the open card wins; failing that, the higher private card. The loser's payments in the "
    "hand go to the winner; equal private cards tie.",
)
_LEDUC_ORDER: Final = Phrase(
    "Player 1 acts first in both rounds of hand 1. After that, the players alternate from hand to hand.",
    "In hand 1, player 1 acts first in both rounds. In hand 2 it is player 2, and so on in turn.",
    "The players take turns, hand by hand, at acting first in both rounds. Player 1 begins with hand 1.",
    held_out="First to act in both rounds: player 1 in odd hands, player 2 in even hands.",
)
_GOAL: Final = Phrase(
    "Your goal: in each decision, choose an action with the highest expected winnings. They are computed from what you know, "
    "against this opponent, with best play afterwards. You succeed if no action of yours has expected winnings at least "
    "{least} chips lower than another legal action. The chips that you actually win do not matter. Your score is 1 if you "
    "succeed, otherwise 0.",
    "You are graded on your decisions and not on the chips that you win. The expected winnings of each legal action are "
    "computed from your knowledge at that point, against this opponent, assuming that you play best afterwards. If each of "
    "your actions is less than {least} chips worse than the best one, you succeed with a score of 1. Otherwise your score is "
    "0.",
    "Make every decision so that your expected winnings are as high as possible, given what you know and how this opponent "
    "plays, and assuming best play in the rest of the hand. One action that gives up {least} chips or more of expected "
    "winnings, compared with another legal action, means failure and a score of 0; without any, you succeed and score 1. How "
    "many chips you really win is irrelevant.",
    held_out="Grading: for each decision, let the loss be the highest expected winnings of a legal action minus those of the "
    "chosen one (given your information, this opponent, and optimal continuation). Success (score 1, otherwise 0) means that "
    "each loss is smaller than {least} chips. Actual winnings are not graded.",
)


def kuhn(problem: JSON, strategies: list[Strategy], least: float) -> Rulebook:
    """The rules of Kuhn poker."""
    rules = (_KUHN_DECK, _HIDDEN_CARD, _KUHN_FIRST, _KUHN_CHECKED, _KUHN_FACING, _KUHN_END, _KUHN_ORDER)
    return _rulebook("Kuhn poker", rules, problem, strategies, least)


def leduc(problem: JSON, strategies: list[Strategy], least: float) -> Rulebook:
    """The rules of Leduc poker."""
    betting = (_LEDUC_ROUNDS, _LEDUC_ACTS, _LEDUC_SIZES, _LEDUC_ROUND_END)
    rules = (_LEDUC_DECK, _HIDDEN_CARD, *betting, _LEDUC_FOLD, _LEDUC_SHOWDOWN, _LEDUC_ORDER)
    return _rulebook("Leduc poker", rules, problem, strategies, least)


def _rulebook(
    game: str, rules: tuple[Phrase, ...], problem: JSON, strategies: list[Strategy], least: float
) -> Rulebook:
    hands = counted(problem["hands"], "hand")
    return Rulebook(
        f"{game}, a match of {hands}",
        _TASK,
        rules,
        _GOAL,
        values={"game": game, "hands": hands, "least": f"{least:g}"},
        view=_view(strategies),
    )


def _view(strategies: list[Strategy]) -> Variants[Callable[[Any], str]]:
    """Renderings of the opponent's strategies, each followed by the first observation."""

    def shown(render: Callable[[Strategy], str]) -> Callable[[Any], str]:
        return lambda problem: "\n\n".join([*map(render, strategies), problem["view"]])

    return Variants(
        shown(_in_sentences), shown(_in_a_table), shown(_as_json), held_out=shown(_as_formulas), name="view"
    )


def _in_sentences(strategy: Strategy) -> str:
    lines = [*map(sentence, strategy.rows), *strategy.told]
    return "\n".join([f"{strategy.heading}:", *(f"- {line}" for line in lines)])


def _in_a_table(strategy: Strategy) -> str:
    told = " ".join(strategy.told)
    if not strategy.rows:
        return f"{strategy.heading}: {told}"
    lines = [
        f"{strategy.heading}, with probabilities by its card:",
        "",
        "| situation | action | otherwise |",
        "|---|---|---|",
    ]
    for row in strategy.rows:
        acts = "; ".join(f"{verb} with {_percentages(often)}" for verb, often in row.acts)
        lines.append(f"| {row.when} | it {acts} | it {row.otherwise} |")
    return "\n".join([*lines, *(["", told] if told else [])])


def _as_json(strategy: Strategy) -> str:
    rows = [
        {
            "situation": row.when,
            **{verb: dict(zip(cards(often), often, strict=True)) for verb, often in row.acts},
            "otherwise": row.otherwise,
        }
        for row in strategy.rows
    ]
    percent = ", with probabilities in percent by its card" if rows else ""
    return "\n".join([f"{strategy.heading}{percent}:", *map(json.dumps, rows), *strategy.told])


def _as_formulas(strategy: Strategy) -> str:
    lines = [f"[{strategy.heading}]"]
    for row in strategy.rows:
        acts = "; ".join(f"P({verb}) = {_decimals(often)}" for verb, often in row.acts)
        lines.append(f"{row.when}: {acts}; remainder: {row.otherwise}")
    return "\n".join([*lines, *strategy.told])


def _percentages(often: Sequence[int]) -> str:
    return ", ".join(f"{name}: {share}%" for name, share in zip(cards(often), often, strict=True))


def _decimals(often: Sequence[int]) -> str:
    return ", ".join(f"{share / 100:.2f} ({name})" for name, share in zip(cards(often), often, strict=True))
