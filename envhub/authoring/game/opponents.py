"""Who fills the other seats: ``random``, ``greedy``, ``minimax:4``, ``mcts:200``, ``optimal``, ``self``, or a URL.

An opponent is told what its seat may know and nothing else. Where a game hides something it is handed a state that its seat
imagines, so it cannot look at the policy's cards even by mistake.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from envhub.authoring.game.mechanics import draw_weighted
from envhub.authoring.game.rules import Rules
from envhub.authoring.game.search import mcts, minimax
from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.verifiers.judge.endpoint import Endpoint

KINDS: Final = ("random", "greedy", "minimax", "mcts", "optimal", "self", "url")
_NUMBERED: Final = re.compile(r"(minimax|mcts):([1-9][0-9]{0,5})")
_EXAMPLES: Final = ("random", "greedy", "minimax:2", "mcts:100", "optimal", "self")


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent by name.

    Attributes:
        kind: One of :data:`KINDS`.
        number: Plies of ``minimax``, playouts of ``mcts``.
        url: Of a model.
    """

    kind: str
    number: int = 0
    url: str = ""

    def endpoint(self, key_variable: str | None = None) -> Endpoint:
        """Where the model of a URL is; its name stands behind a ``#``."""
        base, _, model = self.url.partition("#")
        return Endpoint(base, model or "default", key_variable, structured=False)


def read_opponent(name: str) -> Opponent:
    """The opponent of a name.

    Raises:
        InvalidParameters: There is none; the nearest is named.
    """
    if name in ("random", "greedy", "optimal", "self"):
        return Opponent(name)
    numbered = _NUMBERED.fullmatch(name)
    if numbered:
        return Opponent(numbered[1], int(numbered[2]))
    if name.startswith(("http://", "https://")):
        found = Opponent("url", url=name)
        found.endpoint()  # an address that is none is told now
        return found
    raise InvalidParameters(
        f"No opponent {name[:80]!r}; there are random, greedy, minimax:PLIES, mcts:PLAYOUTS, optimal, self, and the URL of a "
        f"model (http://host/v1#model).{nearest(name, _EXAMPLES)}"
    )


def check_opponent(game: Rules, name: str) -> None:
    """Refuse an opponent that makes no sense in a game.

    Raises:
        InvalidParameters: It makes none; what would is named.
    """
    found = read_opponent(name)
    why, instead = "", ""
    if game.seats == 1 and found.kind != "random":
        why, instead = "there is no other seat", "random"
    elif found.kind == "minimax":
        if game.hidden or game.seats != 2 or not game.zero_sum:
            why = "minimax is for two seats, a zero sum and nothing hidden"
            instead = "optimal" if game.has("strategy") else "mcts:200"
        elif found.number > game.most_plies:
            why, instead = f"it takes minimax up to {game.most_plies} plies", f"minimax:{game.most_plies}"
    elif found.kind == "mcts" and found.number > game.most_playouts:
        why, instead = f"it takes mcts up to {game.most_playouts} playouts", f"mcts:{game.most_playouts}"
    elif found.kind == "optimal" and not game.has("strategy"):
        why = "perfect play is not known here"
        searches = game.seats == 2 and game.zero_sum and not game.hidden
        instead = f"minimax:{min(4, game.most_plies)}" if searches else "mcts:200"
    if why:
        raise InvalidParameters(f"{type(game).__name__} has no opponent {name!r}: {why}. Did you mean {instead!r}?")


def choose(game: Rules, inst: Instance, s: Any, seat: int, opponent: Opponent, rng: Stream) -> Any:
    """The move of an opponent that is no model, from what its seat knows."""
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
    """About how many positions an opponent looks at before it moves: what it takes to see as much as it does."""
    width = max(2, len(game.legal(inst, s)))
    if opponent.kind == "minimax":
        return float(width**opponent.number)
    by_kind = {"random": 1, "greedy": width, "mcts": 10 * opponent.number, "optimal": width**8}
    return float(by_kind.get(opponent.kind, width**4))
