"""A second laboratory, written from the prompt's rules alone: dictionaries and sets, no code of the environment.

It reads commands as text and answers what happens: whether the command was possible, what an experiment shows, and whether an
answer counts. Genes are drawn as pairs of letters, offspring as the four combinations of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Any

CLOSED = ("cupboard", "drawer", "chest", "locker")
STAGES = ["seed", "sprout", "leaves", "flower", "fruit"]


@dataclass
class Plain:
    """A laboratory as the rules describe it.

    Attributes:
        content: What was drawn.
        shown: What the last experiment showed; empty if it showed nothing.
    """

    content: dict[str, Any]
    shown: str = ""
    hands: set[str] = field(default_factory=set)
    passable: set[frozenset[str]] = field(default_factory=set)
    opened: set[str] = field(default_factory=set)
    on: bool = False
    plate: str = ""
    bulb: str = ""
    piece: str = ""
    water: bool = False
    pollen: str = ""
    degrees: dict[str, int] = field(default_factory=dict)
    liquid: set[str] = field(default_factory=set)
    measured: set[str] = field(default_factory=set)
    done: set[Any] = field(default_factory=set)
    plants: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.here = self.content["start"]
        self.lying = dict(self.content["things"])
        self.hidden = self.content["hidden"]
        self.degrees = {sample: int(at) for sample, at in self.hidden.get("at_first", {}).items()}

    @property
    def at_bench(self) -> bool:
        return bool(self.here == self.content["bench"])

    def next_door(self, room: str) -> bool:
        rooms = self.content["rooms"]
        return room in rooms and (rooms[room] == self.here or rooms[self.here] == room)

    def in_room(self) -> set[str]:
        """The furniture here, and the things in what is open."""
        here = {name for name, room in self.content["furniture"].items() if room == self.here}
        seen = {name for name in here if name.split()[0] not in CLOSED or name in self.opened}
        return here | {thing for thing, spot in self.lying.items() if spot in seen}

    def happens(self, text: str) -> bool:
        """Whether a command is possible; if so, it is carried out."""
        self.shown = ""
        text = " ".join(text.lower().split())
        for start in ("open door to ", "go to ", "pick up ", "look at ", "open "):
            if text.startswith(start):
                return bool(getattr(self, "_" + start.strip().replace(" ", "_"))(text.removeprefix(start)))
        if text in ("look around", "inventory"):
            return True
        return bool(getattr(self, "_" + self.content["kind"])(text.split(" "), text))

    def counts(self) -> bool:
        """Whether the required experiments were made."""
        subjects = self.content["subjects"]
        match self.content["kind"]:
            case "matter":
                return self.liquid.issuperset(subjects) and self.measured.issuperset(subjects)
            case "planes":
                blocks = [thing for thing in self.content["things"] if thing.startswith("block ")]
                return any(self.done.issuperset((plane, block) for plane in subjects) for block in blocks)
        return self.done.issuperset(subjects)

    def truth(self) -> list[str]:
        """The right answer."""
        values = self.hidden["values"]
        return [str(values[subject]) for subject in self.content["subjects"]]

    # -- rooms and things ----------------------------------------------------------------------------------------------

    def _open_door_to(self, room: str) -> bool:
        door = frozenset((self.here, room))
        if not self.next_door(room) or door in self.passable:
            return False
        self.passable.add(door)
        return True

    def _go_to(self, room: str) -> bool:
        if not self.next_door(room) or frozenset((self.here, room)) not in self.passable:
            return False
        self.here = room
        return True

    def _open(self, name: str) -> bool:
        if name not in self.in_room() or name.split()[0] not in CLOSED or name in self.opened:
            return False
        self.opened.add(name)
        return True

    def _pick_up(self, name: str) -> bool:
        if name and self.at_bench and name == self.plate:
            self.plate = ""
        elif name in self.lying and name in self.in_room():
            del self.lying[name]
        else:
            return False
        self.hands.add(name)
        return True

    def _look_at(self, name: str) -> bool:
        if self.at_bench and name and name == self.bulb and self.piece:
            lit = name in self.hidden["working"]
            if self.piece != "copper rod":
                self.done |= {self.piece} if lit else set()
                lit = lit and self.hidden["values"][self.piece] == "yes"
            self.shown = " is lit." if lit else " is dark."
            return True
        at_bench = {self.plate, self.bulb, self.piece} - {""} if self.at_bench else set()
        if self.at_bench:
            at_bench.add(
                {"matter": "hot plate", "circuits": "battery", "growth": "planter"}.get(self.content["kind"], "")
            )
            at_bench |= {"planes": {"frame"}, "genetics": {"flower bed"}}.get(self.content["kind"], set())
            at_bench |= set() if self.content["kind"] in ("matter", "circuits") else set(self.content["subjects"])
            at_bench |= set(self.hidden.get("pure", ()))
        sink = {"sink"} if self.here == self.content["sink"] else set()
        return name in self.in_room() | self.hands | at_bench | sink

    # -- experiments ---------------------------------------------------------------------------------------------------

    def _matter(self, words: list[str], text: str) -> bool:
        if text == "activate hot plate":
            possible = self.at_bench and not self.on
            self.on = self.on or possible
            return possible
        if text == "wait":
            if not (self.at_bench and self.on and self.plate) or self.degrees[self.plate] >= 120:
                return False
            self.degrees[self.plate] += 10
            if self.degrees[self.plate] == int(self.hidden["values"][self.plate]):
                self.liquid.add(self.plate)
            self.shown = "liquid" if self.plate in self.liquid else "solid"
            return True
        if words[0] == "move" and text.endswith(" to hot plate"):
            sample = text.removeprefix("move ").removesuffix(" to hot plate")
            if not self.at_bench or self.plate or sample not in self.hands or sample not in self.degrees:
                return False
            self.hands.remove(sample)
            self.plate = sample
            return True
        sample = text.removeprefix("use thermometer on ")
        near = sample in self.hands or (self.at_bench and sample == self.plate)
        if sample == text or "thermometer" not in self.hands or sample not in self.degrees or not near:
            return False
        self.measured.add(sample)
        self.shown = f"{self.degrees[sample]} degrees"
        return True

    def _circuits(self, words: list[str], text: str) -> bool:
        name = text.removeprefix("connect ").removesuffix(" to battery")
        if words[0] == "connect" and text.endswith(" to battery") and name in self.hands and self.at_bench:
            slot = "bulb" if name.startswith("bulb ") else "piece"
            fits = name.startswith("bulb ") or name == "copper rod" or name in self.content["subjects"]
            if not fits or getattr(self, slot):
                return False
            setattr(self, slot, name)
            self.hands.remove(name)
            return True
        name = text.removeprefix("disconnect ")
        if words[0] != "disconnect" or not self.at_bench or name not in {self.bulb, self.piece} - {""}:
            return False
        setattr(self, "bulb" if name == self.bulb else "piece", "")
        self.hands.add(name)
        return True

    def _growth(self, words: list[str], text: str) -> bool:
        tool, _, target = text.removeprefix("use ").partition(" on ")
        if words[0] != "use" or tool not in self.hands:
            return False
        if tool == "watering can" and target == "sink":
            possible = self.here == self.content["sink"] and not self.water
            self.water = self.water or possible
            return possible
        if not self.at_bench or target not in self.content["subjects"]:
            return False
        if tool == "seeds":
            return target not in self.plants and self.plants.setdefault(target, 0) == 0
        if tool != "watering can" or not self.water or target not in self.plants:
            return False
        if STAGES[self.plants[target]] == self.hidden["values"][target]:
            self.done.add(target)
        else:
            self.plants[target] += 1
        self.shown = STAGES[self.plants[target]]
        return True

    def _planes(self, words: list[str], text: str) -> bool:
        block, _, plane = text.removeprefix("move ").partition(" to ")
        held = {block, "stopwatch"} <= self.hands and block.startswith("block ")
        if words[0] != "move" or not self.at_bench or not held or plane not in self.content["subjects"]:
            return False
        self.done.add((plane, block))
        self.shown = f"{self.hidden['times'][plane] + self.hidden['times'][block]} seconds"
        return True

    def _genetics(self, words: list[str], text: str) -> bool:
        plant = text.removeprefix("use brush on ")
        standing = [*self.content["subjects"], *self.hidden["pure"]]
        if plant == text or "brush" not in self.hands or not self.at_bench or plant not in standing:
            return False
        if not self.pollen:
            self.pollen = plant
            return True
        offspring = ["D" in pair for pair in product(self._genes(plant), self._genes(self.pollen))] * 2
        looks = {*self.hidden["looks"].values()}
        other = next(look for look in looks if look != self.hidden["dominant"])
        counts = {self.hidden["dominant"]: sum(offspring), other: 8 - sum(offspring)}
        self.shown = " and ".join(f"{count} {look}" for look, count in sorted(counts.items()) if count)
        for one, pure in ((plant, self.pollen), (self.pollen, plant)):
            differ = self.hidden["looks"][one] != self.hidden["looks"][pure]
            self.done |= {one} if pure in self.hidden["pure"] and one not in self.hidden["pure"] and differ else set()
        self.pollen = ""
        return True

    def _genes(self, plant: str) -> str:
        if plant in self.hidden["pure"]:
            return "DD" if self.hidden["looks"][plant] == self.hidden["dominant"] else "dd"
        return {"pure": "DD", "hybrid": "Dd", "recessive": "dd"}[self.hidden["values"][plant]]
