"""A second kitchen, written from the prompt alone: it shares no code with the environment and reads only what is shown.

The map, cooks, hands, cookers, counters and orders are read from a prompt or an observation; a round is played by the sentences
of the rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

MOVES = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
BOXES = {"O": "onion", "T": "tomato", "M": "mushroom", "P": "plate"}
Cell = tuple[int, int]


@dataclass
class Pot:
    inside: list[str] = field(default_factory=list)
    left: int = 0


@dataclass
class Shown:
    """A kitchen as the rules describe it. An item is a word; a soup is ``soup:`` and its sorted ingredients."""

    cells: dict[Cell, str]
    cooks: list[Cell]
    size: int
    cook: int
    orders: list[str]
    hands: list[str] = field(default_factory=lambda: ["", ""])
    counters: dict[Cell, str] = field(default_factory=dict)
    pots: dict[Cell, Pot] = field(default_factory=dict)
    served: int = 0

    def round(self, plans: tuple[list[str], list[str]], length: int) -> None:
        """Both plans at the same time, filled up with ``wait``."""
        full = [plan + ["wait"] * (length - len(plan)) for plan in plans]
        for pair in zip(*full, strict=True):
            self.step(list(pair))
            if not self.orders:
                return

    def step(self, pair: list[str]) -> None:
        for pot in self.pots.values():
            pot.left = max(0, pot.left - 1)
        targets = list(self.cooks)
        for seat, word in enumerate(pair):
            if word == "wait":
                continue
            down, right = MOVES[word]
            cell = (self.cooks[seat][0] + down, self.cooks[seat][1] + right)
            if self.cells[cell] == ".":
                targets[seat] = cell
            else:
                self.use(seat, cell)
        one, two = targets
        swapped = one == self.cooks[1] and two == self.cooks[0] and one != two
        if one != two and not swapped:
            self.cooks = targets

    def use(self, seat: int, cell: Cell) -> None:
        mark, hand = self.cells[cell], self.hands[seat]
        if mark in BOXES:
            if not hand:
                self.hands[seat] = BOXES[mark]
            elif hand == BOXES[mark]:
                self.hands[seat] = ""
        elif mark == "C":
            pot = self.pots[cell]
            if hand in ("onion", "tomato", "mushroom") and len(pot.inside) < self.size:
                pot.inside.append(hand)
                self.hands[seat] = ""
                if len(pot.inside) == self.size:
                    pot.left = self.cook
            elif hand == "plate" and len(pot.inside) == self.size and pot.left == 0:
                self.hands[seat] = "soup:" + "+".join(sorted(pot.inside))
                self.pots[cell] = Pot()
        elif mark == "W":
            if hand.startswith("soup:"):
                self.hands[seat] = ""
                if hand.removeprefix("soup:") in self.orders:
                    self.orders.remove(hand.removeprefix("soup:"))
                    self.served += 1
        elif mark == "#" and bool(hand) != bool(self.counters.get(cell)):
            self.hands[seat], self.counters[cell] = self.counters.get(cell, ""), hand


def _soup(words: str) -> str:
    return "+".join(sorted(words.split(" + ")))


def read(prompt: str) -> Shown:
    """The kitchen at the start of an episode."""
    size, cook = map(int, re.findall(r"With (\d+) ingredients?.* ready (\d+) steps? later", prompt)[0])
    rows = [match[1] for match in re.finditer(r"^\d+ ([#.OTMPCW12]{5,})$", prompt, re.MULTILINE)]
    cells = {(row, column): mark for row, line in enumerate(rows) for column, mark in enumerate(line)}
    cooks = [next(cell for cell, mark in cells.items() if mark == name) for name in "12"]
    orders = [_soup(order) for order in re.findall(r"Open orders: (.*)", prompt)[0].split("; ")]
    kitchen = Shown({cell: "." if mark in "12" else mark for cell, mark in cells.items()}, cooks, size, cook, orders)
    kitchen.pots = {cell: Pot() for cell, mark in cells.items() if mark == "C"}
    return kitchen


def view(kitchen: Shown, seat: int) -> dict[str, object]:
    """What an observation should show."""
    return {
        "cooks": kitchen.cooks,
        "hands": kitchen.hands if seat == 0 else kitchen.hands[::-1],
        "served": kitchen.served,
        "orders": sorted(kitchen.orders),
        "counters": {cell: item[0] for cell, item in kitchen.counters.items() if item},
        "pots": {cell: (sorted(pot.inside), pot.left) for cell, pot in kitchen.pots.items()},
    }


def _hand(words: str) -> str:
    words = words.removesuffix(".")
    if words == "nothing":
        return ""
    return "soup:" + _soup(words.removeprefix("a soup of ")) if "soup" in words else words.split(" ", 1)[1]


def shown(observation: str) -> dict[str, object]:
    """What an observation does show."""
    rows = [match[1] for match in re.finditer(r"^\d+ ([#.OTMPCW12otmps]{5,})$", observation, re.MULTILINE)]
    cells = {(row, column): mark for row, line in enumerate(rows) for column, mark in enumerate(line)}
    hands = [_hand(words) for words in re.findall(r"column \d+, holding (.*)$", observation, re.MULTILINE)]
    pots: dict[Cell, tuple[list[str], int]] = {}
    for row, column, said in re.findall(r"Cooker at row (\d+), column (\d+): (.*)", observation):
        inside = [] if said.startswith("empty") else said.partition(",")[0].split(" + ")
        left = re.search(r"ready in (\d+)", said)
        pots[int(row), int(column)] = (sorted(inside), int(left[1]) if left else 0)
    told = re.findall(r"Open orders: (.*)", observation)[0]
    return {
        "cooks": [next(cell for cell, mark in cells.items() if mark == name) for name in "12"],
        "hands": hands,
        "served": int(re.findall(r"Orders served: (\d+)", observation)[0]),
        "orders": sorted(_soup(order) for order in told.split("; ")) if told != "none" else [],
        "counters": {cell: mark for cell, mark in cells.items() if mark in "otmps"},
        "pots": pots,
    }
