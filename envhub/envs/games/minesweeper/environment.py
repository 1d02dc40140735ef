"""minesweeper-v0: open every safe cell of a board that needs no guessing.

Action: one cell per turn, as row and column. A cell is opened, and around a 0 all neighbours; a mine ends the game. A cell that
is already open or not on the board, or text that is not a cell, is reported and uses up the turn. Score 1 if all cells without
a mine are opened within the turns, else 0, and the mines are not shown. A reward may weigh the component ``progress``, the
share of those cells that were opened: each counts once, so repeating an action adds nothing. Difficulty:
a larger board, denser mines, and harder inferences: from single counts, from two counts compared, from all arrangements.

With ``no_guess``, the default, every board is proved solvable by opening only certain cells. Without it, guessing may
be needed, and then the oracle uses the key. A board is its mines and the first cell opened; rotations and reflections
are the same content.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any, ClassVar, Final, NamedTuple, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, Staged, World
from envhub.authoring.environment import rejected
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Turn, Verdict
from envhub.envs.games.minesweeper import minefield as mines, wording
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, counted, grid, lettered
from envhub.verifiers.answers.types import AnswerType, Unreadable

_LEVELS: Final = (
    (6, 6, mines.SINGLES),
    (7, 8, mines.SINGLES),
    (7, 9, mines.PAIRS),
    (8, 11, mines.PAIRS),
    (9, 14, mines.PAIRS),
    (9, 15, mines.EXACT),
    (10, 19, mines.EXACT),
    (11, 24, mines.EXACT),
    (12, 30, mines.EXACT),
    (14, 42, mines.EXACT),
)
_SPARE: Final = 10
_TRIES: Final = 12
_COST: Final = {mines.SINGLES: 1, mines.PAIRS: 4, mines.EXACT: 12}


class Params(BaseParams):
    """The board, and whether it can be solved without guessing."""

    size: int = Field(8, ge=4, le=16, description="cells on a side")
    mines: int = Field(10, ge=1, le=64, description="how many mines there are; one cell in four at most")
    hardest: int = Field(3, ge=1, le=3, description="hardest inference: 1 single counts, 2 two of them, 3 any")
    no_guess: bool = Field(True, description="whether the board is proved solvable without luck")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.mines * 4 > self.size**2:
            raise ValueError("mines * 4 <= size * size must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        size, count, hardest = _LEVELS[difficulty - 1]
        return cls(size=size, mines=count, hardest=hardest)


@dataclass(frozen=True)
class Cell(AnswerType):
    """A row and a column: ``3 5``, ``3, 5``, ``(3, 5)``, ``row 3, column 5``.

    Its value is a pair of ``int``.
    """

    noun: ClassVar[str] = "the row and the column of one cell, separated by a comma,"
    example: ClassVar[str] = "3, 5"

    _SHAPE: ClassVar[re.Pattern[str]] = re.compile(
        r"[(\[]?\s?(?:row\s?)?([0-9]{1,3})(?:\s?[,;]\s?|\s)(?:column\s?|col\s?)?([0-9]{1,3})\s?[)\]]?", re.I | re.A
    )

    def parse(self, text: str) -> tuple[int, int]:
        """The row and the column of a span."""
        found = self._SHAPE.fullmatch(text)
        if found is None:
            raise Unreadable("write a row and a column, two numbers.")
        return int(found[1]), int(found[2])

    def random(self, rng: Stream) -> str:
        """A random cell of an eight by eight board."""
        return f"{rng.between(1, 8)}, {rng.between(1, 8)}"


class State(NamedTuple):
    """The visible board, and the turns left."""

    seen: str
    left: int


class Minesweeper(World):
    """Open every cell without a mine."""

    Params = Params
    components: ClassVar[frozenset[str]] = frozenset({"format", "progress"})
    max_turns: ClassVar[int] = 300
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    answer: AnswerType = Cell()

    def sample(self, rng: Stream, p: Any) -> Staged:
        """Mines and a first cell without neighbouring mines; then the proof."""
        for _ in range(_TRIES):
            start = rng.below(p.size**2)
            near = {start, *mines.around(p.size, p.size)[start]}
            mined = set(rng.sample([cell for cell in range(p.size**2) if cell not in near], p.mines))
            field = "".join("*" if cell in mined else "." for cell in range(p.size**2))
            seen = mines.opened(p.size, field, mines.CLOSED * p.size**2, start)
            closed = seen.count(mines.CLOSED) - p.mines
            if closed >= 2 * p.size:
                break
        else:  # too few cells are left to open
            return None
        yield {"size": p.size, "field": field, "start": start}
        key: dict[str, JSON] = {"field": field}
        if p.no_guess:
            rounds = mines.work(p.size, field, seen, p.hardest)
            if rounds is None:
                return None
            key["effort"] = _cost(closed, rounds)
        problem = {"size": p.size, "mines": p.mines, "no_guess": p.no_guess, "start": start, "turns": closed + _SPARE}
        return Instance({**problem, "seen": seen}, key)

    def canonical(self, content: JSON) -> JSON:
        """Mines and first cell up to rotation and reflection."""
        size, field = content["size"], content["field"]
        marked = field[: content["start"]] + "o" + field[content["start"] + 1 :]
        return min("".join(turned(marked)) for turned in _turns(size))

    def prompt(self, problem: JSON) -> Statement:
        """The rules and the initially open cells."""
        return wording.statement(problem)

    def begin(self, inst: Instance, rng: Stream) -> State:
        """The first cell is open."""
        return State(inst.problem["seen"], inst.problem["turns"])

    def act(self, inst: Instance, state: State, value: tuple[int, int], rng: Stream) -> Turn:
        """Open a cell."""
        size, field, left = inst.problem["size"], inst.key["field"], state.left - 1
        row, column = value
        if not (1 <= row <= size and 1 <= column <= size):
            said = f"Rows and columns go from 1 to {size}."
            return rejected(self._next(inst, State(state.seen, left), said), "illegal")
        cell = (row - 1) * size + column - 1
        if state.seen[cell] != mines.CLOSED:
            return self._next(inst, State(state.seen, left), f"Row {row}, column {column} is already open.")
        if field[cell] == "*":
            return self._end(
                inst, State(state.seen, left), f"Row {row}, column {column} holds a mine. The game is lost."
            )
        seen = mines.opened(size, field, state.seen, cell)
        if seen.count(mines.CLOSED) == inst.problem["mines"]:
            return self._end(inst, State(seen, left), "Every cell without a mine is open.")
        return self._next(inst, State(seen, left), self.drawn(wording.drawn(size, seen)))

    def scene(self, inst: Instance, state: State) -> Scene:
        """The board: closed cells are shaded."""
        size = inst.problem["size"]
        rows = [state.seen[at : at + size] for at in range(0, size**2, size)]
        signs = {mines.CLOSED: Tile(fill="shade")}
        return grid(lettered(rows, signs), columns=counted(size), lines=counted(size))

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message uses up the turn."""
        return self._next(inst, State(state.seen, state.left - 1), feedback)

    def illegal_answers(self, inst: Instance) -> list[str]:
        """Cells just outside the board."""
        size = inst.problem["size"]
        return [f"{row} {column}" for row, column in ((0, 1), (1, 0), (size + 1, size), (size, size + 1))]

    def solve(self, inst: Instance, state: State) -> str:
        """A cell that is certainly safe.

        Without one, a safe cell from the key.
        """
        size, field = inst.problem["size"], inst.key["field"]
        certain, _ = mines.safe(size, state.seen, inst.problem["mines"])
        closed = (cell for cell, mark in enumerate(state.seen) if mark == mines.CLOSED and field[cell] != "*")
        return _named(size, min(certain) if certain else next(closed))

    def random_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A random closed cell."""
        closed = [cell for cell, mark in enumerate(state.seen) if mark == mines.CLOSED]
        return self.answer.wrap(_named(inst.problem["size"], rng.choice(closed)))

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """A cell that one count shows safe, or a random closed one."""
        certain, _ = mines.safe(inst.problem["size"], state.seen, inst.problem["mines"], mines.SINGLES)
        if not certain:
            return self.random_action(inst, state, rng)
        return self.answer.wrap(_named(inst.problem["size"], min(certain)))

    def effort(self, inst: Instance) -> float:
        """Cells to open, plus the cost of inferences.

        For a player who always takes the easiest.
        """
        if "effort" in inst.key:
            return float(inst.key["effort"])
        size, seen = inst.problem["size"], inst.problem["seen"]  # not proved when drawn
        closed = seen.count(mines.CLOSED) - inst.problem["mines"]
        return float(_cost(closed, mines.work(size, inst.key["field"], seen, mines.EXACT) or ()))

    def _next(self, inst: Instance, state: State, said: str) -> Turn:
        if state.left == 0:
            return self._end(inst, state, f"{said}\nNo turns are left.")
        return Turn(state, f"{said}\nTurns left: {state.left}.")

    def _end(self, inst: Instance, state: State, said: str) -> Turn:
        first = inst.problem["seen"].count(mines.CLOSED) - inst.problem["mines"]
        still = state.seen.count(mines.CLOSED) - inst.problem["mines"]
        return Turn.end(state, Verdict.exact(still == 0, said).noting(None, progress=1 - still / first))


def _cost(closed: int, rounds: Iterable[int]) -> int:
    """Cells to open, plus the cost of the inferences."""
    return closed + sum(map(_COST.__getitem__, rounds))


@lru_cache(maxsize=16)
def _turns(size: int) -> tuple[Callable[[str], tuple[str, ...]], ...]:
    """Cell getters for each of the eight symmetries of the board."""
    found, rows = [], [list(range(at, at + size)) for at in range(0, size**2, size)]
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
        for form in (rows, [row[::-1] for row in rows]):
            found.append(itemgetter(*(cell for row in form for cell in row)))
    return tuple(found)


def _named(size: int, cell: int) -> str:
    return f"{cell // size + 1}, {cell % size + 1}"
