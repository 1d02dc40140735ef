"""A whole site: records, pages, changes, and goals over several pages.

Everything here is a pure function of JSON values. The state holds the records as they are now, never what is shown. Paths are
flat and start with a slash; a request that no page could have sent changes nothing. Each goal is drawn for the state that the
goals before it lead to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, ClassVar, Final, NamedTuple
from urllib.parse import urlencode

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.form import Field, shown
from envhub.envs.tools.gui.kind import LONGEST, Step, button, table

PAGE: Final = 8
"""Rows of a page of a list."""
NEXT: Final = "Next page"


@dataclass(frozen=True, slots=True)
class Goal:
    """One thing to do.

    Attributes:
        words: What is asked for.
        plan: The oracle's steps, beginning on any page.
        state: The state in which it is done.
        answer: What the policy has to report, if anything.
        touched: The records that it is about, which no other goal of the task may be about.
    """

    words: str
    plan: tuple[Step, ...]
    state: Any
    answer: str | None = None
    touched: frozenset[str] = frozenset()


class Scene(NamedTuple):
    """What goals are drawn from.

    Attributes:
        rng: Source of all randomness.
        data: The site's data.
        state: The state before the goal.
        taken: Records that other goals are about.
    """

    rng: Stream
    data: Any
    state: Any
    taken: frozenset[str]

    def one(self, records: Sequence[Any]) -> Any:
        """One of the records that are not taken, or None."""
        free = [each for each in records if str(each["id"]) not in self.taken]
        return self.rng.choice(free) if free else None


Draw = Callable[[Scene], Goal | None]


class App(ABC):
    """A whole site.

    Attributes:
        name: Its name as a parameter.
        title: Its title.
        menu: Captions and paths of the links on every page.
        last: The kind of goal that has to come last, if any.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    menu: ClassVar[Sequence[tuple[str, str]]]
    last: ClassVar[str] = ""

    @property
    @abstractmethod
    def goals(self) -> Mapping[str, Draw]:
        """The kinds of goals. A kind may find nothing to ask for."""

    @abstractmethod
    def build(self, rng: Stream, size: int) -> Any:
        """Draw the data.

        Args:
            rng: Source of all randomness.
            size: 1 to 10; more records.
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

    def links(self, data: Any) -> Sequence[tuple[str, str]]:
        """The menu of a site with this data."""
        return self.menu


# -- pages ---------------------------------------------------------------------------------------------------------------


def href(path: str, /, **query: object) -> str:
    """An address with a query."""
    return path + ("?" + urlencode(query) if query else "")


def anchor(text: str, path: str, /, **query: object) -> str:
    """A link with a query."""
    return f'<a href="{escape(href(path, **query))}">{escape(text)}</a>'


def fields(given: Sequence[Field], values: Mapping[str, Any] | None = None) -> str:
    """Fields of a form, with values that replace those at the beginning."""
    now = values or {}
    return "".join(shown(field, now.get(field["name"], field["value"])) for field in given)


def form(path: str, inner: str, caption: str, method: str = "post", **hidden: str) -> str:
    """A form.

    Args:
        path: Where it is sent.
        inner: Its fields, as HTML.
        caption: The caption of its button.
        method: ``post`` or ``get``.
        hidden: Values that are sent besides.
    """
    more = "".join(f'<input type="hidden" name="{name}" value="{escape(value)}">' for name, value in hidden.items())
    return f'<form method="{method}" action="{path}">{more}{inner}<button>{escape(caption)}</button></form>'


def dialog(question: str, cancel: str, path: str, **hidden: str) -> str:
    """A window that asks for a confirmation.

    Args:
        question: What is asked.
        cancel: The address that its other link leads to.
        path: Where the confirmation is sent.
        hidden: Values that are sent.
    """
    back = f'<a href="{escape(cancel)}">Cancel</a>'
    return f"<dialog open><p>{escape(question)}</p>{back} {button('Confirm', path, **hidden)}</dialog>"


def listing(heads: Sequence[str], rows: Sequence[Sequence[str]], request: Request) -> str:
    """One page of a table, with links to the pages beside it.

    The query of the request is kept; ``page`` counts from 1.
    """
    last = max(1, -(-len(rows) // PAGE))
    number = min(last, max(1, number_of(request.value("page"), 1)))
    kept = {key: value for key, value in request.fields if key != "page"}
    beside = [("Previous page", number - 1), (NEXT, number + 1)]
    links = "".join(anchor(text, request.path, **kept, page=at) for text, at in beside if 1 <= at <= last)
    shown_rows = rows[(number - 1) * PAGE : number * PAGE]
    return f"{table(heads, shown_rows)}<nav>Page {number} of {last}. {links}</nav>"


def number_of(text: str, otherwise: int) -> int:
    """A text of up to six digits as a number, else ``otherwise``."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 6 else otherwise


def bounded(text: str) -> str:
    """The text of a field without outer blanks, cut to a limit."""
    return text.strip()[:LONGEST]


# -- plans ---------------------------------------------------------------------------------------------------------------


def turned(position: int) -> tuple[Step, ...]:
    """The steps to the page of a list that holds a position."""
    return (("click", "link", NEXT),) * (position // PAGE)


def click(name: str, role: str = "link") -> Step:
    """A click."""
    return ("click", role, name)


def press(name: str) -> Step:
    """A click on a button."""
    return ("click", "button", name)


def write(name: str, text: str, role: str = "textbox") -> Step:
    """A text typed into a field."""
    return ("type", role, name, text)


def pick(name: str, option: str) -> Step:
    """An option of a list."""
    return ("select", "combobox", name, option)
