"""Rooms, furniture, instruments and values of the laboratory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

ROOMS: Final = (
    "hallway",
    "kitchen",
    "workshop",
    "greenhouse",
    "foundry",
    "bathroom",
    "studio",
    "office",
    "library",
    "garage",
)
HINGED: Final = ("cupboard", "drawer", "chest", "locker")
"""Furniture that is closed at first."""
FLAT: Final = ("table", "shelf", "counter")
CLUTTER: Final = (
    "notebook",
    "ruler",
    "magnet",
    "funnel",
    "spoon",
    "candle",
    "sponge",
    "rope",
    "compass",
    "mirror",
    "beaker",
    "pencil",
    "apron",
    "lens",
    "scale",
    "tongs",
)
"""Things without use."""
STAGES: Final = ("seed", "sprout", "leaves", "flower", "fruit")
DEGREES: Final = tuple(f"{10 * step}" for step in range(-3, 13))
"""Temperatures that a sample can have, in degrees Celsius."""
MOST_HEATING: Final = 6
"""Most steps of heating before a sample melts."""
REFERENCE_CONDUCTOR: Final = "copper rod"
SINK: Final = "sink"


class Experiment(NamedTuple):
    """One kind of experiment.

    Attributes:
        subject: What is examined: ``sample``, ``pot``, ``plane`` or ``plant``.
        carried: Whether the subjects are things to be fetched; otherwise they stand at the bench.
        instruments: Things that must be carried.
        spares: The thing of which there may be several, or nothing.
        bench: What stands where the experiment is made.
        values: The values of a subject; empty for ranks.
    """

    subject: str
    carried: bool
    instruments: tuple[str, ...]
    spares: str
    bench: str
    values: Sequence[str]


EXPERIMENTS: Final[Mapping[str, Experiment]] = {
    "matter": Experiment("sample", True, ("thermometer",), "", "hot plate", DEGREES),
    "circuits": Experiment("sample", True, (REFERENCE_CONDUCTOR,), "bulb", "battery", ("yes", "no")),
    "growth": Experiment("pot", False, ("seeds", "watering can"), "", "planter", STAGES),
    "planes": Experiment("plane", False, ("stopwatch",), "block", "frame", ()),
    "genetics": Experiment("plant", False, ("brush",), "", "flower bed", ("pure", "hybrid", "recessive")),
}
LOOKS: Final = (
    ("red", "white"),
    ("purple", "yellow"),
    ("round", "wrinkled"),
    ("tall", "short"),
    ("smooth", "hairy"),
    ("striped", "plain"),
)
"""Pairs of looks, each of which may be the dominant one."""


def kind(name: str) -> str:
    """The kind of a numbered or lettered thing: ``bulb 2`` is a ``bulb``."""
    return name.split(" ")[0]
