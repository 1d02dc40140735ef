"""A careful shopper of webshop-v0, who knows only what was read.

It searches for the kind of goods with the wanted attributes, opens the products of the results that may still be best,
reads features where a title leaves a wanted attribute open, and then buys the best product that it knows to match.
"""

from __future__ import annotations

from collections.abc import Iterator

from envhub.core.types import JSON
from envhub.envs.tools.webshop.catalogue import Product, Shop
from envhub.envs.tools.webshop.goals import ANY, CHEAPEST, Goal
from envhub.envs.tools.webshop.order import Order, payable
from envhub.envs.tools.webshop.pages import Account, State, view

_PAGES = 2
"""Pages of results that it looks at."""


def careful_step(shop: Shop, account: Account, problem: JSON, state: State) -> str:
    """The next action of the careful shopper."""
    if problem["return"] is not None and not state.returned:
        return _return(shop, account, problem["return"], state)
    goals = [Goal(**goal) for goal in problem["goals"]]
    if problem["budget"] is not None:  # what is cheap helps to stay within it
        goals = [goal._replace(pick=CHEAPEST) if goal.pick == ANY else goal for goal in goals]
    alone = len(goals) == 1 and problem["budget"] is None
    bought = [shop.products[line.product].kind for line in state.basket]
    missing = [goal for goal in goals if goal.kind not in bought]
    if missing:
        return _towards(shop, account, missing[0], state, "Buy Now" if alone else "Add to Basket")
    return _checkout(shop, account, state)


def _return(shop: Shop, account: Account, wanted: JSON, state: State) -> str:
    """Find the earlier order by its options."""
    if state.place != "orders":
        return "click[Orders]"
    name = next(name for name, line in account.earlier if dict(line.chosen) == wanted["options"])
    return f"click[Return {name}]"


def _checkout(shop: Shop, account: Account, state: State) -> str:
    """Apply the coupon with the lowest price, and order."""
    if state.place != "basket":
        return "click[Basket]"
    prices = {
        coupon.code: payable(shop, Order(state.basket, coupon.code, state.returned), account.coupons)
        for coupon in account.coupons
    }
    best = min(prices, key=lambda code: prices[code], default="")
    return "click[Checkout]" if state.coupon == best else f"click[Apply {best}]"


def _towards(shop: Shop, account: Account, goal: Goal, state: State, last: str) -> str:
    """Find the best product for a goal, and buy it."""
    query = " ".join([goal.kind, *goal.attributes])
    known = [one for one in shop.by_kind[goal.kind] if one.number in state.seen and _is_right(one, goal, state)]
    best = min(known, key=lambda one: _worth(one, goal), default=None)
    if state.place in ("description", "features", "reviews"):
        return "click[< Prev]"
    if state.place == "item":
        return _at_item(shop.products[state.product], goal, state, best, query, last)
    if state.place != "results" or state.query not in (query, _name(best)):
        return f"search[{query}]"
    page = view(shop, account, state)
    shown = [shop.by_asin[label] for label in page.buttons if label in shop.by_asin]
    return _at_results(shown, goal, state, best, "Next >" in page.buttons, query)


def _at_results(shown: list[Product], goal: Goal, state: State, best: Product | None, more: bool, query: str) -> str:
    """Open what may be better, look further, or go to the best."""
    exploring = state.query == query and (best is None or goal.pick != ANY)
    if exploring:
        tried = list(_promising(shown, goal, state, best))
        if tried:
            return f"click[{tried[0].asin}]"
        if more and state.at + 1 < _PAGES:
            return "click[Next >]"
    if best is None:
        return "click[Next >]" if more else f"search[{goal.kind}]"
    return f"click[{best.asin}]" if best in shown else f"search[{_name(best)}]"


def _at_item(product: Product, goal: Goal, state: State, best: Product | None, query: str, last: str) -> str:
    """Buy the best product; read features of others, or go back."""
    if product == best and (goal.pick == ANY or state.query != query or state.at + 1 >= _PAGES):
        left = [value for group, value in goal.options.items() if dict(state.chosen).get(group) != value]
        return f"click[{left[0] if left else last}]"
    open_question = not set(goal.attributes) <= set(product.titled) and product.number not in state.read
    fits = product.kind == goal.kind and _offers(product, goal)
    return "click[Features]" if fits and open_question else "click[< Prev]"


def _promising(shown: list[Product], goal: Goal, state: State, best: Product | None) -> Iterator[Product]:
    """Unopened products that may be better, most promising first."""
    fresh = [one for one in shown if one.kind == goal.kind and one.number not in state.seen]
    if goal.pick == CHEAPEST:
        limit = None if best is None else best.price(goal.options)
        return (one for one in sorted(fresh, key=lambda one: one.cents) if limit is None or one.cents < limit)
    if goal.pick == ANY:
        return (one for one in fresh if goal.most is None or one.cents <= goal.most)
    least = 0 if best is None else best.rating
    return (one for one in sorted(fresh, key=lambda one: -one.rating) if one.rating > least)


def _offers(product: Product, goal: Goal) -> bool:
    """Whether a product has the options within the price limit."""
    if any(value not in product.options[group] for group, value in goal.options.items()):
        return False
    return goal.most is None or product.price(goal.options) <= goal.most


def _is_right(product: Product, goal: Goal, state: State) -> bool:
    """Whether a product is known to match, by title or features."""
    known = product.attributes if product.number in state.read else product.titled
    return set(goal.attributes) <= set(known) and _offers(product, goal)


def _worth(product: Product, goal: Goal) -> int:
    return product.price(goal.options) if goal.pick == CHEAPEST else -product.rating


def _name(product: Product | None) -> str:
    return "" if product is None else f"{product.brand} {product.model}".lower()
