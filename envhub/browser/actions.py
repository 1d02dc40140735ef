"""Actions on a page: sizes, keys, and checks of their arguments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from envhub.core.errors import nearest


@dataclass(frozen=True, slots=True)
class Screen:
    """What a page is shown on.

    Attributes:
        width: In pixels.
        height: In pixels.
        touch: Whether it is touched; else there is a mouse.
    """

    width: int
    height: int
    touch: bool = False


DESKTOP: Final = Screen(640, 480)
PHONE: Final = Screen(400, 800, touch=True)
LONGEST_TEXT: Final = 2000
DIRECTIONS: Final = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
KEYS: Final[dict[str, tuple[str, int, str]]] = {
    "Enter": ("Enter", 13, "\r"),
    "Tab": ("Tab", 9, ""),
    "Escape": ("Escape", 27, ""),
    "Backspace": ("Backspace", 8, ""),
    "Delete": ("Delete", 46, ""),
    "Space": (" ", 32, " "),
    "ArrowUp": ("ArrowUp", 38, ""),
    "ArrowDown": ("ArrowDown", 40, ""),
    "ArrowLeft": ("ArrowLeft", 37, ""),
    "ArrowRight": ("ArrowRight", 39, ""),
    "Home": ("Home", 36, ""),
    "End": ("End", 35, ""),
    "PageUp": ("PageUp", 33, ""),
    "PageDown": ("PageDown", 34, ""),
    "Control+A": ("a", 65, ""),
    "Shift+Tab": ("Tab", 9, ""),
}
"""The keys that can be pressed: the key's name, its code, and the text that it makes."""


class Refused(Exception):
    """An action cannot be carried out; the message is for the policy."""


def key_named(name: str) -> str:
    """The spelling of a key in :data:`KEYS`.

    Raises:
        Refused: There is no such key.
    """
    plain = {known.lower(): known for known in KEYS} | _ALIASES
    try:
        return plain[name.strip().lower().replace(" ", "+")]
    except KeyError:
        raise Refused(f"Unknown key {name[:40]!r}.{nearest(name, KEYS)} Available: {', '.join(KEYS)}.") from None


_ALIASES: Final = {
    "": "Space",
    "return": "Enter",
    "esc": "Escape",
    "ctrl+a": "Control+A",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "arrow+up": "ArrowUp",
    "arrow+down": "ArrowDown",
    "page+up": "PageUp",
    "page+down": "PageDown",
    "controlormeta+a": "Control+A",
}


def point(screen: Screen, x: Any, y: Any) -> tuple[int, int]:
    """A point of a screen.

    Raises:
        Refused: It lies outside.
    """
    if not (0 <= x < screen.width and 0 <= y < screen.height):
        raise Refused(
            f"The point ({x}, {y}) is outside the page: x is 0 to {screen.width - 1} and y is 0 to {screen.height - 1}."
        )
    return int(x), int(y)
