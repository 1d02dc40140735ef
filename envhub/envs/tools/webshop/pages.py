"""The pages of the shop: text, and what each button does.

A page is a function of the shop, the customer's account and the state. Its buttons map to the next state, or to the
order that ends the visit. The buttons and the search bar are WebShop's, with a basket, coupons and returns added::

    page = view(shop, account, state)
    page.text, page.buttons["Buy Now"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from envhub.envs.tools.webshop.catalogue import Product, Shop
from envhub.envs.tools.webshop.order import Chosen, Coupon, Line, Order, payable, price

SHOWN: Final = 10
"""Number of search results on a page."""
DETAILS: Final = ("Description", "Features", "Reviews")


class Earlier(NamedTuple):
    """An earlier order of the customer: its name, and what was bought."""

    name: str
    line: Line


@dataclass(frozen=True)
class Account:
    """What belongs to the customer.

    Attributes:
        coupons: Coupons that the basket offers.
        earlier: Earlier orders, which can be returned.
    """

    coupons: list[Coupon] = field(default_factory=list)
    earlier: list[Earlier] = field(default_factory=list)


@dataclass(frozen=True)
class State:
    """Where the customer is, and what has been done.

    Attributes:
        place: ``search``, ``results``, ``item``, a detail in lower case, ``basket`` or ``orders``.
        query: The last search.
        at: Number of the page of results, from 0.
        product: The product that is open; -1 if none is.
        chosen: Values chosen for it.
        seen: Products that were opened.
        read: Products whose features were read.
        basket: What is in the basket.
        coupon: Code of the coupon that is applied, or empty.
        returned: Names of the earlier orders that were returned.
        messages: Messages used.
    """

    place: str = "search"
    query: str = ""
    at: int = 0
    product: int = -1
    chosen: Chosen = ()
    seen: frozenset[int] = frozenset()
    read: frozenset[int] = frozenset()
    basket: tuple[Line, ...] = ()
    coupon: str = ""
    returned: frozenset[str] = frozenset()
    messages: int = 0


Next = State | Order


@dataclass(frozen=True)
class Page:
    """What is shown, and what each button does."""

    text: str
    buttons: Mapping[str, Next]

    def button(self, name: str) -> Next | None:
        """What a button does; case does not matter."""
        return next((does for label, does in self.buttons.items() if label.lower() == name), None)

    def shown(self) -> str:
        """Text and admissible actions."""
        actions = ["search[<keywords>]", *(f"click[{label}]" for label in self.buttons)]
        return f"{self.text}\n\nAdmissible actions: {', '.join(actions)}"


def dollars(cents: int) -> str:
    """A price as text: ``$12.90``."""
    return f"${cents // 100}.{cents % 100:02}"


def searched(state: State, query: str) -> State:
    """The state after a search."""
    return replace(state, place="results", query=query, at=0, product=-1, chosen=())


def view(shop: Shop, account: Account, state: State) -> Page:
    """The page that a state shows."""
    if state.place == "results":
        return _results(shop, account, state)
    if state.place == "basket":
        return _basket(shop, account, state)
    if state.place == "orders":
        return _orders(shop, account, state)
    if state.place == "item":
        return _item(shop, account, state)
    if state.product >= 0:
        return _detail(shop, account, state)
    return Page("[Search] Welcome to the shop. Search for goods by keywords.", _doors(account, state))


def _doors(account: Account, state: State) -> dict[str, Next]:
    """The buttons of every page: the basket and earlier orders."""
    doors: dict[str, Next] = {"Basket": replace(state, place="basket")}
    if account.earlier:
        doors["Orders"] = replace(state, place="orders")
    return doors


def _start(state: State) -> State:
    return replace(state, place="search", product=-1, chosen=())


def _results(shop: Shop, account: Account, state: State) -> Page:
    found = shop.search(state.query)
    pages = max(1, -(-len(found) // SHOWN))
    some = [shop.products[number] for number in found[state.at * SHOWN : (state.at + 1) * SHOWN]]
    buttons: dict[str, Next] = {"Back to Search": _start(state)}
    if state.at + 1 < pages:
        buttons["Next >"] = replace(state, at=state.at + 1)
    if state.at:
        buttons["< Prev"] = replace(state, at=state.at - 1)
    for product in some:
        seen = state.seen | {product.number}
        buttons[product.asin] = replace(state, place="item", product=product.number, chosen=(), seen=seen)
    rows = [_listed(product, product.number in state.seen) for product in some]
    head = f"[Results] Page {state.at + 1} of {pages} (total results: {len(found)})"
    return Page("\n".join([head, *(rows or ["Nothing was found."])]), buttons | _doors(account, state))


def _listed(product: Product, seen: bool) -> str:
    visited = " [visited]" if seen else ""
    return f"[{product.asin}] {product.title}{visited}\n  {_range(product)}, {product.stars}"


def _range(product: Product) -> str:
    most = product.cents + sum(max(values.values()) for values in product.options.values())
    return dollars(product.cents) if most == product.cents else f"{dollars(product.cents)} to {dollars(most)}"


def _item(shop: Shop, account: Account, state: State) -> Page:
    product = shop.products[state.product]
    chosen = dict(state.chosen)
    buttons: dict[str, Next] = {"Back to Search": _start(state), "< Prev": replace(state, place="results")}
    rows = [f"[Product] {product.title}", f"Price: {dollars(product.price(chosen))} with the chosen options"]
    rows.append(f"Rating: {product.stars}")
    for group, values in product.options.items():
        rows.append(f"{group}: {', '.join(_value(group, value, extra, chosen) for value, extra in values.items())}")
        for value in values:
            buttons[value] = replace(state, chosen=tuple(sorted({**chosen, group: value}.items())))
    buttons |= {name: replace(state, place=name.lower()) for name in DETAILS}
    buttons["Features"] = replace(state, place="features", read=state.read | {product.number})
    line = Line(product.number, state.chosen)
    buttons["Add to Basket"] = replace(state, place="basket", basket=(*state.basket, line))
    buttons["Buy Now"] = Order((line,), "", state.returned)
    return Page("\n".join(rows), buttons | _doors(account, state))


def _value(group: str, value: str, extra: int, chosen: dict[str, str]) -> str:
    mark = " [chosen]" if chosen.get(group) == value else ""
    return f"{value} (+{dollars(extra)}){mark}" if extra else f"{value}{mark}"


def _detail(shop: Shop, account: Account, state: State) -> Page:
    product = shop.products[state.product]
    texts = {"description": [product.description], "features": product.features, "reviews": product.reviews()}
    rows = [f"- {text}" for text in texts[state.place]]
    buttons: dict[str, Next] = {"Back to Search": _start(state), "< Prev": replace(state, place="item")}
    head = f"[{state.place.capitalize()}] {product.title}"
    return Page("\n".join([head, *rows]), buttons | _doors(account, state))


def _named(shop: Shop, line: Line) -> str:
    chosen = ", ".join(f"{group}: {value}" for group, value in line.chosen) or "no options chosen"
    return f"{shop.products[line.product].title} ({chosen}), {dollars(price(shop, line))}"


def _basket(shop: Shop, account: Account, state: State) -> Page:
    buttons: dict[str, Next] = {"Back to Search": _start(state)}
    rows = ["[Basket]"]
    for at, line in enumerate(state.basket):
        rows.append(f"{at + 1}. {_named(shop, line)}")
        buttons[f"Remove {at + 1}"] = replace(state, basket=state.basket[:at] + state.basket[at + 1 :])
    order = Order(state.basket, state.coupon, state.returned)
    for coupon in account.coupons:
        used = " [applied]" if coupon.code == state.coupon else ""
        rows.append(f"Coupon {coupon.code}: {_terms(coupon)}{used}")
        buttons[f"Apply {coupon.code}"] = replace(state, coupon=coupon.code)
    if state.basket:
        buttons["Checkout"] = order
        rows.append(f"To pay: {dollars(payable(shop, order, account.coupons))}")
    else:
        rows.append("The basket is empty.")
    return Page("\n".join(rows), buttons | _doors(account, state))


def _terms(coupon: Coupon) -> str:
    what = f"{coupon.percent}% off" if coupon.percent else f"{dollars(coupon.cents)} off"
    where = f" goods of the department {coupon.department}" if coupon.department else " the order"
    least = f" if the goods in the basket cost at least {dollars(coupon.least)}" if coupon.least else ""
    return what + where + least


def _orders(shop: Shop, account: Account, state: State) -> Page:
    buttons: dict[str, Next] = {"Back to Search": _start(state)}
    rows = ["[Orders]"]
    for name, line in account.earlier:
        gone = name in state.returned
        rows.append(f"{name}: {_named(shop, line)}{' [returned]' if gone else ''}")
        if not gone:
            buttons[f"Return {name}"] = replace(state, returned=state.returned | {name})
    return Page("\n".join(rows), buttons | _doors(account, state))
