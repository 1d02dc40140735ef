"""Phrases and renderings of webshop-v0."""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.wording import GAME_FRAMES, Phrase, Rendering, Statement, Variants
from envhub.authoring.wording.plurals import counted
from envhub.core.types import JSON
from envhub.envs.tools.webshop.goals import CHEAPEST, RATED
from envhub.envs.tools.webshop.pages import dollars

_TASK: Final = Phrase(
    "You are a customer of an online shop with {goods} products. Buy exactly what the instruction asks for.",
    "Shop in an online store that sells {goods} products. Your order must be exactly what the instruction describes.",
    "An online shop has {goods} products. Follow the instruction: order the goods that it describes, and nothing else.",
    held_out="Role: online shopper. Catalogue: {goods} products. Place an order that matches the instruction exactly.",
)
_SEARCH: Final = Phrase(
    "search[keywords] works on every page and lists at most 50 products, 10 per page, the best match first. It looks "
    "at titles and descriptions.",
    "You can search titles and descriptions on any page with search[keywords]. A search finds at most 50 products and "
    "shows 10 of them per page, best matches first.",
    "Use search[keywords], on any page, to find up to 50 products. They are sorted by how well title and description "
    "match, 10 to a page.",
    held_out="search[keywords]: available everywhere; covers title and description; at most 50 hits, ranked, 10 a "
    "page.",
)
_CLICK: Final = Phrase(
    "click[button] presses a button of the current page. Each page lists its buttons as admissible actions; a product "
    "in a list is a button named by its code.",
    "With click[button] you press a button that the current page lists under its admissible actions. The code of a "
    "product in a list is a button as well.",
    "Every page lists its admissible actions. Press one of its buttons with click[button]; a listed product has its "
    "code as button.",
    held_out="click[button]: press one of the buttons given as admissible actions on the page; product codes are "
    "buttons.",
)
_FEATURES: Final = Phrase(
    "The page behind the button Features lists every attribute of a product. Its title names only three of them. "
    "Reviews do not change what a product is.",
    "A product has exactly the attributes that its Features page lists; the title contains three of them. Reviews do "
    "not matter.",
    "To see all attributes of a product, open Features. The title shows three attributes only, and reviews do not add "
    "any.",
    held_out="Attributes: complete on Features, three in the title; reviews are irrelevant.",
)
_OPTIONS: Final = Phrase(
    "Choose each option that the instruction names by clicking its value on the product's page. A value marked "
    "(+$1.00) adds that amount to the price. Other options may have any value or none.",
    "On the page of the product, click the value of every option in the instruction. Some values cost extra, as "
    "marked, for example (+$1.00). Options that are not in the instruction do not matter.",
    "Every option in the instruction must be set by clicking its value on the product page. Marked surcharges, such "
    "as (+$1.00), are added to the price. You may set other options or leave them open.",
    held_out="Required options: click their values on the product page. Surcharges such as (+$1.00) add up. Other "
    "options: free.",
)
_BUY: Final = Phrase(
    "Buy Now orders the open product alone with the chosen options. Checkout in the basket orders everything in the "
    "basket. Either one ends the visit, so you can order only once.",
    "There is one order per visit: with Buy Now you order only the open product and its chosen options, with Checkout "
    "everything that is in the basket. The visit is then over.",
    "The visit ends with the first order. Buy Now orders just the product that is open, with its chosen options; "
    "Checkout, in the basket, orders what the basket contains.",
    held_out="Ordering (once, ends the visit): Buy Now = the open product with its chosen options, alone; Checkout = "
    "the whole basket.",
)
_EXACT: Final = Phrase(
    "You succeed if the order contains one matching product for each item of the instruction and no other product. A "
    "product matches if it is of the right kind, has all attributes and options, and costs no more than its price "
    "limit with the chosen options.",
    "The order must contain exactly one product per item of the instruction. That product must be of the named kind, "
    "have every attribute and every option, and, options included, cost at most its price limit.",
    "Success means: for each item one product of that kind with all its attributes and options, at no more than its "
    "price limit including surcharges, and nothing else in the order.",
    held_out="Success condition: one product per item (kind, all attributes, all options, price with surcharges "
    "within the limit) and no extras.",
)
_PICK: Final = Phrase(
    'If an item says "cheapest", it must be the product with the lowest price, with its options, of all products that '
    'match. If it says "best rated", it must have the highest rating of all that match. If several are equal, any of '
    "them is right.",
    'For "cheapest", buy the matching product whose price with the options is lowest; for "best rated", the matching '
    "product with the highest rating. Ties do not matter.",
    'Among all products that match an item, "cheapest" asks for the lowest price including its options and "best '
    'rated" for the highest rating. With ties, each of them counts.',
    held_out='Preferences: "cheapest" = minimum price with options among the matches, "best rated" = maximum rating '
    "among the matches; ties are equivalent.",
)
_BUDGET: Final = Phrase(
    "The whole order may cost at most the budget, after the coupon. The basket shows the coupons and what is to pay. "
    "Only one coupon can be applied at a time.",
    "After the coupon, the order must not cost more than the budget. You find the coupons in the basket, together "
    "with the amount to pay, and can apply one of them.",
    "Stay within the budget: it limits what is to pay for the order after a coupon. Coupons are listed in the basket, "
    "and a new one replaces the one before.",
    held_out="Constraint: amount to pay (after at most one coupon, see the basket) <= budget.",
)
_RETURN: Final = Phrase(
    "Return the earlier order that the instruction names before you place the new order. Orders lists the earlier "
    "orders. A return cannot be undone, and you fail if you return another one.",
    "The instruction names an earlier order to be returned; find it under Orders and return it before you order. You "
    "may return no other order, and returns are final.",
    "One of the earlier orders, listed under Orders, has to be returned before you buy. Returning any other order is "
    "a failure and cannot be undone.",
    held_out="Prior to ordering, return the named earlier order (see Orders) and no other; returns are irrevocable.",
)
_MESSAGES: Final = Phrase(
    "You may send at most {messages} messages. A message without an admissible action still counts. If you place no "
    "order within these messages, you fail.",
    "You have {messages} messages. A message that contains no admissible action counts as well, and without an order "
    "at the end you fail.",
    "Each message counts, even one without an admissible action. You fail if you have not ordered after {messages} "
    "messages.",
    held_out="Budget of messages: {messages}, inadmissible actions included; no order within it is a failure.",
)
_PICKS: Final = {CHEAPEST: "cheapest", RATED: "best rated"}


def statement(problem: JSON) -> Statement:
    """The instruction and the rules that it needs."""
    goals = problem["goals"]
    rules = [_SEARCH, _CLICK, _FEATURES, _OPTIONS, _BUY, _EXACT]
    rules += [_PICK] if any(goal["pick"] in _PICKS for goal in goals) else []
    rules += [_BUDGET] if problem["budget"] is not None else []
    rules += [_RETURN] if problem["return"] is not None else []
    values = {"goods": problem["goods"], "messages": problem["messages"]}
    return Statement(_TASK, _DATA, problem, rules=(*rules, _MESSAGES), values=values, frames=GAME_FRAMES)


def _first(problem: JSON) -> str:
    """The end of every rendering: the first page."""
    return f"The first page:\n\n{problem['page']}"


def _limit(goal: JSON) -> list[str]:
    return [] if goal["most"] is None else [f"for at most {dollars(goal['most'])}"]


def _prose(problem: JSON) -> str:
    rows = []
    for goal in problem["goals"]:
        options = ", ".join(f"{group}: {value}" for group, value in goal["options"].items())
        pick = [f"the {_PICKS[goal['pick']]} one"] if goal["pick"] in _PICKS else []
        parts = [f"{goal['kind']} with the attributes {', '.join(goal['attributes'])}", f"with {options}"]
        rows.append(", ".join([*parts, *_limit(goal), *pick]))
    text = "; and ".join(rows)
    extra = "" if problem["budget"] is None else f" I can pay at most {dollars(problem['budget'])} for everything."
    return f"Instruction: I am looking for {text}.{extra}{_returned(problem)}\n\n{_first(problem)}"


def _returned(problem: JSON) -> str:
    if problem["return"] is None:
        return ""
    options = ", ".join(f"{group}: {value}" for group, value in problem["return"]["options"].items())
    return f" Before that, return my earlier order of {problem['return']['kind']} ({options})."


def _bullets(problem: JSON) -> str:
    rows = []
    for at, goal in enumerate(problem["goals"], 1):
        rows.append(f"Item {at}: {goal['kind']}")
        rows.append(f"- attributes: {', '.join(goal['attributes'])}")
        rows += [f"- option {group}: {value}" for group, value in goal["options"].items()]
        rows += [f"- price limit: {dollars(goal['most'])}"] if goal["most"] is not None else []
        rows += [f"- choose: {_PICKS[goal['pick']]}"] if goal["pick"] in _PICKS else []
    rows += [] if problem["budget"] is None else [f"Budget of the order: {dollars(problem['budget'])}"]
    rows += [_returned(problem).strip()] if problem["return"] is not None else []
    return "\n".join(["Instruction:", *rows, "", _first(problem)])


def _record(goal: JSON) -> dict[str, JSON]:
    record: dict[str, JSON] = {"kind": goal["kind"], "attributes": goal["attributes"], "options": goal["options"]}
    record |= {} if goal["most"] is None else {"price limit": dollars(goal["most"])}
    return record | ({"choose": _PICKS[goal["pick"]]} if goal["pick"] in _PICKS else {})


def _json(problem: JSON) -> str:
    record: dict[str, JSON] = {"buy": [_record(goal) for goal in problem["goals"]]}
    record |= {} if problem["budget"] is None else {"budget of the order": dollars(problem["budget"])}
    record |= {} if problem["return"] is None else {"return this earlier order first": problem["return"]}
    return f"Instruction:\n{json.dumps(record, indent=1)}\n\n{_first(problem)}"


def _lines(problem: JSON) -> str:
    rows = [
        " | ".join(
            [
                f"BUY {goal['kind']}",
                *goal["attributes"],
                *(f"{group} = {value}" for group, value in goal["options"].items()),
                *([] if goal["most"] is None else [f"price limit {dollars(goal['most'])}"]),
                *([_PICKS[goal["pick"]]] if goal["pick"] in _PICKS else []),
            ]
        )
        for goal in problem["goals"]
    ]
    rows += [] if problem["budget"] is None else [f"BUDGET {dollars(problem['budget'])}"]
    rows += [f"RETURN |{_returned(problem)}"] if problem["return"] is not None else []
    return "\n".join(["INSTRUCTION", *rows, "", _first(problem)])


_DATA: Final[Variants[Rendering]] = Variants(_prose, _bullets, _json, held_out=_lines, name="data")


def budget(steps: int, compared: int) -> int:
    """Number of messages for a task.

    Args:
        steps: The fewest steps that solve it.
        compared: Number of items for which products must be compared.
    """
    return 2 * steps + 20 + 10 * compared


def ended(solved: bool, items: int) -> str:
    """What the policy reads after its order."""
    result = "matches the instruction" if solved else "does not match the instruction"
    return f"Your order of {counted(items, 'product')} was placed. It {result}."
