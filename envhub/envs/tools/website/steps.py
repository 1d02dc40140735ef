"""The oracle: the next step towards the tasks from any state.

A step is the name of a tool and its arguments. Articles and orders are found by search, other pages by the menu. Wrong
lines leave the basket and wrong orders are cancelled; a cancellation that nobody asked for cannot be undone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from envhub.envs.tools.website.browser import CHECKED
from envhub.envs.tools.website.company import Company
from envhub.envs.tools.website.goals import ordered
from envhub.envs.tools.website.nodes import controls
from envhub.envs.tools.website.pages import page
from envhub.envs.tools.website.state import State, details_now

Step = tuple[str, dict[str, Any]]


class _View:
    """The controls of the page, and steps on them."""

    def __init__(self, company: Company, state: State) -> None:
        self.company, self.state, self.place = company, state, state.place()
        self._controls = controls(page(company, state))

    def click(self, name: str) -> Step | None:
        """A click on the control with this name, if any."""
        number = self._number(lambda node: node.name == name)
        return None if number is None else ("click", {"id": number})

    def fill(self, wanted: dict[str, str]) -> Step | None:
        """The next entry of a form; None if all fields are right."""
        for field, value in wanted.items():
            number = self._number(lambda node, field=field: node.leads == field and node.role != "button")
            if number is None or self._controls[number - 1].value == value:
                continue
            role = self._controls[number - 1].role
            if role == "checkbox":
                return "click", {"id": number}
            return ("select_option", {"id": number, "option": value}) if role == "combobox" else _type(number, value)
        return None

    def search(self, menu: str, path: str, name: str, query: str) -> Step:
        """The next step to a page that a search finds."""
        found = self.click(name) if self.place == path else None
        if found is not None:
            return found
        if self.place != path:
            return self.must(menu)
        return self.fill({"search": query}) or self.must("Apply")

    def must(self, name: str) -> Step:
        """A click on a control that the page has."""
        step = self.click(name)
        if step is None:
            raise LookupError(f"{self.state.path} has no control {name!r}")
        return step

    def _number(self, fits: Any) -> int | None:
        return next((number for number, node in enumerate(self._controls, 1) if fits(node)), None)


def next_step(company: Company, goals: Sequence[Any], state: State) -> Step:
    """The next step towards the goals, in their order; at last ``finish``."""
    view = _View(company, state)
    wanted = Counter(ordered(company, goal) for goal in goals if goal["kind"] == "order")
    for number, order in state.placed:
        if wanted[order] == 0:
            return _cancel(view, number)
        wanted[order] -= 1
    for goal in goals:
        if goal["kind"] == "order" and wanted[ordered(company, goal)]:
            return _order(view, goal)
        if goal["kind"] == "cancel" and (left := set(goal["orders"]) - set(state.cancelled)):
            return _cancel(view, min(left))
    own = details_now(company, State())
    for goal in goals:
        own |= goal.get("values", {})
    if details_now(company, state) != own:
        return (view.fill(own) or view.must("Save")) if view.place == "/details" else view.must("My details")
    return "finish", {}


def _type(number: int, value: str) -> Step:
    return "type_text", {"id": number, "text": value}


def _order(view: _View, goal: Any) -> Step:
    """The next step of an order: the basket, then the form."""
    company, basket = view.company, dict(view.state.basket)
    wanted = dict(goal["lines"])
    for good, quantity in basket.items():
        if wanted.get(good) != quantity:
            return view.must(f"Remove {company.goods[good].name}") if view.place == "/basket" else view.must("Basket")
    for good, quantity in wanted.items():
        if good not in basket:
            if view.place == f"/goods/{good}":
                return view.fill({"quantity": str(quantity)}) or view.must("Add to basket")
            name = company.goods[good].name
            return view.search("Goods", "/goods", name, name)
    if view.place == "/basket":
        return view.must("Checkout")
    if view.place != "/checkout":
        return view.must("Basket")
    order = ordered(company, goal)
    fields = {"recipient": company.people[order.person].name, "centre": order.cost_centre, "day": order.day}
    return view.fill({**fields, "express": CHECKED if order.express else ""}) or view.must("Place order")


def _cancel(view: _View, number: int) -> Step:
    """The next step to a cancelled order."""
    if view.place == f"/orders/{number}":
        return view.click("Yes, cancel it") or view.must("Cancel order")
    return view.search("Orders", "/orders", f"Order {number}", str(number))
