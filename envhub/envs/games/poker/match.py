"""State of a poker match, and the opponent of each hand.

:class:`State` is immutable and holds the hands so far; the problem names the opponents. The functions need no environment::

    card_of(State(left=1, cards="KJ", seen="c"))   # "J": the card of the player to act
    rival_of(inst, hand=2)                         # the strategy and slips (per cent) that hand 3 is graded against
"""

from __future__ import annotations

from typing import Final, NamedTuple

from envhub.core.types import JSON, Instance
from envhub.envs.games.poker.rules import KNOWN, Habits, Rival, acts

ONE_HAND: Final = Instance({"hands": 1, "habits": [], "opponent": "optimal", "slips": 0, "player": 0, "target": 0.0})
"""A match of one hand, for which known results are stated."""


class State(NamedTuple):
    """A match in progress, with the last hand.

    Hands to play and played, cards by acting order, public history, chips of seat 0, decisions.
    """

    left: int
    hand: int = 0
    cards: str = ""
    seen: str = ""
    chips: int = 0
    decided: tuple[tuple[int, int, str, str, str], ...] = ()  # hand, seat, card, public history, letter
    last: str = ""


def card_of(s: State) -> str:
    """The card of the player to act."""
    return s.cards[len(acts(s.seen)) % 2]


def playing(problem: JSON, hand: int) -> int:
    """Index of the drawn opponent of a hand.

    Each plays about equally many consecutive hands.
    """
    return int(hand * len(problem["habits"]) // problem["hands"])


def read_habits(table: JSON) -> Habits:
    """Frequencies as stored in a problem."""
    return tuple((row[0], row[1], row[2]) for row in table)


def rival_of(inst: Instance, hand: int) -> tuple[Rival, int]:
    """The strategy and slips that a hand is graded against.

    An unknown opponent counts as an equilibrium.
    """
    problem = inst.problem
    if problem["habits"]:
        return read_habits(problem["habits"][playing(problem, hand)]), problem["slips"]
    return (problem["opponent"], problem["slips"]) if problem["opponent"] in KNOWN else ("optimal", 0)
