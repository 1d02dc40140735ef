"""rewrite-dataset-v0: play the levels of your own puzzle game.

``make("rewrite-dataset-v0", game="boxes.txt")`` reads a game in PuzzleScript's format; the supported subset is stated in
:mod:`envhub.generators.rewriting.parsing`, and what is not supported is refused with its line. Levels are drawn at
random; only those are played whose shortest solution is found within ``boards``. Action, score and moves are those of
``rewrite-puzzle-v0``. Difficulty: every level is the same; effort is the length of the shortest solution.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import Field

from envhub.authoring.user_file import UserFiles
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.games.rewrite_puzzle import tasks
from envhub.envs.games.rewrite_puzzle.playing import PlayedPuzzle
from envhub.generators.user_files.puzzles import PuzzleFile, puzzle_file


class Params(UserFiles):
    """The file, and which of its levels are played."""

    digests: ClassVar[Mapping[str, str]] = {"game": "game_digest"}

    game: str = Field("", description="the game, a text in PuzzleScript's format")
    game_digest: str = Field("", description="SHA-256 of the game; what it is now, if not given")
    number: int | None = Field(None, ge=1, description="only this level, counted from 1; all levels, if not given")
    boards: int = Field(20_000, ge=10, le=1_000_000, description="boards that are searched for a solution of a level")
    rules: tasks.RulesForm = Field("words", description="rules in English sentences, or the source text of the game")

    def look(self) -> None:
        """Read the game."""
        self.numbers()

    def file(self) -> PuzzleFile:
        """The game.

        Raises:
            InvalidParameters: It is not a game of the supported subset.
        """
        return puzzle_file(self.game, self.game_digest)

    def numbers(self) -> list[int]:
        """The places of the levels that may be played.

        Raises:
            InvalidParameters: There is no level of this number.
        """
        count = len(self.file().levels)
        if self.number is not None and self.number > count:
            raise InvalidParameters(
                f"{self.game} has {count} levels; `number` must be 1 to {count}, got {self.number}."
            )
        return list(range(count)) if self.number is None else [self.number - 1]

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """All levels of the game."""
        return cls()


class RewriteDataset(PlayedPuzzle):
    """Play the levels of a puzzle game from a file."""

    Params = Params
    files: ClassVar[tuple[str, ...]] = ("game",)

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A level that can be won."""
        file, numbers = p.file(), p.numbers()
        at = rng.choice(numbers)
        found = file.solution(at, p.boards)
        if isinstance(found, str):
            why = [file.solution(each, p.boards) for each in numbers]
            if all(isinstance(each, str) for each in why):
                raise InvalidParameters(
                    f"{file.place}: no level can be played. Level {at + 1} (line {file.lines[at]}): {found}. "
                    "Raise `boards`, or correct the level."
                )
            return None
        if not found or len(found) > tasks.MOST_MOVES:
            return None
        machine, board = file.begun(at)
        return Instance(tasks.problem_of(file.source, machine, board, len(found), p.rules), key={"plan": list(found)})
