"""What an author writes of a game: rules, words and scoring.

Episodes are not part of it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final

from pydantic import Field

from envhub.authoring.environment import Staged
from envhub.authoring.game.known import KnownGame
from envhub.authoring.game.mechanics import Mechanics
from envhub.authoring.game.rulebook import Rulebook
from envhub.authoring.game.search import one_ply, search_value
from envhub.authoring.world import World
from envhub.core.difficulty import BaseParams
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.scenes import Scene

OPPONENTS: Final = ("random", "greedy", "minimax:2", "mcts:100", "optimal", "self")
"""An example of each kind of built-in opponent; not every game has all of them."""


class GameParams(BaseParams):
    """Opponent and seat.

    Subclass it, add parameters of the game, and override ``at``.
    """

    opponent: str = Field(
        "random",
        max_length=400,
        description="who has the other seats: random, greedy, minimax:PLIES, mcts:PLAYOUTS, optimal, self, a model's URL",
        examples=list(OPPONENTS),
    )
    slips: int = Field(0, ge=0, le=100, description="of a hundred moves of the opponent so many are random")
    seat: int | None = Field(None, ge=0, le=15, description="the policy's seat, from 0; drawn with the task if null")


class Rules(Mechanics, World):
    """The rules of a game, its texts and its scoring.

    Attributes:
        symbols: The names of the seats, one character each; ``player 1`` and so on where it is empty.
        retries: Number of messages without a legal move that are allowed per episode.
        action: The word for a message in the prompt.
        most_plies: Largest depth of ``minimax``.
        most_playouts: Largest number of playouts of ``mcts`` for a move.
    """

    symbols: ClassVar[str] = ""
    retries: ClassVar[int] = 2
    action: ClassVar[str] = "move"
    most_plies: ClassVar[int] = 6
    most_playouts: ClassVar[int] = 2000

    def setup(self, rng: Stream, p: Any) -> Instance | Staged | None:
        """Draw the content of a task.

        For example a starting position or private values; by default nothing. The problem and the key (if any) are
        mappings. The base class adds ``player``, ``opponent``, ``slips``, ``target`` and ``view`` to the problem, and
        keeps a ``player`` or ``target`` set here. Like ``sample``, it may be a generator that yields once, or return
        None.
        """
        return Instance({})

    def rulebook(self, problem: JSON) -> Rulebook | None:
        """The rules as phrases, from which prompts are worded.

        None if :meth:`rules` is a fixed text.
        """
        return None

    def rules(self, problem: JSON) -> str:
        """The rules in words, for every seat.

        Without opponents, illegal moves and the answer format. Override it, or :meth:`rulebook`.
        """
        book = self.rulebook(problem)
        if book is None:
            raise NotImplementedError(f"{type(self).__name__} must implement rulebook() or rules()")
        return book.text()

    @abstractmethod
    def observe(self, inst: Instance, s: Any, seat: int) -> str:
        """The observation of a seat.

        All it needs to decide, and nothing hidden from it.
        """

    def picture(self, inst: Instance, s: Any, seat: int) -> Scene | None:
        """What a seat sees, as a picture; None without one."""
        return None

    def beside(self, view: str) -> str:
        """What a view (:meth:`observe`) says and its picture does not, for ``observation="image"``.

        Define it where :attr:`separable` is true.
        """
        return view

    def moves(self, p: Any) -> Sequence[Any] | None:
        """Every move that can ever be legal, in a fixed order.

        None if they are not listed.
        """
        return None

    def greedy(self, inst: Instance, s: Any, seat: int, rng: Stream) -> Any:
        """A simple heuristic move.

        By default the one after which :meth:`heuristic` is best. Uses only what its seat knows.
        """
        return one_ply(self, inst, s, seat, rng)

    def strategy(self, inst: Instance, s: Any) -> Sequence[tuple[Any, int]]:
        """Optimal play of the seat to move: moves with integer weights.

        It uses only what the seat knows. Enables ``optimal``.
        """
        raise NotImplementedError(f"{type(self).__name__} does not implement strategy()")

    def best(self, inst: Instance, s: Any) -> Any:
        """The oracle's move, which may use hidden information.

        By default from the strategy, or a search.
        """
        if self.has("strategy"):
            return max(self.strategy(inst, s), key=lambda branch: branch[1])[0]
        seat, moves = self.to_move(s), self.legal(inst, s)
        plies = self.most_plies - 1
        return max(moves, key=lambda move: search_value(self, inst, self.play(inst, s, move), int(seat or 0), plies))

    def forfeit(self, inst: Instance, s: Any, seat: int) -> Sequence[float]:
        """The payoffs when a seat loses by illegal moves.

        No other end may be worse for it.
        """
        low, high = self.stakes(inst)
        other = -low / (self.seats - 1) if self.zero_sum and self.seats > 1 else 0.0
        return [low if at == seat else min(other, high) for at in range(self.seats)]

    def par(self, inst: Instance, s: Any, seat: int) -> float:
        """The unearned part of a final payoff, such as dealt cards.

        Subtracted before scoring.
        """
        return 0.0

    def score(self, inst: Instance, gain: float) -> float:
        """The score of a payoff that misses the target.

        0 at the least payoff, 1 at the target; the payoff is less :meth:`par`.
        """
        low, target = self.stakes(inst)[0], float(inst.problem["target"])
        return (gain - low) / (target - low)

    def parts(self, inst: Instance, s: Any) -> Mapping[str, float]:
        """Further components of the final verdict, listed in ``components``.

        0 if the game is forfeited. Compute them from the final state alone, so that repeating an action gains nothing.
        """
        return {}

    def goal(self, problem: JSON) -> str:
        """The condition for success, in words.

        Of a game with a rulebook, the one stated there.
        """
        book = self.rulebook(problem)
        if book is not None:
            return book.goal_text()
        return "You succeed if you win." if problem["target"] > 0 else "You succeed if you win or draw."

    def seat_name(self, problem: JSON, seat: int) -> str:
        """The name of a seat."""
        return self.symbols[seat] if self.symbols else f"player {seat + 1}"

    def read_move(self, inst: Instance, s: Any, value: Any) -> Any:
        """The move of a parsed answer."""
        return value

    def whole(self, problem: JSON) -> str:
        """The word for an episode in the prompt.

        For example a game, or a match of several boards or hands.
        """
        return "game"

    def write_move(self, move: Any) -> str:
        """A move as a policy would write it."""
        return " ".join(map(str, move)) if isinstance(move, (tuple, list)) else str(move)

    def spellings(self, inst: Instance, s: Any, move: Any) -> Sequence[str]:
        """The ways to write a legal move.

        Each is read as this move alone.
        """
        return [self.write_move(move)]

    def known(self) -> Iterable[KnownGame]:
        """Published results on the rules, such as counts of games.

        The audit plays them.
        """
        return ()

    def fault(self, inst: Instance, s: Any, value: Any) -> str:
        """Why a parsed answer is not a legal move.

        Empty if it is. Must not reveal hidden information.
        """
        if self.read_move(inst, s, value) in self.legal(inst, s):
            return ""
        return f"{self.write_move(value)[:80]} is not a legal move."

    def ending(self, inst: Instance, s: Any, paid: Sequence[float], seat: int) -> str:
        """The text that tells a seat the result."""
        if not self.zero_sum or self.seats != 2:
            return f"The game is over. Your payoff is {paid[seat]:g}."
        return "You won." if paid[seat] > 0 else "You lost." if paid[seat] < 0 else "It is a draw."

    @classmethod
    def has(cls, name: str) -> bool:
        """Whether the author overrides the method of this name."""
        return getattr(cls, name) is not getattr(Rules, name)
