"""The pictures of charts: a pure function of the data.

Values are on lines of a grid. Marks of several series differ in colour and, on lines, in shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import cos, pi, sin
from typing import Final

from envhub.core.types import JSON
from envhub.scenes import Line, Oval, Polygon, Rect, Scene, Shape, Text
from envhub.scenes.shapes import moved

_LINE: Final = 30  # between lines of the grid
_TOP: Final = 64
_LEFT: Final = 58
_RIGHT: Final = 24
_BOTTOM: Final = 34
_BAR: Final = 22
_RADIUS: Final = 120
_LEGEND: Final = 20
_LETTER: Final = 8  # width of a letter of a legend, at its greatest


def drawn(chart: JSON) -> Scene:
    """The picture of a chart."""
    return _PICTURES[chart["type"]](chart)


def _framed(chart: JSON, width: int, height: int, shapes: Iterator[Shape]) -> Scene:
    """A title and a legend over a plot of this size."""
    across = max(_LEFT + width + _RIGHT, len(chart["title"]) * 10 + 30)
    rows = list(_legend(chart, across))
    down = _TOP + len({shape.y for shape in rows if isinstance(shape, Text)}) * _LEGEND
    head: list[Shape] = [Text(16, 20, chart["title"], 17, anchor="start")]
    if chart["type"] != "pie":
        head.append(Text(16, down - 18, _axis(chart), 12, "dark", anchor="start"))
    placed = (moved(shape, _LEFT, down) for shape in shapes)
    return Scene(across, down + height + _BOTTOM, (*head, *rows, *placed))


def _axis(chart: JSON) -> str:
    """What the axis with numbers counts."""
    if chart["type"] == "scatter":
        return f"upwards: {chart['unit']}; to the right: days"
    return str(chart["unit"])


def _legend(chart: JSON, across: int) -> Iterator[Shape]:
    """The mark and the name of each series, in rows."""
    names = [one["name"] for one in chart["series"]]
    if len(names) < 2 and not names[0]:
        return
    x, y = 16, 44
    for at, name in enumerate(names):
        wide = 26 + _LETTER * len(name)
        if x + wide > across and x > 16:
            x, y = 16, y + _LEGEND
        yield from _mark(chart, at, x + 8, y)
        yield Text(x + 20, y, name, 13, anchor="start")
        x += wide + 12


def _mark(chart: JSON, at: int, x: int, y: int) -> Iterator[Shape]:
    """The mark of a series at a place."""
    tone = f"hue{at}"
    if chart["type"] not in ("line", "scatter"):
        yield Rect(x - 7, y - 7, 14, 14, tone)
    elif at % 5 == 0:
        yield Oval(x, y, 6, 6, tone)
    elif at % 5 == 1:
        yield Rect(x - 5, y - 5, 11, 11, tone)
    elif at % 5 == 2:
        yield Polygon(((x, y - 7), (x + 7, y + 5), (x - 7, y + 5)), tone)
    elif at % 5 == 3:
        yield Polygon(((x, y - 8), (x + 8, y), (x, y + 8), (x - 8, y)), tone)
    else:
        yield Line(((x - 6, y - 6), (x + 6, y + 6)), tone, 4)
        yield Line(((x - 6, y + 6), (x + 6, y - 6)), tone, 4)


def _upright(chart: JSON, width: int) -> Iterator[Shape]:
    """Horizontal lines of the grid with their numbers."""
    height = chart["lines"] * _LINE
    for at in range(chart["lines"] + 1):
        y = height - at * _LINE
        yield Line(((0, y), (width, y)), "faint" if at else "ink", 1 if at else 2)
        if at % chart["every"] == 0:
            yield Text(-8, y, str(at * chart["step"]), 13, anchor="end")


def _bars(chart: JSON) -> Scene:
    """Bars of one series or several.

    Side by side or on top of each other.
    """
    series, stacked = chart["series"], chart["type"] == "stacked"
    group = _BAR * (1 if stacked else len(series))
    slot = max(60, group + 22)
    width, height = slot * len(chart["labels"]), chart["lines"] * _LINE

    def shapes() -> Iterator[Shape]:
        yield from _upright(chart, width)
        for k, label in enumerate(chart["labels"]):
            left, floor = k * slot + (slot - group) // 2, height
            for at, one in enumerate(series):
                tall = one["values"][k] * _LINE // chart["step"]
                x, y = (left, floor - tall) if stacked else (left + at * _BAR, height - tall)
                yield Rect(x + 1, y, _BAR - 2, tall, f"hue{at}", "paper" if stacked else None)
                floor -= tall if stacked else 0
            yield Text(k * slot + slot // 2, height + 16, label, 13)
        yield Line(((0, height), (width, height)), "ink", 2)

    return _framed(chart, width, height, shapes())


def _horizontal(chart: JSON) -> Scene:
    """Bars of one series that grow to the right."""
    labels, values = chart["labels"], chart["series"][0]["values"]
    unit, slot = 36, 34
    width, height = chart["lines"] * unit, slot * len(labels)

    def shapes() -> Iterator[Shape]:
        for at in range(chart["lines"] + 1):
            yield Line(((at * unit, 0), (at * unit, height)), "faint" if at else "ink", 1 if at else 2)
            if at % chart["every"] == 0:
                yield Text(at * unit, height + 14, str(at * chart["step"]), 13)
        for k, label in enumerate(labels):
            yield Rect(1, k * slot + 6, values[k] * unit // chart["step"] - 1, _BAR, "hue0")
            yield Text(-6, k * slot + 17, label, 13, anchor="end")

    return _framed(chart, width, height, shapes())


def _lines(chart: JSON) -> Scene:
    """A line with marks for each series."""
    slot, height = 64, chart["lines"] * _LINE
    width = slot * len(chart["labels"])

    def shapes() -> Iterator[Shape]:
        yield from _upright(chart, width)
        for k, label in enumerate(chart["labels"]):
            x = k * slot + slot // 2
            yield Line(((x, 0), (x, height)), "shade")
            yield Text(x, height + 16, label, 13)
        for at, one in enumerate(chart["series"]):
            places = [
                (k * slot + slot // 2, height - value * _LINE // chart["step"]) for k, value in enumerate(one["values"])
            ]
            yield Line(tuple(places), f"hue{at}", 3)
        for at, one in enumerate(chart["series"]):
            for k, value in enumerate(one["values"]):
                yield from _mark(chart, at, k * slot + slot // 2, height - value * _LINE // chart["step"])

    return _framed(chart, width, height, shapes())


def _pie(chart: JSON) -> Scene:
    """Slices with their names and values beside them."""
    labels, values = chart["labels"], chart["series"][0]["values"]
    total, middle, around = sum(values), (_RADIUS + 150, _RADIUS + 16), 2 * pi

    def at(share: float, radius: float) -> tuple[int, int]:
        return round(middle[0] + radius * sin(around * share)), round(middle[1] - radius * cos(around * share))

    def shapes() -> Iterator[Shape]:
        begun, middles = 0, []
        for k, value in enumerate(values):
            steps = range(101)
            edge = [at((begun + value * step / 100) / total, _RADIUS) for step in steps]
            yield Polygon((middle, *edge), _SLICES[k], "paper", 2)
            middles.append((begun + value / 2) / total)
            begun += value
        for right in (True, False):
            side = sorted(
                (k for k in range(len(values)) if (middles[k] < 0.5) is right), key=lambda k: at(middles[k], 1e3)[1]
            )
            places = _spread([at(middles[k], _RADIUS + 20)[1] for k in side], 2 * middle[1])
            for k, y in zip(side, places, strict=True):
                x = middle[0] + (_RADIUS + 28) * (1 if right else -1)
                yield Line((at(middles[k], _RADIUS - 6), at(middles[k], _RADIUS + 10), (x, y)), "dark", 1)
                text = f"{labels[k]}: {values[k]}"
                yield Text(x + (5 if right else -5), y, text, 14, anchor="start" if right else "end")

    return _framed(chart, 2 * middle[0] - _RIGHT, 2 * middle[1] - _BOTTOM + 10, shapes())


_SLICES: Final = ("tint0", "tint1", "tint2", "tint3", "tint4", "tint5", "tint6", "tint7")


def _spread(places: list[int], most: int) -> list[int]:
    """Places at least 20 apart, in order, and within bounds."""
    found: list[int] = []
    for y in places:
        found.append(max(y, found[-1] + 20) if found else max(y, 10))
    for at in reversed(range(len(found))):
        found[at] = min(found[at], most - 10 - 20 * (len(found) - 1 - at))
    return found


def _scatter(chart: JSON) -> Scene:
    """Points with letters on crossings of the grid."""
    width, height = chart["wide"] * _LINE + _LINE // 2, chart["lines"] * _LINE

    def shapes() -> Iterator[Shape]:
        yield from _upright(chart, width)
        for at in range(chart["wide"] + 1):
            yield Line(((at * _LINE, 0), (at * _LINE, height)), "faint" if at else "ink", 1 if at else 2)
            if at % 2 == 0:
                yield Text(at * _LINE, height + 16, str(at), 13)
        for at, letter, x, y in chart["points"]:
            yield from _mark(chart, at, x * _LINE, height - y * _LINE)
            yield Rect(x * _LINE + 8, height - y * _LINE - 21, 13, 14, "paper")
            yield Text(x * _LINE + 14, height - y * _LINE - 14, letter, 13)

    return _framed(chart, width, height, shapes())


_PICTURES: Final[Mapping[str, Callable[[JSON], Scene]]] = {
    "bar": _bars,
    "grouped": _bars,
    "stacked": _bars,
    "horizontal": _horizontal,
    "line": _lines,
    "pie": _pie,
    "scatter": _scatter,
}
