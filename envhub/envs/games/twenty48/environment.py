"""2048-v0: slide and merge tiles until one reaches a target value.

Action: one of ``up``, ``left``, ``down``, ``right`` per turn. All tiles slide as far as they can; two equal tiles that
meet become one of twice the value, once a move. Then a tile appears in an empty cell: a 2, or one time in ten a 4. A
move that changes nothing, or text that is not a move, is reported and uses up the move, and no tile appears. Score 1 if
the target appears within the moves. Else the score is the largest tile as a share of the target, counted from 4, which
the board may begin with: half for half of the target. Tiles never shrink and only the end is scored, so moves without
merges gain nothing. Difficulty: a larger target, and fewer spare moves.

The tiles are drawn with the task and hidden, so splits are by seed. A task is kept only if the oracle wins it (unless
``winnable`` is false). The oracle looks at most two tiles ahead and does not know them, so each task can be won without
hidden knowledge.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, World
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.twenty48 import tiles, wording
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, grid
from envhub.verifiers.answers.choices import Choice
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (  # size, target, moves: repeating a sequence of moves that ignores the board hardly ever reaches the target
    (3, 64, 36),
    (3, 64, 34),
    (3, 128, 90),
    (3, 128, 72),
    (3, 128, 67),
    (3, 128, 64),
    (3, 256, 160),
    (3, 256, 145),
    (3, 256, 135),
    (3, 256, 126),
)
_MOST_MOVES: Final = 1024
_MOST_SMALL: Final = 256
_UNUSED: Final = Stream(b"unused")


class Params(BaseParams):
    """The board, the target and the number of moves."""

    size: int = Field(4, ge=3, le=8, description="cells on a side")
    target: int = Field(256, ge=8, le=2048, description="the tile to reach: a power of two")
    moves: int = Field(300, ge=1, le=_MOST_MOVES, description="how many moves there are")
    winnable: bool = Field(
        True, description="keep only tasks that the oracle wins; false draws faster, without promise"
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.target & (self.target - 1):
            raise ValueError("target must be a power of two")
        if self.size == 3 and self.target > _MOST_SMALL:
            raise ValueError(f"target must be at most {_MOST_SMALL} on a board of size 3")
        if self.moves * 2 + 4 < self.target:
            raise ValueError("2 * moves + 4 >= target must hold: most tiles are a 2")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        size, target, moves = _LEVELS[difficulty - 1]
        return cls(size=size, target=target, moves=moves)


class Slide(Choice):
    """One of the four directions."""

    noun: ClassVar[str] = "one of up, left, down or right"
    example: ClassVar[str] = "left"
    placeholder: ClassVar[str] = "DIRECTION"
    words: ClassVar[Mapping[str, str]] = {spelt: move for move in tiles.MOVES for spelt in (move, move[0])}


class State(NamedTuple):
    """The board as exponents of two, and the moves left."""

    board: tiles.Board
    left: int


class Twenty48(World):
    """Slide equal tiles into one another."""

    Params = Params
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    slow: ClassVar[bool] = True  # a game is played for each draw: 5 to 60 ms
    max_turns: ClassVar[int] = _MOST_MOVES
    answer: AnswerType = Slide()
    cycles: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("left", "down", "right", "down"),
        ("left", "down", "left", "up"),
        ("left", "up", "right", "down"),
        ("left", "down", "right", "up"),
        ("left", "down", "left", "down", "left", "down", "right", "down"),
        ("left", "down", "left", "down", "left", "down", "right", "left"),
        ("left", "up", "right", "down", "left", "down", "right", "down"),
    )

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A board with two tiles, and the seed of the hidden tiles.

        None if it must be winnable and is not.
        """
        board: tiles.Board = ((0,) * p.size,) * p.size
        for _ in range(2):
            board = _dropped(board, rng)
        problem = {"target": p.target, "moves": p.moves, "board": [list(row) for row in board]}
        inst = Instance(problem, key=rng.below(1 << 32))
        return inst if not p.winnable or self.wins(inst) else None

    def wins(self, inst: Instance) -> bool:
        """Whether the oracle wins a task."""
        state, turn = self.begin(inst, _UNUSED), None
        while turn is None or turn.verdict is None:
            turn = self.act(inst, state, self.solve(inst, state), _UNUSED)
            state = turn.state
        return bool(turn.verdict.solved)

    def prompt(self, problem: JSON) -> Statement:
        """The rules and the first board."""
        return wording.statement(problem)

    def messages(self, problem: JSON) -> int:
        """Each message is a move."""
        return int(problem["moves"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The first board, with all moves."""
        return State(_board(inst.problem), inst.problem["moves"])

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Turn:
        """Slide, and add the next tile."""
        board, left = tiles.slide(state.board, value), state.left - 1
        if board == state.board:
            return self._next(inst, State(board, left), f"Nothing can move {value}.")
        target = inst.problem["target"]
        if tiles.largest(board) >= target:
            return Turn.end(State(board, left), Verdict.exact(True, f"You made a tile of {target}."))
        board = _dropped(board, Stream(str(inst.key).encode(), "2048", left))
        if not tiles.movable(board):
            return self._lost(inst, State(board, left), f"{wording.drawn(board)}\nNothing can move any more.")
        return self._next(inst, State(board, left), self.drawn(wording.drawn(board)))

    def scene(self, inst: Instance, state: State) -> Scene:
        """The tiles, tinted by value."""
        rows = [
            [Tile(str(1 << tile), f"tint{(tile - 1) % 8}") if tile else Tile() for tile in row] for row in state.board
        ]
        return grid(rows)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a move."""
        return self._next(inst, State(state.board, state.left - 1), feedback)

    def solve(self, inst: Instance, state: State) -> str:
        """The move of a look-ahead player."""
        return tiles.best(state.board)

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """The move with the best-looking board, before a tile appears."""
        return self.answer.wrap(tiles.nearest(state.board))

    def effort(self, inst: Instance) -> float:
        """The target, times the value share that every move must bring."""
        return float(inst.problem["target"] ** 2 / inst.problem["moves"])

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        if state.left == 0:
            return self._lost(inst, state, f"{said}\nNo moves are left.")
        return Turn(state, f"{said}\nMoves left: {state.left}.")

    def _lost(self, inst: Instance, state: State, said: str) -> Turn:
        share = max(0, tiles.largest(state.board) - 4) / (inst.problem["target"] - 4)
        return Turn.end(state, Verdict(score=share, solved=False, feedback=said))


def _board(problem: JSON) -> tiles.Board:
    return tuple(map(tuple, problem["board"]))


def _dropped(board: tiles.Board, rng: Stream) -> tiles.Board:
    """The board with one more tile.

    A 2, or one time in ten a 4.
    """
    return tiles.put(board, rng.choice(tiles.empty(board)), 1 if rng.below(10) else 2)
