"""free-block-v0: slide blocks until the key can leave the board.

Action: all slides, ``B up, A right``; free-block-steps-v0 takes one per message. Every block slides along its own line only, by
one free cell. Right if the key, block A, is at the right end of its row. Difficulty: a fuller board, longer solutions, fewer
spare slides; effort is the length of the shortest solution, proved by search. Names of the other blocks are not content, and a
board turned upside down is the same problem.
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
    in_picture,
    knob,
    levels,
)
from envhub.generators.optimum import Optimum
from envhub.generators.state_space.blocks import Block, Board, State, drawn
from envhub.generators.state_space.search import shortest
from envhub.scenes.grid import CELL, counted as numbered, grid
from envhub.scenes.shapes import Rect, Shape, Text

_LETTERS: Final = "BCDEFGHIJKLMNOPQRSTUVWXYZ"
_WORDS: Final = {(True, True): "right", (True, False): "left", (False, True): "down", (False, False): "up"}


def _board(problem: JSON) -> Board:
    return Board(problem["size"], [Block(*block) for block in problem["blocks"]])


def _rows(problem: JSON, state: State) -> list[str]:
    board, signs = _board(problem), ["."] * problem["size"] ** 2
    for number, at in enumerate(state):
        for cell in board.cells(number, at):
            signs[cell] = problem["names"][number]
    return ["".join(signs[at : at + board.size]) for at in range(0, len(signs), board.size)]


def _first(problem: JSON) -> list[str]:
    return _rows(problem, tuple(problem["places"]))


def _drawn(problem: JSON) -> str:
    rows = "\n".join(" ".join(row) for row in _first(problem))
    return f"The board; equal letters are the cells of one block, and a dot is a free cell:\n\n{rows}"


def _as_json(problem: JSON) -> str:
    rows = json.dumps(_first(problem))
    return f"The rows of the board from top to bottom as JSON; each letter is a block, a dot is free:\n\n{rows}"


def _in_lines(problem: JSON) -> str:
    rows = "\n".join(f"Row {at}: {row}" for at, row in enumerate(_first(problem), 1))
    return f"Letters name blocks, and dots are free cells. Row 1 is at the top.\n\n{rows}"


def _as_blocks(problem: JSON) -> str:
    board, lines = _board(problem), []
    for number, at in enumerate(problem["places"]):
        cells = (divmod(cell, board.size) for cell in board.cells(number, at))
        lines.append(f"{problem['names'][number]}: {', '.join(f'({r + 1}, {c + 1})' for r, c in cells)}")
    return (
        f"Cells of each block as (row, column), (1, 1) is the upper left cell; side of the board {board.size}:\n\n"
        + "\n".join(lines)
    )


class FreeBlock(StatePuzzle):
    """Plan slides of blocks that let the key leave the board."""

    family = "free-block"
    Params = levels(
        size=knob("side of the board", 5, at_least=4, at_most=7),
        blocks=knob("number of blocks", 8, 8, 8, 8, 8, 9, 9, 9, 9, 9, at_least=2, at_most=18),
        blockers=knob(
            "blocks between the key and the edge at least", 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, at_least=1, at_most=3
        ),
        least=knob("shortest solution, in slides", 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, at_least=1, at_most=40),
        most=knob("longest shortest solution", 4, 5, 6, 6, 7, 7, 8, 9, 10, 60, at_least=1, at_most=200),
        spare=knob("slides that may be wasted", 2, 2, 2, 2, 2, 2, 1, 1, 1, 0, at_most=40),
    )
    answer = Slides()
    budget = 500
    task = Phrase(
        "Free the key, block A, on this board: slide the blocks until A is at the right end of its row.",
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
            "A slide moves one block by one cell. The cell that it enters must be free.",
            "In one slide, a block moves by one cell, if the next cell in this direction is free.",
            "One slide takes one block to the next cell of its line, which must be free. Blocks cannot jump, turn or leave the "
            "board.",
            held_out="A slide displaces one block by one cell into a free cell.",
        ),
    )
    moves_rule = Phrase(
        "Write a slide as the block and the direction: B up. Repeat it to slide further.",
        "A slide is written as a letter and one of up, down, left and right, as in B up. Two cells take two slides.",
        "Name the block, then the direction, like B up. To move a block by two cells, write the slide twice.",
        held_out="Notation: block, direction; for example B up. Longer displacements repeat the slide.",
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
        """A random board."""
        made = drawn(rng, p.size, p.blocks)
        if made is None:
            return None
        board, places = made
        row, column = board.blocks[0].line, places[0]
        ahead = sum(1 << row * board.size + at for at in range(column + 2, board.size))
        if sum(bool(mask[at] & ahead) for mask, at in zip(board.masks, places, strict=True)) < p.blockers:
            return None
        names = "A" + "".join(rng.sample(_LETTERS, p.blocks - 1))
        blocks = [list(block) for block in board.blocks]
        return {"size": p.size, "names": names, "blocks": blocks, "places": list(places)}

    def canonical(self, content: JSON) -> JSON:
        """The blocks in order, as they are or upside down."""
        size, forms = content["size"], []
        for flip in (False, True):
            blocks = []
            for (across, line, length), at in zip(content["blocks"], content["places"], strict=True):
                place = [size - 1 - line, at] if across else [line, size - length - at]
                blocks.append([across, length, *(place if flip else [line, at])])
            forms.append([blocks[0], *sorted(blocks[1:])])
        return [size, min(forms)]

    def best(self, problem: JSON, state: Any) -> Optimum | None:
        """By search of all positions."""
        board = _board(problem)

        def moves(at: State) -> list[tuple[tuple[int, int], State]]:
            return [((number, cells), to) for number, cells, to in board.moves(at)]

        found = shortest(state, moves, board.done, self.budget)
        return found and found._replace(witness=tuple(self._named(problem, *move) for move in found.witness))

    def start(self, problem: JSON) -> State:
        """The first position."""
        return tuple(problem["places"])

    def moves(self, problem: JSON, state: State) -> list[tuple[Move, State]]:
        """Every slide of every block."""
        board = _board(problem)
        return [(self._named(problem, number, cells), to) for number, cells, to in board.moves(state)]

    def fault(self, problem: JSON, state: State, move: Move) -> str:
        """What keeps a block from sliding."""
        name, way = move
        number = problem["names"].find(name.upper())
        if number < 0:
            return f"the blocks are {', '.join(sorted(problem['names']))}."
        across = problem["blocks"][number][0]
        if (way in ("left", "right")) != across:
            return f"block {name.upper()} slides {'left and right' if across else 'up and down'} only."
        return "the next cell is not free, or off the board."

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
            over.append(Text(x + wide // 2, y + high // 2, problem["names"][number], 22))
        names = numbered(board.size)
        return grid([[""] * board.size] * board.size, columns=names, lines=names, over=over)

    def write(self, move: Move) -> str:
        """Block and direction."""
        return f"{move[0].upper()} {move[1]}"

    def _named(self, problem: JSON, number: int, cells: int) -> Move:
        return problem["names"][number].lower(), _WORDS[problem["blocks"][number][0], cells > 0]


class FreeBlockSteps(Steps):
    """Slide blocks, one per message, until the key can leave the board."""

    puzzle = FreeBlock()
