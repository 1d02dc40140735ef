"""kakuro-v0: fill runs with different digits of given sums.

Action: the whole grid, with 0 for blocked cells. Any grid that satisfies the rules counts; there is exactly one (proved).
Difficulty: the size, then fewer given digits; effort is the number of propagation steps of a search. Rotations and reflections
are the same problem.
"""

from __future__ import annotations

from typing import Any

from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.given import FILLED, Given
from envhub.families.pieces import Facts
from envhub.generators.cells.board import lines
from envhub.generators.cells.laws import Different, Total
from envhub.generators.cells.model import Model

_DIGITS = 0b1111111110


class Kakuro(Given):
    """Fill runs of cells with different digits of given sums."""

    Params = levels(
        size=knob("side of the grid", 4, 4, 5, 5, 6, 6, 7, 7, 8, 9),
        given=knob(
            "percentage of the digits that are given at least", 45, 30, 40, 25, 30, 18, 25, 15, 15, 15, at_most=80
        ),
    )
    layers = ("blocked",)
    task = Phrase(
        "Solve this {size}x{size} Kakuro.",
        "Complete this Kakuro on a grid of {size} rows and {size} columns.",
        "Find the digits of all cells that are not blocked in this {size}x{size} Kakuro.",
        held_out="Determine the completed grid of the Kakuro with side {size}.",
    )
    rules = (
        Phrase(
            "Each cell that is not blocked contains a digit from 1 to 9.",
            "The digits 1 to 9 may be used; every cell that is not blocked contains one of them.",
            "Fill each cell that is not blocked with one of the digits 1 to 9.",
            held_out="Cells other than blocked ones hold digits between 1 and 9.",
        ),
        Phrase(
            "A run is a group of two or more consecutive cells of a row or column between blocked cells or the edges. The "
            "digits of a run are all different and add up to its given sum.",
            "Runs are the longest possible stretches of at least two cells in a row or column without a blocked cell. In each "
            "run, no digit repeats, and the sum of the digits is the given one.",
            "For each run (two or more cells in succession in a row or column, bounded by blocked cells or edges), the digits"
            " must be different and sum to the given number.",
            held_out=(
                "Every maximal stretch of at least two unblocked cells in a line has different digits with the stated sum."
            ),
        ),
        Phrase(
            "In the answer, write 0 for each blocked cell.",
            "Blocked cells are written as 0 in the answer.",
            "Put a 0 in the answer wherever a cell is blocked.",
            held_out="The answer has the number 0 in blocked cells.",
        ),
        FILLED,
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Blocked cells at random, and digits found by a random search."""
        size = p.size
        blocked = [int(rng.below(100) < 22) for _ in range(size**2)]
        problem: JSON = {"height": size, "width": size, "blocked": blocked}
        runs = _runs(problem)
        in_runs = {cell for run in runs for cell in run}
        if any(not wall and cell not in in_runs for cell, wall in enumerate(blocked)):
            return None
        model = Model(self.domains(problem), [Different(run) for run in runs])
        found = model.solutions(most=1, budget=20 * size**2, rng=rng)
        if not found.grids:
            return None
        sums = [[run[0], run[-1], sum(found.grids[0][cell] for cell in run)] for run in runs]
        return {**problem, "sums": sums}, found.grids[0]

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The digit of every cell that is not blocked."""
        return [clue for clue in super().clues(problem, solution) if clue[1]]

    def domains(self, problem: JSON) -> list[int]:
        """1 to 9; 0 for a blocked cell."""
        return [0b1 if wall else _DIGITS for wall in problem["blocked"]]

    def laws(self, problem: JSON) -> Laws:
        """Different digits with the given sum in each run."""
        runs = _runs(problem)
        sums = zip(runs, problem["sums"], strict=True)
        return {
            "A run repeats a digit.": [Different(run) for run in runs],
            "A run has a wrong sum.": [Total(run, total, total) for run, (_, _, total) in sums],
        }

    def pieces(self, problem: JSON) -> Pieces:
        """Blocked cells and given digits, and the sum of each run."""
        width = problem["width"]
        blocked = {cell: "#" for cell, wall in enumerate(problem["blocked"]) if wall}
        grid = picture("Grid", problem, {**blocked, **dict(problem["clues"])}, **{"#": "a blocked cell"})
        names = [f"({cell // width + 1}, {cell % width + 1})" for cell in range(width * problem["height"])]
        runs = [f"{names[first]} to {names[last]}: {total}" for first, last, total in problem["sums"]]
        return [grid, Facts("Sums of the runs, from the first to the last cell", runs)]


def _runs(problem: JSON) -> list[list[int]]:
    """Two or more consecutive open cells: rows, then columns."""
    found: list[list[int]] = []
    for line in lines(problem["height"], problem["width"]):
        run: list[int] = []
        for cell in line:
            if problem["blocked"][cell]:
                found.append(run)
                run = []
            else:
                run.append(cell)
        found.append(run)
    return [run for run in found if len(run) > 1]
