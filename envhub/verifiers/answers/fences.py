r"""Finds a text's fenced code blocks, and their languages.

Markdown's rules apply. A fence may be indented, as in a list item, or be the item's first line; its content is
dedented by the same amount::

    fenced("1. so:\n   ```py\n   print(1)\n   ```")    # [("py", "print(1)\n")]
"""

from __future__ import annotations

import re
from typing import Final

_FENCE: Final = re.compile(
    r"""^(?P<indent>[ \t]*+(?P<item>(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)?)  # it may be the first line of an item of a list
    (?P<run>`{3,}+|~{3,}+)[ \t]*+(?P<name>[^\s`]*+)[^\n`]*+$""",
    re.MULTILINE | re.VERBOSE,
)
_TAB: Final = 4
_INFO: Final = re.compile(r"\{?\.?([a-z+]+)[0-9.]*\}?")


def has_fence(text: str) -> bool:
    """Whether the text contains a fence."""
    return _FENCE.search(text) is not None


def fenced(text: str) -> list[tuple[str, str]]:
    """All fenced blocks, as (language, content).

    An unclosed one ends with the text. A block may be indented, as in a list item: the indentation of its fence is
    removed from its lines.
    """
    blocks: list[tuple[str, str]] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif _closes(fence, opened):
            blocks.append(_block(opened, text[opened.end() + 1 : fence.start()]))
            opened = None
    if opened is not None:
        blocks.append(_block(opened, text[opened.end() + 1 :]))
    return blocks


def _closes(fence: re.Match[str], opened: re.Match[str]) -> bool:
    """Whether a fence closes the block.

    It does if it is as long, has no name, and is hardly more indented.
    """
    bare = fence["item"] is None and not fence["name"]
    return bare and fence["run"].startswith(opened["run"]) and _width(fence) <= _width(opened) + 3


def _block(opened: re.Match[str], body: str) -> tuple[str, str]:
    width = _width(opened)
    return opened["name"], "\n".join(_outdented(line, width) for line in body.split("\n")) if width else body


def _width(fence: re.Match[str]) -> int:
    return len(fence["indent"].expandtabs(_TAB))


def _outdented(line: str, width: int) -> str:
    """A line without its first columns, if they are white space."""
    at = column = 0
    while column < width and line[at : at + 1] in (" ", "\t"):
        column += 1 if line[at] == " " else _TAB - column % _TAB
        at += 1
    return " " * (column - width) + line[at:]


def meant(info: str) -> set[str]:
    """The names a fence may mean.

    Verbatim, and without a version or attribute signs.
    """
    name = info.lower()
    inner = _INFO.fullmatch(name)
    return {name, inner[1]} if inner else {name}
