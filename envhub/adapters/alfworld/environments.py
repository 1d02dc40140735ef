"""ALFWorld's games as an environment, from data that you supply.

::

    from envhub.adapters.alfworld.environments import register
    register()
    env = envhub.make("alfworld/games-v0", path="json_2.1.1/valid_unseen")

The extra ``alfworld`` (MIT) installs TextWorld and builds Fast Downward, so it is optional and nothing is registered by
default.
The package holds the rules but no games: ALFWorld's own download has them. Source: Shridhar et al. 2021, arXiv 2010.03768.
Differences from using the library directly:

* **Process**: a game is played by TextWorld's engine for PDDL, in a process of its own.
* **Files are data**: the expressions of a game's grammar are evaluated by us, not by Python.
* **Fingerprint**: the rules, the grammar and the problem of a game are the problem's content and decide its split.
* **Names**: things are numbered in the order of their ids, as in ALFWorld's evaluation; its training shuffles them.
* **Verdicts**: solved is what Fast Downward *and* our own judge of the goal call reached; if they disagree, the episode is an
  ``error``. The score is 1 or 0.
* **Oracle**: the walkthrough of the game, or a plan of Fast Downward, played to the end before the task is drawn.
* **Games without a plan** within the steps are left out and named in the log; if no game is left, that is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import Field

from envhub.adapters.alfworld import files
from envhub.adapters.alfworld.games import RELEASE, Games, opening, solution, text_of
from envhub.adapters.alfworld.wording import statement
from envhub.adapters.shared.text_games import MOST_STEPS, TextGame
from envhub.adapters.shared.user_games import Playable, UserGamesParams, kept_games
from envhub.adapters.textworld.commands import GameCommand
from envhub.authoring import Staged
from envhub.authoring.wording import Statement
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream, canonical_json
from envhub.core.types import JSON, EnvSpec, Instance
from envhub.registry import registry
from envhub.verifiers.answers.types import AnswerType

__all__ = ["AlfWorld", "register"]

EXTRA: Final = "alfworld"
ID: Final = "alfworld/games-v0"
_OLDER_PUT: Final = re.compile(r'template\s*::\s*"(put|move) \{o\} ([a-z/]+) \{r\}"')
_playable: Final = Playable[files.UserGame, Instance]("ALFWorld")
_CONTENT: Final = ("pddl_domain", "grammar", "pddl_problem")


class Params(UserGamesParams):
    """The games, the kinds of tasks, and the number of steps."""

    tasks: list[str] = Field(list(files.TASKS), description="kinds of tasks to draw from, as traj_data.json names them")
    steps: int = Field(50, ge=1, le=MOST_STEPS, description="messages allowed")
    commands: bool = Field(False, description="whether each observation lists the commands that are possible")
    release: Literal["0.4.2"] = Field(RELEASE, description="of alfworld, which must be the installed one")

    @classmethod
    def listing(cls, path: str) -> Sequence[tuple[str, ...]]:
        """The games of a folder."""
        return files.games_at(path)

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The same for all levels."""
        return cls()


class AlfWorld(TextGame):
    """Carry out an errand in one of ALFWorld's houses."""

    Params = Params
    category = EXTRA
    game: ClassVar[str] = EXTRA
    answer: AnswerType = GameCommand()
    resources: ClassVar = {EXTRA: Games()}
    files: ClassVar[tuple[str, ...]] = ("path",)
    guessable = (1.0, "The games are yours.")

    def check(self, p: Any) -> None:
        """Reject kinds of tasks that ALFWorld does not have."""
        unknown = sorted({*p.tasks} - {*files.TASKS})
        if unknown or not p.tasks:
            raise InvalidParameters(f"`tasks` must be some of {', '.join(files.TASKS)}; got {unknown or p.tasks}.")

    def sample(self, rng: Stream, p: Any) -> Staged:
        """One of the games; its content decides the split."""
        games = [game for game in kept_games(p.path, p.digest, files.games_at) if game.task in p.tasks]
        if not games:
            raise InvalidParameters(f"{p.path!r} holds no game of {', '.join(p.tasks)}. Name other `tasks`.")
        game = rng.choice(games)
        if (read := _read(p.path, game)) is not None:
            yield _digest(read[1])
        return _playable.prepared(p.path, game, games, (p.steps, p.commands), lambda each: _instance(p, each))

    def canonical(self, content: JSON) -> JSON:
        """The digest of the game's content."""
        return content if isinstance(content, str) else content["content"]

    def form(self, problem: JSON) -> str:
        """The kind of task."""
        return str(problem["task"])

    def prompt(self, problem: JSON) -> Statement:
        """The house, the task and the commands."""
        return statement(problem)


def _read(path: str, game: files.UserGame) -> tuple[str, dict[str, str]] | None:
    """The text of a game and its parts; None for other files."""
    text = text_of({"path": path, **game._asdict()})
    told = None if text is None else _parts(text)
    return None if text is None or told is None else (text, told)


def _instance(p: Any, game: files.UserGame) -> Instance | str:
    """The task of a game, or why it cannot be played."""
    if (read := _read(p.path, game)) is None:
        return "it is not a game of ALFWorld"
    text, told = read
    start = opening(text)
    if "refused" in start:
        return str(start["refused"])
    if start.pop("won"):
        return "its goal holds at the start"
    commands = solution(text)
    if not commands:
        return "no plan for it is known"
    if len(commands) > p.steps:
        return f"its plan has {len(commands)} commands, and `steps` is {p.steps}"
    put = _OLDER_PUT.search(told["grammar"])
    shown = {**start, "commands": start["commands"] if p.commands else [], "listed": p.commands, "most": 1}
    how = f"{put[1]} O {put[2]} R" if put else "move O to R"
    content = {"path": p.path, **game._asdict(), "content": _digest(told)}
    return Instance({**content, **shown, "put": how, "steps": p.steps}, key={"solution": commands})


def _digest(told: dict[str, str]) -> str:
    return sha256(canonical_json(told)).hexdigest()


@lru_cache(maxsize=64)
def _parts(text: str) -> dict[str, str] | None:
    """The parts of a game that are its content, or None."""
    try:
        told = json.loads(text)
        return {name: str(told[name]) for name in _CONTENT}
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def register() -> EnvSpec:
    """Register ``alfworld/games-v0`` in this process; repeating is harmless."""
    entry = f"{__name__}:{AlfWorld.__name__}"
    there = next((spec for spec in registry.registered() if spec.id == ID and spec.entry == entry), None)
    return there or registry.register(ID, entry, category=EXTRA, extras=(EXTRA,), source=EXTRA)
