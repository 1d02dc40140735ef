"""The elements of a page as text, from a browser's snapshot."""

from __future__ import annotations

from typing import Any

from envhub.browser.actions import DESKTOP
from envhub.browser.dom import STYLES, read_dom

PLAIN = {
    "visibility": "visible",
    "background-color": "rgba(0, 0, 0, 0)",
    "fill": "",
    "opacity": "1",
    "background-image": "none",
}


class Snapshot:
    """Builds a snapshot as DevTools sends it."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        rare = ("textValue", "inputValue", "inputChecked", "optionSelected", "isClickable")
        self.nodes: dict[str, Any] = {
            name: [] for name in ("parentIndex", "nodeType", "nodeName", "nodeValue", "backendNodeId", "attributes")
        } | {name: {"index": [], "value": []} for name in rare}
        self.layout: dict[str, list[Any]] = {"nodeIndex": [], "bounds": [], "styles": []}

    def said(self, text: str) -> int:
        self.strings.append(text)
        return len(self.strings) - 1

    def add(self, parent: int, name: str, text: str = "", box: Any = None, style: Any = None, **has: Any) -> int:
        at = len(self.nodes["parentIndex"])
        self.nodes["parentIndex"].append(parent)
        self.nodes["nodeType"].append(3 if name == "#text" else 1)
        self.nodes["nodeName"].append(self.said(name.upper()))
        self.nodes["nodeValue"].append(self.said(text))
        self.nodes["backendNodeId"].append(at + 100)
        flags = {"clickable": "isClickable", "checked": "inputChecked", "selected": "optionSelected"}
        for flag, rare in flags.items():
            if has.pop(flag, False):
                self.nodes[rare]["index"].append(at)
        for key, rare in (("typed", "inputValue"), ("written", "textValue")):
            if key in has:
                self.nodes[rare]["index"].append(at)
                self.nodes[rare]["value"].append(self.said(has.pop(key)))
        pairs = [self.said(each) for pair in has.items() for each in pair]
        self.nodes["attributes"].append(pairs)
        if box is not None:
            self.layout["nodeIndex"].append(at)
            self.layout["bounds"].append(box)
            self.layout["styles"].append([self.said((PLAIN | (style or {}))[key]) for key in STYLES])
        return at

    def text(self, **more: Any) -> list[str]:
        document = {"nodes": self.nodes, "layout": self.layout, "scrollOffsetX": 0, "scrollOffsetY": 10}
        shown, self.elements = read_dom({"strings": self.strings, "documents": [document]}, 103, DESKTOP, **more)
        return shown.splitlines()


def test_texts_controls_drawings_and_places() -> None:
    page = Snapshot()
    body = page.add(page.add(-1, "html", box=(0, 0, 640, 480)), "body", box=(0, 0, 640, 480))
    label = page.add(body, "label", box=(10, 20, 40, 10), clickable=True)
    page.add(label, "input", box=(10, 20, 10, 10), type="checkbox", checked=True)
    page.add(label, "#text", "  Red  \n box ", box=(25, 20, 20, 10))
    page.add(body, "circle", box=(100, 110, 20, 20), style={"fill": "rgb(255, 0, 0)"})
    page.add(body, "textarea", box=(0, 60, 60, 20), written="two\nlines  ")
    below = page.add(body, "button", box=(0, 700, 60, 20), disabled="")
    page.add(below, "#text", "Go")
    chosen = page.add(body, "select", box=(0, 90, 60, 20))
    for name in ("Ann", "Bob"):
        page.add(page.add(chosen, "option", selected=name == "Bob"), "#text", name)
    page.add(body, "span", box=(5, 5, 8, 8), style={"background-image": "url(x.png)"}, **{"class": "star"})
    assert page.text() == [
        "[1] at (30, 15) label clickable size=40x10",
        "[2] at (15, 15) input type=checkbox checked focused size=10x10",
        'text at (35, 15) "Red box"',
        '[3] at (110, 110) circle fill="rgb(255, 0, 0)" size=20x20',
        '[4] at (30, 60) textarea value="two\\nlines  " size=60x20',
        '[5] below the view button "Go" disabled="" size=60x20',
        '[6] at (30, 90) select value="Bob" options=["Ann", "Bob"] size=60x20',
        "[7] at (9, -1) span class=star icon size=8x8".replace("at (9, -1)", "above the view"),
    ]
    assert [element.node for element in page.elements][:2] == [102, 103]


def test_what_is_not_seen_is_not_listed() -> None:
    page = Snapshot()
    body = page.add(-1, "body", box=(0, 0, 640, 480))
    for style in ({"visibility": "hidden"}, {"opacity": "0"}):
        page.add(
            page.add(body, "p", box=(0, 20, 50, 10), style=style), "#text", "hidden", box=(0, 20, 50, 10), style=style
        )
    page.add(page.add(body, "p", box=(0, 20, 0, 0)), "#text", "empty")
    page.add(page.add(body, "p"), "#text", "not laid out")
    page.add(page.add(body, "script"), "#text", "code")
    hidden = page.add(body, "div", box=(0, 20, 50, 10), id="display")
    page.add(hidden, "#text", "reward", box=(0, 20, 50, 10))
    goal = page.add(body, "div", box=(0, 30, 50, 10), id="query")
    page.add(goal, "#text", "Click on", box=(0, 30, 20, 10))
    page.add(goal, "span", box=(20, 30, 10, 10), style={"background-color": "rgb(0, 0, 255)"})
    assert page.text(left_out=frozenset({"display"}), untold=frozenset({"query"})) == [
        '[1] at (25, 25) span background="rgb(0, 0, 255)" size=10x10'
    ]
    assert page.text(left_out=frozenset({"display", "query"})) == ["(The page is empty.)"]
