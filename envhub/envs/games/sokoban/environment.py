"""sokoban-v0: push every box onto a goal.

Action: one of ``up``, ``left``, ``down``, ``right`` per turn. A step into a box pushes it if there is room behind it;
boxes cannot be pulled, and two cannot be pushed at once. A blocked step, or text that is not a move, is reported and
uses up the move. Score 1 if all boxes are on goals within the moves, else 0. A reward may weigh the component
``placed``, the share of the boxes on goals at the end: only the end counts, so pushing a box to and fro adds nothing.
Difficulty: more pushes in the shortest solution, and more boxes.

Every room is searched backwards from the goals, by pulls, so the minimum number of pushes is exact and a solution
exists. Walls and goals decide the split; rotations and reflections are the same content.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field

from envhub.authoring import BaseParams, Staged, World
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.sokoban import rooms, wording
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, grid, lettered
from envhub.verifiers.answers.choices import Choice
from envhub.verifiers.answers.types import AnswerType

_LEVELS: Final = (  # size, walls, boxes, pushes
    (6, 15, 1, 3),
    (6, 15, 1, 4),
    (7, 15, 1, 6),
    (6, 10, 2, 7),
    (6, 10, 2, 9),
    (7, 10, 2, 11),
    (7, 10, 2, 12),
    (6, 10, 3, 13),
    (6, 10, 3, 14),
    (6, 10, 3, 16),
)
_MOST_MOVES: Final = 512
_SPARE: Final = 10


_SIGNS: Final = {
    "#": Tile(fill="dark"),
    "-": Tile(),
    ".": Tile("\N{MULTIPLICATION SIGN}", "tint5", "faint"),
    "$": Tile("\N{BLACK SQUARE}", ink="dark"),
    "*": Tile("\N{BLACK SQUARE}", "tint5", "dark"),
    "@": Tile("@", disc="tint0"),
    "+": Tile("@", "tint5", disc="tint0"),
}


class Params(BaseParams):
    """The room, the boxes, and the number of pushes."""

    size: int = Field(6, ge=3, le=8, description="cells on a side, the outer wall not counted")
    walls: int = Field(10, ge=0, le=50, description="of a hundred cells so many are wall")
    boxes: int = Field(2, ge=1, le=3, description="how many boxes there are")
    pushes: int = Field(8, ge=1, le=40, description="fewest pushes that solve it")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        size, walls, boxes, pushes = _LEVELS[difficulty - 1]
        return cls(size=size, walls=walls, boxes=boxes, pushes=pushes)


class Step(Choice):
    """One of the four directions."""

    noun: ClassVar[str] = "one of up, left, down or right"
    example: ClassVar[str] = "left"
    placeholder: ClassVar[str] = "DIRECTION"
    words: ClassVar[Mapping[str, str]] = {spelt: move for move in rooms.MOVES for spelt in (move, move[0])}


class State(NamedTuple):
    """Boxes as bits, the cell of the player, and the moves left."""

    boxes: int
    player: int
    left: int


class Sokoban(World):
    """Push every box onto a goal."""

    Params = Params
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    slow: ClassVar[bool] = True
    components: ClassVar[frozenset[str]] = frozenset({"format", "placed"})
    max_turns: ClassVar[int] = _MOST_MOVES
    answer: AnswerType = Step()

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Walls and goals, then boxes at the required number of pushes.

        By backward search.
        """
        room = rooms.carve(rng, p.size, p.size, p.walls)
        floor = rooms.cells(room.floor) if room else []
        if room is None or len(floor) <= p.boxes:
            return None
        goals = sum(1 << cell for cell in rng.sample(floor, p.boxes))
        yield rooms.draw(room, goals, 0, -1)
        far = rooms.distances(room, goals, p.pushes)
        starts = [position for position, pushes in far.items() if pushes == p.pushes and not position[0] & goals]
        if not starts:
            return None
        boxes, reached = rng.choice(starts)
        player = rng.choice(rooms.cells(reached))
        found = rooms.solution(room, goals, boxes, player, far)
        moves = 2 * len(found or ()) + _SPARE
        if found is None or moves > _MOST_MOVES:
            return None
        return Instance({"room": rooms.draw(room, goals, boxes, player), "moves": moves}, key={"pushes": p.pushes})

    def canonical(self, content: JSON) -> JSON:
        """Walls and goals up to rotation and reflection."""
        rows, forms = list(content), []
        for _ in range(4):
            rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
            forms += [rows, [row[::-1] for row in rows]]
        return min(forms)

    def prompt(self, problem: JSON) -> Statement:
        """The rules and the room."""
        return wording.statement(problem)

    def messages(self, problem: JSON) -> int:
        """Each message is a move."""
        return int(problem["moves"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The room as drawn, with all moves left."""
        _, _, boxes, player = rooms.read(inst.problem["room"])
        return State(boxes, player, inst.problem["moves"])

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Turn:
        """A step or a push."""
        room, goals, _, _ = rooms.read(inst.problem["room"])
        boxes, player = rooms.moved(room, state.boxes, state.player, value)
        after = State(boxes, player, state.left - 1)
        if boxes == goals:
            return Turn.end(after, Verdict.exact(True, "Every box is on a goal.").noting(None, placed=1.0))
        if player == state.player:
            return self._next(inst, after, f"You cannot go {value}.")
        return self._next(inst, after, self.drawn("\n".join(rooms.draw(room, goals, boxes, player))))

    def scene(self, inst: Instance, state: State) -> Scene:
        """The room with its walls, goals, boxes and player."""
        room, goals, _, _ = rooms.read(inst.problem["room"])
        return grid(lettered(rooms.draw(room, goals, state.boxes, state.player), _SIGNS))

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message costs a move."""
        return self._next(inst, state._replace(left=state.left - 1), feedback)

    def solve(self, inst: Instance, state: State) -> str:
        """The next step of a solution by fewest pushes.

        Any step if the position is lost.
        """
        room, goals, _, _ = rooms.read(inst.problem["room"])
        found = rooms.solution(room, goals, state.boxes, state.player, pushes=1)
        return found[0] if found else self.answer.example

    def effort(self, inst: Instance) -> float:
        """Minimum number of pushes."""
        return float(inst.key["pushes"])

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        if state.left == 0:
            _, goals, _, _ = rooms.read(inst.problem["room"])
            placed = (state.boxes & goals).bit_count() / goals.bit_count()
            return Turn.end(state, Verdict.exact(False, f"{said}\nNo steps are left.").noting(None, placed=placed))
        return Turn(state, f"{said}\nSteps left: {state.left}.")
