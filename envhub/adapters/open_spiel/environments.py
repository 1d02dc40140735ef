"""OpenSpiel games as environments, with envhub's seeds, seats, opponents and scores.

::

    from envhub.adapters.open_spiel.environments import register
    register("connect_four")                  # or register_all(), or register("kuhn_poker(players=3)")
    env = envhub.make("open-spiel/connect_four-v0", opponent="mcts:200", seat=0)

The extra ``open-spiel`` (Apache-2.0) installs about 290 MB, so it is optional and nothing is registered by default.
Games are played like envhub's own (:class:`envhub.authoring.game.Game`):

* **Randomness** comes from the task's and the turn's streams. OpenSpiel's own generators are not used, and games that
  use them internally are refused (:func:`envhub.adapters.open_spiel.states.refusal`). A task records the OpenSpiel
  release it was drawn with.
* **Texts** are OpenSpiel's: observations (a seat's information state in games with hidden information) and moves as
  action strings. It has no rules in words, so every decision lists the legal moves. Seats are numbered from 0, as in
  its strings.
* **Simultaneous** choices are made one after the other and revealed once all are made.
* **Opponents** are given by name, as everywhere. In games whose hidden information OpenSpiel cannot resample, only
  ``random``, ``self`` and models can play; other opponents are refused.
* **Score.** The payoff is OpenSpiel's return. A task is solved at a payoff of ``target``, by default the maximum; below
  it the score is linear from the minimum. The oracle is not perfect: it searches (a few plies, or playouts).

OpenSpiel runs in the calling process; a game that ends the process cannot be caught (one does, and is refused).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Any, ClassVar, Final, Self

from pydantic import Field, field_validator

from envhub.adapters.open_spiel import states
from envhub.adapters.open_spiel.states import Node
from envhub.authoring.game import Game, GameParams
from envhub.authoring.game.opponents import read_opponent
from envhub.authoring.game.search import mcts, search_value
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, EnvSpec, Instance
from envhub.registry import registry
from envhub.verifiers.answers.types import AnswerType, Unreadable

__all__ = ["OpenSpiel", "register", "register_all"]

EXTRA: Final = "open-spiel"
_LISTED: Final = 100  # maximum number of legal moves shown; above it, a selection
_SOME: Final = 20
_SEARCHED: Final = 20_000  # positions the oracle may examine per decision
_PLAYOUTS: Final = 200
_MOST_TURNS: Final = 1_000
_LEVELS: Final = (
    ("random", 0),
    ("mcts:10", 50),
    ("mcts:10", 20),
    ("mcts:10", 0),
    ("mcts:20", 0),
    ("mcts:40", 0),
    ("mcts:80", 0),
    ("mcts:160", 0),
    ("mcts:320", 0),
    ("mcts:640", 0),
)


@dataclass(frozen=True)
class MoveText(AnswerType):
    """A move as text."""

    noun: ClassVar[str] = "one of the legal moves, as it is listed,"
    example: ClassVar[str] = "a move"

    def parse(self, text: str) -> str:
        """The text, with single spaces."""
        text = " ".join(text.split())
        if len(text) > 400:
            raise Unreadable("it has more than 400 characters.")
        return text

    def random(self, rng: Stream) -> str:
        """A small number; :meth:`OpenSpiel.random_action` knows the legal moves."""
        return str(rng.below(10))


class Params(GameParams):
    """The opponent and the target payoff.

    Attributes:
        searches: Whether opponents that search can play this game.
    """

    searches: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    target: float | None = Field(None, description="the payoff that counts as solved; null means the greatest there is")
    release: str = Field(default_factory=states.release, description="of OpenSpiel, which must be the installed one")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """A stronger opponent for higher levels, if one can play."""
        opponent, slips = _LEVELS[difficulty - 1] if cls.searches else ("random", 0)
        return cls(opponent=opponent, slips=slips)

    @field_validator("target")
    @classmethod
    def _can_be_reached(cls, target: float | None) -> float | None:
        low, high = cls.bounds
        if target is not None and not low < target <= high:
            raise ValueError(f"payoffs are from {low:g} to {high:g}, and the least is no aim")
        return target

    @field_validator("release")
    @classmethod
    def _is_installed(cls, found: str) -> str:
        if found != states.release():
            raise ValueError(f"OpenSpiel {states.release()} is installed and may have other rules")
        return found


class OpenSpiel(Game):
    """One of its games; :attr:`string` says which."""

    string: ClassVar[str]
    imagines: ClassVar[bool] = True
    width: ClassVar[float] = 2.0
    category = "open_spiel"
    answer: AnswerType = MoveText()
    guessable = (1.0, "The games are OpenSpiel's: some of them are won by one and the same move.")

    @property
    def game(self) -> Any:
        """OpenSpiel's game."""
        return states.load(self.string)

    def check(self, p: Any) -> None:
        """Reject an opponent that would need to see hidden information."""
        kind = read_opponent(p.opponent).kind
        if not self.imagines and kind in ("greedy", "mcts", "minimax"):
            raise InvalidParameters(
                f"{self.string} of OpenSpiel has no opponent {p.opponent!r}: it cannot imagine what is hidden from it. "
                "Did you mean 'random'?"
            )
        super().check(p)

    def setup(self, rng: Stream, p: Any) -> Instance:
        """The target payoff."""
        return Instance({"target": float(self.game.max_utility() if p.target is None else p.target)})

    def rules(self, problem: JSON) -> str:
        """Name of the game; OpenSpiel has no rules in words."""
        kind = self.game.get_type()
        low, high = self.stakes(Instance(problem))
        players = f"{self.seats} players, counted from 0" if self.seats > 1 else "one player"
        together = " Players that choose at the same time do not see each other's choices." if self._together else ""
        return (
            f"We play {kind.long_name} as OpenSpiel has it ({self.string}), with {players}. Payoffs are from {low:g} to "
            f"{high:g}.{together} Every message shows what you know, in OpenSpiel's notation, and the legal moves."
        )

    def goal(self, problem: JSON) -> str:
        """The target payoff."""
        return f"You succeed if your payoff is {problem['target']:g} or more."

    def seat_name(self, problem: JSON, seat: int) -> str:
        """Seat names as in OpenSpiel's strings, from 0."""
        return f"player {seat}"

    @property
    def _together(self) -> bool:
        return states.simultaneous(self.game)

    def start(self, inst: Instance) -> Node:
        """The first state."""
        return Node(self.game.new_initial_state())

    def to_move(self, s: Node) -> int | str | None:
        """The seat to move, from OpenSpiel."""
        return s.seat

    def legal(self, inst: Instance, s: Node) -> Sequence[str]:
        """Action strings."""
        return list(s.moves)

    def play(self, inst: Instance, s: Node, move: Any) -> Node:
        """The next state."""
        return s.after(move)

    def chances(self, inst: Instance, s: Node) -> Sequence[tuple[int, int]]:
        """OpenSpiel's chance outcomes with integer weights."""
        return s.chances()

    def draw(self, inst: Instance, s: Node, rng: Stream) -> int:
        """A chance move."""
        return s.draw(rng)

    def payoffs(self, inst: Instance, s: Node) -> Sequence[float]:
        """OpenSpiel's returns."""
        return list(s.state.returns())

    def stakes(self, inst: Instance) -> tuple[float, float]:
        """OpenSpiel's bounds on payoffs."""
        return float(self.game.min_utility()), float(self.game.max_utility())

    def forfeit(self, inst: Instance, s: Node, seat: int) -> Sequence[float]:
        """The minimum payoff; in zero-sum games the others share the loss."""
        low = self.stakes(inst)[0]
        other = -low / (self.seats - 1) if self.zero_sum and self.seats > 1 else 0.0
        return [low if at == seat else other for at in range(self.seats)]

    def observe(self, inst: Instance, s: Node, seat: int) -> str:
        """OpenSpiel's view of the seat.

        It lists the legal moves if the seat is to move.
        """
        shown = states.view(self.game, s.state, seat).rstrip()
        if s.seat != seat:
            return shown
        moves = list(s.moves)
        if len(moves) <= _LISTED:
            listed = f"Legal moves: {'; '.join(moves)}"
        else:
            step = len(moves) // _SOME
            listed = f"{len(moves)} legal moves, among them: {'; '.join(moves[::step][:_SOME])}"
        return f"{shown}\n\n{listed}".strip()

    def imagine(self, inst: Instance, s: Node, seat: int, rng: Stream) -> Node:
        """Resample hidden information; without it, only opponents that need none are accepted."""
        return states.imagined(s, seat, rng) if self.imagines else s

    def best(self, inst: Instance, s: Node) -> str:
        """A search: a few plies where feasible, otherwise playouts."""
        moves, seat = list(s.moves), int(s.seat or 0)
        plies = min(self.most_plies, int(log(_SEARCHED) / log(max(2.0, self.width))))
        if self.seats != 2 or not self.zero_sum or self.hidden or plies < 3:
            return str(mcts(self, inst, s, seat, _PLAYOUTS, Stream(b"", "open-spiel oracle")))
        return max(moves, key=lambda move: search_value(self, inst, s.after(move), seat, plies - 1))

    def greedy_action(self, inst: Instance, state: Any, rng: Stream) -> str | None:
        """One ply of search, if hidden information can be resampled."""
        return super().greedy_action(inst, state, rng) if self.imagines else None

    def read_move(self, inst: Instance, s: Node, value: Any) -> Any:
        """The legal move that a text denotes, or the text itself."""
        named = s.named(value)
        return value if named is None else named

    def ending(self, inst: Instance, s: Node, paid: Sequence[float], seat: int) -> str:
        """The payoff."""
        return f"The game is over. Your payoff is {paid[seat]:g}."


def register(game: str) -> EnvSpec:
    """Register a game in this process as ``open-spiel/NAME-v0``; repeating is harmless.

    Args:
        game: Game string, optionally with parameters: ``hex(board_size=5)`` becomes ``open-spiel/hex-board_size-5-v0``.

    Raises:
        InvalidParameters: The game does not exist or is not supported; the message says why.
    """
    reason = states.refusal(game)
    if reason is not None:
        raise InvalidParameters(f"{game!r} of OpenSpiel makes no environment: {reason}.")
    id = f"open-spiel/{'-'.join(re.findall('[a-z0-9]+(?:_[a-z0-9]+)*', game.lower()))}-v0"
    entry = f"{__name__}:{game}"
    there = next((spec for spec in registry.registered() if spec.id == id and spec.entry == entry), None)
    return there or registry.register(id, entry, category=OpenSpiel.category, extras=(EXTRA,), source=EXTRA)


def register_all() -> list[EnvSpec]:
    """:func:`register` every game that is supported with default parameters."""
    return [register(name) for name in states.names() if states.refusal(name) is None]


def __getattr__(name: str) -> type[OpenSpiel]:
    """The class of a game string, importable by name in other processes."""
    if name.startswith("_") or name.partition("(")[0] not in states.names() or states.refusal(name) is not None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _class(name)


@cache
def _class(game: str) -> type[OpenSpiel]:
    loaded = states.load(game)
    hides = states.imperfect(loaded) or states.simultaneous(loaded)
    seats_ = loaded.num_players()
    can = states.resamples(game)
    turns = min(_MOST_TURNS, loaded.max_game_length() * max(1, seats_)) + Game.retries

    class Settings(Params):
        searches = can and seats_ > 1
        bounds = (float(loaded.min_utility()), float(loaded.max_utility()))

    class Named(OpenSpiel):
        __doc__ = f"{loaded.get_type().long_name}, as OpenSpiel has it."
        string, Params = game, Settings
        seats, zero_sum, hidden, imagines = seats_, states.zero_sum(loaded), hides, can
        max_turns, width = turns, _width(game)

    Named.__name__ = Named.__qualname__ = game
    return Named


@cache
def _width(game: str) -> float:
    """The mean number of legal moves in one playout."""
    node, rng, seen = Node(states.load(game).new_initial_state()), Stream(b"", "open-spiel width"), [2]
    while node.seat is not None and len(seen) < 100:
        if isinstance(node.seat, str):
            node = node.after(node.draw(rng))
            continue
        seen.append(len(node.moves))
        node = node.after(rng.choice(list(node.moves)))
    return sum(seen) / len(seen)
