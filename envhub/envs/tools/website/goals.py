"""The tasks: orders, cancellations and changes of the user's details.

A goal is JSON: ``kind`` (``order``, ``cancel`` or ``details``), ``form`` (how its parts are described), ``text``, and the
records that it leads to. The end state is compared with those of all goals::

    goals = draw_goals(rng, company, count=2, hops=1)
    difference(company, goals, state)          # Difference(missing=0, extra=0, goals=[True, True])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.envs.tools.website.company import OPEN, Company, Order, euros, working_days
from envhub.envs.tools.website.state import State

_HORIZON: Final = 40
_TRIES: Final = 30
_FORMS: Final = {
    "order": ("by name", "cheapest", "best rated", "two articles"),
    "cancel": ("by article", "latest", "all of a person"),
    "details": ("phone", "office", "deputy"),
}
_WEIGHTS: Final = ("order", "order", "cancel", "details")
_PEOPLE: Final = ("by name", "by office")


class Difference(NamedTuple):
    """How the end state differs from what the goals lead to.

    Attributes:
        missing: Number of changes that were not made.
        extra: Number of changes that no goal asks for.
        goals: Whether each goal is fulfilled.
    """

    missing: int
    extra: int
    goals: list[bool]


def draw_goals(rng: Stream, company: Company, count: int, hops: int) -> list[Any] | None:
    """Goals of different kinds.

    None if the records have nothing that fits.

    Args:
        rng: Source of randomness.
        company: The records.
        count: Number of goals.
        hops: Deputies on the way from a named person to the one that is meant.
    """
    kinds = [rng.choice(_WEIGHTS)] if count == 1 else ["order", *rng.sample(("cancel", "details"), count - 1)]
    drawn = [_DRAW[kind](rng, company, rng.choice(_FORMS[kind]), hops) for kind in kinds]
    return None if None in drawn else rng.sample(drawn, len(drawn))


def difference(company: Company, goals: Sequence[Any], state: State) -> Difference:
    """How the end state differs from what the goals lead to."""
    wanted, made = Counter[Any](), Counter(_changes(state))
    fulfilled = []
    for goal in goals:
        changes = Counter(expected(company, goal))
        fulfilled.append(changes <= made)
        wanted += changes
    return Difference((wanted - made).total(), (made - wanted).total(), fulfilled)


def expected(company: Company, goal: Any) -> list[Any]:
    """The changes that a goal leads to, as hashable values."""
    if goal["kind"] == "order":
        return [("order", ordered(company, goal))]
    if goal["kind"] == "cancel":
        return [("cancelled", number) for number in goal["orders"]]
    return [("details", name, value) for name, value in goal["values"].items()]


def ordered(company: Company, goal: Any) -> Order:
    """The order that a goal asks for."""
    lines = tuple(sorted((good, quantity) for good, quantity in goal["lines"]))
    centre = company.people[goal["person"]].cost_centre
    return Order(lines, goal["person"], centre, goal["day"], goal["express"], OPEN)


def _changes(state: State) -> list[Any]:
    """All changes of records."""
    placed = [("order", order) for _, order in state.placed]
    return [*placed, *(("cancelled", n) for n in state.cancelled), *(("details", *row) for row in state.details)]


def _order(rng: Stream, company: Company, form: str, hops: int) -> Any:
    person, who, way = _person(rng, company, hops)
    chosen = [_article(rng, company, form)]
    if form == "two articles":
        chosen = [_article(rng, company, other) for other in rng.sample(("by name", "cheapest", "best rated"), 2)]
    lines = [[good, rng.between(1, 12)] for good, _ in chosen]
    if len({good for good, _ in lines}) < len(lines):
        return None
    day, express = rng.choice(list(working_days(_HORIZON))), rng.below(3) == 0
    what = " and ".join(f"{count} of {words}" for (_, count), (_, words) in zip(lines, chosen, strict=True))
    speed = " by express delivery" if express else " without express delivery"
    together = " in one order" if len(lines) > 1 else ""
    text = (
        f"Order {what}{together} for {who}. Charge it to the recipient's cost centre. It must be delivered on "
        f"{_spoken(day)}{speed}."
    )
    rows = {"lines": lines, "person": person, "day": day, "express": express}
    return {"kind": "order", "form": f"{form}, {way}", "text": text, **rows}


def _article(rng: Stream, company: Company, form: str) -> tuple[int, str]:
    """The number of an article, and words that fit only this one."""
    number = rng.below(len(company.goods))
    good = company.goods[number]
    alike = [(n, other) for n, other in enumerate(company.goods) if other.kind == good.kind]
    if form == "cheapest":
        coloured = [row for row in alike if row[1].colour == good.colour]
        return min(coloured, key=lambda row: row[1].cents)[0], f"the cheapest {good.colour} {good.kind}"
    if form == "best rated":
        limit = max(good.cents, sorted(other.cents for _, other in alike)[len(alike) // 2])
        within = [row for row in alike if row[1].cents <= limit]
        words = f"the best rated {good.kind} that costs at most {euros(limit)}"
        return max(within, key=lambda row: row[1].rating)[0], words
    return number, f"the article {good.name}"


def _cancel(rng: Stream, company: Company, form: str, hops: int) -> Any:
    waiting = {number: order for number, order in company.orders.items() if order.status == OPEN}
    if form == "latest":
        last = max(waiting, key=lambda number: waiting[number].day)
        text = "Cancel the open order with the latest delivery date."
        return {"kind": "cancel", "form": form, "text": text, "orders": [last]}
    if form == "by article":
        number = rng.choice(list(waiting))
        ((good, _),) = waiting[number].lines
        same = sorted(n for n, order in waiting.items() if order.lines[0][0] == good)
        text = f"Cancel every open order of the article {company.goods[good].name}."
        return {"kind": "cancel", "form": form, "text": text, "orders": same}
    for _ in range(_TRIES):
        person, who, way = _person(rng, company, hops)
        own = sorted(n for n, order in waiting.items() if order.person == person)
        if own:
            text = f"Cancel every open order for {who}."
            return {"kind": "cancel", "form": f"{form}, {way}", "text": text, "orders": own}
    return None


def _details(rng: Stream, company: Company, form: str, hops: int) -> Any:
    user = company.people[0]
    if form == "deputy":
        person, who, way = _person(rng, company, hops)
        if person in (0, user.deputy):
            return None
        values, form = {"deputy": company.people[person].name}, f"{form}, {way}"
        text = f"In your details, enter {who} as your deputy."
        return {"kind": "details", "form": form, "text": text, "values": values}
    values = {"phone": str(rng.between(1000, 9999))}
    if form == "office":
        values = {"office": f"{rng.between(1, 6)}.{rng.between(1, 60):02d}"}
    ((name, value),) = values.items()
    if value == getattr(user, name):
        return None
    text = f"In your details, change your {name} to {value}."
    return {"kind": "details", "form": form, "text": text, "values": values}


_DRAW: Final[dict[str, Callable[[Stream, Company, str, int], Any]]] = {
    "order": _order,
    "cancel": _cancel,
    "details": _details,
}


def _person(rng: Stream, company: Company, hops: int) -> tuple[int, str, str]:
    """The number of a person, a unique description, and its kind."""
    at, way = rng.below(len(company.people)), rng.choice(_PEOPLE)
    person = company.people[at]
    words = person.name if way == "by name" else f"the person in office {person.office}"
    for _ in range(hops):
        at, words = company.people[at].deputy, f"the deputy of {words}"
    return at, words, way


def _spoken(day: str) -> str:
    """A date as people write it, which forms do not accept."""
    at = date.fromisoformat(day)
    return f"{at.day} {at.strftime('%B %Y')}"
