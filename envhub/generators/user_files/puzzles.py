"""A user's puzzle game in PuzzleScript's format, with solutions of its levels.

The supported subset of the format is stated in :mod:`envhub.generators.rewriting.parsing`. Solutions are found by search,
so levels are only used if the search finds one within its bound::

    file = puzzle_file("boxes.txt", digest_of("boxes.txt"))
    file.solution(0, most_boards=20_000)      # moves, or a sentence that states the reason
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from envhub.core.errors import InvalidParameters
from envhub.generators.rewriting.exploring import SearchLimit, shortest
from envhub.generators.rewriting.levels import machine_of, program_of
from envhub.generators.rewriting.machine import Board, Machine
from envhub.generators.rewriting.syntax import PuzzleError
from envhub.generators.rewriting.words import rule_sentences
from envhub.generators.user_files.files import content_at, place_of

_MOST_SHOWN: Final = 40_000
_LEVELS: Final = re.compile(r"(?im)^\s*levels\s*$")


class PuzzleFile(NamedTuple):
    """A game and its levels.

    Attributes:
        place: Where the file is.
        source: The text before the levels.
        levels: The rows of each level.
        lines: The line of each level.
    """

    place: str
    source: str
    levels: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]

    def begun(self, at: int) -> tuple[Machine, Board]:
        """The machine and the first board of a level."""
        rows = self.levels[at]
        machine = machine_of(self.source, len(rows[0]), len(rows))
        return machine, machine.begin(rows)

    def solution(self, at: int, most_boards: int) -> tuple[str, ...] | str:
        """A shortest solution of a level, or why it was not solved."""
        return _solution(self, at, most_boards)


def puzzle_file(path: str, digest: str) -> PuzzleFile:
    """The game of a file.

    Raises:
        InvalidParameters: No file with this digest exists, or it is not a game of the supported subset.
    """
    return _read(place_of(path, digest), digest)


@lru_cache(maxsize=16)
def _read(place: str, digest: str) -> PuzzleFile:
    try:
        text = content_at(place, digest).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InvalidParameters(f"{place} is not UTF-8: {error}.") from None
    heading = list(_LEVELS.finditer(text))
    source = text[: heading[-1].start()].rstrip().rstrip("=").rstrip() + "\n" if heading else text
    try:
        game = program_of(text).game
        program_of(source)
    except PuzzleError as error:
        raise InvalidParameters(f"{place}: {error}") from None
    if not game.levels:
        raise InvalidParameters(f"{place}: the game has no levels; the section LEVELS must have at least one.")
    if max(len(source), len("\n".join(rule_sentences(game)))) > _MOST_SHOWN:
        raise InvalidParameters(
            f"{place}: the game is too long for a prompt; its text may have {_MOST_SHOWN} characters."
        )
    lines, levels = zip(*game.levels, strict=True)
    return PuzzleFile(place, source, levels, lines)


@lru_cache(maxsize=256)
def _solution(file: PuzzleFile, at: int, most_boards: int) -> tuple[str, ...] | str:
    machine, board = file.begun(at)
    try:
        found = shortest(machine, board, most_boards)
    except SearchLimit:
        return f"no solution was found among {most_boards} boards"
    return "it cannot be won" if found is None else found
