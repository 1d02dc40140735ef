"""Sudoku candidates, and the techniques by which people eliminate them.

A position is one integer of ``size ** 3`` bits: bit ``digit * size ** 2 + cell`` (digits from 0) is set while that
digit may still stand in that cell. Every rule of the game then reads "exactly one of these bits", and all rules of a
family (cells, rows, columns, boxes) are examined at once by shifting the whole integer over itself. ``placed`` marks
the settled bits whose conflicts are already removed::

    this = shape(9)
    x, placed = candidates(this, puzzle)
    x, placed = deduce(this, x, placed, Technique.LOCKED)   # solved when placed.bit_count() == 81

Every step is forced, so a grid completed by logic has one solution. The techniques are monotone (with fewer candidates,
every deduction is still possible or already known), so the result does not depend on their order, and more clues never
make a puzzle harder. A contradiction is ``x == 0``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import combinations

from envhub.envs.logic.sudoku.rules import BOXES, units


class Technique(IntEnum):
    """Solving techniques, easiest first.

    Attributes:
        HIDDEN_SINGLE: A row, column or box has one place left for a digit.
        NAKED_SINGLE: A cell has one digit left.
        LOCKED: A digit's places in a box share a line, or its places in a line share a box (pointing, claiming).
        SUBSET: Naked and hidden pairs and triples.
        WING: X-wing, XY-wing and swordfish.
        TRIAL: None of the above suffices; some digit must be tried.
    """

    HIDDEN_SINGLE = 1
    NAKED_SINGLE = 2
    LOCKED = 3
    SUBSET = 4
    WING = 5
    TRIAL = 6


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of rule, all instances of which are folded together.

    Attributes:
        folds: Two pairs ``(shift, count)``; folding by the first and then by the second visits each bit of a rule.
        base: The lowest bit of every rule; a fold is meaningful only there.
        spread: Multiplying base bits by this sets every bit of their rules.
    """

    folds: tuple[tuple[int, int], tuple[int, int]]
    base: int
    spread: int


@dataclass(frozen=True, slots=True)
class Shape:
    """The geometry of one grid size; get it from :func:`shape`.

    Attributes:
        size: Rows, columns, boxes and digits.
        height: Rows of a box.
        width: Columns of a box.
        area: Cells.
        units: The cells of each row, then of each column, then of each box.
        box_of: The box of each cell.
        unit_masks: ``units`` as masks over cells.
        peers: The cells that share a unit with each cell, itself left out, as masks over cells.
        plane: All cells, as a mask.
        full: All candidates.
        keep: Per candidate, every candidate that does not conflict with it.
        cell, row, column, box: The four families of rules.
    """

    size: int
    height: int
    width: int
    area: int
    units: tuple[tuple[int, ...], ...]
    box_of: tuple[int, ...]
    unit_masks: tuple[int, ...]
    peers: tuple[int, ...]
    plane: int
    full: int
    keep: tuple[int, ...]
    cell: Family
    row: Family
    column: Family
    box: Family


@cache
def shape(size: int) -> Shape:
    """The geometry of a grid, cached per size.

    Raises:
        InvalidParameters: ``size`` is not 4, 6 or 9.
    """
    all_units = units(size)
    rows, boxes = all_units[:size], all_units[2 * size :]
    height, width = BOXES[size]
    area = size * size
    cells = range(area)
    box_of = tuple(c // size // height * (size // width) + c % size // width for c in cells)
    masks = tuple(_mask(unit) for unit in all_units)
    peers = tuple((masks[c // size] | masks[size + c % size] | masks[2 * size + box_of[c]]) & ~(1 << c) for c in cells)
    full = (1 << area * size) - 1
    planes = _mask(range(0, area * size, area))
    keep = tuple(
        full & ~(peers[c] << d * area) & ~((planes ^ (1 << d * area)) << c) for d in range(size) for c in cells
    )
    return Shape(
        size=size,
        height=height,
        width=width,
        area=area,
        units=all_units,
        box_of=box_of,
        unit_masks=masks,
        peers=peers,
        plane=(1 << area) - 1,
        full=full,
        keep=keep,
        cell=Family(((area, width), (area * width, height)), (1 << area) - 1, planes),
        row=Family(((1, width), (width, height)), planes * _mask(r[0] for r in rows), masks[0]),
        column=Family(((size, height), (size * height, width)), planes * masks[0], masks[size]),
        box=Family(((1, width), (size, height)), planes * _mask(b[0] for b in boxes), masks[2 * size]),
    )


def candidates(this: Shape, puzzle: Sequence[int]) -> tuple[int, int]:
    """The candidates that the clues of ``puzzle`` leave, and the clues themselves.

    Returns:
        ``(x, placed)``; ``x`` is 0 when two clues contradict each other.
    """
    x, placed, keep, area = this.full, 0, this.keep, this.area
    for cell, digit in enumerate(puzzle):
        if digit:
            k = (digit - 1) * area + cell
            if not x >> k & 1:
                return 0, 0
            x &= keep[k]
            placed |= 1 << k
    return x, placed


def digits(this: Shape, placed: int) -> tuple[int, ...]:
    """The grid of the settled digits; 0 for open cells."""
    grid = [0] * this.area
    while placed:
        low = placed & -placed
        placed ^= low
        digit, cell = divmod(low.bit_length() - 1, this.area)
        grid[cell] = digit + 1
    return tuple(grid)


def place(this: Shape, x: int, placed: int, new: int) -> tuple[int, int]:
    """Settle the candidates ``new`` and remove what conflicts with them."""
    keep, rest = this.keep, new
    while rest:
        k = rest.bit_length() - 1
        if not x >> k & 1:
            return 0, placed
        x &= keep[k]
        rest ^= 1 << k
    return x, placed | new


def propagate(this: Shape, x: int, placed: int, naked: bool = True) -> tuple[int, int]:
    """Place hidden (and perhaps naked) singles until no more are found."""
    area = this.area
    families = (this.cell, this.row, this.column, this.box) if naked else (this.row, this.column, this.box)
    while x and placed.bit_count() < area:
        new = 0
        for family in families:
            single = _singles(family, x)
            if single < 0:
                return 0, placed
            new |= single
        new &= ~placed
        if not new:
            break
        x, placed = place(this, x, placed, new)
    return x, placed


def deduce(this: Shape, x: int, placed: int, hardest: Technique) -> tuple[int, int]:
    """Apply techniques up to ``hardest``, at most ``WING``, while they make progress."""
    while True:
        x, placed = propagate(this, x, placed, hardest >= Technique.NAKED_SINGLE)
        if not x or placed.bit_count() == this.area:
            return x, placed
        gone = next((gone for _, gone in eliminations(this, x, hardest) if gone), 0)
        if not gone:
            return x, placed
        x &= ~gone


def eliminations(this: Shape, x: int, hardest: Technique = Technique.WING) -> Iterator[tuple[Technique, int]]:
    """The eliminations of each technique that places nothing, easiest first: ``(technique, candidates)``."""
    if hardest >= Technique.LOCKED:
        yield Technique.LOCKED, _locked(this, x)
    if hardest >= Technique.SUBSET:
        table = _Table.read(this, x)
        yield Technique.SUBSET, _subsets(this, x, table, 2)
        yield Technique.SUBSET, _subsets(this, x, table, 3)
        if hardest >= Technique.WING:
            yield Technique.WING, _fish(this, x, table, 2)
            yield Technique.WING, _xy_wing(this, x, table)
            yield Technique.WING, _fish(this, x, table, 3)


def hidden_singles(this: Shape, x: int) -> int:
    """A digit's only candidates in a unit; -1 without any place."""
    found = [_singles(family, x) for family in (this.row, this.column, this.box)]
    return -1 if min(found) < 0 else found[0] | found[1] | found[2]


def naked_singles(this: Shape, x: int) -> int:
    """The only candidates of a cell; -1 if a cell has none."""
    return _singles(this.cell, x)


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << b for b in bits)


def _fold(x: int, twice: int, shift: int, count: int) -> tuple[int, int]:
    """Where at least one place is set, and at least two.

    Over ``count`` (2 or 3) places ``shift`` apart.
    """
    a = x >> shift
    if count == 2:
        return x | a, twice | twice >> shift | x & a
    b, either = x >> 2 * shift, x | a
    return either | b, twice | twice >> shift | twice >> 2 * shift | x & a | either & b


def _singles(family: Family, x: int) -> int:
    """The only candidates of rules of ``family``; -1 without any."""
    (shift, count), (shift2, count2) = family.folds
    a = x >> shift
    if count == 2:
        once, twice = x | a, x & a
    else:
        b, either = x >> 2 * shift, x | a
        once, twice = either | b, x & a | either & b
    once, twice = _fold(once, twice, shift2, count2)
    if ~once & family.base:
        return -1
    alone = family.base & ~twice
    return alone * family.spread & x if alone else 0


def _locked(this: Shape, x: int) -> int:
    """Candidates removed by pointing and claiming, over all digits, boxes and lines."""
    n, h, w = this.size, this.height, this.width
    across = _crossing(x, (1, w), (w, h), (n, h), this.row, this.box)
    down = _crossing(x, (n, h), (n * h, w), (1, w), this.column, this.box)
    return (across | down) & x


def _crossing(
    x: int, cells: tuple[int, int], along: tuple[int, int], inside: tuple[int, int], line: Family, box: Family
) -> int:
    """Pointing and claiming for the lines of one direction.

    Args:
        x: The position.
        cells: How the cells of a segment (where a box meets a line) lie, ``(shift, count)``.
        along: How the segments of a line lie.
        inside: How the segments of a box lie.
        line: The family of the lines.
        box: The family of the boxes.
    """
    segments = _fold(x, 0, *cells)[0] & line.base * _row(along)
    gone = 0
    for (first, base), (second, base2) in (
        ((inside, box.base), (along, line.base)),
        ((along, line.base), (inside, box.base)),
    ):
        once, twice = _fold(segments, 0, *first)
        sole = ((once & ~twice) & base) * _row(first) & segments
        gone |= (_fold(sole, 0, *second)[0] & base2) * _row(second) & segments & ~sole
    return gone * _row(cells)


@cache
def _row(places: tuple[int, int]) -> int:
    shift, count = places
    return _mask(range(0, shift * count, shift))


@dataclass(frozen=True, slots=True)
class _Table:
    """The four families of rules as small masks.

    For techniques that compare rules.

    Attributes:
        cells: The digits left in each cell.
        places: Per unit (in the order of ``Shape.units``) and digit, its places, as a mask over the unit's cells.
    """

    cells: list[int]
    places: list[list[int]]

    @classmethod
    def read(cls, this: Shape, x: int) -> _Table:
        n, area, h, w = this.size, this.area, this.height, this.width
        text = f"{x:0{n * area}b}"[::-1]
        value = _values(n)
        cells = [value[text[c::area]] for c in range(area)]
        starts = range(0, n * area, area)
        places = [[value[text[s + r : s + r + n]] for s in starts] for r in range(0, area, n)]
        places += [[value[text[s + c : s + area : n]] for s in starts] for c in range(n)]
        for corner in (unit[0] for unit in this.units[2 * n :]):
            lines = range(corner, corner + h * n, n)
            places.append([value["".join([text[s + i : s + i + w] for i in lines])] for s in starts])
        return cls(cells, places)


@cache
def _values(size: int) -> dict[str, int]:
    """The integer of every text of ``size`` bits, lowest bit first."""
    return {f"{i:0{size}b}"[::-1]: i for i in range(1 << size)}


def _closed(masks: Sequence[int], count: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Sets of ``count`` masks whose union has ``count`` bits: ``(their indices, those bits)``."""
    few = [i for i, mask in enumerate(masks) if 2 <= mask.bit_count() <= count]
    if len(few) < count:
        return
    if count == 2:
        for i, j in combinations(few, 2):
            if masks[i] == masks[j]:
                yield (i, j), masks[i]
        return
    for i, j in combinations(few, 2):
        pair = masks[i] | masks[j]
        if pair.bit_count() <= 3:
            for k in few:
                if k > j and (pair | masks[k]).bit_count() == 3:
                    yield (i, j, k), pair | masks[k]


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _subsets(this: Shape, x: int, table: _Table, count: int) -> int:
    """Candidates removed by naked and hidden subsets of ``count`` cells."""
    area, gone = this.area, 0
    for unit, mask, places in zip(this.units, this.unit_masks, table.places, strict=True):
        for members, union in _closed([table.cells[c] for c in unit], count):
            others = mask & ~_mask(unit[i] for i in members)
            gone |= _mask(d * area for d in _bits(union)) * others
        for members, union in _closed(places, count):
            cells = _mask(unit[i] for i in _bits(union))
            gone |= _mask(d * area for d in range(this.size) if d not in members) * cells
    return gone & x


def _fish(this: Shape, x: int, table: _Table, count: int) -> int:
    """Candidates removed by X-wings (``count`` 2) or swordfish (3)."""
    n, area, gone = this.size, this.area, 0
    for lines, crossing in ((0, n), (n, 0)):
        for d in range(n):
            for members, union in _closed([table.places[lines + i][d] for i in range(n)], count):
                cover = sum(this.unit_masks[crossing + i] for i in _bits(union))
                gone |= (cover & ~sum(this.unit_masks[lines + i] for i in members)) << d * area
    return gone & x


def _xy_wing(this: Shape, x: int, table: _Table) -> int:
    """Candidates removed by XY-wings.

    A pivot AB sees AC and BC, so C is removed wherever both are seen.
    """
    peers, cells, gone = this.peers, table.cells, 0
    pairs = [c for c, mask in enumerate(cells) if mask.bit_count() == 2]
    for pivot in pairs:
        wings = [c for c in pairs if peers[pivot] >> c & 1 and (cells[c] & cells[pivot]).bit_count() == 1]
        for one, two in combinations(wings, 2):
            shared = cells[one] & cells[two]
            if shared.bit_count() == 1 and not shared & cells[pivot]:
                gone |= (peers[one] & peers[two]) << (shared.bit_length() - 1) * this.area
    return gone & x
