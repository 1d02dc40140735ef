"""Rays: successions of cells that start beside a number."""

from __future__ import annotations

from collections.abc import Sequence

from envhub.generators.cells.law import Changed, Law


class Rays(Law):
    """Rays without gaps that have a total number of cells.

    In each ray, the cells with its mask are the first ones.

    Args:
        rays: For each ray, its mask and its cells, the nearest first; no cell belongs to two rays.
        total: The number of cells with the mask of their ray.
    """

    __slots__ = ("rays", "total")

    def __init__(self, rays: Sequence[tuple[int, Sequence[int]]], total: int) -> None:
        super().__init__([cell for _, cells in rays for cell in cells])
        self.rays = [(mask, tuple(cells)) for mask, cells in rays]
        self.total = total

    def holds(self, values: Sequence[int]) -> bool:
        """Whether all rays are unbroken and the total is right."""
        found = 0
        for mask, cells in self.rays:
            inside = [mask >> values[cell] & 1 for cell in cells]
            if inside != sorted(inside, reverse=True):
                return False
            found += sum(inside)
        return found == self.total

    def prune(self, domains: list[int]) -> Changed | None:
        """Close gaps, end rays, and fit their lengths to the total."""
        bounds = [_bounds(mask, cells, domains) for mask, cells in self.rays]
        least, most = sum(low for low, _ in bounds), sum(high for _, high in bounds)
        changed: list[int] = []
        for (mask, cells), (low, high) in zip(self.rays, bounds, strict=True):
            longest = min(high, self.total - least + low)
            shortest = max(low, self.total - most + high)
            if shortest > longest:
                return None
            for cell in cells[:shortest]:
                if domains[cell] != mask:
                    domains[cell] = mask
                    changed.append(cell)
            for cell in cells[longest:]:
                if domains[cell] & mask:
                    domains[cell] ^= mask
                    changed.append(cell)
        return changed


def _bounds(mask: int, cells: Sequence[int], domains: Sequence[int]) -> tuple[int, int]:
    """The least and the greatest length of a ray.

    The least is greater than the greatest if no length is possible.
    """
    low, high = 0, len(cells)
    for at, cell in enumerate(cells):
        if domains[cell] == mask:
            low = at + 1
        elif at < high and not domains[cell] & mask:
            high = at
    return low, high
