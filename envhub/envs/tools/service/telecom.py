"""The telephone company: faults in the account and on the phone."""

from __future__ import annotations

from typing import Any, Final

from envhub.authoring.wording.plurals import counted
from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.tools.service.cases import Draft, Request, Row
from envhub.envs.tools.service.people import Domain, distinct, draw_customer, draw_limit

_CUSTOMER: Final = ("since", ("2024", "2027", "2030"))
PLANS: Final = ("small", "medium", "large")
SETTINGS: Final = {
    "airplane mode": ("off", "on"),
    "mobile data": ("on", "off"),
    "data roaming": ("on", "off"),
    "vpn": ("off", "on"),
    "apn": ("default", "changed"),
    "sim card": ("inserted", "loose"),
}
"""Settings of the device: the right value, and the wrong one."""
ABROAD: Final = "I am abroad at the moment."
ACCOUNT: Final = ("data", "roaming", "suspended")
_MOST_ACCOUNT: Final = 2


def draw(rng: Stream, requests: int, declines: int) -> Draft:
    """A policy, a customer with lines, and one complaint with ``2 * requests`` causes."""
    rules = _rules(rng)
    customer, about = draw_customer(rng, _CUSTOMER)
    rows = {number: _line(rng, customer) for number in distinct(rng, _number, 3)}
    number = rng.choice(list(rows))
    device, request = _complaint(rng, rules, number, rows, 2 * requests, declines)
    return Draft(rules, {"customers": {customer: about}, "lines": rows, "ledger": {}}, [request], customer, device)


def _number(rng: Stream) -> str:
    return f"555-{rng.between(1000, 9999)}"


def _rules(rng: Stream) -> dict[str, JSON]:
    return {
        "gigabyte": {plan: rng.between(2, 12) for plan in PLANS},
        "roaming": rng.between(4, 30),
        "free_roaming": rng.choice(PLANS[1:]),
        "resume": rng.between(3, 25),
        "most_bill": 20 * rng.between(3, 10),
    }


def _line(rng: Stream, customer: str) -> dict[str, JSON]:
    return {
        "customer": customer,
        "plan": rng.choice(PLANS),
        "status": "active",
        "bill": 0,
        "data_left": rng.between(1, 20),
        "roaming": "off",
    }


def _complaint(
    rng: Stream, rules: Row, number: str, own: dict[str, dict[str, JSON]], causes: int, declines: int
) -> tuple[dict[str, str], Request]:
    """The device and a complaint; the line gets the causes."""
    account = rng.sample(ACCOUNT, min(_MOST_ACCOUNT, rng.between(causes > 2, max(1, causes - 1))))
    row = own[number]
    abroad = "roaming" in account or rng.below(4) == 0
    if abroad and "roaming" not in account:
        row["roaming"] = "on"
    if "data" in account:
        row["data_left"] = 0
    if "suspended" in account:
        row |= {"status": "suspended", "bill": rng.between(20, 220)}
    possible = [name for name in SETTINGS if abroad or name != "data roaming"]
    wrong = rng.sample(possible, min(len(possible), causes - len(account)))
    gigabytes = rng.between(1, 6)
    found = grants(rules, row, number, abroad, gigabytes)
    device = {name: values[name in wrong] for name, values in SETTINGS.items()}
    if not abroad:
        device["data roaming"] = rng.choice(("on", "off"))
    most = max(found[1]) if found[1] else 0
    request = Request(
        "data",
        number,
        f"Mobile data does not work on my phone, on the line {number}.",
        {
            "place": ABROAD if abroad else "I am at home.",
            "gigabytes": f"If you need to add data, add {counted(gigabytes, 'gigabyte')}.",
            "which": f"The line {number}.",
        },
        found[0],
        found[1],
        draw_limit(rng, most, declines),
        {} if found[1] is None else {name: SETTINGS[name][0] for name in wrong},
    )
    return device, request


def needs(request: Request) -> frozenset[str]:
    """Settings that must be right; data roaming only abroad."""
    return frozenset(SETTINGS) - (set() if request.answers["place"] == ABROAD else {"data roaming"})


def grants(rules: Row, row: Row, number: str, abroad: bool, gigabytes: int) -> tuple[list[list[Any]], list[int] | None]:
    """The calls that a line needs, and their amounts.

    None instead of the amounts if its bill is too high.
    """
    asks: list[list[Any]] = []
    amounts: list[int] = []
    if row["status"] == "suspended":
        asks.append(["resume_line", {"number": number}])
        amounts.append(row["bill"] + rules["resume"])
    if row["data_left"] == 0:
        asks.append(["refuel_data", {"number": number, "gigabytes": gigabytes}])
        amounts.append(gigabytes * rules["gigabyte"][row["plan"]])
    if abroad and row["roaming"] == "off":
        asks.append(["enable_roaming", {"number": number}])
        free = PLANS.index(row["plan"]) >= PLANS.index(rules["free_roaming"])
        amounts.append(0 if free else rules["roaming"])
    blocked = row["status"] == "suspended" and row["bill"] > rules["most_bill"]
    return asks, None if blocked else amounts


TELECOM: Final = Domain(draw, _CUSTOMER, _line, _number)
