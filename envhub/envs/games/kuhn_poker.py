"""kuhn-poker-v0: Kuhn poker, several hands against an opponent whose ways are told; judged by decisions, not by luck.

Action: ``check``, ``bet``, ``call`` or ``fold``. Three cards, J below Q below K; each player antes one chip and is dealt a
card; there is one bet of one chip. The payoff is the chips won. The score does not depend on the luck of the cards: every
decision of the policy loses so much, on average, against the best decision with the same knowledge and this opponent, which
is computed exactly. Solved is a match in which no decision lost anything; else half a point, less what was lost. Difficulty:
more hands, and an opponent against which more decisions matter.

``optimal`` plays an equilibrium (of value -1/18 for who acts first). Deals are hidden, so splits are by seed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from pydantic import Field

from envhub.envs.games.poker import Levels, PokerMatch, PokerParams
from envhub.generators import kuhn
from envhub.generators.poker import Poker
from envhub.types import JSON
from envhub.verifiers.answers import AnswerType
from envhub.verifiers.choices import Choice

_FREE: Final = {"c": "check", "r": "bet"}
_FACING: Final = {"c": "call", "f": "fold"}
_LEVELS: Final[Levels] = (
    ("optimal", 0, 4),
    ("optimal", 0, 6),
    ("random", 0, 6),
    ("greedy", 40, 6),
    ("greedy", 40, 8),
    ("greedy", 20, 9),
    ("greedy", 10, 11),
    ("greedy", 0, 12),
    ("greedy", 0, 15),
    ("greedy", 0, 20),
)


class Params(PokerParams):
    """The opponent, and how many hands."""

    levels: ClassVar[Levels] = _LEVELS
    hands: int = Field(6, ge=1, le=25, description="hands of a match; the players act first in turn")


class Move(Choice):
    """What can be done."""

    noun: ClassVar[str] = "one of the words check, bet, call, fold"
    example: ClassVar[str] = "check"
    words: ClassVar[Mapping[str, str]] = {word: word for word in ("check", "fold", "bet", "call")}


class KuhnPoker(PokerMatch):
    """Poker with three cards and one bet."""

    Params = Params
    answer: AnswerType = Move()
    max_turns: ClassVar[int] = 80  # of 25 hands; both seats may be the policy's
    poker: ClassVar[Poker] = kuhn.GAME
    free: ClassVar[Mapping[str, str]] = _FREE
    facing: ClassVar[Mapping[str, str]] = _FACING
    told: ClassVar[Mapping[str, str]] = {
        "random": "does anything allowed with equal chance",
        "greedy": "bets with K only and calls a bet with Q or K",
        "optimal": "plays an equilibrium of the game, which cannot be exploited",
    }

    def rules(self, problem: JSON) -> str:
        """The rules."""
        return (
            f"We play {problem['hands']} hands of Kuhn poker. The deck has three cards, J, Q and K; K beats Q, and Q beats "
            "J. In each hand both players ante one chip and get one card. Who acts first may check or bet one chip. After a "
            "check the other may check, and the better card wins the antes, or bet; after a bet the other may call, and the "
            "better card wins both antes and both bets, or fold, and the bettor wins the antes. Who checked and then faces a "
            "bet may call or fold as well. Player 1 acts first in the first hand, then the players take turns at acting "
            "first; every hand is dealt from a full deck."
        )
