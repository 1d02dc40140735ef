"""webshop-v0: shop for goods that match an instruction.

Action: WebShop's language, one action per message: ``search[keywords]`` or ``click[button]``. An order ends the visit:
score 1 if it contains a product that fits each item of the instruction, nothing else, within the price limits and the
budget, and if exactly the named earlier order was returned; else 0. Only the end state counts. The components are the
reward of the WebShop paper and its parts (:mod:`envhub.envs.tools.webshop.order`), averaged over the items: ``webshop``,
``type``, ``attributes``, ``options`` and ``price``. They are 0 without an order.

Tasks share four shops of thousands of generated products, drawn once per process. Every product that fits is known, and
the oracle takes the fewest possible steps: each item needs a search, a click on its product, one on each option and one
to buy it or to add it to the basket. Difficulty: more attributes and options, fewer products that fit, then the cheapest
or best rated of them, several items under one budget, coupons and a return. Effort is these steps and the conditions
and products to compare. Two tasks with the same instruction are the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Final, Self

from pydantic import Field, model_validator

from envhub.authoring import BaseParams, World, rejected
from envhub.authoring.wording import Statement
from envhub.core.seeding import Stream
from envhub.core.types import JSON, Instance, Rates, Turn, Verdict
from envhub.envs.tools.webshop import wording
from envhub.envs.tools.webshop.action import ShopAction
from envhub.envs.tools.webshop.careful import careful_step
from envhub.envs.tools.webshop.catalogue import Shop, shop_of
from envhub.envs.tools.webshop.draft import draft
from envhub.envs.tools.webshop.goals import ANY, Goal, matching
from envhub.envs.tools.webshop.order import Line, Order, Paid, components, correct, coupons_of, payable
from envhub.envs.tools.webshop.pages import Account, Earlier, State, searched, view
from envhub.envs.tools.webshop.shoppers import by_instruction, next_step
from envhub.verifiers.answers.types import AnswerType

_MOST_MESSAGES: Final = 96
# attributes, options, fewest and most products that match, items, choose, coupons, returns
_LEVELS: Final = (
    (1, 1, 20, 60, 1, False, False, False),
    (2, 1, 4, 9, 1, False, False, False),
    (2, 2, 3, 8, 1, False, False, False),
    (3, 2, 1, 4, 1, False, False, False),
    (3, 3, 1, 2, 1, False, False, False),
    (2, 2, 3, 10, 1, True, False, False),
    (2, 2, 1, 6, 2, False, False, False),
    (2, 2, 1, 6, 2, False, True, False),
    (2, 2, 3, 10, 2, True, True, False),
    (2, 2, 3, 10, 3, True, True, True),
)


class Params(BaseParams):
    """The instruction, and the size of the shop."""

    attributes: int = Field(2, ge=1, le=4, description="number of attributes of each item")
    options: int = Field(2, ge=1, le=3, description="number of options of each item")
    fewest: int = Field(1, ge=1, le=20, description="minimum number of products that match an item")
    most: int = Field(12, ge=1, le=100, description="maximum number of products that match an item")
    items: int = Field(1, ge=1, le=3, description="number of items to buy")
    choose: bool = Field(False, description="whether the cheapest or best rated of the matching products is asked for")
    coupons: bool = Field(False, description="whether a coupon is needed to stay within a budget")
    returns: bool = Field(False, description="whether an earlier order is to be returned")
    goods: int = Field(3000, ge=1200, le=5000, description="number of products of the shop")

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.fewest > self.most:
            raise ValueError("fewest <= most must hold")
        if self.fewest > 4 and self.attributes + self.options > 3:
            raise ValueError("with more than 3 attributes and options, fewest <= 4 must hold")
        return self

    @classmethod
    def at(cls, difficulty: int) -> Self:
        """The parameters of a level."""
        attributes, options, fewest, most, items, choose, coupons, returns = _LEVELS[difficulty - 1]
        return cls(
            attributes=attributes,
            options=options,
            fewest=fewest,
            most=most,
            items=items,
            choose=choose,
            coupons=coupons,
            returns=returns,
        )


class WebShop(World):
    """Search a shop, choose options, and order what the instruction asks for."""

    Params = Params
    answer: AnswerType = ShopAction()
    components: ClassVar[frozenset[str]] = frozenset({"format", "webshop", "type", "attributes", "options", "price"})
    max_turns: ClassVar[int] = _MOST_MESSAGES
    counted: ClassVar[bool] = True
    reference: ClassVar[Rates | None] = Rates(
        "a shopper who reads the pages (careful.py)",
        (1.0, 1.0, 1.0, 1.0, 1.0, 0.995, 1.0, 0.96, 0.955, 0.925),
        200,
    )

    def sample(self, rng: Stream, p: Any) -> Instance | None:
        """Items with their targets, then coupons and earlier orders.

        The number of the shop, the targets and the account are the key.
        """
        made = draft(rng, p)
        if made is None:
            return None
        compared = sum(p.coupons or goal["pick"] != ANY for goal in made.problem["goals"])
        problem = {**made.problem, "messages": wording.budget(made.key["steps"], compared)}
        shop, account = _shop(made.key), _account(made.key)
        return Instance({**problem, "page": view(shop, account, State()).shown()}, made.key)

    def canonical(self, content: JSON) -> JSON:
        """The items in canonical order, the budget and the return."""
        goals = sorted(
            content["goals"], key=lambda goal: [goal["kind"], goal["attributes"], sorted(goal["options"].items())]
        )
        return [goals, content["budget"], content["return"]]

    def prompt(self, problem: JSON) -> Statement:
        """The instruction, the rules and the first page."""
        return wording.statement(problem)

    def messages(self, problem: JSON) -> int:
        """Twice the fewest steps, and more where products must be compared."""
        return int(problem["messages"])

    def begin(self, inst: Instance, rng: Stream) -> State:
        """On the first page."""
        return State()

    def act(self, inst: Instance, state: State, value: tuple[str, str], rng: Stream) -> Turn:
        """Search or press a button."""
        shop, account = _shop(inst.key), _account(inst.key)
        name, argument = value
        does = searched(state, argument) if name == "search" else view(shop, account, state).button(argument)
        if isinstance(does, Order):
            return Turn.end(state, self._judged(inst, does))
        if does is None:
            seen = f"Nothing happened: this page has no button {argument[:60]!r}."
            return rejected(self._next(inst, state, seen), "illegal")
        return self._next(inst, does)

    def reject(self, inst: Instance, state: State, reason: str, feedback: str) -> Turn:
        """An unreadable message still counts."""
        return self._next(inst, state, f"Nothing happened: {feedback}")

    def exhausted(self, inst: Instance, state: State) -> Verdict:
        """Nothing was ordered."""
        return super().exhausted(inst, state).noting(None, **Paid()._asdict())

    def solve(self, inst: Instance, state: State) -> str:
        """The next of the fewest steps to the targets."""
        return next_step(_shop(inst.key), _account(inst.key), inst.key, state)

    def legal_answers(self, inst: Instance, state: State) -> list[str]:
        """Every button of the page."""
        return [f"click[{label}]" for label in view(_shop(inst.key), _account(inst.key), state).buttons]

    def greedy_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """Buy the first result for the first item, with its options."""
        return self.by_rule(inst, state, options=True)

    def by_rule(self, inst: Instance, state: State, options: bool = False) -> str:
        """The paper's rule: search for the item, buy the first result.

        Args:
            inst: The task.
            state: Where the shopper is.
            options: Whether the options of the item are clicked where the product has them.
        """
        buttons = list(view(_shop(inst.key), _account(inst.key), state).buttons)
        return self.answer.wrap(by_instruction(inst.problem, state, buttons, options))

    def reference_action(self, inst: Instance, state: State, rng: Stream) -> str:
        """The next action of a shopper who reads the pages."""
        return self.answer.wrap(careful_step(_shop(inst.key), _account(inst.key), inst.problem, state))

    def effort(self, inst: Instance) -> float:
        """The fewest steps, conditions to check, and things to compare."""
        shop = _shop(inst.key)
        goals = [Goal(**goal) for goal in inst.problem["goals"]]
        conditions = sum(len(goal.attributes) + len(goal.options) + 1 for goal in goals)
        compared = sum(len(matching(shop, goal)) for goal in goals if goal.pick != ANY)
        account = _account(inst.key)
        return float(inst.key["steps"] + conditions + compared + len(account.coupons) + len(account.earlier))

    def _judged(self, inst: Instance, order: Order) -> Verdict:
        shop, problem, coupons = _shop(inst.key), inst.problem, _account(inst.key).coupons
        goals = [Goal(**goal) for goal in problem["goals"]]
        affordable = problem["budget"] is None or payable(shop, order, coupons) <= problem["budget"]
        solved = affordable and correct(shop, order, goals) and order.returned == frozenset(inst.key["returned"])
        parts = components(shop, order, goals, affordable)
        return Verdict.exact(solved, wording.ended(solved, len(order.lines))).noting(None, **parts)

    def _next(self, inst: Instance, state: State, seen: str = "") -> Turn:
        state = replace(state, messages=state.messages + 1)
        shown = view(_shop(inst.key), _account(inst.key), state).shown()
        text = f"{seen}\n\n{shown}" if seen else shown
        if state.messages >= inst.problem["messages"]:
            return Turn.end(state, self.exhausted(inst, state), f"{seen}\n\nThat was the last message.".strip())
        return Turn(state, text)


def _shop(key: JSON) -> Shop:
    return shop_of(key["store"], key["goods"])


def _account(key: JSON) -> Account:
    earlier = [Earlier(name, Line(product, tuple(map(tuple, chosen)))) for name, product, chosen in key["earlier"]]
    return Account(coupons_of(key["coupons"]), earlier)
