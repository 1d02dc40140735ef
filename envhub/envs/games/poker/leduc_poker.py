"""leduc-poker-v0: play two-round poker against a stated strategy; graded on decisions.

Action: ``check``, ``bet``, ``fold``, ``call`` or ``raise``. Six cards, two each of J, Q and K; one private card each, a
round of betting by two chips, a public card, a round by four. The prompt states how often the opponent bets, folds and
raises; the payoff is the chips won. The score does not depend on the cards: the expected value of each decision is
computed exactly, and a match is solved (score 1, else 0) if no decision loses a hundredth of a chip or more.
Difficulty: more hands, several opponents one after another, and frequencies that depend on the opponent's card, so that
its actions reveal something about its hand.

``optimal`` plays an equilibrium (of value -0.0856 for the first player). Deals are hidden, so splits are by seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from envhub.authoring.game import KnownGame, Rulebook
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.games.poker import leduc, wording
from envhub.envs.games.poker.environment import Levels, PokerMatch, PokerParams
from envhub.envs.games.poker.habits import Row, draw_leduc, rows_leduc
from envhub.envs.games.poker.match import ONE_HAND
from envhub.envs.games.poker.rules import Habits, Poker
from envhub.verifiers.answers.choices import Choice
from envhub.verifiers.answers.types import AnswerType

_FREE: Final = {"c": "check", "r": "bet"}
_FACING: Final = {"f": "fold", "c": "call", "r": "raise"}
_TOLD: Final = {
    "random": ("It plays a uniformly random legal action.",),
    "greedy": (
        "In round 1, it bets or raises with K, checks or calls with Q, and checks or folds with J.",
        "In round 2, it bets or raises with a pair, checks or calls with K, and checks or folds with anything else.",
        "Where a raise is not allowed, it calls instead.",
    ),
    "optimal": (
        "It plays one fixed Nash equilibrium of Leduc poker, computed by linear programming and not shown here.",
    ),
}
_LEVELS: Final[Levels] = (
    ("blind", 20, 2, 4),
    ("blind", 10, 2, 6),
    ("round", 10, 2, 6),
    ("card", 20, 1, 5),
    ("card", 10, 1, 6),
    ("card", 10, 2, 6),
    ("card", 10, 2, 8),
    ("card", 10, 2, 12),
    ("card", 5, 3, 12),
    ("card", 5, 3, 15),
)


class Params(PokerParams):
    """The opponent, and the number of hands."""

    levels: ClassVar[Levels] = _LEVELS


class Move(Choice):
    """An action."""

    noun: ClassVar[str] = "one of check, bet, fold, call or raise"
    example: ClassVar[str] = "check"
    placeholder: ClassVar[str] = "ACTION"
    words: ClassVar[Mapping[str, str]] = {word: word for word in (*_FREE.values(), *_FACING.values())}


class LeducPoker(PokerMatch):
    """Poker with six cards and two rounds."""

    Params = Params
    answer: AnswerType = Move()
    max_turns: ClassVar[int] = 208  # of 25 hands; both seats may be the policy's
    poker: ClassVar[Poker] = leduc.GAME
    free: ClassVar[Mapping[str, str]] = _FREE
    facing: ClassVar[Mapping[str, str]] = _FACING
    told: ClassVar[Mapping[str, Sequence[str]]] = _TOLD
    closing: ClassVar[Sequence[str]] = ("Where a raise is not allowed, it calls instead.",)

    def draw_habits(self, rng: Stream, p: Any) -> Habits:
        """Frequencies of bets, folds and raises."""
        return draw_leduc(rng, p.kind, p.grain)

    def rows(self, habits: Habits) -> list[Row]:
        """The frequencies by situation."""
        return rows_leduc(habits)

    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules, the opponent's strategies, and how decisions are graded."""
        return wording.leduc(problem, self.strategies(problem), self.least)

    def known(self) -> Iterator[KnownGame]:
        """The known size and value of Leduc poker, and payments.

        The size and the value are from Southey et al. 2005 and OpenSpiel.
        The 288 information sets tell ranks apart; with suits there are 936.
        """
        yield KnownGame(ONE_HAND, counts=(9, 18), value=-0.0856064, information_sets=288)
        yield KnownGame(ONE_HAND, "KJ check check Q check check", paid=(1, -1))
        yield KnownGame(ONE_HAND, "KJ check check J check check", paid=(-1, 1))
        yield KnownGame(ONE_HAND, "QQ check bet raise call K bet raise call", paid=(0, 0))
        yield KnownGame(ONE_HAND, "KQ check bet raise call J bet raise call", paid=(13, -13))
        yield KnownGame(ONE_HAND, "JK bet raise", counts=(2,), refused=("raise", "check", "bet"))
        yield KnownGame(ONE_HAND, "JK bet raise fold", paid=(-3, 3))
