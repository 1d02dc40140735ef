"""Line charts as SVG: inline for reports, or files of their own.

::

    chart("Reward", [Series("reward", [Point(1, 0.25), Point(2, 0.5)])])       # a figure of a page
    picture("Reward", [Series("reward", [Point(1, 0.25), Point(2, 0.5)])])     # the text of an .svg file

A chart has axes, one line per series, error bars where points have bounds, and a tooltip at every point. It needs no script
and no external style; put :data:`STYLE` into the page. Names are escaped. A series of more than :data:`MAX_POINTS` points is
averaged over neighbours and drawn with a band from their minimum to their maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil, floor, isfinite, log10
from statistics import fmean
from typing import Final

WIDTH: Final = 380
HEIGHT: Final = 180
LEFT, RIGHT, TOP, BOTTOM = 52, 10, 8, 22
"""Margins around the plot, in pixels; the axis labels stand in them."""

MAX_POINTS: Final = 160
"""Maximum number of points drawn per series."""

PALETTE: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#333333")
"""Colours by Okabe and Ito, which are distinguishable with any type of colour vision."""

STYLE: Final = """
figure { margin: 0; } figcaption { font-size: 12px; } .key { margin-right: .7em; white-space: nowrap; }
.key i { display: inline-block; width: .8em; height: .8em; border-radius: 2px; margin-right: .3em; }
.chart { display: block; width: 100%; } .chart text { font: 10px system-ui, sans-serif; fill: #5b6675; }
.grid { stroke: #e7eaee; } polyline { fill: none; stroke-width: 1.5; } polygon { opacity: .18; }
.bounds { stroke-width: 1; opacity: .7; } .crowded { opacity: 0; } .dot:hover { opacity: 1; }
"""
_LEGEND: Final = 20
"""Height of the legend of a file, in pixels."""

_SPARK_WIDTH: Final = 120
_SPARK_HEIGHT: Final = 28


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a series.

    Attributes:
        x: Position on the horizontal axis.
        value: Position on the vertical axis. Values that are not finite are counted in the legend and not drawn.
        bounds: Lower and upper end of its error bar.
        about: Tooltip; None or empty for the position and the value.
    """

    x: int
    value: float
    bounds: tuple[float, float] | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class Series:
    """A named line.

    Attributes:
        name: Its label in the legend.
        points: In increasing order of ``x``.
        dashed: Draw it dashed and without dots, as a reference.
    """

    name: str
    points: Sequence[Point]
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps values to pixels."""

    first: int
    last: int
    low: float
    high: float

    def x(self, x: float) -> float:
        """Pixels from the left; a single position is in the middle."""
        share = (x - self.first) / (self.last - self.first) if self.last > self.first else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        """Pixels from the top."""
        return HEIGHT - BOTTOM - (value - self.low) / (self.high - self.low) * (HEIGHT - BOTTOM - TOP)

    def at(self, x: float, value: float) -> str:
        """A point of an SVG ``points`` attribute."""
        return f"{self.x(x):.1f},{self.y(value):.1f}"


def chart(
    title: str,
    series: Sequence[Series],
    span: tuple[float, float] | None = None,
    x_name: str = "step",
    x_span: tuple[int, int] | None = None,
) -> str:
    """An HTML figure with a caption, a legend and a line chart.

    Args:
        title: The caption.
        series: The lines, at most one per colour of :data:`PALETTE`.
        span: Range that the vertical axis covers at least. Defaults to the range of the values.
        x_name: Label of the horizontal axis.
        x_span: Range that the horizontal axis covers at least. Defaults to the range of the points.

    Returns:
        HTML; an empty string if there is nothing to draw.

    Raises:
        ValueError: There are more series than colours.
    """
    drawn = _plot(series, span, x_name, x_span)
    if not drawn:
        return ""
    legend = "".join(
        f"<span class='key'><i style='background:{colour}'></i>{escape(each.name)}{_lost(each)}</span>"
        for each, colour in zip(series, PALETTE, strict=False)
    )
    return (
        f"<figure><figcaption><strong>{escape(title)}</strong> {legend}</figcaption>"
        f"<svg class='chart' viewBox='0 0 {WIDTH} {HEIGHT}' role='img' aria-label='{escape(title)}'>{drawn}</svg></figure>"
    )


def picture(title: str, series: Sequence[Series], span: tuple[float, float] | None = None, x_name: str = "step") -> str:
    """The chart as an SVG file, with the legend above it.

    Arguments and errors are those of :func:`chart`.
    """
    height = HEIGHT + _LEGEND
    legend = "".join(
        f"<text x='{LEFT + 8 + 70 * at}' y='13' style='fill:{colour};font-weight:bold'>{escape(each.name)}</text>"
        for at, (each, colour) in enumerate(zip(series, PALETTE, strict=False))
    )
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' class='chart' viewBox='0 0 {WIDTH} {height}' width='{2 * WIDTH}' "
        f"role='img' aria-label='{escape(title)}'><style>{STYLE}</style>"
        f"<rect width='{WIDTH}' height='{height}' fill='white'/>{legend}"
        f"<g transform='translate(0 {_LEGEND})'>{_plot(series, span, x_name, None)}</g></svg>\n"
    )


def _plot(
    series: Sequence[Series], span: tuple[float, float] | None, x_name: str, x_span: tuple[int, int] | None
) -> str:
    """Axes and lines; an empty string if there is nothing to draw."""
    if len(series) > len(PALETTE):
        raise ValueError(f"A chart has at most {len(PALETTE)} series, got {len(series)}.")
    finite = [replace(each, points=_finite(each)) for each in series]
    everything = [point for each in finite for point in each.points]
    if not everything:
        return ""
    reach = [edge for point in everything for edge in (point.value, *(point.bounds or ()))]
    ticks = ticks_of(min(reach + list(span or ())), max(reach + list(span or ())))
    xs = [point.x for point in everything] + list(x_span or ())
    scale = _Scale(min(xs), max(xs), ticks[0], ticks[-1])
    lines = "".join(
        _line(each, colour, scale, x_name) for each, colour in zip(finite, PALETTE, strict=False) if each.points
    )
    return _axes(scale, ticks, x_name) + lines


def _finite(series: Series) -> list[Point]:
    return [point for point in series.points if isfinite(point.value)]


_NOTHING: Final = 1e-300
"""Smaller ranges count as 0: a fifth of one may have no logarithm."""


def ticks_of(low: float, high: float) -> list[float]:
    """Round tick values that cover ``low`` to ``high``.

    At most eight, 1, 2 or 5 times a power of ten apart.
    """
    if not high - low > max(1e-9 * max(abs(low), abs(high)), _NOTHING):
        room = abs(low) / 2
        low, high = (low - room, high + room) if room > _NOTHING else (0.0, 1.0)
    rough = (high - low) / 5
    power = 10.0 ** floor(log10(rough))
    gap = next((power * factor for factor in (1, 2, 5) if power * factor >= rough * (1 - 1e-9)), power * 10)
    begin, end = floor(low / gap + 1e-9), ceil(high / gap - 1e-9)
    return [number * gap for number in range(begin, end + 1)]


def figure(value: float) -> str:
    """A value with four significant digits."""
    return f"{value:.4g}"


def sparkline(values: Sequence[float]) -> str:
    """A small curve through the values, without axes.

    Scaled from the smallest to the largest.
    """
    low, high = min(values), max(values)
    step = _SPARK_WIDTH / max(len(values) - 1, 1)
    points = " ".join(
        f"{i * step:.1f},{_SPARK_HEIGHT - 2 - (_SPARK_HEIGHT - 4) * ((value - low) / (high - low) if high > low else 0.5):.1f}"
        for i, value in enumerate(values)
    )
    line = f"<polyline fill='none' stroke='{PALETTE[0]}' stroke-width='1.5' points='{points}'/>"
    return f"<svg width='{_SPARK_WIDTH}' height='{_SPARK_HEIGHT}' role='img'>{line}</svg>"


def _lost(series: Series) -> str:
    lost = len(series.points) - len(_finite(series))
    return f" ({lost} not finite)" if lost else ""


def _axes(scale: _Scale, ticks: Sequence[float], x_name: str) -> str:
    drawn = []
    for value in ticks:
        y = scale.y(value)
        drawn.append(f"<line class='grid' x1='{LEFT}' x2='{WIDTH - RIGHT}' y1='{y:.1f}' y2='{y:.1f}'/>")
        drawn.append(f"<text x='{LEFT - 5}' y='{y + 3.5:.1f}' text-anchor='end'>{figure(value)}</text>")
    ends = {scale.first: "start", scale.last: "end"} if scale.last > scale.first else {scale.first: "middle"}
    for x, anchor in ends.items():
        drawn.append(f"<text x='{scale.x(x):.1f}' y='{HEIGHT - 6}' text-anchor='{anchor}'>{x}</text>")
    drawn.append(
        f"<text x='{(LEFT + WIDTH - RIGHT) / 2:.1f}' y='{HEIGHT - 6}' text-anchor='middle'>{escape(x_name)}</text>"
        * (len(ends) > 1)
    )
    return "".join(drawn)


def _line(series: Series, colour: str, scale: _Scale, x_name: str) -> str:
    """A series' line and dots, with its band or error bars."""
    points = series.points if len(series.points) <= MAX_POINTS else _thinned(series.points, x_name)
    path = f"points='{' '.join(scale.at(point.x, point.value) for point in points)}'"
    if series.dashed:
        return f"<polyline stroke='{colour}' stroke-dasharray='4 3' {path}/>"
    drawn = []
    if len(points) < len(series.points):
        edges = [(point.x, point.bounds or (point.value, point.value)) for point in points]
        around = [scale.at(x, low) for x, (low, _) in edges] + [scale.at(x, high) for x, (_, high) in reversed(edges)]
        drawn.append(f"<polygon fill='{colour}' points='{' '.join(around)}'/>")
    else:
        for point in points:
            if point.bounds is not None:
                x, low, high = scale.x(point.x), *map(scale.y, point.bounds)
                drawn.append(
                    f"<line class='bounds' stroke='{colour}' x1='{x:.1f}' x2='{x:.1f}' y1='{low:.1f}' y2='{high:.1f}'/>"
                )
    drawn.append(f"<polyline stroke='{colour}' {path}/>")
    shown = "dot" if len(points) <= 30 else "dot crowded"
    for point in points:
        about = point.about or f"{x_name} {point.x}: {figure(point.value)}{_bounds(point)}"
        drawn.append(
            f"<circle class='{shown}' fill='{colour}' cx='{scale.x(point.x):.1f}' cy='{scale.y(point.value):.1f}' r='3'>"
            f"<title>{escape(series.name)}, {escape(about)}</title></circle>"
        )
    return "".join(drawn)


def _bounds(point: Point) -> str:
    return f" [{figure(point.bounds[0])}, {figure(point.bounds[1])}]" if point.bounds else ""


def _thinned(points: Sequence[Point], x_name: str) -> list[Point]:
    """At most :data:`MAX_POINTS` points.

    The means of neighbours, with their minimum and maximum as bounds.
    """
    size = ceil(len(points) / MAX_POINTS)
    bins = [points[begin : begin + size] for begin in range(0, len(points), size)]
    return [_mean(part, x_name) for part in bins]


def _mean(points: Sequence[Point], x_name: str) -> Point:
    values = [point.value for point in points]
    mean, middle = fmean(values), points[len(points) // 2].x
    about = f"{x_name}s {points[0].x} to {points[-1].x}: {figure(mean)}, {figure(min(values))} to {figure(max(values))}"
    return Point(middle, mean, (min(values), max(values)), about)
