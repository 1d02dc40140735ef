"""rewrite-puzzle-v0: play a puzzle game that is given by its rules.

The games are PuzzleScript's kind: objects on layers of a grid, and rules that rewrite cells in a row and give movements.
Twenty games are our own; with ``twists`` some of their rules are changed at random, and with ``invented`` their objects
have invented names, so that knowledge of the game does not help. Rules are stated in words or as source text (``rules``).

Action: one to twenty moves, ``up``, ``left``, ``down``, ``right``, ``action``, ``undo`` or ``restart``, carried out in
order until the game is won. Each counts, also one that changes nothing, as does a message that cannot be read. Score 1 if
the game is won within the moves, else 0. Difficulty: the length of the shortest solution, from level 6 on invented names,
and from level 7 on twists.

The shortest solution is exact: all boards that can be reached are explored, or all up to its length. Games whose objects
or rules differ in names alone, and boards that are turned or mirrored, count as different.
"""

from __future__ import annotations

from typing import Any

from envhub.core.seeding import Stream
from envhub.core.types import Instance
from envhub.envs.games.rewrite_puzzle import tasks
from envhub.envs.games.rewrite_puzzle.playing import PlayedPuzzle


class RewritePuzzle(PlayedPuzzle):
    """Play a puzzle game that is given by its rules."""

    Params = tasks.Params

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A game and a level with its shortest solution."""
        return tasks.draw_problem(rng, p)
