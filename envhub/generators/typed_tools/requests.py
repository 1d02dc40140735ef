"""Draws requests and typed, partly misleading tools with their schemas.

::

    requests = draw_requests(rng, 3)                    # the content: families and values, in base units
    dressed = dress(rng, requests, Style(tools=8))      # schemas, sentences, and the calls that are right
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.typed_tools.families import FAMILIES, Family
from envhub.generators.typed_tools.schemas import function
from envhub.generators.values import KINDS, draw_person

PERSON_TOOL: Final = function(
    "find_person",
    "Gives the id of a person. Changes nothing.",
    {"name": {"type": "string", "description": "full name, first name first"}},
)
MANAGER_TOOL: Final = function(
    "find_manager",
    "Gives the id of the manager of a person. Changes nothing.",
    {"person_id": {"type": "string", "description": "id of the person whose manager is looked for"}},
)
DONE_TOOL: Final = function(
    "done",
    "Says that all has been done that can be done; this ends the task.",
    {
        "impossible": {
            "type": "array",
            "description": "the numbers of the requests that no tool serves, in any order",
            "items": {"type": "integer"},
            "uniqueItems": True,
            "default": [],
        }
    },
    ("impossible",),
)


class Style(NamedTuple):
    """Difficulty of the tools.

    Attributes:
        tools: Number of tools, besides those for look-ups and for ending the task.
        turned: Percentage of values stated or required in another form than the plain one.
        lookups: Percentage of persons that must be looked up.
        managers: Percentage of those named as someone's manager.
        nested: Percentage of tools with some arguments grouped in an object.
        impossible: Number of requests that no tool serves.
    """

    tools: int
    turned: int = 0
    lookups: int = 0
    managers: int = 0
    nested: int = 0
    impossible: int = 0


class Dressed(NamedTuple):
    """Requests in words, tools, and the right calls.

    Attributes:
        sentences: The requests in order.
        tools: The tools, in random order.
        calls: The right call of every request, as name and arguments; None where no tool serves it.
        people: Ids by full name.
        managers: Ids of managers by the ids of their reports.
        lookups: For every request the persons to look up: a name, and whether their manager is meant.
    """

    sentences: list[str]
    tools: list[JSON]
    calls: list[list[JSON] | None]
    people: dict[str, str]
    managers: dict[str, str]
    lookups: list[list[list[JSON]]]


def draw_requests(rng: Stream, count: int) -> list[list[JSON]]:
    """Requests of different families.

    The family, the values by slot, and whether the option is requested.
    """
    return [_request(rng, name) for name in rng.sample(sorted(FAMILIES), count)]


def _request(rng: Stream, name: str) -> list[JSON]:
    family = FAMILIES[name]
    values: dict[str, JSON] = {}
    for slot, (kind, _, _) in family.slots.items():
        value = KINDS[kind].draw(rng)
        while any(family.slots[other].kind == kind and values[other] == value for other in values):
            value = KINDS[kind].draw(rng)
        values[slot] = value
    return [name, values, family.flag is not None and rng.below(2) == 1]


class _Dresser:
    """The state of one :func:`dress`."""

    def __init__(self, rng: Stream, style: Style) -> None:
        self.rng = rng
        self.style = style
        self.people: dict[str, str] = {}
        self.managers: dict[str, str] = {}
        self.ids: set[str] = set()

    def chance(self, percent: int) -> bool:
        return self.rng.below(100) < percent

    def new_id(self) -> str:
        while True:
            found = f"P{self.rng.between(1000, 9999)}"
            if found not in self.ids:
                self.ids.add(found)
                return found

    def person(self, name: str, managed: bool) -> str:
        """The id of a person, or of that person's manager."""
        own = self.people.get(name)
        if own is None:
            own = self.people[name] = self.new_id()
            self.managers[own] = self.new_id()
        return self.managers[own] if managed else own

    def schema(self, family: Family, tool: tuple[str, str], plain: bool) -> tuple[JSON, dict[str, Any]]:
        """A tool with the slots of a family.

        Each slot is encoded by its form, at a path into the arguments.
        """
        rng = self.rng
        places: dict[str, Any] = {}
        flat: dict[str, JSON] = {}
        for slot, (kind, names, role) in family.slots.items():
            forms = [form for form in KINDS[kind].forms if not form.lookup]
            if kind == "person" and self.chance(self.style.lookups):
                form = KINDS[kind].forms[-1]
            else:
                form = forms[0] if plain or not self.chance(self.style.turned) else rng.choice(forms)
            free = [name for name in names if name not in flat]
            name = free[0] if plain else rng.choice(free)
            told = f"{role}, {form.schema['description']}" if "description" in form.schema else role
            flat[name] = {**form.schema, "description": told}
            places[slot] = (form, (name,))
        grouped = rng.sample(list(places), 2) if len(places) > 2 and self.chance(self.style.nested) else []
        if grouped:
            inner = {places[slot][1][0]: flat.pop(places[slot][1][0]) for slot in grouped}
            flat["details"] = {"type": "object", "properties": inner, "required": list(inner)}
            for slot in grouped:
                places[slot] = (places[slot][0], ("details", *places[slot][1]))
        optional: tuple[str, ...] = ()
        if family.flag:
            name, description, _ = family.flag
            flat[name] = {"type": "boolean", "description": description, "default": False}
            optional = (name,)
        return function(*tool, flat, optional), places


def dress(rng: Stream, requests: list[list[JSON]], style: Style) -> Dressed:
    """Words and tools for requests.

    The last ``style.impossible`` drawn positions are served by no tool.
    """
    at = _Dresser(rng, style)
    hopeless = set(rng.sample(range(len(requests)), style.impossible))
    found = Dressed([], [], [], at.people, at.managers, [])
    rivals: list[tuple[Family, tuple[str, str]]] = []
    for number, (name, values, flagged) in enumerate(requests):
        family = FAMILIES[name]
        schema, places = at.schema(family, (rng.choice(family.tools), family.does), style.turned == 0)
        call, asked, words = _serve(at, family, values, places)
        if family.flag and flagged:
            call[family.flag[0]] = True
            words += f" {family.flag[2]}"
        found.sentences.append(words)
        near = [(family, rival) for rival in rng.sample(family.rivals, len(family.rivals))]
        if number in hopeless:
            found.tools.append(at.schema(*near.pop(), style.turned == 0)[0])
            found.calls.append(None)
            found.lookups.append([])
        else:
            found.tools.append(schema)
            found.calls.append([schema["name"], call])
            found.lookups.append(asked)
        rivals += near
    asked_for = {name for name, _, _ in requests}
    others = [name for name in sorted(FAMILIES) if name not in asked_for]
    rng.shuffle(rivals)
    for name in rng.sample(others, len(others)):
        family = FAMILIES[name]
        rivals += [(family, (rng.choice(family.tools), family.does))]
    for family, tool in rivals[: max(0, style.tools - len(found.tools))]:
        found.tools.append(at.schema(family, tool, style.turned == 0)[0])
    rng.shuffle(found.tools)
    for _ in range(3):  # the register contains more people than are needed
        at.person(draw_person(rng), False)
    found.tools.extend([PERSON_TOOL, MANAGER_TOOL] if style.lookups else [])
    found.tools.append(DONE_TOOL)
    return found


def _serve(
    at: _Dresser, family: Family, values: dict[str, JSON], places: dict[str, Any]
) -> tuple[dict[str, JSON], list[list[JSON]], str]:
    """The arguments of the right call, and the request in words.

    Also the persons to look up for it.
    """
    call: dict[str, JSON] = {}
    asked: list[list[JSON]] = []
    words: dict[str, str] = {}
    for slot, (form, path) in places.items():
        kind = KINDS[family.slots[slot].kind]
        words[slot] = kind.say(values[slot], at.rng, at.chance(at.style.turned))
        value = form.encode(values[slot])
        if form.lookup:
            managed = at.chance(at.style.managers)
            words[slot] = f"the manager of {value}" if managed else words[slot]
            asked.append([value, managed])
            value = at.person(value, managed)
        into = call.setdefault("details", {}) if len(path) > 1 else call
        into[path[-1]] = value
    return call, asked, family.says.format(**words)
