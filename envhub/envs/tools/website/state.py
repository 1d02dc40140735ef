"""Where the browser is, and what it has changed.

States are immutable. ``placed``, ``cancelled`` and ``details`` are the difference between the records now and at the
beginning; the basket and what is typed are not records.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from envhub.envs.tools.website.company import Company, Order

PLACED_FROM = 9001
"""Number of the first order that is placed."""


class State(NamedTuple):
    """The state of the browser and of the records.

    Attributes:
        path: The path of the page, with its query.
        typed: Values of fields that were entered on the page and not sent.
        alert: What the page says about the last action.
        before: Paths that led here, for going back.
        basket: Numbers of goods with quantities.
        placed: Orders that were placed, by number.
        cancelled: Numbers of orders that were cancelled.
        details: Fields of the user's details that were saved, with their values.
        ever: How many orders were ever placed.
    """

    path: str = "/"
    typed: tuple[tuple[str, str], ...] = ()
    alert: str = ""
    before: tuple[str, ...] = ()
    basket: tuple[tuple[int, int], ...] = ()
    placed: tuple[tuple[int, Order], ...] = ()
    cancelled: tuple[int, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    ever: int = 0

    def place(self) -> str:
        """The path without its query."""
        return urlsplit(self.path).path

    def query(self) -> dict[str, str]:
        """The query of the path."""
        return dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True))

    def value(self, field: str, default: str = "") -> str:
        """The typed value of a field, else that of the query."""
        return dict(self.typed).get(field, self.query().get(field, default))

    def to(self, path: str, alert: str = "") -> State:
        """The state on another page."""
        return self._replace(path=path, typed=(), alert=alert, before=(*self.before, self.path)[-50:])

    def enter(self, field: str, value: str) -> State:
        """The state with a value in a field."""
        return self._replace(typed=tuple({**dict(self.typed), field: value}.items()), alert="")


def address(place: str, query: dict[str, str]) -> str:
    """A path with a query, without empty values."""
    words = urlencode({name: value for name, value in query.items() if value})
    return f"{place}?{words}" if words else place


def orders_now(company: Company, state: State) -> dict[int, Order]:
    """All orders as the pages show them."""
    gone = {n: company.orders[n]._replace(status="cancelled") for n in state.cancelled}
    return {**company.orders, **gone, **dict(state.placed)}


def details_now(company: Company, state: State) -> dict[str, str]:
    """The user's own office, phone and deputy."""
    user = company.people[0]
    own = {"office": user.office, "phone": user.phone, "deputy": company.people[user.deputy].name}
    return {**own, **dict(state.details)}
