"""An agent of customer-service-v0 that knows nothing but the policy, the records that it looks up, and what the user says."""

from __future__ import annotations

import json
import re
from typing import Any

from envhub.authoring import write_call
from envhub.gymnasium.env import Env
from tests.envs.tools.plain_service import Change, airline, shop, telecom

KINDS = {
    "airline": {"cancel": "cancel", "another date": "date", "bags": "bags", "delayed": "delay"},
    "shop": {"return": "return", "exchange": "exchange", "cancel": "cancel", "moved": "address"},
}
TOPICS = {
    "cancel": {"reason": "What is the reason?"},
    "date": {"date": "Which date would you like?"},
    "bags": {"bags": "How many bags do you need?"},
    "return": {"opened": "Is it still sealed, or have you opened it?"},
    "exchange": {"opened": "Have you opened it?", "color": "Which color would you like?"},
    "address": {"address": "What is the new address?"},
}
READ = {"airline": ("get_booking", "code"), "shop": ("get_order", "order"), "telecom": ("get_line", "number")}
PHONE = (
    "Please turn off airplane mode. Please turn on mobile data. Please turn on data roaming. "
    "Please turn off the VPN. Please reset the APN. Please reinsert the SIM card."
)
AMOUNT = {"change_date": "fee", "add_bags": "price", "compensate": "amount", "exchange_order": "charge"}
AMOUNT |= {"change_address": "fee", "refuel_data": "price", "enable_roaming": "price", "resume_line": "charge"}
GIVEN = {"change_date": "date", "exchange_order": "color", "change_address": "address"}


class Agent:
    """Plays one task to its end."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self.domain = env.task.problem["domain"]
        self.rules = env.task.problem["rules"]
        self.records: dict[str, dict[str, Any]] = {}
        self.customer: dict[str, Any] = {}

    def call(self, name: str, /, **arguments: Any) -> str:
        """The result of a call."""
        return str(self.env.step(write_call(name, **arguments))[0]).partition("\n\nMessages left")[0]

    def say(self, message: str) -> str:
        """The user's reply."""
        return self.call("say", message=message).removeprefix("User: ")

    def play(self) -> bool:
        """Serve the user; whether that succeeded."""
        number = re.findall(r"C\d+", self.say("What is your customer number?"))[0]
        self.call("verify_customer", number=number, postcode=re.findall(r"\d{5}", self.say("And your postcode?"))[0])
        self.customer = json.loads(self.call("get_customer"))
        tool, argument = READ[self.domain]
        for id in next(value for value in self.customer.values() if isinstance(value, list)):
            self.records[id] = json.loads(self.call(tool, **{argument: id}))
        wish = self.env.task.problem["opening"]
        while "is all" not in wish and "nothing else" not in wish:
            self.serve(wish)
            wish = self.say("Is there anything else?")
        self.call("close_case")
        verdict = self.env.episode.turns[-1].verdict
        return bool(verdict and verdict.solved)

    def serve(self, wish: str) -> None:
        """Find out what a request needs, and do what the policy gives."""
        if self.domain == "telecom":
            id = re.findall(r"555-\d+", wish)[0]
            answers = {"place": self.say("Are you abroad?"), "gigabytes": self.say("How many gigabytes do you want?")}
            found = telecom(self.rules, self.records[id], {"answers": answers})
            self.grant(id, found)
            if found is not None:
                self.say(PHONE)
            return
        kind = next(kind for words, kind in KINDS[self.domain].items() if words in wish)
        name = "to" if self.domain == "airline" else "item"
        id = next(id for id, row in self.records.items() if str(row[name]) in wish)
        answers = {topic: self.say(question) for topic, question in TOPICS.get(kind, {}).items()}
        rule = airline if self.domain == "airline" else shop
        change = rule(self.rules, self.records[id], self.customer, {"kind": kind, "answers": answers})
        self.grant(id, None if change is None else [change])

    def grant(self, id: str, changes: list[Change] | None) -> None:
        """Ask about each change and make it, or turn the request down."""
        if changes is None:
            self.say(f"I am sorry, but I cannot do that for {id}.")
            return
        for name, fields, amount in changes:
            if re.search("[Yy]es", self.say(f"For {id} the amount is ${amount}. Do you confirm?")):
                self.call(
                    name,
                    **{READ[self.domain][1]: id, AMOUNT.get(name, "refund"): amount},
                    **self._more(name, fields, id),
                )

    def _more(self, name: str, fields: dict[str, Any], id: str) -> dict[str, Any]:
        """The other arguments of a call that leads to these fields."""
        row = self.records[id]
        if name == "add_bags":
            return {"bags": fields["bags"] - row["bags"]}
        if name == "refuel_data":
            return {"gigabytes": fields["data_left"] - row["data_left"]}
        if name == "return_order":
            return {"to": fields["refunded_to"]}
        return {GIVEN[name]: fields[GIVEN[name]]} if name in GIVEN else {}
