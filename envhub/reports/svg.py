"""Curves over the steps of a run as inline SVG: axes, a line for each series, bounds if there are some, a title at every point.

::

    chart("Reward", [Series("reward", [Point(1, 0.25), Point(2, 0.5)])])

No script and no style from elsewhere; names are escaped. More points than can be told apart are drawn as the means of so many
neighbours, with the least and the greatest of them as a band.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, isfinite, log10, sqrt
from statistics import fmean
from typing import Final

WIDTH: Final = 380
HEIGHT: Final = 180
LEFT, RIGHT, TOP, BOTTOM = 52, 10, 8, 22
"""Margins that hold the axes' figures."""

MOST: Final = 160
"""Points of a series that are drawn."""

PALETTE: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333")
"""Of Okabe and Ito: told apart with any kind of colour vision."""


@dataclass(frozen=True, slots=True)
class Point:
    """A value of a step.

    Attributes:
        step: Which.
        value: How much; a point whose value is not finite is not drawn and counted instead.
        bounds: Between what it may lie.
        about: What its title says more.
    """

    step: int
    value: float
    bounds: tuple[float, float] | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """A named line: points in the order of their steps."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True, slots=True)
class _Scale:
    """From steps and values to places in the picture."""

    first: int
    last: int
    low: float
    high: float

    def x(self, step: float) -> float:
        """Pixels from the left; a single step stands in the middle."""
        share = (step - self.first) / (self.last - self.first) if self.last > self.first else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """Pixels from the top."""
        return HEIGHT - BOTTOM - (value - self.low) / (self.high - self.low) * (HEIGHT - BOTTOM - TOP)

    def at(self, step: float, value: float) -> str:
        """A place as SVG writes it in a list of points."""
        return f"{self.x(step):.1f},{self.y(value):.1f}"


def chart(title: str, series: Sequence[Series], span: tuple[float, float] | None = None) -> str:
    """A figure with a caption.

    Args:
        title: What it shows.
        series: Its lines, at most as many as there are colours.
        span: From where to where the vertical axis goes at least; by default as far as the values.

    Returns:
        HTML; an empty text if there is nothing to draw.

    Raises:
        ValueError: There are more series than colours.
    """
    if len(series) > len(PALETTE):
        raise ValueError(f"A chart has at most {len(PALETTE)} series, got {len(series)}.")
    finite = [Series(each.name, [point for point in each.points if isfinite(point.value)]) for each in series]
    everything = [point for each in finite for point in each.points]
    if not everything:
        return ""
    reach = [edge for point in everything for edge in (point.value, *(point.bounds or ()))]
    ticks = ticks_of(min(reach + list(span or ())), max(reach + list(span or ())))
    steps = [point.step for point in everything]
    scale = _Scale(min(steps), max(steps), ticks[0], ticks[-1])
    lines = "".join(_line(each, colour, scale) for each, colour in zip(finite, PALETTE, strict=False) if each.points)
    legend = "".join(
        f"<span class='key'><i style='background:{colour}'></i>{escape(full.name)}{_lost(full, drawn)}</span>"
        for full, drawn, colour in zip(series, finite, PALETTE, strict=False)
    )
    return (
        f"<figure><figcaption><b>{escape(title)}</b> {legend}</figcaption>"
        f"<svg viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{escape(title)}'>"
        f"{_axes(scale, ticks)}{lines}</svg></figure>"
    )


_NOTHING: Final = 1e-300
"""What is smaller is nought: a fifth of it may have no logarithm."""


def ticks_of(low: float, high: float) -> list[float]:
    """Round values from at most ``low`` to at least ``high``: three to seven of them, 1, 2 or 5 times a power of ten apart."""
    if not high - low > max(1e-9 * max(abs(low), abs(high)), _NOTHING):
        room = abs(low) / 2
        low, high = (low - room, high + room) if room > _NOTHING else (0.0, 1.0)
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    gap = next((power * factor for factor in (1, 2, 5) if power * factor >= rough * (1 - 1e-9)), power * 10)
    begin, end = floor(low / gap + 1e-9), ceil(high / gap - 1e-9)
    return [number * gap for number in range(begin, end + 1)]


def figure(value: float) -> str:
    """A value in few characters."""
    return f"{value:.4g}"


def wilson(hits: float, tried: int) -> tuple[float, float]:
    """The 95 % score interval of a share (Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference").

    Args:
        hits: How often it was so.
        tried: Of how many, at least 1.
    """
    z2 = 1.959964**2
    share = hits / tried
    middle, spread = share + z2 / (2 * tried), sqrt(z2 * (share * (1 - share) / tried + z2 / (4 * tried * tried)))
    return max(0.0, (middle - spread) / (1 + z2 / tried)), min(1.0, (middle + spread) / (1 + z2 / tried))


def _lost(full: Series, drawn: Series) -> str:
    lost = len(full.points) - len(drawn.points)
    return f" ({lost} not finite)" if lost else ""


def _axes(scale: _Scale, ticks: Sequence[float]) -> str:
    drawn = []
    for value in ticks:
        y = scale.y(value)
        drawn.append(f"<line class='grid' x1='{LEFT}' x2='{WIDTH - RIGHT}' y1='{y:.1f}' y2='{y:.1f}'/>")
        drawn.append(f"<text x='{LEFT - 5}' y='{y + 3.5:.1f}' text-anchor='end'>{figure(value)}</text>")
    ends = {scale.first: "start", scale.last: "end"} if scale.last > scale.first else {scale.first: "middle"}
    for step, anchor in ends.items():
        drawn.append(f"<text x='{scale.x(step):.1f}' y='{HEIGHT - 6}' text-anchor='{anchor}'>{step}</text>")
    drawn.append(
        f"<text x='{(LEFT + WIDTH - RIGHT) / 2:.1f}' y='{HEIGHT - 6}' text-anchor='middle'>step</text>"
        * (len(ends) > 1)
    )
    return "".join(drawn)


def _line(series: Series, colour: str, scale: _Scale) -> str:
    """A series: its band, its line, its points."""
    points = series.points if len(series.points) <= MOST else _thinned(series.points)
    drawn = []
    if len(points) < len(series.points):
        edges = [(point.step, point.bounds or (point.value, point.value)) for point in points]
        around = [scale.at(step, low) for step, (low, _) in edges] + [
            scale.at(step, high) for step, (_, high) in reversed(edges)
        ]
        drawn.append(f"<polygon fill='{colour}' points='{' '.join(around)}'/>")
    else:
        for point in points:
            if point.bounds is not None:
                x, low, high = scale.x(point.step), *map(scale.y, point.bounds)
                drawn.append(
                    f"<line class='bounds' stroke='{colour}' x1='{x:.1f}' x2='{x:.1f}' y1='{low:.1f}' y2='{high:.1f}'/>"
                )
    drawn.append(
        f"<polyline stroke='{colour}' points='{' '.join(scale.at(point.step, point.value) for point in points)}'/>"
    )
    seen = "dot" if len(points) <= 30 else "dot far"
    for point in points:
        about = point.about or f"step {point.step}: {figure(point.value)}{_bounds(point)}"
        drawn.append(
            f"<circle class='{seen}' fill='{colour}' cx='{scale.x(point.step):.1f}' cy='{scale.y(point.value):.1f}' r='3'>"
            f"<title>{escape(series.name)}, {escape(about)}</title></circle>"
        )
    return "".join(drawn)


def _bounds(point: Point) -> str:
    return f" [{figure(point.bounds[0])}, {figure(point.bounds[1])}]" if point.bounds else ""


def _thinned(points: Sequence[Point]) -> list[Point]:
    """At most :data:`MOST` points: the means of neighbours, the least and the greatest as bounds."""
    size = ceil(len(points) / MOST)
    bins = [points[begin : begin + size] for begin in range(0, len(points), size)]
    return [_mean(part) for part in bins]


def _mean(points: Sequence[Point]) -> Point:
    values = [point.value for point in points]
    mean, middle = fmean(values), points[len(points) // 2].step
    about = (
        f"steps {points[0].step} to {points[-1].step}: {figure(mean)}, {figure(min(values))} to {figure(max(values))}"
    )
    return Point(middle, mean, (min(values), max(values)), about)
