"""Islands in a connected sea without a 2x2 square, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence

from envhub.core.seeding import Stream
from envhub.generators.cells.board import beside, squares
from envhub.generators.cells.connectivity import Connected

SEA = 0


def islands(rng: Stream, height: int, width: int, most: int) -> list[int] | None:
    """The island of each cell, 0 for the sea; None at failure.

    Land is raised in one square of sea after the other, where it joins at most one island and does not cut the sea.
    """
    near = beside(height, width)
    sea = Connected(near, 1 << SEA)
    label = [SEA] * (height * width)
    sizes = [0]
    while True:
        left = [square for square in squares(height, width) if not any(label[cell] for cell in square)]
        if not left:
            return label
        for cell in rng.sample(rng.choice(left), 4):
            touched = {label[other] for other in near[cell]} - {SEA}
            island = max(touched, default=len(sizes))
            if len(touched) > 1 or (touched and sizes[island] == most):
                continue
            label[cell] = island
            if sea.holds([min(found, 1) for found in label]):
                sizes += [0] * (not touched)
                sizes[island] += 1
                break
            label[cell] = SEA
        else:
            return None


def labelled(near: Sequence[Sequence[int]], land: Sequence[bool], names: dict[int, int]) -> list[int] | None:
    """The island of each cell, by its only named cell.

    None if an island has no named cell or several.
    """
    label = [SEA] * len(land)
    for cell, name in names.items():
        if not land[cell] or label[cell]:
            return None
        todo = [cell]
        label[cell] = name
        while todo:
            for other in near[todo.pop()]:
                if land[other] and not label[other]:
                    label[other] = name
                    todo.append(other)
    return label if all(found or not dry for found, dry in zip(label, land, strict=True)) else None
