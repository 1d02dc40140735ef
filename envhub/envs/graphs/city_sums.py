"""city-sums-v0: add up a property of the cities nearest to a city.

Action: one integer. A table lists cities with their properties, and a list the roads between them with their lengths. Asked is
the sum of one property over the nearest cities that a road joins to a given one. Difficulty: more cities, roads and properties;
effort is the number of roads and cities to look at. Names and the order of the lists are not content.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from envhub.authoring.wording import counted
from envhub.families.value_kit import JSON, Instance, Integer, Phrase, Stream, Value, Variants, knob, levels

_PROPERTIES: Final = ("hospitals", "banks", "mines", "factories", "churches", "libraries", "parks", "schools")
_SYLLABLES: Final = (
    "bar",
    "den",
    "fal",
    "gor",
    "hil",
    "kes",
    "lom",
    "mar",
    "nor",
    "pel",
    "ros",
    "sur",
    "tan",
    "vel",
    "wes",
)


def joined(problem: JSON, name: str) -> list[tuple[int, str]]:
    """The cities that a road joins to a city, the nearest first."""
    found = [(length, b if a == name else a) for a, b, length in problem["roads"] if name in (a, b)]
    return sorted(found)


def _roads(problem: JSON) -> str:
    return "\n".join(f"{a} - {b}: {length} km" for a, b, length in problem["roads"])


def _table(problem: JSON) -> str:
    names = list(problem["cities"][0])
    rows = "\n".join("| " + " | ".join(str(city[name]) for name in names) + " |" for city in problem["cities"])
    return f"| {' | '.join(names)} |\n{'|---' * len(names)}|\n{rows}\n\nRoads:\n\n{_roads(problem)}"


def _as_json(problem: JSON) -> str:
    roads = [{"from": a, "to": b, "km": length} for a, b, length in problem["roads"]]
    return json.dumps({"cities": problem["cities"], "roads": roads})


def _in_lines(problem: JSON) -> str:
    lines = (
        f"{city['city']}: " + ", ".join(f"{name} {value}" for name, value in city.items() if name != "city")
        for city in problem["cities"]
    )
    return f"Roads, with their lengths:\n\n{_roads(problem)}\n\nCities:\n\n" + "\n".join(lines)


def _comma_separated(problem: JSON) -> str:
    names = list(problem["cities"][0])
    rows = [",".join(str(city[name]) for name in names) for city in problem["cities"]]
    roads = [f"{a},{b},{length}" for a, b, length in problem["roads"]]
    return "\n".join([",".join(names), *rows, "", "from,to,km", *roads])


class CitySums(Value):
    """Add up a property of the cities nearest to a city."""

    Params = levels(
        cities=knob("number of cities", 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, at_least=4, at_most=80),
        roads=knob("number of roads", 9, 13, 18, 24, 32, 42, 55, 72, 95, 125, at_least=4, at_most=400),
        properties=knob("number of properties", 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, at_least=1, at_most=8),
    )
    answer = Integer()
    data = Variants(_table, _as_json, _in_lines, held_out=_comma_separated, name="cities")
    task = Phrase(
        "How many {asked} do the {near} to {city} have in total, if only cities with a direct road to {city} count?",
        "Take the {near} to {city} among those that a road joins to it directly. How many {asked} are there in these cities "
        "altogether?",
        "Among the cities with a direct road to {city}, find the {near} to it. What is the total number of {asked} in them?",
        held_out="Determine the sum of {asked} over the {near} to {city}, among the cities that a road joins to it directly.",
    )
    rules = (
        Phrase(
            "The distance of two cities is the length of the road between them. Roads can be used in both directions.",
            "Roads lead both ways, and the length of the road between two cities is their distance.",
            "How far two cities are apart is the length of the road that joins them, in either direction.",
            held_out="Distances are lengths of direct roads, which are undirected.",
        ),
        Phrase(
            "{city} itself does not count.",
            "Do not count {city} itself.",
            "The numbers of {city} itself are not added.",
            held_out="{city} itself is excluded.",
        ),
    )

    def draw(self, rng: Stream, p: Any) -> JSON:
        """Random cities and roads, and a city with several roads."""
        names = self._names(rng, p.cities)
        properties = rng.sample(_PROPERTIES, p.properties)
        cities = [{"city": name} | {each: rng.between(1, 99) for each in properties} for name in names]
        pairs = [(a, b) for at, a in enumerate(names) for b in names[at + 1 :]]
        ends = rng.sample(pairs, min(p.roads, len(pairs)))
        lengths = rng.sample(range(10, 10 + 4 * len(ends)), len(ends))
        roads = [[*(pair if rng.below(2) else pair[::-1]), length] for pair, length in zip(ends, lengths, strict=True)]
        problem: dict[str, Any] = {
            "cities": cities,
            "roads": roads,
            "city": rng.choice(names),
            "asked": rng.choice(properties),
        }
        near = len(joined(problem, problem["city"]))
        return problem | {"count": rng.between(2, near - 1)} if near >= 3 else None

    def value(self, problem: JSON) -> int:
        """The sum over the nearest cities."""
        return self._sum(problem, [name for _, name in joined(problem, problem["city"])][: problem["count"]])

    def slips(self, problem: JSON) -> Iterator[int]:
        """All joined cities, the farthest ones, one city more or less."""
        names = [name for _, name in joined(problem, problem["city"])]
        count = problem["count"]
        for some in (names, names[-count:], [problem["city"], *names[:count]], names[: count + 1], names[: count - 1]):
            yield self._sum(problem, some)

    def values(self, problem: JSON) -> dict[str, str]:
        """What the question names."""
        near = counted(problem["count"], "nearest city", "cities nearest")
        return {"asked": problem["asked"], "city": problem["city"], "near": near}

    def canonical(self, content: JSON) -> JSON:
        """Distances and numbers of the joined cities, and the map's size."""
        numbers = {city["city"]: city[content["asked"]] for city in content["cities"]}
        near = [[length, numbers[name]] for length, name in joined(content, content["city"])]
        return [content["asked"], content["count"], near, sorted(numbers.values()), len(content["roads"])]

    def effort(self, inst: Instance) -> float:
        """Roads and cities to look at."""
        return float(len(inst.problem["roads"]) + len(inst.problem["cities"]))

    def _sum(self, problem: JSON, names: list[str]) -> int:
        numbers = {city["city"]: city[problem["asked"]] for city in problem["cities"]}
        return sum(int(numbers[name]) for name in names)

    def _names(self, rng: Stream, count: int) -> list[str]:
        pairs = [a + b for a in _SYLLABLES for b in _SYLLABLES if a != b]
        return [name.capitalize() for name in rng.sample(pairs, count)]
