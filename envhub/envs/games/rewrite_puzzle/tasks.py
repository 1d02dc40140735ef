"""Problems of the puzzle games: their parameters, drawing, and boards.

A problem holds the text of its game, the cells of its board as signs, and the number of moves; the key holds a shortest
solution.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, Literal, Self

from pydantic import Field

from envhub.authoring import BaseParams
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance
from envhub.generators.rewriting.games import GAMES
from envhub.generators.rewriting.levels import Wanted, draw, machine_of, program_of
from envhub.generators.rewriting.machine import Board, Machine
from envhub.generators.rewriting.syntax import Game
from envhub.generators.rewriting.twists import movable, renamed, twisted
from envhub.generators.rewriting.views import Cells, board_of, cells_of, signs_of

# fmt: off
GameName = Literal[
    "any", "boxes", "tow", "glide", "slick", "magnet", "trail", "belts", "portals", "gates", "twins", "mirror",
    "wake", "fall", "vanish", "lamps", "flood", "swap", "pits", "slime", "grow",
]
# fmt: on
RulesForm = Literal["words", "source"]
MOST_MOVES: Final = 400
_LEVELS: Final = (  # width, height, crowd, length, boards, twists, invented
    (5, 4, 0, 5, 120, 0, False),
    (5, 5, 0, 6, 150, 0, False),
    (5, 5, 0, 7, 200, 0, False),
    (6, 5, 0, 7, 250, 0, False),
    (6, 5, 0, 8, 260, 0, False),
    (6, 5, 0, 9, 300, 0, True),
    (6, 6, 0, 10, 400, 1, True),
    (6, 6, 0, 11, 400, 1, True),
    (6, 6, 0, 12, 450, 2, True),
    (6, 6, 0, 13, 500, 2, True),
)


class Params(BaseParams):
    """The game, the board, and the length of the shortest solution."""

    game: GameName = Field("any", description="game; any: drawn for each task among those that can be as long")
    width: int = Field(6, ge=4, le=10, description="cells per row")
    height: int = Field(5, ge=4, le=10, description="number of rows")
    crowd: int = Field(0, ge=0, le=2, description="0 for few objects, 1 and 2 for more")
    length: int = Field(8, ge=3, le=24, description="moves of the shortest solution; at most what the game allows")
    boards: int = Field(300, ge=50, le=5000, description="boards that are explored for a task")
    twists: int = Field(0, ge=0, le=3, description="rules that are changed at random, in games with movable things")
    invented: bool = Field(False, description="whether objects have invented names and other glyphs")
    rules: RulesForm = Field("words", description="rules in English sentences, or the source text of the game")

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        names = ("width", "height", "crowd", "length", "boards", "twists", "invented")
        values: dict[str, Any] = dict(zip(names, _LEVELS[difficulty - 1], strict=True))
        return cls(**values)


def draw_problem(rng: Stream, p: Any) -> Instance | None:
    """A game and a level; None if this attempt made none."""
    name = p.game
    if name == "any":
        able = [each for each, recipe in GAMES.items() if recipe.most >= p.length and (not p.twists or movable(recipe))]
        name = rng.choice(able or list(GAMES))
    recipe = twisted(rng, GAMES[name], p.twists)
    source = recipe.source()
    least = min(p.length, recipe.most)
    level = draw(rng, recipe, Wanted(p.width, p.height, p.crowd, least, least + 1, p.boards), source)
    if level is None:
        return None
    if p.invented:
        source = renamed(rng, recipe, source)
    machine = machine_of(source, p.width, p.height)
    return Instance(problem_of(source, machine, level.board, len(level.plan), p.rules), key={"plan": list(level.plan)})


def problem_of(source: str, machine: Machine, board: Board, length: int, rules: str) -> JSON:
    """A problem as JSON."""
    game = machine.program.game
    signs = signs_of(game)
    cells = [["".join(signs[name] for name in cell) for cell in line] for line in cells_of(machine, board)]
    return {"source": source, "board": cells, "moves": min(MOST_MOVES, length + length // 2 + 4), "rules": rules}


def game_of(problem: JSON) -> Game:
    """The game of a problem."""
    return program_of(problem["source"]).game


def machine_for(problem: JSON) -> Machine:
    """The machine of a problem."""
    return machine_of(problem["source"], len(problem["board"][0]), len(problem["board"]))


def first_cells(problem: JSON) -> Cells:
    """The drawn objects of each cell of a problem."""
    names = {sign: name for name, sign in signs_of(game_of(problem)).items()}
    return [[tuple(names[sign] for sign in cell) for cell in line] for line in problem["board"]]


def start_of(problem: JSON) -> Board:
    """The first board of a problem."""
    return board_of(machine_for(problem), first_cells(problem))


@lru_cache(maxsize=256)
def _course(source: str, width: int, height: int, start: Board, plan: tuple[str, ...]) -> dict[Board, int]:
    machine = machine_of(source, width, height)
    found = {start: 0}
    board = start
    for at, move in enumerate(plan, 1):
        board = machine.play(board, move).board
        found[board] = at
    return found


def rest_of_plan(inst: Instance, board: Board) -> Sequence[str] | None:
    """The rest of the known solution after one of its boards.

    None after any other board.
    """
    problem, plan = inst.problem, tuple(inst.key["plan"])
    course = _course(problem["source"], len(problem["board"][0]), len(problem["board"]), start_of(problem), plan)
    return plan[course[board] :] if board in course else None
