"""NetHack's tasks by level, for one release of nle."""

from __future__ import annotations

from typing import Final, NamedTuple

RELEASE: Final = "1.3.0"
TASKS: Final = ("staircase", "score", "gold", "eat", "scout")


class Goal(NamedTuple):
    """What a level asks for.

    Attributes:
        task: One of :data:`TASKS`.
        target: Stairs (1), points, gold pieces, units of nutrition, or squares of map.
        steps: Messages allowed.
    """

    task: str
    target: int
    steps: int


LEVELS: Final[tuple[tuple[Goal, ...], ...]] = (
    (Goal("staircase", 1, 200), Goal("gold", 5, 80)),
    (Goal("staircase", 1, 150), Goal("gold", 8, 100)),
    (Goal("staircase", 1, 100), Goal("scout", 150, 100)),
    (Goal("gold", 10, 100), Goal("score", 50, 150)),
    (Goal("scout", 220, 150), Goal("score", 55, 120)),
    (Goal("gold", 12, 120), Goal("score", 60, 150)),
    (Goal("scout", 300, 200), Goal("score", 70, 200)),
    (Goal("scout", 350, 250), Goal("gold", 14, 200)),
    (Goal("scout", 380, 300), Goal("score", 110, 300)),
    (Goal("score", 120, 300), Goal("score", 130, 400)),
)
"""What each level draws from, with the same chance."""

EAT: Final = Goal("eat", 200, 60)
"""The task of eating belongs to no level: characters begin with food, so keys alone solve it."""
