"""Kinds of question about charts, and their exact answers.

A kind draws its details (``ask``) and computes the items of the answer from the data. ``fields`` fills its sentences.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, Final

from envhub.authoring.wording import Phrase
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.pictures.chart_qa import wording

Items = list[str]


class Kind(ABC):
    """A kind of question about charts with categories.

    Attributes:
        task: The question.
        fewest: Minimum number of series.
    """

    task: ClassVar[Phrase]
    fewest: ClassVar[int] = 1

    def fits(self, chart: JSON) -> bool:
        """Whether it can be asked about a chart."""
        return chart["type"] != "scatter" and len(chart["series"]) >= self.fewest

    @abstractmethod
    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """The details of a question; None to draw again."""

    @abstractmethod
    def answer(self, chart: JSON, ask: JSON) -> Items:
        """The items of the answer."""

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """The fields of the sentences."""
        return {"of": of(chart, ask["series"])} if "series" in ask else {}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """A wrong answer of the right shape."""
        return ["Name", "7777"]


class Values(Kind):
    """The values of some categories."""

    task = wording.VALUES

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """Some categories of one series."""
        count = min(len(chart["labels"]), 1 + depth)
        return {"series": some(rng, chart), "at": rng.sample(range(len(chart["labels"])), count)}

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """By reading."""
        return [str(row(chart, ask)[k]) for k in ask["at"]]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """The categories."""
        return {**super().fields(chart, ask), "at": names(chart, ask["at"])}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """As many numbers as categories."""
        return ["7777"] * len(ask["at"])


class Differences(Kind):
    """Differences and sums of two categories each."""

    task = wording.DIFFERENCES

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """Two categories with different values."""
        at = rng.sample(range(len(chart["labels"])), 2)
        ask = {"series": some(rng, chart), "at": at}
        one, other = (row(chart, ask)[k] for k in at)
        return ask if one > other else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """The difference and the sum."""
        one, other = (row(chart, ask)[k] for k in ask["at"])
        return [str(one - other), str(one + other)]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """Both categories."""
        one, other = (chart["labels"][k] for k in ask["at"])
        return {**super().fields(chart, ask), "one": one, "other": other}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Two numbers."""
        return ["6666", "7777"]


class Extremes(Kind):
    """The categories with the highest and the lowest value."""

    task = wording.EXTREMES

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """A series with one of each."""
        ask = {"series": some(rng, chart)}
        values = row(chart, ask)
        return ask if values.count(max(values)) == values.count(min(values)) == 1 < len(values) else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """Both, and how far they are apart."""
        values = row(chart, ask)
        high, low = max(values), min(values)
        return [chart["labels"][values.index(high)], chart["labels"][values.index(low)], str(high - low)]

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Two names and a number."""
        return ["Name", "Name", "7777"]


class Ranking(Kind):
    """Some categories in the order of their values."""

    task = wording.RANKING

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """Categories with different values."""
        ask = {"series": some(rng, chart)}
        found: dict[int, int] = {}
        for k in rng.sample(range(len(chart["labels"])), len(chart["labels"])):
            found.setdefault(row(chart, ask)[k], k)
        at = list(found.values())[: 3 + depth]
        return {**ask, "at": at} if len(at) > 2 else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """By sorting."""
        at = sorted(ask["at"], key=lambda k: -row(chart, ask)[k])
        return [chart["labels"][k] for k in at]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """The categories."""
        return {**super().fields(chart, ask), "at": names(chart, ask["at"])}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """As many names as categories."""
        return ["Name"] * len(ask["at"])


class Threshold(Kind):
    """The categories above a value, and their sum."""

    task = wording.THRESHOLD

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """A value that at least two and not all exceed."""
        ask = {"series": some(rng, chart)}
        values = row(chart, ask)
        limits = [v for v in sorted(set(values)) if 2 <= sum(each > v for each in values) <= 2 + depth]
        return {**ask, "limit": rng.choice(limits)} if limits else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """Names in the order of the chart, and the total."""
        over = [k for k, value in enumerate(row(chart, ask)) if value > ask["limit"]]
        return [*(chart["labels"][k] for k in over), str(sum(row(chart, ask)[k] for k in over))]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """The limit."""
        return {**super().fields(chart, ask), "limit": ask["limit"]}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Names and a number."""
        return ["Name", "Name", "7777"]


class Average(Kind):
    """The total and the mean of a series."""

    task = wording.AVERAGE

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """Any series."""
        return {"series": some(rng, chart)}

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """Exactly, as a fraction if need be."""
        values = row(chart, ask)
        return [str(sum(values)), str(Fraction(sum(values), len(values)))]

    def example(self, chart: JSON, ask: JSON) -> Items:
        """A number and a fraction."""
        return ["7777", "7777/3"]


class Change(Kind):
    """Where a series rises most from one category to the next."""

    task = wording.CHANGE

    def fits(self, chart: JSON) -> bool:
        """Not slices, which have no order."""
        return super().fits(chart) and chart["type"] != "pie"

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """A series with one largest rise."""
        ask = {"series": some(rng, chart)}
        steps = [b - a for a, b in pairwise(row(chart, ask))]
        return ask if len(steps) > 1 and max(steps) > 0 and steps.count(max(steps)) == 1 else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """Both categories and the rise."""
        steps = [b - a for a, b in pairwise(row(chart, ask))]
        k = steps.index(max(steps))
        return [chart["labels"][k], chart["labels"][k + 1], str(steps[k])]

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Two names and a number."""
        return ["Name", "Name", "7777"]


class Comparison(Kind):
    """The categories in which one series exceeds another."""

    task = wording.COMPARISON
    fewest = 2

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """Two series of which the first is ahead in some categories."""
        one, other = rng.sample(range(len(chart["series"])), 2)
        ahead = _ahead(chart, one, other)
        return {"one": one, "other": other} if 1 < len(ahead) < len(chart["labels"]) else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """Names in the order of the chart, and the largest lead."""
        one, other = (chart["series"][ask[name]]["values"] for name in ("one", "other"))
        ahead = _ahead(chart, ask["one"], ask["other"])
        return [*(chart["labels"][k] for k in ahead), str(max(one[k] - other[k] for k in ahead))]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """Both series."""
        return {name: chart["series"][ask[name]]["name"] for name in ("one", "other")}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Names and a number."""
        return ["Name", "Name", "7777"]


class Crossings(Comparison):
    """Where one line goes from below another to above it."""

    task = wording.CROSSINGS

    def fits(self, chart: JSON) -> bool:
        """Only lines cross."""
        return chart["type"] == "line" and super().fits(chart)

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """Two lines that cross upwards at least once."""
        one, other = rng.sample(range(len(chart["series"])), 2)
        ask = {"one": one, "other": other}
        return ask if self.answer(chart, ask) else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """The category before and the category after each crossing."""
        one, other = (chart["series"][ask[name]]["values"] for name in ("one", "other"))
        found = [k for k in range(len(one) - 1) if one[k] < other[k] and one[k + 1] > other[k + 1]]
        return [chart["labels"][at] for k in found for at in (k, k + 1)]

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Two names."""
        return ["Name", "Name"]


class Totals(Kind):
    """The category with the highest total over all series."""

    task = wording.TOTALS
    fewest = 2

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """A chart with one highest total."""
        totals = _totals(chart)
        return {} if totals.count(max(totals)) == 1 else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """The category and its total."""
        totals = _totals(chart)
        return [chart["labels"][totals.index(max(totals))], str(max(totals))]


class Filtered(Kind):
    """The sum of one series where another exceeds a value."""

    task = wording.FILTERED
    fewest = 2

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """A value that at least two and not all exceed."""
        one, other = rng.sample(range(len(chart["series"])), 2)
        values = chart["series"][other]["values"]
        limits = [v for v in sorted(set(values)) if sum(each > v for each in values) >= 2]
        return {"one": one, "other": other, "limit": rng.choice(limits)} if limits else None

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """How many categories, and the sum."""
        one, other = (chart["series"][ask[name]]["values"] for name in ("one", "other"))
        found = [k for k, value in enumerate(other) if value > ask["limit"]]
        return [str(len(found)), str(sum(one[k] for k in found))]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """Both series and the limit."""
        return {"limit": ask["limit"], **{name: chart["series"][ask[name]]["name"] for name in ("one", "other")}}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """Two numbers."""
        return ["66", "7777"]


class Share(Kind):
    """The share of a slice, or of two together."""

    task = wording.SHARE

    def fits(self, chart: JSON) -> bool:
        """Slices of a pie."""
        return bool(chart["type"] == "pie")

    def ask(self, rng: Stream, chart: JSON, depth: int) -> JSON | None:
        """One to three slices."""
        count = min(len(chart["labels"]) - 1, 1 + (depth + 1) // 3 + rng.below(2))
        return {"at": rng.sample(range(len(chart["labels"])), count)}

    def answer(self, chart: JSON, ask: JSON) -> Items:
        """The total, and the share as a fraction."""
        values = chart["series"][0]["values"]
        return [str(sum(values)), str(Fraction(sum(values[k] for k in ask["at"]), sum(values)))]

    def fields(self, chart: JSON, ask: JSON) -> Mapping[str, Any]:
        """The slices."""
        return {"at": " and ".join(chart["labels"][k] for k in ask["at"])}

    def example(self, chart: JSON, ask: JSON) -> Items:
        """A number and a fraction."""
        return ["7777", "5/7777"]


def some(rng: Stream, chart: JSON) -> int:
    """One of the series."""
    return rng.below(len(chart["series"]))


def row(chart: JSON, ask: JSON) -> list[int]:
    """The values of the series that is asked about."""
    return list(chart["series"][ask["series"]]["values"])


def of(chart: JSON, series: int) -> str:
    """``of Oslo`` if there are several series, else ``in the chart``."""
    return f"of {chart['series'][series]['name']}" if chart["series"][series]["name"] else "in the chart"


def names(chart: JSON, at: Sequence[int]) -> str:
    """Categories in a sentence."""
    return ", ".join(chart["labels"][k] for k in at)


def _ahead(chart: JSON, one: int, other: int) -> list[int]:
    pairs = zip(chart["series"][one]["values"], chart["series"][other]["values"], strict=True)
    return [k for k, (mine, theirs) in enumerate(pairs) if mine > theirs]


def _totals(chart: JSON) -> list[int]:
    return list(map(sum, zip(*(one["values"] for one in chart["series"]), strict=True)))


WITH_CATEGORIES: Final[Mapping[str, Kind]] = {
    "values": Values(),
    "differences": Differences(),
    "extremes": Extremes(),
    "ranking": Ranking(),
    "threshold": Threshold(),
    "average": Average(),
    "change": Change(),
    "comparison": Comparison(),
    "crossings": Crossings(),
    "totals": Totals(),
    "filtered": Filtered(),
    "share": Share(),
}
