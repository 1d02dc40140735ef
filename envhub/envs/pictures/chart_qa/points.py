"""Kinds of question about scatter charts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.pictures.chart_qa import wording
from envhub.envs.pictures.chart_qa.questions import Items, Kind


class Points(Kind):
    """A kind of question about points."""

    def fits(self, chart: JSON) -> bool:
        """Scatter charts."""
        return bool(chart["type"] == "scatter")


class Coordinates(Points):
    """Where some points are."""

    task = wording.COORDINATES

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """Some letters."""
        letters = [point[1] for point in chart["points"]]
        return {"letters": rng.sample(letters, min(len(letters), 1 + (depth + 1) // 2))}

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """The days and the value of each."""
        where = {letter: (x, y * chart["step"]) for _, letter, x, y in chart["points"]}
        return [str(number) for letter in ask["letters"] for number in where[letter]]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """The letters."""
        return {"letters": ", ".join(ask["letters"])}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Two numbers for each letter."""
        return ["66", "7777"] * len(ask["letters"])


class Region(Points):
    """The points beyond two bounds."""

    task = wording.REGION

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """Bounds that at least one point exceeds."""
        ask = {"x": rng.between(2, chart["wide"] // 2), "y": rng.between(0, chart["lines"] // 2) * chart["step"]}
        return ask if 1 < len(self.answer(chart, ask)) < len(chart["points"]) else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """The letters in alphabetical order."""
        return sorted(letter for _, letter, x, y in chart["points"] if x > ask["x"] and y * chart["step"] > ask["y"])

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """The bounds."""
        return {"x": ask["x"], "y": ask["y"]}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Letters that are not used."""
        return ["I", "O"]


class Sorted(Points):
    """The points of a series from left to right."""

    task = wording.SORTED

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """A series with points on different days."""
        ask = {"series": rng.below(len(chart["series"]))}
        days = [x for at, _, x, _ in chart["points"] if at == ask["series"]]
        return ask if len(set(days)) == len(days) > 1 else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """Their letters, and the sum of their values."""
        own = sorted((x, letter, y) for at, letter, x, y in chart["points"] if at == ask["series"])
        return [*(letter for _, letter, _ in own), str(sum(y for _, _, y in own) * chart["step"])]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """The series."""
        return {"name": chart["series"][ask["series"]]["name"]}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Letters that are not used, and a number."""
        return ["I", "O", "7777"]


class Slope(Points):
    """The rise per day between two points, and their mean value."""

    task = wording.SLOPE

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """Two points on different days and at different heights."""
        one, other = rng.sample(chart["points"], 2)
        return {"letters": [one[1], other[1]]} if one[2] < other[2] and one[3] != other[3] else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """Exactly, as fractions if need be."""
        where = {letter: (x, y * chart["step"]) for _, letter, x, y in chart["points"]}
        (x, y), (right, up) = (where[letter] for letter in ask["letters"])
        return [str(Fraction(up - y, right - x)), str(Fraction(y + up, 2))]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """Both letters."""
        return {"one": ask["letters"][0], "other": ask["letters"][1]}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Two fractions."""
        return ["-7777/3", "7777/2"]


class Highest(Points):
    """For each series, its highest point."""

    task = wording.HIGHEST

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """A chart in which each series has one highest point."""
        heights = [[y for at, _, _, y in chart["points"] if at == s] for s in range(len(chart["series"]))]
        return {} if all(ys and ys.count(max(ys)) == 1 for ys in heights) else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """A letter and a number for each series."""
        tops = [max((p for p in chart["points"] if p[0] == s), key=lambda p: p[3]) for s in range(len(chart["series"]))]
        return [item for _, letter, _, y in tops for item in (letter, str(y * chart["step"]))]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """The series in order."""
        return {"names": ", ".join(one["name"] for one in chart["series"])}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """A letter that is not used and a number for each series."""
        return ["I", "7777"] * len(chart["series"])


WITH_POINTS: Final[Mapping[str, Kind]] = {
    "coordinates": Coordinates(),
    "region": Region(),
    "sorted": Sorted(),
    "slope": Slope(),
    "highest": Highest(),
}
