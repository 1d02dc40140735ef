"""The data of charts: categories, series and values on a grid.

A chart is a JSON object: ``type``, ``title``, ``unit``, ``labels`` (the categories), ``series`` (name and values), ``step``
(between lines of the grid), ``lines`` (how many), ``every`` (which lines have a number). A scatter chart has ``points``
(series, letter, x, y) and ``wide`` (the lines of its x axis) instead of categories.
"""

from __future__ import annotations

from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON

TYPES: Final = ("bar", "horizontal", "grouped", "stacked", "line", "pie", "scatter")
SEVERAL: Final = frozenset({"grouped", "stacked", "line"})
"""Types that can show several series of categories."""

_MONTHS: Final = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
_NAMES: Final = (
    ["Oslo", "Lima", "Rome", "Cairo", "Delhi", "Quito", "Paris", "Tokyo", "Seoul", "Perth", "Milan", "Bern"],
    ["apples", "pears", "plums", "figs", "dates", "limes", "kiwis", "mangos", "olives", "grapes", "melons", "beans"],
    ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jana", "Kai", "Lena"],
    ["oak", "ash", "elm", "fir", "pine", "yew", "birch", "cedar", "maple", "larch", "alder", "beech"],
)
_GROUPS: Final = (
    ["North", "South", "East", "West", "Centre"],
    ["Alpha", "Beta", "Gamma", "Delta", "Omega"],
    ["Plant A", "Plant B", "Plant C", "Plant D", "Plant E"],
    ["Red team", "Blue team", "Green team", "Gold team", "Grey team"],
)
_TITLES: Final = (
    ("Parcels delivered", "parcels"),
    ("Visitors of the museum", "visitors"),
    ("Electricity used", "MWh"),
    ("Books lent", "books"),
    ("Bicycles sold", "bicycles"),
    ("Trees planted", "trees"),
    ("Calls answered", "calls"),
    ("Water pumped", "litres"),
)
_WIDEST: Final = 30
"""Maximum number of bars side by side."""
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100)


def draw(rng: Stream, kind: str, categories: int, series: int, lines: int) -> JSON | None:
    """A chart of a type; None to draw again."""
    title, unit = rng.choice(_TITLES)
    step = rng.choice(_STEPS)
    chart: dict[str, Any] = {"type": kind, "title": title, "unit": unit, "step": step, "lines": lines}
    chart["every"] = 1 if lines < 9 else 2
    names = rng.sample(list(rng.choice(_GROUPS)), series)
    if kind == "grouped":
        categories = min(categories, _WIDEST // series)
    if kind == "scatter":
        return {**chart, **_scattered(rng, names, categories + 3, lines)}
    labels = _labels(rng, categories)
    if kind == "pie":
        values = [rng.between(2, 30) * step for _ in range(min(categories, 8))]
        if 100 * min(values) < 5 * sum(values):
            return None
        return {**chart, "labels": labels[: len(values)], "series": [{"name": "", "values": values}]}
    most = lines if kind != "stacked" else max(1, lines // series)
    rows = [[rng.between(1, most) * step for _ in range(categories)] for _ in range(series)]
    columns = list(zip(*rows, strict=True))
    if kind == "line" and any(len(set(column)) < series for column in columns):
        rows = _apart(rng, categories, series, most, step)
    named = names if series > 1 or kind in SEVERAL else [""]
    return {**chart, "labels": labels, "series": [{"name": n, "values": r} for n, r in zip(named, rows, strict=True)]}


def _apart(rng: Stream, categories: int, series: int, most: int, step: int) -> list[list[int]]:
    """Lines that have different values everywhere, so that no mark hides another."""
    columns = [rng.sample(range(1, most + 1), series) for _ in range(categories)]
    return [[column[at] * step for column in columns] for at in range(series)]


def _labels(rng: Stream, count: int) -> list[str]:
    """Months, years or names."""
    kind = rng.below(4)
    if kind == 0:
        return _MONTHS[rng.below(13 - count) :][:count]
    if kind == 1:
        first = rng.between(1990, 2024 - count)
        return [str(first + at) for at in range(count)]
    return rng.sample(list(rng.choice(_NAMES)), count)


def _scattered(rng: Stream, names: list[str], count: int, lines: int) -> dict[str, JSON]:
    """Points on crossings of the grid, with letters."""
    wide = lines + 2
    places = rng.sample([(x, y) for x in range(1, wide + 1) for y in range(1, lines)], count)
    letters = rng.sample(list("ABCDEFGHJKLMNPQRSTUVWXYZ"), count)
    points = [[rng.below(len(names)), letter, x, y] for letter, (x, y) in zip(letters, places, strict=True)]
    return {"points": points, "wide": wide, "series": [{"name": name, "values": []} for name in names]}
