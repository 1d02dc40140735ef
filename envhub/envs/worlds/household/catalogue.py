"""What stands in a house and where things usually are.

Names of places and things are those of ALFWorld, so that a policy meets the same words. The usual places are our own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple


class Place(NamedTuple):
    """A kind of place.

    Attributes:
        hinged: Whether it opens and closes, and is closed at first.
        inside: Whether things are in it, and not on it.
        does: What it does to a thing that is held there: ``clean``, ``heat``, ``cool``, or nothing.
    """

    hinged: bool = False
    inside: bool = False
    does: str = ""


class Thing(NamedTuple):
    """A kind of thing.

    Attributes:
        usual: Kinds of places where it usually is.
        can: What can be done to it: ``clean``, ``heat``, ``cool``, ``examine``.
    """

    usual: Sequence[str]
    can: Sequence[str] = ()


class Room(NamedTuple):
    """A kind of room, as kinds of places separated by spaces.

    Attributes:
        always: Those that it always has.
        more: Those that a larger house adds, first to last.
    """

    always: str
    more: str


PLACES: Final[Mapping[str, Place]] = {
    "armchair": Place(),
    "bathtubbasin": Place(inside=True, does="clean"),
    "bed": Place(),
    "cabinet": Place(hinged=True, inside=True),
    "coffeemachine": Place(),
    "coffeetable": Place(),
    "countertop": Place(),
    "desk": Place(),
    "diningtable": Place(),
    "drawer": Place(hinged=True, inside=True),
    "dresser": Place(),
    "fridge": Place(hinged=True, inside=True, does="cool"),
    "garbagecan": Place(inside=True),
    "laundryhamper": Place(hinged=True, inside=True),
    "microwave": Place(hinged=True, inside=True, does="heat"),
    "safe": Place(hinged=True, inside=True),
    "shelf": Place(),
    "sidetable": Place(),
    "sinkbasin": Place(inside=True, does="clean"),
    "sofa": Place(),
    "stoveburner": Place(),
    "toilet": Place(),
    "towelholder": Place(),
    "tvstand": Place(),
}
ROOMS: Final[Mapping[str, Room]] = {
    "kitchen": Room(
        "sinkbasin fridge microwave countertop",
        "cabinet drawer cabinet diningtable stoveburner cabinet drawer countertop coffeemachine cabinet garbagecan shelf "
        "drawer cabinet stoveburner drawer",
    ),
    "bedroom": Room(
        "bed desk",
        "drawer sidetable dresser drawer shelf drawer sidetable armchair safe drawer laundryhamper garbagecan shelf",
    ),
    "livingroom": Room(
        "sofa coffeetable",
        "armchair sidetable drawer tvstand shelf diningtable drawer sidetable cabinet armchair drawer safe garbagecan",
    ),
    "bathroom": Room(
        "sinkbasin toilet",
        "cabinet bathtubbasin shelf drawer towelholder garbagecan cabinet drawer countertop laundryhamper cabinet",
    ),
}
_FOOD: Final = ("clean", "heat", "cool")
_DISH: Final = ("clean", "heat", "cool")
_SURFACES: Final = ("countertop", "diningtable")
_SEATS: Final = ("armchair", "sofa", "bed")
_TABLES: Final = ("coffeetable", "sidetable", "desk", "dresser")
THINGS: Final[Mapping[str, Thing]] = {
    "apple": Thing((*_SURFACES, "fridge", "garbagecan", "sinkbasin"), _FOOD),
    "bread": Thing((*_SURFACES, "fridge"), ("heat", "cool")),
    "egg": Thing((*_SURFACES, "fridge", "sinkbasin", "microwave"), _FOOD),
    "lettuce": Thing((*_SURFACES, "fridge", "sinkbasin"), ("clean", "cool")),
    "potato": Thing((*_SURFACES, "fridge", "sinkbasin", "microwave", "garbagecan"), _FOOD),
    "tomato": Thing((*_SURFACES, "fridge", "sinkbasin", "microwave"), _FOOD),
    "bowl": Thing((*_SURFACES, "cabinet", "shelf", "fridge"), _DISH),
    "cup": Thing((*_SURFACES, "cabinet", "shelf", "sinkbasin", "microwave"), _DISH),
    "mug": Thing((*_SURFACES, "cabinet", "shelf", "coffeemachine", "desk"), _DISH),
    "plate": Thing((*_SURFACES, "cabinet", "shelf", "sinkbasin"), _DISH),
    "pan": Thing(("stoveburner", "cabinet", *_SURFACES, "sinkbasin"), ("clean", "cool")),
    "pot": Thing(("stoveburner", "cabinet", *_SURFACES, "fridge"), ("clean", "cool")),
    "butterknife": Thing(("drawer", *_SURFACES, "sinkbasin"), ("clean",)),
    "fork": Thing(("drawer", *_SURFACES, "sinkbasin"), ("clean",)),
    "knife": Thing(("drawer", *_SURFACES, "sinkbasin"), ("clean",)),
    "ladle": Thing(("drawer", *_SURFACES, "sinkbasin"), ("clean",)),
    "spatula": Thing(("drawer", *_SURFACES, "sinkbasin"), ("clean",)),
    "spoon": Thing(("drawer", *_SURFACES, "sinkbasin"), ("clean",)),
    "kettle": Thing(("stoveburner", "cabinet", "countertop"), ("clean",)),
    "dishsponge": Thing(("sinkbasin", "cabinet", "drawer", "countertop"), ("clean",)),
    "peppershaker": Thing(("cabinet", "drawer", *_SURFACES, "shelf")),
    "saltshaker": Thing(("cabinet", "drawer", *_SURFACES, "shelf")),
    "soapbottle": Thing(("sinkbasin", "cabinet", "countertop", "toilet", "shelf")),
    "winebottle": Thing(("fridge", "cabinet", *_SURFACES, "garbagecan"), ("cool",)),
    "cloth": Thing(("cabinet", "drawer", "bathtubbasin", "laundryhamper", "countertop"), ("clean",)),
    "soapbar": Thing(("bathtubbasin", "sinkbasin", "toilet", "cabinet", "countertop"), ("clean",)),
    "candle": Thing(("countertop", "shelf", "toilet", "cabinet", "coffeetable")),
    "spraybottle": Thing(("cabinet", "toilet", "countertop", "shelf", "garbagecan")),
    "tissuebox": Thing((*_TABLES, "shelf", "toilet", "cabinet")),
    "toiletpaper": Thing(("toilet", "cabinet", "drawer", "shelf")),
    "towel": Thing(("towelholder", "bathtubbasin", "laundryhamper", "shelf")),
    "alarmclock": Thing(("sidetable", "desk", "dresser", "shelf"), ("examine",)),
    "baseballbat": Thing(("bed", "armchair", "desk", "sofa"), ("examine",)),
    "basketball": Thing(("bed", "armchair", "dresser", "sofa"), ("examine",)),
    "book": Thing((*_TABLES, "bed", "shelf", "drawer", "sofa"), ("examine",)),
    "box": Thing((*_SEATS, "coffeetable", "dresser", "tvstand"), ("examine",)),
    "cd": Thing(("desk", "drawer", "shelf", "safe", "dresser"), ("examine",)),
    "cellphone": Thing((*_TABLES, "bed", "sofa", "drawer"), ("examine",)),
    "creditcard": Thing((*_TABLES, "drawer", "shelf", "armchair"), ("examine",)),
    "keychain": Thing((*_TABLES, "safe", "drawer", "armchair", "shelf"), ("examine",)),
    "laptop": Thing((*_SEATS, "desk", "coffeetable"), ("examine",)),
    "newspaper": Thing((*_SEATS, "coffeetable", "garbagecan", "sidetable"), ("examine",)),
    "pen": Thing((*_TABLES, "drawer", "shelf", "garbagecan"), ("examine",)),
    "pencil": Thing((*_TABLES, "drawer", "shelf", "garbagecan"), ("examine",)),
    "pillow": Thing(_SEATS, ("examine",)),
    "remotecontrol": Thing((*_SEATS, "coffeetable", "tvstand", "drawer"), ("examine",)),
    "statue": Thing(("shelf", *_TABLES, "tvstand", "safe"), ("examine",)),
    "vase": Thing(("shelf", *_TABLES, "tvstand", "safe"), ("examine",)),
    "watch": Thing((*_TABLES, "safe", "drawer", "shelf"), ("examine",)),
}
LAMPS: Final[Mapping[str, Sequence[str]]] = {
    "desklamp": ("desk", "sidetable", "dresser", "shelf"),
    "floorlamp": ("armchair", "sofa", "sidetable"),
}
"""Kinds of lamps, and the kinds of places where they stand. Lamps cannot be carried."""


def kind(name: str) -> str:
    """The kind of a place or thing: ``drawer`` for ``drawer 2``."""
    return name.rpartition(" ")[0]
