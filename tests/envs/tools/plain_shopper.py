"""A second implementation of webshop-v0: what an order is worth, by the rules of the prompt and the text of the pages.

It follows an episode by its actions and observations, and knows the attributes and ratings of all products, which any
customer could read on their pages. It shares no code with the environment.
"""

from __future__ import annotations

import re
from itertools import permutations
from typing import Any

_ACTION = re.compile(r"<answer>(search|click)\[(.*)\]</answer>")
_PRICE = re.compile(r"\$(\d+)\.(\d\d)")


def cents(text: str) -> int:
    """The first price of a text."""
    found = _PRICE.search(text)
    assert found is not None, text
    return int(found[1]) * 100 + int(found[2])


class Customer:
    """What a customer has done, read off actions and pages.

    Args:
        goods: Every product by its code: kind, attributes, rating, price, options with surcharges, department.
    """

    def __init__(self, goods: dict[str, dict[str, Any]]) -> None:
        self.goods = goods
        self.page = ""
        self.code = ""
        self.chosen: dict[str, str] = {}
        self.basket: list[tuple[str, dict[str, str]]] = []
        self.coupon = ""
        self.returned: set[str] = set()
        self.ordered: list[tuple[str, dict[str, str]]] | None = None

    def act(self, action: str, before: str) -> None:
        """Note an action on the page that was shown before it."""
        name, argument = _ACTION.fullmatch(action).groups()  # type: ignore[union-attr]
        self.page = before
        if name == "search" or argument == "Back to Search" or f"click[{argument}]" not in before:
            self.chosen = {} if name == "search" or argument == "Back to Search" else self.chosen
            return
        self._press(argument)

    def _press(self, button: str) -> None:
        verb, _, rest = button.partition(" ")
        if re.fullmatch(r"B0\w{8}", button):
            self.code, self.chosen = button, {}
        elif button == "Add to Basket":
            self.basket.append((self.code, dict(self.chosen)))
        elif button == "Buy Now":
            self.ordered, self.coupon = [(self.code, dict(self.chosen))], ""
        elif button == "Checkout":
            self.ordered = list(self.basket)
        elif verb == "Remove":
            del self.basket[int(rest) - 1]
        elif verb == "Apply":
            self.coupon = rest
        elif verb == "Return" and rest.startswith("R-"):
            self.returned.add(rest)
        else:
            for group, values in self.goods.get(self.code, {"options": {}})["options"].items():
                if button in values and "[Product]" in self.page:
                    self.chosen[group] = button

    def price(self, code: str, chosen: dict[str, str]) -> int:
        """Price of a product with chosen values."""
        extra = sum(self.goods[code]["options"][group][value] for group, value in chosen.items())
        return int(self.goods[code]["price"] + extra)

    def to_pay(self, coupons: str) -> int:
        """What the order costs after its coupon, by the terms that the basket printed."""
        assert self.ordered is not None
        full = sum(self.price(*line) for line in self.ordered)
        terms = next((row for row in coupons.split("\n") if row.startswith(f"Coupon {self.coupon}:")), "")
        if not self.coupon or not terms:
            return full
        need = re.search(r"cost at least (\$\S+)", terms)
        if need and full < cents(need[1]):
            return full
        percent, part = re.search(r"(\d+)% off", terms), re.search(r"of the department (\w+)", terms)
        if percent is None:
            return max(0, full - cents(terms.partition(":")[2]))
        some = [line for line in self.ordered if part is None or self.goods[line[0]]["department"] == part[1]]
        return full - sum(self.price(*line) for line in some) * int(percent[1]) // 100

    def right(self, code: str, chosen: dict[str, str], goal: dict[str, Any]) -> bool:
        """Whether a bought product is what an item asks for."""

        def matches(one: str) -> bool:
            good = self.goods[one]
            if good["kind"] != goal["kind"] or any(a not in good["attributes"] for a in goal["attributes"]):
                return False
            if any(value not in good["options"][group] for group, value in goal["options"].items()):
                return False
            return goal["most"] is None or self.price(one, goal["options"]) <= goal["most"]

        if not matches(code) or any(chosen.get(group) != value for group, value in goal["options"].items()):
            return False
        paid = self.price(code, chosen)
        if goal["most"] is not None and paid > goal["most"]:
            return False
        rivals = [one for one in self.goods if matches(one)]
        if goal["pick"] == "cheapest":
            return all(paid <= self.price(one, goal["options"]) for one in rivals)
        return goal["pick"] != "rated" or all(self.goods[code]["rating"] >= self.goods[one]["rating"] for one in rivals)

    def succeeds(self, problem: dict[str, Any], orders: str, coupons: str) -> bool:
        """Whether the visit ended as the instruction asks.

        Args:
            problem: Items, budget and return of the instruction.
            orders: The page of earlier orders, as it was first printed.
            coupons: The basket, as it was printed.
        """
        if self.ordered is None or len(self.ordered) != len(problem["goals"]):
            return False
        if problem["budget"] is not None and self.to_pay(coupons) > problem["budget"]:
            return False
        if self.returned != self._to_return(problem["return"], orders):
            return False
        return any(
            all(self.right(*line, goal) for line, goal in zip(lines, problem["goals"], strict=True))
            for lines in permutations(self.ordered)
        )

    def _to_return(self, wanted: dict[str, Any] | None, orders: str) -> set[str]:
        if wanted is None:
            return set()
        options = ", ".join(f"{group}: {value}" for group, value in wanted["options"].items())
        return {row.partition(":")[0] for row in orders.split("\n") if f"({options})" in row}
