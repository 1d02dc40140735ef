"""The pages of the site, built from the records and the state.

``page(company, state)`` is a tree of nodes. Lists are searched by words, filtered, sorted and shown in parts of eight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from envhub.envs.tools.website.company import COLOURS, DEPARTMENTS, KINDS, STATUSES, Company, Order, euros, stars
from envhub.envs.tools.website.nodes import Node, button, heading, link, text
from envhub.envs.tools.website.state import State, address, details_now, orders_now

PER_PAGE: Final = 8
ANY: Final = "any"
BY_NAME, BY_PRICE, BY_RATING = "name", "price, lowest first", "rating, highest first"
MENU: Final = {
    "Goods": "/goods",
    "People": "/people",
    "Orders": "/orders",
    "Basket": "/basket",
    "My details": "/details",
}
_NO_PAGE: Final = (heading("Not found"), text("This page does not exist."))


def page(company: Company, state: State) -> Node:
    """The page of a state."""
    _, first, *rest = [*state.place().split("/"), ""]
    number = rest[0] if rest else ""
    body = _one(company, state, first, number) if number else _LISTS.get(first, _nothing)(company, state)
    alert = (Node("alert", state.alert),) if state.alert else ()
    menu = Node("navigation", "Menu", inside=tuple(link(name, path) for name, path in MENU.items()))
    return Node("main", inside=(menu, *alert, *body))


def _nothing(company: Company, state: State) -> tuple[Node, ...]:
    return _NO_PAGE


def _home(company: Company, state: State) -> tuple[Node, ...]:
    return heading("Staff portal"), text(f"Signed in as {company.people[0].name}. Today is 2031-05-14, a Wednesday.")


def _goods(company: Company, state: State) -> tuple[Node, ...]:
    fields = (
        _box("Search", "search", state),
        _select("Kind", "kind", (ANY, *KINDS), state),
        _select("Colour", "colour", (ANY, *COLOURS), state),
        _select("Sort by", "sort", (BY_NAME, BY_PRICE, BY_RATING), state),
    )
    query = state.query()
    found = [
        (number, good)
        for number, good in enumerate(company.goods)
        if _has(query.get("search", ""), good.name)
        and query.get("kind", ANY) in (ANY, good.kind)
        and query.get("colour", ANY) in (ANY, good.colour)
    ]
    order = query.get("sort", BY_NAME)
    found.sort(
        key=lambda row: (
            row[1].cents if order == BY_PRICE else -row[1].rating if order == BY_RATING else 0,
            row[1].name,
        )
    )
    rows = [
        _item(link(good.name, f"/goods/{n}"), f"{good.colour}, {euros(good.cents)}, {stars(good.rating)} of 5 stars")
        for n, good in found
    ]
    return heading("Goods"), _form("Find goods", fields), *_listed(rows, state)


def _people(company: Company, state: State) -> tuple[Node, ...]:
    fields = (
        _box("Search", "search", state),
        _select("Department", "department", (ANY, *DEPARTMENTS), state),
    )
    query = state.query()
    found = [
        (number, person)
        for number, person in enumerate(company.people)
        if _has(query.get("search", ""), f"{person.name} {person.office} {person.phone}")
        and query.get("department", ANY) in (ANY, person.department)
    ]
    found.sort(key=lambda row: row[1].name)
    rows = [
        _item(link(person.name, f"/people/{n}"), f"{person.department}, office {person.office}") for n, person in found
    ]
    return heading("People"), _form("Find people", fields), *_listed(rows, state)


def _orders(company: Company, state: State) -> tuple[Node, ...]:
    fields = (_box("Search", "search", state), _select("Status", "status", (ANY, *STATUSES), state))
    query = state.query()
    rows = []
    for number, order in sorted(orders_now(company, state).items(), reverse=True):
        words = f"{_content(company, order)}, for {company.people[order.person].name}"
        if _has(query.get("search", ""), f"{number} {words}") and query.get("status", ANY) in (ANY, order.status):
            about = f"{words}, delivery {order.day}, {order.status}"
            rows.append(_item(link(f"Order {number}", f"/orders/{number}"), about))
    return heading("Orders"), _form("Find orders", fields), *_listed(rows, state)


def _basket(company: Company, state: State) -> tuple[Node, ...]:
    if not state.basket:
        return heading("Basket"), text("The basket is empty.")
    rows = []
    for number, quantity in state.basket:
        name = company.goods[number].name
        parts = (text(f"{quantity} x {name}"), button(f"Remove {name}", f"remove {number}"))
        rows.append(Node("listitem", inside=parts))
    total = sum(company.goods[number].cents * quantity for number, quantity in state.basket)
    contents = Node("list", "In the basket", inside=tuple(rows))
    return heading("Basket"), contents, text(f"Total: {euros(total)}"), link("Checkout", "/checkout")


def _checkout(company: Company, state: State) -> tuple[Node, ...]:
    fields = (
        _box("Recipient (first and last name)", "recipient", state),
        _box("Cost centre", "centre", state),
        _box("Delivery date", "day", state),
        Node("checkbox", "Express delivery", state.value("express"), leads="express"),
        button("Place order", "order"),
    )
    return heading("Checkout"), Node("form", "Order", inside=fields)


def _details(company: Company, state: State) -> tuple[Node, ...]:
    own = details_now(company, state)
    fields = tuple(_box(name.capitalize(), name, state, value) for name, value in own.items())
    return heading("My details"), Node("form", "Details", inside=(*fields, button("Save", "save")))


_LISTS: Final[dict[str, Callable[[Company, State], tuple[Node, ...]]]] = {
    "": _home,
    "goods": _goods,
    "people": _people,
    "orders": _orders,
    "basket": _basket,
    "checkout": _checkout,
    "details": _details,
}


def _one(company: Company, state: State, kind: str, number: str) -> tuple[Node, ...]:
    """The page of one article, person or order."""
    at = int(number)
    if kind == "goods":
        good = company.goods[at]
        about = (
            f"Kind: {good.kind}. Colour: {good.colour}. Price: {euros(good.cents)}. {stars(good.rating)} of 5 stars."
        )
        fields = (_box("Quantity", "quantity", state, "1"), button("Add to basket", f"add {at}"))
        return heading(good.name), text(about), Node("form", "Buy", inside=fields)
    if kind == "people":
        person = company.people[at]
        about = f"Department: {person.department}. Office: {person.office}. Phone: {person.phone}."
        deputy = company.people[person.deputy]
        parts = (text("Deputy:"), link(deputy.name, f"/people/{person.deputy}"))
        return heading(person.name), text(about), text(f"Cost centre: {person.cost_centre}"), *parts
    order = orders_now(company, state)[at]
    about = f"{_content(company, order)}, for {company.people[order.person].name}, charged to {order.cost_centre}."
    when = f"Delivery: {order.day}{' by express' if order.express else ''}. Status: {order.status}."
    body = (heading(f"Order {at}"), text(about), text(when))
    if order.status != "open":
        return body
    if "sure" in state.query():
        return *body, text("Do you want to cancel this order?"), button("Yes, cancel it", f"cancel {at}")
    return *body, link("Cancel order", f"/orders/{at}?sure=1")


def _content(company: Company, order: Order) -> str:
    return " and ".join(f"{quantity} x {company.goods[number].name}" for number, quantity in order.lines)


def _has(query: str, words: str) -> bool:
    """Whether a text has all words of a query, in any case."""
    return all(word in words.lower() for word in query.lower().split())


def _box(name: str, field: str, state: State, default: str = "") -> Node:
    return Node("textbox", name, state.value(field, default), leads=field)


def _select(name: str, field: str, options: tuple[str, ...], state: State) -> Node:
    return Node("combobox", name, state.value(field, options[0]), options, field)


def _form(name: str, fields: Iterable[Node]) -> Node:
    return Node("form", name, inside=(*fields, button("Apply", "apply")))


def _item(title: Node, about: str) -> Node:
    return Node("listitem", inside=(title, text(about)))


def _listed(rows: list[Node], state: State) -> tuple[Node, ...]:
    """One part of a list, with links to its neighbours."""
    query = state.query()
    last = max(1, -(-len(rows) // PER_PAGE))
    at = int(query.get("page", "1"))
    shown = tuple(rows[(at - 1) * PER_PAGE : at * PER_PAGE])
    turns = [("Previous page", at - 1), ("Next page", at + 1)]
    links = [link(name, address(state.place(), {**query, "page": str(to)})) for name, to in turns if 1 <= to <= last]
    return Node("list", f"Results: {len(rows)}, page {at} of {last}", inside=shown), *links
