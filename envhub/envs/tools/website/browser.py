"""What clicking, typing and selecting do, and how forms are validated.

Forms say what is wrong and keep what was typed. They check the form of an entry, not whether it is what a task wants.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from envhub.envs.tools.website.company import OPEN, TODAY, Company, Order
from envhub.envs.tools.website.nodes import Node, controls
from envhub.envs.tools.website.pages import page
from envhub.envs.tools.website.state import PLACED_FROM, State, address, details_now

CHECKED: Final = "on"
_MOST_EACH: Final = 99
_MOST_ORDERS: Final = 20
_CENTRE: Final = re.compile(r"CC-\d{4}", re.ASCII)
_PHONE: Final = re.compile(r"\d{4}", re.ASCII)
_OFFICE: Final = re.compile(r"[1-6]\.\d{2}", re.ASCII)
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_COUNT: Final = re.compile(r"[1-9]\d?", re.ASCII)


def control(company: Company, state: State, number: int) -> Node | None:
    """The control with a number on the page, if it exists."""
    found = controls(page(company, state))
    return found[number - 1] if 1 <= number <= len(found) else None


def clicked(company: Company, state: State, node: Node) -> State:
    """The state after a click on a link, button or checkbox."""
    if node.role == "link":
        return state.to(node.leads)
    if node.role == "checkbox":
        return state.enter(node.leads, "" if node.value else CHECKED)
    action, _, number = node.leads.partition(" ")
    if action == "apply":
        fields = {n.leads: n.value for n in controls(page(company, state)) if n.role in ("textbox", "combobox")}
        kept = {name: value for name, value in fields.items() if value != _first(company, state, name)}
        return state.to(address(state.place(), kept))
    if action == "remove":
        return state._replace(basket=tuple(line for line in state.basket if line[0] != int(number)))
    if action == "add":
        return _added(state, int(number))
    if action == "cancel":
        return _cancelled(state, int(number))
    return _ordered(company, state) if action == "order" else _saved(company, state)


def _first(company: Company, state: State, field: str) -> str:
    """The first option of a combobox, which is its default."""
    return next((n.options[0] for n in controls(page(company, state)) if n.leads == field and n.options), "")


def _added(state: State, good: int) -> State:
    typed = state.value("quantity", "1").strip()
    if not _COUNT.fullmatch(typed):
        return state._replace(alert=f"Quantity must be a whole number from 1 to {_MOST_EACH}.")
    basket = dict(state.basket)
    basket[good] = min(_MOST_EACH, basket.get(good, 0) + int(typed))
    return state._replace(basket=tuple(sorted(basket.items()))).to("/basket", "Added to the basket.")


def _cancelled(state: State, number: int) -> State:
    path = f"/orders/{number}"
    if number >= PLACED_FROM:
        left = tuple(row for row in state.placed if row[0] != number)
        return state._replace(placed=left).to("/orders", f"Order {number} was cancelled.")
    return state._replace(cancelled=tuple(sorted({*state.cancelled, number}))).to(path, "The order was cancelled.")


def _ordered(company: Company, state: State) -> State:
    names = {person.name: number for number, person in enumerate(company.people)}
    recipient, centre, day = (state.value(field).strip() for field in ("recipient", "centre", "day"))
    wrong = []
    if not state.basket:
        wrong.append("The basket is empty.")
    if recipient not in names:
        wrong.append("Recipient must be the first and last name of a person in the directory.")
    if not _CENTRE.fullmatch(centre):
        wrong.append("Cost centre must be CC- and four digits, for example CC-0000.")
    if not _is_delivery_day(day):
        wrong.append("Delivery date must be a working day after today, written YYYY-MM-DD.")
    if state.ever >= _MOST_ORDERS:
        wrong.append(f"You may place at most {_MOST_ORDERS} orders.")
    if wrong:
        return state._replace(alert=" ".join(wrong))
    number = PLACED_FROM + state.ever
    order = Order(state.basket, names[recipient], centre, day, bool(state.value("express")), OPEN)
    after = state._replace(basket=(), placed=(*state.placed, (number, order)), ever=state.ever + 1)
    return after.to(f"/orders/{number}", "Thank you for your order.")


def _saved(company: Company, state: State) -> State:
    own = details_now(company, state)
    new = {name: state.value(name, value).strip() for name, value in own.items()}
    wrong = []
    if not _OFFICE.fullmatch(new["office"]):
        wrong.append("Office must be a floor from 1 to 6, a dot and two digits, for example 3.05.")
    if not _PHONE.fullmatch(new["phone"]):
        wrong.append("Phone must be four digits.")
    if new["deputy"] not in {person.name for person in company.people[1:]}:
        wrong.append("Deputy must be the first and last name of another person in the directory.")
    if wrong:
        return state._replace(alert=" ".join(wrong))
    changed = {name: value for name, value in new.items() if value != details_now(company, State())[name]}
    return state._replace(details=tuple(sorted(changed.items()))).to("/details", "Your details were saved.")


def _is_delivery_day(text: str) -> bool:
    if not _DAY.fullmatch(text):
        return False
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return False
    return day > TODAY and day.weekday() < 5
