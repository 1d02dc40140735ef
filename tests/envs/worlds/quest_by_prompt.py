"""A second house, written from the prompt's rules alone, and a player that reads nothing but text.

:class:`Plain` is given what was drawn, and keeps places in dictionaries; it shares no code with the environment.
:class:`Reader` is given prompts and observations only: it draws its own map from the sentences.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from typing import Any

FOODS = {
    *("carrot", "red onion", "potato", "tomato", "bell pepper", "banana", "apple", "pork chop", "chicken leg", "tuna"),
    *("eggplant", "lettuce", "parsnip", "zucchini", "block of cheese", "mushroom"),
}
HEAT = {"stove": "fried", "oven": "roasted", "barbecue": "grilled"}
CUTS = {"slice": "sliced", "dice": "diced", "chop": "chopped"}
BACK = {"north": "south", "south": "north", "east": "west", "west": "east"}
MARKS = {"raw", "burnt", *HEAT.values(), *CUTS.values()}


@dataclass
class Plain:
    """A house as the rules describe it.

    Attributes:
        where: The place of each thing; ``you`` for what is carried.
        marks: What has been done to food.
    """

    content: dict[str, Any]
    opened: set[str] = field(default_factory=set)
    eaten: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.here = self.content["start"]
        self.where = dict(self.content["things"])
        self.locked = {name for name, locked in self.content["shut"].items() if locked}
        self.marks = {food: set(self.content["done"].get(food, [])) for food in self.where if food in FOODS}

    def exit(self, direction: str) -> tuple[str, str] | None:
        for one, there, other, door in self.content["ways"]:
            if one == self.here and there == direction:
                return other, door
            if other == self.here and BACK[there] == direction:
                return one, door
        return None

    def is_open(self, name: str) -> bool:
        return name not in self.content["shut"] or name in self.opened

    def openings(self) -> set[str]:
        ways = [self.exit(direction) for direction in BACK]
        doors = {way[1] for way in ways if way and way[1] in self.content["shut"]}
        return doors | {name for name, room in self.content["holders"].items() if room == self.here}

    def shown(self) -> set[str]:
        """The things that lie in the room, in sight."""
        open_here = {name for name in self.openings() if self.is_open(name)} | {self.here}
        return {thing for thing, place in self.where.items() if place in open_here}

    def carried(self) -> set[str]:
        return {thing for thing, place in self.where.items() if place == "you"}

    def happens(self, text: str) -> bool:
        """Whether a command is possible; if so, it is carried out."""
        text = re.sub(r"\bthe ", "", text.lower())
        if text in ("look", "inventory"):
            return True
        if text == "prepare meal":
            return self.prepare()
        verb, _, rest = text.partition(" ")
        one, _, other = re.sub(r" (with|from|into|in|on) ", "|", rest).partition("|")
        match verb:
            case "go":
                way = self.exit(rest)
                if way is None or not self.is_open(way[1]):
                    return False
                self.here = way[0]
                return True
            case "examine" | "read":
                return rest in self.openings() | self.shown() | self.carried()
            case "open" | "close":
                return self.hinge(verb, rest)
            case "unlock" | "lock":
                return self.turn(verb, one, other)
            case "take" | "drop" | "put" | "insert":
                return self.carry(verb, one, other)
            case "eat" if one in self.carried() and (one in FOODS or one == "meal"):
                del self.where[one]
                self.eaten.add(one)
                return True
            case "slice" | "dice" | "chop":
                fits = other == "knife" and {one, other} <= self.carried() and one in FOODS
                if not fits or self.marks[one] & {*CUTS.values()}:
                    return False
                self.marks[one].add(CUTS[verb])
                return True
            case "cook" if one in self.carried() & FOODS and other in self.openings() & {*HEAT}:
                self.marks[one].add("burnt" if self.marks[one] & {*HEAT.values()} else HEAT[other])
                return True
        return False

    def hinge(self, verb: str, name: str) -> bool:
        known = name in self.openings() and name in self.content["shut"] and name not in self.locked
        if not known or (name in self.opened) == (verb == "open"):
            return False
        self.opened ^= {name}
        return True

    def turn(self, verb: str, name: str, key: str) -> bool:
        fits = key in self.carried() and name in self.openings() and self.content["keys"].get(key) == name
        if not fits or (name in self.locked) == (verb == "lock") or name in self.opened:
            return False
        self.locked ^= {name}
        return True

    def carry(self, verb: str, thing: str, place: str) -> bool:
        if verb == "take":
            if thing not in self.shown() or (place and self.where[thing] != place) or place == self.here:
                return False
            self.where[thing] = "you"
            return True
        if thing not in self.carried():
            return False
        if verb == "drop":
            self.where[thing] = self.here
            return not place
        if place not in self.openings() & {*self.content["holders"]} or not self.is_open(place):
            return False
        self.where[thing] = place
        return True

    def prepare(self) -> bool:
        if self.content["kind"] != "cooking":
            return False
        right = all(
            food in self.carried() and self.marks[food] == {mark for mark in marks if mark}
            for food, *marks in self.content["goals"]
        )
        if self.here != "kitchen" or not right:
            return False
        for food, *_ in self.content["goals"]:
            del self.where[food]
        self.where["meal"] = "you"
        return True

    def done(self) -> bool:
        """Whether the quest is fulfilled."""
        if self.content["kind"] == "cooking":
            return "meal" in self.eaten
        return all(self.where[thing] == (place[0] if place else "you") for thing, *place in self.content["goals"])

    def lost(self) -> bool:
        """Whether an ingredient is spoiled."""
        if self.content["kind"] != "cooking":
            return False
        return any(food in self.eaten or not self.marks[food] <= set(marks) for food, *marks in self.content["goals"])


# -- a player that reads only text -------------------------------------------------------------------------------------

HOLDER = re.compile(
    r"There is an? ([a-z ]+) here; (?:it is (open|closed|locked)(?:, and )?)?(?:(?:in|on) it you see ([^.;]+))?\."
)
FLOOR = re.compile(r"On the floor you see ([^.]+)\.")
WAY = re.compile(r"An? (?:open passage|(open|closed|locked) ([a-z ]+)) leads (north|east|south|west)\.")


def names(text: str | None) -> dict[str, set[str]]:
    """Things in a list, with the words that say what has been done to them."""
    found = {}
    for part in re.split(r", | and ", text or "nothing"):
        words = part.split()
        if words != ["nothing"]:
            words = words[1:]
            marks = [word for word in words if word in MARKS]
            found[" ".join(words[len(marks) :])] = set(marks)
    return found


class Reader:
    """Explores, remembers what it read, and does what the prompt asks for."""

    def __init__(self, prompt: str) -> None:
        self.orders = dict(re.findall(r"the ([a-z ]+?) belongs (?:in|on) the ([a-z ]+?)(?=[;.])", prompt))
        self.cooking = "cookbook" in prompt
        found = re.search(r"Find (the [a-z ,]+?) in it and pick up", prompt)
        self.treasures = {each.removeprefix("the ") for each in re.split(r", | and ", found[1])} if found else set()
        self.recipe: dict[str, set[str]] | None = None
        self.lies: dict[str, tuple[str, str]] = {}
        self.marks: dict[str, set[str]] = {}
        self.stands: dict[str, str] = {}
        self.shut: dict[str, str] = {}
        self.looked: set[str] = set()
        self.ways: dict[str, dict[str, str]] = {}
        self.leads: dict[str, dict[str, str]] = {}
        self.held: set[str] = set()
        self.meal = False
        self.here, self.last = "", ""
        self.read(prompt[prompt.index("You are in the ") :])

    def read(self, text: str) -> None:
        """Remember what an observation says."""
        verb, _, rest = self.last.partition(" ")
        one, _, other = re.sub(r" (with|from|into|on) ", "|", rest).partition("|")
        room = re.search(r"You are in the ([a-z ]+)\.", text)
        if room and verb in ("go", "look", ""):
            if verb == "go":
                self.leads.setdefault(self.here, {})[rest] = room[1]
                self.leads.setdefault(room[1], {})[BACK[rest]] = self.here
            self.here = room[1]
            self.ways[self.here] = {direction: door or "" for _, door, direction in WAY.findall(text)}
            self.shut.update({door: state for state, door, _ in WAY.findall(text) if door})
            self.see(names(FLOOR.search(text)[1] if FLOOR.search(text) else None), "")
            for name, state, inside in HOLDER.findall(text):
                self.stands[name] = self.here
                self.shut[name] = state or "open"
                if self.shut[name] == "open":
                    self.looked.add(name)
                    self.see(names(inside), name)
        elif verb == "open":
            self.shut[rest] = "open"
            self.looked.add(rest)
            if "In it you see" in text:
                self.see(names(text.split("In it you see ")[1].split(".")[0]), rest)
        elif verb == "unlock":
            self.shut[one] = "closed"
        elif verb == "take":
            self.held.add(one)
            self.lies.pop(one)
        elif verb in ("put", "insert"):
            self.held.discard(one)
            self.lies[one] = self.here, other
        elif verb in ("cook", *CUTS):
            self.marks[one] = set(re.findall(r"[a-z]+", text.split("It is ")[1].split(" now")[0])) - {"and"}
        elif verb == "prepare":
            self.meal = True
        elif verb == "examine" and rest == "cookbook":
            lines = re.findall(r"- ([a-z ]+): ([^\n]+)", text)
            self.recipe = {food: set(re.findall(r"[a-z]+", does)) & MARKS - {"raw"} for food, does in lines}

    def see(self, things: dict[str, set[str]], place: str) -> None:
        for thing, marks in things.items():
            self.lies[thing] = self.here, place
            self.marks[thing] = marks

    def wanted(self) -> set[str]:
        if self.cooking:
            return {*(self.recipe or {}), "knife"}
        done = {thing for thing, end in self.orders.items() if self.lies.get(thing, ("", ""))[1] == end}
        return self.treasures | {*self.orders} - done

    def command(self) -> str:
        """The next command."""
        self.last = self.finish() or self.explore()
        return self.last

    def towards(self, rooms: set[str]) -> str:
        """The first step to the nearest of some rooms."""
        queue, known = deque([(self.here, "")]), {self.here}
        while queue:
            room, first = queue.popleft()
            if room in rooms:
                return first
            for direction, other in self.leads.get(room, {}).items():
                if other not in known:
                    known.add(other)
                    queue.append((other, first or f"go {direction}"))
        return ""

    def finish(self) -> str:
        """Put down or cook what is carried, if one may."""
        for thing, end in self.orders.items():
            if thing in self.held and end in self.stands:
                if self.stands[end] != self.here:
                    return self.towards({self.stands[end]})
                if self.shut[end] == "open":
                    return f"put {thing} on {end}"
                if self.shut[end] == "closed":
                    return f"open {end}"
        if self.meal:
            return "eat meal"
        if self.recipe is None or not {*self.recipe} <= self.held:
            return ""
        for food, marks in self.recipe.items():
            for mark in sorted(marks - self.marks[food]):
                cut = next((verb for verb, result in CUTS.items() if result == mark), "")
                if cut:
                    if "knife" in self.held:
                        return f"{cut} {food} with knife"
                    continue
                appliance = next(name for name, result in HEAT.items() if result == mark)
                if self.stands.get(appliance) == self.here:
                    return f"cook {food} with {appliance}"
                if appliance in self.stands:
                    return self.towards({self.stands[appliance]})
        if all(marks <= self.marks[food] for food, marks in self.recipe.items()):
            return "prepare meal" if self.here == "kitchen" else self.towards({"kitchen"})
        return ""

    def explore(self) -> str:
        """Something new in this room, or the way to the nearest room with something new."""
        chores = {room: chore for room in self.ways if (chore := self.chore(room))}
        return chores[self.here] if self.here in chores else self.towards({*chores}) or "look"

    def chore(self, room: str) -> str:
        if self.recipe is None and self.cooking and self.lies.get("cookbook", ("",))[0] == room:
            return "examine cookbook"
        for thing, (where, place) in self.lies.items():
            if where == room and (thing.endswith(" key") or thing in self.wanted()):
                return f"take {thing} from {place}" if place else f"take {thing}"
        doors = [self.ways[room][way] for way in self.ways[room] if way not in self.leads.get(room, {})]
        for name in [
            *(name for name, where in self.stands.items() if where == room and name not in self.looked),
            *doors,
        ]:
            if name and self.shut[name] == "closed":
                return f"open {name}"
            if name and self.shut[name] == "locked" and f"{name.split()[0]} key" in self.held:
                return f"unlock {name} with {name.split()[0]} key"
        for direction, door in self.ways[room].items():
            if direction not in self.leads.get(room, {}) and (not door or self.shut[door] == "open"):
                return f"go {direction}"
        return ""
