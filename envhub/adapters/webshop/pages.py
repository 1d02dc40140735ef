"""The pages of the shop: text, and what each button does.

WebShop's pages and buttons as text: the search bar, results (ten per page), a product with its options, and one page each for
its description, features, attributes and reviews. The reviews page is always empty, because WebShop's files have no reviews.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from envhub.adapters.webshop.goods import Store
from envhub.adapters.webshop.matching import Item
from envhub.envs.tools.webshop.pages import SHOWN, dollars

BUY: Final = "Buy Now"
BACK: Final = "Back to Search"
_DETAILS: Final = ("Description", "Features", "Reviews", "Attributes")
_RESERVED: Final = frozenset(name.lower() for name in (*_DETAILS, BUY, BACK, "Next >", "< Prev"))
_MOST: Final = 4000


class State(NamedTuple):
    """Where the customer is.

    Attributes:
        place: ``search``, ``results``, ``item`` or a detail in lower case.
        query: The last search.
        at: Number of the page of results, from 0.
        code: The product that is open.
        chosen: Group and value of each option that is chosen.
        messages: Messages used.
    """

    place: str = "search"
    query: str = ""
    at: int = 0
    code: str = ""
    chosen: tuple[tuple[str, str], ...] = ()
    messages: int = 0


class Page(NamedTuple):
    """What is shown, and the state after each button; None buys."""

    text: str
    buttons: Mapping[str, State | None]

    def named(self, label: str) -> str | None:
        """The button with a name, ignoring case and spacing."""
        return next((each for each in self.buttons if " ".join(each.lower().split()) == label), None)

    def shown(self) -> str:
        """The text and the admissible actions."""
        actions = ["search[<keywords>]", *(f"click[{label}]" for label in self.buttons)]
        return f"{self.text}\n\nAdmissible actions: {', '.join(actions)}"


def searched(state: State, query: str) -> State:
    """The state after a search."""
    return State("results", query, messages=state.messages)


def view(store: Store, state: State) -> Page:
    """The page that a state shows."""
    if state.place == "results":
        return _results(store, state)
    if state.place == "search":
        return Page("[Search] Search for products by keywords.", {})
    item = store.items[state.code]
    return _item(item, state) if state.place == "item" else _detail(store, item, state)


def _results(store: Store, state: State) -> Page:
    found = store.search(state.query)
    pages = max(1, -(-len(found) // SHOWN))
    buttons: dict[str, State | None] = {BACK: State(messages=state.messages)}
    if state.at + 1 < pages:
        buttons["Next >"] = state._replace(at=state.at + 1)
    if state.at:
        buttons["< Prev"] = state._replace(at=state.at - 1)
    rows = [f"[Results] Page {state.at + 1} of {pages} (total results: {len(found)})"]
    for code in found[state.at * SHOWN : (state.at + 1) * SHOWN]:
        buttons[code] = state._replace(place="item", code=code, chosen=())
        rows.append(f"[{code}] {store.items[code].name}\n  {dollars(store.items[code].cents)}")
    return Page("\n".join(rows if found else [*rows, "Nothing was found."]), buttons)


def _item(item: Item, state: State) -> Page:
    chosen = dict(state.chosen)
    buttons: dict[str, State | None] = {
        BACK: State(messages=state.messages),
        "< Prev": state._replace(place="results", code="", chosen=()),
    }
    rows = [f"[Product] {item.name}", f"Price: {dollars(item.cents)}", "Rating: N.A."]
    for group, values in item.options.items():
        marked = [f"{value} [chosen]" if chosen.get(group) == value else value for value in values]
        rows.append(f"{group}: {', '.join(marked)}")
        for value in values:
            after = tuple(sorted({**chosen, group: value}.items()))
            buttons[label(item, group, value)] = state._replace(chosen=after)
    buttons |= {name: state._replace(place=name.lower()) for name in _DETAILS}
    return Page("\n".join(rows), {**buttons, BUY: None})


def label(item: Item, group: str, value: str) -> str:
    """The button of an option, with its group where that is ambiguous."""
    count = sum(value in values for values in item.options.values())
    return f"{group}: {value}" if count > 1 or value in _RESERVED else value


def _detail(store: Store, item: Item, state: State) -> Page:
    description, features = store.details[state.code]
    texts = {
        "description": [description],
        "features": list(features),
        "reviews": [],
        "attributes": list(item.attributes),
    }
    rows = [f"- {text[:_MOST]}" for text in texts[state.place] if text] or ["There are none."]
    buttons: dict[str, State | None] = {BACK: State(messages=state.messages), "< Prev": state._replace(place="item")}
    return Page("\n".join([f"[{state.place.capitalize()}] {item.name}", *rows])[: 2 * _MOST], buttons)
