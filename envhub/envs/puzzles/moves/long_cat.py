"""long-cat-v0: slide through a board so that every cell is filled.

Action: directions, ``up, left``. The cat slides until the next cell is a wall, filled, or off the board, and fills every cell
that it passes. Right if all free cells are filled at the end. Boards are made from a random way, so a solution exists, and any
solution within the limit counts. The limit is the length of the first solution that a depth-first search finds. Difficulty:
larger boards and longer ways; effort is the number of slides times the number of free cells. Rotations and reflections are
the same problem.
"""

from __future__ import annotations

import json
from collections.abc import Set
from typing import Any, Final

from envhub.families.state_puzzle_kit import (
    JSON,
    Directions,
    Instance,
    Move,
    Phrase,
    Scene,
    StatePuzzle,
    Stream,
    Variants,
    in_picture,
    knob,
    levels,
)
from envhub.generators.cells.board import TURNS, turned
from envhub.generators.optimum import Optimum
from envhub.scenes.grid import Tile, grid

State = tuple[int, int]
"""The cell of the cat, and the filled cells as bits."""

_TRIES: Final = 600
_WAYS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def _board(problem: JSON, state: State) -> list[str]:
    cat, filled = state
    signs = "".join(
        "#" if cell in problem["walls"] else "C" if cell == cat else "o" if filled >> cell & 1 else "."
        for cell in range(problem["height"] * problem["width"])
    )
    return [signs[at : at + problem["width"]] for at in range(0, len(signs), problem["width"])]


def _first(problem: JSON) -> list[str]:
    return _board(problem, (problem["cat"], 1 << problem["cat"]))


_LEGEND: Final = "C is the cat, # a wall, and . a free cell."


def _drawn(problem: JSON) -> str:
    return f"The board. {_LEGEND}\n\n" + "\n".join(" ".join(row) for row in _first(problem))


def _as_json(problem: JSON) -> str:
    return f"The rows of the board from top to bottom. {_LEGEND}\n\n{json.dumps(_first(problem))}"


def _in_lines(problem: JSON) -> str:
    rows = "\n".join(f"Row {at}: {row}" for at, row in enumerate(_first(problem), 1))
    return f"{_LEGEND} Row 1 is at the top.\n\n{rows}"


def _as_cells(problem: JSON) -> str:
    def name(cell: int) -> str:
        row, column = divmod(cell, problem["width"])
        return f"({row + 1}, {column + 1})"

    signs = "".join(_first(problem))
    walls = ", ".join(name(cell) for cell, sign in enumerate(signs) if sign == "#") or "none"
    return (
        f"The board has {problem['height']} rows and {problem['width']} columns; (1, 1) is the upper left cell, (row, column). "
        f"Cat: {name(signs.index('C'))}. Walls: {walls}. All other cells are free."
    )


class LongCat(StatePuzzle):
    """Slide through a board so that every cell is filled."""

    Params = levels(
        height=knob("number of rows", 5, 5, 6, 6, 7, 7, 8, 8, 9, 10, at_least=3, at_most=12),
        width=knob("number of columns", 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, at_least=3, at_most=12),
        least=knob("number of slides of the hidden way", 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, at_least=2, at_most=60),
        positions=knob(
            "positions that a search visits at least", 10, 14, 18, 23, 28, 34, 40, 46, 54, 64, at_least=1, at_most=5000
        ),
    )
    answer = Directions()
    task = Phrase(
        "Guide the cat on this board so that it fills every free cell.",
        "Find directions for the cat with which it fills the whole board.",
        "The cat leaves no free cell empty if it slides the right way. Plan its slides.",
        held_out="Determine a sequence of slides after which no free cell remains.",
    )
    rules = (
        Phrase(
            "The cat slides up, down, left or right. It does not stop before the next cell is a wall, a filled cell, or off "
            "the board.",
            "With each direction the cat goes straight on until a wall, a filled cell or the edge of the board stops it.",
            "A slide goes in one of the four directions as far as possible; walls, filled cells and the edge stop the cat.",
            held_out="A slide moves the cat in a straight line until it is blocked by a wall, a filled cell, or the boundary.",
        ),
        Phrase(
            "Every cell that the cat has been in is filled, its first cell included, and cannot be entered again.",
            "The cat fills its first cell and each cell it passes or stops in. It can never go back into a filled cell.",
            "Cells that were visited, also the cell where the cat begins, are filled and block its way from then on.",
            held_out="All visited cells, including the initial one, become filled and are impassable.",
        ),
        Phrase(
            "A slide of no cell at all, because the next cell blocks the way, is not possible.",
            "The cat must move by at least one cell in every slide.",
            "You may not choose a direction in which the cat cannot move.",
            held_out="Slides of length zero are not legal.",
        ),
    )
    moves_rule = Phrase(
        "Write a slide as its direction.",
        "Each slide is one of the four words.",
        "A slide is written as up, down, left or right.",
        held_out="Slides are denoted by their direction.",
    )
    data = Variants(
        _drawn,
        _as_json,
        _in_lines,
        held_out=_as_cells,
        name="board",
        seen=in_picture(
            "The picture shows the board: the cat is the orange disc, and walls are dark.",
            "See the picture for the board. Dark cells are walls, and the orange disc is the cat.",
            "The board is drawn in the picture, with dark walls and the cat as an orange disc.",
            held_out="The attached figure depicts the board (dark: wall, orange disc: cat).",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A random way; cells that it does not visit are walls."""
        cat = rng.below(p.height * p.width)
        way = self._way(rng, p, cat)
        if way is None:
            return None
        visited = {cat, *(cell for cells in way for cell in cells)}
        return {
            "height": p.height,
            "width": p.width,
            "cat": cat,
            "walls": [cell for cell in range(p.height * p.width) if cell not in visited],
        }

    def _way(self, rng: Stream, p: Any, cat: int) -> list[list[int]] | None:
        """The cells of each slide of a random way.

        Found by going back from dead ends; None if the tries are used up.
        """
        tries, stack = 0, [(cat, frozenset[int](), frozenset({cat}), list[list[int]]())]
        while stack and tries < _TRIES:
            at, walls, visited, way = stack.pop()
            tries += 1
            if len(way) == p.least:
                return way
            options = []
            for down, right in _WAYS.values():
                cells = _ahead(p.height, p.width, at, down, right, visited | walls)
                for length in sorted({len(cells), rng.between(1, min(len(cells), 4))}) if cells else ():
                    stop = walls | {cells[length]} if length < len(cells) else walls
                    options.append((cells[length - 1], stop, visited | set(cells[:length]), [*way, cells[:length]]))
            rng.shuffle(options)
            stack += options
        return None

    def canonical(self, content: JSON) -> JSON:
        """The least rotation or reflection."""
        height, width = content["height"], content["width"]
        signs = [
            "#" if at in content["walls"] else "C" if at == content["cat"] else "." for at in range(height * width)
        ]
        forms = []
        for turn in TURNS:
            cells = "".join(turned(signs, height, width, turn))
            forms.append([width if turn & 1 else height, cells])
        return min(forms)

    def sample(self, rng: Stream, p: Any) -> Any:
        """A board whose search is long enough."""
        staged = super().sample(rng, p)
        try:
            yield next(staged)
            staged.send(None)
        except StopIteration as end:
            inst = end.value
            return inst if inst is not None and inst.key["steps"] >= p.positions else None

    def best(self, problem: JSON, state: Any) -> Optimum | None:
        """The first solution of a search in depth."""
        whole = (1 << problem["height"] * problem["width"]) - 1
        for wall in problem["walls"]:
            whole ^= 1 << wall
        steps, stack = 0, list[tuple[State, tuple[Move, ...]]]([(state, ())])
        while stack and steps < self.budget:
            at, made = stack.pop()
            steps += 1
            if at[1] == whole:
                return Optimum(len(made), made, steps)
            stack += [(to, (*made, move)) for move, to in self.moves(problem, at)]
        return None

    def start(self, problem: JSON) -> State:
        """The cat in its first cell."""
        return problem["cat"], 1 << problem["cat"]

    def moves(self, problem: JSON, state: State) -> list[tuple[Move, State]]:
        """Slides of at least one cell."""
        cat, filled = state
        blocked = {cell for cell in range(problem["height"] * problem["width"]) if filled >> cell & 1}
        blocked.update(problem["walls"])
        found: list[tuple[Move, State]] = []
        for way, (down, right) in _WAYS.items():
            cells = _ahead(problem["height"], problem["width"], cat, down, right, blocked)
            if cells:
                found.append(((way,), (cells[-1], filled | sum(1 << cell for cell in cells))))
        return found

    def fault(self, problem: JSON, state: State, move: Move) -> str:
        """A blocked direction."""
        return "the next cell in this direction blocks the way."

    def done(self, problem: JSON, state: State) -> bool:
        """Every free cell is filled."""
        return bool(state[1].bit_count() == problem["height"] * problem["width"] - len(problem["walls"]))

    def lines(self, problem: JSON, state: State) -> str:
        """The board in signs."""
        return "\n".join(" ".join(row) for row in _board(problem, state))

    def look(self, problem: JSON, state: State) -> Scene:
        """Walls dark, filled cells yellow, and the cat."""
        looks = {"#": Tile(fill="dark"), "o": Tile(fill="yellow"), "C": Tile(disc="orange"), ".": Tile()}
        return grid([[looks[sign] for sign in row] for row in _board(problem, state)])

    def effort(self, inst: Instance) -> float:
        """Slides times free cells."""
        cells = inst.problem["height"] * inst.problem["width"] - len(inst.problem["walls"])
        return float(len(inst.key["moves"]) * cells)

    def write(self, move: Move) -> str:
        """The direction."""
        return move[0]


def _ahead(height: int, width: int, cell: int, down: int, right: int, blocked: Set[int]) -> list[int]:
    """The cells that a slide passes."""
    row, column = divmod(cell, width)
    found: list[int] = []
    while True:
        row, column = row + down, column + right
        if not (0 <= row < height and 0 <= column < width) or row * width + column in blocked:
            return found
        found.append(row * width + column)
