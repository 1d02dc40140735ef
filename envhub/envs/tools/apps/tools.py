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
        """List the mails of a folder, newest first, with their ids.

        Args:
            folder: which folder
            sender: only from addresses with this text in them
        """
        return self.use(inst, state, "mail_list", folder=folder, sender=sender)

    @tool
    def mail_read(self, inst: Instance, state: State, id: int) -> Result:  # noqa: D417
        """Show a mail.

        Args:
            id: id of the mail
        """
        return self.use(inst, state, "mail_read", id=id)

    @tool
    def mail_send(self, inst: Instance, state: State, to: list[str], subject: str, body: str) -> Result:  # noqa: D417
        """Send one mail.

        Args:
            to: addresses it goes to
            subject: its subject
            body: its text
        """
        return self.use(inst, state, "mail_send", to=to, subject=subject, body=body)

    @tool
    def mail_move(self, inst: Instance, state: State, id: int, folder: Folder) -> Result:  # noqa: D417
        """Move a mail to a folder.

        Args:
            id: id of the mail
            folder: where it goes
        """
        return self.use(inst, state, "mail_move", id=id, folder=folder)

    @tool
    def contacts_find(self, inst: Instance, state: State, text: str, group: str = "") -> Result:  # noqa: D417
        """Find contacts, with their ids.

        Args:
            text: part of a name or of anything else that a contact holds
            group: only of this group
        """
        return self.use(inst, state, "contacts_find", text=text, group=group)

    @tool
    def contacts_add(  # noqa: D417
        self, inst: Instance, state: State, name: str, email: str, phone: str, group: str
    ) -> Result:
        """Add a contact.

        Args:
            name: full name
            email: mail address
            phone: phone number
            group: its group
        """
        return self.use(inst, state, "contacts_add", name=name, email=email, phone=phone, group=group)

    @tool
    def contacts_change(  # noqa: D417
        self, inst: Instance, state: State, id: int, field: Literal["name", "email", "phone", "group"], value: str
    ) -> Result:
        """Change a field of a contact.

        Args:
            id: id of the contact
            field: which field
            value: what it is to hold
        """
        return self.use(inst, state, "contacts_change", id=id, field=field, value=value)

    @tool
    def calendar_list(self, inst: Instance, state: State, first: str, last: str) -> Result:  # noqa: D417
        """List the events from one day to another, with their ids.

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
        """Add an event. Nobody is told.

        Args:
            title: its title
            date: its day, YYYY-MM-DD
            start: when it begins, HH:MM
            end: when it ends, HH:MM
            place: where it is
            guests: mail addresses of guests
        """
        event = {"title": title, "date": date, "start": start, "end": end, "place": place, "guests": guests or []}
        return self.use(inst, state, "calendar_add", **event)

    @tool
    def calendar_move(  # noqa: D417
        self, inst: Instance, state: State, id: int, date: str, start: str, end: str
    ) -> Result:
        """Move an event to another day or time. Nobody is told.

        Args:
            id: id of the event
            date: the day, YYYY-MM-DD
            start: when it begins, HH:MM
            end: when it ends, HH:MM
        """
        return self.use(inst, state, "calendar_move", id=id, date=date, start=start, end=end)

    @tool
    def calendar_cancel(self, inst: Instance, state: State, id: int) -> Result:  # noqa: D417
        """Cancel an event. Nobody is told.

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
        """Write a text file; what it held before is gone.

        Args:
            path: its path
            text: all of its text
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
        """Show your accounts and what is on them."""
        return self.use(inst, state, "bank_accounts")

    @tool
    def bank_list(self, inst: Instance, state: State, account: Account) -> Result:  # noqa: D417
        """List what came in and went out of an account, newest first.

        Args:
            account: which of your accounts
        """
        return self.use(inst, state, "bank_list", account=account)

    @tool
    def bank_send(  # noqa: D417
        self, inst: Instance, state: State, account: Account, iban: str, cents: int, reference: str
    ) -> Result:
        """Send money from one of your accounts.

        Args:
            account: where it comes from
            iban: where it goes
            cents: how much, in cents
            reference: what it is for
        """
        return self.use(inst, state, "bank_send", account=account, iban=iban, cents=cents, reference=reference)

    @tool
    def shop_find(self, inst: Instance, state: State, text: str) -> Result:  # noqa: D417
        """Find products, with their ids.

        Args:
            text: part of the name or the category
        """
        return self.use(inst, state, "shop_find", text=text)

    @tool
    def shop_orders(self, inst: Instance, state: State) -> Result:
        """List your orders, with their ids."""
        return self.use(inst, state, "shop_orders")

    @tool
    def shop_order(self, inst: Instance, state: State, product: int, quantity: int) -> Result:  # noqa: D417
        """Order a product; it is paid on delivery.

        Args:
            product: id of the product
            quantity: how many pieces
        """
        return self.use(inst, state, "shop_order", product=product, quantity=quantity)

    @tool
    def shop_cancel(self, inst: Instance, state: State, order: int) -> Result:  # noqa: D417
        """Cancel an order that is only placed.

        Args:
            order: id of the order
        """
        return self.use(inst, state, "shop_cancel", order=order)


@cache
def _schemas(cls: type[AppTools]) -> tuple[JSON, ...]:
    return tuple(tool.schema() for tool in cls.tools.values())
