"""free-block-v0 and free-block-steps-v0: slide blocks until the key can leave the board.

Action: the slides, ``B up 2, A right 3`` (all of them, or one per message). Every block slides along its own line only, over
free cells. Right if the key, block A, is at the right end of its row. Difficulty: a larger and fuller board, longer solutions,
fewer spare slides; effort is the length of the shortest solution, proved by search of all positions within reach. Names of the
other blocks and a reflection that exchanges top and bottom are not content.
"""

from __future__ import annotations

import json
from typing import Any, Final

from envhub.families.state_puzzle_kit import (
    JSON,
    Move,
    Phrase,
    Scene,
    Slides,
    StatePuzzle,
    Steps,
    Stream,
    Variants,
    counted,
    in_picture,
    knob,
    levels,
)
from envhub.generators.optimum import Optimum
from envhub.generators.state_space.blocks import Block, Board, State, drawn
from envhub.generators.state_space.search import shortest
from envhub.scenes.grid import CELL, counted as numbered, grid
from envhub.scenes.shapes import Rect, Shape, Text

_NAMES: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_WORDS: Final = {(True, True): "right", (True, False): "left", (False, True): "down", (False, False): "up"}


def _board(problem: JSON) -> Board:
    return Board(problem["size"], [Block(*block) for block in problem["blocks"]])


def _rows(problem: JSON, state: State) -> list[str]:
    board, signs = _board(problem), ["."] * problem["size"] ** 2
    for number, at in enumerate(state):
        for cell in board.cells(number, at):
            signs[cell] = _NAMES[number]
    return ["".join(signs[at : at + board.size]) for at in range(0, len(signs), board.size)]


def _first(problem: JSON) -> list[str]:
    return _rows(problem, tuple(problem["places"]))


def _drawn(problem: JSON) -> str:
    rows = "\n".join(" ".join(row) for row in _first(problem))
    return f"The board; equal letters are the cells of one block, and a dot is a free cell:\n\n{rows}"


def _as_json(problem: JSON) -> str:
    return f"The rows of the board from top to bottom as JSON; each letter is a block, a dot is free:\n\n{json.dumps(_first(problem))}"


def _in_lines(problem: JSON) -> str:
    rows = "\n".join(f"Row {at}: {row}" for at, row in enumerate(_first(problem), 1))
    return f"Letters name blocks, and dots are free cells. Row 1 is at the top.\n\n{rows}"


def _as_blocks(problem: JSON) -> str:
    board, lines = _board(problem), []
    for number, at in enumerate(problem["places"]):
        cells = (divmod(cell, board.size) for cell in board.cells(number, at))
        lines.append(f"{_NAMES[number]}: {', '.join(f'({r + 1}, {c + 1})' for r, c in cells)}")
    return f"Cells of each block as (row, column), (1, 1) is the upper left cell; side of the board {board.size}:\n\n" + "\n".join(lines)


class FreeBlock(StatePuzzle):
    """Plan slides of blocks that let the key leave the board."""

    family = "free-block"
    Params = levels(
        size=knob("side of the board", 5, 5, 5, 5, 5, 5, 6, 6, 6, 6, at_least=4, at_most=7),
        blocks=knob("number of blocks", 7, 8, 8, 9, 9, 9, 14, 14, 14, 14, at_least=2, at_most=18),
        least=knob("shortest solution, in slides", 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, at_least=1, at_most=40),
        spare=knob("slides that may be wasted", 3, 3, 3, 3, 3, 2, 2, 1, 1, 0, at_most=40),
        within=knob("most positions within reach", 400, 400, 400, 400, 400, 400, 600, 600, 600, 600, at_least=10, at_most=5000),
    )
    answer = Slides()
    noun = "slide"
    task = Phrase(
        "Free block A on this board: slide the blocks until A is at the right end of its row.",
        "Block A is the key and must get to the right end of its row. Find slides that let it through.",
        "Slide blocks out of the way so that block A can reach the right edge of the board.",
        held_out="Determine a sequence of slides after which block A touches the right edge of the board.",
    )
    rules = (
        Phrase(
            "A block that lies in a row slides left and right only. A block that stands in a column slides up and down only.",
            "Blocks in a row can only be moved left or right, and blocks in a column only up or down.",
            "Each block slides along its own line: left and right if it lies across, up and down if it stands upright.",
            held_out="Horizontal blocks move horizontally, and vertical blocks move vertically.",
        ),
        Phrase(
            "A slide moves one block by any number of cells. All cells that it enters must be free.",
            "In one slide, a block moves as far as you like, if every cell on its way is free.",
            "One slide takes one block over any number of free cells. Blocks cannot jump, turn or leave the board.",
            held_out="A slide displaces one block by one or more cells through free cells only.",
        ),
    )
    moves_rule = Phrase(
        "Write a slide as the block, the direction and the number of cells: B up 2.",
        "A slide is written as a letter, one of up, down, left and right, and a number of cells, as in B up 2.",
        "Name the block, then the direction, then how many cells it moves, like B up 2.",
        held_out="Notation: block, direction, distance in cells; for example B up 2.",
    )
    data = Variants(
        _drawn,
        _as_json,
        _in_lines,
        held_out=_as_blocks,
        name="board",
        seen=in_picture(
            "The picture shows the board and its blocks with their letters; the red block is A.",
            "See the picture for the blocks. Block A is red.",
            "The board is drawn in the picture. Each block has a letter, and A, the key, is red.",
            held_out="The attached figure depicts the board with lettered blocks; A is red.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A random board, and a position within reach from which the key is far from free."""
        made = drawn(rng, p.size, p.blocks)
        states = made and made[0].component(made[1], p.within)
        if not made or not states:
            return None
        far = made[0].distances(states)
        fit = [state for state in states if p.least <= far.get(state, -1) <= p.least + 1]
        if not fit:
            return None
        return {"size": p.size, "blocks": [list(block) for block in made[0].blocks], "places": list(rng.choice(fit))}

    def canonical(self, content: JSON) -> JSON:
        """The blocks in order, as they are or upside down."""
        size, forms = content["size"], []
        for flip in (False, True):
            blocks = []
            for (across, line, length), at in zip(content["blocks"], content["places"], strict=True):
                other = [line, at] if not flip else [size - 1 - line, at] if across else [line, size - length - at]
                blocks.append([across, length, *other])
            forms.append([blocks[0], *sorted(blocks[1:])])
        return [size, min(forms)]

    def best(self, problem: JSON, state: Any) -> Optimum | None:
        """By search of all positions."""
        board = _board(problem)

        def moves(at: State) -> list[tuple[Move, State]]:
            return [(self._named(board, number, cells), to) for number, cells, to in board.moves(at)]

        return shortest(state, moves, board.done, self.budget)

    def start(self, problem: JSON) -> State:
        """The first position."""
        return tuple(problem["places"])

    def moves(self, problem: JSON, state: State) -> list[tuple[Move, State]]:
        """Every slide of every block."""
        board = _board(problem)
        return [(self._named(board, number, cells), to) for number, cells, to in board.moves(state)]

    def fault(self, problem: JSON, state: State, move: Move) -> str:
        """What keeps a block from sliding."""
        name, way, _ = move
        number = _NAMES.index(name.upper())
        if number >= len(state):
            return f"the blocks are A to {_NAMES[len(state) - 1]}."
        across = problem["blocks"][number][0]
        if (way in ("left", "right")) != across:
            return f"block {name.upper()} slides {'left and right' if across else 'up and down'} only."
        return "a cell on the way is not free, or off the board."

    def done(self, problem: JSON, state: State) -> bool:
        """The key is at the right end."""
        return bool(state[0] == problem["size"] - problem["blocks"][0][2])

    def lines(self, problem: JSON, state: State) -> str:
        """The board in letters."""
        return "\n".join(" ".join(row) for row in _rows(problem, state))

    def look(self, problem: JSON, state: State) -> Scene:
        """The blocks with their letters, the key red."""
        board, over = _board(problem), list[Shape]()
        for number, at in enumerate(state):
            cells = [divmod(cell, board.size) for cell in board.cells(number, at)]
            (row, column), (last_row, last_column) = cells[0], cells[-1]
            wide, high = (last_column - column + 1) * CELL, (last_row - row + 1) * CELL
            x, y = column * CELL, row * CELL
            over.append(Rect(x + 3, y + 3, wide - 6, high - 6, "red" if number == 0 else f"tint{number % 7}", "ink", 2))
            over.append(Text(x + wide // 2, y + high // 2, _NAMES[number], 22))
        names = numbered(board.size)
        return grid([[""] * board.size] * board.size, columns=names, lines=names, over=over)

    def write(self, move: Move) -> str:
        """Block, direction and cells."""
        return f"{move[0].upper()} {move[1]} {move[2]}"

    def values(self, problem: JSON) -> dict[str, Any]:
        """The limit in words."""
        return {"limit": counted(problem["limit"], "slide")}

    def _named(self, board: Board, number: int, cells: int) -> Move:
        return _NAMES[number].lower(), _WORDS[board.blocks[number].across, cells > 0], str(abs(cells))


class FreeBlockSteps(Steps):
    """Slide blocks, one per message, until the key can leave the board."""

    puzzle = FreeBlock()
