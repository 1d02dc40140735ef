"""Square boards: names, drawings, the eight turns, and sets of squares as bits."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from envhub.generators.boards import squares

BOARDS = st.integers(1, 5).flatmap(lambda size: st.text("XO.", min_size=size * size, max_size=size * size))
CELLS = st.integers(0, squares.ALL)


def test_names_and_the_drawing() -> None:
    assert squares.names(8)[0] == "a1"
    assert squares.names(8)[10] == "c2"
    assert squares.names(8)[63] == "h8"
    assert squares.diagram("XO" + "." * 7) == "  a b c\n1 X O .\n2 . . .\n3 . . ."
    tall = squares.diagram("." * 100).split("\n")
    assert tall[1].startswith(" 1 .")
    assert tall[10].startswith("10 .")


@given(BOARDS)
def test_the_turns_are_one_class_and_no_others_are(board: str) -> None:
    turns = squares.turns(board)
    assert len(turns) == 8
    assert board in turns
    assert {squares.least(turn) for turn in turns} == {squares.least(board)}
    assert all(sorted(turn) == sorted(board) for turn in turns)


def test_turns_of_a_board_without_symmetry_are_eight() -> None:
    assert len(set(squares.turns("XO......."))) == 8
    assert squares.least("XO.......") != squares.least("X.O......")


@given(CELLS, st.integers(0, 7))
def test_a_step_is_a_step_on_the_board(cells: int, way: int) -> None:
    down, right = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (1, -1), (-1, 1))[way]
    expected = 0
    for at in range(64):
        row, column = at // 8 + down, at % 8 + right
        if cells >> at & 1 and 0 <= row < 8 and 0 <= column < 8:
            expected |= 1 << 8 * row + column
    assert squares.shifted(cells, squares.WAYS[way]) == expected


@given(CELLS)
def test_the_squares_beside_a_set_are_one_step_away(cells: int) -> None:
    stepped = cells
    for way in squares.WAYS:
        stepped |= squares.shifted(cells, way)
    assert squares.beside(cells) == stepped


@given(st.integers(0, 63), CELLS, CELLS)
def test_enclosed_squares_are_found_step_by_step_as_well(at: int, mine: int, other: int) -> None:
    other &= ~mine
    expected = 0
    for way in squares.WAYS:
        line, cell = 0, squares.shifted(1 << at, way)
        while cell & other:
            line |= cell
            cell = squares.shifted(cell, way)
        expected |= line if cell & mine else 0
    assert squares.enclosed(1 << at, mine, other) == expected


@given(CELLS, CELLS)
def test_bits_and_boards_are_one(first: int, second: int) -> None:
    second &= ~first
    board = squares.board_of(first, second)
    assert (squares.cells_of(board, "X"), squares.cells_of(board, "O")) == (first, second)


def test_a_name_and_its_square() -> None:
    assert [squares.name_of(squares.cell_of(name)) for name in squares.names(8)] == list(squares.names(8))


def test_a_name_that_is_on_no_board_is_refused() -> None:
    with pytest.raises(KeyError):
        squares.cell_of("i9")
