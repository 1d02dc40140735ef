"""Draws the tasks of webshop-v0: items, coupons and earlier orders."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.tools.webshop.bank import DEPARTMENTS
from envhub.envs.tools.webshop.catalogue import Product, Shop, shop_of
from envhub.envs.tools.webshop.goals import ANY, CHEAPEST, RATED, Goal, Wish, draw_goal
from envhub.envs.tools.webshop.order import Coupon, Line, total

STORES: Final = 4
_WORDS: Final = ("SPRING", "HELLO", "CLUB", "EXTRA", "THANKS", "FRIEND")
_EARLIER: Final = 3
_LEAST_GAIN: Final = 200
"""Minimum lead of the best coupon over the others, in cents."""
_ALL_KINDS: Final = [kind for department in DEPARTMENTS.values() for kind in department.kinds]


class Draft(NamedTuple):
    """The public part of a task, and its key."""

    problem: dict[str, JSON]
    key: dict[str, JSON]


def draft(rng: Stream, p: Any) -> Draft | None:
    """A task for some parameters.

    None if this draw gave none.
    """
    store = rng.below(STORES)
    shop = shop_of(store, p.goods)
    found = _items(rng, shop, p)
    if found is None:
        return None
    goals, products = found
    lines = tuple(
        Line(one.number, tuple(sorted(goal.options.items()))) for goal, one in zip(goals, products, strict=True)
    )
    coupons = _coupons(rng, shop, lines) if p.coupons else []
    if coupons is None:
        return None
    earlier = _earlier(rng, shop, [goal.kind for goal in goals]) if p.returns else []
    budget = _budget(shop, lines, coupons) if coupons else None
    problem: dict[str, JSON] = {
        "goods": p.goods,
        "goals": [goal.to_json() for goal in goals],
        "budget": budget,
        "return": _described(shop, earlier[0]) if earlier else None,
    }
    key: dict[str, JSON] = {
        "store": store,
        "goods": p.goods,
        "lines": [[line.product, [list(pair) for pair in line.chosen]] for line in lines],
        "coupons": [list(coupon) for coupon in coupons],
        "coupon": _best(shop, lines, coupons)[0].code if coupons else "",
        "earlier": rng.sample([_written(name, line) for name, line in earlier], len(earlier)),
        "returned": [earlier[0][0]] if earlier else [],
        "steps": fewest_steps(goals, bool(coupons), bool(earlier)),
    }
    return Draft(problem, key)


def fewest_steps(goals: list[Goal], coupons: bool, returns: bool) -> int:
    """The fewest steps that any policy needs.

    Every item needs a search or a return to the results, a click on its product, one on each option, and one to buy or to
    add it. Several items, or a coupon, need a checkout; a coupon one click more; a return the orders and the return.
    """
    items = sum(3 + len(goal.options) for goal in goals)
    return items + (len(goals) > 1 or coupons) + coupons + 2 * returns


def _items(rng: Stream, shop: Shop, p: Any) -> tuple[list[Goal], list[Product]] | None:
    """Goals for different kinds of goods, and a product that fits each."""
    goals, products = [], []
    for kind in rng.sample(_ALL_KINDS, p.items):
        pick = rng.choice((CHEAPEST, RATED)) if p.choose else ANY
        wish = Wish(p.attributes, p.options, (p.fewest, p.most), pick, bounded=not p.coupons)
        found = draw_goal(rng, shop, wish, [kind])
        if found is None:
            return None
        goals.append(found[0])
        products.append(found[1])
    return goals, products


def _coupons(rng: Stream, shop: Shop, lines: tuple[Line, ...]) -> list[Coupon] | None:
    """Three coupons, one of them clearly best for an order.

    None if no coupon is.
    """
    price = total(shop, lines)
    percent, dollars, part = rng.between(8, 22), rng.between(4, 30), rng.between(15, 40)
    one, two, three = rng.sample(_WORDS, 3)
    department = shop.products[rng.choice(lines).product].department
    least = (price // 1000 + rng.between(-3, 1)) * 1000
    coupons = [
        Coupon(f"{one}{percent}", percent, 0, max(0, least), ""),
        Coupon(f"{two}{dollars}", 0, 100 * dollars, 0, ""),
        Coupon(f"{three}{part}", part, 0, 0, department),
    ]
    first, second = _ranked(shop, lines, coupons)[:2]
    if first[1] - second[1] < _LEAST_GAIN:
        return None
    return rng.sample(coupons, len(coupons))


def _ranked(shop: Shop, lines: tuple[Line, ...], coupons: list[Coupon]) -> list[tuple[Coupon, int]]:
    """The coupons with their discounts in cents, best first."""
    return sorted(((coupon, coupon.off(shop, lines)) for coupon in coupons), key=lambda pair: -pair[1])


def _best(shop: Shop, lines: tuple[Line, ...], coupons: list[Coupon]) -> tuple[Coupon, int]:
    return _ranked(shop, lines, coupons)[0]


def _budget(shop: Shop, lines: tuple[Line, ...], coupons: list[Coupon]) -> int:
    """A budget that the targets keep with the best coupon only."""
    (_, best), (_, second) = _ranked(shop, lines, coupons)[:2]
    return total(shop, lines) - (best + second) // 2


def _earlier(rng: Stream, shop: Shop, kinds: list[str]) -> list[tuple[str, Line]]:
    """Earlier orders with different options; the first is to be returned."""
    kind = rng.choice([kind for kind in _ALL_KINDS if kind not in kinds])
    names = [f"R-{number}" for number in rng.sample(range(100, 1000), _EARLIER)]
    found: dict[tuple[tuple[str, str], ...], int] = {}
    while len(found) < _EARLIER:
        product = rng.choice(shop.by_kind[kind])
        found[tuple((group, rng.choice(list(values))) for group, values in product.options.items())] = product.number
    return [(name, Line(number, chosen)) for name, (chosen, number) in zip(names, found.items(), strict=True)]


def _written(name: str, line: Line) -> JSON:
    return [name, line.product, [list(pair) for pair in line.chosen]]


def _described(shop: Shop, earlier: tuple[str, Line]) -> dict[str, JSON]:
    return {"kind": shop.products[earlier[1].product].kind, "options": dict(earlier[1].chosen)}
