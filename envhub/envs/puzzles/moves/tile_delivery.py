"""tile-delivery-v0: slide tiles so that some of them get to given cells.

Action: the numbers of the tiles that slide into the gap, in order: ``15, 3, 4``. Right if every named tile lies in its cell at
the end, wherever the others are. Difficulty: a larger board, more named tiles, fewer spare moves; the shortest solution is
proved by search over the places of the gap and of the named tiles, and effort is the number of states it visits. Names of the
tiles, and rotations and reflections of the board, are not content.
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
    Numbers,
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
from envhub.generators.state_space.search import shortest
from envhub.scenes.grid import Tile, grid

State = tuple[int, ...]


def _rows(problem: JSON, state: Sequence[int]) -> list[Sequence[int]]:
    return [state[at : at + problem["size"]] for at in range(0, len(state), problem["size"])]


def _line(problem: JSON, state: Sequence[int]) -> str:
    return "\n".join(" ".join(f"{tile or '.':>2}" for tile in row) for row in _rows(problem, state))


def _wanted(problem: JSON) -> str:
    cells = (divmod(cell, problem["size"]) for _, cell in problem["goals"])
    parts = [
        f"tile {tile} to row {r + 1}, column {c + 1}" for (tile, _), (r, c) in zip(problem["goals"], cells, strict=True)
    ]
    return f"Bring {' and '.join(parts)}."


def _drawn(problem: JSON) -> str:
    return f"The board, with a dot for the gap:\n\n{_line(problem, problem['board'])}\n\n{_wanted(problem)}"


def _as_json(problem: JSON) -> str:
    rows = json.dumps(_rows(problem, problem["board"]))
    return f"{_wanted(problem)} The rows of the board from top to bottom, 0 is the gap:\n\n{rows}"


def _in_lines(problem: JSON) -> str:
    rows = enumerate(_rows(problem, problem["board"]), 1)
    text = "\n".join(f"Row {at}: {', '.join(str(tile) if tile else 'gap' for tile in row)}" for at, row in rows)
    return f"{text}\n\n{_wanted(problem)}"


def _barred(problem: JSON) -> str:
    rows = "\n".join(
        "| " + " | ".join(str(t) if t else "_" for t in row) + " |" for row in _rows(problem, problem["board"])
    )
    return f"{_wanted(problem)} Board (_ is the gap):\n\n{rows}"


class TileDelivery(StatePuzzle):
    """Slide tiles so that named tiles get to their cells."""

    Params = levels(
        size=knob("side of the board", 4, 4, 5, 5, 6, 4, 5, 5, 5, 6, at_least=3, at_most=7),
        goals=knob("number of named tiles", 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, at_least=1, at_most=2),
        least=knob("shortest solution, in moves", 5, 8, 10, 14, 17, 15, 18, 19, 21, 23, at_least=1, at_most=60),
        spare=knob("moves that may be wasted", 4, 4, 4, 4, 4, 3, 3, 2, 1, 0, at_most=40),
    )
    answer = Numbers()
    budget = 60_000
    task = Phrase(
        "Slide the tiles of this {size}x{size} board so that {named} in the wanted cell.",
        "This is a sliding puzzle with {size} rows and {size} columns. Find moves after which {named} in the wanted place.",
        "Plan how to slide the tiles on a board of {size} by {size} until {named} in the right cell.",
        held_out="Determine a sequence of slides on the {size}x{size} board after which {named} in the target cell.",
    )
    rules = (
        Phrase(
            "One cell is the gap. A move slides a tile that shares a side with the gap into it; the gap is then where the "
            "tile was.",
            "A tile that shares a side with the gap, the one empty cell, can slide into it and leaves the gap behind.",
            "In one move, a tile changes places with the gap. The two must have a side in common.",
            held_out="A move exchanges the gap with a tile in an orthogonally adjacent cell.",
        ),
        Phrase(
            "It does not matter where the other tiles are at the end.",
            "All other tiles may end up anywhere.",
            "Only the wanted places count. The rest of the board may be in any order.",
            held_out="The final positions of all remaining tiles are irrelevant.",
        ),
        Phrase(
            "Rows are counted from the top and columns from the left, both from 1.",
            "Row 1 is at the top, and column 1 is on the left.",
            "Counting begins with 1, at the top for rows and on the left for columns.",
            held_out="Row and column indices start at 1 in the upper left corner.",
        ),
    )
    moves_rule = Phrase(
        "Write a move as the number of the tile that slides into the gap.",
        "Name only the tile that slides; there is one place it can go.",
        "A move is the number on the tile that slides into the gap.",
        held_out="Notation: a move is denoted by the label of the sliding tile.",
    )
    data = Variants(
        _drawn,
        _as_json,
        _in_lines,
        held_out=_barred,
        name="board",
        seen=in_picture(
            "The picture shows the board; the dark cell is the gap.",
            "See the picture for the tiles and the gap, which is dark.",
            "The board is drawn in the picture, with the gap as a dark cell.",
            held_out="The attached figure depicts the board; the dark cell is the gap.",
            rest=_wanted,
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """A random board and goals that are not reached."""
        count = p.size**2
        board = rng.sample(range(count), count)
        tiles, cells = rng.sample(range(1, count), p.goals), rng.sample(range(count), p.goals)
        goals = [list(pair) for pair in sorted(zip(tiles, cells, strict=True))]
        places = (board.index(0), *(board.index(tile) for tile, _ in goals))
        if _bound(p.size, places, [cell for _, cell in goals]) < p.least // 2:
            return None
        return {"size": p.size, "board": board, "goals": goals}

    def canonical(self, content: JSON) -> JSON:
        """Gap, named tiles and goals, in the least rotation or reflection."""
        size, forms = content["size"], []
        for turn in TURNS:
            cells = list(turned(range(size * size), size, size, turn))
            board = [content["board"][cell] for cell in cells]
            pairs = sorted([board.index(tile), cells.index(cell)] for tile, cell in content["goals"])
            forms.append([board.index(0), pairs])
        return [size, min(forms)]

    def values(self, problem: JSON) -> dict[str, Any]:
        """The named tiles in words."""
        names = " and ".join(f"tile {tile}" for tile, _ in problem["goals"])
        return {**super().values(problem), "named": f"{names} {'is' if len(problem['goals']) == 1 else 'are each'}"}

    def best(self, problem: JSON, state: Any) -> Optimum | None:
        """The shortest way of the gap and the named tiles."""
        size, goals = problem["size"], problem["goals"]
        start = (state.index(0), *(state.index(tile) for tile, _ in goals))

        def moves(places: State) -> list[tuple[int, State]]:
            return [(to, _slid(places, to)) for to in _beside(size, places[0])]

        cells = [cell for _, cell in goals]

        def done(places: State) -> bool:
            return list(places[1:]) == cells

        found = shortest(start, moves, done, self.budget, lambda places: _bound(size, places, cells))
        if found is None:
            return None
        board, tiles = list(state), []
        for to in found.witness:
            gap = board.index(0)
            tiles.append((str(board[to]),))
            board[gap], board[to] = board[to], 0
        return Optimum(found.value, tuple(tiles), found.steps)

    def start(self, problem: JSON) -> State:
        """The board."""
        return tuple(problem["board"])

    def moves(self, problem: JSON, state: State) -> list[tuple[Move, State]]:
        """The tiles beside the gap."""
        gap, found = state.index(0), list[tuple[Move, State]]()
        for to in _beside(problem["size"], gap):
            board = list(state)
            board[gap], board[to] = board[to], 0
            found.append(((str(state[to]),), tuple(board)))
        return found

    def fault(self, problem: JSON, state: State, move: Move) -> str:
        """A tile that is not beside the gap."""
        return "this tile does not touch the gap." if int(move[0]) < len(state) else "there is no such tile."

    def done(self, problem: JSON, state: State) -> bool:
        """All named tiles are in place."""
        return all(state[cell] == tile for tile, cell in problem["goals"])

    def lines(self, problem: JSON, state: State) -> str:
        """The board, a dot for the gap."""
        return _line(problem, state)

    def look(self, problem: JSON, state: State) -> Scene:
        """The board, the gap dark."""
        tiles = [Tile(str(tile)) if tile else Tile(fill="dark") for tile in state]
        names = [str(at + 1) for at in range(problem["size"])]
        return grid(_rows(problem, tiles), columns=names, lines=names)  # type: ignore[arg-type]

    def effort(self, inst: Instance) -> float:
        """States that the search visits."""
        return float(inst.key["steps"])

    def write(self, move: Move) -> str:
        """The number of the tile."""
        return move[0]


@lru_cache(maxsize=256)
def _beside(size: int, cell: int) -> tuple[int, ...]:
    row, column = divmod(cell, size)
    ways = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return tuple(r * size + c for r, c in ways if 0 <= r < size and 0 <= c < size)


def _slid(places: State, to: int) -> State:
    return (to, *(places[0] if at == to else at for at in places[1:]))


@lru_cache(maxsize=4096)
def _far(size: int, one: int, other: int) -> int:
    (a, b), (c, d) = divmod(one, size), divmod(other, size)
    return abs(a - c) + abs(b - d)


def _bound(size: int, places: State, cells: Sequence[int]) -> int:
    """Moves that are left at least.

    Each step of a named tile takes a move, and between two steps of it the gap needs two more to get to its other side.
    """
    apart = [_far(size, at, cell) for at, cell in zip(places[1:], cells, strict=True)]
    most = sum(apart)
    for at, cell, far in zip(places[1:], cells, apart, strict=True):
        if far:
            nearer = (to for to in _beside(size, at) if _far(size, to, cell) < far)
            most = max(most, 3 * far - 2 + min(_far(size, places[0], to) for to in nearer))
    return most
