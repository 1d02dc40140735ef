"""Search over any game.

One ply, alpha-beta with chance nodes, and Monte Carlo tree search. For a game with hidden information, the caller
passes a state from :meth:`envhub.authoring.game.Game.imagine`, never the true one, so a search knows no more than its
seat.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import Any, Final

from envhub.authoring.game.mechanics import CHANCE, Mechanics
from envhub.core.seeding import Stream
from envhub.core.types import Instance

_EXPLORE: Final = 1.4
_LONGEST_PLAYOUT: Final = 200


def one_ply(game: Mechanics, inst: Instance, s: Any, seat: int, rng: Stream) -> Any:
    """The move with the best heuristic or final payoff for the seat."""
    return _first_best(game, inst, s, seat, 0, rng)


def minimax(game: Mechanics, inst: Instance, s: Any, seat: int, depth: int, rng: Stream) -> Any:
    """The best move of a search of ``depth`` plies.

    Ties are broken at random. For two-seat zero-sum games.
    """
    return _first_best(game, inst, s, seat, depth - 1, rng)


def _first_best(game: Mechanics, inst: Instance, s: Any, seat: int, depth: int, rng: Stream) -> Any:
    """The first best move in a random order.

    Later moves must be strictly better, so bounds suffice.
    """
    moves = list(game.legal(inst, s))
    if len(moves) == 1:
        return moves[0]
    rng.shuffle(moves)
    chosen, best = moves[0], -inf
    for move in moves:
        value = search_value(game, inst, game.play(inst, s, move), seat, depth, best, inf)
        if value > best:
            chosen, best = move, value
    return chosen


def search_value(
    game: Mechanics, inst: Instance, s: Any, seat: int, depth: int, low: float = -inf, high: float = inf
) -> float:
    """Value of a state for a seat, by alpha-beta.

    Only a bound if outside ``low`` to ``high``.
    """
    mover = game.to_move(s)
    if mover is None:
        return game.paid(inst, s)[seat]
    if mover == CHANCE:
        branches = game.chances(inst, s)
        worth = (w * search_value(game, inst, game.play(inst, s, move), seat, depth) for move, w in branches)
        return sum(worth) / sum(weight for _, weight in branches)
    if depth <= 0:
        return game.heuristic(inst, s, seat)
    mine = mover == seat
    best = -inf if mine else inf
    for move in game.legal(inst, s):
        value = search_value(game, inst, game.play(inst, s, move), seat, depth - 1, low, high)
        if mine:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    return best


class _Node:
    """Visits of a move, and its mover's total payoff."""

    __slots__ = ("below", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        self.below: dict[Any, _Node] = {}


def mcts(game: Mechanics, inst: Instance, s: Any, seat: int, playouts: int, rng: Stream) -> Any:
    """The most visited move of a Monte Carlo tree search (UCT).

    With hidden information each playout starts from an imagined state (determinization).
    """
    moves = list(game.legal(inst, s))
    if len(moves) == 1:
        return moves[0]
    low, high = game.stakes(inst)
    span = (high - low) or 1.0
    root = _Node()
    for _ in range(playouts):
        at = game.imagine(inst, s, seat, rng) if game.hidden else s
        node = root
        path: list[tuple[_Node, int]] = []
        while (mover := game.to_move(at)) is not None:
            if mover == CHANCE:
                at = game.play(inst, at, game.draw(inst, at, rng))
                continue
            move, fresh = _descend(node, list(game.legal(inst, at)), rng)
            node = node.below.setdefault(move, _Node())
            path.append((node, int(mover)))
            at = game.play(inst, at, move)
            if fresh:
                break
        worth = [(value - low) / span for value in _playout(game, inst, at, rng)]
        for node, mover in path:
            node.visits += 1
            node.total += worth[mover]
    rng.shuffle(moves)
    return max(moves, key=lambda move: root.below[move].visits if move in root.below else -1)


def _descend(node: _Node, moves: list[Any], rng: Stream) -> tuple[Any, bool]:
    """The move to try next, and whether it is new."""
    untried = [move for move in moves if move not in node.below]
    if untried:
        return rng.choice(untried), True
    scale = log(sum(node.below[move].visits for move in moves))

    def promise(move: Any) -> float:
        child = node.below[move]
        return child.total / child.visits + _EXPLORE * sqrt(scale / child.visits)

    return max(moves, key=promise), False


def _playout(game: Mechanics, inst: Instance, s: Any, rng: Stream) -> list[float]:
    """Payoffs of all seats after random play.

    Heuristic values if the play does not end.
    """
    for _ in range(_LONGEST_PLAYOUT):
        mover = game.to_move(s)
        if mover is None:
            return game.paid(inst, s)
        s = game.play(inst, s, game.draw(inst, s, rng) if mover == CHANCE else game.random_move(inst, s, rng))
    return [game.heuristic(inst, s, seat) for seat in range(game.seats)]
