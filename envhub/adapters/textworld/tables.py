"""TextWorld's kinds of generated games, and levels of them, for one release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

RELEASE: Final = "1.7.0"
KINDS: Final = ("quest", "treasure_hunter", "coin_collector", "cooking")


class Game(NamedTuple):
    """What a generated game is made of.

    Attributes:
        kind: One of :data:`KINDS`.
        settings: Those of TextWorld.
        brief: Whether the goal names the last step alone.
    """

    kind: str
    settings: Mapping[str, Any]
    brief: bool


def _quest(rooms: int, things: int, length: int, brief: bool) -> Game:
    return Game("quest", {"nb_rooms": rooms, "nb_objects": things, "quest_length": length}, brief)


def _cooking(ingredients: int, taken: int, rooms: int, prepared: bool, doors: bool) -> Game:
    settings = {"recipe": ingredients, "take": taken, "go": rooms, "open": doors, "cook": prepared, "cut": prepared}
    return Game("cooking", {**settings, "drop": False, "split": None}, False)


def _treasure(level: int, brief: bool) -> Game:
    return Game("treasure_hunter", {"level": level}, brief)


def _coins(level: int) -> Game:
    return Game("coin_collector", {"level": level}, True)


LEVELS: Final[tuple[tuple[Game, ...], ...]] = (
    (_quest(3, 5, 3, False), _treasure(3, False)),
    (_quest(4, 6, 4, False), _cooking(1, 1, 1, False, False)),
    (_quest(5, 8, 5, False), _treasure(11, False)),
    (_quest(6, 9, 5, True), _cooking(1, 1, 6, True, False)),
    (_quest(6, 10, 6, True), _treasure(14, True)),
    (_quest(8, 12, 7, False), _cooking(2, 2, 6, True, True)),
    (_coins(106), _treasure(17, True)),
    (_quest(9, 15, 8, True), _cooking(3, 2, 9, True, True)),
    (_coins(110), _treasure(22, True)),
    (_quest(12, 20, 10, True), _cooking(4, 3, 12, True, True)),
)
"""What each level draws from, with the same chance."""
