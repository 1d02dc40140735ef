"""A player of crafting-v0 that reads nothing but text.

:class:`Reader` is given prompts and observations only: it draws its own map and finds the recipes in the sentences.
``python -m tests.envs.worlds.crafting_by_prompt 20`` prints its rates, and the means of plans and bounds, by level.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import envhub

WAYS = {"north": (-1, 0), "east": (0, 1), "south": (1, 0), "west": (0, -1)}
OPEN = ("grass", "sand", "floor")
BEASTS = ("prowler", "lurker")
FIRST_SEED = 7_000_000  # that of docs/world_pages.py
Cell = tuple[int, int]


def read_view(text: str) -> dict[Cell, str]:
    """The names of the cells of a view in any style, by rows and columns from the player."""
    rows = re.search(r"north is up \((.*)\):\n((?:\S(?: \S){8}(?:\n|$)){7})", text)
    if rows:
        legend = dict(part.split(" ", 1) for part in re.split(r", (?=\S )", rows[1]))
        cells = [[legend[sign] for sign in line.split(" ")] for line in rows[2].splitlines()]
        return {(y - 3, x - 4): name for y, line in enumerate(cells) for x, name in enumerate(line)}
    whole = re.search(r"you in the middle:\n(.*)", text)
    if whole:
        return {(y - 3, x - 4): name for y, line in enumerate(json.loads(whole[1])) for x, name in enumerate(line)}
    lines = text.partition("All else in it is grass.\n")[2]
    if lines:
        found = {(y, x): "grass" for y in range(-3, 4) for x in range(-4, 5)} | {(0, 0): "you"}
        for line in lines.splitlines():
            match = re.fullmatch(r"([a-z ]+): ((?:\d (?:north|south)|your row), .*)\.", line)
            for place in match[2].split("; ") if match else ():
                down, across = place.split(", ")
                y = 0 if down == "your row" else int(down[0]) * (-1 if "north" in down else 1)
                ends = [
                    0 if "your" in side else int(side[0]) * (-1 if "west" in side else 1)
                    for side in across.split(" to ")
                ]
                found |= {(y, x): match[1] for x in range(ends[0], ends[-1] + 1)} if match else {}
        return found
    found, x = {}, -4
    for line in re.findall(r"^(?:\d (?:west|east)|your column): (.*)$", text, re.MULTILINE):
        names: list[str] = []
        for part in line.split(" | "):
            many = re.fullmatch(r"(\d) x (.*)", part)
            names += [many[2]] * int(many[1]) if many else [part]
        found |= {(y - 3, x): name for y, name in enumerate(names)}
        x += 1
    return found


class Reader:
    """A player that has only text, and no hurry: one thing after the other."""

    def __init__(self, prompt: str) -> None:
        size = re.search(r"(\d+) rows and (\d+) columns", prompt)
        assert size
        self.size = int(size[1]), int(size[2])
        goals = re.search(r"(?:goals: |are met: |steps: |these goals: )(.+?)\.(?:\s|$)", prompt)
        assert goals
        self.goals = [goal.split(" ", 1) for goal in re.split(r", | and ", goals[1])]
        self.cells: dict[Cell, str] = {}
        self.recipes: dict[str, list[tuple[dict[str, int], list[str]]]] = {}
        self.sources: dict[str, tuple[str, str]] = {}
        self.done = set[str]()
        self.read(prompt)

    def read(self, text: str) -> None:
        """Learn from a prompt or an observation."""
        at = re.search(r"You are in row (\d+), column (\d+), facing (\w+)", text)
        assert at, text
        self.at, self.face = (int(at[1]), int(at[2])), at[3]
        self.beasts = set[Cell]()
        for (y, x), name in read_view(text).items():
            cell = self.at[0] + y, self.at[1] + x
            if name in BEASTS:
                self.beasts.add(cell)
                self.cells.setdefault(cell, "grass")
            elif name not in ("you", "outside the map", "too dark to see"):
                self.cells[cell] = name
        self.cells.setdefault(self.at, "grass")
        self.dark = "It is night." in text
        self.needs = {name: int(value) for name, value in re.findall(r"(water|food|energy) (\d)[,.]", text)}
        bag = re.search(r"You carry ([a-z0-9 ,]+)\.", text)
        found = re.findall(r"(\d+) ([a-z ]+)", bag[1]) if bag else []
        self.bag = Counter({name: int(count) for count, name in found})
        for name, kind, rest in re.findall(r"([a-z]+(?: [a-z]+)?): (use an?|make it from) (.+?)(?:\.|;|$)", text):
            if kind != "make it from":
                match = re.fullmatch(r"(.+?) cell(?: while you carry an? (.+))?", rest)
                assert match
                self.sources[name] = match[1], match[2] or ""
            else:
                self.recipes[name] = [self.way(part) for part in rest.split(", or from ")]
        for line in text.splitlines():
            for start, goal in (("use: You drink", "drink"), ("use: You eat", "eat"), ("sleep: You sleep", "sleep")):
                self.done |= {goal} if line.startswith(start) else set()
            match = re.match(r"(make|place) (.+?): You (?:make|place) 1|use: You (defeat)", line)
            self.done |= {f"{match[1]} {match[2]}" if match[1] else "defeat"} if match else set()

    @staticmethod
    def way(text: str) -> tuple[dict[str, int], list[str]]:
        inputs, _, near = text.partition(" near ")
        parts = [part.split(" ", 1) for part in inputs.split(" + ")]
        return {name: int(count) for count, name in parts}, near.split(" and ") if near else []

    def next(self) -> str:
        """The next action."""
        for name, (y, x) in WAYS.items():
            if (self.at[0] + y, self.at[1] + x) in self.beasts:
                return "use" if name == self.face else name
        if self.needs.get("water", 9) < 4:
            return self.to("water") or self.explore()
        if self.needs.get("food", 9) < 4:
            return self.to("berry bush") or self.explore()
        if self.needs.get("energy", 9) < 3:
            return "sleep"
        goals = sorted(self.goals, key=lambda goal: goal[0] == "carry")
        for verb, name in ((goal[0], goal[1] if len(goal) > 1 else "") for goal in goals):
            action = self.pursue(verb, name)
            if action:
                return action
        return self.explore()

    def pursue(self, verb: str, name: str) -> str | None:
        if verb == "carry":
            count, _, item = name.partition(" ")
            return self.get(item, int(count))
        if f"{verb} {name}" in self.done or verb in self.done:
            return None
        if verb == "make":
            return self.make(name)
        if verb == "place":
            return self.get(name, 1) or self.place(name)
        if verb == "sleep":
            return "sleep"
        if verb == "defeat":
            return self.walk(lambda cell: cell in self.beasts) or self.explore()
        return self.to("water" if verb == "drink" else "berry bush") or self.explore()

    def get(self, item: str, count: int) -> str | None:
        """The next action to hold a number of an item; None if they are held."""
        if self.bag[item] >= count:
            return None
        if item in self.recipes:
            return self.make(item)
        if item not in self.sources:
            return f"recipe {item}"
        cell, tool = self.sources[item]
        return (self.get(tool, 1) if tool else None) or self.to(cell) or self.explore()

    def make(self, item: str) -> str:
        if item not in self.recipes:
            return f"recipe {item}"
        inputs, stations = self.recipes[item][0]
        for station in stations:
            if station not in self.cells.values():
                action = self.get(station, 1)
                return action or self.place(station)
        for name, count in inputs.items():
            action = self.get(name, count)
            if action:
                return action
        if self.near(self.at, stations):
            return f"make {item}"
        return self.walk(lambda cell: self.near(cell, stations), stand=True) or self.explore()

    def near(self, cell: Cell, names: list[str]) -> bool:
        around = {self.cells.get((cell[0] + y, cell[1] + x)) for y in range(-2, 3) for x in range(-2, 3)}
        return set(names) <= around

    def place(self, item: str) -> str:
        """Place a station where all others are near."""
        others = [name for name in self.recipes if name in self.cells.values()]
        start = (self.at, self.face)
        waiting, known = deque([(start, "")]), {start}
        while waiting:
            (at, face), first = waiting.popleft()
            if self.near(at, others) and self.free(self.step(at, face)):
                return first or f"place {item}"
            for way in WAYS:
                pose = (self.step(at, way) if self.free(self.step(at, way)) else at, way)
                if pose not in known:
                    known.add(pose)
                    waiting.append((pose, first or way))
        return self.explore()

    @staticmethod
    def step(at: Cell, way: str) -> Cell:
        return at[0] + WAYS[way][0], at[1] + WAYS[way][1]

    def free(self, cell: Cell) -> bool:
        return self.cells.get(cell) in OPEN and cell not in self.beasts

    def to(self, name: str) -> str | None:
        return self.walk(lambda cell: self.cells.get(cell) == name)

    def diggable(self, cell: Cell) -> bool:
        tools = [tool for where, tool in self.sources.values() if where == self.cells.get(cell) and where != "tree"]
        return bool(tools) and bool(tools[0]) and self.bag[tools[0]] > 0

    def walk(self, wanted: Callable[[Cell], bool], stand: bool = False) -> str | None:
        """Towards the nearest wanted cell, to stand on it or to use it; digs if that is shorter."""
        waiting, known = [(0, self.at, "")], {self.at: 0}
        while waiting:
            waiting.sort()
            cost, at, first = waiting.pop(0)
            if stand and wanted(at) and first:
                return self.enter(first)
            for way in WAYS:
                cell = self.step(at, way)
                if not stand and wanted(cell):
                    return self.enter(first) if first else "use" if way == self.face else way
                price = 1 if self.free(cell) else 3 if self.diggable(cell) else 0
                if price and cost + price < known.get(cell, 10**6):
                    known[cell] = cost + price
                    waiting.append((cost + price, cell, first or way))
        return None

    def enter(self, way: str) -> str:
        cell = self.step(self.at, way)
        return "use" if not self.free(cell) and way == self.face else way

    def explore(self) -> str:
        reach = (2, 2) if self.dark else (3, 4)

        def new(cell: Cell) -> bool:
            rows = range(max(1, cell[0] - reach[0]), min(self.size[0], cell[0] + reach[0]) + 1)
            columns = range(max(1, cell[1] - reach[1]), min(self.size[1], cell[1] + reach[1]) + 1)
            return any((y, x) not in self.cells for y in rows for x in columns)

        return self.walk(new, stand=True) or "wait"


def read_through(seed: int, level: int, **options: Any) -> tuple[float, dict[str, Any]]:
    """The reward of the reader, and the key of the task."""
    env = envhub.make("crafting-v0", difficulty=level, **options)
    observation, _ = env.reset(seed=seed)
    reader, reward = Reader(str(observation)), 0.0
    while not env.episode.over:
        observation, reward, *_ = env.step(f"<answer>{reader.next()}</answer>")
        if not env.episode.over:
            reader.read(str(observation))
    return float(reward), env.episode.instance.key


def main(episodes: int) -> None:
    """Print the means of plans and bounds, and the reader's rate, by level."""
    print("| level | least work | lower bound | plan | reader |\n|---|---|---|---|---|")
    for level in range(1, 11):
        played = [read_through(FIRST_SEED + number, level) for number in range(episodes)]
        means = [sum(key[name] for _, key in played) / episodes for name in ("least", "bound", "plan")]
        cells = [f"{mean:.0f}" for mean in means] + [f"{sum(reward for reward, _ in played) / episodes:.2f}"]
        print(f"| {level} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
