"""The prompt of kitchen-v0.

Phrasings of the rules, and renderings of the first kitchen.
"""

from __future__ import annotations

import json
from typing import Final

from envhub.authoring.game import Rulebook, views
from envhub.authoring.wording import Phrase, and_list, counted
from envhub.core.types import JSON
from envhub.envs.games.kitchen.rules import INGREDIENTS, recipe

_TASK: Final = Phrase(
    "You are {seat}, one of two cooks who share a kitchen. Work together to serve every order within {rounds}.",
    "Two cooks share a kitchen, and you play {seat}. Serve all orders together before {rounds} are over.",
    "Cook as {seat} in a kitchen for two. You and the other cook have {rounds} to serve every order.",
    held_out="Your part in a kitchen with two cooks is that of {seat}. The joint task is to serve all orders in no more than "
    "{rounds}.",
)
_PLAN: Final = Phrase(
    "In each round, each cook writes a plan of 1 to {steps} steps. Neither sees the other's plan.",
    "A round begins with both cooks choosing a plan of up to {steps} steps, without knowing the plan of the other cook.",
    "Every round, both cooks plan independently: each writes down between 1 and {steps} steps, and neither sees those of the "
    "other.",
    held_out="A round consists of two simultaneous and hidden plans, each a sequence of 1 to {steps} steps.",
)
_RUN: Final = Phrase(
    'Both plans then run at the same time, step by step. A plan with fewer than {steps} steps is filled up with "wait".',
    "After that, the cooks carry out their plans together, one step at a time. Steps that are missing in a plan of fewer than "
    '{steps} steps count as "wait".',
    "Then the first steps of both plans happen at once, then the second steps, and so on. If a plan has fewer than {steps} "
    "steps, its cook waits for the rest of the round.",
    held_out='The plans are executed synchronously, step by step. Plans shorter than {steps} steps are padded with "wait".',
)
_STEP: Final = Phrase(
    "A step is up, left, down, right or wait.",
    "Each step of a plan is one of up, left, down, right and wait.",
    "There are five kinds of steps: up, left, down, right and wait.",
    held_out="Steps: up, left, down, right, wait.",
)
_WALK: Final = Phrase(
    "A step onto a floor cell moves the cook there. Nobody moves if both would end the step in the same cell, or if the two "
    "would swap places. A cook may enter the cell that the other one leaves in the same step.",
    "Stepping towards floor walks there. Both cooks stay where they are if they would meet in one cell or exchange their "
    "places. Entering the cell that the other cook is just leaving is possible.",
    "With a step towards a floor cell a cook walks into it. If this would put both cooks in one cell, or make them change "
    "places, neither of them moves. A cell that the other cook leaves in the same step may be entered.",
    held_out="Steps towards floor change the position, except that neither cook moves if the new positions would coincide or "
    "be exchanged. Entering a cell that is vacated in the same step is permitted.",
)
_USE: Final = Phrase(
    "A step towards any other cell uses what is in it and does not move the cook. If both use something in the same step, "
    "player 1 goes first.",
    "Stepping towards a cell that is not floor means using it; the cook stays in place. When both cooks use something at once, "
    "player 1 comes before player 2.",
    "With a step towards anything but floor, a cook uses that cell without moving. Player 1 is first if both cooks use "
    "something in one step.",
    held_out="Steps towards non-floor cells use them and leave the position unchanged. Simultaneous uses are resolved with "
    "player 1 first.",
)
_HANDS: Final = Phrase(
    "A cook holds at most one item.",
    "No cook can hold more than one item at a time.",
    "There is room for one item in the hands of each cook.",
    held_out="Capacity of a cook: one item.",
)
_DRAWN: Final = Phrase(
    "In a drawing of the kitchen, . is floor, and 1 and 2 are the cooks. Rows and columns are numbered from 0 at the top "
    "left; the drawing shows the last digit of each number.",
    "The kitchen is drawn with . for floor and with 1 and 2 for the cooks. Row 0 is at the top and column 0 on the left. Of "
    "each number, the drawing shows only the last digit.",
    "Drawings show floor as a dot and the cooks as 1 and 2. The numbers of rows begin with 0 at the top, those of columns "
    "with 0 on the left, and only their last digits are drawn.",
    held_out="Legend of drawn kitchens: . floor; 1, 2 the cooks. Indices of rows (downwards) and columns (rightwards) start "
    "at 0 and are drawn modulo 10.",
)
_BOXES: Final = Phrase(
    "{boxes}, and P is a stack of plates. With empty hands, a cook takes one. A cook that holds the same item puts it back.",
    "{boxes}; P is a stack of plates. Using one of these with empty hands takes an item from it. Using it while holding the "
    "same kind of item returns the item.",
    "{boxes}. P stands for plates. These never run out: a cook without an item takes one, and a cook that holds an item of "
    "the same kind puts it back.",
    held_out="{boxes}; P is a stack of plates. Use with empty hands: receive one item. Use with an item of that kind: return "
    "it.",
)
_COOKER: Final = Phrase(
    "C is a cooker. It accepts one ingredient at a time. With {ingredients} it is full and starts cooking; the soup is ready "
    "{ready}. To take a finished soup, use the cooker while holding a plate.",
    "C is a cooker. A cook that holds an ingredient puts it in by using the cooker. With {ingredients} inside, the cooker is "
    "full and cooking begins. The soup is ready {ready}, and a cook that holds a plate can then take it.",
    "C marks a cooker, which is filled with one ingredient at a time until it has {ingredients}. Then it cooks by itself, "
    "and the soup is ready {ready}. Use the cooker with a plate in hand to take the soup.",
    held_out="C: cooker, capacity {ingredients}, filled singly. A full cooker starts cooking; its soup is ready {ready} and is "
    "collected by using the cooker with a plate.",
)
_WINDOW: Final = Phrase(
    "W is the serving window. Using it with a soup that matches an open order serves that order. A soup that matches no open "
    "order is thrown away.",
    "W is the serving window. A soup that is brought there serves an open order with the same ingredients. If there is no such "
    "order, the soup is lost.",
    "Soups are served at the window W. The soup must have the ingredients of an open order, which is then served; any other "
    "soup is thrown away there.",
    held_out="W: serving window. A soup equal to an open order fulfils it; any other soup is discarded.",
)
_COUNTER: Final = Phrase(
    "# is a counter. It holds one item, which either cook can put down or pick up. Items on counters are drawn as {small}.",
    "# is a counter with room for one item. A cook that holds something puts it on an empty counter, and a cook with empty "
    "hands takes what is there. On counters, items are drawn as {small}.",
    "Each # is a counter. Either cook can leave one item on it while it is empty, and either cook can take this item later. "
    "The letters of items on counters are {small}.",
    held_out="#: counter, capacity one item, usable by both cooks to deposit and to collect. Symbols of items on counters: "
    "{small}.",
)
_GOAL: Final = Phrase(
    "Both cooks get the same result. You succeed if all orders are served in time.{without} Your score is 1 if you succeed. "
    "Otherwise it is {served}. If you lose because of messages that are not legal plans, it is 0.",
    "You share the result with the other cook. Serving all orders in time is success and scores 1.{without} If some orders "
    "are left, the score is {served}. It is 0 if you lose because of messages that are not legal plans.",
    "Serve every order before the time is up to succeed; the result counts for both cooks.{without} Success scores 1, and "
    "anything less scores {served}. Losing because of messages that are not legal plans scores 0.",
    held_out="The result is common to both cooks. Success (score 1) means that no order is open at the end.{without} Partial "
    "score: {served}; score 0 after a loss by messages that are not legal plans.",
)


def rulebook(problem: JSON) -> Rulebook:
    """The rules, and how the orders served are scored."""
    kinds = _kinds(problem)
    rounds, size = counted(problem["rounds"], "round"), problem["size"]
    boxes = [f"{mark} is a box of {_several(name)}" for mark, name in kinds.items()]
    small = [*(f"{mark.lower()} ({name})" for mark, name in kinds.items()), "p (plate)", "s (soup)"]
    cells = (_DRAWN, _BOXES, _COOKER, _WINDOW, _COUNTER)
    return Rulebook(
        f"Two cooks share a kitchen and work together to serve every order within {rounds}",
        _TASK,
        (_PLAN, _RUN, _STEP, _WALK, _USE, _HANDS, *cells),
        _GOAL,
        values={
            "rounds": rounds,
            "steps": problem["steps"],
            "boxes": ", ".join(boxes),
            "small": and_list(small),
            "ingredients": counted(size, "ingredient"),
            "ready": f"{counted(problem['cook'], 'step')} later",
            "without": _without(problem),
            "served": _served(problem),
        },
        view=_VIEW,
    )


def _kinds(problem: JSON) -> dict[str, str]:
    """The ingredients of this kitchen."""
    return {mark: name for mark, name in INGREDIENTS.items() if mark in "".join(problem["rows"])}


def _several(ingredient: str) -> str:
    return f"{ingredient}{'es' if ingredient.endswith('o') else 's'}"


def _without(problem: JSON) -> str:
    """The sentence on orders that are served without the policy.

    Empty if there is no such order.
    """
    alone = problem["alone"]
    who = "Without your help, your partner would" if problem["opponent"] == "greedy" else "One cook alone would"
    return f" {who} serve {counted(alone, 'order')}." if alone else ""


def _served(problem: JSON) -> str:
    """The score of a part of the orders."""
    alone, orders = problem["alone"], len(problem["orders"])
    return f"(orders served - {alone}) / {orders - alone}, but at least 0" if alone else f"orders served / {orders}"


def _places(problem: JSON) -> dict[str, list[tuple[int, int]]]:
    """Row and column of everything but counters, by what it is."""
    names = {mark: f"boxes of {_several(name)}" for mark, name in _kinds(problem).items()}
    names |= {"P": "plates", "C": "cookers", "W": "serving window", ".": "floor"}
    cells = [(mark, (r, c)) for r, row in enumerate(problem["rows"]) for c, mark in enumerate(row)]
    return {name: [at for mark, at in cells if mark == wanted] for wanted, name in names.items()}


def _cooks(problem: JSON) -> list[tuple[int, int]]:
    width = len(problem["rows"][0])
    return [(cell // width, cell % width) for cell in problem["at"]]


def _orders(problem: JSON) -> str:
    return f"Open orders: {'; '.join(map(recipe, problem['orders']))}"


def _as_list(problem: JSON) -> str:
    size = f"{len(problem['rows'])} rows and {len(problem['rows'][0])} columns"
    told = [f"{name.capitalize()}: {', '.join(map(str, found))}" for name, found in _places(problem).items()]
    cooks = [f"Player {number}: {at}, holding nothing" for number, at in enumerate(_cooks(problem), 1)]
    return "\n".join(
        [
            f"Round 1 of {problem['rounds']}",
            f"The kitchen has {size}. Places are given as (row, column). All cells that are not listed are counters, which are "
            "empty. All cookers are empty. The cooks stand on floor.",
            *told,
            *cooks,
            _orders(problem),
        ]
    )


def _as_json(problem: JSON) -> str:
    known = {
        "round": 1,
        "rounds": problem["rounds"],
        "rows": problem["rows"],
        "player_1": list(_cooks(problem)[0]),
        "player_2": list(_cooks(problem)[1]),
        "open_orders": [recipe(order) for order in problem["orders"]],
    }
    return (
        "The kitchen as JSON. The cooks are not drawn in its rows but given as [row, column]. They hold nothing, and all "
        f"cookers and counters are empty.\n{json.dumps(known)}"
    )


def _as_string(problem: JSON) -> str:
    one, two = _cooks(problem)
    return (
        f"round = 1/{problem['rounds']}; map (rows from the top, without cooks) = {'/'.join(problem['rows'])}; cooks at "
        f"(row, column): player 1 {one}, player 2 {two}; hands, cookers and counters empty.\n{_orders(problem)}"
    )


_VIEW: Final = views(_as_list, _as_json, held_out=_as_string)
