"""Maps: meadows, woods, rock with ores and caves, lakes with beaches.

A map is a text with one character per cell, row by row. Each biome surrounds a drawn centre and ends at a ragged border. What
a task needs is placed in sufficient number; whether it can be reached is for the planner to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from envhub.core.seeding import Stream

GRASS: Final = "."
SAND: Final = ":"
FLOOR: Final = "_"
WATER: Final = "~"
BUSH: Final = "o"
BARE: Final = "*"
LAMP: Final = "l"
SOURCES: Final = "ABCDEFGH"
STATIONS: Final = "123"
OPEN: Final = frozenset((GRASS, SAND, FLOOR))
"""Where one can walk, and place things."""
_MEADOW, _WOOD, _ROCK, _LAKE = range(4)
_RAGGED: Final = 5
_CAVES: Final = 9
"""Rock per cell of a cave, about."""


def draw_map(
    rng: Stream, width: int, height: int, rock_left: int, counts: Sequence[int], soft: int
) -> tuple[str, int] | None:
    """A map and where to start; None without enough rock or grass.

    Args:
        rng: The randomness.
        width: Columns.
        height: Rows.
        rock_left: The least number of cells of rock.
        counts: The least number of cells of each ore, in the order of the sources from the fourth on, or from the third
            on where nothing is soft.
        soft: The least number of cells of the third source in meadows; 0 if the third source is an ore.
    """
    size = width * height
    centres = _centres(rng, width, height)
    biome = [_nearest(rng, centres, cell // width, cell % width) for cell in range(size)]
    cells = [GRASS] * size
    for cell, kind in enumerate(biome):
        draw = rng.below(100)
        if kind == _MEADOW:
            cells[cell] = SOURCES[0] if draw < 4 else BUSH if draw < 7 else GRASS
        elif kind == _WOOD:
            cells[cell] = SOURCES[0] if draw < 38 else BUSH if draw < 40 else GRASS
        elif kind == _ROCK:
            cells[cell] = SOURCES[1] if draw < 78 else FLOOR
        else:
            shore = any(biome[near] != _LAKE for near in around(cell, width, height))
            cells[cell] = SAND if shore and draw < 60 else WATER
    _caves(rng, cells, biome, width, height)
    first = 3 if soft else 2
    rock = [cell for cell in range(size) if cells[cell] == SOURCES[1]]
    if len(rock) < rock_left + sum(counts):
        return None
    rng.shuffle(rock)
    for number, count in enumerate(counts):
        for _ in range(count):
            cells[rock.pop()] = SOURCES[first + number]
    meadow = [cell for cell in range(size) if cells[cell] == GRASS]
    rng.shuffle(meadow)
    if len(meadow) < 4 * soft + 1:
        return None
    for _ in range(soft):
        cells[meadow.pop()] = SOURCES[2]
    start = min(meadow, key=lambda cell: _apart(cell, centres[0][1] * width + centres[0][2], width))
    return "".join(cells), start


def creatures(rng: Stream, cells: str, start: int, width: int, prowlers: int, lurkers: int) -> list[list[int]]:
    """Cells and kinds of creatures, none of them near the start.

    Prowlers (0) are on grass or sand, lurkers (1) in caves.
    """
    far = [cell for cell in range(len(cells)) if _apart(cell, start, width) > 5]
    outside = [cell for cell in far if cells[cell] in (GRASS, SAND)]
    inside = [cell for cell in far if cells[cell] == FLOOR]
    found = [[cell, 0] for cell in rng.sample(outside, min(prowlers, len(outside)))]
    return sorted(found + [[cell, 1] for cell in rng.sample(inside, min(lurkers, len(inside)))])


def around(cell: int, width: int, height: int) -> list[int]:
    """The existing cells north, east, south and west of a cell."""
    row, column = divmod(cell, width)
    found = [cell - width] if row else []
    found += [cell + 1] if column + 1 < width else []
    found += [cell + width] if row + 1 < height else []
    return found + ([cell - 1] if column else [])


def signs(technology_sources: int, stations: int) -> Mapping[str, int]:
    """The number of each source and station by its character."""
    return {SOURCES[n]: n for n in range(technology_sources)} | {STATIONS[n]: n for n in range(stations)}


def _centres(rng: Stream, width: int, height: int) -> list[tuple[int, int, int]]:
    """Centres of biomes; the first four have one biome each."""
    many = max(5, width * height // 60)
    kinds = [_MEADOW, _WOOD, _ROCK, _LAKE, *(rng.choice((_MEADOW, _WOOD, _ROCK, _ROCK)) for _ in range(many - 4))]
    return [(kind, rng.below(height), rng.below(width)) for kind in kinds]


def _nearest(rng: Stream, centres: Sequence[tuple[int, int, int]], row: int, column: int) -> int:
    best = min((abs(row - y) + abs(column - x) + rng.below(_RAGGED) / 2, kind) for kind, y, x in centres)
    return best[1]


def _caves(rng: Stream, cells: list[str], biome: Sequence[int], width: int, height: int) -> None:
    """Short tunnels of floor through the rock."""
    rock = [cell for cell, kind in enumerate(biome) if kind == _ROCK]
    for _ in range(len(rock) // (_CAVES * 4)):
        cell = rng.choice(rock)
        for _ in range(_CAVES):
            if biome[cell] == _ROCK:
                cells[cell] = FLOOR
            cell = rng.choice(around(cell, width, height))


def _apart(cell: int, other: int, width: int) -> int:
    return abs(cell // width - other // width) + abs(cell % width - other % width)
