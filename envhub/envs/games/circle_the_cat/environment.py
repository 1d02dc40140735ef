"""circle-the-cat-v0: enclose a cat with walls on a board of hexagons.

Action: a free cell, ``c4``, where a wall is built. Then the cat takes a step along a shortest way to the border; from level 6
on it prefers cells with many shortest ways. Score 1 if no way to the border is left, 0 if the cat gets there. A message that
names no free cell builds nothing. Difficulty: a larger board with fewer walls, and the careful cat; effort is the number of
walls that the oracle builds times the number of free cells. A task is kept only if the oracle encloses the cat in it.

The cat draws nothing at random, so the first board decides the game. Reflections are not folded: the cat's last rule, an order
of directions, is not symmetric.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

from envhub.authoring import Staged, World
from envhub.authoring.environment import rejected
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.circle_the_cat import picture, wording
from envhub.envs.games.circle_the_cat.hexes import Board, board_of
from envhub.families.levels import knob, levels
from envhub.scenes import Scene
from envhub.verifiers.answers.choices import Square

_KEPT = 4
_MOST_TURNS = 64


class Cell(Square):
    """A cell of a board of hexagons."""

    noun: ClassVar[str] = "one cell"
    place: ClassVar[str] = "cell"


class State(NamedTuple):
    """The walls as bits, the cat's cell, and the cells built on."""

    walls: int
    cat: int
    built: tuple[int, ...]


class CircleTheCat(World):
    """Enclose a cat with walls."""

    Params = levels(
        height=knob("number of rows", 7, 7, 7, 7, 8, 8, 9, 9, 9, 9, at_least=5, at_most=15),
        width=knob("number of columns", 7, 7, 7, 8, 8, 9, 9, 9, 9, 9, at_least=5, at_most=15),
        walls=knob("walls at the beginning", 12, 10, 9, 9, 8, 8, 13, 11, 9, 8, at_least=0, at_most=60),
        careful=knob("whether the cat prefers cells with many shortest ways", *[False] * 5, *[True] * 5),
        least=knob("walls that the oracle needs at least", 4, 5, 6, 7, 7, 8, 9, 10, 11, 12, at_least=1, at_most=30),
    )
    max_turns: ClassVar[int] = _MOST_TURNS
    slow: ClassVar[bool] = True
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer = Cell(size=None)

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Random walls, and the proof that the cat can be enclosed."""
        board, cat = board_of(p.height, p.width), p.height // 2 * p.width + p.width // 2
        free = [cell for cell in range(board.cells) if cell != cat]
        walls = sorted(rng.sample(free, min(p.walls, len(free) // 2)))
        problem = {"height": p.height, "width": p.width, "walls": walls, "cat": cat, "careful": p.careful}
        yield problem
        held, _ = wording.first(problem)
        if board.step(held, cat, p.careful) is None:
            return None
        found = board.enclosing(held, cat, p.careful, _KEPT)
        if found is None or len(found.walls) < p.least:
            return None
        return Instance(problem, key={"walls": list(found.walls)})

    def prompt(self, problem: JSON) -> Statement:
        """The rules and the first board."""
        return wording.statement(problem)

    def example(self, problem: JSON) -> str:
        """A wall that is there from the beginning."""
        return wording.name(problem, problem["walls"][0]) if problem["walls"] else "a1"

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The first walls."""
        return State(*wording.first(inst.problem), ())

    def act(self, inst: Instance, state: State, value: str, rng: Stream) -> Turn:
        """Build a wall, and let the cat take its step."""
        problem = inst.problem
        cell, fault = self._cell(problem, state, value)
        if fault:
            said = f"{fault} No wall was built."
            return rejected(self._next(inst, state, said), "illegal")
        return self._next(
            inst, State(state.walls | 1 << cell, state.cat, (*state.built, cell)), f"You built a wall on {value}."
        )

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """The cat moves although nothing was built."""
        return self._next(inst, state, f"{feedback} No wall was built.")

    def scene(self, inst: Instance, state: State) -> Scene:
        """The board of hexagons."""
        return picture.seen(inst.problem, state.walls, state.cat)

    def solve(self, inst: Instance, state: State) -> str:
        """The next wall of the proof, or of another search from here."""
        planned, made = inst.key["walls"], len(state.built)
        if list(state.built) == planned[:made] and made < len(planned) and self._on_plan(inst, state):
            return wording.name(inst.problem, planned[made])
        board = self._board(inst.problem)
        found = board.enclosing(state.walls, state.cat, inst.problem["careful"], _KEPT)
        step = board.step(state.walls, state.cat, inst.problem["careful"])
        return wording.name(inst.problem, found.walls[0] if found else step if step is not None else 0)

    def legal_answers(self, inst: Instance, state: State) -> list[str]:
        """All cells without a wall or the cat."""
        cells = range(inst.problem["height"] * inst.problem["width"])
        return [wording.name(inst.problem, cell) for cell in cells if not state.walls >> cell & 1 and cell != state.cat]

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A wall where the cat is about to step."""
        to = self._board(inst.problem).step(state.walls, state.cat, inst.problem["careful"])
        return self.answer.wrap(wording.name(inst.problem, 0 if to is None else to))

    def effort(self, inst: Instance) -> float:
        """Walls that the oracle builds, times free cells."""
        free = inst.problem["height"] * inst.problem["width"] - len(inst.problem["walls"])
        return float(len(inst.key["walls"]) * free)

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """The cat is not enclosed in time."""
        return Verdict.exact(False, "The turns are used up, and the cat is not enclosed.")

    def _on_plan(self, inst: Instance, state: State) -> bool:
        """Whether no turn was lost before this state."""
        board, (walls, cat) = self._board(inst.problem), wording.first(inst.problem)
        for cell in state.built:
            walls |= 1 << cell
            to = board.step(walls, cat, inst.problem["careful"])
            cat = cat if to is None else to
        return cat == state.cat

    def _board(self, problem: JSON) -> Board:
        return board_of(problem["height"], problem["width"])

    def _cell(self, problem: JSON, state: State, name: str) -> tuple[int, str]:
        """The cell of a name, and why it cannot be built on."""
        row, column = int(name[1:]) - 1, wording.LETTERS.index(name[0])
        if row >= problem["height"] or column >= problem["width"]:
            last = wording.name(problem, problem["height"] * problem["width"] - 1)
            return 0, f"{name} is not on the board, whose last cell is {last}."
        cell = row * problem["width"] + column
        if cell == state.cat:
            return 0, f"The cat is on {name}."
        return cell, f"There is already a wall on {name}." if state.walls >> cell & 1 else ""

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        """The cat's step, and what is seen after it."""
        problem, board = inst.problem, self._board(inst.problem)
        to = board.step(state.walls, state.cat, problem["careful"])
        if to is None:
            return Turn.end(state, Verdict.exact(True, f"{said} The cat is enclosed."))
        after = state._replace(cat=to)
        moved = f"{said} The cat moves to {wording.name(problem, to)}"
        if board.border >> to & 1:
            return Turn.end(after, Verdict.exact(False, f"{moved}, which is at the border. The cat has escaped."))
        return Turn(after, f"{moved}.\n\n{self.drawn(wording.drawn(problem, after.walls, to))}")
