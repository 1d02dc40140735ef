"""Exact texts: edits read from the prompt and applied by regular expressions, and templates filled by Jinja."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

import jinja2

from envhub.core.types import JSON

_LINE: Final = r"\A((?:.*\n){%d})(.*)\n"
"""The lines before a line, and the line."""


def _changed(text: str, number: str, change: Callable[[str], str]) -> str:
    """A text with one line changed; what takes its place ends with a line break, or is nothing."""
    return re.sub(_LINE % (int(number) - 1), lambda found: found[1] + change(found[2]), text)


def _line(text: str, number: str) -> str:
    found = re.match(_LINE % (int(number) - 1), text)
    assert found
    return found[2]


def _replaced(line: str, old: str, new: str) -> str:
    return re.sub(rf"(?<![^ \n]){re.escape(old)}(?![^ \n])", new, line)


def _swapped(text: str, one: str, other: str) -> str:
    first, second = _line(text, one), _line(text, other)
    return _changed(_changed(text, one, lambda _: f"{second}\n"), other, lambda _: f"{first}\n")


_EDITS: Final[Mapping[str, Callable[..., str]]] = {
    r'In line (\d+), replace the word "(.*)" with "(.*)"\.': lambda text, at, old, new: _changed(
        text, at, lambda line: _replaced(line, old, new) + "\n"
    ),
    r"Delete line (\d+)\.": lambda text, at: _changed(text, at, lambda _: ""),
    r'Insert the new line "(.*)" directly after line (\d+)\.': lambda text, new, at: _changed(
        text, at, lambda line: f"{line}\n{new}\n"
    ),
    r"Swap line (\d+) and line (\d+)\.": _swapped,
    r"Change all letters of line (\d+) to capital letters\.": lambda text, at: _changed(
        text, at, lambda line: f"{line.upper()}\n"
    ),
    r'At the end of line (\d+), append "(.*)"\. The space at its beginning is part of it\.': lambda text, at, new: (
        _changed(text, at, lambda line: f"{line}{new}\n")
    ),
    r'In all lines, replace each occurrence of the word "(.*)" with "(.*)"\.': _replaced,
    r"Repeat line (\d+) as a new line directly after itself\.": lambda text, at: _changed(
        text, at, lambda line: f"{line}\n{line}\n"
    ),
}
"""How each sentence of an edit changes a text."""


def edited(prompt: str) -> str:
    """The text after the edits, all read from the prompt."""
    _, shown, rules = re.split("<text>\n|</text>", prompt)
    for said in re.findall(r"^- Edit \d+: (.*)$", rules, re.MULTILINE):
        [(change, fields)] = [
            (change, found.groups()) for form, change in _EDITS.items() if (found := re.fullmatch(form, said))
        ]
        shown = change(shown, *fields)
    return shown.removesuffix("\n")


def _date(text: str) -> str:
    day = datetime.strptime(text, "%Y-%m-%d")
    return f"{day.day} {day:%B %Y}"


_JINJA: Final = jinja2.Environment(trim_blocks=True)
_JINJA.filters |= {
    "euros": lambda cents: f"{Decimal(cents).scaleb(-2):.2f} EUR",
    "date": _date,
    "html": lambda text: html.escape(text, quote=False),
    "initials": lambda name: re.sub(r"(\w)\w*\s*", r"\1.", name),
}
_TAGS: Final = {
    r"\{\{#if (\w+)\}\}": r"{% if \1 %}",
    r"\{\{#unless (\w+)\}\}": r"{% if not \1 %}",
    r"\{\{#each (\w+)\}\}": r"{% for good, price in \1 %}",
    r"\{\{/(?:if|unless)\}\}": "{% endif %}",
    r"\{\{/each\}\}": "{% endfor %}",
}


def filled(problem: JSON) -> str:
    """The template, translated and filled by Jinja."""
    source = "\n".join(problem["template"])
    for ours, theirs in _TAGS.items():
        source = re.sub(ours, theirs, source)
    goods = [(item["good"], item["price"]) for item in problem["record"]["goods"]]
    fields: dict[str, Any] = {**problem["record"], "goods": goods}
    return _JINJA.from_string(source).render(fields)
