"""binario-v0: complete a grid of 0 and 1 without triples.

Action: the whole grid. Any grid that satisfies the rules counts; there is exactly one (proved). Difficulty: the size, then
fewer given cells; from level 4 on no two rows and no two columns may be equal. Effort is the number of propagation steps of a
search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Stream, knob, levels
from envhub.families.given import FILLED, Given
from envhub.generators.cells.board import columns, lines, rows
from envhub.generators.cells.distinct import DifferentLines
from envhub.generators.cells.laws import Count

_DIFFERENT = Phrase(
    "No two rows are equal, and no two columns are equal.",
    "All rows differ from each other, and so do all columns.",
    "Two rows may not be identical. Two columns may not be identical.",
    held_out="Rows are pairwise different; columns are pairwise different.",
)


class Binario(Given):
    """Complete a grid of 0 and 1 without three in a row."""

    Params = levels(
        side=knob("half the side of the grid", 4, 4, 4, 5, 5, 5, 6, 6, 6, 6, at_most=7),
        given=knob(
            "percentage of the cells that are given at least",
            75,
            60,
            40,
            50,
            40,
            32,
            36,
            32,
            29,
            26,
            at_least=0,
            at_most=90,
        ),
        distinct=knob("whether equal rows and equal columns are forbidden", *[False] * 3, *[True] * 7),
    )
    task = Phrase(
        "Solve this {size}x{size} Binario: write 0 or 1 in each empty cell.",
        "Complete this Binario (Takuzu) grid of {size} rows and {size} columns with the digits 0 and 1.",
        "Fill each empty cell of the {size}x{size} Binario with 0 or 1.",
        held_out="Determine the completed binary grid (Takuzu) of side {size}.",
    )
    rules = (
        Phrase(
            "Each row and each column contains {half} zeros and {half} ones.",
            "Every row has exactly {half} zeros and {half} ones, and so does every column.",
            "In each line, horizontal or vertical, exactly {half} cells are 0 and {half} cells are 1.",
            held_out="Zeros and ones are balanced: {half} of each in every row and in every column.",
        ),
        Phrase(
            "Three consecutive cells of a row or column may not all be equal.",
            "No row and no column has the same digit in three adjacent cells.",
            "The same digit may stand at most twice in succession, horizontally and vertically.",
            held_out="The patterns 000 and 111 occur in no row and in no column.",
        ),
        FILLED,
    )

    def rules_of(self, problem: JSON) -> tuple[Phrase, ...]:
        """With the rule on equal lines, if it applies."""
        return (*self.rules[:-1], _DIFFERENT, FILLED) if problem["distinct"] else self.rules

    def values(self, problem: JSON) -> dict[str, int]:
        """Half the side."""
        return {"half": problem["width"] // 2}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """A full grid, found by a search that decides at random."""
        problem = {"height": 2 * p.side, "width": 2 * p.side, "distinct": p.distinct}
        found = self.model(problem).solutions(most=1, budget=80 * p.side**2, rng=rng)
        return (problem, found.grids[0]) if found.grids else None

    def domains(self, problem: JSON) -> list[int]:
        """0 or 1."""
        return [0b11] * problem["width"] ** 2

    def laws(self, problem: JSON) -> Laws:
        """Balance, no three alike, and different lines if they are asked."""
        size = problem["width"]
        both = lines(size, size)
        triples = [line[at : at + 3] for line in both for at in range(size - 2)]
        distinct = {
            "Two rows are equal.": [DifferentLines(rows(size, size))],
            "Two columns are equal.": [DifferentLines(columns(size, size))],
        }
        return {
            "A row or column has more of one digit than of the other.": [Count(x, size // 2, size // 2) for x in both],
            "A row or column has three equal digits in succession.": [Count(triple, 1, 2) for triple in triples],
            **(distinct if problem["distinct"] else {}),
        }
