"""The mechanics of a game: states and moves as pure functions, without words and without episodes.

Search needs nothing else. A game's author writes them in a subclass of :class:`envhub.authoring.game.Game`.
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
    """How a game moves and what it pays.

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
        """The first state; what is dealt is dealt by moves of ``CHANCE``."""

    @abstractmethod
    def to_move(self, s: Any) -> int | str | None:
        """The seat that decides, ``CHANCE``, or None when the game is over."""

    @abstractmethod
    def legal(self, inst: Instance, s: Any) -> Sequence[Any]:
        """The moves of the seat that decides, which must follow from what that seat knows; hashable values."""

    @abstractmethod
    def play(self, inst: Instance, s: Any, move: Any) -> Any:
        """The next state: a function of its arguments, for moves of seats and of chance."""

    @abstractmethod
    def payoffs(self, inst: Instance, s: Any) -> Sequence[float]:
        """What every seat gets when the game is over."""

    def chances(self, inst: Instance, s: Any) -> Sequence[tuple[Any, int]]:
        """The moves of chance with integer weights, where ``to_move`` says ``CHANCE``."""
        raise NotImplementedError(f"{type(self).__name__} has chance and no chances()")

    def draw(self, inst: Instance, s: Any, rng: Stream) -> Any:
        """A move of chance; override it where there are too many to list."""
        return draw_weighted(self.chances(inst, s), rng)

    def imagine(self, inst: Instance, s: Any, seat: int, rng: Stream) -> Any:
        """A state that is the same for all that a seat knows, with what is hidden from it drawn anew."""
        raise NotImplementedError(f"{type(self).__name__} hides something and has no imagine()")

    def heuristic(self, inst: Instance, s: Any, seat: int) -> float:
        """What an unfinished state looks worth to a seat, on the scale of the payoffs; minus the other's for one of two."""
        return 0.0

    def stakes(self, inst: Instance) -> tuple[float, float]:
        """The least and the greatest payoff of a seat."""
        return -1.0, 1.0

    def random_move(self, inst: Instance, s: Any, rng: Stream) -> Any:
        """Any legal move."""
        return rng.choice(self.legal(inst, s))

    def paid(self, inst: Instance, s: Any) -> list[float]:
        """The payoffs of a game that is over.

        Raises:
            ValueError: They are not one for every seat, or do not add up to 0 in a game that says so.
        """
        return self.checked(self.payoffs(inst, s))

    def checked(self, payoffs: Sequence[float]) -> list[float]:
        """Payoffs, if they can be; as :meth:`paid`."""
        paid = [float(value) + 0.0 for value in payoffs]  # no -0.0
        if len(paid) != self.seats or not all(map(isfinite, paid)):
            raise ValueError(f"{type(self).__name__} has {self.seats} seats, and pays {len(paid)}")
        if self.zero_sum and abs(sum(paid)) > _EXACT:
            raise ValueError(f"{type(self).__name__} says that its payoffs add up to 0, and they add up to {sum(paid)}")
        return paid


def draw_weighted(branches: Sequence[tuple[Any, int]], rng: Stream) -> Any:
    """Draw a move by its integer weight."""
    at = rng.below(sum(weight for _, weight in branches))
    for move, weight in branches:
        at -= weight
        if at < 0:
            return move
    raise AssertionError("unreachable: the weights add up")
