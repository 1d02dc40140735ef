"""masyu-v0: draw one loop through black and white pearls.

Action: a grid of numbers that name the sides where the loop leaves each cell. Any loop that satisfies the rules counts; there
is exactly one (proved). Difficulty: the size, then fewer pearls and given cells; effort is the number of propagation steps of a
search. Rotations and reflections are the same problem.
"""

from __future__ import annotations

from typing import Any, ClassVar

from envhub.families.cells import grid_text
from envhub.families.cells_kit import JSON, Grid, Laws, Phrase, Pieces, Stream, knob, levels, picture
from envhub.families.hinted import Hinted
from envhub.families.seen import Signs
from envhub.generators.cells.board import turned
from envhub.generators.cells.connectivity import Connected
from envhub.generators.cells.law import Law
from envhub.generators.cells.shapes import blob, outside_joined
from envhub.generators.cells.through import inside_of, leaving, pearl, pearls, sides_of
from envhub.scenes.grid import Tile
from envhub.verifiers.answers.grids import Grid as GridAnswer


class Masyu(Hinted):
    """Draw one loop through black and white pearls."""

    Params = levels(
        size=knob("side of the grid", 6, 6, 6, 7, 7, 7, 8, 8, 8, 8, at_least=5),
        pearls=knob(
            "percentage of the possible pearls that are present", 100, 90, 80, 95, 85, 75, 90, 80, 70, 60, at_least=50
        ),
        given=knob("percentage of the cells that are given at least", 15, 8, 0, 5, 2, 0, 2, 0, 0, 0, at_most=90),
        least=knob("minimum effort: steps of a search", 20, 24, 28, 36, 41, 47, 55, 64, 75, 90, at_most=100_000),
        most=knob("maximum effort: steps of a search", 28, 34, 41, 50, 60, 70, 84, 105, 150, 5000, at_most=100_000),
    )
    answer = GridAnswer()
    task = Phrase(
        "Solve this {size}x{size} Masyu: draw one closed loop through all pearls.",
        "This is a Masyu puzzle on a grid of {size} rows and {size} columns. Find the loop.",
        "Find the one closed loop through all pearls of this {size}x{size} grid (Masyu).",
        held_out="Determine the loop of this Masyu with side {size}.",
    )
    rules = (
        Phrase(
            "The loop goes from the middle of a cell to the middle of a cell that shares a side with it. It is closed, visits "
            "no cell twice, and need not visit all cells.",
            "The loop moves from cell to cell, up, down, left or right, and returns to its start. It may not visit a cell "
            "twice, so it neither branches nor crosses itself. Cells may stay empty.",
            "Draw a closed line through middles of cells that moves horizontally and vertically. No cell is visited more than "
            "once, and some cells may not be visited at all.",
            held_out="The solution is a closed path between orthogonally adjacent cells that visits each cell at most once.",
        ),
        Phrase(
            "There is exactly one loop, and it visits all cells with pearls.",
            "All parts of the line belong to one loop, and every pearl is on it.",
            "There may not be a second loop. The loop passes through every pearl.",
            held_out="The loop is the only one and contains every pearl.",
        ),
        Phrase(
            "At a black pearl (B), the loop turns by 90 degrees. It goes straight through both the cell before the pearl and "
            "the cell after it.",
            "The loop makes a right-angled turn at each black pearl (B), and goes straight on in the next cell on either side "
            "of it.",
            "In a cell with a black pearl (B) the loop turns. In the two cells directly before and after it, the loop may not "
            "turn.",
            held_out="B is a black pearl: the loop turns there, and continues straight in both adjacent cells of the loop.",
        ),
        Phrase(
            "At a white pearl (W), the loop goes straight on. It turns by 90 degrees in the cell before the pearl, in the "
            "cell after it, or in both.",
            "The loop goes straight through each white pearl (W), and turns in the next cell on at least one side of it.",
            "In a cell with a white pearl (W) the loop may not turn. In at least one of the two cells directly before and "
            "after it, the loop must turn.",
            held_out="W is a white pearl: the loop is straight there, and turns in at least one of the two adjacent cells of "
            "the loop.",
        ),
        Phrase(
            "The answer is a grid of {height} rows and {width} columns. Write 0 for a cell that the loop does not visit. The "
            "number of any other cell is the sum of the two sides where the loop leaves it: 1 for the top, 2 for the right, 4 "
            "for the bottom, 8 for the left. For example, 6 joins the right and the bottom.",
            "Answer with {height} rows of {width} numbers. Add 1 if the loop leaves the cell through the top, 2 for the "
            "right, 4 for the bottom, and 8 for the left. So 6 is a turn between the right and the bottom, and 0 is a cell "
            "without the loop.",
            "Write {height} rows with {width} numbers each. A number is the sum over the two sides that the loop crosses: top "
            "1, right 2, bottom 4, left 8. Thus 6 means the right and the bottom. A cell that is not visited is 0.",
            held_out="Return a matrix with {height} rows and {width} columns. Each entry encodes the sides that the loop "
            "crosses as a sum (top = 1, right = 2, bottom = 4, left = 8), so that 6 stands for right and bottom and 0 for no "
            "loop.",
        ),
    )
    signs: ClassVar[Signs] = {"B": Tile(disc="deep"), "W": Tile(disc="light")}

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid]:
        """A random inside of a loop, then 0 for everything outside."""
        inner = p.size - 1
        inside = blob(rng, inner, inner, inner**2 * rng.between(45, 65) // 100)
        found = [list(one) for one in pearls(inside, p.size, p.size).items()]
        chosen = sorted(rng.sample(found, -(-len(found) * p.pearls // 100)))
        return {"height": p.size, "width": p.size, "pearls": chosen}, (*inside, 0)

    def outline(self, content: JSON, turn: int) -> list[int]:
        """The inside of the loop, on the inner board."""
        return turned(content["solution"], content["height"] - 1, content["width"] - 1, turn)

    def domains(self, problem: JSON) -> list[int]:
        """Inside or outside, for each corner that four cells share."""
        return [0b11] * ((problem["height"] - 1) * (problem["width"] - 1)) + [0b01]

    def laws(self, problem: JSON) -> Laws:
        """Pearls; inside and outside are connected, so their border is one loop."""
        height, width = problem["height"], problem["width"]
        near = outside_joined(height - 1, width - 1)
        return {
            "The loop does not pass a pearl as it should.": [pearl(height, width, *one) for one in problem["pearls"]],
            "There is more than one loop.": [Connected(near, 0b10), Connected(near, 0b01)],
        }

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The sides where the loop leaves each cell."""
        return [list(one) for one in enumerate(sides_of(solution[:-1], problem["height"], problem["width"]))]

    def clue(self, problem: JSON, clue: JSON) -> Law:
        """The sides where the loop leaves a cell."""
        return leaving(problem["height"], problem["width"], *clue)

    def written(self, problem: JSON, solution: Grid) -> str:
        """The sides where the loop leaves each cell."""
        return grid_text(sides_of(solution[:-1], problem["height"], problem["width"]), problem["width"])

    def example(self, problem: JSON) -> str:
        """Columns of three numbers."""
        codes = [(6, 10, 12)[cell % problem["width"] % 3] for cell in range(problem["height"] * problem["width"])]
        return grid_text(codes, problem["width"])

    def cells(self, problem: JSON, value: Any) -> Grid | str:
        """The inside of the loop, or what is wrong."""
        sides = super().cells(problem, value)
        if isinstance(sides, str):
            return sides
        inside = inside_of(sides, problem["height"], problem["width"])
        return "The numbers are not those of closed lines." if inside is None else (*inside, 0)

    def pieces(self, problem: JSON) -> Pieces:
        """The pearls."""
        signs = {cell: "BW"[colour] for cell, colour in problem["pearls"]}
        grid = picture("Grid", problem, signs, empty="a cell without a pearl", B="a black pearl", W="a white pearl")
        return [grid, *self.hints(problem)]
