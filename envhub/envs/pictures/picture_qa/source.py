"""Source: a game or puzzle whose positions are asked about.

A source draws positions by the generator of its environment and shows them as rows of symbols and as a scene. Its engine
answers what follows from the rules::

    source = SOURCES["othello"]
    state = source.draw(rng, level=3)
    source.view(state).rows         # the symbols of the cells
    source.play(state, "d3")        # the next position
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final, NamedTuple

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.families.pieces import EMPTY, Picture, Pieces
from envhub.scenes import Scene
from envhub.scenes.grid import Tile, counted, grid, lettered

Rows = Sequence[Sequence[str]]
Cell = tuple[int, int]

BLANK: Final = "empty"
"""The word for a cell that shows nothing."""


class View(NamedTuple):
    """What there is to see in a position.

    Attributes:
        rows: The symbols of the cells, ``EMPTY`` for an empty cell.
        words: The word for each symbol that is not its own word.
        pieces: Everything as data of a prompt.
        scene: Everything as a picture.
    """

    rows: Rows
    words: Mapping[str, str]
    pieces: Pieces
    scene: Scene

    def word(self, symbol: str) -> str:
        """What an answer calls a symbol."""
        return BLANK if symbol == EMPTY else self.words.get(symbol, symbol)

    def contents(self) -> list[str]:
        """The symbols that occur, in a fixed order, without empty cells."""
        return sorted({symbol for row in self.rows for symbol in row} - {EMPTY}, key=lambda s: (len(s), s))

    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return [(r, c) for r, row in enumerate(self.rows) for c in range(len(row))]

    def at(self, cell: Cell) -> str:
        """The symbol of a cell."""
        return self.rows[cell[0]][cell[1]]


class Source(ABC):
    """A game or puzzle.

    Attributes:
        name: What it shows, in a prompt: "a position of Othello".
        rules: The rules that questions about its engine rely on.
        walled: Whether there are walls between cells, so that neighbours are not always connected.
    """

    name: str
    rules: ClassVar[tuple[Phrase, ...]] = ()
    walled: ClassVar[bool] = False

    @abstractmethod
    def draw(self, rng: Stream, level: int) -> JSON | None:
        """A position as JSON values; None to draw again."""

    @abstractmethod
    def view(self, state: JSON) -> View:
        """What there is to see."""

    def rules_of(self, state: JSON) -> tuple[Phrase, ...]:
        """The rules with their numbers filled in."""
        return self.rules


class Played(Source):
    """A source with moves."""

    @abstractmethod
    def legal(self, state: JSON) -> list[str]:
        """The legal moves in a fixed order.

        Empty if the game is over.
        """

    @abstractmethod
    def candidates(self, state: JSON) -> list[str]:
        """Moves that could be asked about, legal or not."""

    @abstractmethod
    def play(self, state: JSON, move: str) -> JSON:
        """The position after a legal move."""

    def critical(self, rng: Stream, level: int) -> JSON | None:
        """A position that often has a best move."""
        return self.draw(rng, level)

    def best(self, state: JSON) -> tuple[str, str] | None:
        """The only best move, and a number that the question asks for.

        None if several moves are best.
        """
        return None

    goal: ClassVar[Phrase | None] = None
    """What the best move is, and the number that goes with it."""
    written: ClassVar[Phrase | None] = None
    """How moves are written."""


class Puzzle(Source):
    """A source with rules that filled boards keep.

    Attributes:
        numbers: Whether its cells hold numbers, which can be left open.
    """

    numbers: ClassVar[bool] = True

    @abstractmethod
    def filled(self, rng: Stream, level: int) -> JSON | None:
        """A completely filled board that keeps the rules."""

    @abstractmethod
    def values(self, state: JSON, cell: int) -> list[JSON]:
        """The contents that a cell could have."""

    @abstractmethod
    def entered(self, state: JSON, cell: int, value: JSON) -> JSON:
        """The position with another content in a cell; None clears it."""

    @abstractmethod
    def content(self, state: JSON, cell: int) -> JSON:
        """The content of a cell, or None."""

    @abstractmethod
    def checker(self, state: JSON) -> Callable[[Sequence[int]], bool]:
        """A function that says whether values keep the rules.

        It is fast for values that differ in few cells from those of the position.
        """

    @abstractmethod
    def solutions(self, state: JSON) -> list[Sequence[int]] | None:
        """Up to two ways to fill the open cells.

        None if that takes too long.
        """


def board(rows: Rows, words: Mapping[str, str], empty: str = "an empty cell") -> Picture:
    """The rows as a piece of a prompt.

    The meaning of its symbols.
    """
    legend = {symbol: f"{'an' if word[0] in 'aeiou' else 'a'} {word}" for symbol, word in words.items()}
    return Picture("Board", [list(row) for row in rows], empty, legend)


def plain_board(shown: list[str], signs: dict[str, Tile]) -> Scene:
    """A board with its rows and columns numbered."""
    return grid(lettered(shown, signs), columns=counted(len(shown[0])), lines=counted(len(shown)))


def cell_name(cell: Cell) -> str:
    """``r2c5``: row 2 from the top, column 5 from the left."""
    return f"r{cell[0] + 1}c{cell[1] + 1}"
