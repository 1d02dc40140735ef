"""tetris-v0: drop pieces to fill a number of lines.

Action: a column and degrees, ``4, 90``: the piece is turned clockwise by 0, 90, 180 or 270 degrees and falls straight down
with its left side in this column. Full lines disappear. A piece that sticks out of the top of the board ends the game. A
placement outside the board, or text that is not a placement, is reported and uses up a message, and the piece stays. Score
1 if the target number of lines is reached within the messages, else the share of it. Lines never come back and only the end
is scored. Difficulty: more lines on a wider board, more kinds of pieces, and fewer to spare.

Some columns are filled at first. The current and the next piece are shown. The order of the others is drawn with the task
and hidden, in rounds that have each kind once, so splits are by seed. A task is kept only if the oracle wins it (unless
``winnable`` is false); the oracle sees what a policy sees and does not know the hidden pieces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, World
from envhub.authoring.environment import rejected
from envhub.authoring.wording import Statement, counted
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.tetris import board as boards, picture, wording
from envhub.scenes import Scene
from envhub.verifiers.answers.types import AnswerType, Unreadable

_LEVELS: Final = (  # width, height, filled, kinds, lines, pieces
    (5, 8, 4, 5, 3, 6),
    (6, 9, 4, 5, 4, 7),
    (6, 9, 4, 6, 5, 9),
    (6, 9, 4, 7, 6, 11),
    (7, 10, 4, 7, 7, 14),
    (7, 10, 4, 7, 8, 16),
    (7, 10, 4, 7, 10, 20),
    (8, 10, 4, 7, 11, 24),
    (8, 10, 4, 7, 13, 28),
    (9, 10, 4, 7, 15, 36),
)
_MOST_PIECES: Final = 128
_UNUSED: Final = Stream(b"unused")


class Params(BaseParams):
    """The board, the pieces and the lines."""

    width: int = Field(8, ge=4, le=12, description="cells across")
    height: int = Field(10, ge=6, le=20, description="cells from top to bottom")
    filled: int = Field(4, ge=0, le=6, description="height of the highest column that is filled at first")
    kinds: int = Field(7, ge=1, le=7, description="how many of the seven kinds of pieces there are")
    lines: int = Field(8, ge=1, le=40, description="how many lines must disappear")
    pieces: int = Field(24, ge=1, le=_MOST_PIECES, description="how many messages, and so pieces, there are")
    winnable: bool = Field(
        True, description="keep only tasks that the oracle wins; false draws faster, without promise"
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.filled + 2 > self.height:
            raise ValueError("filled + 2 <= height must hold")
        if self.winnable and self.pieces * 4 < self.lines * self.width:
            raise ValueError("winnable tasks need pieces * 4 >= lines * width: a piece has four cells")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        width, height, filled, kinds, lines, pieces = _LEVELS[difficulty - 1]
        return cls(width=width, height=height, filled=filled, kinds=kinds, lines=lines, pieces=pieces)


@dataclass(frozen=True)
class Placement(AnswerType):
    """A column and degrees: ``4, 90``, ``column 4, 90 degrees``.

    Its value is a pair of ``int``: the column, counted from 1, and quarter turns.
    """

    noun: ClassVar[str] = "the column and the degrees, separated by a comma,"
    example: ClassVar[str] = "2, 90"
    alike: ClassVar[Sequence[Sequence[str]]] = (
        (
            "4, 90",
            "4 90",
            "(4, 90)",
            "[4, 90]",
            "4; 90",
            "column 4, rotation 90",
            "4, 90\u00b0",
            "Column 4, 90 degrees",
        ),
        *(("90, 90",), ("4, 180",), ("4, 0", "4, 0 degrees"), ("14, 90",)),
    )
    refused: ClassVar[Sequence[str]] = (
        *("4", "90", "4, 45", "4, 360", "4, -90", "4, 90, 3", "four, 90", "4 or 5, 90", "not 4, 90", "4, 90 left"),
        *("\uff14, 90", "4, 090", "123, 90"),
    )

    _SHAPE: ClassVar[re.Pattern[str]] = re.compile(
        r"[(\[]?\s?(?:column|col|c)?\s?[:=]?\s?([0-9]{1,2})\s?(?:[,;]|\s)\s?(?:rotation|rotate|rotated|turn|degrees|r)?"
        r"\s?[:=]?\s?(0|90|180|270)\s?(?:\u00b0|degrees|deg)?\s?[)\]]?",
        re.I | re.A,
    )

    def parse(self, text: str) -> tuple[int, int]:
        """The column and the turns of a span."""
        found = self._SHAPE.fullmatch(" ".join(text.split())) if len(text) < 200 else None
        if found is None:
            raise Unreadable("write a column, and 0, 90, 180 or 270 degrees: two numbers.")
        return int(found[1]), int(found[2]) // 90

    def random(self, rng: Stream) -> str:
        """A placement on a board of six columns."""
        return f"{rng.between(1, 6)}, {90 * rng.below(4)}"


class State(NamedTuple):
    """The board, the known pieces, and counts.

    Pieces and lines so far, and the messages left.
    """

    board: boards.Board
    piece: str
    following: str
    placed: int
    lines: int
    left: int


class Tetris(World):
    """Fill lines with falling pieces."""

    Params = Params
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    slow: ClassVar[bool] = True  # a game is played for each draw
    max_turns: ClassVar[int] = _MOST_PIECES
    answer: AnswerType = Placement()

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """Columns of filled cells, and the first two pieces.

        None if the oracle must win and does not.
        """
        seed = rng.below(1 << 32)
        tops = [rng.below(p.filled + 1) for _ in range(p.width)]
        tops[rng.below(p.width)] = 0
        rows = ["".join("#" if top >= row else boards.EMPTY for top in tops) for row in range(p.height, 0, -1)]
        problem = {
            "board": rows,
            "kinds": [*boards.PIECES][: p.kinds],
            "lines": p.lines,
            "pieces": p.pieces,
        }
        first = [_piece(problem["kinds"], seed, at) for at in (0, 1)]
        inst = Instance({**problem, "first": first}, key=seed)
        return inst if not p.winnable or self.wins(inst) else None

    def wins(self, inst: Instance) -> bool:
        """Whether the oracle wins a task."""
        state, turn = self.begin(inst, _UNUSED), None
        while turn is None or turn.verdict is None:
            column, turns = self._best(inst, state)
            turn = self.act(inst, state, (column + 1, turns), _UNUSED)
            state = turn.state
        return bool(turn.verdict.solved)

    def prompt(self, problem: JSON) -> Statement:
        """The rules, the first board and the first pieces."""
        return wording.statement(problem)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The first board."""
        piece, following = inst.problem["first"]
        return State(tuple(inst.problem["board"]), piece, following, 0, 0, inst.problem["pieces"])

    def act(self, inst: Instance, state: State, value: tuple[int, int], rng: Stream) -> Turn:
        """Drop the piece."""
        problem, (column, turns) = inst.problem, value
        width = len(state.board[0])
        last = width - len(boards.turned(state.piece, turns)[0]) + 1
        if not boards.fits(width, state.piece, turns, column - 1):
            said = (
                f"This piece fits in columns 1 to {last} if it is turned by {90 * turns} degrees, got column {column}."
            )
            return rejected(self._next(inst, state._replace(left=state.left - 1), said), "illegal")
        fallen = boards.dropped(state.board, state.piece, turns, column - 1)
        if fallen is None:
            return self._lost(inst, state, "The piece sticks out of the top of the board. The game is lost.")
        after, full = fallen
        lines, placed = state.lines + full, state.placed + 1
        if lines >= problem["lines"]:
            return Turn.end(state, Verdict.exact(True, f"You have filled {problem['lines']} lines."))
        hidden = _piece(problem["kinds"], inst.key, placed + 1)
        made = State(after, state.following, hidden, placed, lines, state.left - 1)
        return self._next(inst, made, f"{counted(full, 'line')} disappeared." if full else "No line was full.")

    def scene(self, inst: Instance, state: State) -> Scene:
        """The board and the two pieces that are known."""
        return picture.drawn(state.board, state.piece, state.following)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message is used up."""
        return self._next(inst, state._replace(left=state.left - 1), feedback)

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Columns outside the board."""
        outside = len(inst.problem["board"][0]) + 1
        return ["0, 0", f"{outside}, 0", f"{outside}, 90"]

    def solve(self, inst: Instance, state: State) -> str:
        """The placement of a player who looks one piece ahead."""
        column, turns = self._best(inst, state)
        return f"{column + 1}, {90 * turns}"

    def _best(self, inst: Instance, state: State) -> tuple[int, int]:
        short = inst.problem["lines"] - state.lines
        return boards.best(state.board, state.piece, state.following, urgent=state.left <= short + 2)

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """The lowest place for the piece."""
        column, turns = boards.lowest(state.board, state.piece)
        return self.answer.wrap(f"{column + 1}, {90 * turns}")

    def effort(self, inst: Instance) -> float:
        """Cells of the lines, times their share of the pieces' cells."""
        needed = inst.problem["lines"] * len(inst.problem["board"][0])
        return float(needed**2 / (4 * inst.problem["pieces"]))

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        if state.left == 0:
            return self._lost(inst, state, f"{said} No messages are left.")
        counts = f"Lines: {state.lines} of {inst.problem['lines']}. Messages left: {state.left}."
        shown = self.drawn(wording.drawn(state.board, state.piece, state.following))
        return Turn(state, f"{said} {counts}\n\n{shown}")

    def _lost(self, inst: Instance, state: State, said: str) -> Turn:
        return Turn.end(state, Verdict(score=state.lines / inst.problem["lines"], solved=False, feedback=said))


def _piece(kinds: Sequence[str], seed: int, number: int) -> str:
    """A piece by its number.

    Each round has each kind once, in an order of its own.
    """
    turn, at = divmod(number, len(kinds))
    return Stream(str(seed).encode(), "tetris", turn).sample(kinds, len(kinds))[at]
