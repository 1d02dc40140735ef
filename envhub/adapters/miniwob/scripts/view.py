"""What a script sees and does: elements and actions.

Scripts read what a policy reads, and nothing else: the goal and the page as text. A script is a generator that is sent one
view after another and yields actions::

    def click_button(view):
        yield click(view.one("button", view.quoted[0]))
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeVar

GOAL: Final = "Goal: "
T = TypeVar("T")
Act = tuple[str, dict[str, Any]]
Script = Generator[Act, "View", None]
Picked = Generator[Act, "View", "View"]
Scripted = Callable[["View"], Script]

_LINE: Final = re.compile(
    r"(?:\[(\d+)\]|text)(?: at \((\d+), (\d+)\)| (?:above|below|left of|right of|left|right) the view| left of the view)? ?"
)
_TOKEN: Final = re.compile(r'([\w-]+)=("(?:[^"\\]|\\.)*"|\[.*?\](?= |$)|\S+)|("(?:[^"\\]|\\.)*")|(\S+)')


class Lost(Exception):
    """The script does not find what it looks for."""


@dataclass(frozen=True)
class Item:
    """A line of the observation.

    Attributes:
        id: Its id; 0 for plain text.
        tag: The element's name; ``text`` for plain text.
        text: Its text.
        x: Its middle, in pixels; -1 outside the view.
        y: Its middle, in pixels.
        has: Its attributes.
        flags: Words such as ``checked``.
    """

    id: int
    tag: str
    text: str
    x: int = -1
    y: int = -1
    has: Mapping[str, Any] = field(default_factory=dict)
    flags: frozenset[str] = frozenset()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        wide, _, high = str(self.has.get("size", "0x0")).partition("x")
        return int(wide), int(high)

    @property
    def classes(self) -> list[str]:
        """The words of its ``class``."""
        return str(self.has.get("class", "")).split()

    @property
    def colour(self) -> tuple[int, int, int]:
        """Red, green and blue of its filling or background."""
        numbers = re.findall(r"\d+", str(self.has.get("fill") or self.has.get("background") or "")) or [0, 0, 0]
        return int(numbers[0]), int(numbers[1]), int(numbers[2])


class View:
    """An observation.

    Attributes:
        goal: The goal.
        items: The lines, in order.
    """

    def __init__(self, text: str) -> None:
        first, _, rest = text.partition("\n")
        self.goal = first.removeprefix(GOAL)
        self.items = [item for item in map(_item, rest.splitlines()) if item is not None]

    @cached_property
    def quoted(self) -> list[str]:
        """The texts in quotation marks in the goal."""
        return re.findall(r'"([^"]*)"', self.goal)

    def all(self, tag: str = "", text: str | None = None, **has: str) -> list[Item]:
        """The items that fit, in order.

        An attribute fits if it contains the text.
        """
        return [
            each
            for each in self.items
            if (not tag or each.tag in tag.split("|"))
            and (text is None or each.text == text)
            and all(value in str(each.has.get(_named(name), "")) for name, value in has.items())
        ]

    def one(self, tag: str = "", text: str | None = None, **has: str) -> Item:
        """The first item that fits.

        Raises:
            Lost: No item fits.
        """
        found = self.all(tag, text, **has)
        if not found:
            raise Lost(f"no {tag} {text} {has}")
        return found[0]

    def button(self, *texts: str) -> Item:
        """The first button with one of the texts, or at all."""
        wanted = [text.lower() for text in texts]
        for each in self.all("button"):
            if not wanted or each.text.lower() in wanted:
                return each
        raise Lost(f"no button {texts}")

    def uncovered(self, item: Item) -> Act:
        """Click a point of an item that no later item covers."""
        wide, high = item.size
        later = self.items[self.items.index(item) + 1 :]
        for across, down in ((0, 0), (-0.4, -0.4), (0.4, -0.4), (-0.4, 0.4), (0.4, 0.4)):
            x, y = item.x + across * wide, item.y + down * high
            if not any(abs(x - each.x) <= each.size[0] / 2 and abs(y - each.y) <= each.size[1] / 2 for each in later):
                return point(x, y)
        raise Lost(f"{item.text} is covered")

    @property
    def submit(self) -> Item:
        """The button that ends a form."""
        return self.button("submit", "search", "login", "ok")

    @property
    def fields(self) -> list[Item]:
        """The fields into which text is typed."""
        kinds = ("text", "password", "input", "number")
        return [each for each in self.items if each.tag == "input" and each.has.get("type") in kinds]

    def found(self, pattern: str) -> tuple[str, ...]:
        """The groups of a pattern in the goal.

        Raises:
            Lost: The goal does not match.
        """
        match = re.search(pattern, self.goal)
        if match is None:
            raise Lost(f"no {pattern} in the goal")
        return match.groups()


def _named(name: str) -> str:
    return {"cls": "class", "kind": "type", "ident": "id", "index": "data-index"}.get(name, name)


def _item(line: str) -> Item | None:
    head = _LINE.match(line)
    if head is None:
        return None
    words = list(_words(line[head.end() :]))
    own = next((value for kind, value in words if kind == "own"), "")
    bare = [value for kind, value in words if kind == "bare"]
    has = {kind: value for kind, value in words if kind not in ("own", "bare")}
    tag = bare[0] if head[1] and bare else "text"
    x, y = (int(head[2]), int(head[3])) if head[2] else (-1, -1)
    return Item(int(head[1] or 0), tag, own, x, y, has, frozenset(bare[1:]))


def _words(rest: str) -> Iterator[tuple[str, Any]]:
    for name, value, own, bare in _TOKEN.findall(rest):
        if name:
            yield name, json.loads(value) if value[0] in '"[' else value
        elif own:
            yield "own", json.loads(own)
        else:
            yield "bare", bare


def first(found: Iterable[T], default: T | None = None) -> T:
    """The first of the things that were found.

    Raises:
        Lost: Nothing was found, and there is no default.
    """
    for each in found:
        return each
    if default is None:
        raise Lost("nothing fits")
    return default


def click(item: Item) -> Act:
    """Click an item, by its place if it has no id."""
    return ("click", {"id": item.id}) if item.id else point(item.x, item.y)


def point(x: float, y: float) -> Act:
    """Click a point."""
    return "click", {"x": round(x), "y": round(y)}


def hover(item: Item) -> Act:
    """Move the mouse to an item."""
    return "hover", {"x": item.x, "y": item.y}


def fill(item: Item, text: str) -> Act:
    """Replace the text of a field."""
    return "type", {"id": item.id, "text": text}


def write(text: str) -> Act:
    """Type a text where the focus is."""
    return "type", {"text": text}


def press(key: str) -> Act:
    """Press a key."""
    return "key", {"key": key}


def choose(item: Item, option: str) -> Act:
    """Choose an option of a list."""
    return "select", {"id": item.id, "option": option}


def drag(x: float, y: float, to_x: float, to_y: float) -> Act:
    """Drag from a point to another one."""
    return "drag", {"x": round(x), "y": round(y), "to_x": round(to_x), "to_y": round(to_y)}


def wait(milliseconds: int = 200) -> Act:
    """Let the page's time pass."""
    return "wait", {"milliseconds": milliseconds}


def scroll(direction: str, x: int, y: int) -> Act:
    """Turn the wheel at a point."""
    return "scroll", {"direction": direction, "x": x, "y": y}
