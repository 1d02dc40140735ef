"""Opponents by name: ``random``, ``greedy``, ``minimax:4``, ``mcts:200``, ``optimal``, ``self``, or a URL.

An opponent knows only what its seat knows. With hidden information it gets an imagined state, so it cannot see the
policy's cards even by mistake.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from envhub.authoring.game.mechanics import draw_weighted
from envhub.authoring.game.rules import OPPONENTS, Rules
from envhub.authoring.game.search import mcts, minimax
from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.verifiers.judge.endpoint import Endpoint

KINDS: Final = ("random", "greedy", "minimax", "mcts", "optimal", "self", "url")
_NUMBERED: Final = re.compile(r"(minimax|mcts):([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent by name.

    Attributes:
        kind: One of :data:`KINDS`.
        number: Plies of ``minimax``, playouts of ``mcts``.
        url: URL of a language model.
    """

    kind: str
    number: int = 0
    url: str = ""

    def endpoint(self, key_variable: str | None = None) -> Endpoint:
        """The endpoint of a model's URL; the model's name follows a ``#``."""
        base, _, model = self.url.partition("#")
        return Endpoint(base, model or "default", key_variable, structured=False)


def read_opponent(name: str) -> Opponent:
    """The opponent of a name.

    Raises:
        InvalidParameters: The name is unknown. The message suggests the closest one.
    """
    if name in ("random", "greedy", "optimal", "self"):
        return Opponent(name)
    numbered = _NUMBERED.fullmatch(name)
    if numbered:
        return Opponent(numbered[1], int(numbered[2]))
    if name.startswith(("http://", "https://")):
        found = Opponent("url", url=name)
        found.endpoint()  # raises for an invalid address
        return found
    raise InvalidParameters(
        f"Unknown opponent {name[:80]!r}.{nearest(name, OPPONENTS)} Available: random, greedy, minimax:PLIES, mcts:PLAYOUTS, "
        "optimal, self, and the URL of a model (http://host/v1#model)."
    )


def check_opponent(game: Rules, name: str) -> None:
    """Reject an opponent that a game does not support.

    Raises:
        InvalidParameters: It is not supported. The message suggests one that is.
    """
    found = read_opponent(name)
    why, instead = "", ""
    if game.seats == 1 and found.kind != "random":
        why, instead = "it has one seat", "random"
    elif found.kind == "minimax":
        if game.hidden or game.seats != 2 or not game.zero_sum:
            why = "minimax needs two seats, zero-sum payoffs and no hidden information"
            instead = "optimal" if game.has("strategy") else "mcts:200"
        elif found.number > game.most_plies:
            why, instead = f"minimax may search at most {game.most_plies} plies", f"minimax:{game.most_plies}"
    elif found.kind == "mcts" and found.number > game.most_playouts:
        why, instead = f"mcts may use at most {game.most_playouts} playouts", f"mcts:{game.most_playouts}"
    elif found.kind == "optimal" and not game.has("strategy"):
        why = "its optimal play is not known"
        searches = game.seats == 2 and game.zero_sum and not game.hidden
        instead = f"minimax:{min(4, game.most_plies)}" if searches else "mcts:200"
    if why:
        raise InvalidParameters(
            f"{type(game).__name__} does not support the opponent {name!r}: {why}. Did you mean {instead!r}?"
        )


def choose(game: Rules, inst: Instance, s: Any, seat: int, opponent: Opponent, rng: Stream) -> Any:
    """The move of a built-in opponent, from what its seat knows."""
    known = game.imagine(inst, s, seat, rng) if game.hidden else s
    if opponent.kind == "greedy":
        return game.greedy(inst, known, seat, rng)
    if opponent.kind == "minimax":
        return minimax(game, inst, known, seat, opponent.number, rng)
    if opponent.kind == "mcts":
        return mcts(game, inst, known, seat, opponent.number, rng)
    if opponent.kind == "optimal":
        return draw_weighted(game.strategy(inst, known), rng)
    return game.random_move(inst, known, rng)


def work(game: Rules, inst: Instance, s: Any, opponent: Opponent) -> float:
    """Estimated number of positions that an opponent considers before a move."""
    width = max(2, len(game.legal(inst, s)))
    if opponent.kind == "minimax":
        return float(width**opponent.number)
    by_kind = {"random": 1, "greedy": width, "mcts": 10 * opponent.number, "optimal": width**8}
    return float(by_kind.get(opponent.kind, width**4))
