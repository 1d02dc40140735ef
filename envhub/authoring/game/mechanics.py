"""The mechanics of a game: states and moves as pure functions.

Without words and without episodes. Search needs nothing else. A game's author writes them in a subclass of
:class:`envhub.authoring.game.Game`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from math import isfinite
from typing import Any, ClassVar, Final

from envhub.core.seeding import Stream
from envhub.core.types import Instance

CHANCE: Final = "chance"
"""The seat whose moves are random, with known weights."""
_EXACT: Final = 1e-9


class Mechanics(ABC):
    """The moves and payoffs of a game.

    Attributes:
        seats: Number of seats.
        zero_sum: The payoffs of all seats add up to 0. A breach is an error of the environment, never a reward.
        hidden: Some seat does not see the whole state. Then :meth:`imagine` is required.
    """

    seats: ClassVar[int] = 2
    zero_sum: ClassVar[bool] = True
    hidden: ClassVar[bool] = False

    @abstractmethod
    def start(self, inst: Instance) -> Any:
        """The initial state. Deals are moves of ``CHANCE``, not part of it."""

    @abstractmethod
    def to_move(self, s: Any) -> int | str | None:
        """The seat to move, ``CHANCE``, or None if the game is over."""

    @abstractmethod
    def legal(self, inst: Instance, s: Any) -> Sequence[Any]:
        """The legal moves of the seat to move, as hashable values.

        They must depend only on what that seat knows.
        """

    @abstractmethod
    def play(self, inst: Instance, s: Any, move: Any) -> Any:
        """The next state after a move of a seat or of chance.

        A pure function.
        """

    @abstractmethod
    def payoffs(self, inst: Instance, s: Any) -> Sequence[float]:
        """The payoff of each seat at the end of the game."""

    def chances(self, inst: Instance, s: Any) -> Sequence[tuple[Any, int]]:
        """The moves of chance with integer weights.

        For states where ``to_move`` is ``CHANCE``.
        """
        raise NotImplementedError(f"{type(self).__name__} has moves of chance but does not implement chances()")

    def draw(self, inst: Instance, s: Any, rng: Stream) -> Any:
        """Draw a move of chance.

        Override it if there are too many to list.
        """
        return draw_weighted(self.chances(inst, s), rng)

    def imagine(self, inst: Instance, s: Any, seat: int, rng: Stream) -> Any:
        """Sample a state consistent with what a seat knows.

        Everything hidden from it is redrawn.
        """
        raise NotImplementedError(f"{type(self).__name__} has hidden information but does not implement imagine()")

    def heuristic(self, inst: Instance, s: Any, seat: int) -> float:
        """Estimated payoff of a seat in an unfinished state.

        With two seats, one estimate is minus the other.
        """
        return 0.0

    def stakes(self, inst: Instance) -> tuple[float, float]:
        """The smallest and the largest payoff of a seat."""
        return -1.0, 1.0

    def random_move(self, inst: Instance, s: Any, rng: Stream) -> Any:
        """Draw a legal move uniformly."""
        return rng.choice(self.legal(inst, s))

    def paid(self, inst: Instance, s: Any) -> list[float]:
        """The checked payoffs at the end of the game.

        Raises:
            ValueError: Not one per seat, or a zero-sum game's payoffs do not sum to 0.
        """
        return self.checked(self.payoffs(inst, s))

    def checked(self, payoffs: Sequence[float]) -> list[float]:
        """Check payoffs, as :meth:`paid` does."""
        paid = [float(value) + 0.0 for value in payoffs]  # no -0.0
        if len(paid) != self.seats or not all(map(isfinite, paid)):
            raise ValueError(f"{type(self).__name__} must return {self.seats} finite payoffs, one per seat; got {paid}")
        if self.zero_sum and abs(sum(paid)) > _EXACT:
            raise ValueError(f"{type(self).__name__} is zero-sum, but its payoffs sum to {sum(paid)}")
        return paid


def draw_weighted(branches: Sequence[tuple[Any, int]], rng: Stream) -> Any:
    """Draw a move by its integer weight."""
    at = rng.below(sum(weight for _, weight in branches))
    for move, weight in branches:
        at -= weight
        if at < 0:
            return move
    raise AssertionError("unreachable: the weights add up")
