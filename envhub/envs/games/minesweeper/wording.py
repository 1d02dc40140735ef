"""The prompt of minesweeper-v0.

Phrasings of the rules, and renderings of the board.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants, counted, in_picture
from envhub.core.types import JSON
from envhub.envs.games.minesweeper.minefield import CLOSED

_TASK: Final = Phrase(
    "Play Minesweeper: open every cell without a mine in at most {turns}.",
    "You play a game of Minesweeper. Open all cells that hold no mine, within {turns}.",
    "Clear this Minesweeper board by opening each of its safe cells. You have {turns}.",
    held_out="You are the player of a Minesweeper board. Uncover all cells that are free of mines, using no more than {turns}.",
)
_SIZE: Final = Phrase(
    "The board has {size} rows, numbered from 1 at the top, and {size} columns, numbered from 1 on the left.",
    "The board is {size} cells high and {size} cells wide. Row 1 is at the top, and column 1 is on the left.",
    "There are {size} rows, counted from the top, and {size} columns, counted from the left. Both counts begin at 1.",
    held_out="Cells have coordinates (row, column), each from 1 to {size}. Cell (1, 1) is the upper left corner.",
)
_MINES: Final = Phrase(
    "Mines in the board: {mines}. A cell holds at most one mine.",
    "The number of cells that hold a mine is {mines}.",
    "The board hides mines in {mines} of its cells, one in each.",
    held_out="The set of mined cells has {mines} members.",
)
_COUNTS: Final = Phrase(
    "An open cell shows how many of the up to eight cells around it hold a mine.",
    "The number in an open cell is the number of mines in the cells that touch it, at a side or at a corner.",
    "Each open cell shows the number of mines among its neighbours, of which there are up to eight, diagonal ones included.",
    held_out="The label of an open cell equals the number of mined cells at king's-move distance 1.",
)
_ZERO: Final = Phrase(
    "When a cell shows 0, the cells around it are opened as well.",
    "If an opened cell shows 0, all its neighbours are opened automatically, and so on from each new 0.",
    "Opening a cell with a 0 also opens every cell around it.",
    held_out="Opening propagates from each cell labelled 0 to all of its neighbours.",
)
_ONE: Final = Phrase(
    "Each message opens one cell, named by its row and then its column.",
    "Send one cell per message, its row first and then its column; this cell is opened.",
    "In every message you open exactly one cell. Give its row, then its column.",
    held_out="One message opens one cell, given as row and column in this order.",
)
_MINE: Final = Phrase(
    "If you open a cell that holds a mine, you lose.",
    "Opening a mine ends the game, and you lose.",
    "The game is lost as soon as you open a cell with a mine.",
    held_out="Opening a mined cell is an immediate loss.",
)
_WASTED: Final = Phrase(
    "Opening a cell that is already open changes nothing but still uses up a turn. So does a message that does not name a cell "
    "of the board.",
    "A message that names an open cell, or no cell of the board, uses up a turn and changes nothing.",
    "You lose a turn, and nothing happens, if the cell is already open or your message does not name a cell of the board.",
    held_out="Messages that name an open cell or no cell of the board are charged as turns without any effect.",
)
_CERTAIN: Final = Phrase(
    "You never need to guess: at every point, some closed cell is certain to be safe.",
    "The board can be solved without guessing, because there is always a closed cell that must be safe.",
    "At any time, at least one closed cell can be proved to hold no mine, so no guess is necessary.",
    held_out="In each reachable state, the absence of a mine is provable for at least one closed cell.",
)
_UNCERTAIN: Final = Phrase(
    "You may have to guess: it is not guaranteed that some closed cell is certain to be safe.",
    "Guessing may be necessary on this board, because there may be no cell that must be safe.",
    "Nothing guarantees that this board can be solved without a guess.",
    held_out="There may be states in which no closed cell is provably free of mines.",
)
_DRAWN: Final = Phrase(
    "Boards are drawn with row numbers on the left and column numbers at the top. # is a closed cell.",
    "In the drawing of a board, # marks a closed cell. Columns are numbered at the top, rows at the left edge.",
    "How to read the drawing of a board: # is a closed cell, the first line gives the columns, and each further line begins "
    "with the number of its row.",
    held_out="Legend of drawn boards: # closed; top margin: columns; left margin: rows.",
    seen=Phrase(
        "Pictures of the board have row numbers on the left and column numbers at the top. A grey cell is closed.",
        "In a picture of the board, closed cells are grey. Columns are numbered at the top, rows at the left edge.",
        "How to read a picture of the board: grey cells are closed, the numbers above it are columns, and the numbers to its "
        "left are rows.",
        held_out="Legend of pictured boards: grey: closed; top margin: columns; left margin: rows.",
    ),
)
_GOAL: Final = Phrase(
    "You succeed if every cell without a mine is open. You fail if you run out of turns.",
    "The game is won when all safe cells are open, and lost when no turns are left before that.",
    "Open all safe cells to succeed. If you use up your turns first, you fail.",
    held_out="Success means that precisely the mined cells are closed. Exhausting the turns is failure.",
)


def statement(problem: JSON) -> Statement:
    """A board before it is worded."""
    certain = _CERTAIN if problem["no_guess"] else _UNCERTAIN
    return Statement(
        task=_TASK,
        data=_DATA,
        problem=problem,
        rules=(_SIZE, _MINES, _COUNTS, _ZERO, _ONE, _MINE, _WASTED, certain, _DRAWN),
        note=_GOAL,
        values={"size": problem["size"], "mines": problem["mines"], "turns": counted(problem["turns"], "turn")},
        frames=GAME_FRAMES,
    )


def drawn(size: int, seen: str) -> str:
    """The board with numbered rows and columns."""
    return "\n".join([_header(size), *(_row(at, marks) for at, marks in enumerate(_rows(size, seen), 1))])


@lru_cache(maxsize=16)
def _header(size: int) -> str:
    return "   " + "".join(f"{column:>3}" for column in range(1, size + 1))


@lru_cache(maxsize=1 << 14)
def _row(number: int, marks: str) -> str:
    return f"{number:>3}" + "".join(f"{mark:>3}" for mark in marks)


def _rows(size: int, seen: str) -> list[str]:
    return [seen[at : at + size] for at in range(0, len(seen), size)]


def _drawing(problem: JSON) -> str:
    return f"{_opened(problem)}\n\n{drawn(problem['size'], problem['seen'])}"


def _in_lines(problem: JSON) -> str:
    rows = [f"Row {at}: {' '.join(marks)}" for at, marks in enumerate(_rows(problem["size"], problem["seen"]), 1)]
    return "\n".join([_opened(problem), "", *rows])


def _as_json(problem: JSON) -> str:
    rows = [
        [None if mark == CLOSED else int(mark) for mark in marks] for marks in _rows(problem["size"], problem["seen"])
    ]
    return f"{_opened(problem)} The rows of the board as JSON, where null is a closed cell:\n\n{json.dumps(rows)}"


def _as_cells(problem: JSON) -> str:
    size = problem["size"]
    known = [
        f"({at // size + 1}, {at % size + 1}): {mark}" for at, mark in enumerate(problem["seen"]) if mark != CLOSED
    ]
    return f"Open cells so far, as (row, column): label. Every other cell is closed.\n{'; '.join(known)}"


def _opened(problem: JSON) -> str:
    row, column = divmod(problem["start"], problem["size"])
    return f"The cell in row {row + 1}, column {column + 1} has been opened for you."


_DATA: Final[Variants[Rendering]] = Variants(
    _drawing,
    _in_lines,
    _as_json,
    held_out=_as_cells,
    name="data",
    seen=in_picture(
        "The picture shows the board.",
        "The board is drawn in the picture.",
        "See the picture for the board.",
        held_out="The attached figure depicts the board.",
        rest=_opened,
    ),
)
