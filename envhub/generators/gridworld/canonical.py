"""The canonical form of a grid with a mission."""

from __future__ import annotations

from envhub.core.types import JSON
from envhub.generators.gridworld.model import INSIDE


def canonical(content: JSON) -> JSON:
    """The content turned so that the agent faces east.

    Numbers of things are left out.
    """
    rows, turns = list(content["rows"]), content["start"][1]
    for _ in range(turns):  # each turn is a quarter to the left
        rows = ["".join(column) for column in zip(*rows, strict=True)][::-1]

    def turned(cell: int) -> list[int]:
        height, width = len(content["rows"]), len(content["rows"][0])
        y, x = divmod(cell, width)
        for _ in range(turns):
            y, x = width - 1 - x, y
            height, width = width, height
        return [y, x]

    inside = {box: [kind, colour] for kind, colour, spot, box in content["things"] if spot == INSIDE}
    things = [
        [turned(spot), kind, colour, inside.get(number, [])]
        for number, (kind, colour, spot, _) in enumerate(content["things"])
        if spot != INSIDE
    ]
    doors = [[turned(cell), colour, state] for cell, colour, state in content["doors"]]
    # the stages of one mission may be said in two ways, which mean the same
    return [
        rows,
        sorted(doors),
        sorted(things),
        turned(content["start"][0]),
        [sorted(map(repr, s)) for s in content["stages"]],
    ]
