"""A kind of GUI task: data, a state, pages, and changes.

Everything here is a pure function of JSON values. The state holds what was *done* (saved, pressed, sent), never what is
shown, so a task is judged by comparing states. A request that no page of the kind could have sent changes nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar, Final

from envhub.browser.site import Request
from envhub.core.seeding import Stream

LONGEST: Final = 500
Step = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """One drawn task.

    Attributes:
        data: Everything that its pages show.
        goal: The task in words.
        wanted: The state in which it is done.
        plan: The oracle's steps: an action, role and name of an element, and further arguments.
        answer: What the policy has to report, if anything.
        items: Number of things on its pages to look through.
    """

    data: dict[str, Any]
    goal: str
    wanted: Any
    plan: tuple[Step, ...]
    answer: str | None = None
    items: int = 0


class Kind(ABC):
    """A kind of task.

    Paths of requests are relative to it and start with a slash.

    Attributes:
        name: Its name.
        titles: Titles of its pages, one of which is drawn.
    """

    name: ClassVar[str]
    titles: ClassVar[Sequence[str]]

    @abstractmethod
    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """Draw a task.

        Args:
            rng: Source of all randomness.
            size: 1 to 10; more of everything that is not asked about.
            title: The title of its pages.
        """

    @abstractmethod
    def start(self, data: Any) -> Any:
        """The state at the beginning."""

    @abstractmethod
    def change(self, data: Any, state: Any, request: Request) -> Any:
        """The state after a request."""

    @abstractmethod
    def body(self, data: Any, state: Any, request: Request) -> str:
        """The page after a request, as HTML."""

    def script(self) -> str:
        """The script of its pages, a constant."""
        return ""


def button(text: str, path: str = "", **fields: str) -> str:
    """A button that sends a form of its own.

    Args:
        text: Its caption.
        path: The path that is sent to, relative to the kind.
        fields: Hidden values.
    """
    hidden = "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in fields.items())
    return f'<form method="post" action=".{path}" style="display:inline">{hidden}<button>{escape(text)}</button></form>'


def link(text: str, path: str, query: str = "") -> str:
    """A link to a page of the kind."""
    return f'<a href=".{escape(path)}{"?" + escape(query) if query else ""}">{escape(text)}</a>'


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; cells are HTML."""
    head = "".join(f"<th>{text}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def note(text: str) -> str:
    """A line that reports what happened."""
    return f'<p class="note" role="status">{escape(text)}</p>'


def one_of(given: str, known: Sequence[str]) -> int | None:
    """The position of a value in a list, or None."""
    return known.index(given) if given in known else None
