"""What the author of a game writes: the rules as pure functions, and what they say of the score.

Nothing here knows of episodes; :class:`envhub.authoring.game.Game` plays by it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from envhub.authoring.environment import Staged
from envhub.authoring.game.mechanics import Mechanics
from envhub.authoring.game.search import one_ply, search_value
from envhub.authoring.world import World
from envhub.core.difficulty import BaseParams
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance


class GameParams(BaseParams):
    """Who sits where. Subclass it, add what the game has, and override ``at``."""

    opponent: str = Field(
        "random",
        max_length=400,
        description="who has the other seats: random, greedy, minimax:PLIES, mcts:PLAYOUTS, optimal, self, a model's URL",
    )
    slips: int = Field(0, ge=0, le=100, description="of a hundred moves of the opponent so many are random")
    seat: int | None = Field(None, ge=0, le=15, description="the policy's seat, from 0; drawn with the task if null")


class Rules(Mechanics, World):
    """The rules of a game, and the words around it.

    Attributes:
        symbols: The names of the seats, one character each; ``player 1`` and so on where it is empty.
        retries: So many messages that are no legal move are free.
        action: What a message is called in the prompt.
        most_plies: What ``minimax`` may spend on a move.
        most_playouts: What ``mcts`` may spend on a move.
    """

    symbols: ClassVar[str] = ""
    retries: ClassVar[int] = 2
    action: ClassVar[str] = "move"
    most_plies: ClassVar[int] = 6
    most_playouts: ClassVar[int] = 2000

    def setup(self, rng: Stream, p: Any) -> Instance | Staged | None:
        """Draw what is particular to a task: a starting position, private values, how many hands. By default nothing.

        The problem and the key (if any) are mappings. The base adds ``player``, ``opponent``, ``slips``, ``target`` and
        ``view`` to the problem, and leaves ``player`` and ``target`` as they are where they are set here. As ``sample`` it
        may be a generator that yields once, or return None.
        """
        return Instance({})

    @abstractmethod
    def rules(self, problem: JSON) -> str:
        """The rules, for whichever seat, in words; without seats, opponents, illegal moves and the format."""

    @abstractmethod
    def observe(self, inst: Instance, s: Any, seat: int) -> str:
        """What a seat may see: all it needs to decide, and nothing that is hidden from it."""

    def moves(self, p: Any) -> Sequence[Any] | None:
        """Every move that can be legal with some parameters, in an order that stays; None where they are not listed."""
        return None

    def greedy(self, inst: Instance, s: Any, seat: int, rng: Stream) -> Any:
        """A rule of thumb; by default the move after which :meth:`heuristic` is best. Knows what its seat knows."""
        return one_ply(self, inst, s, seat, rng)

    def strategy(self, inst: Instance, s: Any) -> Sequence[tuple[Any, int]]:
        """Perfect play of the seat that decides: moves with integer weights, from what that seat knows. Gives ``optimal``."""
        raise NotImplementedError(f"{type(self).__name__} has no strategy()")

    def best(self, inst: Instance, s: Any) -> Any:
        """The oracle's move for the seat that decides, which may know everything; by default of the strategy, or a search."""
        if self.has("strategy"):
            return max(self.strategy(inst, s), key=lambda branch: branch[1])[0]
        seat, moves = self.to_move(s), self.legal(inst, s)
        plies = self.most_plies - 1
        return max(moves, key=lambda move: search_value(self, inst, self.play(inst, s, move), int(seat or 0), plies))

    def forfeit(self, inst: Instance, s: Any, seat: int) -> Sequence[float]:
        """The payoffs when a seat loses by illegal moves: never better for it than any other end."""
        low, high = self.stakes(inst)
        other = -low / (self.seats - 1) if self.zero_sum and self.seats > 1 else 0.0
        return [low if at == seat else min(other, high) for at in range(self.seats)]

    def par(self, inst: Instance, s: Any, seat: int) -> float:
        """What is no doing of a seat in a game that is over, such as luck: taken from its payoff before that is judged."""
        return 0.0

    def score(self, inst: Instance, gain: float) -> float:
        """The score of a payoff (less :meth:`par`) that misses the target: 0 at the least payoff, 1 at the target."""
        low, target = self.stakes(inst)[0], float(inst.problem["target"])
        return (gain - low) / (target - low)

    def parts(self, inst: Instance, s: Any) -> Mapping[str, float]:
        """Further components of the verdict on a game that is over, named in ``components``; 0 where the game is forfeited.

        Look at the end alone, so that doing a thing again and again adds nothing.
        """
        return {}

    def goal(self, problem: JSON) -> str:
        """What counts as solved, in words."""
        return "You succeed if you win." if problem["target"] > 0 else "You succeed if you win or draw."

    def seat_name(self, problem: JSON, seat: int) -> str:
        """What a seat is called."""
        return self.symbols[seat] if self.symbols else f"player {seat + 1}"

    def read_move(self, inst: Instance, s: Any, value: Any) -> Any:
        """The move that a parsed answer stands for."""
        return value

    def whole(self, problem: JSON) -> str:
        """What an episode is called in the prompt: a game, or a match where it has several boards or hands."""
        return "game"

    def write_move(self, move: Any) -> str:
        """A move as a policy would write it."""
        return " ".join(map(str, move)) if isinstance(move, (tuple, list)) else str(move)

    def fault(self, inst: Instance, s: Any, value: Any) -> str:
        """Why a parsed answer is no legal move; empty if it is one. Says nothing that the seat does not know."""
        if self.read_move(inst, s, value) in self.legal(inst, s):
            return ""
        return f"{self.write_move(value)[:80]} is not a legal move."

    def ending(self, inst: Instance, s: Any, paid: Sequence[float], seat: int) -> str:
        """What a seat is told of the result."""
        if not self.zero_sum or self.seats != 2:
            return f"The game is over. Your payoff is {paid[seat]:g}."
        return "You won." if paid[seat] > 0 else "You lost." if paid[seat] < 0 else "It is a draw."

    @classmethod
    def has(cls, name: str) -> bool:
        """Whether the author wrote a method of this name."""
        return getattr(cls, name) is not getattr(Rules, name)
