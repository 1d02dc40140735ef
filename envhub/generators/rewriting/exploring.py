"""Searches through the boards of a level: shortest solutions, and exact distances.

Boards are compared as they are, so the search knows nothing of the game but its turns::

    shortest(machine, board, most_boards=20_000)      # ("up", "left", ...), or None if it cannot be won
    reach = explore(machine, board, most_boards=500)
    reach.distances()                                 # fewest turns to a win, by the number of a board
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from envhub.generators.rewriting.machine import Board, Machine


class SearchLimit(Exception):
    """The search was given up, so nothing is known."""


class Reach(NamedTuple):
    """Boards that can be reached.

    Attributes:
        boards: The boards, the first one being the start.
        nexts: By board, the numbers of the boards after each action; -1 is a win.
        depth: Fewest turns in which a win was reached, or None.
        closed: Whether all boards were found; if not, the last ones have no ``nexts``.
        capped: Whether a turn met a limit on repetitions.
    """

    boards: list[Board]
    nexts: list[list[int]]
    depth: int | None
    closed: bool
    capped: bool

    def distances(self) -> list[int | None]:
        """Fewest turns to a win from each board.

        Exact if all boards were found.
        """
        before: list[list[int]] = [[] for _ in self.boards]
        far: list[int | None] = [None] * len(self.boards)
        for at, nexts in enumerate(self.nexts):
            for after in nexts:
                if after < 0:
                    far[at] = 1
                elif after != at:
                    before[after].append(at)
        edge = [at for at, found in enumerate(far) if found == 1]
        turns = 1
        while edge:
            turns += 1
            wider = []
            for at in edge:
                for other in before[at]:
                    if far[other] is None:
                        far[other] = turns
                        wider.append(other)
            edge = wider
        return far


def explore(machine: Machine, start: Board, most_boards: int, stops: bool = True, least: int = 0) -> Reach:
    """All boards that can be reached, or the first ``most_boards`` of them.

    Args:
        machine: The game.
        start: The board to begin with.
        most_boards: The search ends when there are more.
        stops: Whether wins end the game; if not, the depth is None, and no board follows as -1. Where turns may chain
            (``machine.chains``), a win in the middle of a chain is then missed.
        least: The search ends at half of the boards if they are less than half as many turns away.
    """
    boards, nexts = [start], list[list[int]]()
    number = {start: 0}
    depths = [0]
    depth: int | None = None
    capped = False
    play = machine.play
    for at, board in enumerate(boards):  # grows on the way
        if len(boards) > most_boards or (2 * len(boards) > most_boards and 2 * depths[-1] < least):
            return Reach(boards, nexts, depth, False, capped)
        found = []
        for action in machine.actions:
            turn = play(board, action, stops)
            capped |= turn.capped
            if turn.won and stops:
                depth = depths[at] + 1 if depth is None else depth
                found.append(-1)
                continue
            after = number.get(turn.board)
            if after is None:
                after = number[turn.board] = len(boards)
                boards.append(turn.board)
                depths.append(depths[at] + 1)
            found.append(after)
        nexts.append(found)
    return Reach(boards, nexts, depth, True, capped)


def shortest(
    machine: Machine, start: Board, most_boards: int, enough: Callable[[int], bool] | None = None
) -> tuple[str, ...] | None:
    """A shortest solution; None if the game cannot be won.

    Args:
        machine: The game.
        start: The board to begin with.
        most_boards: The search is given up after as many boards.
        enough: Called with each length that is ruled out; true ends the search with None.

    Raises:
        SearchLimit: Neither a solution nor its absence was found within the boards.
    """
    came: dict[Board, tuple[Board, str] | None] = {start: None}
    edge, turns = [start], 0
    while edge:
        turns += 1
        wider = []
        for board in edge:
            for action in machine.actions:
                turn = machine.play(board, action)
                if turn.won:
                    return (*_way(came, board), action)
                if turn.board not in came:
                    came[turn.board] = (board, action)
                    wider.append(turn.board)
            if len(came) > most_boards:
                raise SearchLimit
        if enough is not None and enough(turns):
            return None
        edge = wider
    return None


def _way(came: dict[Board, tuple[Board, str] | None], board: Board) -> tuple[str, ...]:
    actions = []
    step = came[board]
    while step is not None:
        board, action = step
        actions.append(action)
        step = came[board]
    return tuple(reversed(actions))
