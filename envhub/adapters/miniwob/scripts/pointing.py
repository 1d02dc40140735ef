"""Scripts of pages on which the mouse points, drags or draws."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import atan2, cos, pi, sin
from typing import Final

from envhub.adapters.miniwob.scripts.clicking import COLOURS, fits
from envhub.adapters.miniwob.scripts.view import (
    Act,
    Item,
    Script,
    Scripted,
    View,
    click,
    drag,
    fill,
    first,
    point,
    press,
    wait,
)

_WAYS: Final = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def _drawn_at(x: float, y: float) -> Act:
    """Click so that the point is drawn at a place.

    These pages draw it 2 pixels below and to the right of the mouse.
    """
    return point(x - 2, y - 2)


def _within(x: float, y: float) -> bool:
    """Whether a place lies on the drawing."""
    return 8 < x < 150 and 58 < y < 172


def _centre(view: View) -> Script:
    circle = view.one("circle")
    view = yield _drawn_at(circle.x, circle.y)
    yield click(view.submit)


def _midpoint(view: View) -> Script:
    one, other = view.all("circle")[:2]
    view = yield _drawn_at((one.x + other.x) / 2, (one.y + other.y) / 2)
    yield click(view.submit)


def _bisect(view: View) -> Script:
    corner = view.one("circle", cls="init-blue")
    ends = view.all("circle", cls="init-black")
    turns = [atan2(each.y - corner.y, each.x - corner.x) for each in ends]
    middle = atan2(sum(map(sin, turns)), sum(map(cos, turns)))
    inside = [far for far in range(70, 10, -2) if _within(corner.x + far * cos(middle), corner.y + far * sin(middle))]
    far = inside[0]
    view = yield _drawn_at(corner.x + far * cos(middle), corner.y + far * sin(middle))
    yield click(view.submit)


def _right_angle(view: View) -> Script:
    corner, end = view.one("circle", ident="init-blue"), view.one("circle", ident="init-black")
    turn = atan2(end.y - corner.y, end.x - corner.x)
    for quarter in (pi / 2, -pi / 2):
        x, y = corner.x + 35 * cos(turn + quarter), corner.y + 35 * sin(turn + quarter)
        if _within(x, y):
            view = yield _drawn_at(x, y)
            break
    yield click(view.submit)


def _drag_way(view: View) -> Script:
    (way,) = view.found(r"Drag the \w+ (left|right|up|down)")
    item = first(each for each in view.items if each.tag in ("circle", "rect", "polygon", "text") and each.id)
    across, down = _WAYS[way]
    view = yield drag(item.x, item.y, item.x + 22 * across, item.y + 22 * down)
    yield click(view.submit)


def _drag_box(view: View) -> Script:
    small, large = view.one(ident="draggableSmall"), view.one(ident="draggableLarge")
    view = yield drag(small.x, small.y, large.x, large.y)
    yield click(view.submit)


_GRID: Final = {"top left": 0, "top center": 1, "top right": 2, "center left": 3, "center": 4, "center right": 5,
                "bottom left": 6, "bottom center": 7, "bottom right": 8}  # fmt: skip


def _drag_items(view: View) -> Script:
    name, way = view.found(r"Drag (\S+) (.+)\.")
    items = view.all("div")
    at = first(number for number, each in enumerate(items) if each.text == name)
    if match := re.match(r"to the (\d)", way):
        target = int(match[1]) - 1
    elif way.startswith("to the"):
        rest = way.removeprefix("to the ").strip()
        target = _GRID.get(rest, {"top": 0, "bottom": len(items) - 1}.get(rest.split()[0], at))
    else:
        step = {"up": -1, "down": 1, "left": -1, "right": 1}[way.split()[0]]
        wide = 3 if len(items) == 9 and way.split()[0] in ("up", "down") else 1
        target = at + step * wide
    one, other = items[at], items[target]
    lean = 6 if other.y > one.y else -6 if other.y < one.y else 0
    aside = 0 if len(items) != 9 else 6 if other.x > one.x else -6 if other.x < one.x else 0
    yield drag(one.x, one.y, other.x + aside, other.y + lean)


def _sort(view: View) -> Script:
    for place in range(len(view.all("div"))):
        items = view.all("div")
        values = [int(each.text) for each in items]
        least = min(range(place, len(items)), key=lambda at: values[at])
        if least != place:
            one, other = items[least], items[place]
            view = yield drag(one.x, one.y, other.x, other.y - 6)
    yield click(view.submit)


def _drag_shapes(view: View) -> Script:
    (words,) = view.found(r"Drag all (.+?) into the (?:black|left) box")
    boxes = sorted(view.all("rect", ident="shape-container"), key=lambda each: each.x)
    drawn = [each for each in view.all("rect|circle|polygon") if each.has.get("id") != "shape-container"]
    counts = dict.fromkeys(range(len(boxes)), 0)
    for each in drawn:
        into = 0 if fits(each, words.removesuffix(" shapes")) else 1
        if into >= len(boxes):
            continue
        box, count = boxes[into], counts[into]
        counts[into] += 1
        wide, high = box.size
        x = box.x - wide / 2 + 14 + (count % 3) * (wide - 28) / 2
        y = box.y - high / 2 + 14 + (count // 3) * 16
        view = yield drag(each.x, each.y, x, min(y, box.y + high / 2 - 14))
    yield click(view.submit)


def _line(view: View) -> Script:
    (way,) = view.found(r"Draw a (\w+) line")
    dot = view.one("circle")
    x, y = (30, 0) if way == "horizontal" else (0, 30)
    view = yield drag(dot.x - x, dot.y - y, dot.x + x, dot.y + y)
    yield click(view.submit)


_NEARNESS: Final = {"ICE COLD": 0, "COLD": 1, "WARM": 2, "HOT": 3}


def _hot_cold(view: View) -> Script:
    area = view.one(ident="touch-area")
    wide, high = area.size
    left, top = area.x - wide // 2, area.y - high // 2
    places = [(x, y) for y in range(top + 4, top + high, 30) for x in range(left + 4, left + wide, 30)]
    for near in (1, 2, 3):
        shown = 0
        for x, y in places:
            if left <= x < left + wide and top <= y < top + high:
                view = yield "hover", {"x": x, "y": y}
                shown = max(_NEARNESS.get(each.text, 0) for each in view.items)
                if shown >= near:
                    break
        if shown == _NEARNESS["HOT"]:
            break
        places = _around(x, y, 9 if shown == 1 else 4)
    yield point(x, y)


def _around(x: int, y: int, step: int) -> list[tuple[int, int]]:
    """The points of a grid around a point, the nearest first."""
    reach = range(-4 * step, 4 * step + 1, step)
    return sorted(
        ((x + across, y + down) for across in reach for down in reach),
        key=lambda place: (max(abs(place[0] - x), abs(place[1] - y)), place),
    )[1:]


def _slider(view: View, index: int, wanted: int) -> Script:
    view = yield click(view.all("span", cls="ui-slider-handle")[index])
    for _ in range(85):
        values = [int(each.text) for each in view.all("div") if str(each.has.get("id", "")).startswith("val")]
        if values[index] == wanted:
            return
        view = yield press("ArrowRight" if values[index] < wanted else "ArrowLeft")


def _one_slider(view: View) -> Script:
    (wanted,) = view.found(r"Select (-?\d+)")
    yield from _slider(view, 0, int(wanted))
    yield click(view.submit)


def _three_sliders(view: View) -> Script:
    for number, wanted in enumerate(re.findall(r"\d+", view.goal)):
        yield from _slider(view, number, int(wanted))
    yield click(view.submit)


def _resize(view: View) -> Script:
    larger, side = "larger" in view.goal, "height" if "height" in view.goal else "width"
    area = view.one("textarea")
    wide, high = area.size
    x, y = area.x + wide / 2 - 3, area.y + high / 2 - 3
    by = 18 if larger else -18
    view = yield drag(x, y, x + (by if side == "width" else 0), y + (by if side == "height" else 0))
    yield click(view.submit)


def _ascending(view: View) -> Script:
    order = sorted(view.all("text"), key=lambda each: int(each.text or 0))
    for each in [each for each in order if each.id]:
        yield point(each.x, each.y)


def _chase(view: View) -> Script:
    for _ in range(90):
        circle = view.one("circle")
        view = yield point(circle.x, circle.y)


def _moving(view: View) -> Script:
    for _ in range(90):
        inside = [each for each in view.all("circle") if 4 < each.x < 156 and 56 < each.y < 205]
        view = yield point(inside[0].x, inside[0].y) if inside else wait()


def _colour_text(view: View) -> Script:
    if "following" in view.goal:
        red, green, blue = view.one("div", cls="cc").colour
    else:
        red, green, blue = COLOURS[view.found(r"Select (\w+) with")[0]]
    text = f"{red:02X}{green:02X}{blue:02X}"
    view = yield fill(view.one("input", ident="col"), text)
    view = yield press("Tab")
    yield click(view.submit)


def _cells(items: Sequence[Item]) -> list[int]:
    return [1 if "mark-x" in each.classes else -1 if "mark-o" in each.classes else 0 for each in items]


_ROWS: Final = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def _chance(cells: list[int], mine: bool) -> float:
    """How often an opponent that mostly plays at random is beaten."""
    for side in (1, -1):
        if any(all(cells[at] == side for at in row) for row in _ROWS):
            return 1.0 if side == 1 else 0.0
    free = [at for at, each in enumerate(cells) if not each]
    if not free:
        return 0.0
    after = [_chance([*cells[:at], 1 if mine else -1, *cells[at + 1 :]], not mine) for at in free]
    return max(after) if mine else 0.5 * min(after) + 0.5 * sum(after) / len(after)


def _noughts(view: View) -> Script:
    for _ in range(6):
        items = [each for each in view.items if str(each.has.get("id", "")).startswith("ttt-")]
        cells = _cells(items)
        free = [at for at, each in enumerate(cells) if not each]
        best = 4 if len(free) >= 8 and 4 in free else free[0]
        if len(free) < 8:
            best = max(free, key=lambda at: _chance([*cells[:at], 1, *cells[at + 1 :]], False))
        view = yield click(items[best])


POINTING: Final[dict[str, Scripted]] = {
    "circle-center": _centre,
    "find-midpoint": _midpoint,
    "bisect-angle": _bisect,
    "right-angle": _right_angle,
    **dict.fromkeys(("drag-circle", "drag-single-shape"), _drag_way),
    "drag-box": _drag_box,
    **dict.fromkeys(("drag-items", "drag-items-grid"), _drag_items),
    "drag-sort-numbers": _sort,
    **dict.fromkeys(("drag-shapes", "drag-shapes-2"), _drag_shapes),
    "draw-line": _line,
    "use-slider": _one_slider,
    "use-slider-2": _three_sliders,
    "resize-textarea": _resize,
    "ascending-numbers": _ascending,
    "chase-circle": _chase,
    "moving-items": _moving,
    **dict.fromkeys(("use-colorwheel", "use-colorwheel-2"), _colour_text),
    "tic-tac-toe": _noughts,
    "hot-cold": _hot_cold,
}
