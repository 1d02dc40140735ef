"""shisen-sho-v0: clear a board of tiles, one pair at a time.

Action: two cells, ``2, 3 and 4, 1``. Their tiles are removed if they are equal and a line with few corners joins them,
along rows and columns, through empty cells or just outside the board. Another pair, or text that is not one, is reported
and uses up a message. Score 1 if the board is empty within the messages, else 0; the game ends when no pair can be removed. A
reward may weigh the component ``cleared``, the share of the tiles that were removed, each of which counts once. Difficulty:
more tiles, and from level 4 on one corner instead of two, so that the order of the pairs matters.

Every board is proved solvable: the key holds an order in which all pairs can be removed. Rotations, reflections and other
names of the kinds are the same content.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, Staged, World
from envhub.authoring.environment import rejected
from envhub.authoring.wording import Statement, counted
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.shisen_sho import tiles, wording
from envhub.scenes import Scene
from envhub.scenes.figures import figured
from envhub.verifiers.answers.places import CellPair
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (  # height, width, copies, corners
    (4, 4, 4, 2),
    (4, 6, 4, 2),
    (6, 6, 4, 2),
    (4, 6, 4, 1),
    (4, 8, 4, 1),
    (6, 6, 4, 1),
    (5, 8, 4, 1),
    (6, 7, 4, 1),
    (4, 11, 4, 1),
    (6, 8, 4, 1),
)
_SPARE: Final = 4
_MOST_TILES: Final = 80


class Params(BaseParams):
    """The board and the line."""

    height: int = Field(5, ge=2, le=10, description="number of rows")
    width: int = Field(6, ge=2, le=12, description="number of columns")
    copies: int = Field(4, ge=2, le=12, multiple_of=2, description="tiles of each kind; the last kind has what is left")
    corners: int = Field(2, ge=1, le=2, description="maximum number of corners of a line")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        count = self.height * self.width
        if count % 2 or count > _MOST_TILES:
            raise ValueError(f"height * width must be even and at most {_MOST_TILES}")
        if count > self.copies * len(tiles.LETTERS):
            raise ValueError(f"height * width must be at most {len(tiles.LETTERS)} * copies")
        if self.corners == 1 and count > (48 if self.copies > 2 else 16):
            raise ValueError("lines with one corner need height * width <= 48, or <= 16 with copies=2")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        height, width, copies, corners = _LEVELS[difficulty - 1]
        return cls(height=height, width=width, copies=copies, corners=corners)


class State(NamedTuple):
    """The board and the messages left."""

    board: tiles.Board
    left: int


class ShisenSho(World):
    """Remove pairs of tiles that a line joins."""

    Params = Params
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    slow: ClassVar[bool] = True  # games are played until one clears the board
    components: ClassVar[frozenset[str]] = frozenset({"format", "cleared"})
    max_turns: ClassVar[int] = _MOST_TILES // 2 + _SPARE
    answer: AnswerType = CellPair()

    def sample(self, rng: Stream, p: Any) -> Staged:
        """A full board, then an order that clears it.

        None if no order was found.
        """
        board = tiles.dealt(rng, p.height, p.width, p.copies)
        yield list(board)
        plan = tiles.solution(rng, board, p.corners)
        if plan is None:
            return None
        problem = {"board": list(board), "corners": p.corners, "messages": len(plan) + _SPARE}
        return Instance(problem, key=[[list(cell) for cell in pair] for pair in plan])

    def canonical(self, content: JSON) -> JSON:
        """The board up to its symmetries."""
        return tiles.canonical(content)

    def prompt(self, problem: JSON) -> Statement:
        """The rules and the board."""
        return wording.statement(problem)

    def messages(self, problem: JSON) -> int:
        """Each message is a pair."""
        return int(problem["messages"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The full board."""
        return State(tuple(inst.problem["board"]), inst.problem["messages"])

    def act(self, inst: Instance, state: State, value: tiles.Pair, rng: Stream) -> Turn:
        """Remove a pair."""
        board, corners, after = state.board, inst.problem["corners"], state._replace(left=state.left - 1)
        if not all(1 <= row <= len(board) and 1 <= column <= len(board[0]) for row, column in value):
            said = f"Rows go from 1 to {len(board)} and columns from 1 to {len(board[0])}."
            return rejected(self._next(inst, after, said), "illegal")
        one, other = ((row - 1, column - 1) for row, column in value)
        if one == other:
            return rejected(self._next(inst, after, "Name two different cells."), "illegal")
        if tiles.EMPTY in (tiles.at(board, one), tiles.at(board, other)):
            return self._next(inst, after, "A cell that you named is empty.")
        if tiles.at(board, one) != tiles.at(board, other):
            return self._next(inst, after, "The two tiles are not equal.")
        if tiles.joined(board, one, other, corners) is None:
            said = f"No line with at most {counted(corners, 'corner')} joins these two tiles."
            return self._next(inst, after, said)
        board = tiles.without(board, (one, other))
        after = State(board, state.left - 1)
        if not tiles.left(board):
            return Turn.end(after, Verdict.exact(True, "The board is empty.").noting(None, cleared=1.0))
        if not tiles.removable(board, corners):
            return self._lost(inst, after, "The pair was removed. No other pair can be removed now.")
        return self._next(inst, after, "The pair was removed.", changed=True)

    def scene(self, inst: Instance, state: State) -> Scene:
        """The tiles as figures."""
        return figured(state.board)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message is used up."""
        return self._next(inst, state._replace(left=state.left - 1), feedback)

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Cells off the board, and the same cell twice."""
        height, width = len(inst.problem["board"]), len(inst.problem["board"][0])
        return ["0, 1 and 1, 1", f"1, {width} and 1, {width + 1}", f"{height + 1}, 1 and 1, 1", "1, 1 and 1, 1"]

    def solve(self, inst: Instance, state: State) -> str:
        """The next pair of the order in the key."""
        plan = [((a, b), (c, d)) for (a, b), (c, d) in inst.key]
        return _written(tiles.best(state.board, inst.problem["corners"], plan))

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Any pair that can be removed."""
        return self.answer.wrap(_written(rng.choice(tiles.removable(state.board, inst.problem["corners"]))))

    def effort(self, inst: Instance) -> float:
        """The tiles, twice where lines have one corner."""
        return float(tiles.left(tuple(inst.problem["board"])) * (3 - inst.problem["corners"]))

    def _next(self, inst: Instance, state: State, said: str, changed: bool = False) -> Turn:
        if state.left == 0:
            return self._lost(inst, state, f"{said} No messages are left.")
        counts = f"Tiles: {tiles.left(state.board)}. Messages left: {state.left}."
        shown = f"\n\n{self.drawn(wording.drawn(state.board))}" if changed else ""
        return Turn(state, f"{said} {counts}{shown}")

    def _lost(self, inst: Instance, state: State, said: str) -> Turn:
        cleared = 1 - tiles.left(state.board) / tiles.left(tuple(inst.problem["board"]))
        return Turn.end(state, Verdict.exact(False, said).noting(None, cleared=cleared))


def _written(pair: tiles.Pair | None) -> str:
    (a, b), (c, d) = pair or ((0, 0), (0, 1))
    return f"{a + 1}, {b + 1} and {c + 1}, {d + 1}"
