"""lights-out-v0: press cells so that all lights go out.

Action: the cells to press, ``b3, c1``. A press switches the cell and its neighbours. Right if all
lights are out at the end, with few enough presses. Difficulty: a larger board, and fewer spare presses; the least number of
presses is proved by linear algebra over two elements, and effort is the number of row operations. Rotations and reflections
are the same problem.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from envhub.families.state_puzzle_kit import (
    JSON,
    Instance,
    Move,
    Phrase,
    Presses,
    Scene,
    StatePuzzle,
    Stream,
    Variants,
    counted,
    in_picture,
    knob,
    levels,
)
from envhub.generators.cells.board import TURNS, turned
from envhub.generators.optimum import Optimum
from envhub.scenes.grid import Tile, grid

_MOST_FREE = 8


@lru_cache(maxsize=16)
def _masks(height: int, width: int) -> tuple[int, ...]:
    """The cells that each press switches, as bits."""
    found = []
    for row in range(height):
        for column in range(width):
            near = ((row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            found.append(sum(1 << r * width + c for r, c in near if 0 <= r < height and 0 <= c < width))
    return tuple(found)


@lru_cache(maxsize=16)
def _reduced(height: int, width: int) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...], int]:
    """A basis of the effects of presses.

    Returns independent effects with the presses that make them, presses without effect, and the number of row operations.

    Each effect has a highest light that no other one has.
    """
    rows: list[tuple[int, int]] = []
    idle: list[int] = []
    operations = 0
    for cell, effect in enumerate(_masks(height, width)):
        presses = 1 << cell
        for other, made in rows:
            if effect >> other.bit_length() - 1 & 1:
                effect, presses, operations = effect ^ other, presses ^ made, operations + 1
        if not effect:
            idle.append(presses)
            continue
        top = effect.bit_length() - 1
        rows = [(a ^ effect, b ^ presses) if a >> top & 1 else (a, b) for a, b in rows]
        rows.append((effect, presses))
        rows.sort(reverse=True)
    return tuple(rows), tuple(idle), operations


def least_presses(height: int, width: int, lit: int) -> tuple[int, int] | None:
    """A least set of presses that puts all lights out, as bits.

    Returns the number of row operations and compared sets as well; None if no presses do it.
    """
    rows, idle, operations = _reduced(height, width)
    presses = 0
    for effect, made in rows:
        if lit >> effect.bit_length() - 1 & 1:
            lit, presses, operations = lit ^ effect, presses ^ made, operations + 1
    if lit:
        return None
    sets = [presses]
    for spare in idle[:_MOST_FREE]:
        sets += [other ^ spare for other in sets]
    return min(sets, key=lambda each: (each.bit_count(), each)), operations + len(sets)


def _drawing(problem: JSON, lit: Sequence[int]) -> str:
    width = problem["width"]
    rows = [" ".join("#" if on else "." for on in lit[at : at + width]) for at in range(0, len(lit), width)]
    head = "   " + " ".join("abcdefghijkl"[:width])
    return "\n".join([head, *(f"{number:>2} {row}" for number, row in enumerate(rows, 1))])


def _drawn(problem: JSON) -> str:
    return f"The lights; # is on and . is off:\n\n{_drawing(problem, problem['lit'])}"


def _as_json(problem: JSON) -> str:
    width, lit = problem["width"], problem["lit"]
    rows = [[int(bool(on)) for on in lit[at : at + width]] for at in range(0, len(lit), width)]
    return f"The rows of lights from top to bottom as JSON; 1 is on and 0 is off:\n\n{json.dumps(rows)}"


def _named(problem: JSON, on: int) -> str:
    width = problem["width"]
    cells = [
        f"{'abcdefghijkl'[at % width]}{at // width + 1}"
        for at, lit in enumerate(problem["lit"])
        if bool(lit) == bool(on)
    ]
    return ", ".join(cells)


def _which(problem: JSON) -> str:
    return f"These lights are on: {_named(problem, 1)}. All others are off."


def _both(problem: JSON) -> str:
    return f"on = {{{_named(problem, 1)}}}; off = {{{_named(problem, 0)}}}"


class LightsOut(StatePuzzle):
    """Press cells so that all lights go out."""

    Params = levels(
        height=knob("number of rows", 3, 3, 3, 4, 4, 5, 5, 6, 6, 7, at_least=2, at_most=9),
        width=knob("number of columns", 4, 4, 5, 4, 5, 5, 6, 6, 7, 7, at_least=2, at_most=9),
        least=knob("least number of presses", 3, 4, 4, 4, 6, 8, 10, 13, 15, 17, at_least=1, at_most=40),
        spare=knob("presses that may be wasted", 2, 2, 2, 2, 2, 1, 1, 1, 1, 0, at_most=40),
    )
    answer = Presses()
    task = Phrase(
        "Put out all lights on this board of {height} and {width} by pressing cells.",
        "Solve this Lights Out puzzle of {height} and {width}: press cells until no light is on.",
        "Which cells must be pressed so that all lights of this board with {height} and {width} are off?",
        held_out="Determine a set of presses that switches off every light of the board ({height}, {width}).",
    )
    rules = (
        Phrase(
            "Pressing a cell switches its light and the lights of all cells that share a side with it: those that are on go "
            "off, and those that are off go on.",
            "A press changes the light of the pressed cell and of each cell that shares a side with it, from off to on or "
            "from on to off.",
            "When you press a cell, it and the cells at its four sides change: lights that are on go off, and the others go "
            "on. At the edge there are fewer of them.",
            held_out="A press toggles the pressed cell and its orthogonal neighbours.",
        ),
        Phrase(
            "Columns are named by letters from the left, beginning with a, and rows by numbers from the top, beginning with "
            "1. Cell b3 is in the second column and the third row.",
            "A cell is named by its column and its row: columns are a, b, c and so on from the left, rows 1, 2, 3 and so on "
            "from the top. So b3 is the third cell of the second column.",
            "The name of a cell is a letter for its column, counted from the left, and a number for its row, counted from "
            "the top; b3 means column 2, row 3.",
            held_out="Cells have names such as b3: column letter (a is leftmost), then row number (1 is topmost).",
        ),
    )
    moves_rule = Phrase(
        "List the cells to press. Their order does not matter.",
        "Give the names of all cells that you press, in any order.",
        "Name every cell that is to be pressed. You may list them in any order.",
        held_out="The answer is the list of pressed cells; its order is irrelevant.",
    )
    data = Variants(
        _drawn,
        _as_json,
        _which,
        held_out=_both,
        name="lights",
        seen=in_picture(
            "The picture shows the board. Yellow cells are on, and dark cells are off.",
            "See the picture for the lights: yellow is on, dark is off.",
            "The board is drawn in the picture, with lights that are on in yellow and the others dark.",
            held_out="The attached figure depicts the board; yellow denotes on, dark denotes off.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Random presses on a dark board."""
        lit = 0
        for mask in _masks(p.height, p.width):
            lit ^= mask * rng.below(2)
        return {"height": p.height, "width": p.width, "lit": [lit >> at & 1 for at in range(p.height * p.width)]}

    def canonical(self, content: JSON) -> JSON:
        """The least rotation or reflection."""
        height, width = content["height"], content["width"]
        return min([width if turn & 1 else height, list(turned(content["lit"], height, width, turn))] for turn in TURNS)

    def values(self, problem: JSON) -> dict[str, Any]:
        """Rows, columns and presses in words."""
        return {
            **super().values(problem),
            "height": counted(problem["height"], "row"),
            "width": counted(problem["width"], "column"),
        }

    def best(self, problem: JSON, state: Any) -> Optimum | None:
        """The least presses, by linear algebra."""
        found = least_presses(problem["height"], problem["width"], sum(on << at for at, on in enumerate(state)))
        if found is None:
            return None
        presses, steps = found
        cells = [at for at in range(len(state)) if presses >> at & 1]
        return Optimum(len(cells), tuple(self._name(problem, at) for at in cells), steps)

    def start(self, problem: JSON) -> tuple[int, ...]:
        """The lights."""
        return tuple(problem["lit"])

    def moves(self, problem: JSON, state: tuple[int, ...]) -> list[tuple[Move, tuple[int, ...]]]:
        """A press of every cell."""
        masks = _masks(problem["height"], problem["width"])
        return [
            (self._name(problem, at), tuple(on ^ (mask >> light & 1) for light, on in enumerate(state)))
            for at, mask in enumerate(masks)
        ]

    def after(self, problem: JSON, state: tuple[int, ...], move: Move) -> tuple[int, ...] | None:
        """The lights after a press; None if there is no such cell."""
        column, row = ord(move[0]) - ord("a"), int(move[1]) - 1
        if column >= problem["width"] or row >= problem["height"]:
            return None
        mask = _masks(problem["height"], problem["width"])[row * problem["width"] + column]
        return tuple(on ^ (mask >> light & 1) for light, on in enumerate(state))

    def fault(self, problem: JSON, state: Any, move: Move) -> str:
        """A cell off the board."""
        last = "".join(self._name(problem, len(problem["lit"]) - 1))
        return f"the last cell of the board is {last}."

    def done(self, problem: JSON, state: tuple[int, ...]) -> bool:
        """No light is on."""
        return not any(state)

    def lines(self, problem: JSON, state: tuple[int, ...]) -> str:
        """The board in signs."""
        return _drawing(problem, state)

    def look(self, problem: JSON, state: tuple[int, ...]) -> Scene:
        """The board, lights that are on in yellow."""
        height, width = problem["height"], problem["width"]
        tiles = [Tile(fill="yellow" if on else "dark") for on in state]
        rows = [tiles[at : at + width] for at in range(0, len(tiles), width)]
        return grid(rows, columns=list("abcdefghijkl"[:width]), lines=[str(at + 1) for at in range(height)])

    def effort(self, inst: Instance) -> float:
        """Row operations, and sets of presses that are compared."""
        return float(inst.key["steps"])

    def write(self, move: Move) -> str:
        """The name of the cell."""
        return "".join(move)

    def _name(self, problem: JSON, at: int) -> Move:
        row, column = divmod(at, problem["width"])
        return "abcdefghijkl"[column], str(row + 1)
