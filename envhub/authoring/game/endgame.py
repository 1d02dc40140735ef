"""A game for points that starts where full search is feasible.

The policy must score as many points as under perfect play of both sides, whether that wins or narrowly loses. So every
position requires the best moves. A subclass writes the rules; its states have the seat that
decides as ``mover``, None when the game is over. It implements :meth:`~Endgame.ahead`, sets ``unit`` and ``most`` (the
word for a point, the largest lead), and ends its ``setup`` with::

    return self.instance_of({"board": board, "player": seat})     # the instance; its target is the score that can be forced

:meth:`~Endgame.odds` returns the success rates of a random player and of one that follows :meth:`~Endgame.rule`.

Perfect play is found by alpha-beta to the end of the game, without a cache, or by :meth:`~Endgame.values`, which remember
all states. It needs two seats, zero-sum payoffs, no chance
and no hidden information.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from math import log2
from typing import Any, ClassVar, Final, Literal

from envhub.authoring.game.base import Game
from envhub.authoring.game.exact import count_positions, optimal_moves, perfect_value
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance

Value = Callable[[Any], float]


class Endgame(Game):
    """A game for points, near its end.

    Attributes:
        unit: The word for a point, in the singular.
        most: Largest possible lead in points.
    """

    split_by: ClassVar[Literal["content", "seed", "none"]] = "content"
    unit: ClassVar[str] = "point"
    most: ClassVar[float]

    def instance_of(self, problem: JSON, value: Value | None = None) -> Instance | None:
        """The instance of a problem, whose ``player`` moves first.

        None if all its first moves are equally good.

        Args:
            problem: The problem without its target.
            value: :meth:`values`, if the caller needs them as well; by default, alpha-beta finds the best moves.
        """
        inst = Instance(problem)
        s = self.start(inst)
        legal = self.legal(inst, s)
        if value is None:
            worth = perfect_value(self, inst, s)
            best = len(optimal_moves(self, inst, s, worth))
        else:
            worth = value(s)
            best = sum(value(self.play(inst, s, move)) == worth for move in legal)
        if best == len(legal):
            return None
        return Instance({**problem, "target": (-worth if problem["player"] else worth) + 0.0})

    def play_randomly(self, s: Any, rng: Stream, plies: int) -> Any:
        """The state after up to ``plies`` random moves.

        For rules that do not use the instance.
        """
        for _ in range(plies):
            if self.to_move(s) is None:
                break
            s = self.play(_ANY, s, rng.choice(self.legal(_ANY, s)))
        return s

    @abstractmethod
    def ahead(self, s: Any) -> float:
        """Seat 0's lead over seat 1 in points, also before the end."""

    def to_move(self, s: Any) -> int | None:
        """The ``mover`` of a state."""
        mover: int | None = s.mover
        return mover

    def payoffs(self, inst: Instance, s: Any) -> Sequence[float]:
        """Lead in points."""
        ahead = self.ahead(s)
        return ahead, -ahead

    def stakes(self, inst: Instance) -> tuple[float, float]:
        """Number of points won or lost."""
        return -float(self.most), float(self.most)

    def heuristic(self, inst: Instance, s: Any, seat: int) -> float:
        """Current lead in points."""
        return -self.ahead(s) if seat else self.ahead(s)

    def strategy(self, inst: Instance, s: Any) -> Sequence[tuple[Any, int]]:
        """All optimal moves, with equal weight."""
        return [(move, 1) for move in optimal_moves(self, inst, s)]

    def effort(self, inst: Instance) -> float:
        """Logarithm of the number of positions in a full search."""
        return log2(count_positions(self, inst, self.start(inst)))

    def score(self, inst: Instance, gain: float) -> float:
        """No par: the target is the value that can be forced."""
        return 0.0

    def rule(self, s: Any) -> Sequence[Any]:
        """Moves that :meth:`rule` chooses from.

        By default those that gain the most points at once.
        """
        seat = int(self.to_move(s) or 0)
        worth = {move: self.heuristic(_ANY, self.play(_ANY, s, move), seat) for move in self.legal(_ANY, s)}
        return [move for move, value in worth.items() if value == max(worth.values())]

    def greedy(self, inst: Instance, s: Any, seat: int, rng: Stream) -> Any:
        """A move of the simple heuristic."""
        return rng.choice(self.rule(s))

    def values(self) -> Value:
        """The lead of seat 0 under perfect play, for any state.

        Full search, which remembers all states: only for small endgames whose rules need no instance.
        """
        known: dict[Any, float] = {}

        def value(at: Any) -> float:
            if at not in known:
                mover = self.to_move(at)
                worth = [value(self.play(_ANY, at, move)) for move in self.legal(_ANY, at)] if mover is not None else []
                known[at] = self.ahead(at) if mover is None else min(worth) if mover else max(worth)
            return known[at]

        return value

    def odds(self, s: Any, value: Value | None = None) -> tuple[float, float]:
        """Probabilities of keeping the value against perfect play.

        At random and by :meth:`rule`. They are exact; the conditions are those of :meth:`values`.

        Args:
            s: A state in which a seat decides.
            value: :meth:`values`, if the caller has searched with them before.
        """
        value = value or self.values()
        seat, known = int(self.to_move(s) or 0), dict[Any, tuple[float, float]]()

        def mean(moves: Sequence[Any], at: Any, by_rule: bool) -> float:
            return sum(chances(self.play(_ANY, at, move))[by_rule] for move in moves) / len(moves)

        def chances(at: Any) -> tuple[float, float]:
            if at not in known:
                mover = self.to_move(at)
                if value(at) != worth:  # a loss is final: the other side makes no mistakes
                    known[at] = (0.0, 0.0)
                elif mover is None:
                    known[at] = (1.0, 1.0)
                else:
                    legal = self.legal(_ANY, at)
                    if mover == seat:
                        known[at] = mean(legal, at, False), mean(self.rule(at), at, True)
                    else:
                        kept = [move for move in legal if value(self.play(_ANY, at, move)) == worth]
                        known[at] = mean(kept, at, False), mean(kept, at, True)
            return known[at]

        worth = value(s)
        return chances(s)

    def goal(self, problem: JSON) -> str:
        """The target lead in words."""
        return f"You succeed if you end {self._need(problem['target'])}, which can be forced."

    def _need(self, target: float) -> str:
        """A lead in points, in words."""
        points = f"{abs(int(target))} {self.unit}{'' if abs(target) == 1 else 's'}"
        return f"at least {points} ahead" if target > 0 else f"at most {points} behind" if target else "level or ahead"


_ANY: Final = Instance({})
