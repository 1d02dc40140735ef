"""ScienceWorld's tasks: their variations, and levels by the length of solutions.

Both were read from release 1.2.3, with the simplification ``easy``; the solutions of the first, the last and one variation
between them were measured.
"""

from __future__ import annotations

from typing import Final, NamedTuple

RELEASE: Final = "1.2.3"


class Level(NamedTuple):
    """What a difficulty level draws.

    Attributes:
        tasks: Names of the tasks.
        steps: Messages allowed, above the longest measured solution.
    """

    tasks: tuple[str, ...]
    steps: int


LEVELS: Final = (
    Level(("lifespan-shortest-lived", "lifespan-longest-lived", "find-non-living-thing"), 30),
    Level(("lifespan-longest-lived-then-shortest-lived", "chemistry-mix-paint-secondary-color", "find-plant"), 40),
    Level(("find-animal", "find-living-thing", "power-component"), 40),
    Level(
        ("identify-life-stages-2", "chemistry-mix-paint-tertiary-color", "test-conductivity-of-unknown-substances"), 50
    ),
    Level(("use-thermometer", "chemistry-mix", "power-component-renewable-vs-nonrenewable-energy"), 60),
    Level(("measure-melting-point-known-substance", "change-the-state-of-matter-of", "identify-life-stages-1"), 120),
    Level(("measure-melting-point-unknown-substance", "test-conductivity", "melt"), 150),
    Level(("boil", "freeze", "inclined-plane-friction-named-surfaces"), 150),
    Level(("grow-plant", "grow-fruit", "inclined-plane-determine-angle"), 200),
    Level(
        (
            "inclined-plane-friction-unnamed-surfaces",
            "mendelian-genetics-known-plant",
            "mendelian-genetics-unknown-plant",
        ),
        300,
    ),
)

VARIATIONS: Final = {
    "boil": 30,
    "change-the-state-of-matter-of": 30,
    "chemistry-mix": 32,
    "chemistry-mix-paint-secondary-color": 36,
    "chemistry-mix-paint-tertiary-color": 36,
    "find-animal": 300,
    "find-living-thing": 300,
    "find-non-living-thing": 300,
    "find-plant": 300,
    "freeze": 30,
    "grow-fruit": 126,
    "grow-plant": 126,
    "identify-life-stages-1": 14,
    "identify-life-stages-2": 10,
    "inclined-plane-determine-angle": 168,
    "inclined-plane-friction-named-surfaces": 1386,
    "inclined-plane-friction-unnamed-surfaces": 162,
    "lifespan-longest-lived": 125,
    "lifespan-longest-lived-then-shortest-lived": 125,
    "lifespan-shortest-lived": 125,
    "measure-melting-point-known-substance": 436,
    "measure-melting-point-unknown-substance": 300,
    "melt": 30,
    "mendelian-genetics-known-plant": 120,
    "mendelian-genetics-unknown-plant": 480,
    "power-component": 20,
    "power-component-renewable-vs-nonrenewable-energy": 20,
    "test-conductivity": 900,
    "test-conductivity-of-unknown-substances": 600,
    "use-thermometer": 540,
}
"""Number of variations of each task."""
