"""The accessibility tree as text, one line per element.

Elements that can be acted on have ids.

::

    heading "Newsletter"
    [1] textbox "Name" value="Ann" focused
    [2] checkbox "Weekly" checked
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

ACTIVE: Final = frozenset(
    {
        "button", "checkbox", "ColorWell", "combobox", "Date", "DateTime", "DisclosureTriangle", "InputTime", "link",
        "listbox", "menuitem", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "tab", "textbox",
    }
)  # fmt: skip
"""Roles of the elements that get an id."""
_TEXTS: Final = frozenset({"StaticText", "heading", "cell", "columnheader", "rowheader", "gridcell"})
_WITHIN: Final = frozenset({*_TEXTS, *ACTIVE} - {"combobox", "listbox", "ColorWell", "Date", "InputTime", "DateTime"})
"""Roles that are shown as one line: what is in them is their name."""
_GROUPS: Final = {"dialog", "alert", "table", "grid", "row", "list", "listitem", "navigation", "form", "group", "tree",
                  "treeitem", "region", "tabpanel", "tablist", "menu", "radiogroup", "Canvas", "image"}  # fmt: skip
_FLAGS: Final = ("focused", "disabled", "required", "expanded", "selected", "checked", "pressed", "invalid")
_LEAVES: Final = frozenset({"Date", "InputTime", "DateTime", "ColorWell"})
"""Roles whose parts are not shown: their value is set as a whole."""
_LONGEST: Final = 400


@dataclass(frozen=True, slots=True)
class Element:
    """An element with an id.

    Attributes:
        node: The browser's id of its node.
        role: Its role.
        name: Its accessible name.
    """

    node: int
    role: str
    name: str


def read_tree(nodes: list[Any]) -> tuple[str, list[Element]]:
    """The text of a tree, and its elements with ids.

    Args:
        nodes: The browser's ``Accessibility.getFullAXTree``.
    """
    known = {node["nodeId"]: node for node in nodes}
    elements: list[Element] = []
    lines = list(_lines(nodes[0], known, 0, elements, "")) if nodes else []
    return "\n".join(lines) or "(The page is empty.)", elements


def _lines(node: Any, known: Mapping[str, Any], depth: int, elements: list[Element], within: str) -> Iterator[str]:
    """The lines of a node and of those below it.

    Args:
        node: The node.
        known: All nodes by id.
        depth: Indentation of its line.
        elements: Extended by the elements with ids.
        within: Role of the node above. The text of a label is shown as the name of its field only.
    """
    role = _text(node.get("role"))
    name = _text(node.get("name")) if not node.get("ignored") else ""
    text = role in _TEXTS and bool(name.strip()) and not (role == "StaticText" and within == "LabelText")
    shown = not node.get("ignored") and (role in ACTIVE or role in _GROUPS or text)
    if shown:
        clickable = role in ACTIVE and not (role == "option" and within == "combobox")
        line = _line(node, role, name, elements if clickable else None)
        yield "  " * depth + line + (" focused" if role in _LEAVES and _holds_focus(node, known) else "")
    if role in _LEAVES or (shown and role in _WITHIN and not _holds_active(node, known)):
        return
    inner = within if node.get("ignored") or role in ("none", "generic", "MenuListPopup") else role
    for child in node.get("childIds", ()):
        if child in known:
            yield from _lines(known[child], known, depth + shown, elements, inner)


def _holds_focus(node: Any, known: Mapping[str, Any]) -> bool:
    """Whether one of the parts below has the focus."""
    below = [known[child] for child in node.get("childIds", ()) if child in known]
    return any("focused" in _flags(child) or _holds_focus(child, known) for child in below)


def _holds_active(node: Any, known: Mapping[str, Any]) -> bool:
    """Whether an element with an id lies within."""
    below = [known[child] for child in node.get("childIds", ()) if child in known]
    return any(_text(child.get("role")) in ACTIVE or _holds_active(child, known) for child in below)


def _line(node: Any, role: str, name: str, elements: list[Element] | None) -> str:
    """One line; an element with an id is appended to ``elements``."""
    parts = [role, json.dumps(name[:_LONGEST], ensure_ascii=False)] if name else [role]
    if elements is not None and role in ACTIVE:
        elements.append(Element(node.get("backendDOMNodeId", 0), role, name))
        parts.insert(0, f"[{len(elements)}]")
    value = _text(node.get("value"))
    if value and value != name:
        parts.append(f"value={json.dumps(value[:_LONGEST], ensure_ascii=False)}")
    return " ".join([*parts, *_flags(node)])


def _flags(node: Any) -> list[str]:
    given = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
    return [flag for flag in _FLAGS if given.get(flag) in (True, "true")]


def _text(value: Any) -> str:
    return str(value.get("value", "")) if isinstance(value, dict) else ""
