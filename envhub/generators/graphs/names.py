"""Random names of nodes: letters, words or numbers.

No name turns into another one by a typical slip of one sign: there is no A or B, and all digits of numbers are even.
"""

from __future__ import annotations

from typing import Final

from envhub.core.seeding import Stream

_LETTERS: Final = "CDEFGHIJKLMNOPQRSTUVWXYZ"
_PAIRS: Final = tuple(a + b for a in _LETTERS for b in _LETTERS)
_WORDS: Final = (
    "Acorn", "Amber", "Anchor", "Apple", "Arrow", "Ash", "Badger", "Banjo", "Basil", "Beacon", "Birch", "Bison",
    "Bramble", "Breeze", "Canyon", "Cedar", "Cinder", "Clover", "Cobalt", "Comet", "Coral", "Crane", "Dahlia",
    "Delta", "Dune", "Eagle", "Falcon", "Fern", "Finch", "Flint", "Garnet", "Ginger", "Glacier", "Granite",
    "Harbor", "Hazel", "Heron", "Indigo", "Iris", "Ivory", "Jasper", "Juniper", "Kestrel", "Lagoon", "Lantern",
    "Larch", "Lemon", "Lilac", "Linden", "Lotus", "Magnet", "Maple", "Marble", "Meadow", "Mint", "Nectar", "Nettle",
    "Nutmeg", "Oak", "Olive", "Onyx", "Orchid", "Osprey", "Otter", "Pebble", "Pepper", "Pine", "Plum", "Poplar",
    "Quartz", "Quill", "Raven", "Reed", "Robin", "Ruby", "Saffron", "Sage", "Sparrow", "Spruce", "Teal", "Thistle",
    "Topaz", "Tulip", "Velvet", "Violet", "Walnut", "Willow", "Wren", "Yarrow", "Zinnia",
)  # fmt: skip


_NUMBERS: Final = {
    digits: [number for number in range(10 ** (digits - 1), 10**digits) if not set(str(number)) & set("13579")]
    for digits in (2, 3)
}


def names(rng: Stream, count: int) -> list[str]:
    """Different letters, words or numbers in random order; at most 576."""
    fitting = [kind for kind in (_LETTERS, _WORDS, _NUMBERS[2], _NUMBERS[3]) if len(kind) >= count]
    return [str(name) for name in rng.sample(rng.choice(fitting or [_PAIRS]), count)]
