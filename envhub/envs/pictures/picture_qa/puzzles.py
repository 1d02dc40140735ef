"""Sources: grid puzzles of the family ``Cells``, and sudoku.

A position is a solution of which some cells are shown, with the puzzle's own clues around them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.logic.sudoku import grid as sudoku
from envhub.envs.pictures.picture_qa.source import Puzzle, Source, View, board
from envhub.envs.puzzles.aquarium import Aquarium
from envhub.envs.puzzles.binario import Binario
from envhub.envs.puzzles.bridges import Bridges
from envhub.envs.puzzles.calcudoku import Calcudoku
from envhub.envs.puzzles.dominosa import Dominosa
from envhub.envs.puzzles.futoshiki import Futoshiki
from envhub.envs.puzzles.heyawake import Heyawake
from envhub.envs.puzzles.hitori import Hitori
from envhub.envs.puzzles.jigsaw_sudoku import JigsawSudoku
from envhub.envs.puzzles.kakurasu import Kakurasu
from envhub.envs.puzzles.killer_sudoku import KillerSudoku
from envhub.envs.puzzles.light_up import LightUp
from envhub.envs.puzzles.magic_square import MagicSquare
from envhub.envs.puzzles.masyu import Masyu
from envhub.envs.puzzles.mines import Mines
from envhub.envs.puzzles.n_queens import NQueens
from envhub.envs.puzzles.nurikabe import Nurikabe
from envhub.envs.puzzles.skyscrapers import Skyscrapers
from envhub.envs.puzzles.slitherlink import Slitherlink
from envhub.envs.puzzles.star_battle import StarBattle
from envhub.envs.puzzles.survo import Survo
from envhub.envs.puzzles.tents import Tents
from envhub.families.cells import Cells
from envhub.families.latin import EACH_NUMBER_ONCE
from envhub.families.pieces import EMPTY, Picture, Pieces
from envhub.families.seen import seen, with_looks
from envhub.generators.cells.law import values_of
from envhub.generators.cells.laws import Within
from envhub.scenes.grid import Tile, counted, grid

_BUDGET: Final = 4_000
_TRIES: Final = 60

_BOXES: Final = Phrase(
    "The grid is divided into boxes of {box_height} rows and {box_width} columns. Each box contains each of the "
    "numbers 1 to {size} "
    "exactly once.",
    "Boxes of {box_height} rows and {box_width} columns divide the grid. Each box uses all numbers from 1 to {size}, "
    "each once.",
    "In each of the boxes of {box_height} rows and {box_width} columns, the numbers 1 to {size} occur exactly once "
    "each.",
    held_out="Boxes of {box_height} rows and {box_width} columns tile the grid; each holds a permutation of 1 to "
    "{size}.",
)


class Board(Source):
    """The clues of a grid puzzle, without any answer.

    Args:
        cells: Its environment.
        name: Its name.
        words: The words for its symbols.
    """

    def __init__(self, cells: type[Cells], name: str, words: Mapping[str, str]) -> None:
        self.cells, self.name, self.words = cells(), name, words

    def drawn(self, rng: Stream, level: int) -> tuple[JSON, Sequence[int], list[JSON]] | None:
        """A problem without clues, its solution, and all clues."""
        for _ in range(_TRIES):
            found = self.cells.draw(rng, self.cells.Params.at(level))
            if found is not None:
                return *found, self.cells.clues(*found)
        return None

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """A puzzle with a share of its clues."""
        found = self.drawn(rng, level)
        if found is None:
            return None
        problem, _, clues = found
        return {"puzzle": {**problem, "clues": [clue for clue in clues if rng.below(100) < 75]}}

    def view(self, state: JSON) -> View:
        """The clues as the puzzle's environment shows them."""
        return self.shown(state["puzzle"], {})

    def shown(self, problem: JSON, entries: Mapping[int, str]) -> View:
        """The clues, and symbols of the solution in some cells."""
        pieces = list(self.cells.pieces(problem))
        height, width = problem["height"], problem["width"]
        at = next((k for k, p in enumerate(pieces) if isinstance(p, Picture) and not p.regions), None)
        if at is None:
            pieces.append(board([[EMPTY] * width] * height, {}))
            at = len(pieces) - 1
        first = pieces[at]
        assert isinstance(first, Picture)
        rows = [[entries.get(r * width + c, first.symbols[r][c]) for c in range(width)] for r in range(height)]
        legend = {**first.legend, **board(rows, self.words).legend}
        pieces[at] = first._replace(symbols=rows, legend=legend, empty="an empty cell")
        signs = {**self.cells.signs, **MARKS}
        scene = seen(height, width, pieces, signs, self.cells.marks(problem), numbered=True)
        return View(rows, self.words, with_looks(pieces, signs), scene)


class Marked(Board, Puzzle):
    """A puzzle whose cells are marked or not.

    Args:
        cells: Its environment.
        name: Its name.
        words: The words for its symbols.
        mark: The symbol of a marked cell.
    """

    numbers = False

    def __init__(self, cells: type[Cells], name: str, words: Mapping[str, str], mark: str) -> None:
        super().__init__(cells, name, words)
        self.mark = mark

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """A puzzle with most marks of its solution."""
        state = self.filled(rng, level)
        if state is not None:
            state["values"] = [value and int(rng.below(100) < 85) for value in state["values"]]
        return state

    def filled(self, rng: Stream, level: int) -> JSON | None:
        """A solved puzzle."""
        found = self.drawn(rng, level)
        if found is None:
            return None
        problem, solution, clues = found
        if self.cells.broken({**problem, "clues": clues}, tuple(solution)):
            return None
        return {"puzzle": {**problem, "clues": clues}, "values": list(solution)}

    def view(self, state: JSON) -> View:
        """The clues, and the marks."""
        problem = state["puzzle"]
        if isinstance(self.cells, NQueens):  # its clues are queens
            problem = {**problem, "clues": []}
        return self.shown(problem, {cell: self.mark for cell, value in enumerate(state["values"]) if value})

    def rules_of(self, state: JSON) -> tuple[Phrase, ...]:
        """The puzzle's rules without that on the form of its answer."""
        return _bound(self.cells, state["puzzle"], state["puzzle"]["height"])

    def values(self, state: JSON, cell: int) -> list[JSON]:
        """Marked or not, where both are possible."""
        return list(values_of(self.cells.domains(state["puzzle"])[cell]))

    def content(self, state: JSON, cell: int) -> JSON:
        """1 if marked."""
        return state["values"][cell]

    def entered(self, state: JSON, cell: int, value: JSON) -> JSON:
        """With or without a mark."""
        values = state["values"]
        return {**state, "values": [*values[:cell], value, *values[cell + 1 :]]}

    def checker(self, state: JSON) -> Callable[[Sequence[int]], bool]:
        """By the laws of the puzzle."""
        return _checker(self.cells, self._known(state), state["values"])

    def solutions(self, state: JSON) -> list[Sequence[int]] | None:
        """Marks are never open."""
        return None

    def _known(self, state: JSON) -> JSON:
        problem = state["puzzle"]
        return {**problem, "clues": []} if isinstance(self.cells, NQueens) else problem


class Digits(Board, Puzzle):
    """A puzzle whose cells hold numbers."""

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """A solution of which some numbers are shown."""
        state = self.filled(rng, level)
        if state is not None:
            share = rng.between(45, 90)
            state["values"] = [value if rng.below(100) < share else None for value in state["values"]]
        return state

    def filled(self, rng: Stream, level: int) -> JSON | None:
        """A solved puzzle."""
        found = self.drawn(rng, level)
        if found is None:
            return None
        problem, solution, clues = found
        others = [clue for clue in clues if clue[0] in ("<", "view")]
        if self.cells.broken({**problem, "clues": others}, tuple(solution)):
            return None
        return {"puzzle": {**problem, "clues": others}, "values": list(solution)}

    def view(self, state: JSON) -> View:
        """The numbers and the clues around them."""
        return self.shown(state["puzzle"], {c: str(v) for c, v in enumerate(state["values"]) if v is not None})

    def rules_of(self, state: JSON) -> tuple[Phrase, ...]:
        """The puzzle's rules without that on the form of its answer."""
        return _bound(self.cells, state["puzzle"], state["puzzle"]["height"])

    def values(self, state: JSON, cell: int) -> list[JSON]:
        """The numbers of the puzzle."""
        return list(values_of(self.cells.domains(state["puzzle"])[cell]))

    def content(self, state: JSON, cell: int) -> JSON:
        """The number, if it is shown."""
        return state["values"][cell]

    def entered(self, state: JSON, cell: int, value: JSON) -> JSON:
        """With another number."""
        values = state["values"]
        return {**state, "values": [*values[:cell], value, *values[cell + 1 :]]}

    def checker(self, state: JSON) -> Callable[[Sequence[int]], bool]:
        """By the laws of the puzzle."""
        return _checker(self.cells, state["puzzle"], state["values"])

    def solutions(self, state: JSON) -> list[Sequence[int]] | None:
        """By the solver of the puzzle."""
        model = self.cells.model(state["puzzle"])
        for cell, value in enumerate(state["values"]):
            if value is not None:
                Within(cell, 1 << value).prune(model.domains)
        found = model.solutions(2, _BUDGET)
        return list(found.grids) if found.complete else None


class Sudoku(Puzzle):
    """Sudoku, whose engine is its own."""

    name = "a Sudoku"
    _SIZES: Final = (4, 4, 6, 6, 6, 9, 9, 9, 9, 9)

    def filled(self, rng: Stream, level: int) -> JSON | None:
        """A full grid."""
        size = self._SIZES[level - 1]
        return {"size": size, "values": list(sudoku.random_solution(rng, size))}

    def draw(self, rng: Stream, level: int) -> JSON | None:
        """A grid of which some digits are shown."""
        state = self.filled(rng, level)
        share = rng.between(45, 90)
        return state and {
            **state,
            "values": [value if rng.below(100) < share else None for value in state["values"]],
        }

    def view(self, state: JSON) -> View:
        """The grid with its boxes."""
        size, values = state["size"], state["values"]
        symbols = [EMPTY if value is None else str(value) for value in values]
        rows = [symbols[at : at + size] for at in range(0, size**2, size)]
        tiles = [["" if symbol == EMPTY else symbol for symbol in row] for row in rows]
        names = counted(size)
        scene = grid(tiles, regions=sudoku.shape(size).box_of, columns=names, lines=names)
        return View(rows, {}, [board(rows, {})], scene)

    def rules_of(self, state: JSON) -> tuple[Phrase, ...]:
        """Rows, columns and boxes."""
        shape = sudoku.shape(state["size"])
        values = {"size": state["size"], "box_height": shape.height, "box_width": shape.width}
        return tuple(rule.bound(values) for rule in (*EACH_NUMBER_ONCE, _BOXES))

    def values(self, state: JSON, cell: int) -> list[JSON]:
        """The digits."""
        return list(range(1, state["size"] + 1))

    def content(self, state: JSON, cell: int) -> JSON:
        """The digit, if it is shown."""
        return state["values"][cell]

    def entered(self, state: JSON, cell: int, value: JSON) -> JSON:
        """With another digit."""
        values = state["values"]
        return {**state, "values": [*values[:cell], value, *values[cell + 1 :]]}

    def checker(self, state: JSON) -> Callable[[Sequence[int]], bool]:
        """By the rules of sudoku."""
        return lambda values: sudoku.fits(state["size"], [0] * len(values), values)

    def solutions(self, state: JSON) -> list[Sequence[int]] | None:
        """By the solver of sudoku."""
        puzzle = [value or 0 for value in state["values"]]
        found = sudoku.solve(state["size"], puzzle)
        if found is None or sudoku.count_solutions(state["size"], puzzle) > 1:
            return []
        return [found]


MARKS: Final[Mapping[str, Tile]] = {
    "Q": Tile("\N{BLACK CHESS QUEEN}"),
    "S": Tile("S", disc="tint5"),
    "L": Tile("L", disc="tint5"),
    "A": Tile("A", "tint1"),
    "M": Tile(disc="deep"),
    "X": Tile("X", "shade"),
    "~": Tile("~", "tint0"),
}
"""How marks look in a picture."""


def _bound(cells: Cells, problem: JSON, size: int) -> tuple[Phrase, ...]:
    values: dict[str, Any] = {**problem, "size": size, **cells.values(problem)}
    return tuple(rule.bound(values) for rule in cells.rules_of(problem)[:-1])


def _checker(cells: Cells, problem: JSON, values: Sequence[int]) -> Callable[[Sequence[int]], bool]:
    """Checks the laws that the given values break first."""
    laws = list(cells.model(problem).laws)
    laws.sort(key=lambda law: law.holds(tuple(values)))
    return lambda made: all(law.holds(tuple(made)) for law in laws)


_WALLS: Final = {str(n): f"wall with a {n}" for n in range(5)}


def puzzles() -> dict[str, Source]:
    """The sources by their short names."""
    made: list[Source] = [
        Sudoku(),
        Digits(JigsawSudoku, "a Jigsaw Sudoku puzzle", {}),
        Digits(KillerSudoku, "a Killer Sudoku puzzle", {}),
        Digits(Calcudoku, "a Calcudoku puzzle", {}),
        Digits(Futoshiki, "a Futoshiki puzzle", {}),
        Digits(Skyscrapers, "a Skyscrapers puzzle", {}),
        Digits(Binario, "a Binario puzzle", {}),
        Digits(Survo, "a Survo puzzle", {}),
        Digits(MagicSquare, "a Magic Square puzzle", {}),
        Marked(NQueens, "a N Queens puzzle", {"Q": "queen", "#": "blocked cell"}, "Q"),
        Marked(StarBattle, "a Star Battle puzzle", {"S": "star"}, "S"),
        Marked(LightUp, "a Light Up puzzle", {"L": "bulb", "#": "blank wall", **_WALLS}, "L"),
        Marked(Tents, "a Tents puzzle", {"A": "tent", "T": "tree"}, "A"),
        Marked(Mines, "a Mines puzzle", {"M": "mine"}, "M"),
        Marked(Kakurasu, "a Kakurasu puzzle", {"X": "marked cell"}, "X"),
        Marked(Heyawake, "a Heyawake puzzle", {"X": "shaded cell"}, "X"),
        Marked(Aquarium, "an Aquarium puzzle", {"~": "water cell"}, "~"),
        Board(Hitori, "a Hitori puzzle", {}),
        Board(Dominosa, "a Dominosa puzzle", {}),
        Board(Masyu, "a Masyu puzzle", {"B": "black pearl", "W": "white pearl"}),
        Board(Slitherlink, "a Slitherlink puzzle", {}),
        Board(Nurikabe, "a Nurikabe puzzle", {}),
        Board(Bridges, "a Bridges puzzle", {}),
    ]
    return {source.name.split(" ", 1)[1].removesuffix(" puzzle").lower().replace(" ", "-"): source for source in made}


__all__ = ["Board", "Digits", "Marked", "Pieces", "Sudoku", "puzzles"]
