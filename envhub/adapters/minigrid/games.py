"""Levels of the library minigrid, as resources of episodes.

::

    opened("GoToRedBall", 7).mission    # "go to the red ball"

A level is played in memory; one that is lost is rebuilt by its actions, which always lead to the same views.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import version
from typing import Any, Final, NamedTuple

from envhub.adapters.minigrid.tables import RELEASE
from envhub.core.effects import Effect, Live, Outcome, Resource
from envhub.core.errors import MissingExtra, ResourceError
from envhub.core.types import JSON
from envhub.generators.gridworld.model import COLOURS, DOOR_STATES
from envhub.generators.gridworld.sight import SIDE, Cell, Sight
from envhub.generators.gridworld.text import signs

try:
    import gymnasium
    import minigrid
    from minigrid.core.constants import IDX_TO_COLOR, IDX_TO_OBJECT
    from minigrid.utils.baby_ai_bot import BabyAIBot
except ImportError as error:
    raise MissingExtra(f"BabyAI is needed: pip install 'envhub[minigrid]' ({error}).") from error

_MOST_SEARCHES: Final = 200
"""Searches of the bot for one action, after which it has lost its way."""
_ALIKE: Final = {"empty": "floor"}
_COLOURED: Final = ("door", "key", "ball", "box")


class _Bot(BabyAIBot):  # type: ignore[misc]
    """BabyAI's bot, which gives up where it would search for ever."""

    left = 0

    def replan(self, action: Any = None) -> Any:
        """The next action."""
        self.left = _MOST_SEARCHES
        return super().replan(action)

    def _shortest_path(self, *arguments: Any, **options: Any) -> Any:
        self._count()
        return super()._shortest_path(*arguments, **options)

    def _find_obj_pos(self, *arguments: Any, **options: Any) -> Any:
        self._count()
        return super()._find_obj_pos(*arguments, **options)

    def _find_drop_pos(self, *arguments: Any, **options: Any) -> Any:
        self._count()
        return super()._find_drop_pos(*arguments, **options)

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise RecursionError("the bot goes round in circles")


class Opening(NamedTuple):
    """The start of a level.

    Attributes:
        mission: What is to be done.
        view: The first view, as rows of signs.
        most: The number of steps that the library allows.
    """

    mission: str
    view: list[str]
    most: int


def started(level: str, seed: int) -> tuple[Any, Any]:
    """A level and its first observation.

    Raises:
        ResourceError: The installed release is another one.
    """
    if version("minigrid") != RELEASE:
        raise ResourceError(f"Expected minigrid {RELEASE}, found {version('minigrid')}.")
    if f"BabyAI-{level}-v0" not in gymnasium.registry:
        minigrid.register_minigrid_envs()
    with contextlib.redirect_stdout(io.StringIO()):  # the library prints rejected missions
        game = gymnasium.make(f"BabyAI-{level}-v0", disable_env_checker=True).unwrapped
        seen, _ = game.reset(seed=seed)
    return game, seen


def opened(level: str, seed: int) -> Opening:
    """The start of a level."""
    game, seen = started(level, seed)
    return Opening(str(game.mission), view_of(seen), int(game.max_steps))


@lru_cache(maxsize=256)
def solution(level: str, seed: int) -> tuple[int, ...] | None:
    """The actions of BabyAI's bot.

    None if it does not solve the level.
    """
    game, _ = started(level, seed)
    bot, actions, action = _Bot(game), list[int](), None
    for _ in range(int(game.max_steps)):
        try:
            action = bot.replan(action)
        except Exception:  # the bot gives up in several ways
            return None
        actions.append(int(action))
        _, reward, over, cut, _ = game.step(action)
        if over or cut:
            return tuple(actions) if reward > 0 else None
    return None


def view_of(seen: Any) -> list[str]:
    """An observation as rows of signs."""
    image = seen["image"]
    lines: Sight = [[_cell(image[column][SIDE - 1 - row]) for column in range(SIDE)] for row in range(SIDE)]
    return signs(lines)


def _cell(numbers: Any) -> Cell | None:
    kind, colour, state = IDX_TO_OBJECT[int(numbers[0])], IDX_TO_COLOR[int(numbers[1])], int(numbers[2])
    if kind == "unseen":
        return None
    kind = _ALIKE.get(kind, kind)
    if kind not in _COLOURED:
        return Cell(kind)
    return Cell(kind, colour if colour in COLOURS else "grey", DOOR_STATES[state] if kind == "door" else "")


class Games(Resource):
    """A level per episode; a lost one is rebuilt by its actions."""

    def __init__(self) -> None:
        super().__init__("replay")

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """The level of a problem, at its start."""
        return _Episode(problem)


class _Episode(Live):
    def __init__(self, problem: JSON) -> None:
        self._game, _ = started(problem["level"], problem["seed"])

    def perform(self, effect: Effect) -> Outcome:
        """Carry out the action of an ``Exec``."""
        seen, reward, over, cut, _ = self._game.step(effect.payload["action"])
        held = self._game.carrying
        said = f"You carry {'nothing' if held is None else f'a {held.color} {held.type}'}."
        data = {"view": view_of(seen), "over": bool(over or cut), "solved": bool(reward > 0)}
        return Outcome(said, data)

    def close(self) -> None:
        """Let the level go."""
        self._game.close()


def names() -> Iterator[str]:
    """The names of the library's levels of BabyAI."""
    for name in sorted(gymnasium.registry):
        if name.startswith("BabyAI-"):
            yield name.removeprefix("BabyAI-").removesuffix("-v0")
