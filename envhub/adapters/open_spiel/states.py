"""Access to OpenSpiel: supported games, and game states as immutable values.

:class:`Node` wraps a state so that it is never changed in place, and so that simultaneous moves are made one after the
other without being revealed. Its moves are OpenSpiel's action strings::

    node = Node(load("tic_tac_toe").new_initial_state())
    node.seat, list(node.moves)[:2]            # 0, ['x(0,0)', 'x(0,1)']
    node.after("x(0,0)").seat                  # 1
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from envhub.authoring.game import CHANCE
from envhub.authoring.game.mechanics import draw_weighted
from envhub.core.errors import InvalidParameters, MissingExtra, nearest
from envhub.core.seeding import Stream
from envhub.verifiers.answers.unwrapping import undecorated

try:
    import pyspiel
except ImportError as error:
    raise MissingExtra(f"OpenSpiel is needed: pip install 'envhub[open-spiel]' ({error}).") from error

_WEIGHTS: Final = 1 << 48
_PROBED: Final = 64  # number of decisions in the playout that checks a game
_BROKEN: Final = {"morpion_solitaire": "copies of its states are damaged, and end the process (2.0.2)"}


@cache
def release() -> str:
    """The installed OpenSpiel release."""
    return version("open-spiel")


def names() -> tuple[str, ...]:
    """All game names."""
    return tuple(kind.short_name for kind in pyspiel.registered_games())


@cache
def load(game: str) -> Any:
    """A game from its string, ``kuhn_poker`` or ``kuhn_poker(players=3)``.

    Raises:
        InvalidParameters: The game does not exist, or its parameters are invalid.
    """
    name = game.partition("(")[0]
    if name not in names():
        raise InvalidParameters(f"OpenSpiel has no game {name!r}.{nearest(name, names())}")
    try:
        return pyspiel.load_game(game)
    except Exception as error:  # its own errors, of several types
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise InvalidParameters(f"OpenSpiel does not load {game!r}: {said[0][:200]}") from None


@cache
def refusal(game: str) -> str | None:
    """Why a game is not supported; None if it is.

    Raises:
        InvalidParameters: The game does not exist, or its parameters are invalid.
    """
    name = game.partition("(")[0]
    if name in _BROKEN:
        return _BROKEN[name]
    kind = next((kind for kind in pyspiel.registered_games() if kind.short_name == name), None)
    if kind is not None and not kind.default_loadable and "(" not in game:
        return f"it needs parameters, as in {name!r} followed by '(game=kuhn_poker())' or what else it takes"
    loaded = load(game)
    kind = loaded.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        return "it is a game of a population and not of players"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws its luck inside, where no stream of ours reaches"
    low, high = loaded.min_utility(), loaded.max_utility()
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        return f"its payoffs have no bounds to score them by (from {low} to {high})"
    try:
        _probe(loaded)
    except Exception as error:
        return f"it cannot be played by actions and strings ({str(error).strip()[:120] or type(error).__name__})"
    return None


def _probe(game: Any) -> None:
    """Some moves, each with the text that would be shown."""
    node, rng = Node(game.new_initial_state()), Stream(b"", "open-spiel probe")
    for _ in range(_PROBED):
        if node.seat is None:
            node.state.returns()
            return
        if isinstance(node.seat, str):
            node = node.after(node.draw(rng))
            continue
        view(game, node.state, node.seat)
        node = node.after(rng.choice(list(node.moves)))


@cache
def resamples(game: str) -> bool:
    """Whether a seat's hidden information can be resampled.

    Always true if only simultaneous choices are hidden.
    """
    loaded = load(game)
    if not imperfect(loaded):
        return True
    node, rng, tried = Node(loaded.new_initial_state()), Stream(b"", "open-spiel resampling"), 0
    while node.seat is not None and tried < 8:
        if isinstance(node.seat, str):
            node = node.after(node.draw(rng))
            continue
        tried += 1
        try:
            imagined(node, node.seat, rng)
        except Exception:  # "not implemented", as OpenSpiel's own error type
            return False
        node = node.after(rng.choice(list(node.moves)))
    return tried > 0


def imperfect(game: Any) -> bool:
    """Whether the state itself is partly hidden, beyond simultaneous choices."""
    return bool(game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION)


def simultaneous(game: Any) -> bool:
    """Whether seats move simultaneously."""
    return bool(game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS)


def zero_sum(game: Any) -> bool:
    """Whether payoffs sum to 0."""
    return bool(game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM)


def view(game: Any, state: Any, seat: int) -> str:
    """OpenSpiel's view of a seat.

    It is the information state if anything is hidden, else the state.
    """
    kind = game.get_type()
    if imperfect(game) and kind.provides_information_state_string:
        return str(state.information_state_string(seat))
    if kind.provides_observation_string:
        return str(state.observation_string(seat))
    if kind.provides_information_state_string:
        return str(state.information_state_string(seat))
    if imperfect(game):
        raise ValueError("it shows a seat nothing")
    return str(state)


class Node:
    """A game state as a value.

    Chance moves are numbers, seats' moves are strings.

    Attributes:
        state: OpenSpiel's state, never changed.
        pending: Choices already made in a simultaneous move.
        seat: Who is to move: a seat, ``CHANCE``, or None at the end.
    """

    __slots__ = ("_moves", "pending", "seat", "state")

    def __init__(self, state: Any, pending: tuple[int, ...] = ()) -> None:
        self.state, self.pending = state, pending
        self._moves: dict[str, int] | None = None
        self.seat: int | str | None
        if state.is_terminal():
            self.seat = None
        elif state.is_chance_node():
            self.seat = CHANCE
        elif state.is_simultaneous_node():
            self.seat = len(pending)
        else:
            self.seat = state.current_player()

    @property
    def moves(self) -> Mapping[str, int]:
        """Moves of the seat to move: distinct strings, with OpenSpiel's action numbers."""
        if self._moves is None:
            seat = self.seat
            actions = self.state.legal_actions(seat)
            texts = [" ".join(self.state.action_to_string(seat, action).split()) for action in actions]
            if len(set(texts)) < len(texts):
                often = Counter(texts)
                texts = [
                    f"{text} #{action}" if often[text] > 1 else text
                    for text, action in zip(texts, actions, strict=True)
                ]
            self._moves = dict(zip(texts, actions, strict=True))
        return self._moves

    def named(self, text: str) -> str | None:
        """The move that a text denotes.

        The match is exact, or unique ignoring spaces, case and decoration.
        """
        if text in self.moves:
            return text
        like = [move for move in self.moves if _plain(move) == _plain(text)]
        return like[0] if len(like) == 1 else None

    def after(self, move: Any) -> Node:
        """The next state."""
        if self.seat == CHANCE:
            return Node(self.state.child(move))
        if not self.state.is_simultaneous_node():
            return Node(self.state.child(self.moves[move]))
        return _joined(self.state, (*self.pending, self.moves[move]))

    def chances(self) -> list[tuple[int, int]]:
        """Chance moves with integer weights."""
        return [(move, max(1, round(p * _WEIGHTS))) for move, p in self.state.chance_outcomes() if p > 0]

    def draw(self, rng: Stream) -> int:
        """A chance move."""
        return int(draw_weighted(self.chances(), rng))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._past() == other._past()

    def __hash__(self) -> int:
        return hash(self._past())

    def _past(self) -> tuple[Any, ...]:
        return (*self.state.history(), None, *self.pending)


def _joined(state: Any, pending: tuple[int, ...]) -> Node:
    """State after some simultaneous choices; seats without a choice make none."""
    seats = state.num_players()
    while len(pending) < seats and not state.legal_actions(len(pending)):
        pending = (*pending, 0)
    if len(pending) < seats:
        return Node(state, pending)
    following = state.clone()
    following.apply_actions(list(pending))
    return Node(following)


def imagined(node: Node, seat: int, rng: Stream) -> Node:
    """A state that a seat cannot distinguish, with hidden information resampled."""
    state = node.state
    if imperfect(state.get_game()):
        state = state.resample_from_infostate(seat, lambda: rng.bits(53) / (1 << 53))
    pending: list[int] = []
    for at, chosen in enumerate(node.pending):
        others = state.legal_actions(at) if at != seat else []
        pending.append(rng.choice(others) if others else chosen)
    return Node(state, tuple(pending))


def _plain(text: str) -> str:
    return "".join(undecorated(text).split()).casefold()
