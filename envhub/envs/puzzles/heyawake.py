"""heyawake-v0: shade cells so that no open line crosses three rooms.

Action: a grid of 0 and 1. Any grid that satisfies rules and clues counts; there is exactly one (proved). Difficulty: the size,
then fewer numbered rooms; effort is the number of propagation steps of a search. Rotations and reflections are the same
problem.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

from envhub.families.cells_kit import JSON, Grid, Laws, Marks, Phrase, Pieces, Stream, knob, levels, marked
from envhub.families.marks import SHADED_APART
from envhub.families.pieces import Facts, letters, regions_of
from envhub.generators.cells.board import beside, lines, members, pairs
from envhub.generators.cells.connectivity import Connected
from envhub.generators.cells.laws import Count
from envhub.generators.cells.shapes import rooms

_SEEN: Final = "A small text in a room's first cell states its letter and, after a colon, its number, if it is given."


class Heyawake(Marks):
    """Shade cells of rooms so that no open line crosses three rooms."""

    Params = levels(
        size=knob("side of the grid", 5, 5, 6, 6, 6, 7, 7, 7, 8, 8),
        room=knob("cells of a room at most", *[5] * 6, *[6] * 4, at_least=3, at_most=8),
        given=knob("percentage of the rooms with a number at least", 100, 90, 100, 90, 80, 90, 80, 80, 80, 80),
        least=knob("minimum effort (steps)", 0, 40, 60, 90, 120, 150, 200, 250, 300, 450, at_most=100_000),
        most=knob("maximum effort (steps)", 50, 90, 130, 200, 300, 450, 700, 1000, 1800, 9000, at_most=100_000),
    )
    layers = ("regions",)
    task = Phrase(
        "Solve this {size}x{size} Heyawake: decide which cells are shaded.",
        "Shade cells of this {size}x{size} grid, which is divided into rooms (Heyawake).",
        "This is a Heyawake puzzle on a grid of {size} rows and {size} columns. Find the shaded cells.",
        held_out="Determine the set of shaded cells in this {size}x{size} Heyawake.",
    )
    rules = (
        Phrase(
            "A numbered room contains exactly this number of shaded cells. Other rooms may contain any number of them.",
            "The number of a room states how many of its cells are shaded; rooms without a number are not restricted.",
            "Each room with a number has exactly that many shaded cells. A room without a number may have any number of them.",
            held_out="The number of a room is its count of shaded cells; unnumbered rooms are free.",
        ),
        SHADED_APART,
        Phrase(
            "All cells that are not shaded are connected through their sides.",
            "The cells without shading form one group that is connected horizontally and vertically.",
            "From any cell that is not shaded, every other such cell can be reached by moving up, down, left and right over "
            "cells that are not shaded.",
            held_out="The unshaded cells form a single group, connected by sides.",
        ),
        Phrase(
            "A straight line of consecutive cells in a row or column that are not shaded may not contain cells of three or "
            "more rooms.",
            "Consecutive cells without shading in a row or column may belong to at most two rooms.",
            "No horizontal or vertical stretch of unshaded cells reaches into more than two rooms.",
            held_out="Each straight stretch of unshaded cells lies in one or two rooms.",
        ),
        marked("shaded cell"),
    )

    def draw(self, rng: Stream, p: Any) -> tuple[JSON, Grid] | None:
        """Rooms at random, and shading found by a random search."""
        problem: JSON = {"height": p.size, "width": p.size, "regions": rooms(rng, p.size, p.size, p.room)}
        found = self.model(problem).solutions(most=1, budget=20 * p.size**2, rng=rng)
        return (problem, found.grids[0]) if found.grids else None

    def laws(self, problem: JSON) -> Laws:
        """Shading apart, a connected rest, and no stretch over three rooms."""
        height, width = problem["height"], problem["width"]
        return {
            "Two shaded cells share a side.": [Count(pair, 0, 1) for pair in pairs(height, width)],
            "A line without shading crosses three rooms.": [
                Count(cells, 1, len(cells)) for cells in _crossing(problem)
            ],
            "The cells that are not shaded are not connected.": [Connected(beside(height, width), 0b01)],
        }

    def clues(self, problem: JSON, solution: Grid) -> list[JSON]:
        """The number of shaded cells of each room."""
        return [[at, sum(solution[cell] for cell in room)] for at, room in enumerate(members(problem["regions"]))]

    def clue(self, problem: JSON, clue: JSON) -> Count:
        """The number of a room."""
        at, number = clue
        return Count(members(problem["regions"])[at], number, number)

    def pieces(self, problem: JSON) -> Pieces:
        """The rooms and their numbers."""
        facts = [f"room {letters(at)}: {number}" for at, number in problem["clues"]]
        return [regions_of(problem, "Rooms"), Facts("Numbers of the rooms", facts, located=False, seen=_SEEN)]


def _crossing(problem: JSON) -> list[list[int]]:
    """The shortest stretches of every line with cells of three rooms."""
    found: list[list[int]] = []
    for line in lines(problem["height"], problem["width"]):
        starts = [at for at in range(1, len(line)) if problem["regions"][line[at]] != problem["regions"][line[at - 1]]]
        found += [line[one - 1 : other + 1] for one, other in pairwise(starts)]
    return found
