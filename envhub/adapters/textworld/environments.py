"""TextWorld's games as environments, with envhub's seeds, verdicts and errors.

::

    from envhub.adapters.textworld.environments import register
    register()
    env = envhub.make("textworld/generated-v0", difficulty=3)             # made by TextWorld, under envhub's seed
    env = envhub.make("textworld/games-v0", path="tw_games")              # your games: *.z8, each with its *.json

The extra ``textworld`` (MIT) installs 380 MB and has the compiler Inform 7, so it is optional and nothing is registered by
default. Source: Cote et al. 2018, arXiv 1806.11532. Differences from using the library directly:

* **Process**: the interpreter is a library in C, so games are made and played in a process of their own.
* **Seeds**: a seed always makes the same game, because that process has a fixed seed for Python's hashes.
* **Fingerprint**: the content of the game (of both files, if they are yours) is the problem's content and decides its split.
* **Commands** begin with a verb of the game. Debugging commands, which print the state, and those for files and restarts do not
  reach the interpreter. One message is one command and one step.
* **Verdicts**: solved is what the interpreter *and* the logic of the game call won; if they disagree, the episode is an
  ``error``. The score is the share of points otherwise, and 0 for a lost game.
* **Oracle**: TextWorld's own solution, as long as it was followed from the start.
* **Games that cannot be won** within the steps are left out and named in the log; if no game is left, that is an error.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, ClassVar, Final, Literal, Self

from pydantic import Field

from envhub.adapters.shared.text_games import MOST_STEPS, TextGame
from envhub.adapters.shared.user_games import Playable, UserGamesParams, kept_games
from envhub.adapters.textworld import files
from envhub.adapters.textworld.commands import GameCommand, fault
from envhub.adapters.textworld.games import Games, Source, compiled, made, opening, solution
from envhub.adapters.textworld.tables import LEVELS, RELEASE, Game
from envhub.adapters.textworld.wording import statement
from envhub.authoring import BaseParams, Staged, World
from envhub.authoring.wording import Statement, counted
from envhub.core.seeding import Stream
from envhub.core.types import JSON, EnvSpec, Instance
from envhub.registry import registry
from envhub.verifiers.answers.types import AnswerType

__all__ = ["GeneratedGames", "UserGames", "register"]

EXTRA: Final = "textworld"
_FEWEST_STEPS: Final = 20
_TIMES_THE_SOLUTION: Final = 5
_SEEDS: Final = 1 << 31
_playable: Final = Playable[files.UserGame, Instance]("TextWorld")


class _Params(BaseParams):
    """What both environments have in common."""

    steps: int = Field(
        0, ge=0, le=MOST_STEPS, description="messages allowed; 0: five times TextWorld's solution, at least 20"
    )
    commands: bool = Field(False, description="whether each observation lists the commands that are possible")
    release: Literal["1.7.0"] = Field(RELEASE, description="of TextWorld, which must be the installed one")


class GeneratedParams(_Params):
    """The kind of game and its level."""

    kind: Literal["any", "quest", "treasure_hunter", "coin_collector", "cooking"] = Field(
        "any", description="kind of game; any: drawn from those of the level"
    )
    level: int = Field(
        3, ge=1, le=10, description="size of the games; for a kind that it lacks, that of the nearest level"
    )

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The games of a level."""
        return cls(level=difficulty)

    def games(self) -> list[Game]:
        """What to draw from."""
        fitting = [
            (at, game) for at, level in enumerate(LEVELS, 1) for game in level if self.kind in ("any", game.kind)
        ]
        nearest = min(abs(at - self.level) for at, _ in fitting)
        return [game for at, game in fitting if abs(at - self.level) == nearest]


class UserParams(_Params, UserGamesParams):
    """The games."""

    @classmethod
    def listing(cls, path: str) -> Sequence[tuple[str, ...]]:
        """The games of a file or folder."""
        return files.games_at(path)

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The same for all levels."""
        return cls()


class TextWorldGame(TextGame):
    """Reach the goal of one of TextWorld's text adventures."""

    category = EXTRA
    game: ClassVar[str] = EXTRA
    answer: AnswerType = GameCommand()
    resources: ClassVar = {EXTRA: Games()}
    guessable = (1.0, "The games are TextWorld's, and yours.")

    def prompt(self, problem: JSON) -> Statement:
        """The goal, the verbs and the first room."""
        return statement(problem)

    def refusal(self, problem: JSON, command: str) -> str | None:
        """Whether it begins with a verb of the game."""
        return fault(command, problem["verbs"])

    def _instance(self, source: Source, p: Any, content: Mapping[str, JSON]) -> Instance | str:
        """The task of a game, or why it cannot be played."""
        commands = solution(source.text)
        if commands is None:
            return "its JSON file is not a game of TextWorld"
        steps = p.steps or max(_FEWEST_STEPS, _TIMES_THE_SOLUTION * len(commands))
        if not commands:
            return "TextWorld knows no solution"
        if len(commands) > steps or steps > MOST_STEPS:
            return f"TextWorld's solution has {counted(len(commands), 'command')}, too many for `steps` (at most {MOST_STEPS})"
        start = opening(source)._asdict()
        shown = {**start, "commands": start["commands"] if p.commands else []}
        return Instance({**content, **shown, "listed": p.commands, "steps": steps}, key={"solution": commands})


class GeneratedGames(TextWorldGame):
    """Reach the goal of a text adventure that TextWorld has made."""

    Params = GeneratedParams

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A game of the level; its content decides the split."""
        game, seed, settings = rng.choice(p.games()), rng.below(_SEEDS), dict[str, Any]()
        if game.kind == "cooking":
            settings["recipe_seed"] = rng.below(_SEEDS)
        settings |= game.settings
        text = made(game.kind, settings, game.brief, seed)
        digest = sha256(text.encode()).hexdigest()
        yield digest
        content = {"kind": game.kind, "settings": settings, "brief": game.brief, "seed": seed, "game": digest}
        found = self._instance(Source(compiled(text), text), p, content)
        return found if isinstance(found, Instance) else None

    def canonical(self, content: JSON) -> JSON:
        """The digest of the game."""
        return content if isinstance(content, str) else content["game"]

    def form(self, problem: JSON) -> str:
        """The kind of game."""
        return str(problem["kind"])


class UserGames(TextWorldGame):
    """Reach the goal of a text adventure from your files."""

    Params = UserParams
    files: ClassVar[tuple[str, ...]] = ("path",)

    def sample(self, rng: Stream, p: Any) -> Staged:
        """One of the games; the content of its files decides the split."""
        games = kept_games(p.path, p.digest, files.games_at)
        game = rng.choice(games)
        yield [game.story, game.about]

        def prepare(each: files.UserGame) -> Instance | str:
            content = {"path": p.path, **each._asdict()}
            return self._instance(Source(*files.read_game(content)), p, content)

        return _playable.prepared(p.path, game, games, (p.steps, p.commands), prepare)

    def canonical(self, content: JSON) -> JSON:
        """The digests of the game's files."""
        return content if isinstance(content, list) else [content["story"], content["about"]]


def register() -> list[EnvSpec]:
    """Register ``textworld/generated-v0`` and ``textworld/games-v0`` in this process; repeating is harmless."""
    return [_registered("textworld/generated-v0", GeneratedGames), _registered("textworld/games-v0", UserGames)]


def _registered(id: str, cls: type[World]) -> EnvSpec:
    entry = f"{__name__}:{cls.__name__}"
    there = next((spec for spec in registry.registered() if spec.id == id and spec.entry == entry), None)
    return there or registry.register(id, entry, category=EXTRA, extras=(EXTRA,), source=EXTRA)
