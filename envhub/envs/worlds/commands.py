"""One command per message: how text worlds read and write commands.

::

    FORMS = {"look": "look", "take": "take {} from {}"}
    PATTERNS = patterns(FORMS.items(), name=r"([a-z]{2,20})")
    find(plain_line("Take  apple from fridge."), PATTERNS)    # Command("take", ("apple", "fridge"))

A text that joins several commands, or has more words beside one, matches no pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from envhub.verifiers.answers.types import Unreadable

Patterns = Sequence[tuple[str, re.Pattern[str]]]
MOST_CHARS: Final = 100


class Command(NamedTuple):
    """A command that has been read.

    Attributes:
        verb: The key of its form.
        names: What it names, in order.
    """

    verb: str
    names: tuple[str, ...] = ()


def patterns(forms: Iterable[tuple[str, str]], name: str) -> Patterns:
    """Patterns of whole lines, tried in order.

    Args:
        forms: Pairs of a verb and a form with ``{}`` for each name.
        name: The pattern of a name, as one group.
    """
    return tuple((verb, re.compile(form.replace("{}", name))) for verb, form in forms)


def plain_line(text: str, most: int = MOST_CHARS) -> str:
    """A text in lower case, single-spaced, without a final full stop.

    Raises:
        Unreadable: The text is long, has several lines, or other characters than ASCII.
    """
    if len(text) > most or not text.isascii() or len(text.splitlines()) > 1:
        raise Unreadable("write one command on one line, in plain letters and digits.")
    return " ".join(text.lower().split()).removesuffix(".")


def find(line: str, known: Patterns) -> Command | None:
    """The command in a plain line; None for other lines."""
    for verb, pattern in known:
        match = pattern.fullmatch(line)
        if match is not None:
            return Command(verb, match.groups())
    return None
