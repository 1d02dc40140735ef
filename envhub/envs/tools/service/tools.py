"""The tools of customer-service-v0.

Reading has no side effects. Changes are carried out as they are called, right or wrong.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Annotated, Final, Literal, NamedTuple

from pydantic import Field

from envhub.authoring import ToolEnv, tool
from envhub.authoring.model_user import speak
from envhub.core.effects import Effect, Outcome
from envhub.core.types import JSON, Instance
from envhub.envs.tools.service.cases import AMOUNT, TABLE, Request, Tables, changed, subject
from envhub.envs.tools.service.speech import FAITHFUL, REMEMBERED, cue
from envhub.envs.tools.service.telecom import needs
from envhub.envs.tools.service.user import Memory, User, replies

Dollars = Annotated[int, Field(ge=0, le=100_000)]
Text = Annotated[str, Field(max_length=2_000)]
Short = Annotated[str, Field(max_length=80)]
DOMAINS: Final[dict[str, tuple[str, ...]]] = {
    "airline": ("get_booking", "cancel_booking", "change_date", "add_bags", "compensate"),
    "shop": ("get_order", "return_order", "exchange_order", "cancel_order", "change_address"),
    "telecom": ("get_line", "refuel_data", "enable_roaming", "resume_line"),
}
"""The tools of each domain, besides those that all have."""
COMMON: Final = ("say", "verify_customer", "get_customer", "close_case")
_UNVERIFIED: Final = "Refused: identify the user first, with verify_customer."


class State(NamedTuple):
    """A conversation.

    Attributes:
        tables: The records.
        memory: What the user remembers.
        verified: Whether the customer has been identified.
        violations: Number of changes that the user had not agreed to.
        messages: Messages used.
        talk: The last lines of the conversation, if a model speaks for the user.
    """

    tables: Tables
    memory: Memory
    verified: bool = False
    violations: int = 0
    messages: int = 0
    talk: tuple[str, ...] = ()


Result = tuple[State, str]


class ServiceTools(ToolEnv):
    """Tools of the agent."""

    def user(self, inst: Instance) -> User:
        """The user of a task."""
        key = inst.key
        requests = [Request(**request) for request in key["requests"]]
        settings = needs(requests[0]) if key["device"] else frozenset[str]()
        return User(key["customer"], key["postcode"], requests, key["terse"], settings, key["style"])

    def line_works(self, inst: Instance, state: State) -> bool:
        """Whether every change that the line needs has been made."""
        request = self.user(inst).requests[0]
        made = {row["what"] for row in state.tables["ledger"].values() if row["id"] == request.id}
        return not request.refused and made.issuperset(name for name, _ in request.asks)

    @tool
    def say(  # noqa: D417
        self, inst: Instance, state: State, message: Text
    ) -> Result | Generator[Effect, Outcome, Result]:
        """Say something to the user; returns the user's reply.

        Args:
            message: what you say
        """
        user = self.user(inst)
        memory, plain = replies(user, state.memory, message, self.line_works(inst, state))
        if "user" in inst.problem:
            return self._worded(inst, state._replace(memory=memory), message, plain)
        return state._replace(memory=memory), f"User: {' '.join(plain)}"

    def _worded(
        self, inst: Instance, state: State, message: str, plain: list[str]
    ) -> Generator[Effect, Outcome, Result]:
        """Let a model choose the words of a reply."""
        said = cue(self.user(inst), state.memory, state.talk, message, plain)
        reply = " ".join((yield from speak(inst.problem["user"], said, FAITHFUL)))
        talk = (*state.talk, f"Agent: {message}", f"You: {reply}")[-REMEMBERED:]
        return state._replace(talk=talk), f"User: {reply}"

    @tool
    def verify_customer(self, inst: Instance, state: State, number: Short, postcode: Short) -> Result:  # noqa: D417
        """Identify the user by customer number and postcode.

        Args:
            number: the customer number
            postcode: the postcode
        """
        user = self.user(inst)
        if (number, postcode) != (user.number, user.postcode):
            return state, "Refused: this number and postcode do not belong to the same customer."
        return state._replace(verified=True), "The user is identified."

    @tool
    def get_customer(self, inst: Instance, state: State) -> Result:
        """Show the record of the identified user, with the ids of all bookings, orders or lines."""
        if not state.verified:
            return state, _UNVERIFIED
        number, table = self.user(inst).number, TABLE[inst.problem["domain"]]
        ids = [id for id, row in state.tables[table].items() if row["customer"] == number]
        return state, json.dumps({**state.tables["customers"][number], table: ids})

    @tool
    def get_booking(self, inst: Instance, state: State, code: Short) -> Result:  # noqa: D417
        """Show a booking.

        Args:
            code: code of the booking
        """
        return self._read(inst, state, code)

    @tool
    def cancel_booking(self, inst: Instance, state: State, code: Short, refund: Dollars) -> Result:  # noqa: D417
        """Cancel a booking.

        Args:
            code: code of the booking
            refund: dollars that the customer gets back
        """
        return self._change(inst, state, "cancel_booking", code=code, refund=refund)

    @tool
    def change_date(self, inst: Instance, state: State, code: Short, date: Short, fee: Dollars) -> Result:  # noqa: D417
        """Move a booking to another date.

        Args:
            code: code of the booking
            date: the new date, such as 2031-07-20
            fee: dollars that the customer pays
        """
        return self._change(inst, state, "change_date", code=code, date=date, fee=fee)

    @tool
    def add_bags(  # noqa: D417
        self, inst: Instance, state: State, code: Short, bags: Annotated[int, Field(ge=1, le=9)], price: Dollars
    ) -> Result:
        """Add bags to a booking.

        Args:
            code: code of the booking
            bags: number of bags to add
            price: dollars that the customer pays for them
        """
        return self._change(inst, state, "add_bags", code=code, bags=bags, price=price)

    @tool
    def compensate(self, inst: Instance, state: State, code: Short, amount: Dollars) -> Result:  # noqa: D417
        """Pay compensation for a delayed booking.

        Args:
            code: code of the booking
            amount: dollars that the customer gets
        """
        return self._change(inst, state, "compensate", code=code, amount=amount)

    @tool
    def get_order(self, inst: Instance, state: State, order: Short) -> Result:  # noqa: D417
        """Show an order.

        Args:
            order: id of the order
        """
        return self._read(inst, state, order)

    @tool
    def return_order(  # noqa: D417
        self, inst: Instance, state: State, order: Short, refund: Dollars, to: Literal["card", "credit"]
    ) -> Result:
        """Take back an order.

        Args:
            order: id of the order
            refund: dollars that the customer gets back
            to: whether the refund goes to the card or is store credit
        """
        return self._change(inst, state, "return_order", order=order, refund=refund, to=to)

    @tool
    def exchange_order(self, inst: Instance, state: State, order: Short, color: Short, charge: Dollars) -> Result:  # noqa: D417
        """Exchange an order for the same item in another color.

        Args:
            order: id of the order
            color: the new color
            charge: dollars that the customer pays
        """
        return self._change(inst, state, "exchange_order", order=order, color=color, charge=charge)

    @tool
    def cancel_order(self, inst: Instance, state: State, order: Short, refund: Dollars) -> Result:  # noqa: D417
        """Cancel an order.

        Args:
            order: id of the order
            refund: dollars that the customer gets back
        """
        return self._change(inst, state, "cancel_order", order=order, refund=refund)

    @tool
    def change_address(self, inst: Instance, state: State, order: Short, address: Short, fee: Dollars) -> Result:  # noqa: D417
        """Send an order to another address.

        Args:
            order: id of the order
            address: the new address
            fee: dollars that the customer pays
        """
        return self._change(inst, state, "change_address", order=order, address=address, fee=fee)

    @tool
    def get_line(self, inst: Instance, state: State, number: Short) -> Result:  # noqa: D417
        """Show a telephone line.

        Args:
            number: number of the line
        """
        return self._read(inst, state, number)

    @tool
    def refuel_data(  # noqa: D417
        self, inst: Instance, state: State, number: Short, gigabytes: Annotated[int, Field(ge=1, le=50)], price: Dollars
    ) -> Result:
        """Add data to a line.

        Args:
            number: number of the line
            gigabytes: gigabytes to add
            price: dollars that the customer pays for them
        """
        return self._change(inst, state, "refuel_data", number=number, gigabytes=gigabytes, price=price)

    @tool
    def enable_roaming(self, inst: Instance, state: State, number: Short, price: Dollars) -> Result:  # noqa: D417
        """Allow a line to use data abroad.

        Args:
            number: number of the line
            price: dollars that the customer pays for it
        """
        return self._change(inst, state, "enable_roaming", number=number, price=price)

    @tool
    def resume_line(self, inst: Instance, state: State, number: Short, charge: Dollars) -> Result:  # noqa: D417
        """Charge the customer for a suspended line, and resume it.

        Args:
            number: number of the line
            charge: dollars that the customer pays
        """
        return self._change(inst, state, "resume_line", number=number, charge=charge)

    def _refused(self, inst: Instance, state: State, id: str) -> str | None:
        """Why a record may not be used, or None."""
        if not state.verified:
            return _UNVERIFIED
        row = state.tables[TABLE[inst.problem["domain"]]].get(id)
        if row is None:
            return f"Refused: there is no {id[:40]!r}."
        return None if row["customer"] == self.user(inst).number else "Refused: it belongs to another customer."

    def _read(self, inst: Instance, state: State, id: str) -> Result:
        why = self._refused(inst, state, id)
        return state, why or json.dumps(state.tables[TABLE[inst.problem["domain"]]][id])

    def _change(self, inst: Instance, state: State, name: str, /, **arguments: JSON) -> Result:
        id = subject(arguments)
        why = self._refused(inst, state, id)
        if why is not None:
            return state, why
        agreed = (id, arguments[AMOUNT[name]]) in state.memory.agreed
        tables = changed(state.tables, TABLE[inst.problem["domain"]], name, arguments)
        return state._replace(tables=tables, violations=state.violations + (not agreed)), "Done."
