"""Exact solutions of small games.

Values under perfect play, best responses and exploitability.

::

    solution(game, inst)(s)                    # the payoff of seat 0 under perfect play, cached by state
    perfect_value(game, inst, s)                     # the same by alpha-beta without a cache, for endgames
    optimal_moves(game, inst, s)                     # the moves that keep this value
    exploitability(game, inst, s, strategy)    # 0 for an equilibrium
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from envhub.authoring.game.mechanics import CHANCE, Mechanics
from envhub.authoring.game.opponents import read_opponent
from envhub.authoring.game.rules import Rules
from envhub.authoring.game.search import search_value
from envhub.core.types import Instance

Weighted = Sequence[tuple[Any, float]]
Strategy = Callable[[Any], Weighted]
_TO_THE_END: Final = 1 << 30
_EXACT: Final = 1e-9


def solution(game: Rules, inst: Instance) -> Callable[[Any], float]:
    """Value of any state for seat 0 under perfect play.

    Needs two seats, zero sum, no hidden information, hashable states.
    """
    known: dict[Any, float] = {}

    def value(s: Any) -> float:
        if s in known:
            return known[s]
        mover = game.to_move(s)
        if mover is None:
            found = game.paid(inst, s)[0]
        elif mover == CHANCE:
            found = _mean(game.chances(inst, s), lambda move: value(game.play(inst, s, move)))
        else:
            worth = (value(game.play(inst, s, move)) for move in game.legal(inst, s))
            found = max(worth) if mover == 0 else min(worth)
        known[s] = found
        return found

    return value


def perfect_value(game: Rules, inst: Instance, s: Any) -> float:
    """Value of a state for seat 0 under perfect play.

    By full search. Needs two seats, zero sum, no hidden information.
    """
    return search_value(game, inst, s, 0, _TO_THE_END)


def optimal_moves(game: Rules, inst: Instance, s: Any, value: float | None = None) -> list[Any]:
    """The moves that keep the value under perfect play.

    The conditions are those of :func:`perfect_value`.

    Args:
        game: The rules.
        inst: The instance.
        s: A state in which a seat decides.
        value: The :func:`perfect_value` of the state, if known.
    """
    worth = perfect_value(game, inst, s) if value is None else value
    seat = int(game.to_move(s) or 0)
    worth = worth if seat == 0 else -worth
    least = worth - _EXACT  # no move is worth more, so the search only has to reject worse ones
    after = ((move, game.play(inst, s, move)) for move in game.legal(inst, s))
    return [move for move, then in after if search_value(game, inst, then, seat, _TO_THE_END, least, worth) > least]


def count_positions(game: Rules, inst: Instance, s: Any) -> int:
    """Number of positions that :func:`perfect_value` searches."""
    counted = _Counted(game)
    search_value(cast(Mechanics, counted), inst, s, 0, _TO_THE_END)
    return 1 + counted.moves


class _Counted:
    """A game that counts its moves."""

    def __init__(self, game: Rules) -> None:
        self._game, self.moves = game, 0

    def play(self, inst: Instance, s: Any, move: Any) -> Any:
        self.moves += 1
        return self._game.play(inst, s, move)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


def game_value(game: Rules, inst: Instance, s: Any, strategy: Strategy) -> float:
    """Expected payoff of seat 0 if all seats play a strategy."""
    mover = game.to_move(s)
    if mover is None:
        return game.paid(inst, s)[0]
    branches: Weighted = game.chances(inst, s) if mover == CHANCE else strategy(s)
    return _mean(branches, lambda move: game_value(game, inst, game.play(inst, s, move), strategy))


def best_response(game: Rules, inst: Instance, s: Any, seat: int, strategy: Strategy) -> float:
    """Largest expected payoff of a seat if the others play a strategy.

    At a decision a seat knows what :meth:`Game.observe` shows, which must include all it ever saw and did.
    """
    known: dict[str, list[tuple[Any, float]]] = {}
    chosen: dict[str, Any] = {}

    def others(at: Any) -> Weighted:
        return game.chances(inst, at) if game.to_move(at) == CHANCE else strategy(at)

    def gather(at: Any, reach: float) -> None:
        mover = game.to_move(at)
        if mover is None:
            return
        if mover == seat:
            known.setdefault(game.observe(inst, at, seat), []).append((at, reach))
            for move in game.legal(inst, at):
                gather(game.play(inst, at, move), reach)
            return
        total = sum(weight for _, weight in others(at))
        for move, weight in others(at):
            if weight:
                gather(game.play(inst, at, move), reach * weight / total)

    def value(at: Any) -> float:
        mover = game.to_move(at)
        if mover is None:
            return game.paid(inst, at)[seat]
        if mover == seat:
            return value(game.play(inst, at, choice(game.observe(inst, at, seat))))
        return _mean(others(at), lambda move: value(game.play(inst, at, move)))

    def choice(view: str) -> Any:
        if view not in chosen:
            states = known[view]
            moves = game.legal(inst, states[0][0])
            worth = [sum(reach * value(game.play(inst, at, move)) for at, reach in states) for move in moves]
            chosen[view] = moves[worth.index(max(worth))]
        return chosen[view]

    gather(s, 1.0)
    return value(s)


def exploitability(game: Rules, inst: Instance, s: Any, strategy: Strategy) -> float:
    """NashConv / 2 of a strategy in a two-seat zero-sum game.

    0 for a Nash equilibrium.
    """
    return sum(best_response(game, inst, s, seat, strategy) for seat in (0, 1)) / 2


def random_success_rate(
    game: Rules, inst: Instance, seat: int, opponent: str, slips: int, target: float
) -> Callable[[Any], float]:
    """Probability that a random player reaches its target against an opponent.

    Cached by state. For two seats and small games in which nothing is hidden.
    """
    known: dict[Any, float] = {}

    def chance(s: Any) -> float:
        if s in known:
            return known[s]
        mover = game.to_move(s)
        if mover is None:
            found = float(game.paid(inst, s)[seat] >= target)
        else:
            branches: Weighted = game.chances(inst, s) if mover == CHANCE else moves(s, int(mover))
            found = _mean(branches, lambda move: chance(game.play(inst, s, move)))
        known[s] = found
        return found

    def moves(s: Any, mover: int) -> Weighted:
        legal = game.legal(inst, s)
        if mover == seat:
            return [(move, 1.0) for move in legal]
        chosen = dict(move_probabilities(game, inst, s, mover, opponent))
        return [(move, chosen.get(move, 0.0) * (100 - slips) + slips / len(legal)) for move in legal]

    return chance


def move_probabilities(game: Rules, inst: Instance, s: Any, seat: int, opponent: str) -> Weighted:
    """The probabilities of an opponent's moves; for ``random``, ``greedy``, ``minimax`` and ``optimal``.

    Raises:
        ValueError: Any other opponent, or a custom heuristic.
    """
    kind = read_opponent(opponent)
    legal = game.legal(inst, s)
    plies = {"greedy": 0, "minimax": kind.number - 1}.get(kind.kind)
    if kind.kind == "optimal":
        branches: Weighted = game.strategy(inst, s)
    elif kind.kind == "random":
        branches = [(move, 1.0) for move in legal]
    elif plies is not None and not (kind.kind == "greedy" and game.has("greedy")):
        worth = [search_value(game, inst, game.play(inst, s, move), seat, plies) for move in legal]
        branches = [(move, 1.0) for move, value in zip(legal, worth, strict=True) if value == max(worth)]
    else:
        raise ValueError(f"the move probabilities of {opponent!r} are not known")
    total = sum(weight for _, weight in branches)
    return [(move, weight / total) for move, weight in branches]


def _mean(branches: Weighted, worth: Callable[[Any], float]) -> float:
    total = sum(weight for _, weight in branches)
    return sum(weight * worth(move) for move, weight in branches if weight) / total
