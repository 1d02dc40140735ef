"""A second implementation of customer-service-v0: policies and verdicts by the text of the prompt.

It knows the values of the policy, the records as they were, and the transcript: what was said, what was called, and what the
user replied. It shares no code with the environment.
"""

from __future__ import annotations

import re
from copy import deepcopy
from datetime import date
from math import floor
from typing import Any

TODAY = date(2031, 5, 14)
RIGHT = {
    "airplane mode": "off",
    "mobile data": "on",
    "data roaming": "on",
    "vpn": "off",
    "apn": "default",
    "sim card": "inserted",
}
Wish = dict[str, Any]
Change = tuple[str, dict[str, Any], int]


def airline(rules: Any, row: Any, customer: Any, wish: Wish) -> tuple[str, dict[str, Any], int] | None:
    """The right change of a booking; None if the policy does not allow it."""
    cabin, kind = row["cabin"], wish["kind"]
    if kind == "cancel":
        days = (TODAY - date.fromisoformat(row["booked"])).days
        ill = "ill" in wish["answers"]["reason"]
        if cabin == "business" or days <= rules["days"] or (ill and row["insured"] == "yes"):
            return "cancel_booking", {"status": "cancelled"}, row["price"]
        if cabin == "basic":
            return None
        return "cancel_booking", {"status": "cancelled"}, floor(row["price"] * rules["percent"] / 100)
    if kind == "date":
        if cabin == "basic":
            return None
        fee = 0 if cabin == "business" else rules["fee"] // 2 if customer["level"] == "gold" else rules["fee"]
        return "change_date", {"date": re.findall(r"\d{4}-\d\d-\d\d", wish["answers"]["date"])[0]}, fee
    if kind == "bags":
        more = int(re.findall(r"\d+", wish["answers"]["bags"])[0])
        free = dict(zip(("regular", "silver", "gold"), rules["free"], strict=True))[customer["level"]]
        dear = sum(1 for number in range(row["bags"] + 1, row["bags"] + more + 1) if number > free)
        return "add_bags", {"bags": row["bags"] + more}, dear * rules["bag"]
    if cabin == "basic" or row["delay_hours"] < rules["hours"]:
        return None
    return "compensate", {}, rules["delay"] * row["passengers"]


def shop(rules: Any, row: Any, customer: Any, wish: Wish) -> tuple[str, dict[str, Any], int] | None:
    """The right change of an order; None if the policy does not allow it."""
    kind, status = wish["kind"], row["status"]
    member, opened = customer["member"] == "yes", "opened" in wish["answers"].get("opened", "")
    if kind in ("return", "exchange"):
        limit = rules["window"][row["category"]]
        if status != "delivered" or (TODAY - date.fromisoformat(row["delivered"])).days > limit:
            return None
        if kind == "return" and not opened:
            return "return_order", {"status": "returned", "refunded_to": "card"}, row["price"]
        if kind == "return":
            less = row["price"] - row["price"] * rules["restocking"] / 100
            return "return_order", {"status": "returned", "refunded_to": "credit"}, floor(less + 1e-9)
        color = re.findall(r"in (\w+)\.", wish["answers"]["color"])[0]
        fields = {"status": "exchanged", "color": color}
        return None if opened else ("exchange_order", fields, 0 if member else rules["charge"])
    if status not in ("pending", "packed"):
        return None
    if kind == "cancel":
        refund = row["price"] if status == "pending" else max(0, row["price"] - rules["packing"])
        return "cancel_order", {"status": "cancelled"}, refund
    address = re.findall(r"\d+ [A-Z]\w+ [A-Z]\w+", wish["answers"]["address"])[0]
    return "change_address", {"address": address}, rules["address"] if status == "packed" and not member else 0


def telecom(rules: Any, row: Any, wish: Wish) -> list[Change] | None:
    """The right changes of a line; None if its bill is too high."""
    found: list[Change] = []
    if row["status"] == "suspended":
        if row["bill"] > rules["most_bill"]:
            return None
        found.append(("resume_line", {"status": "active", "bill": 0}, row["bill"] + rules["resume"]))
    if row["data_left"] < 1:
        more = int(re.findall(r"\d+", wish["answers"]["gigabytes"])[0])
        found.append(("refuel_data", {"data_left": more}, more * rules["gigabyte"][row["plan"]]))
    if "abroad" in wish["answers"]["place"] and row["roaming"] == "off":
        sizes = ["small", "medium", "large"]
        free = row["plan"] in sizes[sizes.index(rules["free_roaming"]) :]
        found.append(("enable_roaming", {"roaming": "on"}, 0 if free else rules["roaming"]))
    return found


def due(problem: Any, key: Any, wish: Wish) -> list[Change] | None:
    """What the policy gives for a wish, before the user is asked; None if it must be turned down."""
    tables = key["tables"]
    if problem["domain"] == "telecom":
        return telecom(problem["rules"], tables["lines"][wish["id"]], wish)
    rule, table = (airline, "bookings") if problem["domain"] == "airline" else (shop, "orders")
    row = tables[table][wish["id"]]
    found = rule(problem["rules"], row, tables["customers"][key["customer"]], wish)
    return None if found is None else [found]


class Clerk:
    """What an agent has done, read off the calls and the results of a transcript."""

    def __init__(self, problem: Any, key: Any) -> None:
        self.problem = problem
        self.key = key
        self.table = {"airline": "bookings", "shop": "orders", "telecom": "lines"}[problem["domain"]]
        self.rows = deepcopy(key["tables"][self.table])
        self.ledger: list[tuple[str, str, int]] = []
        self.asked: dict[tuple[str, int], bool] = {}
        self.refused: set[str] = set()
        self.unasked = 0
        self.over = False
        self.device = dict(key["device"])

    def see(self, name: str, arguments: dict[str, Any], result: str) -> None:
        """Note a call with its result."""
        if name == "say":
            self._talk(arguments["message"], result)
        elif result.startswith("Done."):
            self._book(name, dict(arguments))

    def _talk(self, message: str, reply: str) -> None:
        ids = [wish["id"] for wish in self.key["requests"] if wish["id"] in message]
        for name, to in re.findall(r"Done: (.*?) is (\w+)\.", reply):
            self.device[name] = to
        if ids and "cannot" in message and re.search("pity|cannot be done|hoped", reply):
            self.refused.add(ids[0])
        amounts = re.findall(r"\$(\d+)", message)
        if ids and "confirm" in message and len(amounts) == 1 and re.search("User: (Yes|No)", reply):
            agreed = self.asked.get((ids[0], int(amounts[0])), False)
            self.asked[ids[0], int(amounts[0])] = agreed or "User: Yes" in reply
        if re.search("that is all|nothing else|That is all", reply):
            self.over = True

    def _book(self, name: str, arguments: dict[str, Any]) -> None:
        money = next(
            arguments.pop(each) for each in ("refund", "fee", "price", "charge", "amount") if each in arguments
        )
        id = next(arguments.pop(each) for each in ("code", "order", "number") if each in arguments)
        row = self.rows[id]
        status = {"cancel_booking": "cancelled", "cancel_order": "cancelled", "return_order": "returned"}
        status |= {"exchange_order": "exchanged", "resume_line": "active"}
        if name in status:
            row["status"] = status[name]
        if name == "resume_line":
            row["bill"] = 0
        if name == "enable_roaming":
            row["roaming"] = "on"
        for given, field in (("bags", "bags"), ("gigabytes", "data_left")):
            row |= {field: row[field] + arguments[given]} if given in arguments else {}
        for given, field in (("date", "date"), ("to", "refunded_to"), ("color", "color"), ("address", "address")):
            row |= {field: arguments[given]} if given in arguments else {}
        self.ledger.append((name, id, money))
        self.unasked += not self.asked.get((id, money), False)

    def succeeds(self) -> bool:
        """Whether the case was served, when it is closed now."""
        rows, ledger = deepcopy(self.key["tables"][self.table]), []
        refusals, device_faults = set(), {}
        for wish in self.key["requests"]:
            changes = due(self.problem, self.key, wish)
            if changes is None:
                refusals.add(wish["id"])
                continue
            device_faults |= {name: RIGHT[name] for name in wish["fix"]}
            for name, fields, amount in changes:
                if (wish["id"], amount) not in self.asked:
                    return False
                if not self._wanted(name, amount, wish):
                    continue
                rows[wish["id"]] |= fields
                ledger.append((name, wish["id"], amount))
        at_home = any("home" in wish["answers"].get("place", "") for wish in self.key["requests"])
        phone = all(
            value == RIGHT[name] if name in device_faults else value in (self.key["device"][name], RIGHT[name])
            for name, value in self.device.items()
            if name != "data roaming" or not at_home
        )
        return (
            phone
            and self.over
            and not self.unasked
            and self.refused == refusals
            and rows == self.rows
            and sorted(ledger) == sorted(self.ledger)
        )

    def _wanted(self, name: str, amount: int, wish: Wish) -> bool:
        """Whether the user wants a change for an amount."""
        gets_money = name in ("cancel_booking", "compensate", "return_order", "cancel_order")
        return gets_money or amount <= wish["limit"]
