"""match-three-v0: swap neighbouring tiles so that runs of three disappear, for points.

Action: two cells that share a side, ``2, 3 and 2, 4``. If the swap makes a run of three or more equal tiles in a row or
column, all runs disappear, tiles fall, new ones fall in from the top, and new runs disappear as well. A swap that makes no
run is undone and uses up a move, and so does text that is not a swap. If no swap can make a run, the tiles are
rearranged. Each tile that disappears is a point. Score 1 if the target is reached within the moves, else the share of it.
Points are never lost and only the end is scored. Difficulty: more kinds of tiles, and more points per move.

The tiles that fall in are drawn with the task, by column, and hidden, so splits are by seed. A task is kept only if the
oracle wins it (unless ``winnable`` is false). The oracle looks two swaps ahead and does not know the hidden tiles.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field

from envhub.authoring import BaseParams, World
from envhub.authoring.environment import rejected
from envhub.authoring.wording import Statement, counted
from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.match_three import tiles, wording
from envhub.scenes import Scene
from envhub.scenes.figures import figured
from envhub.verifiers.answers.places import CellPair
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (  # size, kinds, moves, target
    (6, 6, 6, 20),
    (6, 6, 7, 26),
    (6, 6, 7, 32),
    (6, 6, 8, 39),
    (7, 6, 9, 48),
    (7, 6, 10, 58),
    (7, 7, 11, 62),
    (8, 7, 12, 72),
    (8, 7, 13, 82),
    (8, 7, 14, 92),
)
_MOST_MOVES: Final = 64
_UNUSED: Final = Stream(b"unused")


class Params(BaseParams):
    """The board, the moves and the points."""

    size: int = Field(7, ge=5, le=10, description="cells on a side")
    kinds: int = Field(6, ge=4, le=7, description="how many kinds of tiles there are")
    moves: int = Field(10, ge=1, le=_MOST_MOVES, description="how many moves there are")
    target: int = Field(50, ge=3, le=999, description="points to reach, one for each tile that disappears")
    winnable: bool = Field(
        True, description="keep only tasks that the oracle wins; false draws faster, without promise"
    )

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        size, kinds, moves, target = _LEVELS[difficulty - 1]
        return cls(size=size, kinds=kinds, moves=moves, target=target)


class State(NamedTuple):
    """The board, and what has happened so far."""

    board: tiles.Board
    fallen: tuple[int, ...]
    rearranged: int
    points: int
    left: int


class MatchThree(World):
    """Swap tiles to make runs of three."""

    Params = Params
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    slow: ClassVar[bool] = True  # a game is played for each draw
    max_turns: ClassVar[int] = _MOST_MOVES
    answer: AnswerType = CellPair()

    def check(self, p: Any) -> None:
        """Reject targets that the oracle hardly ever reaches."""
        if p.winnable and p.target > _worth(p):
            raise InvalidParameters(
                f"With size={p.size}, kinds={p.kinds} and moves={p.moves}, `target` must be at most {_worth(p)}, got "
                f"{p.target}. Lower it, add moves, or set winnable=false."
            )

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """A board without runs, and the seed of the hidden tiles.

        None if the oracle must win and does not.
        """
        board = tiles.drawn(rng, p.size, p.kinds)
        if board is None:
            return None
        problem = {"board": list(board), "kinds": p.kinds, "target": p.target, "moves": p.moves}
        inst = Instance(problem, key=rng.below(1 << 32))
        return inst if not p.winnable or self.wins(inst) else None

    def wins(self, inst: Instance) -> bool:
        """Whether the oracle wins a task."""
        state, turn = self.begin(inst, _UNUSED), None
        while turn is None or turn.verdict is None:
            (a, b), (c, d) = tiles.best(state.board)
            turn = self.act(inst, state, ((a + 1, b + 1), (c + 1, d + 1)), _UNUSED)
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
        board = tuple(inst.problem["board"])
        return State(board, (0,) * len(board[0]), 0, 0, inst.problem["moves"])

    def act(self, inst: Instance, state: State, value: tiles.Swap, rng: Stream) -> Turn:
        """Swap, and let tiles disappear and fall."""
        size, target, after = len(state.board), inst.problem["target"], state._replace(left=state.left - 1)
        (a, b), (c, d) = value
        if not all(1 <= number <= size for number in (a, b, c, d)):
            return rejected(self._next(inst, after, f"Rows and columns go from 1 to {size}."), "illegal")
        swap = ((a - 1, b - 1), (c - 1, d - 1))
        if not tiles.adjacent(swap):
            said = "The two cells must share a side: one right of or under the other."
            return rejected(self._next(inst, after, said), "illegal")
        board = tiles.swapped(state.board, swap)
        made = tiles.settled(board, lambda column, number: _hidden(inst, column, number), state.fallen)
        if not made.removed:
            return self._next(inst, after, "The swap makes no run and was undone.")
        after = State(made.board, made.fallen, state.rearranged, state.points + made.removed, state.left - 1)
        said = f"{counted(made.removed, 'tile')} disappeared in {counted(made.rounds, 'round')}."
        if after.points >= target:
            return Turn.end(after, Verdict.exact(True, f"{said} You have {after.points} of {target} points."))
        if not tiles.useful(after.board):
            mixed = tiles.rearranged(Stream(str(inst.key).encode(), "rearranged", after.rearranged), after.board)
            if mixed is None:
                return self._lost(inst, after, f"{said} No swap can make a run, and no rearrangement was found.")
            after, said = after._replace(board=mixed, rearranged=after.rearranged + 1), f"{said} {wording.REARRANGED}"
        return self._next(inst, after, said, changed=True)

    def scene(self, inst: Instance, state: State) -> Scene:
        """The tiles as figures."""
        return figured(state.board)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message uses up a move."""
        return self._next(inst, state._replace(left=state.left - 1), feedback)

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Cells off the board, and cells that do not touch."""
        size = len(inst.problem["board"])
        return ["0, 1 and 1, 1", f"1, {size} and 1, {size + 1}", "1, 1 and 2, 2", "1, 1 and 1, 1", "1, 1 and 3, 1"]

    def solve(self, inst: Instance, state: State) -> str:
        """The swap of a player who looks two swaps ahead."""
        return _written(tiles.best(state.board))

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Any swap that makes a run."""
        return self.answer.wrap(_written(rng.choice(tiles.useful(state.board))))

    def effort(self, inst: Instance) -> float:
        """The points to reach."""
        return float(inst.problem["target"])

    def _next(self, inst: Instance, state: State, said: str, changed: bool = False) -> Turn:
        if state.left == 0:
            return self._lost(inst, state, f"{said} No moves are left.")
        counts = f"Points: {state.points} of {inst.problem['target']}. Moves left: {state.left}."
        shown = f"\n\n{self.drawn(wording.drawn(state.board))}" if changed else ""
        return Turn(state, f"{said} {counts}{shown}")

    def _lost(self, inst: Instance, state: State, said: str) -> Turn:
        return Turn.end(state, Verdict(score=state.points / inst.problem["target"], solved=False, feedback=said))


def _worth(p: Any) -> int:
    """Points that the oracle reaches in many tasks."""
    return max(9, int(p.moves * (p.size + 20 - 2 * p.kinds) // 2))


def _hidden(inst: Instance, column: int, number: int) -> str:
    """A tile that falls into a column, by its number."""
    return tiles.LETTERS[Stream(str(inst.key).encode(), "match-three", column, number).below(inst.problem["kinds"])]


def _written(swap: tiles.Swap) -> str:
    (a, b), (c, d) = swap
    return f"{a + 1}, {b + 1} and {c + 1}, {d + 1}"
