"""rewrite-plan-v0: give the whole solution of a puzzle game.

The games and levels are those of ``rewrite-puzzle-v0``. Action: a list of moves, ``up``, ``left``, ``down``, ``right`` or
``action``. The list is played from the start; score 1 if one of its first moves, up to the number that is allowed, wins
the game, else 0. Moves after the win do not matter. Difficulty: as in ``rewrite-puzzle-v0``; effort is the length of the
shortest solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from envhub.authoring import SingleTurn
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Verdict
from envhub.envs.games.rewrite_puzzle import tasks, wording
from envhub.envs.games.rewrite_puzzle.moves import WholePlan
from envhub.scenes import Scene
from envhub.verifiers.answers.types import AnswerType


class RewritePlan(SingleTurn):
    """Give the whole solution of a puzzle game."""

    Params = tasks.Params
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    slow: ClassVar[bool] = True
    answer: AnswerType = WholePlan()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A game and a level with its shortest solution."""
        return tasks.draw_problem(rng, p)

    def canonical(self, content: JSON) -> JSON:
        """The text of the game and the board."""
        return [content["source"], content["board"]]

    def prompt(self, problem: JSON) -> Statement:
        """The rules and the board."""
        return wording.statement(problem, stepwise=False)

    def grade(self, inst: Instance, value: tuple[str, ...]) -> Verdict:
        """Play the moves."""
        machine, board = tasks.machine_for(inst.problem), tasks.start_of(inst.problem)
        for move in value[: inst.problem["moves"]]:
            if move in machine.actions:
                turn = machine.play(board, move)
                board = turn.board
                if turn.won:
                    return Verdict.exact(True)
        return Verdict.exact(False, "These moves do not win the game.")

    def solve(self, inst: Instance) -> str:
        """A shortest solution."""
        return " ".join(inst.key["plan"])

    def mistakes(self, inst: Instance) -> Iterator[str]:
        """The solution without its last move."""
        plan = inst.key["plan"]
        if len(plan) > 1:
            yield " ".join(plan[:-1])

    def scene(self, inst: Instance, state: Any) -> Scene | None:
        """The first board."""
        return wording.scene(inst.problem, tasks.first_cells(inst.problem))

    def effort(self, inst: Instance) -> float:
        """Moves of the shortest solution."""
        return float(len(inst.key["plan"]))
