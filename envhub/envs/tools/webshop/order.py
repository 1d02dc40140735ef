"""Orders, coupons, and the judgement of an order.

The reward of the WebShop paper for one bought product y and one goal u::

    r = r_type * (|attributes of u that y has| + |options of u that are chosen| + [price is within the bound])
               / (|attributes of u| + |options of u| + 1)

``r_type`` is 0 if the names of y and u share no word, 0.1 if they share less than a tenth of the words of u, 0.5 if they
share at most a fifth and neither name nor department is the same, and else 1.
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

from envhub.core.types import JSON
from envhub.envs.tools.webshop.catalogue import Product, Shop
from envhub.envs.tools.webshop.goals import CHEAPEST, Goal, fitting

Chosen = tuple[tuple[str, str], ...]


class Line(NamedTuple):
    """A product in an order, with the chosen value of each option."""

    product: int
    chosen: Chosen


class Coupon(NamedTuple):
    """A discount on an order.

    Attributes:
        code: What is clicked.
        percent: Per cent of the price, or 0.
        cents: Cents off, or 0.
        least: Least total in cents from which it counts.
        department: The only department whose goods it counts for; empty for all.
    """

    code: str
    percent: int
    cents: int
    least: int
    department: str

    def off(self, shop: Shop, lines: tuple[Line, ...]) -> int:
        """The discount in cents, rounded down, and at most the price."""
        if total(shop, lines) < self.least:
            return 0
        some = [line for line in lines if self.department in ("", shop.products[line.product].department)]
        price = total(shop, tuple(some))
        return min(price, price * self.percent // 100 + self.cents * bool(some))


class Order(NamedTuple):
    """What was ordered, the coupon, and which earlier orders were returned."""

    lines: tuple[Line, ...]
    coupon: str
    returned: frozenset[str]


def price(shop: Shop, line: Line) -> int:
    """Price of a line in cents."""
    return shop.products[line.product].price(dict(line.chosen))


def total(shop: Shop, lines: tuple[Line, ...]) -> int:
    """Price of all lines in cents, without a coupon."""
    return sum(price(shop, line) for line in lines)


def payable(shop: Shop, order: Order, coupons: list[Coupon]) -> int:
    """Price of an order in cents, after its coupon."""
    used = next((coupon for coupon in coupons if coupon.code == order.coupon), None)
    return total(shop, order.lines) - (used.off(shop, order.lines) if used else 0)


class Paid(NamedTuple):
    """The parts of the paper's reward for one goal."""

    webshop: float = 0.0
    type: float = 0.0
    attributes: float = 0.0
    options: float = 0.0
    price: float = 0.0


def type_match(bought: Product, goal: Goal, department: str) -> float:
    """``r_type`` of a bought product."""
    wanted = set(goal.kind.split())
    shared = len(wanted.intersection(bought.kind.split())) / len(wanted)
    if shared == 0:
        return 0.0
    if shared < 0.1:
        return 0.1
    return 1.0 if shared > 0.2 or bought.kind == goal.kind or bought.department == department else 0.5


def paid(shop: Shop, line: Line, goal: Goal, affordable: bool) -> Paid:
    """The paper's reward of a line for a goal.

    Args:
        shop: The shop.
        line: What was bought.
        goal: What was to be bought.
        affordable: Whether the whole order is within the budget.
    """
    product, chosen = shop.products[line.product], dict(line.chosen)
    has = sum(attribute in product.attributes for attribute in goal.attributes)
    set_right = sum(chosen.get(group) == value for group, value in goal.options.items())
    cheap = affordable and (goal.most is None or price(shop, line) <= goal.most)
    kind = type_match(product, goal, shop.by_kind[goal.kind][0].department)
    share = (has + set_right + cheap) / (len(goal.attributes) + len(goal.options) + 1)
    return Paid(
        kind * share,
        kind,
        has / len(goal.attributes),
        set_right / len(goal.options) if goal.options else 1.0,
        float(cheap),
    )


def components(shop: Shop, order: Order, goals: list[Goal], affordable: bool) -> dict[str, float]:
    """The parts of the reward under the best assignment of lines.

    Every line beyond the goals counts as a goal that was missed, so extra lines never pay.
    """
    lines = order.lines[: len(goals) + 1]  # more lines cannot help, and would cost time
    some = [*lines, *[None] * (len(goals) - len(lines))]
    rows = [
        [paid(shop, line, goal, affordable) if line else Paid() for line, goal in zip(chosen, goals, strict=True)]
        for chosen in permutations(some, len(goals))
    ]
    best = max(rows, key=lambda row: sum(part.webshop for part in row))
    count = max(len(goals), len(order.lines))
    return {name: sum(getattr(part, name) for part in best) / count for name in Paid._fields}


def fits(shop: Shop, line: Line, goal: Goal, numbers: set[int]) -> bool:
    """Whether a line is right for a goal.

    Options that the goal does not name may have any value, as long as the price is still right.

    Args:
        shop: The shop.
        line: What was bought.
        goal: What was to be bought.
        numbers: The products that fit the goal.
    """
    if line.product not in numbers or not goal.options.items() <= dict(line.chosen).items():
        return False
    cents = price(shop, line)
    if goal.pick == CHEAPEST and cents > shop.products[line.product].price(goal.options):
        return False
    return goal.most is None or cents <= goal.most


def correct(shop: Shop, order: Order, goals: list[Goal]) -> bool:
    """Whether the lines are what the goals ask for, and nothing else."""
    if len(order.lines) != len(goals):
        return False
    numbers = [{product.number for product in fitting(shop, goal)} for goal in goals]
    return any(
        all(fits(shop, line, goal, right) for line, goal, right in zip(chosen, goals, numbers, strict=True))
        for chosen in permutations(order.lines)
    )


def coupons_of(rows: list[JSON]) -> list[Coupon]:
    """Coupons from JSON values."""
    return [Coupon(*row) for row in rows]
