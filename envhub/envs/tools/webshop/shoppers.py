"""Scripted shoppers of webshop-v0: the oracle and the paper's rule.

The paper's rule searches for the text of the instruction and buys the first result. Ours clicks the options as well, if
asked to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from envhub.core.types import JSON
from envhub.envs.tools.webshop.catalogue import Shop
from envhub.envs.tools.webshop.order import Line
from envhub.envs.tools.webshop.pages import Account, State, view

_ASIN = re.compile(r"B0[0-9A-Z]{8}")


def next_step(shop: Shop, account: Account, key: JSON, state: State) -> str:
    """The oracle: the next step to the targets, from any state."""
    pending = [name for name in key["returned"] if name not in state.returned]
    if pending:
        return f"click[Return {pending[0]}]" if state.place == "orders" else "click[Orders]"
    wanted = [Line(number, tuple(map(tuple, chosen))) for number, chosen in key["lines"]]
    alone = len(wanted) == 1 and not key["coupon"]
    extra = next((at for at, line in enumerate(state.basket) if line not in wanted or line in state.basket[:at]), None)
    if extra is not None and not alone:
        return f"click[Remove {extra + 1}]" if state.place == "basket" else "click[Basket]"
    missing = next((line for line in wanted if line not in state.basket or alone), None)
    if missing is not None:
        return _towards(shop, account, state, missing, "Buy Now" if alone else "Add to Basket")
    if state.place != "basket":
        return "click[Basket]"
    if state.coupon != key["coupon"]:
        return f"click[Apply {key['coupon']}]"
    return "click[Checkout]"


def _towards(shop: Shop, account: Account, state: State, line: Line, last: str) -> str:
    """The next step towards a button with all options chosen."""
    product, wanted = shop.products[line.product], dict(line.chosen)
    if state.product == line.product and set(dict(state.chosen)) <= set(wanted):
        if state.place in ("description", "features", "reviews"):
            return "click[< Prev]"
        if state.place == "item":
            left = next((value for group, value in wanted.items() if dict(state.chosen).get(group) != value), None)
            return f"click[{left or last}]"
    if state.place == "results" and product.asin in view(shop, account, state).buttons:
        return f"click[{product.asin}]"
    return f"search[{product.brand} {product.model}]"


def by_instruction(problem: JSON, state: State, buttons: Sequence[str], options: bool) -> str:
    """The paper's rule for the first item.

    Search for its words, open the first result, buy it.

    Args:
        problem: The public problem.
        state: Where the shopper is.
        buttons: The buttons of the page.
        options: Whether the options of the item are clicked where the product has them.
    """
    goal = problem["goals"][0]
    if state.place == "results":
        first = next((label for label in buttons if _ASIN.fullmatch(label)), "Back to Search")
        return f"click[{first}]"
    if state.place == "item":
        chosen = dict(state.chosen)
        left = [value for group, value in goal["options"].items() if value in buttons and chosen.get(group) != value]
        return f"click[{left[0]}]" if left and options else "click[Buy Now]"
    words = [goal["kind"], *goal["attributes"], *goal["options"].values()]
    return f"search[{' '.join(words)}]"
