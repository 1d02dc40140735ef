"""leduc-poker-v0: Leduc poker, several hands against an opponent whose ways are told; judged by decisions, not by luck.

Action: ``check``, ``bet``, ``fold``, ``call`` or ``raise``. Six cards, two each of J, Q and K; one private card each, a
round of betting by two chips, a public card, a round by four. The payoff is the chips won. The score does not depend on
the luck of the cards: every decision of the policy loses so much, on average, against the best decision with the same
knowledge and this opponent, which is computed exactly. Solved is a match in which no decision lost as much as a
hundredth of a chip; else half a point, less what was lost. Difficulty: an opponent against which more decisions matter,
and more hands.

``optimal`` plays an equilibrium (of value -0.0856 for who acts first). Deals are hidden, so splits are by seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from envhub.envs.games.poker import Levels, PokerMatch, PokerParams
from envhub.generators import leduc
from envhub.generators.poker import Poker
from envhub.types import JSON
from envhub.verifiers.answers import AnswerType
from envhub.verifiers.choices import Choice

_FREE: Final = {"c": "check", "r": "bet"}
_FACING: Final = {"f": "fold", "c": "call", "r": "raise"}
_TOLD: Final = {
    "random": "does anything allowed with equal chance",
    "greedy": (
        "plays by its cards: before the public card it bets or raises with K, checks or calls with Q, and checks or folds with "
        "J; after it, it bets or raises with a pair, checks or calls with K, and checks or folds with anything else (where it "
        "may not raise it calls)"
    ),
    "optimal": "plays an equilibrium of the game, which cannot be exploited",
}
_LEVELS: Final[Levels] = (
    ("random", 0, 3),
    ("random", 0, 4),
    ("random", 0, 5),
    ("greedy", 40, 7),
    ("greedy", 30, 8),
    ("greedy", 20, 9),
    ("greedy", 10, 10),
    ("greedy", 10, 11),
    ("greedy", 5, 12),
    ("greedy", 0, 15),
)


class Params(PokerParams):
    """The opponent, and how many hands."""

    levels: ClassVar[Levels] = _LEVELS


class Move(Choice):
    """What can be done."""

    noun: ClassVar[str] = "one of the words check, bet, fold, call, raise"
    example: ClassVar[str] = "check"
    words: ClassVar[Mapping[str, str]] = {word: word for word in (*_FREE.values(), *_FACING.values())}


class LeducPoker(PokerMatch):
    """Poker with six cards and two rounds."""

    Params = Params
    answer: AnswerType = Move()
    max_turns: ClassVar[int] = 208  # of 25 hands; both seats may be the policy's
    poker: ClassVar[Poker] = leduc.GAME
    free: ClassVar[Mapping[str, str]] = _FREE
    facing: ClassVar[Mapping[str, str]] = _FACING
    told: ClassVar[Mapping[str, str]] = _TOLD
    least: ClassVar[float] = 0.01  # more than what rounding the equilibrium can make of a decision
    slack: ClassVar[str] = "by a hundredth of a chip or more, "

    def rules(self, problem: JSON) -> str:
        """The rules."""
        return (
            f"We play {problem['hands']} hands of Leduc poker. The deck has six cards, two each of J, Q and K; K beats Q, and "
            "Q beats J. In each hand both players ante one chip and get one private card. In a round of betting the players "
            "act in turn: they may check, or bet if nothing is bet; who faces a bet may fold, call, or raise it. A round has "
            "at most one bet and one raise, each of two chips more than the other has paid. After the first round one card of "
            "the deck is laid open, and a second round follows with bets and raises of four chips. Whoever folds loses what it "
            "has paid. Otherwise a private card that pairs the open card wins, else the better private card; with the same "
            "card nobody wins. Player 1 acts first in both rounds of the first hand, then the players take turns at acting "
            "first; every hand is dealt from a full deck."
        )
