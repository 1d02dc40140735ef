"""Exact edits of a text: drawing and applying them.

An edit is a list: its name and its arguments. Line numbers count from 1, in the text as the earlier edits left it::

    apply([["delete", 1], ["replace", 1, "cat", "dog"]], ["a line", "the cat sat"])    # ["the dog sat"]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON

_SUBJECTS: Final = (
    "The gardener",
    "a old sailor",
    "Every visitor",
    "the Clerk",
    "My neighbour",
    "Nobody",
    "the two painters",
)
_VERBS: Final = ("sees", "seen", "carrys", "moves", "counts", "measure", "hides", "paints")
_OBJECTS: Final = (
    "teh lantern",
    "a red barrel",
    "the  ladder",
    "its window",
    "ten boxes",
    "the recieved letter",
    "an apple",
)
_PLACES: Final = ("near the gate", "in the the attic", "on  Monday", "behind the mill", "at noon", "without a word")
_ENDS: Final = (".", ",", ";", " .", "!", "", "...")
_WORDS: Final = ("copper", "meadow", "signal", "pebble", "winter", "basket", "thunder", "velvet")
NAMES: Final = ("delete", "insert", "swap", "upper", "append", "duplicate", "replace", "everywhere")


def draw_lines(rng: Stream, count: int) -> list[str]:
    """Different lines with mistakes and double spaces, which must stay."""
    lines: list[str] = []
    while len(lines) < count:
        parts = (rng.choice(words) for words in (_SUBJECTS, _VERBS, _OBJECTS, _PLACES))
        line = f"{' '.join(parts)}{rng.choice(_ENDS)}"
        if line not in lines:
            lines.append(line)
    return lines


def draw_edits(rng: Stream, lines: list[str], count: int) -> list[JSON]:
    """Edits that each change the text."""
    found: list[JSON] = []
    while len(found) < count:
        edit = _draw(rng, lines)
        after = apply([edit], lines)
        if after != lines and len(after) > 2:
            found.append(edit)
            lines = after
    return found


def _draw(rng: Stream, lines: list[str]) -> JSON:
    number = 1 + rng.below(len(lines))
    words = lines[number - 1].split(" ")
    once = [word for word in words if word.isalpha() and words.count(word) == 1]
    name = rng.choice(NAMES if once else NAMES[:-2])
    if name == "replace":
        return [name, number, rng.choice(once), rng.choice(_WORDS)]
    if name == "insert":
        return [name, number, f"{rng.choice(_WORDS)} {rng.choice(_WORDS)} {rng.between(1, 99)}"]
    if name == "swap":
        return [name, *sorted(rng.sample(range(1, len(lines) + 1), 2))]
    if name == "append":
        return [name, number, f" [{rng.choice(_WORDS)}]"]
    if name == "everywhere":
        return [name, rng.choice(once), rng.choice(_WORDS)]
    return [name, number]


def apply(edits: list[JSON], lines: list[str]) -> list[str]:
    """The lines after some edits."""
    for name, *arguments in edits:
        lines = _applied(name, arguments, lines)
    return lines


def _applied(name: str, arguments: list[Any], lines: list[str]) -> list[str]:
    if name == "everywhere":
        return [_swapped(line, *arguments) for line in lines]
    at = arguments[0] - 1
    before, line, after = lines[:at], lines[at], lines[at + 1 :]
    if name == "swap":
        other = arguments[1] - 1
        return [*before, lines[other], *lines[at + 1 : other], line, *lines[other + 1 :]]
    changed: dict[str, Callable[[], list[str]]] = {
        "replace": lambda: [_swapped(line, *arguments[1:])],
        "delete": list,
        "insert": lambda: [line, arguments[1]],
        "upper": lambda: [line.upper()],
        "append": lambda: [line + arguments[1]],
        "duplicate": lambda: [line, line],
    }
    return [*before, *changed[name](), *after]


def _swapped(line: str, old: str, new: str) -> str:
    """A line with every occurrence of a word replaced."""
    return " ".join(new if word == old else word for word in line.split(" "))
