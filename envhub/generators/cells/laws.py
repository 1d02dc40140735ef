"""Laws over few cells: given values, differences, order, counts, sums and tables."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from envhub.generators.cells.law import NOTHING, Changed, Law, values_of


class Within(Law):
    """A cell has one of the values of a mask."""

    __slots__ = ("mask",)

    def __init__(self, cell: int, mask: int) -> None:
        super().__init__((cell,))
        self.mask = mask

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the value is in the mask."""
        return bool(self.mask >> values[self.cells[0]] & 1)

    def prune(self, domains: list[int]) -> Changed | None:
        """Keep the values of the mask."""
        cell = self.cells[0]
        kept = domains[cell] & self.mask
        if kept == domains[cell]:
            return NOTHING
        domains[cell] = kept
        return self.cells if kept else None


class Different(Law):
    """All cells have different values.

    Args:
        cells: The cells.
        full: Mask of values that must all occur; 0 if there are more values than cells.
    """

    __slots__ = ("full",)

    def __init__(self, cells: Sequence[int], full: int = 0) -> None:
        super().__init__(cells)
        self.full = full

    def holds(self, values: Sequence[int]) -> bool:
        """Whether no value repeats."""
        return len({values[cell] for cell in self.cells}) == len(self.cells)

    def prune(self, domains: list[int]) -> Changed | None:
        """Remove decided values, and place values that fit only once."""
        changed: list[int] = []
        while True:
            seen = once = twice = 0
            found = False
            for cell in self.cells:
                mask = domains[cell]
                if not mask & mask - 1:
                    if seen & mask:
                        return None
                    seen |= mask
            for cell in self.cells:
                mask = domains[cell]
                if mask & mask - 1:
                    kept = mask & ~seen
                    if kept != mask:
                        if not kept:
                            return None
                        domains[cell] = kept
                        changed.append(cell)
                        found |= not kept & kept - 1
                    twice |= once & kept
                    once |= kept
            if not found and self.full:
                if once | seen != self.full:
                    return None
                only = once & ~twice
                for cell in self.cells if only else ():
                    mask = domains[cell]
                    kept = mask & only
                    if kept and mask & mask - 1:
                        if kept & kept - 1:
                            return None
                        domains[cell] = kept
                        changed.append(cell)
                        found = True
            if not found:
                return changed


class Less(Law):
    """The first cell is smaller than the second one."""

    __slots__ = ()

    def __init__(self, small: int, large: int) -> None:
        super().__init__((small, large))

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the order is right."""
        small, large = self.cells
        return values[small] < values[large]

    def prune(self, domains: list[int]) -> Changed | None:
        """Cut the small cell from above and the large cell from below."""
        small, large = self.cells
        low, high = domains[small], domains[large]
        above = high & -((low & -low) << 1)
        below = low & (1 << above.bit_length() - 1) - 1 if above else 0
        if not below:
            return None
        domains[small], domains[large] = below, above
        return [cell for cell, one, other in ((small, low, below), (large, high, above)) if one != other]


class Count(Law):
    """The number of cells with some values is between two bounds."""

    __slots__ = ("high", "low", "mask")

    def __init__(self, cells: Sequence[int], low: int, high: int, mask: int = 0b10) -> None:
        super().__init__(cells)
        self.low, self.high, self.mask = low, high, mask

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the number of such cells is within the bounds."""
        return self.low <= sum(self.mask >> values[cell] & 1 for cell in self.cells) <= self.high

    def prune(self, domains: list[int]) -> Changed | None:
        """Decide the open cells when one of the bounds is reached."""
        mask, low, high = self.mask, self.low, self.high
        sure, open_ = 0, []
        for cell in self.cells:
            domain = domains[cell]
            inside = domain & mask
            if inside:
                if inside == domain:
                    sure += 1
                else:
                    open_.append(cell)
        most = sure + len(open_)
        if sure > high or most < low:
            return None
        if not open_ or (sure < high and most > low):
            return NOTHING
        wanted = ~mask if sure == high else mask
        for cell in open_:
            domains[cell] &= wanted
        return open_


class Total(Law):
    """The weighted sum of the cells is between two bounds.

    Args:
        cells: The cells.
        low: Least sum.
        high: Greatest sum.
        weights: Positive weights of the cells; by default all are 1.
    """

    __slots__ = ("high", "low", "weights")

    def __init__(self, cells: Sequence[int], low: int, high: int, weights: Sequence[int] = ()) -> None:
        super().__init__(cells)
        self.low, self.high = low, high
        self.weights = tuple(weights) or (1,) * len(self.cells)

    @property
    def kind(self) -> Hashable:
        """The bounds and the weights."""
        return Total, self.low, self.high, self.weights

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the sum is within the bounds."""
        total = sum(weight * values[cell] for cell, weight in zip(self.cells, self.weights, strict=True))
        return self.low <= total <= self.high

    def prune(self, domains: list[int]) -> Changed | None:
        """Keep the values that are part of a possible sum."""
        before = [1]
        for cell, weight in zip(self.cells, self.weights, strict=True):
            last, reach = before[-1], 0
            for value in values_of(domains[cell]):
                reach |= last << weight * value
            before.append(reach)
        after = (1 << self.high + 1) - (1 << self.low)
        if not before[-1] & after:
            return None
        changed = []
        for at in range(len(self.cells) - 1, -1, -1):
            cell, weight, reach = self.cells[at], self.weights[at], before[at]
            kept = back = 0
            for value in values_of(domains[cell]):
                rest = after >> weight * value
                if rest & reach:
                    kept |= 1 << value
                    back |= rest
            if kept != domains[cell]:
                domains[cell] = kept
                changed.append(cell)
            after = back
        return changed


class Rows:
    """The allowed rows of a table, indexed by place and value.

    Attributes:
        allowed: The rows.
        having: For each place, the bit set of rows by value.
    """

    __slots__ = ("allowed", "every", "having")

    def __init__(self, rows: Sequence[tuple[int, ...]]) -> None:
        self.allowed = frozenset(rows)
        self.every = (1 << len(rows)) - 1
        self.having: list[dict[int, int]] = [{} for _ in rows[0]] if rows else []
        for place, having in enumerate(self.having):
            bits: dict[int, bytearray] = {}
            for number, row in enumerate(rows):
                found = bits.get(row[place])
                if found is None:
                    found = bits[row[place]] = bytearray(len(rows) + 7 >> 3)
                found[number >> 3] |= 1 << (number & 7)
            having.update((value, int.from_bytes(found, "little")) for value, found in bits.items())


class Table(Law):
    """The cells have the values of a row of a table.

    Args:
        cells: The cells, one per place of a row.
        rows: The allowed rows; share them between laws, since indexing them costs more than using them.
    """

    __slots__ = ("rows",)

    def __init__(self, cells: Sequence[int], rows: Rows) -> None:
        super().__init__(cells)
        self.rows = rows

    @property
    def kind(self) -> Hashable:
        """The allowed rows."""
        return self.rows

    def holds(self, values: Sequence[int]) -> bool:
        """Whether the values are a row of the table."""
        return tuple([values[cell] for cell in self.cells]) in self.rows.allowed

    def prune(self, domains: list[int]) -> Changed | None:
        """Keep the values of rows that are still possible."""
        alive = self.rows.every
        having = self.rows.having
        for cell, supports in zip(self.cells, having, strict=False):  # an empty table has no places
            reach = 0
            for value in values_of(domains[cell]):
                reach |= supports.get(value, 0)
            alive &= reach
        if not alive:
            return None
        changed = []
        for cell, supports in zip(self.cells, having, strict=True):
            mask = domains[cell]
            if mask & mask - 1:
                kept = 0
                for value in values_of(mask):
                    if supports.get(value, 0) & alive:
                        kept |= 1 << value
                if kept != mask:
                    domains[cell] = kept
                    changed.append(cell)
        return changed
