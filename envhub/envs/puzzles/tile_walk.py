"""tile-walk-v0: follow movement instructions on a board with special tiles.

Action: the last cell, ``c4``. Walls stop a step, jumpers and repeaters carry the walker on, bouncers send it back, portals move
it to their twin, and traps cost the next instruction. Difficulty: a larger board, more instructions, more tiles; effort is the
number of cells that the walker enters or tries to enter. Rotations and reflections are not folded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final, NamedTuple

from envhub.authoring.wording import counted, in_picture
from envhub.families.value_kit import JSON, Instance, Phrase, Stream, Value, Variants, knob, levels
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, grid
from envhub.verifiers.answers.choices import Square

_WAYS: Final = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_KINDS: Final = "####JRBT"  # half of the tiles are walls
_CARRIES: Final = {"J": 2, "R": 1, "B": -2}
_EFFECTS: Final = "JRBT123456789"
_LONGEST: Final = 8
_LOOKS: Final = {
    "#": Tile(fill="dark"),
    ".": Tile(),
    "P": Tile("P", disc="orange"),
    "J": Tile("J", fill="green"),
    "R": Tile("R", fill="yellow"),
    "B": Tile("B", fill="pink"),
    "T": Tile("T", fill="purple"),
}


class Walked(NamedTuple):
    """The result of a walk.

    The last cell, the number of cells entered or tried, the entered tiles by sign, and whether the tiles carry on for ever.
    """

    cell: tuple[int, int]
    entered: int
    effects: dict[str, int]
    endless: bool


def walk(board: Sequence[str], steps: Sequence[str], ignored: str = "") -> Walked:
    """Follow instructions from P.

    Tiles whose sign is ignored are taken for free cells (walls cannot be).
    """
    twins: dict[str, list[tuple[int, int]]] = {}
    row, column = 0, 0
    for r, line in enumerate(board):
        for c, sign in enumerate(line):
            if sign == "P":
                row, column = r, c
            elif sign.isdigit():
                twins.setdefault(sign, []).append((r, c))
    entered, caught, effects = 0, False, dict[str, int]()

    def open_at(r: int, c: int) -> bool:
        return 0 <= r < len(board) and 0 <= c < len(board[0]) and board[r][c] != "#"

    for step in steps:
        if caught:
            caught = False
            continue
        (down, right), reach, chain = _WAYS[step], 1, 0
        while reach:
            entered += 1
            to = row + reach * down, column + reach * right
            if not open_at(*to):
                break
            if reach < 0:
                down, right = -down, -right
            (row, column), sign = to, board[to[0]][to[1]]
            sign = "." if sign in ignored else sign
            effects[sign] = effects.get(sign, 0) + 1
            reach, chain = _CARRIES.get(sign, 0), chain + 1
            if sign.isdigit():
                row, column = next(cell for cell in twins[sign] if cell != to)
            caught = sign == "T"
            if chain > _LONGEST:
                return Walked((row, column), entered, effects, True)
    return Walked((row, column), entered, effects, False)


def _name(cell: tuple[int, int]) -> str:
    return f"{_LETTERS[cell[1]]}{cell[0] + 1}"


def _steps(problem: JSON) -> str:
    return f"Instructions: {', '.join(problem['steps'])}."


def _drawn(problem: JSON) -> str:
    board = problem["board"]
    rows = [f"{at:>2} {' '.join(row)}" for at, row in enumerate(board, 1)]
    return "\n".join(["The board:", "", "   " + " ".join(_LETTERS[: len(board[0])]), *rows, "", _steps(problem)])


def _as_json(problem: JSON) -> str:
    rows = json.dumps(problem["board"])
    return f"The rows of the board from top to bottom as JSON, one sign per cell:\n\n{rows}\n\n{_steps(problem)}"


def _in_lines(problem: JSON) -> str:
    rows = "\n".join(f"Row {at}: {' '.join(row)}" for at, row in enumerate(problem["board"], 1))
    return f"{_steps(problem)}\n\n{rows}"


def _by_kind(problem: JSON) -> str:
    found: dict[str, list[str]] = {}
    for r, line in enumerate(problem["board"]):
        for c, sign in enumerate(line):
            if sign != ".":
                found.setdefault(sign, []).append(_name((r, c)))
    lines = "\n".join(f"{sign}: {', '.join(cells)}" for sign, cells in sorted(found.items()))
    size = f"{counted(len(problem['board']), 'row')} and {counted(len(problem['board'][0]), 'column')}"
    return f"Cells by their sign, on a board of {size}; all other cells are free (.):\n\n{lines}\n\n{_steps(problem)}"


class TileWalk(Value):
    """Follow movement instructions on a board with special tiles."""

    Params = levels(
        size=knob("side of the board", 6, 7, 7, 8, 9, 10, 11, 12, 13, 15, at_least=5, at_most=20),
        steps=knob("number of instructions", 5, 8, 11, 14, 18, 22, 27, 33, 40, 50, at_least=1, at_most=200),
        tiles=knob(
            "percentage of cells with walls and tiles", 22, 25, 28, 30, 32, 34, 36, 38, 40, 42, at_least=5, at_most=60
        ),
        portals=knob("pairs of portals", 1, 1, 2, 2, 3, 3, 4, 5, 6, 7, at_least=0, at_most=9),
    )
    answer = Square(size=26)
    pictured: ClassVar[bool] = True
    separable: ClassVar[bool] = True
    task = Phrase(
        "You stand on P. Follow the instructions one after the other. On which cell do you stand at the end?",
        "Start at P on this board and follow all instructions in order. Name the cell where you end.",
        "A walker on P carries out the instructions in order. Find the cell on which the walker stands after the last one.",
        held_out="Simulate the instructions from P, in order, and determine the final cell.",
    )
    rules = (
        Phrase(
            "An instruction moves you one cell up, down, left or right. If that cell is a wall (#) or off the board, you stay.",
            "Each instruction is a step to the next cell in its direction. Walls (#) and the edge of the board stop it: then "
            "you stay where you are.",
            "With each instruction you step to the neighbouring cell in this direction, unless there is a wall (#) or the "
            "board ends; then nothing happens.",
            held_out="An instruction is a unit step; steps into walls (#) or off the board have no effect.",
            seen=Phrase(
                "An instruction moves you one cell up, down, left or right. If that cell is a wall, which is dark, or off the "
                "board, you stay.",
                "Each instruction is a step to the next cell in its direction. Walls, which are dark, and the edge of the "
                "board stop it: then you stay where you are.",
                "With each instruction you step to the neighbouring cell in this direction, unless it is a dark wall or the "
                "board ends; then nothing happens.",
                held_out="An instruction is a unit step; steps into walls (dark) or off the board have no effect.",
            ),
        ),
        Phrase(
            "A jumper (J) carries you two cells further in the direction in which you are moving; the cell in between does "
            "not matter. A repeater (R) carries you one cell further.",
            "From a jumper (J) you fly on over one cell and land two cells further in the same direction. From a repeater (R) "
            "you move on by one cell.",
            "When you enter a jumper (J), you move on by two cells in the same direction, without touching the cell between. "
            "When you enter a repeater (R), you move on by one cell.",
            held_out="J translates you by two further cells in the current direction (the skipped cell has no effect), and R "
            "by one.",
        ),
        Phrase(
            "A bouncer (B) sends you two cells back, past the cell in between, and from then on you are moving in the opposite "
            "direction.",
            "From a bouncer (B) you are thrown back by two cells, over the cell in between. You are then moving the other way.",
            "When you enter a bouncer (B), you land two cells behind it, seen in the direction in which you were moving, and "
            "that direction is reversed. The cell between does not matter.",
            held_out="B translates you by two cells against the current direction (the skipped cell has no effect) and "
            "reverses this direction.",
        ),
        Phrase(
            "The cell where you land has its own effect as well. If it is a wall or off the board, you stay on the tile that "
            "would have carried you.",
            "Wherever you land, the tile there acts too. But if you would land on a wall or off the board, you remain on the "
            "jumper, repeater or bouncer.",
            "Landing on another tile sets it off. A tile that would carry you to a wall or off the board does nothing: you "
            "stay on it.",
            held_out="Effects chain. A translation whose target is a wall or outside is cancelled, and you stay on that tile.",
        ),
        Phrase(
            "Entering a portal, which is a number, takes you to the other portal with the same number. You stay there, and "
            "your next step begins there.",
            "Numbers are portals in pairs: if you enter one, you are moved to its twin with the same number, where you stop.",
            "A portal (a number) moves you to the other cell with its number, and there you stop.",
            held_out="Digits denote paired portals: entering one relocates you to its twin, which has no further effect.",
        ),
        Phrase(
            "If you enter a trap (T), your next instruction is lost.",
            "A trap (T) costs you the next instruction: it is skipped.",
            "After you enter a trap (T), the next instruction does nothing.",
            held_out="Entering T cancels the subsequent instruction.",
        ),
        Phrase(
            "Columns are named by letters from the left, beginning with a, and rows by numbers from the top, beginning with 1. "
            "P is a free cell, like every cell with a dot.",
            "Cell a1 is the upper left one: letters are columns, numbers are rows, counted from the top. P and cells with a "
            "dot are free.",
            "A cell is named by the letter of its column and the number of its row; a1 is the upper left cell. The cells with "
            "P or a dot are free.",
            held_out="Cells are named by column letter and row number (a1 is the upper left). P and dots denote free cells.",
            seen=Phrase(
                "Columns are named by letters from the left, beginning with a, and rows by numbers from the top, beginning "
                "with 1. P is a free cell, like every empty one.",
                "Cell a1 is the upper left one: letters are columns, numbers are rows, counted from the top. P and empty cells "
                "are free.",
                "A cell is named by the letter of its column and the number of its row; a1 is the upper left cell. The cell "
                "with P and those without a sign are free.",
                held_out="Cells are named by column letter and row number (a1 is the upper left). P and blank cells are free.",
            ),
        ),
    )
    data = Variants(
        _drawn,
        _as_json,
        _in_lines,
        held_out=_by_kind,
        name="board",
        seen=in_picture(
            "The picture shows the board.",
            "See the picture for the board and its tiles.",
            "The board is drawn in the picture.",
            held_out="The attached figure depicts the board.",
            rest=_steps,
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A random board, and steps that enter several tiles."""
        cells = rng.sample(range(p.size**2), max(1 + 2 * p.portals, p.size**2 * p.tiles // 100))
        signs = ["."] * p.size**2
        for number, cell in enumerate(cells):
            portal = str(1 + (number - 1) // 2) if number <= 2 * p.portals else rng.choice(_KINDS)
            signs[cell] = portal if number else "P"
        text = "".join(signs)
        board = [text[at : at + p.size] for at in range(0, len(text), p.size)]
        steps = [rng.choice(tuple(_WAYS)) for _ in range(p.steps)]
        walked = walk(board, steps)
        if walked.endless or walk(board, steps, _EFFECTS).cell == walked.cell:
            return None
        acting = sum(count for sign, count in walked.effects.items() if sign not in ".P")
        return {"board": board, "steps": steps} if acting * 5 >= p.steps else None

    def value(self, problem: JSON) -> str:
        """By following the instructions."""
        return _name(walk(problem["board"], problem["steps"]).cell)

    def slips(self, problem: JSON) -> Iterator[str]:
        """All tiles ignored, one kind ignored, and the last step forgotten."""
        yield from (_name(one.cell) for one in self._slipped(problem["board"], problem["steps"]))

    def example(self, problem: JSON) -> str:
        """A corner that is not the answer."""
        return "a1" if self.value(problem) != "a1" else "b1"

    def scene(self, inst: Instance, state: Any) -> Scene:
        """The board with its tiles."""
        board = inst.problem["board"]
        looks = {**_LOOKS, **{str(digit): Tile(str(digit), fill="cyan") for digit in range(1, 10)}}
        rows = [[looks[sign] for sign in row] for row in board]
        return grid(rows, columns=list(_LETTERS[: len(board[0])]), lines=[str(at + 1) for at in range(len(board))])

    def effort(self, inst: Instance) -> float:
        """Cells that the walker enters or tries to enter, and instructions."""
        return float(walk(inst.problem["board"], inst.problem["steps"]).entered + len(inst.problem["steps"]))

    def _slipped(self, board: Sequence[str], steps: Sequence[str]) -> list[Walked]:
        kinds = [_EFFECTS, "J", "R", "B", "T", "123456789"]
        found = [walk(board, steps, ignored) for ignored in kinds]
        return [*(one for one in found if not one.endless), walk(board, steps[:-1])]
