"""Parts on intervals and grids."""

from __future__ import annotations

from typing import Any, Final

from envhub.generators.programs.kinds import GRID, INT, INTS, SPANS
from envhub.generators.programs.part import Part, always, between, counted, one_of


def merge(spans: list[list[int]], gap: int, least: int | None = None, clip: int | None = None) -> list[list[int]]:
    merged: list[list[int]] = []
    for start, end in sorted(spans):
        if clip is not None:
            if start > clip:
                continue
            end = min(end, clip)
        if merged and start - merged[-1][1] <= gap:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    if least is not None:
        merged = [span for span in merged if span[1] - span[0] >= least]
    return merged


def _merge(p: Any) -> str:
    clip = (
        f"First cut every pair at {p.clip}: a larger end becomes {p.clip}, and pairs that start after {p.clip} are "
        "left out. "
        if p.clip
        else ""
    )
    least = f" Then leave out the merged pairs with end - start less than {p.least}." if p.least else ""
    return (
        f"{clip}Sort the pairs by start. Go through them with a current pair, the first one: when the start of the "
        "next pair is at "
        f"most {p.gap} greater than the end of the current pair (or not greater at all), the larger of the two ends "
        "becomes the end of the current "
        f"pair; otherwise the current pair is finished, and the next pair becomes the current one.{least} The result "
        "is the list of the merged "
        "pairs [start, end], sorted by start."
    )


def book(spans: list[list[int]], rest: int, late: bool = False, longest: int | None = None) -> list[list[int]]:
    taken: list[list[int]] = []
    for start, end in sorted(spans, key=lambda span: (span[1], -span[0] if late else span[0])):
        if longest is not None and end - start > longest:
            continue
        if not taken or start - taken[-1][1] >= rest:
            taken.append([start, end])
    return taken


def _book(p: Any) -> str:
    longest = f"Leave out the pairs with end - start greater than {p.longest}. " if p.longest else ""
    tie = "larger" if p.late else "smaller"
    return (
        f"{longest}Go through the pairs in the order of their ends, the smallest first, and of equal ends the one "
        f"with the {tie} start first. "
        f"Take a pair if it is the first that is taken, or starts at least {p.rest} after the end of the pair taken "
        "last (start - end >= "
        f"{p.rest}); otherwise skip it. The result is the list of the pairs taken, in the order in which they were "
        "taken."
    )


def cover(spans: list[list[int]], least: int, weight: int | None = None, ends: bool = False) -> list[int]:
    levels: dict[int, int] = {}
    for start, end in spans:
        for at in range(start, end + 1 if ends else end):
            if weight is not None and end - start >= weight:
                levels[at] = levels.get(at, 0) + 2
            else:
                levels[at] = levels.get(at, 0) + 1
    return sorted(at for at in levels if levels[at] >= least)


def _cover(p: Any) -> str:
    last = "<= end" if p.ends else "< end"
    weight = f" A pair with end - start of {p.weight} or more counts twice." if p.weight else ""
    return (
        f"A pair covers the integers t with start <= t {last}.{weight} Replace the list by the integers that are "
        f"covered at least "
        f"{counted(p.least, 'time')}, in increasing order."
    )


def gaps(spans: list[list[int]], odd: bool = False, both: int | None = None) -> list[int]:
    found = []
    for start, end in spans:
        size = end - start
        if odd and start % 2 == 1:
            size = -size
        found.append(size)
        if both is not None:
            found.append((start + end) % both)
    return found


def _gaps(p: Any) -> str:
    odd = " (start - end, if start is odd)" if p.odd else ""
    both = f", followed by the remainder of start + end when divided by {p.both}" if p.both else ""
    return f"Replace every pair, in order, by end - start{odd}{both}. The result is one flat list of integers."


def turn(grid: list[list[int]], how: str, add: int = 0, edge: bool = False) -> list[list[int]]:
    rows = len(grid)
    columns = len(grid[0])
    if how == "right":
        grid = [[grid[rows - 1 - r][c] for r in range(rows)] for c in range(columns)]
    elif how == "left":
        grid = [[grid[r][columns - 1 - c] for r in range(rows)] for c in range(columns)]
    elif how == "transpose":
        grid = [[grid[r][c] for r in range(rows)] for c in range(columns)]
    else:
        grid = [row[::-1] for row in grid]
    if add:
        grid = [[(cell + add * r) % 10 for cell in row] for r, row in enumerate(grid)]
    if edge:
        grid = [[*row, sum(row) % 10] for row in grid]
    return grid


def _turn(p: Any) -> str:
    how = {
        "right": "Rotate the grid by a quarter turn clockwise.",
        "left": "Rotate the grid by a quarter turn counterclockwise.",
        "transpose": "Transpose the grid: row i becomes column i.",
        "mirror": "Reverse every row.",
    }[p.how]
    add = (
        f" Then add {p.add} times its row number (from 0) to every number and keep the last decimal digit."
        if p.add
        else ""
    )
    edge = " Then append to every row one more number: the last decimal digit of the row's sum." if p.edge else ""
    return how + add + edge


def evolve(
    grid: list[list[int]], a: int, b: int, ring: bool = False, corners: bool = False, rest: int | None = None
) -> list[list[int]]:
    rows = len(grid)
    columns = len(grid[0])
    found = []
    for r in range(rows):
        line = []
        for c in range(columns):
            total = 0
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if (dr == 0 and dc == 0) or (not corners and dr != 0 and dc != 0):
                        continue
                    if ring:
                        total += grid[(r + dr) % rows][(c + dc) % columns]
                    elif 0 <= r + dr < rows and 0 <= c + dc < columns:
                        total += grid[r + dr][c + dc]
            if rest is not None and total < rest:
                line.append(grid[r][c])
            else:
                line.append((a * grid[r][c] + b * total) % 10)
        found.append(line)
    return found


def _evolve(p: Any) -> str:
    count = "eight cells around it" if p.corners else "four cells above, below, left and right of it"
    edge = (
        "The grid is closed: above the first row comes the last and left of the first column the last, and the other "
        "way round (so a cell may be "
        "its own neighbour, and one neighbour may count more than once)."
        if p.ring
        else "Beyond the edge there are no cells."
    )
    rest = f" A cell whose neighbours sum to less than {p.rest} keeps its value." if p.rest else ""
    return (
        f"The neighbours of a cell are the {count}. {edge} Replace all cells at once: a cell with the value v, whose "
        "neighbours sum to s, becomes "
        f"the last decimal digit of {p.a} * v + {p.b} * s.{rest}"
    )


def spiral(grid: list[list[int]], start: str, snake: bool = False, every: int | None = None) -> list[int]:
    rows = [row[:] for row in grid]
    if start == "bottom":
        rows.reverse()
    found: list[int] = []
    if snake:
        for r, row in enumerate(rows):
            found += row if r % 2 == 0 else row[::-1]
    else:
        while rows:
            found += rows.pop(0)
            rows = [[row[c] for row in rows] for c in range(len(rows[0]) - 1, -1, -1)] if rows else []
    if every is not None:
        found = found[::every]
    return found


def _spiral(p: Any) -> str:
    top = p.start == "top"
    first = "top" if top else "bottom"
    if p.snake:
        way = (
            f"row by row from the {first} row on, the first from left to right, the next from right to left, and so on"
        )
    else:
        then = "clockwise" if top else "counterclockwise"
        way = f"in a spiral that starts at the {first} left corner, goes right first, and then {then} inwards"
    every = f" Keep of this list only the positions 0, {p.every}, {2 * p.every} and so on." if p.every else ""
    return f"Read the grid {way}, into a list; every cell is read once.{every}"


def cheapest(grid: list[list[int]], toll: int, jump: int | None = None, most: bool = False) -> int:
    best: list[int] = []
    for row in grid:
        line: list[int] = []
        for c in range(len(row)):
            ways = []
            if best:
                ways.append(best[c])
            if c > 0:
                ways.append(line[c - 1] + toll)
            if jump is not None and best and c > 0:
                ways.append(best[c - 1] + jump)
            line.append(row[c] + ((max(ways) if most else min(ways)) if ways else 0))
        best = line
    return best[-1]


def _cheapest(p: Any) -> str:
    jump = f", or to the cell below the right neighbour, for {p.jump} more" if p.jump else ""
    which = "largest" if p.most else "smallest"
    return (
        "A path leads from the top left cell to the bottom right one. From a cell it goes to the cell below, or to "
        f"the right neighbour, for {p.toll} "
        f"more{jump}. Its value is the sum of all cells on it, both ends included, and of these extras. The result "
        f"is the {which} value of a path."
    )


PARTS: Final = (
    Part(merge, SPANS, SPANS, _merge, {"gap": between(0, 4)}, {"least": between(3, 12), "clip": between(15, 45)}),
    Part(book, SPANS, SPANS, _book, {"rest": between(0, 6)}, {"late": always, "longest": between(2, 7)}),
    Part(cover, SPANS, INTS, _cover, {"least": between(1, 3)}, {"weight": between(2, 8), "ends": always}),
    Part(gaps, SPANS, INTS, _gaps, {}, {"odd": always, "both": between(3, 20)}),
    Part(
        turn,
        GRID,
        GRID,
        _turn,
        {"how": one_of("right", "left", "transpose", "mirror")},
        {"add": between(2, 9), "edge": always},
    ),
    Part(
        evolve,
        GRID,
        GRID,
        _evolve,
        {"a": between(1, 9), "b": between(1, 9)},
        {"ring": always, "corners": always, "rest": between(8, 25)},
    ),
    Part(spiral, GRID, INTS, _spiral, {"start": one_of("top", "bottom")}, {"snake": always, "every": between(2, 4)}),
    Part(cheapest, GRID, INT, _cheapest, {"toll": between(1, 9)}, {"jump": between(1, 12), "most": always}),
)
