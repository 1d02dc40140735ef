"""kuhn-poker-v0: play poker hands against stated strategies; graded on decisions.

Action: ``check``, ``bet``, ``call`` or ``fold``. Three cards, J below Q below K; each player antes one chip and
receives one card; there is one bet of one chip. The prompt states how often the opponent bets and calls; the payoff is
the chips won. The score does not depend on the cards: the expected value of each decision is computed exactly, and a
match is solved (score 1, else 0) if no decision loses a hundredth of a chip or more. Difficulty: more hands, several
opponents one after another, and frequencies that depend on the opponent's card, so that its actions reveal something
about its hand.

Frequencies are drawn such that no fixed pair of actions (check or bet; call or fold) is right in more than two hands of three.
``optimal`` plays the equilibrium with alpha = 1/3 (of value -1/18 for the first player). Deals are hidden, so splits are by
seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final

from pydantic import Field

from envhub.authoring.game import KnownGame, Rulebook
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.games.poker import kuhn, wording
from envhub.envs.games.poker.environment import Levels, PokerMatch, PokerParams
from envhub.envs.games.poker.habits import Row, draw_kuhn, rows_kuhn
from envhub.envs.games.poker.match import ONE_HAND
from envhub.envs.games.poker.rules import Habits, Poker
from envhub.verifiers.answers.choices import Choice
from envhub.verifiers.answers.types import AnswerType

_FREE: Final = {"c": "check", "r": "bet"}
_FACING: Final = {"c": "call", "f": "fold"}
_FIXED: Final = 2 / 3
"""Maximum share of hands in which a fixed pair of actions is right."""
_LEVELS: Final[Levels] = (  # an even number of hands for each opponent: so the share above holds for the match
    ("blind", 20, 2, 4),
    ("blind", 10, 2, 8),
    ("card", 20, 2, 8),
    ("card", 10, 2, 8),
    ("card", 10, 2, 12),
    ("card", 10, 3, 12),
    ("situation", 10, 3, 12),
    ("situation", 10, 3, 18),
    ("situation", 5, 4, 16),
    ("situation", 5, 5, 20),
)


class Params(PokerParams):
    """The opponents, and the number of hands."""

    levels: ClassVar[Levels] = _LEVELS
    hands: int = Field(6, ge=1, le=25, description="hands of a match; the players act first in turn")


class Move(Choice):
    """An action."""

    noun: ClassVar[str] = "one of check, bet, call or fold"
    example: ClassVar[str] = "check"
    placeholder: ClassVar[str] = "ACTION"
    words: ClassVar[Mapping[str, str]] = {word: word for word in ("check", "fold", "bet", "call")}


class KuhnPoker(PokerMatch):
    """Poker with three cards and one bet."""

    Params = Params
    answer: AnswerType = Move()
    max_turns: ClassVar[int] = 80  # of 25 hands; both seats may be the policy's
    slow: ClassVar[bool] = True
    poker: ClassVar[Poker] = kuhn.GAME
    free: ClassVar[Mapping[str, str]] = _FREE
    facing: ClassVar[Mapping[str, str]] = _FACING
    guessable: ClassVar[Mapping[int, tuple[float, str]]] = {
        1: (_FIXED ** _LEVELS[0][3], "two fixed actions are right in at most two hands of three, and all four must be")
    }
    told: ClassVar[Mapping[str, Sequence[str]]] = {
        "random": ("It plays a uniformly random legal action.",),
        "greedy": ("It bets with K and checks with J or Q.", "It calls a bet with Q or K and folds J."),
        "optimal": (
            "This is the Nash equilibrium of Kuhn poker with alpha = 1/3.",
            "When it acts first, it bets with J with probability 1/3 and with K always; otherwise it checks.",
            "After your check, it bets with J with probability 1/3 and with K always; otherwise it checks.",
            "When you act first and bet, it calls with Q with probability 1/3 and with K always; otherwise it folds.",
            "When it has checked and you bet, it calls with Q with probability 2/3 and with K always; otherwise it folds.",
        ),
    }

    def draw_habits(self, rng: Stream, p: Any) -> Habits | None:
        """Frequencies of bets and calls."""
        return draw_kuhn(rng, p.kind, p.grain, self.poker, self.least, _FIXED)

    def searches(self, p: Any) -> bool:
        """Only opponents with habits are searched for."""
        return bool(p.opponent == "greedy")

    def rows(self, habits: Habits) -> list[Row]:
        """The frequencies by situation."""
        return rows_kuhn(habits)

    def rulebook(self, problem: JSON) -> Rulebook:
        """The rules, the opponent's strategies, and how decisions are graded."""
        return wording.kuhn(problem, self.strategies(problem), self.least)

    def known(self) -> Iterator[KnownGame]:
        """Kuhn's game (1950): its size, its value -1/18, and the payments."""
        yield KnownGame(ONE_HAND, counts=(6, 12, 24, 12), value=-1 / 18, information_sets=12)
        yield KnownGame(ONE_HAND, "JK check", counts=(2, 2), refused=("call", "fold", "raise"))
        yield KnownGame(ONE_HAND, "JK check check", paid=(-1, 1))
        yield KnownGame(ONE_HAND, "QJ bet call", paid=(2, -2))
        yield KnownGame(ONE_HAND, "JK bet fold", paid=(1, -1))
        yield KnownGame(ONE_HAND, "QK check bet fold", paid=(-1, 1))
        yield KnownGame(ONE_HAND, "KQ check bet call", paid=(2, -2))
