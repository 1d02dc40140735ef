"""What houses consist of: rooms, furniture, things and food.

Kinds of cuts and of cooking, the appliances and the commands are those of TextWorld's cooking games; the houses are our own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Holder(NamedTuple):
    """A piece of furniture in which, or on which, things can be.

    Attributes:
        hinged: Whether it opens and closes, and is closed at first.
        inside: Whether things are in it, and not on it.
        does: What it does to food: ``fried``, ``roasted``, ``grilled``, or nothing.
    """

    hinged: bool = False
    inside: bool = False
    does: str = ""


_BOX: Final = Holder(hinged=True, inside=True)
_TOP: Final = Holder()
HOLDERS: Final[Mapping[str, Holder]] = {
    "stove": Holder(does="fried"),
    "oven": Holder(inside=True, does="roasted"),
    "barbecue": Holder(does="grilled"),
    **dict.fromkeys(
        ("fridge", "cupboard", "cabinet", "wardrobe", "dresser", "toolbox", "mailbox", "freezer", "hamper"), _BOX
    ),
    **dict.fromkeys(("bin", "desk drawer", "barrel", "suitcase"), _BOX),
    **dict.fromkeys(("counter", "kitchen table", "sofa", "bookcase", "bed", "nightstand", "bench", "hall table"), _TOP),
    **dict.fromkeys(
        ("patio table", "stone bench", "workbench", "showcase", "shelf", "pallet", "desk", "piano", "stool"), _TOP
    ),
    **dict.fromkeys(("chest", "strongbox", "trunk", "casket"), _BOX),
}
"""Kinds of furniture. The last row is that of containers with locks, whose names begin with that of their key."""
LOCKABLE: Final = ("chest", "strongbox", "trunk", "casket")
KITCHEN: Final = "kitchen"
YARD: Final = "backyard"
ROOMS: Final[Mapping[str, tuple[str, ...]]] = {
    KITCHEN: ("counter", "fridge", "kitchen table", "cupboard"),
    YARD: ("patio table", "bin"),
    "pantry": ("shelf", "freezer"),
    "living room": ("sofa", "cabinet"),
    "bedroom": ("bed", "wardrobe", "nightstand"),
    "bathroom": ("stool", "hamper"),
    "corridor": ("hall table", "suitcase"),
    "garden": ("stone bench", "barrel"),
    "shed": ("workbench", "toolbox"),
    "study": ("desk", "desk drawer", "bookcase"),
    "driveway": ("pallet", "mailbox"),
    "music room": ("piano", "dresser"),
    "gallery": ("showcase", "bench"),
}
"""Furniture by room, first what the room has in every house."""
APPLIANCES: Final[Mapping[str, str]] = {"stove": KITCHEN, "oven": KITCHEN, "barbecue": YARD}
DIRECTIONS: Final[Mapping[str, tuple[int, int]]] = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
OPPOSITE: Final = {"north": "south", "south": "north", "east": "west", "west": "east"}
LABELS: Final = ("brass", "iron", "oak", "silver", "copper", "marble", "crimson", "ivory", "bronze", "glass")
"""First words of the names of doors, of containers with locks, and of the keys that fit them."""
FOODS: Final = (
    *("carrot", "red onion", "potato", "tomato", "bell pepper", "banana", "apple", "pork chop", "chicken leg", "tuna"),
    *("eggplant", "lettuce", "parsnip", "zucchini", "block of cheese", "mushroom"),
)
TREASURES: Final = (
    "golden crown",
    "pearl necklace",
    "jade statue",
    "ruby ring",
    "amber idol",
    "opal brooch",
    "old chart",
)
GOODS: Final = (
    "lamp",
    "towel",
    "vase",
    "clock",
    "kettle",
    "pillow",
    "hammer",
    "radio",
    "camera",
    "mug",
    "blanket",
    "globe",
)
CLUTTER: Final = (
    "pen",
    "newspaper",
    "candle",
    "sock",
    "comb",
    "coin",
    "postcard",
    "rope",
    "brush",
    "button",
    "spoon",
    "cork",
)
KNIFE: Final = "knife"
BOOK: Final = "cookbook"
MEAL: Final = "meal"
CUTS: Final[Mapping[str, str]] = {"slice": "sliced", "dice": "diced", "chop": "chopped"}
COOKING: Final[Mapping[str, str]] = {"fry": "fried", "roast": "roasted", "grill": "grilled"}
COOKED: Final = tuple(COOKING.values())


def holder(name: str) -> Holder:
    """A piece of furniture by its name: that of ``chest`` for ``oak chest``."""
    return HOLDERS[name] if name in HOLDERS else HOLDERS[name.rpartition(" ")[2]]
