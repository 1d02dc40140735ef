"""Wrong functions for a part: greedy instead of an exact search.

:data:`envhub.generators.programs.mistakes.MISTAKES` lists them beside changes of a part's own source.
"""

from __future__ import annotations

from typing import Final

CHOOSE_LARGEST: Final = """
def choose(xs, apart, cost=0, twice=None):
    gains = [x - cost + (x if twice is not None and x % twice == 0 else 0) for x in xs]
    taken = []
    for at in sorted(range(len(xs)), key=lambda at: -gains[at]):
        if gains[at] > 0 and all(abs(at - other) >= apart for other in taken):
            taken.append(at)
    return sum(gains[at] for at in taken)
"""
CHOOSE_FIRST: Final = """
def choose(xs, apart, cost=0, twice=None):
    total = 0
    last = -apart
    for at, x in enumerate(xs):
        gain = x - cost + (x if twice is not None and x % twice == 0 else 0)
        if gain > 0 and at - last >= apart:
            total += gain
            last = at
    return total
"""
CHOOSE_STRIDE: Final = """
def choose(xs, apart, cost=0, twice=None):
    gains = [x - cost + (x if twice is not None and x % twice == 0 else 0) for x in xs]
    return max(sum(max(0, gain) for gain in gains[at::apart]) for at in range(apart))
"""
CLIMB_FIRST: Final = """
def climb(xs, rise, most=None, reach=None):
    count = 0
    last = 0
    for at, x in enumerate(xs):
        step = x - xs[last]
        if at == 0 or (step >= rise and (most is None or step <= most) and (reach is None or at - last <= reach)):
            count += 1
            last = at
    return count
"""
CHEAPEST_STEP: Final = """
def cheapest(grid, toll, jump=None, most=False):
    r = 0
    c = 0
    total = grid[0][0]
    while r + 1 < len(grid) or c + 1 < len(grid[0]):
        ways = []
        if r + 1 < len(grid):
            ways.append((grid[r + 1][c], r + 1, c))
        if c + 1 < len(grid[0]):
            ways.append((grid[r][c + 1] + toll, r, c + 1))
        if jump is not None and r + 1 < len(grid) and c + 1 < len(grid[0]):
            ways.append((grid[r + 1][c + 1] + jump, r + 1, c + 1))
        cost, r, c = max(ways) if most else min(ways)
        total += cost
    return total
"""
