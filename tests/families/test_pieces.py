"""Pieces of a puzzle: every rendering shows every symbol, number and statement."""

from __future__ import annotations

import pytest

from envhub.families.pieces import SHOWN, Facts, Numbers, Picture, Pieces

PIECES: Pieces = (
    Picture("Grid", ((".", "12"), ("T", ".")), "an empty cell", {"T": "a tree", "X": "a hole"}),
    Numbers("Sums of the rows, from top to bottom", (37, None), "right"),
    Facts("Inequalities", ("(1, 1) < (1, 2)",)),
)


@pytest.mark.parametrize("rendering", list(SHOWN))
def test_every_rendering_is_complete(rendering: object) -> None:
    assert callable(rendering)
    text = rendering(PIECES)
    for part in (
        "Grid",
        "12",
        "T",
        "a tree",
        "an empty cell",
        "Sums of the rows",
        "37",
        "Inequalities",
        "(1, 1) < (1, 2)",
    ):
        assert part in text
    assert "not given" in text
    assert "row r and column c" in text
    assert "hole" not in text


def test_a_picture_is_drawn_in_columns() -> None:
    text = SHOWN.options[0](PIECES)
    assert " . 12\n T  .\nA dot is an empty cell. T is a tree." in text


def test_cells_are_listed_by_symbol() -> None:
    text = SHOWN.options[2](PIECES)
    assert "12: (1, 2)\nT (a tree): (2, 1)\nEach cell that is not listed is an empty cell." in text
