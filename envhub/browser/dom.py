"""The elements of a page as text, with places and sizes.

The accessibility tree says too little of some pages, which use plain elements and drawings as buttons. So every element that
has text, can be clicked or is drawn is listed, with its place and size. It is read from the browser's own snapshot: no
script runs in the page::

    [1] at (80, 12) div "Click on the red box." size=160x44
    [2] at (40, 90) rect fill=red clickable size=20x20
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from envhub.browser.actions import Screen
from envhub.browser.tree import Element

STYLES: Final = ("visibility", "background-color", "fill", "opacity", "background-image")
"""The computed styles that a snapshot must hold."""
_ELEMENT, _TEXT = 1, 3
_CONTROLS: Final = frozenset({"input", "textarea", "select", "button", "a", "option"})
_DRAWN: Final = frozenset(
    {"circle", "ellipse", "rect", "line", "path", "polygon", "polyline", "img", "canvas", "image"}
)
_NEVER: Final = frozenset({"html", "head", "body", "script", "style", "svg", "title"})
_SHOWN: Final = ("id", "class", "placeholder", "title", "alt", "readonly", "disabled", "contenteditable", "data-index")
_CLEAR: Final = ("rgba(0, 0, 0, 0)", "transparent", "")
_LONGEST: Final = 400
_LONGEST_VALUE: Final = 2000


@dataclass(slots=True)
class _Node:
    """A node of the snapshot."""

    kind: int
    name: str
    text: str
    backend: int
    attributes: Mapping[str, str]
    parent: int
    children: list[int] = field(default_factory=list)
    clickable: bool = False
    value: str | None = None
    checked: bool = False
    selected: bool = False
    box: tuple[float, float, float, float] | None = None
    styles: Sequence[str] = ()


def read_dom(
    snapshot: Any,
    focused: int,
    screen: Screen,
    left_out: frozenset[str] = frozenset(),
    untold: frozenset[str] = frozenset(),
) -> tuple[str, list[Element]]:
    """The text of a page, and its elements with ids.

    Args:
        snapshot: The browser's ``DOMSnapshot.captureSnapshot`` with :data:`STYLES`.
        focused: The browser's id of the node that has the focus; 0 if none.
        screen: What the page is shown on.
        left_out: Values of ``id`` of elements that are left out, with all that is in them.
        untold: Values of ``id`` of elements whose texts are left out, but not the pictures and patches in them.
    """
    nodes = _nodes(snapshot)
    elements: list[Element] = []
    roots = [at for at, node in enumerate(nodes) if node.parent < 0]
    lines = [
        line for root in roots for line in _lines(nodes, root, elements, focused, screen, (left_out, untold), False)
    ]
    return "\n".join(lines) or "(The page is empty.)", elements


def _nodes(snapshot: Any) -> list[_Node]:
    strings, document = snapshot["strings"], snapshot["documents"][0]

    def said(index: int) -> str:
        return strings[index] if index >= 0 else ""

    raw, layout = document["nodes"], document["layout"]
    nodes: list[_Node] = []
    for at, parent in enumerate(raw["parentIndex"]):
        pairs = [said(each) for each in raw["attributes"][at]]
        given = dict(zip(pairs[::2], pairs[1::2], strict=True))
        name = said(raw["nodeName"][at]).lower()
        nodes.append(
            _Node(raw["nodeType"][at], name, said(raw["nodeValue"][at]), raw["backendNodeId"][at], given, parent)
        )
        if parent >= 0:
            nodes[parent].children.append(at)
    for key in ("textValue", "inputValue"):
        for at, value in zip(raw[key]["index"], raw[key]["value"], strict=True):
            nodes[at].value = said(value)
    for at in raw["isClickable"]["index"]:
        nodes[at].clickable = True
    for at in raw["inputChecked"]["index"]:
        nodes[at].checked = True
    for at in raw["optionSelected"]["index"]:
        nodes[at].selected = True
    across, down = document.get("scrollOffsetX", 0), document.get("scrollOffsetY", 0)
    for at, bounds, styles in zip(layout["nodeIndex"], layout["bounds"], layout["styles"], strict=True):
        x, y, wide, high = bounds
        nodes[at].box = (x - across, y - down, wide, high)
        nodes[at].styles = [said(each) for each in styles]
    return nodes


def _lines(
    nodes: Sequence[_Node],
    at: int,
    elements: list[Element],
    focused: int,
    screen: Screen,
    without: tuple[frozenset[str], frozenset[str]],
    mute: bool,
) -> Iterator[str]:
    """The lines of a node and of those below it.

    Without texts if ``mute``.
    """
    node = nodes[at]
    if node.name in ("script", "style", "head") or node.attributes.get("id") in without[0]:
        return
    mute = mute or node.attributes.get("id") in without[1]
    if node.kind == _TEXT:
        if node.text.strip() and _visible(node) and not mute:
            yield f"text{_place(node, screen)} {_quoted(node.text)}"
        return
    below = [child for child in node.children if nodes[child].kind in (_ELEMENT, _TEXT)]
    text = all(nodes[child].kind == _TEXT for child in below)
    own = " ".join("".join(nodes[child].text for child in below).split()) if text else ""
    if (
        node.kind == _ELEMENT
        and node.name not in _NEVER
        and _visible(node)
        and _worth(node, own)
        and not (mute and below)
    ):
        elements.append(Element(node.backend, node.name, own))
        yield f"[{len(elements)}]{_place(node, screen)} {' '.join(_described(nodes, node, own, focused))}"
    if (text and own) or node.name == "select":
        return
    for child in below:
        yield from _lines(nodes, child, elements, focused, screen, without, mute)


def _worth(node: _Node, own: str) -> bool:
    """Whether a line is worth its place."""
    listed = node.name in _CONTROLS or node.name in _DRAWN or node.clickable or "contenteditable" in node.attributes
    coloured = bool(node.styles) and not node.children and (node.styles[1] not in _CLEAR or _pictured(node))
    return bool(own) or listed or coloured


def _pictured(node: _Node) -> bool:
    """Whether a picture lies behind it, as behind an icon."""
    return bool(node.styles) and node.styles[4] not in ("", "none")


def _visible(node: _Node) -> bool:
    box = node.box
    if box is None or (node.styles and (node.styles[0] == "hidden" or node.styles[3] == "0")):
        return False
    return (box[2] > 0 and box[3] > 0) or (node.name in _DRAWN and (box[2] > 0 or box[3] > 0))


def _place(node: _Node, screen: Screen) -> str:
    assert node.box is not None
    x, y, wide, high = node.box
    middle = round(x + wide / 2), round(y + high / 2)
    if not 0 <= middle[1] < screen.height:
        return f" {'above' if middle[1] < 0 else 'below'} the view"
    if not 0 <= middle[0] < screen.width:
        return f" {'left' if middle[0] < 0 else 'right'} of the view"
    return f" at ({middle[0]}, {middle[1]})"


def _described(nodes: Sequence[_Node], node: _Node, own: str, focused: int) -> Iterator[str]:
    given = node.attributes
    yield node.name
    if own:
        yield _quoted(own)
    if node.name == "input":
        yield f"type={given.get('type', 'text')}"
    if node.name in ("input", "textarea") and given.get("type") not in ("checkbox", "radio"):
        yield f"value={_exact(node.value or '')}"
    if node.name == "select":
        options = [child for child in _below(nodes, node) if child.name == "option"]
        chosen = [_text(nodes, option) for option in options if option.selected]
        yield f"value={_quoted(', '.join(chosen))} options={json.dumps([_text(nodes, each) for each in options])}"
    for name in _SHOWN:
        if given.get(name) or (name in given and name in ("readonly", "disabled")):
            yield f"{name}={given[name]}" if given[name].isalnum() else f"{name}={_quoted(given[name])}"
    if node.name == "img" and given.get("src"):
        yield f"src={_quoted(given['src'].rpartition('/')[2])}"
    if node.name in _DRAWN - {"img", "canvas", "image"} or node.name == "text":
        if node.styles:
            yield f"fill={_quoted(node.styles[2])}"
    elif node.styles and node.styles[1] not in _CLEAR and not own:
        yield f"background={_quoted(node.styles[1])}"
    if _pictured(node) and not node.children:
        yield "icon"
    if node.checked:
        yield "checked"
    if node.selected and node.name == "option":
        yield "selected"
    if node.backend == focused:
        yield "focused"
    if node.clickable:
        yield "clickable"
    assert node.box is not None
    yield f"size={round(node.box[2])}x{round(node.box[3])}"


def _below(nodes: Sequence[_Node], node: _Node) -> Iterator[_Node]:
    for child in node.children:
        yield nodes[child]
        yield from _below(nodes, nodes[child])


def _text(nodes: Sequence[_Node], node: _Node) -> str:
    return " ".join("".join(each.text for each in _below(nodes, node) if each.kind == _TEXT).split())


def _quoted(text: str) -> str:
    return json.dumps(" ".join(text.split())[:_LONGEST], ensure_ascii=False)


def _exact(text: str) -> str:
    """A value with all of its white space."""
    return json.dumps(text[:_LONGEST_VALUE], ensure_ascii=False)
