"""A second house, written from the prompt's rules alone: dictionaries and sets, no code of the environment.

It reads commands as text and answers what happens: whether the command was possible, what is then seen, and whether the errand
is done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

HINGED = {"cabinet", "drawer", "fridge", "microwave", "safe", "laundryhamper"}
APPLIANCES = {"clean": {"sinkbasin", "bathtubbasin"}, "heat": {"microwave"}, "cool": {"fridge"}}
CONDITION = {"clean": "clean", "heat": "hot", "cool": "cold"}
FOOD = {"apple", "potato", "tomato", "egg", "bowl", "cup", "mug", "plate"}
ABLE = {
    "clean": FOOD
    | {
        "lettuce",
        "pan",
        "pot",
        "butterknife",
        "fork",
        "knife",
        "ladle",
        "spatula",
        "spoon",
        "kettle",
        "dishsponge",
        "cloth",
    }
    | {"soapbar"},
    "heat": FOOD | {"bread"},
    "cool": FOOD | {"bread", "lettuce", "pan", "pot", "winebottle"},
}


def kind(name: str) -> str:
    return name.split(" ")[0]


@dataclass
class Plain:
    """A house as the rules describe it.

    Attributes:
        where: The place of each thing that is not held.
        conditions: What has been done to each thing.
    """

    places: list[str]
    where: dict[str, str]
    errand: Sequence[str]
    here: str = ""
    hand: str = ""
    opened: set[str] = field(default_factory=set)
    lit: set[str] = field(default_factory=set)
    conditions: dict[str, set[str]] = field(default_factory=dict)

    def is_open(self, place: str) -> bool:
        return kind(place) not in HINGED or place in self.opened

    def shown(self) -> set[str]:
        """What is seen at the policy's place."""
        if not self.here or not self.is_open(self.here):
            return set()
        return {thing for thing, place in self.where.items() if place == self.here}

    def happens(self, text: str) -> bool:
        """Whether a command is possible; if so, it is carried out."""
        words = text.lower().split()
        match words:
            case ["look"] | ["inventory"]:
                return True
            case ["examine", *rest]:
                name = " ".join(rest)
                return name in self.shown() or (bool(name) and name in (self.here, self.hand))
            case ["go", "to", *rest] if " ".join(rest) in self.places and " ".join(rest) != self.here:
                self.here = " ".join(rest)
                return True
            case ["open" | "close" as verb, *rest]:
                return self.hinge(verb, " ".join(rest))
            case ["take", a, b, "from", c, d]:
                return self.take(f"{a} {b}", f"{c} {d}")
            case ["move", a, b, "to", c, d] | ["put", a, b, "in" | "on" | "in/on", c, d]:
                return self.put(f"{a} {b}", f"{c} {d}")
            case ["clean" | "heat" | "cool" as verb, a, b, "with", c, d]:
                return self.treat(verb, f"{a} {b}", f"{c} {d}")
            case ["use", *rest] if "lamp" in text and " ".join(rest) in self.shown():
                self.lit.add(" ".join(rest))
                return True
        return False

    def hinge(self, verb: str, place: str) -> bool:
        if place != self.here or kind(place) not in HINGED or (place in self.opened) == (verb == "open"):
            return False
        self.opened ^= {place}
        return True

    def take(self, thing: str, place: str) -> bool:
        if place != self.here or thing not in self.shown() or self.hand or "lamp" in thing:
            return False
        self.hand = thing
        del self.where[thing]
        return True

    def put(self, thing: str, place: str) -> bool:
        if not thing or thing != self.hand or place != self.here or not self.is_open(place):
            return False
        self.where[thing], self.hand = place, ""
        return True

    def treat(self, verb: str, thing: str, place: str) -> bool:
        fits = kind(place) in APPLIANCES[verb] and kind(thing) in ABLE[verb]
        if thing != self.hand or place != self.here or not fits:
            return False
        found = self.conditions.setdefault(thing, set())
        found -= {"hot", "cold"} if verb in ("heat", "cool") else set()
        found.add(CONDITION[verb])
        return True

    def done(self) -> bool:
        """Whether the errand is done."""
        errand, thing, end = self.errand
        if errand == "examine":
            return kind(self.hand) == thing and any(
                self.where[lamp] == self.here and kind(lamp) == end for lamp in self.lit
            )
        wanted = CONDITION.get(errand)
        there = [
            place
            for name, place in self.where.items()
            if kind(name) == thing
            and kind(place) == end
            and (wanted is None or wanted in self.conditions.get(name, set()))
        ]
        return any(there.count(place) >= (2 if errand == "two" else 1) for place in there)
