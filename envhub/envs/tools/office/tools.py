"""The tools of apps-v0, with pages."""

from __future__ import annotations

import json
from typing import Any

from envhub.authoring import tool
from envhub.core.types import JSON, Instance
from envhub.envs.tools.apps.tools import Account, AppTools, Folder
from envhub.envs.tools.office.drawing import perform


class OfficeTools(AppTools):
    """Mail, contacts, calendar, files, bank and shop, with lists in pages."""

    def use(self, inst: Instance, state: Any, action: str, /, **arguments: Any) -> Any:
        """Perform an action in an app; a refused one changes nothing."""
        state, told = perform(inst, state, action, arguments)
        if "refused" in told:
            return state, f"Refused: {told['refused']}"
        value = told["value"]
        return state, value if isinstance(value, str) else listed(value)

    @tool
    def mail_list(  # noqa: D417
        self, inst: Instance, state: Any, folder: Folder = "inbox", sender: str = "", page: int = 1
    ) -> Any:
        """List the emails in a folder, newest first, with their ids.

        Args:
            folder: the folder to list
            sender: list only emails whose sender address contains this text
            page: which page of the list
        """
        return self.use(inst, state, "mail_list", folder=folder, sender=sender, page=page)

    @tool
    def contacts_find(self, inst: Instance, state: Any, text: str, group: str = "", page: int = 1) -> Any:  # noqa: D417
        """Find contacts, with their ids.

        Args:
            text: part of any field of the contact
            group: find only contacts in this group
            page: which page of the list
        """
        return self.use(inst, state, "contacts_find", text=text, group=group, page=page)

    @tool
    def calendar_list(self, inst: Instance, state: Any, first: str, last: str, page: int = 1) -> Any:  # noqa: D417
        """List the events from one day to another, inclusive, with their ids.

        Args:
            first: first day, YYYY-MM-DD
            last: last day, YYYY-MM-DD
            page: which page of the list
        """
        return self.use(inst, state, "calendar_list", first=first, last=last, page=page)

    @tool
    def files_list(self, inst: Instance, state: Any, folder: str = "", page: int = 1) -> Any:  # noqa: D417
        """List the paths of files.

        Args:
            folder: list only the files of this folder
            page: which page of the list
        """
        return self.use(inst, state, "files_list", folder=folder, page=page)

    @tool
    def bank_list(self, inst: Instance, state: Any, account: Account, page: int = 1) -> Any:  # noqa: D417
        """List the transactions of an account, newest first.

        Args:
            account: the account
            page: which page of the list
        """
        return self.use(inst, state, "bank_list", account=account, page=page)

    @tool
    def shop_find(self, inst: Instance, state: Any, text: str, page: int = 1) -> Any:  # noqa: D417
        """Find products, with their ids.

        Args:
            text: part of the name or of the category
            page: which page of the list
        """
        return self.use(inst, state, "shop_find", text=text, page=page)

    @tool
    def shop_orders(self, inst: Instance, state: Any, page: int = 1) -> Any:  # noqa: D417
        """List your orders, with their ids.

        Args:
            page: which page of the list
        """
        return self.use(inst, state, "shop_orders", page=page)


def listed(value: JSON) -> str:
    """What an action tells, with one row on each line."""
    rows = next(
        (name for name, inner in value.items() if isinstance(inner, list) and inner and isinstance(inner[0], dict)), ""
    )
    if not rows:
        return json.dumps(value, ensure_ascii=False)
    head = json.dumps({name: inner for name, inner in value.items() if name != rows}, ensure_ascii=False)[:-1]
    lines = ",\n ".join(json.dumps(row, ensure_ascii=False) for row in value[rows])
    return f'{head}{", " if len(value) > 1 else ""}"{rows}": [\n {lines}]}}'
