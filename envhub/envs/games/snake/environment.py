"""snake-v0: steer a snake to apples without running into anything.

Action: one to ten directions, ``up``, ``left``, ``down`` or ``right``; the snake takes a step in each, in order, until it
eats, dies, or none is left. It grows by one cell with each apple, and a new apple appears in a random free cell. A step
off the board, into a wall or into its own body ends the game; the cell that its tail leaves is free. Each step uses up a
move, and so does text that is not a list of directions. Score 1 if the target number of apples is eaten within the
moves, else the share of them that was. Apples never come back and only the end is scored, so going round in circles gains
nothing. Difficulty: more apples, so a longer snake, on a board with walls.

Where apples appear is drawn with the task and hidden, so splits are by seed. A task is kept only if the oracle wins it with
a fifth of the moves to spare (unless ``winnable`` is false). The oracle does not know the hidden apples: it goes the shortest
way to one, if it can then still reach its own tail.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, World
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.snake import board, picture, wording
from envhub.scenes import Scene
from envhub.verifiers.answers.listed import words
from envhub.verifiers.answers.types import AnswerType, Unreadable

_LEVELS: Final = (  # size, walls, apples at a time, target
    (6, 0, 2, 4),
    (6, 0, 1, 6),
    (7, 3, 1, 8),
    (7, 4, 1, 11),
    (7, 5, 1, 14),
    (8, 5, 1, 17),
    (8, 6, 1, 20),
    (8, 7, 1, 23),
    (8, 8, 1, 26),
    (8, 8, 1, 30),
)
_MOST_MOVES: Final = 1024
_MOST_STEPS: Final = 10
_LENGTH: Final = 3
_UNUSED: Final = Stream(b"unused")


class Params(BaseParams):
    """The board, the apples, and whether the oracle wins."""

    size: int = Field(7, ge=5, le=12, description="cells on a side")
    walls: int = Field(4, ge=0, le=16, description="how many cells are walls; one in seven at most")
    apples: int = Field(1, ge=1, le=4, description="how many apples there are at a time")
    target: int = Field(10, ge=1, le=40, description="how many apples must be eaten")
    spare: int = Field(20, ge=0, le=200, description="moves beyond those that the oracle needs, in per cent")
    winnable: bool = Field(
        True, description="keep only tasks that the oracle wins; false draws faster, without promise"
    )

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.walls * 7 > self.size**2:
            raise ValueError("walls * 7 <= size * size must hold")
        if (self.target + _LENGTH) * 5 > (self.size**2 - self.walls) * 3:
            raise ValueError("a snake that has eaten the target must fill at most three fifths of the free cells")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        size, walls, apples, target = _LEVELS[difficulty - 1]
        return cls(size=size, walls=walls, apples=apples, target=target)


@dataclass(frozen=True)
class Steps(AnswerType):
    """One to ten directions: ``up up left``, ``u, u, l``.

    Its value is a tuple of directions.
    """

    noun: ClassVar[str] = "one to ten of the words up, left, down and right, separated by spaces,"
    example: ClassVar[str] = "left left down"
    alike: ClassVar[Any] = (
        (
            "up up left",
            "u u l",
            "UP, up, Left",
            "[up, up, left]",
            "up -> up -> left",
            '"up", "up", "left"',
            "up\nup\nleft",
            "1. up\n2. up\n3. left",
            "- up\n- up\n- left.",
        ),
        *(("up left up",), ("up up",), ("down",)),
    )
    refused: ClassVar[Any] = (
        *("up up left forward", "north", "uul", "up 2", "up or left", "not up", "up " * 11, "\u0075\u0440"),
    )

    def parse(self, text: str) -> tuple[str, ...]:
        """The directions of a span."""
        found = words(text, _SPELT, _MOST_STEPS)
        if found is None:
            raise Unreadable("write one to ten of the words up, left, down and right.")
        return found

    def random(self, rng: Stream) -> str:
        """One to four random directions."""
        return " ".join(rng.choice(board.STEPS) for _ in range(rng.between(1, 4)))


_SPELT: Final = {spelt: step for step in board.STEPS for spelt in (step, step[0])}


class State(NamedTuple):
    """The snake and its apples, apples eaten, and moves left."""

    snake: board.Snake
    apples: tuple[int, ...]
    eaten: int
    left: int


class SnakeGame(World):
    """Steer a snake to its apples."""

    Params = Params
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    split_by: ClassVar[Literal["content", "seed", "none"]] = "seed"
    slow: ClassVar[bool] = True  # a game is played for each draw
    max_turns: ClassVar[int] = _MOST_MOVES
    answer: AnswerType = Steps()
    cycles: ClassVar[tuple[tuple[str, ...], ...]] = (
        ("up", "left", "down", "right"),
        ("up up", "left left", "down down", "right right"),
        ("up up up", "right", "down down down", "right"),
    )

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """Walls, a snake, and the first apples.

        None if the oracle must win and does not.
        """
        walls = board.walled(rng, p.size, p.walls)
        snake = None if walls is None else _laid(rng, p.size, walls)
        if walls is None or snake is None:
            return None
        apples = rng.sample(board.free(p.size, walls, snake, ()), p.apples)
        problem = {"size": p.size, "walls": sorted(walls), "snake": list(snake), "apples": sorted(apples)}
        problem |= {"target": p.target, "moves": _MOST_MOVES}
        inst = Instance(problem, key=rng.below(1 << 32))
        used = self._used(inst)
        if used is None and p.winnable:
            return None
        needed = (p.target * 2 * p.size if used is None else used) * (100 + p.spare) // 100 + 1
        return None if needed > _MOST_MOVES else Instance({**problem, "moves": needed}, inst.key)

    def _used(self, inst: Instance) -> int | None:
        """The moves in which the oracle wins a task, or None."""
        state, turn = self.begin(inst, _UNUSED), None
        while turn is None or turn.verdict is None:
            turn = self.act(inst, state, self._way(inst, state), _UNUSED)
            state = turn.state
        return inst.problem["moves"] - state.left if turn.verdict.solved else None

    def prompt(self, problem: JSON) -> Statement:
        """The rules and the first board."""
        return wording.statement(problem)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The first board, with all moves."""
        problem = inst.problem
        return State(tuple(problem["snake"]), tuple(problem["apples"]), 0, problem["moves"])

    def act(self, inst: Instance, state: State, value: tuple[str, ...], rng: Stream) -> Turn:
        """Steps until the snake eats, dies, or has taken all of them."""
        size, walls, target = inst.problem["size"], inst.problem["walls"], inst.problem["target"]
        for step in value[: state.left]:
            after = board.stepped(size, walls, state.snake, state.apples, step)
            if after is None:
                return self._lost(state._replace(left=state.left - 1), target, f"The step {step} killed the snake.")
            ate = after[0] in state.apples
            state = State(after, state.apples, state.eaten + ate, state.left - 1)
            if ate and state.eaten == target:
                return Turn.end(state, Verdict.exact(True, f"The snake has eaten {target} apples."))
            if ate:
                return self._next(inst, state._replace(apples=_replaced(inst, state)), "The snake ate an apple.")
        return self._next(inst, state, "")

    def scene(self, inst: Instance, state: State) -> Scene:
        """The snake, the walls and the apples."""
        return picture.drawn(inst.problem["size"], inst.problem["walls"], state.snake, state.apples)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message uses up a move."""
        return self._next(inst, state._replace(left=state.left - 1), feedback)

    def solve(self, inst: Instance, state: State) -> str:
        """The way of a careful player to the next apple."""
        return " ".join(self._way(inst, state))

    def _way(self, inst: Instance, state: State) -> tuple[str, ...]:
        size, walls = inst.problem["size"], inst.problem["walls"]
        return tuple(board.way(size, walls, state.snake, state.apples)[:_MOST_STEPS])

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A step towards the nearest apple that does not kill at once."""
        step = board.nearest(inst.problem["size"], inst.problem["walls"], state.snake, state.apples)
        return self.answer.wrap(step)

    def effort(self, inst: Instance) -> float:
        """Cells that the snake must enter, times its final length."""
        return float(inst.problem["moves"] * (inst.problem["target"] + _LENGTH))

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        target, start = inst.problem["target"], f"{said} " if said else ""
        if state.left == 0:
            return self._lost(state, target, f"{start}No moves are left.")
        shown = self.drawn(wording.drawn({**inst.problem, "snake": state.snake, "apples": state.apples}))
        return Turn(state, f"{start}Apples eaten: {state.eaten} of {target}. Moves left: {state.left}.\n\n{shown}")

    def _lost(self, state: State, target: int, said: str) -> Turn:
        return Turn.end(state, Verdict(score=state.eaten / target, solved=False, feedback=said))


def _laid(rng: Stream, size: int, walls: frozenset[int]) -> board.Snake | None:
    """A straight snake of three cells.

    None if there is no room where it was tried.
    """
    step = rng.choice(board.STEPS)
    cells = [rng.choice(board.free(size, walls, (), ()))]
    for _ in range(_LENGTH - 1):
        behind = board.neighbour(size, cells[-1], step)
        if behind is None or behind in walls:
            return None
        cells.append(behind)
    return tuple(cells)


def _replaced(inst: Instance, state: State) -> tuple[int, ...]:
    """The apples after one was eaten.

    A new one appears while there is room.
    """
    left = tuple(apple for apple in state.apples if apple != state.snake[0])
    cells = board.free(inst.problem["size"], inst.problem["walls"], state.snake, left)
    if not cells:
        return left
    return tuple(sorted((*left, Stream(str(inst.key).encode(), "snake", state.eaten).choice(cells))))
