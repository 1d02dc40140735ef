"""Points in the picture, worked out by hand."""

from __future__ import annotations

import re
from math import inf, nan
from xml.etree import ElementTree

import pytest
from hypothesis import given, strategies as st

from envhub.reports.html import standalone
from envhub.reports.svg import (
    BOTTOM,
    HEIGHT,
    LEFT,
    MAX_POINTS,
    PALETTE,
    RIGHT,
    TOP,
    WIDTH,
    Point,
    Series,
    chart,
    picture,
    sparkline,
    ticks_of,
)


def points(text: str, shape: str = "polyline") -> list[list[tuple[float, float]]]:
    """The points of every such shape."""
    found = re.findall(rf"<{shape} [^>]*?points='([^']*)'", text)
    return [[(float(x), float(y)) for x, y in (pair.split(",") for pair in each.split())] for each in found]


def series(*values: float, name: str = "a") -> Series:
    return Series(name, [Point(step, value) for step, value in enumerate(values)])


def test_a_line_goes_through_its_values() -> None:
    (line,) = points(chart("a", [series(0.0, 1.0, 0.25)]))
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
    assert line[0] == (left, bottom)
    assert line[1] == ((left + right) / 2, top)
    assert line[2] == (right, bottom - 0.25 * (bottom - top))


def test_steps_and_not_numbers_of_points_are_the_horizontal_axis() -> None:
    (line,) = points(chart("a", [Series("a", [Point(10, 0.0), Point(20, 0.5), Point(50, 1.0)])]))
    assert line[1][0] == LEFT + (WIDTH - RIGHT - LEFT) / 4
    text = chart("a", [Series("a", [Point(10, 0.0), Point(50, 1.0)])])
    assert ">10</text>" in text
    assert ">50</text>" in text


def test_series_share_their_axes() -> None:
    low, high = points(chart("a", [series(0.0, 0.0), series(1.0, 1.0, name="b")]))
    assert {y for _, y in low} == {HEIGHT - BOTTOM}
    assert {y for _, y in high} == {TOP}


def test_every_point_has_a_title() -> None:
    text = chart("a", [series(0.125, 0.5, name="<b>")])
    assert "<title>&lt;b&gt;, step 0: 0.125</title>" in text
    assert "<title>&lt;b&gt;, step 1: 0.5</title>" in text
    assert "<b>, step" not in text


def test_bounds_are_drawn_and_within_the_axes() -> None:
    text = chart("a", [Series("a", [Point(1, 0.5, (0.0, 1.0))])])
    assert f"y1='{HEIGHT - BOTTOM:.1f}' y2='{TOP:.1f}'" in text
    assert "step 1: 0.5 [0, 1]" in text


def test_what_is_not_finite_is_counted_and_not_drawn() -> None:
    text = chart("a", [series(0.0, nan, inf, 1.0)])
    assert len(points(text)[0]) == 2
    assert "a (2 not finite)" in text
    assert "nan" not in text.lower()
    assert chart("a", [series(nan)]) == ""
    assert chart("a", []) == ""


def test_many_points_become_means_with_a_band() -> None:
    text = chart("a", [series(*([0.0, 1.0] * MAX_POINTS))])
    (line,), (band,) = points(text), points(text, "polygon")
    assert len(line) == MAX_POINTS
    assert {y for _, y in line} == {(TOP + HEIGHT - BOTTOM) / 2}  # the mean of 0 and 1
    assert {y for _, y in band} == {TOP, HEIGHT - BOTTOM}
    assert "steps 0 to 1: 0.5, 0 to 1" in text
    assert "<polygon" not in chart("a", [series(*([0.0] * MAX_POINTS))])


def test_more_series_than_colours_are_refused() -> None:
    with pytest.raises(ValueError, match=f"at most {len(PALETTE)} series, got {len(PALETTE) + 1}"):
        chart("a", [series(0.0)] * (len(PALETTE) + 1))


def test_ticks_are_round() -> None:
    assert ticks_of(0.0, 1.0) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert ticks_of(0.03, 0.41) == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert ticks_of(-3.0, 17.0) == pytest.approx([-5, 0, 5, 10, 15, 20])
    assert ticks_of(0.0, 0.0) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert ticks_of(4.0, 4.0) == pytest.approx([2, 3, 4, 5, 6])


@given(low=st.floats(-1e9, 1e9), width=st.floats(0, 1e9))
def test_ticks_hold_the_values_and_are_few(low: float, width: float) -> None:
    ticks = ticks_of(low, low + width)
    room = 1e-6 * max(abs(low), width, 1e-30)
    assert ticks[0] <= low + room
    assert ticks[-1] >= low + width - room
    assert 2 <= len(ticks) <= 8
    assert ticks == sorted(set(ticks))


def test_a_reference_is_dashed_and_has_no_dots() -> None:
    text = chart("a", [Series("a", [Point(1, 0.0), Point(2, 1.0)], dashed=True)])
    assert "stroke-dasharray" in text
    assert "<circle" not in text


def test_the_horizontal_axis_covers_its_span_and_has_a_name() -> None:
    text = chart("a", [series(0.5, 1.0)], x_name="<level>", x_span=(1, 10))
    assert ">10</text>" in text
    assert ">&lt;level&gt;</text>" in text
    assert "&lt;level&gt; 1: 1<" in text
    assert "<level>" not in text


def test_a_file_of_its_own_has_the_same_lines_in_their_own_colours() -> None:
    lines = [series(0.125, 0.5, name="<b>"), series(0.25, 0.25, name="c")]
    text = picture("<a>", lines)
    assert points(text) == points(chart("a", lines))
    root = ElementTree.fromstring(text)
    assert root.attrib["aria-label"] == "<a>"
    strokes = [line.attrib["stroke"] for line in root.iter("{http://www.w3.org/2000/svg}polyline")]
    assert strokes == list(PALETTE[:2])
    assert not re.search(
        r"polyline \{[^}]*stroke:", text + standalone("a", "")
    )  # a rule of the page would overrule the attribute


def test_a_sparkline_goes_from_the_least_to_the_greatest() -> None:
    points = [tuple(map(float, point.split(","))) for point in sparkline([1, 3, 2]).split("'")[-2].split()]
    assert [x for x, _ in points] == [0.0, 60.0, 120.0]
    assert points[1][1] < points[2][1] < points[0][1]  # up is less in SVG
    assert "nan" not in sparkline([2, 2, 2])
    assert sparkline([4])
