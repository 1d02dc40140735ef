"""The side of NetHack that runs in a process of its own.

NetHack is a library in C with global state, so only :mod:`envhub.adapters.shared.library_process` calls these functions.
"""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from typing import Any, Final

from nle import nethack

from envhub.adapters.nle.actions import ACTIONS, keys_of
from envhub.adapters.nle.explorer import Explorer

_SPACE: Final = 32
_KEYS: Final = ("tty_chars", "chars", "glyphs", "blstats", "message", "internal", "program_state")
_TTY, _CHARS, _GLYPHS, _STATS, _MESSAGE, _INTERNAL, _PROGRAM = range(len(_KEYS))
_QUESTION, _LINE, _WAITING, _ON_STAIRS, _HUNGER = 1, 2, 3, 4, 7
"""Places in NLE's internal observation, which policies do not see."""
_IN_MOVELOOP: Final = 3
_MOST_SPACES: Final = 100
_FAILURES: Final = (nethack.PANICKED, nethack.TRICKED)


class _Game:
    """A game of NetHack and what its goals count."""

    def __init__(self, seeds: Sequence[int], character: str) -> None:
        core, disp, level = seeds
        self.nethack = nethack.Nethack(
            observation_keys=_KEYS, playername=f"Agent-{character}", ttyrec=None, fix_moon_phase=True, copy=True
        )
        self.nethack.set_initial_seeds(core, disp, False, level)
        self.seen = self.nethack.reset()
        self.over = False
        for _ in range(_MOST_SPACES):
            if self.seen[_PROGRAM][_IN_MOVELOOP]:
                break
            self.seen, self.over = self.nethack.step(_SPACE)
        else:
            raise RuntimeError("the game does not begin")
        self._gold = self._last_gold = int(self.seen[_STATS][nethack.NLE_BL_GOLD])
        self._hunger = int(self.seen[_INTERNAL][_HUNGER])
        self._score, self._eaten, self._stairs = 0, 0, False
        self._levels: dict[tuple[int, int], int] = {}
        self._blank = 0
        self._count()
        self._blank = sum(self._levels.values())

    def press(self, keys: Sequence[int]) -> None:
        """Press keys; those after the end of the game do nothing."""
        for key in keys:
            if self.over:
                return
            self.seen, self.over = self.nethack.step(key)
            if self.over and self.nethack.how_done() in _FAILURES:
                raise RuntimeError("NetHack ended with an internal error")  # which must not count as a loss
            if not self.over and self.nethack.in_normal_game():  # before and afterwards all numbers are 0
                self._count()

    def _count(self) -> None:
        stats, internal = self.seen[_STATS], self.seen[_INTERNAL]
        self._score = int(stats[nethack.NLE_BL_SCORE])
        self._last_gold = int(stats[nethack.NLE_BL_GOLD])
        self._stairs = bool(internal[_ON_STAIRS])
        hunger = int(internal[_HUNGER])
        self._eaten += max(0, hunger - self._hunger)
        self._hunger = hunger
        level = (int(stats[nethack.NLE_BL_DNUM]), int(stats[nethack.NLE_BL_DLEVEL]))
        shown = int((self.seen[_GLYPHS] != nethack.GLYPH_CMAP_OFF).sum())
        self._levels[level] = max(shown, self._levels.get(level, 0))

    def reached(self, task: str) -> int:
        """How far the goal of a task is reached."""
        if task == "staircase":
            return int(self._stairs)
        if task == "gold":
            return max(0, self._last_gold - self._gold)
        if task == "scout":
            return sum(self._levels.values()) - self._blank
        return self._eaten if task == "eat" else self._score

    @property
    def asks(self) -> bool:
        """Whether the next key answers a question, a menu or a text."""
        internal = self.seen[_INTERNAL]
        return bool(internal[_QUESTION] or internal[_LINE] or internal[_WAITING])

    def screen(self) -> str:
        """The terminal as text."""
        lines = [bytes(line).decode("latin-1").replace("\0", " ").rstrip() for line in self.seen[_TTY]]
        return "\n".join(lines).rstrip()


_playing: dict[str, Any] = {}


def opened(seeds: Sequence[int], character: str, task: str) -> dict[str, Any]:
    """Begin a game, and end the one before."""
    closed()
    _playing.update(game=_Game(seeds, character), task=task)
    return _said()


def step(action: str) -> dict[str, Any]:
    """Carry out an action that is one now."""
    game = _playing["game"]
    keys = keys_of(action, game.asks)
    if keys is None:
        raise ValueError("not an action now")
    game.press(keys)
    return _said()


def closed() -> None:
    """End the game that is played."""
    game = _playing.pop("game", None)
    if game is not None:
        game.nethack.close()


def solution(seeds: Sequence[int], character: str, task: str, target: int, most: int) -> list[str] | None:
    """The actions with which a script reaches a target in time.

    None if it does not.
    """
    game, actions = _Game(seeds, character), list[str]()
    try:
        explorer = Explorer(task)
        while game.reached(task) < target:
            if game.over or len(actions) >= most:
                return None
            seen = game.seen
            message = bytes(seen[_MESSAGE]).partition(b"\0")[0].decode("latin-1")
            action = explorer.next(seen[_GLYPHS], seen[_STATS], message, [bool(x) for x in seen[_INTERNAL][1:4]])
            game.press(ACTIONS.get(action) or [ord(action)])
            actions.append(action)
        return actions
    finally:
        game.nethack.close()


def _said() -> dict[str, Any]:
    game = _playing["game"]
    return {
        "text": game.screen(),
        "reached": game.reached(_playing["task"]),
        "asks": game.asks and not game.over,
        "over": bool(game.over),
    }


atexit.register(closed)
