"""The actions of the apps; reading returns data in pages.

Writing is that of :mod:`envhub.envs.tools.apps.tables`.

::

    tables, told = act(tables, "mail_list", {"folder": "inbox", "sender": "", "page": 2})
    told["page"], told["pages"], told["mails"][0]["subject"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any, Final

from envhub.core.types import JSON
from envhub.envs.tools.apps import tables as apps
from envhub.envs.tools.apps.tables import Refused, Row, Tables, euros

PAGE: Final = 10
"""Rows of a page."""
Read = dict[str, JSON]


def act(tables: Tables, name: str, arguments: Mapping[str, Any]) -> tuple[Tables, JSON]:
    """Perform an action by name.

    Returns the tables after it, and what it tells.

    Raises:
        Refused: The action is not possible.
    """
    if name in READS:
        return tables, READS[name](tables, **arguments)
    return apps.act(tables, name, arguments)


def pages(count: int) -> int:
    """The number of pages on which this many rows are listed."""
    return max(1, -(-count // PAGE))


def _page(what: str, rows: Iterable[Row], page: int) -> Read:
    listed = list(rows)
    last = pages(len(listed))
    if not 1 <= page <= last:
        raise Refused(f"There are pages 1 to {last}, got {str(page)[:20]}.")
    return {"page": page, "pages": last, what: listed[(page - 1) * PAGE : page * PAGE]}


def _newest_first(rows: Mapping[Any, Row]) -> list[tuple[int, Row]]:
    return sorted(rows.items(), key=lambda entry: (-date.fromisoformat(entry[1]["date"]).toordinal(), entry[0]))


def _mail_list(tables: Tables, folder: str, sender: str, page: int) -> Read:
    rows = (
        {"id": id, "date": row["date"], "from": row["from"], "subject": row["subject"]}
        for id, row in _newest_first(tables["mail"])
        if row["folder"] == folder and sender.lower() in row["from"].lower()
    )
    return _page("mails", rows, page)


def _mail_read(tables: Tables, id: int) -> Read:
    apps.mail_read(tables, id)  # refuses an unknown one
    return {"id": id, **tables["mail"][id]}


def _contacts_find(tables: Tables, text: str, group: str, page: int) -> Read:
    rows = (
        {"id": id, **row}
        for id, row in sorted(tables["contacts"].items())
        if group.lower() in ("", row["group"].lower())
        and any(text.lower() in value.lower() for value in row.values() if isinstance(value, str))
    )
    return _page("contacts", rows, page)


def _calendar_list(tables: Tables, first: str, last: str, page: int) -> Read:
    apps.calendar_list(tables, first, last)  # refuses what is no day
    rows = (
        {"id": id, **row}
        for id, row in sorted(tables["events"].items(), key=lambda e: (e[1]["date"], e[1]["start"], e[0]))
        if first <= row["date"] <= last
    )
    return _page("events", rows, page)


def _files_list(tables: Tables, folder: str, page: int) -> Read:
    start = f"{folder.rstrip('/')}/" if folder else ""
    return _page("files", ({"path": path} for path in sorted(tables["files"]) if path.startswith(start)), page)


def _files_read(tables: Tables, path: str) -> Read:
    _, text = apps.files_read(tables, path)
    return {"path": path, "text": text}


def _bank_accounts(tables: Tables) -> Read:
    return {"accounts": [{"account": name, "euros": euros(row["balance"])} for name, row in tables["accounts"].items()]}


def _bank_list(tables: Tables, account: str, page: int) -> Read:
    rows = (
        {
            "id": id,
            "date": row["date"],
            "euros": euros(row["amount"]),
            "iban": row["iban"],
            "reference": row["reference"],
        }
        for id, row in _newest_first(tables["transfers"])
        if row["account"] == account
    )
    return _page("transfers", rows, page)


def _shop_find(tables: Tables, text: str, page: int) -> Read:
    rows = (
        {"id": id, **row, "price": euros(row["price"])}
        for id, row in sorted(tables["products"].items())
        if text.lower() in row["name"].lower() or text.lower() in row["category"].lower()
    )
    return _page("products", rows, page)


def _shop_orders(tables: Tables, page: int) -> Read:
    return _page("orders", ({"id": id, **row} for id, row in sorted(tables["orders"].items())), page)


READS: Final[dict[str, Callable[..., Read]]] = {
    action.__name__[1:]: action
    for action in (
        *(_mail_list, _mail_read, _contacts_find, _calendar_list, _files_list, _files_read),
        *(_bank_accounts, _bank_list, _shop_find, _shop_orders),
    )
}
