"""Puzzle games played move by move: the base of two environments.

A state is a board with earlier boards for ``undo`` and a number of moves left. Each move of a message uses one up, and so
does a message that cannot be read. A win ends the episode at once. A subclass draws the problems.
"""

from __future__ import annotations

from typing import ClassVar, Final, NamedTuple

from envhub.authoring import World
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.rewrite_puzzle import tasks, wording
from envhub.envs.games.rewrite_puzzle.moves import Moves
from envhub.generators.rewriting.exploring import SearchLimit, shortest
from envhub.generators.rewriting.machine import Board
from envhub.generators.rewriting.views import cells_of
from envhub.scenes import Scene
from envhub.verifiers.answers.types import AnswerType

_MOST_SEARCHED: Final = 3000
_AT_ONCE: Final = 5


class State(NamedTuple):
    """The board, earlier boards for ``undo``, and the moves left."""

    board: Board
    past: tuple[Board, ...]
    left: int


class PlayedPuzzle(World):
    """Play a puzzle game move by move."""

    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    slow: ClassVar[bool] = True
    max_turns: ClassVar[int] = tasks.MOST_MOVES
    answer: AnswerType = Moves()
    cycles: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("up", "left", "down", "right"),
        ("up up", "left left", "down down", "right right"),
        ("action right", "action down", "action left", "action up"),
    )

    def canonical(self, content: JSON) -> JSON:
        """The text of the game and the board."""
        return [content["source"], content["board"]]

    def prompt(self, problem: JSON) -> Statement:
        """The rules and the board."""
        return wording.statement(problem, stepwise=True)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The board as drawn, with all moves."""
        return State(tasks.start_of(inst.problem), (), inst.problem["moves"])

    def act(self, inst: Instance, state: State, value: tuple[str, ...], rng: Stream) -> Turn:
        """Carry out moves until one wins or none is left."""
        machine, start = tasks.machine_for(inst.problem), tasks.start_of(inst.problem)
        board, past, left = state
        idle, shown = 0, list[str]()
        for move in value[:left]:
            left -= 1
            after = board
            if move == "undo":
                after, past = (past[-1], past[:-1]) if past else (board, past)
            elif move == "restart":
                after = start
            elif move in machine.actions:
                turn = machine.play(board, move)
                after = turn.board
                shown += turn.messages
                if turn.won:
                    return Turn.end(State(after, past, left), Verdict.exact(True, "You have won the game."))
            if after == board:
                idle += 1
            elif move != "undo":
                past = (*past, board)
            board = after
        said = [f'The game says: "{text}"' for text in dict.fromkeys(shown)]
        done = min(len(value), state.left)
        said.append(wording.carried_out(done, idle))
        return self._next(inst, State(board, past, left), "\n".join(said))

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a move."""
        return self._next(inst, state._replace(left=state.left - 1), feedback)

    def scene(self, inst: Instance, state: State) -> Scene | None:
        """The board."""
        return wording.scene(inst.problem, cells_of(tasks.machine_for(inst.problem), state.board))

    def solve(self, inst: Instance, state: State) -> str:
        """The next moves of a shortest solution.

        Off its way, one that a search finds, or ``restart``.
        """
        found = tasks.rest_of_plan(inst, state.board)
        if found is None:
            try:
                found = shortest(tasks.machine_for(inst.problem), state.board, _MOST_SEARCHED)
            except SearchLimit:
                found = None
            if found is None or len(found) > state.left:
                found = ("restart", *inst.key["plan"])
        return " ".join(found[:_AT_ONCE])

    def effort(self, inst: Instance) -> float:
        """Moves of the shortest solution."""
        return float(len(inst.key["plan"]))

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        if state.left == 0:
            return Turn.end(state, Verdict.exact(False, f"{said}\nNo moves are left."))
        cells = cells_of(tasks.machine_for(inst.problem), state.board)
        drawn = self.drawn(wording.drawn(inst.problem, cells))
        return Turn(state, f"{said}\n{drawn}\nMoves left: {state.left}.")
