"""Blocks that slide along their lines on a square board.

::

    board = Board(6, (Block(True, 2, 2), Block(False, 5, 3)))    # block 0 is the key; it leaves at the right end of its row
    board.moves((0, 1))      # [(0, 1, (1, 1)), ...]: block, 1 or -1 (left or up), state after it

A state is the place of each block along its line. All blocks fit the board, and none overlap.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from envhub.core.seeding import Stream

State = tuple[int, ...]


class Block(NamedTuple):
    """A block.

    Attributes:
        across: Whether it slides left and right.
        line: Its row if so, else its column.
        length: Number of its cells.
    """

    across: bool
    line: int
    length: int


class Board:
    """A square board with blocks; block 0 is the key."""

    def __init__(self, size: int, blocks: Sequence[Block]) -> None:
        self.size = size
        self.blocks = tuple(blocks)

    @cached_property
    def masks(self) -> list[list[int]]:
        """The cells of each block at each of its places, as bits."""
        return [
            [sum(1 << cell for cell in self.cells(number, at)) for at in range(self.size - block.length + 1)]
            for number, block in enumerate(self.blocks)
        ]

    def cells(self, number: int, at: int) -> list[int]:
        """The cells of a block at a place."""
        block = self.blocks[number]
        line = range(at, at + block.length)
        return (
            [block.line * self.size + c for c in line] if block.across else [r * self.size + block.line for r in line]
        )

    def moves(self, state: State) -> list[tuple[int, int, State]]:
        """Every slide: the block, 1 or -1, the state after it."""
        occupied = 0
        for mask, at in zip(self.masks, state, strict=True):
            occupied |= mask[at]
        found = []
        for number, (mask, at) in enumerate(zip(self.masks, state, strict=True)):
            others = occupied & ~mask[at]
            for step in (-1, 1):
                to = at + step
                if 0 <= to < len(mask) and not mask[to] & others:
                    found.append((number, step, (*state[:number], to, *state[number + 1 :])))
        return found

    def done(self, state: State) -> bool:
        """Whether the key is at the right end of its row."""
        return state[0] == self.size - self.blocks[0].length


def drawn(rng: Stream, size: int, blocks: int) -> tuple[Board, State] | None:
    """A random board with the key and other blocks.

    None if the blocks did not fit.
    """
    line = (size - 1) // 2
    made, places = [Block(True, line, 2)], [rng.below(size - 2)]
    board = Board(size, made)
    occupied = sum(1 << cell for cell in board.cells(0, places[0]))
    for _ in range(blocks * 12):
        if len(made) == blocks:
            return Board(size, made), tuple(places)
        block = Block(rng.below(2) == 0, rng.below(size), 2 + (rng.below(3) == 0))
        if block.across and block.line == line:
            continue  # a block in the row of the key could never let it pass
        if not block.across and block.line > places[0] + 1 and block.length > max(line, size - 1 - line):
            continue  # nor could one that is too long to leave this row
        at = rng.below(size - block.length + 1)
        mask = sum(1 << cell for cell in Board(size, [block]).cells(0, at))
        if not mask & occupied:
            made.append(block)
            places.append(at)
            occupied |= mask
    return (Board(size, made), tuple(places)) if len(made) == blocks else None
