"""A second world of crafting, written from the prompt's rules alone.

:class:`Plain` is given what was drawn, and keeps names in dictionaries; it shares no code with the environment.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

WAYS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
OPEN = ("grass", "sand", "floor")
NAMES = {".": "grass", ":": "sand", "_": "floor", "~": "water", "o": "berry bush", "*": "bare bush"}
BEASTS = ("prowler", "lurker")
Cell = tuple[int, int]


class Plain:
    """A world as the rules describe it."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.content, tech, width = content, content["technology"], content["width"]
        letters = dict(NAMES)
        letters |= {"ABCDEFGH"[n]: source[0] for n, source in enumerate(tech["sources"])}
        self.cells = {divmod(n, width): letters[sign] for n, sign in enumerate(content["cells"])}
        self.at, self.face = divmod(content["start"], width), "south"
        self.beasts = {divmod(cell, width): [BEASTS[kind], 3] for cell, kind in content["creatures"]}
        self.bag, self.health, self.step, self.slept = Counter[str](), 9, 0, False
        self.needs = dict(zip(("water", "food", "energy"), content["needs"], strict=False))
        self.events = set[tuple[str, str]]()
        self.sources = {cell: (item, tool, lasting) for cell, item, tool, lasting in tech["sources"]}
        self.put = [*tech["stations"], tech["lamp"], tech["sources"][1][1]]

    def ahead(self) -> Cell:
        return self.at[0] + WAYS[self.face][0], self.at[1] + WAYS[self.face][1]

    def free(self, cell: Cell) -> bool:
        return self.cells.get(cell) in OPEN and cell not in self.beasts

    def night(self) -> bool:
        return self.step % (self.content["day"] + self.content["night"]) >= self.content["day"]

    def do(self, verb: str, name: str) -> bool:
        """One step; whether the action could be carried out."""
        worked = self.acted(verb, name)
        self.slept = verb == "sleep" and worked
        self.step += 1
        if self.step % 2 == 0:
            self.stir()
        for (need, value), every in zip(list(self.needs.items()), (25, 30, 40), strict=False):
            self.needs[need] = value - 1 if self.step % every == 0 and value else value
        if self.step % 10 == 0 and self.health:
            self.health = min(9, self.health + (-1 if 0 in self.needs.values() else 1))
        return worked

    def acted(self, verb: str, name: str) -> bool:
        if verb in WAYS:
            turned, self.face = verb != self.face, verb
            if self.free(self.ahead()):
                self.at = self.ahead()
                return True
            return turned
        if verb == "use":
            return self.used(self.ahead())
        if verb == "make":
            return self.made(name)
        if verb == "place":
            rock = name == self.content["technology"]["sources"][1][1] and self.cells.get(self.ahead()) == "water"
            if name not in self.put or not self.bag[name] or not (self.free(self.ahead()) or rock):
                return False
            cells = {item: cell for cell, (item, *_) in self.sources.items()}
            self.cells[self.ahead()] = cells.get(name, name)
            self.bag[name] -= 1
            self.events.add(("place", name))
            return True
        if verb == "recipe":
            return name in {source[1] for source in self.content["technology"]["sources"]} | {
                recipe[0] for recipe in self.content["technology"]["recipes"]
            }
        if verb == "sleep":
            if self.needs.get("energy", 9) >= 9:
                return False
            self.needs["energy"] += 1
            self.events.add(("sleep", ""))
        return True

    def used(self, cell: Cell) -> bool:
        if cell in self.beasts:
            weapons = [1, *(damage for name, damage in self.content["technology"]["weapons"] if self.bag[name])]
            self.beasts[cell][1] -= max(weapons)
            if self.beasts[cell][1] <= 0:
                del self.beasts[cell]
                self.events.add(("defeat", ""))
            return True
        name = self.cells.get(cell)
        if name == "water" and self.needs.get("water", 9) < 9:
            self.needs["water"] += 1
            self.events.add(("drink", ""))
            return True
        if name == "berry bush" and self.needs.get("food", 9) < 9:
            self.needs["food"] = min(9, self.needs["food"] + 4)
            self.cells[cell] = "bare bush"
            self.events.add(("eat", ""))
            return True
        if name in self.sources:
            item, tool, lasting = self.sources[name]
            if tool and not self.bag[tool]:
                return False
            self.bag[item] += 1
            if not lasting:
                self.cells[cell] = "floor" if tool else "grass"
            return True
        if name in self.put:
            self.bag[name] += 1
            self.cells[cell] = "floor"
            return True
        return False

    def made(self, name: str) -> bool:
        around = {self.cells.get((self.at[0] + y, self.at[1] + x)) for y in range(-2, 3) for x in range(-2, 3)}
        for item, inputs, stations in self.content["technology"]["recipes"]:
            if item == name and all(self.bag[i] >= n for i, n in inputs) and set(stations) <= around:
                self.bag.subtract(dict(map(tuple, inputs)))
                self.bag[name] += 1
                self.events.add(("make", name))
                return True
        return False

    def stir(self) -> None:
        for cell in sorted(self.beasts):
            name, _ = beast = self.beasts[cell]
            down, right = self.at[0] - cell[0], self.at[1] - cell[1]
            if (name == "prowler" and not self.night()) or abs(down) + abs(right) > 6:
                continue
            if abs(down) + abs(right) == 1:
                self.health = max(0, self.health - (2 if self.slept else 1))
                continue
            vertical = (cell[0] + (down > 0) - (down < 0), cell[1])
            level = (cell[0], cell[1] + (right > 0) - (right < 0))
            for other in (vertical, level) if abs(down) >= abs(right) else (level, vertical):
                ground = ("floor",) if name == "lurker" else ("grass", "sand")
                if other not in (cell, self.at) and other not in self.beasts and self.cells.get(other) in ground:
                    del self.beasts[cell]
                    self.beasts[other] = beast
                    break

    def met(self) -> list[bool]:
        return [
            self.bag[name] >= count if kind == "hold" else (kind, name) in self.events
            for kind, name, count in self.content["goals"]
        ]
