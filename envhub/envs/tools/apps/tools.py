"""The tools of ``apps-v0``, over :mod:`envhub.envs.tools.apps.tables`. Reading has no side effects."""

from __future__ import annotations

from functools import cache, cached_property
from typing import Any, Literal, NamedTuple

from envhub.authoring import ToolEnv, tool
from envhub.core.seeding import canonical_json
from envhub.core.types import JSON, Instance
from envhub.envs.tools.apps.tables import Refused, Tables, act

Account = Literal["checking", "savings"]
Folder = Literal["inbox", "archive", "receipts", "travel", "later", "sent", "trash"]


class State(NamedTuple):
    """The apps, messages so far, and the oracle's calls made.

    Calls are canonical JSON, from the oracle's plan.
    """

    tables: Tables
    messages: int = 0
    made: frozenset[str] = frozenset()


Result = tuple[State, str]


class AppTools(ToolEnv):
    """Mail, contacts, calendar, files, bank and shop."""

    @cached_property
    def tool_schemas(self) -> tuple[JSON, ...]:
        """The tool schemas, cached for all instances: there are many."""
        return _schemas(type(self))

    def use(self, inst: Instance, state: State, action: str, /, **arguments: Any) -> Result:
        """Perform an action in an app; a refused one changes nothing."""
        try:
            tables, shown = act(state.tables, action, arguments)
        except Refused as refused:
            return state, f"Refused: {refused}"
        text = canonical_json([action, arguments]).decode()
        made = state.made | {text} if text in inst.key["calls"] else state.made
        return state._replace(tables=tables, made=made), shown

    @tool
    def mail_list(self, inst: Instance, state: State, folder: Folder = "inbox", sender: str = "") -> Result:  # noqa: D417
        """List the emails in a folder, newest first, with their ids.

        Args:
            folder: the folder to list
            sender: list only emails whose sender address contains this text
        """
        return self.use(inst, state, "mail_list", folder=folder, sender=sender)

    @tool
    def mail_read(self, inst: Instance, state: State, id: int) -> Result:  # noqa: D417
        """Show an email.

        Args:
            id: id of the email
        """
        return self.use(inst, state, "mail_read", id=id)

    @tool
    def mail_send(self, inst: Instance, state: State, to: list[str], subject: str, body: str) -> Result:  # noqa: D417
        """Send one email.

        Args:
            to: addresses of the recipients
            subject: the subject
            body: the text
        """
        return self.use(inst, state, "mail_send", to=to, subject=subject, body=body)

    @tool
    def mail_move(self, inst: Instance, state: State, id: int, folder: Folder) -> Result:  # noqa: D417
        """Move an email to a folder.

        Args:
            id: id of the email
            folder: the folder to move it to
        """
        return self.use(inst, state, "mail_move", id=id, folder=folder)

    @tool
    def contacts_find(self, inst: Instance, state: State, text: str, group: str = "") -> Result:  # noqa: D417
        """Find contacts, with their ids.

        Args:
            text: part of any field of the contact
            group: find only contacts in this group
        """
        return self.use(inst, state, "contacts_find", text=text, group=group)

    @tool
    def contacts_add(  # noqa: D417
        self, inst: Instance, state: State, name: str, email: str, phone: str, group: str
    ) -> Result:
        """Add a contact.

        Args:
            name: full name
            email: email address
            phone: phone number
            group: the group
        """
        return self.use(inst, state, "contacts_add", name=name, email=email, phone=phone, group=group)

    @tool
    def contacts_change(  # noqa: D417
        self, inst: Instance, state: State, id: int, field: Literal["name", "email", "phone", "group"], value: str
    ) -> Result:
        """Set one field of a contact.

        Args:
            id: id of the contact
            field: the field to set
            value: its new value
        """
        return self.use(inst, state, "contacts_change", id=id, field=field, value=value)

    @tool
    def calendar_list(self, inst: Instance, state: State, first: str, last: str) -> Result:  # noqa: D417
        """List the events from one day to another, inclusive, with their ids.

        Args:
            first: first day, YYYY-MM-DD
            last: last day, YYYY-MM-DD
        """
        return self.use(inst, state, "calendar_list", first=first, last=last)

    @tool
    def calendar_add(  # noqa: D417
        self,
        inst: Instance,
        state: State,
        title: str,
        date: str,
        start: str,
        end: str,
        place: str = "",
        guests: list[str] | None = None,
    ) -> Result:
        """Add an event. This notifies nobody.

        Args:
            title: the title
            date: the day, YYYY-MM-DD
            start: start time, HH:MM
            end: end time, HH:MM
            place: the place
            guests: email addresses of the guests
        """
        event = {"title": title, "date": date, "start": start, "end": end, "place": place, "guests": guests or []}
        return self.use(inst, state, "calendar_add", **event)

    @tool
    def calendar_move(  # noqa: D417
        self, inst: Instance, state: State, id: int, date: str, start: str, end: str
    ) -> Result:
        """Move an event to another day or time. This notifies nobody.

        Args:
            id: id of the event
            date: the new day, YYYY-MM-DD
            start: the new start time, HH:MM
            end: the new end time, HH:MM
        """
        return self.use(inst, state, "calendar_move", id=id, date=date, start=start, end=end)

    @tool
    def calendar_cancel(self, inst: Instance, state: State, id: int) -> Result:  # noqa: D417
        """Cancel an event. This notifies nobody.

        Args:
            id: id of the event
        """
        return self.use(inst, state, "calendar_cancel", id=id)

    @tool
    def files_list(self, inst: Instance, state: State) -> Result:
        """List the paths of all files."""
        return self.use(inst, state, "files_list")

    @tool
    def files_read(self, inst: Instance, state: State, path: str) -> Result:  # noqa: D417
        """Show a text file.

        Args:
            path: its path
        """
        return self.use(inst, state, "files_read", path=path)

    @tool
    def files_write(self, inst: Instance, state: State, path: str, text: str) -> Result:  # noqa: D417
        """Write a text file. An existing file is overwritten.

        Args:
            path: its path
            text: its whole content
        """
        return self.use(inst, state, "files_write", path=path, text=text)

    @tool
    def files_delete(self, inst: Instance, state: State, path: str) -> Result:  # noqa: D417
        """Delete a file.

        Args:
            path: its path
        """
        return self.use(inst, state, "files_delete", path=path)

    @tool
    def bank_accounts(self, inst: Instance, state: State) -> Result:
        """List your accounts and their balances."""
        return self.use(inst, state, "bank_accounts")

    @tool
    def bank_list(self, inst: Instance, state: State, account: Account) -> Result:  # noqa: D417
        """List the transactions of an account, newest first.

        Args:
            account: the account
        """
        return self.use(inst, state, "bank_list", account=account)

    @tool
    def bank_send(  # noqa: D417
        self, inst: Instance, state: State, account: Account, iban: str, cents: int, reference: str
    ) -> Result:
        """Send money from one of your accounts.

        Args:
            account: the account to send from
            iban: IBAN of the recipient
            cents: the amount in cents
            reference: the reference
        """
        return self.use(inst, state, "bank_send", account=account, iban=iban, cents=cents, reference=reference)

    @tool
    def shop_find(self, inst: Instance, state: State, text: str) -> Result:  # noqa: D417
        """Find products, with their ids.

        Args:
            text: part of the name or of the category
        """
        return self.use(inst, state, "shop_find", text=text)

    @tool
    def shop_orders(self, inst: Instance, state: State) -> Result:
        """List your orders, with their ids."""
        return self.use(inst, state, "shop_orders")

    @tool
    def shop_order(self, inst: Instance, state: State, product: int, quantity: int) -> Result:  # noqa: D417
        """Order a product. Payment is on delivery.

        Args:
            product: id of the product
            quantity: number of pieces
        """
        return self.use(inst, state, "shop_order", product=product, quantity=quantity)

    @tool
    def shop_cancel(self, inst: Instance, state: State, order: int) -> Result:  # noqa: D417
        """Cancel an order whose status is "placed".

        Args:
            order: id of the order
        """
        return self.use(inst, state, "shop_cancel", order=order)


@cache
def _schemas(cls: type[AppTools]) -> tuple[JSON, ...]:
    return tuple(tool.schema() for tool in cls.tools.values())
