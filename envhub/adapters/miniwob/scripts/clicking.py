"""Scripts of pages on which things are clicked or chosen."""

from __future__ import annotations

import re
from calendar import month_name
from typing import Final

from envhub.adapters.miniwob.scripts.view import (
    Item,
    Lost,
    Picked,
    Script,
    Scripted,
    View,
    choose,
    click,
    fill,
    first,
    hover,
    point,
    scroll,
    wait,
)

COLOURS: Final = {
    "red": (255, 0, 0), "lime": (0, 255, 0), "blue": (0, 0, 255), "yellow": (255, 255, 0), "cyan": (0, 255, 255),
    "aqua": (0, 255, 255), "magenta": (255, 0, 255), "fuchsia": (255, 0, 255), "black": (0, 0, 0), "white": (255, 255, 255),
    "grey": (128, 128, 128), "gray": (128, 128, 128), "green": (0, 128, 0), "olive": (128, 128, 0), "purple": (128, 0, 128),
    "maroon": (128, 0, 0), "navy": (0, 0, 128), "teal": (0, 128, 128), "silver": (192, 192, 192), "orange": (255, 165, 0),
    "pink": (255, 192, 203), "brown": (165, 42, 42), "gold": (255, 215, 0),
}  # fmt: skip


def _first_button(view: View) -> Script:
    yield click(view.button())


def _named_button(view: View) -> Script:
    name = view.quoted[0] if view.quoted else view.found(r"button (\w+)\.")[0]
    exact = view.all("button", name)
    yield view.uncovered(exact[0] if exact else view.button(name))


def _sequence(view: View) -> Script:
    view = yield view.uncovered(view.button("one"))
    yield view.uncovered(view.button("two"))


def _delay(view: View) -> Script:
    (seconds,) = view.found(r"wait (\d+) second")
    view = yield view.uncovered(view.button("one"))
    if int(seconds) * 1000 > 200:
        view = yield wait(int(seconds) * 1000 - 200)
    yield view.uncovered(view.button("two"))


def _focus(view: View) -> Script:
    number = int(view.found(r"(\d)\w\w input")[0]) if re.search(r"\d\w\w input", view.goal) else 1
    yield click(view.fields[number - 1])


def _from_list(view: View) -> Script:
    (name,) = view.found(r"Select (.+?) from the list")
    view = yield choose(view.one("select"), name)
    yield click(view.submit)


def _from_lists(view: View) -> Script:
    (names,) = view.found(r"Select (.+?) from the scroll list")
    for name in names.split(", "):
        view = yield choose(view.one("select"), name)
    yield click(view.submit)


def _boxes(view: View) -> Script:
    (names,) = view.found(r"Select (.+?) and click Submit")
    wanted = [] if names == "nothing" else names.split(", ")
    for name in wanted:
        at = first(at for at, each in enumerate(view.items) if each.text == name and each.tag == "text")
        box = first(each for each in reversed(view.items[:at]) if each.tag == "input")
        view = yield click(box)
    yield click(view.submit)


def _date(view: View) -> Script:
    view = yield click(view.one("input", ident="datepicker"))
    view = yield from pick_date(view)
    view = yield wait(400)
    yield click(view.submit)


def pick_date(view: View) -> Picked:
    """Turn an open calendar to the goal's month and click the day."""
    month, day, year = map(int, view.found(r"(\d+)/(\d+)/(\d+)"))
    for _ in range(30):
        title = view.all("span", cls="ui-datepicker-month")
        if not title:
            view = yield wait(400)
            continue
        now = list(month_name).index(title[0].text)
        years = view.all("span", cls="ui-datepicker-year")
        shown = int(years[0].text) if years else year
        if (shown, now) == (year, month):
            break
        later = (shown, now) < (year, month)
        view = yield click(view.one("a", cls="ui-datepicker-next" if later else "ui-datepicker-prev"))
    return (yield click(first(each for each in view.all("a") if each.text == str(day))))


def _tab(view: View) -> Script:
    (number,) = view.found(r"Tab #(\d)")
    yield click(view.one("a", f"Tab #{number}"))


def _link(view: View) -> Script:
    yield click(view.one("span", view.quoted[0], cls="alink"))


def _search_tabs(view: View) -> Script:
    tabs = [each.text for each in view.all("a", cls="ui-tabs-anchor")]
    for tab in tabs:
        view = yield click(view.one("a", tab, cls="ui-tabs-anchor"))
        if found := view.all("span", view.quoted[0], cls="alink"):
            yield click(found[0])


def _collapsible(view: View) -> Script:
    view = yield click(view.one("h3"))
    view = yield wait(800)
    yield click(view.submit)


def _collapsibles(view: View) -> Script:
    for number in range(len(view.all("h3"))):
        view = yield click(view.all("h3")[number])
        view = yield wait(800)
        if found := view.all("span", view.quoted[0], cls="alink"):
            yield click(found[0])


def _dialog(view: View) -> Script:
    name = view.quoted[0] if view.quoted else "x"
    yield click(view.one("button", title="Close") if name == "x" else view.button(name))


def _menu(view: View) -> Script:
    *parents, leaf = view.found(r"Select (.+)")[0].split(">")
    for name in parents:
        view = yield hover(first(each for each in view.items if each.text == name))
        view = yield wait(800)
    entry = first(each for each in view.items if each.text == leaf)
    yield point(entry.x, entry.y)


_ICONS: Final = {"disk": "Save", "seek-start": "Prev", "stop": "Stop", "play": "Play", "seek-end": "Next",
                 "zoomin": "Zoom In", "zoomout": "Zoom Out"}  # fmt: skip


def _menu_2(view: View) -> Script:
    icons = [each.has["class"] for each in view.all("span", cls="ui-icon") if each.y < 50]
    name = _ICONS[str(icons[0]).rpartition("ui-icon-")[2]] if icons else view.quoted[-1]
    view = yield click(view.button("menu"))
    view = yield wait(400)
    if not any(each.text == name for each in view.items):
        view = yield hover(first(each for each in view.items if each.text == "Playback"))
        view = yield wait(800)
    entry = first(each for each in view.items if each.text == name)
    yield point(entry.x, entry.y)


def _pie(view: View) -> Script:
    spreader = view.all("text|tspan", "+") or view.all("text|tspan|circle|path")
    view = yield point(80, 130)
    view = yield wait(1000)
    assert spreader
    found = view.all("tspan|text", view.quoted[0])
    if not found:
        raise Lost("slice")
    yield point(found[-1].x, found[-1].y)


def _colour(view: View) -> Script:
    (name,) = view.found(r"Click on the (\S+) colored box")
    yield click(first(each for each in view.all("div", cls="color") if each.y > 50 and each.colour == COLOURS[name]))


def _shades(view: View) -> Script:
    (name,) = view.found(r"shades of (\w+)")
    place = ("red", "green", "blue").index(name)
    for each in [each for each in view.all("span") if "background" in each.has]:
        if max(each.colour) == each.colour[place] and min(each.colour) != each.colour[place]:
            view = yield click(each)
    yield click(view.submit)


_CORNERS: Final = {"rect": "rectangle", "circle": "circle", "polygon": "triangle"}


def _kind(item: Item) -> str:
    return _CORNERS.get(item.tag) or ("digit" if item.text.isdigit() else "letter")


def fits(item: Item, words: str) -> bool:
    """Whether a drawn thing fits a description such as ``small red circles``."""
    for word in words.lower().split():
        single = word.rstrip("s") if word.endswith("s") else word
        if single in ("a", "an", "all", "item", "shape", "the"):
            continue
        if word in COLOURS:
            if item.colour != COLOURS[word]:
                return False
        elif single in ("small", "large"):
            big = max(item.size) > 15
            if big != (single == "large"):
                return False
        elif single in ("digit", "letter", "circle", "rectangle", "triangle"):
            if _kind(item) != single:
                return False
        elif single != item.text.lower():
            return False
    return True


def _drawn(view: View) -> list[Item]:
    return [each for each in view.all("rect|circle|polygon|text") if each.id and each.has.get("fill") != "none"]


def _shape(view: View) -> Script:
    (words,) = view.found(r"Click on an? (.+)")
    yield click(first(each for each in _drawn(view) if fits(each, words)))


def _count(view: View) -> Script:
    words = view.found(r"How many (.+?) are there")[0]
    yield click(view.button(str(sum(fits(each, words) for each in _drawn(view)))))


def _identify(view: View) -> Script:
    (item,) = _drawn(view)[:1]
    yield click(view.button({"digit": "Number"}.get(_kind(item), _kind(item).title())))


def _widget(view: View) -> Script:
    kind = view.quoted[0]
    for each in view.items:
        if each.tag == kind or (each.tag == "input" and each.has.get("type") == {"text": "input"}.get(kind, kind)):
            yield click(each)
            return
        if kind == "text" and each.tag == "input" and each.has.get("type") in ("text", "input"):
            yield click(each)
            return
    raise Lost(kind)


def _tree(view: View) -> Script:
    opened: set[str] = set()
    for _ in range(20):
        if found := view.all("span", view.quoted[0]):
            yield click(found[0])
            return
        folders = [each for each in view.all("span", cls="folder") if each.text not in opened]
        if not folders:
            return
        opened.add(folders[0].text)
        view = yield click(folders[0])


def _parity(view: View) -> Script:
    for number, each in enumerate(view.all("div", cls="display-number")):
        name = "odd" if int(each.text) % 2 else "even"
        view = yield click(view.all("button", cls=name)[number])
    yield click(view.button("submit"))


def _agreement(view: View) -> Script:
    if view.quoted:
        area = view.one("textarea")
        for _ in range(30):
            if "disabled" not in view.one("input").has:
                break
            view = yield scroll("down", area.x, area.y)
        view = yield fill(view.one("input"), view.quoted[0])
        yield click(view.button(view.quoted[1]))
    yield click(view.button("cancel"))


def _greatest(view: View) -> Script:
    seen: dict[int, int] = {}
    for number in range(len(view.all("div", cls="card"))):
        view = yield click(view.all("div", cls="card")[number])
        shown = [each for each in view.all() if each.text.isdigit() and each.tag != "button"]
        seen[number] = int(shown[0].text) if shown else -1
    view = yield click(view.all("div", cls="card")[max(seen, key=lambda each: seen[each])])
    yield click(view.button("submit"))


def _coordinate(view: View) -> Script:
    (name,) = view.found(r"(\(-?\d,-?\d\))")
    yield click(view.one("circle", ident=name))


def _ticket(view: View) -> Script:
    buttons = view.all("button", cls="buy-ticket")
    times = [re.findall(r"\d+", each.text) for each in view.all("div", cls="time-duration")]
    minutes = [int(hours) * 60 + int(rest) for hours, rest in times]
    prices = [int(re.findall(r"\d+", each.text)[-1]) for each in buttons]
    values = minutes if "duration" in view.goal else prices
    best = max(values) if re.search("longest|most expensive|highest", view.goal) else min(values)
    yield click(buttons[values.index(best)])


CLICKING: Final[dict[str, Scripted]] = {
    "click-test": _first_button,
    **dict.fromkeys(("click-test-2", "click-test-transfer", "click-button", "unicode-test"), _named_button),
    "click-button-sequence": _sequence,
    "button-delay": _delay,
    **dict.fromkeys(("focus-text", "focus-text-2"), _focus),
    "choose-list": _from_list,
    "click-scroll-list": _from_lists,
    **dict.fromkeys(
        ("click-checkboxes", "click-checkboxes-large", "click-checkboxes-transfer", "click-option"), _boxes
    ),
    **dict.fromkeys(("choose-date", "choose-date-easy", "choose-date-medium", "choose-date-nodelay"), _date),
    "click-tab": _tab,
    "click-link": _link,
    **dict.fromkeys(("click-tab-2", "click-tab-2-easy", "click-tab-2-medium", "click-tab-2-hard"), _search_tabs),
    **dict.fromkeys(("click-collapsible", "click-collapsible-nodelay"), _collapsible),
    **dict.fromkeys(("click-collapsible-2", "click-collapsible-2-nodelay"), _collapsibles),
    **dict.fromkeys(("click-dialog", "click-dialog-2"), _dialog),
    "click-menu": _menu,
    "click-menu-2": _menu_2,
    **dict.fromkeys(("click-pie", "click-pie-nodelay"), _pie),
    "click-color": _colour,
    "click-shades": _shades,
    "click-shape": _shape,
    "count-shape": _count,
    "identify-shape": _identify,
    "click-widget": _widget,
    "navigate-tree": _tree,
    "odd-or-even": _parity,
    "sign-agreement": _agreement,
    "find-greatest": _greatest,
    "grid-coordinate": _coordinate,
    "buy-ticket": _ticket,
}
