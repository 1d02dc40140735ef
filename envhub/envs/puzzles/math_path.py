"""math-path-v0: fill in digits so that crossing equations hold.

Action: the whole grid of digits. Any grid that satisfies all equations counts; there is exactly one (proved). Difficulty: the
size, then fewer given digits; effort is the number of propagation steps of a search. Exchanging rows and columns gives the same
problem, and so do other operators for the same digits.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels
from envhub.families.given import FILLED, Given
from envhub.families.pieces import UNKNOWN, Facts
from envhub.generators.cells.board import TRANSPOSITION, lines
from envhub.generators.cells.equation import Equation, calculated, terms

_DIGITS: Final = 0b1111111110


class MathPath(Given):
    """Fill in digits so that the equations of all lines hold."""

    Params = levels(
        height=knob("number of rows", 3, 3, 3, 3, 4, 4, 4, 4, 5, 5),
        width=knob("number of columns", 3, 3, 4, 4, 4, 4, 5, 5, 5, 5),
        given=knob(
            "percentage of the digits that are given at least", 50, 30, 30, 20, 30, 15, 20, 0, 20, 0, at_most=70
        ),
        least=knob("minimum effort", 1, 9, 13, 19, 26, 38, 50, 65, 85, 120, at_most=100_000),
        most=knob("maximum effort", 9, 15, 21, 30, 44, 64, 100, 150, 230, 5000, at_most=100_000),
    )
    symmetries = TRANSPOSITION
    task = Phrase(
        "Fill a grid of {height} rows and {width} columns with digits so that the equations of all rows and columns hold.",
        "Each row and each column of a {height}x{width} grid of digits is an equation. Find the digits.",
        "Find the {height}x{width} grid of digits (rows by columns) that makes every equation of a row or column true.",
        held_out="Determine the digits of a grid with {height} rows and {width} columns from the equations of its lines.",
    )
    rules = (
        Phrase(
            "Each cell contains a digit from 1 to 9. Digits may repeat.",
            "Put one of the digits 1 to 9 in every cell; the same digit may occur several times.",
            "The cells hold digits from 1 to 9, and equal digits are allowed anywhere.",
            held_out="Every cell has a digit between 1 and 9; repetitions are allowed.",
        ),
        Phrase(
            "The equation of a row contains its digits from left to right, and the equation of a column contains its digits "
            "from top to bottom.",
            "Read the digits of a row from left to right and those of a column from top to bottom; this is their order in the "
            "equation.",
            "In an equation, the digits stand in the order of the cells: from left to right in a row, from top to bottom in a "
            "column.",
            held_out="Equations list the digits of a row left to right and the digits of a column top to bottom.",
        ),
        Phrase(
            "A question mark is a hidden digit. Different question marks may be different digits. A cell has the same digit in "
            "the equation of its row and in the equation of its column.",
            "Each question mark is one hidden digit, not always the same one. The row and column of a cell share its digit.",
            "Question marks are digits to find; they need not be equal. Where a row and a column cross, both equations have "
            "the digit of this cell.",
            held_out="Every question mark hides a digit of its own. A cell counts in two equations, of its row and of its "
            "column, with the same digit.",
        ),
        Phrase(
            "The sign * means multiplication, which is done before addition and subtraction.",
            "Multiplication (*) comes before + and -, as usual.",
            "The usual order of operations applies: first *, which is multiplication, then + and - from left to right.",
            held_out="Evaluate products (*) first, then add and subtract.",
        ),
        FILLED,
    )
    pictured: ClassVar[bool] = False

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """Digits and operators at random, and the results."""
        grid = tuple(rng.between(1, 9) for _ in range(p.height * p.width))
        equations = []
        for line in lines(p.height, p.width):
            operators = "".join(rng.choice("+-*") for _ in line[1:])
            equations.append([operators, calculated(grid, terms(line, operators))])
        return {"height": p.height, "width": p.width, "equations": equations}, grid

    def domains(self, problem: JSON) -> list[int]:
        """1 to 9."""
        return [_DIGITS] * (problem["height"] * problem["width"])

    def laws(self, problem: JSON) -> Laws:
        """The equation of each line."""
        height, width, equations = problem["height"], problem["width"], problem["equations"]
        both = zip(lines(height, width), equations, strict=True)
        laws = [Equation(line, operators, result) for line, (operators, result) in both]
        return {
            "The equation of a row does not hold.": laws[:height],
            "The equation of a column does not hold.": laws[height:],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """The equations of the rows and of the columns."""
        height, width, known = problem["height"], problem["width"], dict(problem["clues"])
        texts = []
        for line, (operators, result) in zip(lines(height, width), problem["equations"], strict=True):
            digits = [str(known.get(cell, UNKNOWN)) for cell in line]
            rest = (f" {operator} {digit}" for operator, digit in zip(operators, digits[1:], strict=True))
            texts.append(f"{digits[0]}{''.join(rest)} = {result}")
        return [
            Facts("Equations of the rows, from top to bottom", texts[:height], located=False),
            Facts("Equations of the columns, from left to right", texts[height:], located=False),
        ]
