"""Pieces of a puzzle's data, and their renderings.

::

    Picture("Grid", ((".", "3"), ("1", ".")), empty="an empty cell")
    Numbers("Sums of the rows, from top to bottom", (3, None), "right")
    Facts("Inequalities", ("(1, 1) < (1, 2)",))
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from envhub.authoring.wording import Variants
from envhub.core.types import JSON

EMPTY: Final = "."
UNKNOWN: Final = "?"
COORDINATES: Final = "(r, c) is the cell in row r and column c, both counted from 1, starting at the top left."
_UNKNOWN_MEANS: Final = "A question mark is a number that is not given."
_PLAIN: Final = "an empty cell"
_PLACES: Final = {"left": "to the left of", "right": "to the right of", "top": "above", "bottom": "below"}


class Picture(NamedTuple):
    """A board of symbols.

    Attributes:
        name: Its heading, such as "Grid".
        symbols: The symbols of each row; ``EMPTY`` for cells without one.
        empty: What an empty cell is, such as "an empty cell"; must be given if there is one.
        legend: What each other symbol means, if it is not clear.
        regions: A label per cell, row by row, if the symbols name regions.
        seen: How the picture shows it, if that is not clear.
        looks: How the picture shows symbols that it does not write, by symbol.
    """

    name: str
    symbols: Sequence[Sequence[str]]
    empty: str = ""
    legend: Mapping[str, str] = {}
    regions: Sequence[int] = ()
    seen: str = ""
    looks: Mapping[str, str] = {}

    def meanings(self) -> str:
        """The sentences that explain the symbols in use."""
        used = {symbol for row in self.symbols for symbol in row}
        dot = [f"A dot is {self.empty}."] if EMPTY in used else []
        return " ".join([*dot, *(f"{s} is {meaning}." for s, meaning in self.legend.items() if s in used)])

    def captions(self) -> list[str]:
        """The sentences that explain its picture."""
        used = {symbol for row in self.symbols for symbol in row}
        blank = [f"A blank place is {self.empty}."] if EMPTY in used and self.empty != _PLAIN else []
        meant = (f"{self.looks.get(s, s)} is {meaning}." for s, meaning in self.legend.items() if s in used)
        return [*filter(None, [self.seen]), *blank, *meant]


class Numbers(NamedTuple):
    """One number per line of the board; None if not given.

    ``side`` is the side of the board at which they stand: ``left``, ``right``, ``top`` or ``bottom``.
    """

    name: str
    numbers: Sequence[int | None]
    side: str

    def texts(self) -> list[str]:
        """The numbers as text."""
        return [UNKNOWN if number is None else str(number) for number in self.numbers]

    def captions(self) -> list[str]:
        """The sentence that says where its picture shows it."""
        return [f"{self.name}: the numbers {_PLACES[self.side]} the board."]


class Facts(NamedTuple):
    """Statements, one per clue.

    ``located`` if they name cells by their coordinates. ``seen`` says how the picture shows them; empty if it does not.
    """

    name: str
    facts: Sequence[str]
    located: bool = True
    seen: str = ""

    def captions(self) -> list[str]:
        """The sentence that says how the picture shows it."""
        return [self.seen] if self.seen and self.facts else []


Piece = Picture | Numbers | Facts
Pieces = Sequence[Piece]


def picture(
    name: str, problem: JSON, symbols: Mapping[int, Any], *, empty: str = "an empty cell", **legend: str
) -> Picture:
    """The board of a problem with symbols in some cells.

    ``empty`` says what a cell without one is.
    """
    height, width = problem["height"], problem["width"]
    rows = [[str(symbols.get(row * width + column, EMPTY)) for column in range(width)] for row in range(height)]
    return Picture(name, rows, empty, legend)


def regions_of(problem: JSON, name: str = "Regions") -> Picture:
    """The regions of a problem, a letter for each."""
    labels = problem["regions"]
    legend = (
        f"The {name.lower()} of the grid, as letters: cells with the same letter belong to the same {name.lower()[:-1]}"
    )
    named = {cell: letters(label) for cell, label in enumerate(labels)}
    return picture(legend, problem, named)._replace(regions=labels, seen=f"Thick lines separate the {name.lower()}.")


def letters(number: int) -> str:
    """A name in letters: A to Z, then AA, AB, ..."""
    high, low = divmod(number, 26)
    return (letters(high - 1) if high else "") + chr(65 + low)


def drawn(pieces: Pieces) -> str:
    """Boards as grids, numbers on one line, statements as a list."""

    def one(piece: Piece) -> str:
        if isinstance(piece, Picture):
            return _joined(f"{piece.name}:", *map(" ".join, _aligned(piece.symbols)), piece.meanings())
        if isinstance(piece, Numbers):
            return f"{piece.name}: {' '.join(piece.texts())}"
        return _joined(f"{piece.name}:", *(f"- {fact}" for fact in piece.facts))

    return "\n\n".join(filter(None, [*map(one, pieces), _meanings(pieces, _UNKNOWN_MEANS, Facts)]))


def as_json(pieces: Pieces) -> str:
    """One JSON object, then the meaning of its symbols."""

    def one(piece: Piece) -> str:
        if isinstance(piece, Picture):
            inner = ",\n".join(f"    {json.dumps(list(row))}" for row in piece.symbols)
            return f"  {json.dumps(piece.name)}: [\n{inner}\n  ]"
        if isinstance(piece, Numbers):
            return f"  {json.dumps(piece.name)}: {json.dumps(list(piece.numbers))}"
        return f"  {json.dumps(piece.name)}: {json.dumps(list(piece.facts))}"

    pictures = [piece.meanings() for piece in pieces if isinstance(piece, Picture)]
    meanings = _meanings(pieces, "null is a number that is not given.", Facts)
    return _joined("{\n" + ",\n".join(map(one, pieces)) + "\n}", *dict.fromkeys(pictures), meanings)


def by_cell(pieces: Pieces) -> str:
    """Cells grouped by their symbol, numbers one per line, statements numbered."""

    def one(piece: Piece) -> str:
        if isinstance(piece, Picture):
            cells: dict[str, list[str]] = {}
            for row, symbols in enumerate(piece.symbols, 1):
                for column, symbol in enumerate(symbols, 1):
                    cells.setdefault(symbol, []).append(f"({row}, {column})")
            empty = cells.pop(EMPTY, [])
            meant = (f"{_named(piece, symbol)}: {', '.join(cells[symbol])}" for symbol in sorted(cells, key=_order))
            size = f"{piece.name} ({len(piece.symbols)} rows, {len(piece.symbols[0])} columns), by content:"
            return _joined(size, *meant, f"Each cell that is not listed is {piece.empty}." if empty else "")
        if isinstance(piece, Numbers):
            numbered = (f"{at}: {text}" for at, text in enumerate(piece.texts(), 1))
            return _joined(f"{piece.name}:", *numbered)
        return _joined(f"{piece.name}:", *(f"{at}. {fact}" for at, fact in enumerate(piece.facts, 1)))

    meanings = _meanings(pieces, _UNKNOWN_MEANS, (Picture, Facts))
    return "\n\n".join(filter(None, [*map(one, pieces), meanings]))


def on_one_line(pieces: Pieces) -> str:
    """Each piece on a line of its own; held out."""

    def one(piece: Piece) -> str:
        if isinstance(piece, Picture):
            return f"{piece.name} := {' / '.join(map(' '.join, piece.symbols))} (slashes separate rows). {piece.meanings()}"
        if isinstance(piece, Numbers):
            return f"{piece.name} := {', '.join(piece.texts())}."
        return f"{piece.name} := {'; '.join(piece.facts)}."

    return _joined(*(one(piece).rstrip() for piece in pieces), _meanings(pieces, _UNKNOWN_MEANS, Facts))


def _beside(lead: str, rendering: Callable[[Pieces], str]) -> Callable[[Pieces], str]:
    """A caption of the picture, then what it does not show."""

    def captioned(pieces: Pieces) -> str:
        rest = [piece for piece in pieces if isinstance(piece, Facts) and not piece.seen]
        captions = [sentence for piece in pieces if piece not in rest for sentence in piece.captions()]
        unknown = _meanings(pieces, _UNKNOWN_MEANS, ())
        return "\n\n".join(
            filter(None, [" ".join(filter(None, [lead, *captions, unknown])), rendering(rest) if rest else ""])
        )

    return captioned


SHOWN: Final[Variants[Callable[[Any], str]]] = Variants(
    drawn,
    as_json,
    by_cell,
    held_out=on_one_line,
    name="pieces of a puzzle",
    seen=Variants(
        _beside("The picture shows the puzzle.", drawn),
        _beside("The puzzle is drawn in the picture.", as_json),
        _beside("See the picture for the puzzle.", by_cell),
        held_out=_beside("The attached figure depicts the puzzle.", on_one_line),
        name="puzzle in a picture",
    ),
)


def _aligned(symbols: Sequence[Sequence[str]]) -> list[list[str]]:
    width = max(len(symbol) for row in symbols for symbol in row)
    return [[symbol.rjust(width) for symbol in row] for row in symbols]


def _named(piece: Picture, symbol: str) -> str:
    meaning = piece.legend.get(symbol)
    return symbol if meaning is None else f"{symbol} ({meaning})"


def _order(symbol: str) -> tuple[int, str]:
    """Numbers by value before other symbols by name."""
    return (int(symbol), "") if symbol.isdecimal() else (1 << 30, symbol)


def _meanings(pieces: Pieces, unknown: str, located: Any) -> str:
    """The sentences on unknown numbers and on coordinates, if they are used."""
    missing = any(isinstance(piece, Numbers) and None in piece.numbers for piece in pieces)
    named = (isinstance(piece, located) and (not isinstance(piece, Facts) or piece.located) for piece in pieces)
    return _joined(unknown if missing else "", COORDINATES if any(named) else "")


def _joined(*lines: str) -> str:
    return "\n".join(filter(None, lines))
