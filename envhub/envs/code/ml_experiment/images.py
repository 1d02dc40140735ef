"""Images: grey shapes of six by six pixels, moved, with noise.

What is moved over an edge comes back in on the other side. A noisy pixel has a random value, so the probability of
each label is a sum over the places where its shape may be, of one factor per pixel.
"""

from __future__ import annotations

from math import fsum
from operator import eq
from typing import Final

from envhub.core.seeding import Stream
from envhub.envs.code.ml_experiment.data import Column, Drawn, MetricName, Row, Size

SIDE: Final = 6
_GREYS: Final = 10
_SHAPES: Final = ("anchor", "bell", "comet", "drum", "engine")
Pixels = tuple[int, ...]


def draw(rng: Stream, metric: MetricName, size: Size) -> Drawn:
    """Images with the name of their shape."""
    labels = _SHAPES[: 3 if size.complexity < 3 else 4]
    places = ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (2, 2), (1, 2), (2, 1))[: 2 * size.complexity - 1]
    noisy = 44 + 3 * size.complexity  # percent of the pixels
    shapes = [_shape(rng) for _ in labels]
    moved = [[_moved(shape, *place) for place in places] for shape in shapes]
    factor = ((100 - noisy) + noisy / _GREYS) / (noisy / _GREYS)
    powers = [1.0]
    for _ in range(SIDE * SIDE):
        powers.append(powers[-1] * factor)
    rows = []
    for _ in range(size.train + size.test):
        label = rng.below(len(labels))
        pixels = tuple(
            rng.below(_GREYS) if rng.below(100) < noisy else grey for grey in moved[label][rng.below(len(places))]
        )
        likely = [fsum(powers[sum(map(eq, pixels, shape))] for shape in each) for each in moved]
        rows.append(Row(pixels, labels[label], labels[max(range(len(labels)), key=likely.__getitem__)]))
    columns = tuple(Column(f"p{y}{x}", f"grey of the pixel in row {y}, column {x}, 0 to 9") for y, x in _positions())
    target = Column("shape", f"name of the shape, one of {', '.join(labels)}")
    return Drawn(
        "a noisy image of a shape, 6 x 6 pixels", columns, target, rows[: size.train], rows[size.train :], labels
    )


def _positions() -> list[tuple[int, int]]:
    return [(y, x) for y in range(SIDE) for x in range(SIDE)]


def _shape(rng: Stream) -> Pixels:
    """A path of bright pixels on a dark ground."""
    y, x = rng.below(SIDE), rng.below(SIDE)
    bright = set[tuple[int, int]]()
    while len(bright) < 11:
        bright.add((y, x))
        down, right = rng.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
        y, x = (y + down) % SIDE, (x + right) % SIDE
    return tuple(8 if place in bright else 1 for place in _positions())


def _moved(shape: Pixels, down: int, right: int) -> Pixels:
    return tuple(shape[(y - down) % SIDE * SIDE + (x - right) % SIDE] for y, x in _positions())
