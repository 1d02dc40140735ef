"""Access to TextArena: reviewed games, and games in progress as values.

TextArena draws from Python's global generator. Here that generator is seeded for every call from envhub's streams and
restored afterwards, under one lock per process. Printed output is discarded. A :class:`Table` is never changed; moves
return a copy::

    table = Table.set_up("Mastermind-v0", seed=7)
    after = table.moved("[1 2 3 4]", rng)            # another table; after.done, after.rewards
"""

from __future__ import annotations

import copy
import io
import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from threading import RLock
from typing import Any, Final, Self

from envhub.core.errors import InvalidParameters, MissingExtra, nearest
from envhub.core.seeding import Stream

try:
    import textarena
    from textarena.envs.registration import ENV_REGISTRY
except ImportError as error:
    raise MissingExtra(f"TextArena is needed: pip install 'envhub[textarena]' ({error}).") from error

CHECKED: Final = {
    **dict.fromkeys(("2048", "Blackjack", "FrozenLake", "GuessTheNumber", "LightsOut", "Mastermind"), 1),
    **dict.fromkeys(("PegJump", "Secretary", "TowerOfHanoi"), 1),
    **dict.fromkeys(("ColonelBlotto", "ConnectFour", "KuhnPoker", "Nim", "Othello", "TicTacToe"), 2),
}
"""Reviewed games (0.7.4) whose rewards are as documented, with their numbers of players."""

_NO_TEXT: Final = "what is played is shown as a number, for its arguments are given in the wrong order"
_NETWORK: Final = "it asks a model over the network by itself"
BROKEN: Final = {
    "Bandit": "no last choice can ever be right, and the regret is paid as the reward: the worse the choice, the more",
    "Minesweeper": "a mine that is hit counts as a mistake and is forgiven, again and again: boards can be probed",
    "FifteenPuzzle": "solving it raises, and half of its boards cannot be solved",
    "Sudoku": "a digit that is not the solution's is told and forgiven before every right one: cells can be probed",
    "Crosswords": "letters can be probed, and the order in which several are read depends on the hash seed",
    "LogicPuzzle": "the order in which several marks are read depends on the hash seed",
    "Set": "it pays the number of sets, which has no bound that would be a solution",
    "RushHour": "setting it up takes many seconds, and may hand out a puzzle that cannot be solved",
    "ThreeCardMonte": "a second mistake is paid with a text, for two arguments are given in the wrong order",
    **dict.fromkeys(("Countdown", "Cryptarithm", "Slitherlink"), _NO_TEXT),
    **dict.fromkeys(("Debate", "GuessWho", "ScenarioPlanning", "TwentyQuestions"), _NETWORK),
}
_NAME: Final = re.compile(r"(.+)-v0((?:-.+)?)-raw")
_MOST_PLAYERS: Final = 15
_LOCK: Final = RLock()


@cache
def release() -> str:
    """The installed TextArena release."""
    return version("textarena")


def names() -> tuple[str, ...]:
    """All games with their variants: ``Mastermind-v0``, ``Mastermind-v0-hard``."""
    return tuple(sorted(id.removesuffix("-raw") for id in ENV_REGISTRY if _NAME.fullmatch(id)))


def family(name: str) -> str:
    """The game of a variant.

    Raises:
        InvalidParameters: The game does not exist.
    """
    found = _NAME.fullmatch(f"{name}-raw")
    if found is None or f"{name}-raw" not in ENV_REGISTRY:
        raise InvalidParameters(f"TextArena has no game {name!r}.{nearest(name, names())}")
    return found[1]


@cache
def refusal(name: str) -> str | None:
    """Why a game is not supported.

    None if it is, reviewed or not.

    Raises:
        InvalidParameters: The game does not exist.
    """
    known = BROKEN.get(family(name))
    if known is not None:
        return known
    try:
        Table.set_up(name, 1)
    except Exception as error:  # a broken game may raise anything, including a SyntaxError of its module
        said = " ".join(str(error).replace("*", " ").split())[:120]
        return f"it does not start here ({type(error).__name__}: {said})"
    return None


@cache
def players(name: str) -> int:
    """The minimum number of players.

    Raises:
        ValueError: The game starts with no number of players.
    """
    if family(name) in CHECKED:
        return CHECKED[family(name)]
    refused: Exception | None = None
    for count in range(1, _MOST_PLAYERS + 1):
        try:
            with _drawing(Stream(b"", "textarena players")):
                textarena.make(f"{name}-raw").reset(num_players=count, seed=1)
        except (AssertionError, ValueError) as error:  # games use both to reject the number
            refused = error
            continue
        return count
    raise ValueError(f"it starts with no number of players ({refused})")


@dataclass(frozen=True)
class Table:
    """A game in progress.

    Attributes:
        env: TextArena's environment, never changed.
        seat: Seat to move.
        view: Messages to that seat since its last move; at the end, messages to the last mover.
        done: Whether the game has ended.
        rewards: Reward of every seat, at the end.
        mistakes: Seats whose mistake ended the game.
        reason: TextArena's reason for the end.
    """

    env: Any
    seat: int
    view: str
    done: bool = False
    rewards: dict[int, float] | None = None
    mistakes: frozenset[int] = frozenset()
    reason: str = ""

    @classmethod
    def set_up(cls, name: str, seed: int) -> Self:
        """A new game; the same one for the same seed.

        Raises:
            Exception: Any error of a broken game.
        """
        count = players(name)
        with _drawing(Stream(seed.to_bytes(8, "little"), "textarena")) as drawn:
            env = textarena.make(f"{name}-raw")
            env.reset(num_players=count, seed=drawn)
            seat, told = env.get_observation()
        return cls(env, seat, _text(env, seat, told))

    def moved(self, action: str, rng: Stream) -> Self:
        """The table after a move of the current seat.

        Randomness comes from ``rng``.

        Raises:
            ValueError: The game ended without valid rewards.
            Exception: Any error of TextArena.
        """
        with _drawing(rng):
            env = copy.deepcopy(self.env)
            done, _ = env.step(action)
            if not done:
                seat, told = env.get_observation()
                return type(self)(env, seat, _text(env, seat, told))
            rewards, infos = env.close()
        told = env.state.observations.get(self.seat, [])
        count = env.state.num_players
        if not isinstance(rewards, dict) or any(not _payable(rewards.get(seat)) for seat in range(count)):
            raise ValueError(f"it paid {str(rewards)[:80]}: rewards are from -1 to 1, one for each player")
        mistakes = frozenset(seat for seat in range(count) if infos.get(seat, {}).get("invalid_move"))
        reason = str(infos.get(self.seat, {}).get("reason") or "")
        paid = {seat: float(rewards[seat]) for seat in range(count)}
        return type(self)(env, self.seat, _text(env, self.seat, told), True, paid, mistakes, reason)


def _payable(reward: Any) -> bool:
    return isinstance(reward, (int, float)) and -1 <= reward <= 1


def _text(env: Any, seat: int, told: Any) -> str:
    """Messages to a seat, without its own."""
    lines = []
    for sender, message, kind in told:
        if not isinstance(message, str):
            raise ValueError(f"it tells {message!r}, which is no text")
        if sender == seat and kind == textarena.ObservationType.PLAYER_ACTION:
            continue
        role = env.state.role_mapping.get(sender, f"Player {sender}")
        lines.append(message if sender == textarena.GAME_ID else f"{role}: {message}")
    return "\n".join(lines).strip()


@contextmanager
def _drawing(rng: Stream) -> Iterator[int]:
    """Seed the global generators from a stream within this block.

    Yields a further seed.
    """
    numpy = sys.modules.get("numpy")
    with _LOCK, redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        before, also = random.getstate(), numpy.random.get_state() if numpy else None
        seed = rng.bits(63)
        random.seed(seed)
        if numpy:
            numpy.random.seed(rng.bits(32))
        try:
            yield seed
        finally:
            random.setstate(before)
            if numpy:
                numpy.random.set_state(also)
