"""maze-v0: find the exit of a maze while seeing only nearby cells.

Action: one word per turn, ``north``, ``south``, ``east`` or ``west`` (also up, down, right, left, or a first letter). A
move into a wall is reported and still costs a move; so does any other text. Score 1 at the exit within the moves, else
0. The component ``progress`` is the share of the path covered; it is not part of the reward. Difficulty: a larger maze,
a longer path, fewer loops and a narrower view; effort is the steps of a walker who sees what a policy sees, remembers
it, and always follows the shortest path that may still be open. At every level the move limit is at least a quarter
more than this walker takes (``winnable``), so each task can be won without hidden knowledge.

A maze is its walls, start and exit; rotations and reflections are the same content.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, Staged, World
from envhub.authoring.wording import Statement
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.maze import grid, picture, wording
from envhub.scenes import Scene
from envhub.verifiers.answers.choices import Choice
from envhub.verifiers.answers.types import AnswerType

_MOST_MOVES: Final = 256
_LEVELS: Final = (
    (5, 30, 8, 2, 300),
    (6, 20, 11, 2, 300),
    (7, 15, 14, 2, 300),
    (8, 10, 18, 2, 300),
    (9, 8, 22, 2, 300),
    (10, 6, 27, 2, 300),
    (11, 5, 32, 1, 300),
    (13, 4, 38, 1, 300),
    (15, 2, 46, 1, 300),
    (17, 0, 56, 1, 300),
)


class Params(BaseParams):
    """The maze, the view, and the number of moves."""

    size: int = Field(8, ge=3, le=30, description="cells on a side")
    loops: int = Field(
        10, ge=0, le=100, description="of a hundred inner walls so many are taken away; 0: a perfect maze"
    )
    path: int = Field(16, ge=2, le=200, description="steps of the shortest way out (up to a quarter more)")
    radius: int = Field(2, ge=1, le=30, description="how many cells the policy sees in every direction")
    slack: int = Field(250, ge=100, le=1000, description="moves allowed, in per cent of the shortest way")
    winnable: bool = Field(
        False, description="whether there are a quarter more moves than a walker needs who remembers what was seen"
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.path >= self.size**2:
            raise ValueError("path < size * size must hold")
        if (self.path + self.path // 4) * self.slack > _MOST_MOVES * 100:
            raise ValueError(f"path and slack must not give more than {_MOST_MOVES} moves")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        size, loops, path, radius, slack = _LEVELS[difficulty - 1]
        return cls(size=size, loops=loops, path=path, radius=radius, slack=slack, winnable=True)


class Compass(Choice):
    """One of the four directions."""

    noun: ClassVar[str] = "one of north, south, east or west"
    example: ClassVar[str] = "north"
    placeholder: ClassVar[str] = "DIRECTION"
    words: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(("north", "n", "up", "u"), "north"),
        **dict.fromkeys(("south", "s", "down", "d"), "south"),
        **dict.fromkeys(("east", "e", "right", "r"), "east"),
        **dict.fromkeys(("west", "w", "left", "l"), "west"),
    }


class State(NamedTuple):
    """The policy's position, and the moves left."""

    cell: int
    left: int


class Maze(World):
    """Find the way out of a maze seen in part."""

    Params = Params
    max_turns: ClassVar[int] = _MOST_MOVES
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer: AnswerType = Compass()

    def check(self, p: Any) -> None:
        """Reject a path longer than any in such mazes.

        The limit depends on size and loop share.
        """
        if not grid.reaches(p.size, p.loops, p.path):
            raise InvalidParameters(
                f"Mazes with size={p.size} and loops={p.loops} have no two cells {p.path} steps apart (or next to none have): "
                "give a shorter path, fewer loops, or a larger size."
            )

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A maze with start and exit at the requested distance.

        Its walls are the key.
        """
        cells = grid.carve(rng, p.size, p.size, p.loops)
        found = next(grid.reaching(p.size, cells, rng.sample(range(len(cells)), len(cells)), p.path), None)
        if found is None:
            return None
        goal, far = found
        start = rng.choice([cell for cell, steps in enumerate(far) if p.path <= steps <= p.path + p.path // 4])
        content: dict[str, JSON] = {"size": p.size, "start": start, "exit": goal, "radius": p.radius}
        yield {**content, "cells": cells}
        moves = far[start] * p.slack // 100
        if p.winnable:
            walked = grid.explore(p.size, cells, start, goal, p.radius)
            moves = max(moves, walked + walked // 4)
            if moves > _MOST_MOVES:
                return None
        view = grid.view(p.size, cells, start, goal, p.radius)
        return Instance({**content, "moves": moves, "seen": [_open_ways(cells, start), view]}, key=cells)

    def canonical(self, content: JSON) -> JSON:
        """Walls, start and exit up to rotation and reflection."""
        return list(grid.canonical(content["size"], content["cells"], content["start"], content["exit"]))

    def prompt(self, problem: JSON) -> Statement:
        """The rules, the legend and the first view."""
        return wording.statement(problem)

    def messages(self, problem: JSON) -> int:
        """Each message is a move."""
        return int(problem["moves"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """At the start, with all moves."""
        return State(inst.problem["start"], inst.problem["moves"])

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Turn:
        """A step, or a wall."""
        problem, cells = inst.problem, inst.key
        to = grid.step(problem["size"], cells, state.cell, value)
        if to is None:
            return self._next(
                inst, State(state.cell, state.left - 1), f"There is a wall to the {value}; you did not move."
            )
        if to == problem["exit"]:
            solved = Verdict.exact(True, f"You moved {value} and reached the exit.")
            return Turn.end(state, solved.noting(None, progress=1.0))
        return self._next(inst, State(to, state.left - 1), f"You moved {value}.", look=True)

    def scene(self, inst: Instance, state: State) -> Scene:
        """The view around the player: A is the player, E the exit."""
        problem = inst.problem
        return picture.view(problem["size"], inst.key, state.cell, problem["exit"], problem["radius"])

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a move."""
        return self._next(inst, State(state.cell, state.left - 1), feedback)

    def solve(self, inst: Instance, state: State) -> str:
        """The first step of a shortest path from the policy's position."""
        size, cells = inst.problem["size"], inst.key
        far = grid.distances(size, cells, inst.problem["exit"])
        steps = {way: grid.step(size, cells, state.cell, way) for way in grid.DIRECTIONS}
        return min((far[to], way) for way, to in steps.items() if to is not None)[1]

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """An open way nearer to the marked exit, or any.

        A walker without memory.
        """
        size, (row, column) = inst.problem["size"], divmod(inst.problem["exit"], inst.problem["size"])
        ways = [way for way in grid.DIRECTIONS if grid.step(size, inst.key, state.cell, way) is not None]
        here = divmod(state.cell, size)
        nearer = {"north": here[0] > row, "south": here[0] < row, "west": here[1] > column, "east": here[1] < column}
        good = [way for way in ways if nearer[way]]
        return self.answer.wrap(rng.choice(good if good and rng.below(4) else ways))

    def effort(self, inst: Instance) -> float:
        """Steps of a walker who sees what a policy sees."""
        p = inst.problem
        return float(grid.explore(p["size"], inst.key, p["start"], p["exit"], p["radius"]))

    def _next(self, inst: Instance, state: State, said: str, look: bool = False) -> Turn:
        problem, cells = inst.problem, inst.key
        if state.left == 0:
            far = grid.distances(problem["size"], cells, problem["exit"])
            progress = max(0.0, 1 - far[state.cell] / far[problem["start"]])
            lost = Verdict.exact(False, f"{said} No moves are left.")
            return Turn.end(state, lost.noting(None, progress=progress))
        told = (
            f"{said} {wording.located(problem, state.cell)} {_open_ways(cells, state.cell)} Moves left: {state.left}."
        )
        if look:
            told += "\n\n" + self.drawn(
                grid.view(problem["size"], cells, state.cell, problem["exit"], problem["radius"])
            )
        return Turn(state, told)


def _open_ways(cells: str, cell: int) -> str:
    bits = int(cells[cell], 16)
    return f"Open: {', '.join(way for way, (_, _, bit) in grid.DIRECTIONS.items() if bits & bit)}."
