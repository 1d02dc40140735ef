"""Apps as tables, with actions on them and differences between them.

The apps are mail, contacts, calendar, files, bank and shop. Tables are values: an action returns new ones and leaves
the old unchanged, so a state can be kept, forked and replayed. An impossible action raises :class:`Refused` with a
message that says what to do instead::

    tables, shown = ACTIONS["mail_move"](tables, id=7, folder="archive")
    difference(before, tables)          # Counter({'["mail", "changed", 7, {...}]': 1})
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Any, Final

from envhub.core.errors import nearest
from envhub.core.seeding import canonical_json
from envhub.core.types import JSON

Row = dict[str, Any]
Tables = Mapping[str, Mapping[Any, Row]]
Done = tuple[Tables, str]

TODAY: Final = "2027-03-10"
LAST_NUMBER: Final = 1000
"""Initial rows have smaller numbers."""
FOLDERS: Final = ("inbox", "archive", "receipts", "travel", "later", "sent", "trash")
_LONGEST: Final = 4000
_LONG_TEXTS: Final = frozenset({"body", "text"})
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME: Final = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
_ADDRESS: Final = re.compile(r"[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+")


class Refused(ValueError):
    """An app refuses an action; the message says why."""


def difference(before: Tables, after: Tables) -> Counter[str]:
    """Rows added, changed and removed, as texts.

    In the bodies of mails and the texts of files, white space at the ends of lines and texts is ignored. So are the
    order of recipients of a mail or an event, and the number of a new row.
    """
    found: Counter[str] = Counter()
    for table, rows in after.items():
        old = before[table]
        if rows is old:
            continue
        for id, row in rows.items():
            if id not in old:
                # a file is identified by its path; every other row gets a number, which is not part of the request
                found[_item(table, "added", id if table == "files" else None, row)] += 1
            elif row is not old[id] and _settled(row) != _settled(old[id]):
                found[_item(table, "changed", id, row)] += 1
        for id in old:
            if id not in rows:
                found[_item(table, "removed", id, {})] += 1
    return found


def _item(table: str, what: str, id: Any, row: Row) -> str:
    return canonical_json([table, what, id, _settled(row)]).decode()


def _settled(row: Row) -> Row:
    def settle(name: str, value: Any) -> Any:
        if isinstance(value, list):
            return sorted(item.lower() for item in value)
        return "\n".join(line.rstrip() for line in value.splitlines()).strip() if name in _LONG_TEXTS else value

    return {name: settle(name, value) for name, value in row.items()}


def euros(cents: int) -> str:
    """An amount of money with two decimals."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def later(day: str, days: int) -> str:
    """The day this many days after another."""
    return (date.fromisoformat(day) + timedelta(days)).isoformat()


# -- what all actions share ------------------------------------------------------------------------------------------------


def _put(tables: Tables, table: str, id: Any, row: Row) -> Tables:
    return {**tables, table: {**tables[table], id: row}}


def _drop(tables: Tables, table: str, id: Any) -> Tables:
    return {**tables, table: {key: row for key, row in tables[table].items() if key != id}}


def _new(tables: Tables, table: str, row: Row) -> tuple[Tables, int]:
    """Add a row with a number that no initial row ever had.

    Else a removal and an addition could look like one changed row, depending on their order.
    """
    id = max((LAST_NUMBER, *tables[table])) + 1
    return _put(tables, table, id, row), id


def _row(tables: Tables, table: str, id: Any, what: str) -> Row:
    row = tables[table].get(id)
    if row is None:
        raise Refused(f"There is no {what} {str(id)[:60]!r}.")
    return row


def _short(text: str, what: str, most: int = 200) -> str:
    if len(text) > most:
        raise Refused(f"The {what} may have {most} characters at most, got {len(text)}.")
    return text


def _day(text: str) -> str:
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text).isoformat()
    except ValueError:
        pass
    raise Refused(f"A day is written as YYYY-MM-DD, got {text[:40]!r}.")


def _span(start: str, end: str) -> None:
    for text in (start, end):
        if not _TIME.fullmatch(text):
            raise Refused(f"A time is written as HH:MM, 24 hours, got {text[:40]!r}.")
    if not start < end:
        raise Refused(f"An event ends after it begins, got {start} to {end}.")


def _addresses(given: list[str], least: int = 1) -> list[str]:
    if not least <= len(given) <= 50:
        raise Refused(f"From {least} to 50 addresses are possible, got {len(given)}.")
    for address in given:
        if len(address) > 200 or not _ADDRESS.fullmatch(address):
            raise Refused(f"{address[:60]!r} is no mail address; contacts_find knows those of your contacts.")
    return sorted({address.lower() for address in given})


def _lines(lines: list[str], none: str) -> str:
    return "\n".join(lines) or none


# -- mail and contacts -------------------------------------------------------------------------------------------------------


def mail_list(tables: Tables, folder: str, sender: str) -> Done:
    """The mails of a folder, newest first."""
    rows = [
        (row["date"], id, row)
        for id, row in tables["mail"].items()
        if row["folder"] == folder and sender.lower() in row["from"].lower()
    ]
    told = [f"{id} | {day} | from {row['from']} | {row['subject']}" for day, id, row in sorted(rows, key=_newest)]
    return tables, _lines(told, "No mails.")


def _newest(entry: tuple[str, int, Row]) -> tuple[int, int]:
    day, id, _ = entry
    return -date.fromisoformat(day).toordinal(), id


def mail_read(tables: Tables, id: int) -> Done:
    """One mail."""
    row = _row(tables, "mail", id, "mail")
    head = f"Folder: {row['folder']}\nDate: {row['date']}\nFrom: {row['from']}\nTo: {', '.join(row['to'])}"
    return tables, f"{head}\nSubject: {row['subject']}\n\n{row['body']}"


def mail_send(tables: Tables, to: list[str], subject: str, body: str) -> Done:
    """Send one mail to all recipients."""
    row = {
        "folder": "sent",
        "date": TODAY,
        "from": "me@home.example",
        "to": _addresses(to),
        "subject": _short(subject, "subject"),
        "body": _short(body, "body", _LONGEST),
    }
    tables, id = _new(tables, "mail", row)
    return tables, f"Sent as mail {id}."


def mail_move(tables: Tables, id: int, folder: str) -> Done:
    """Move a mail to another folder."""
    return _put(
        tables, "mail", id, {**_row(tables, "mail", id, "mail"), "folder": folder}
    ), f"Mail {id} is in {folder}."


def contacts_find(tables: Tables, text: str, group: str) -> Done:
    """Find contacts by a part of any field."""
    told = [
        f"{id} | {row['name']} | group {row['group']} | {row['email']} | phone {row['phone']} | birthday "
        f"{row['birthday'] or 'unknown'} | IBAN {row['iban'] or 'unknown'}"
        for id, row in sorted(tables["contacts"].items())
        if group.lower() in ("", row["group"].lower())
        and any(text.lower() in value.lower() for value in row.values() if isinstance(value, str))
    ]
    return tables, _lines(told, "No contacts.")


def contacts_add(tables: Tables, name: str, email: str, phone: str, group: str) -> Done:
    """Add a contact without birthday and IBAN."""
    [address] = _addresses([email])
    row = {
        "name": _short(name, "name"),
        "email": address,
        "phone": _short(phone, "phone"),
        "group": _short(group, "group"),
    }
    tables, id = _new(tables, "contacts", {**row, "birthday": "", "iban": ""})
    return tables, f"Added as contact {id}."


def contacts_change(tables: Tables, id: int, field: str, value: str) -> Done:
    """Change one field."""
    row = _row(tables, "contacts", id, "contact")
    if field == "email":
        [value] = _addresses([value])
    return _put(tables, "contacts", id, {**row, field: _short(value, field)}), f"Contact {id} was changed."


# -- calendar and files ------------------------------------------------------------------------------------------------------


def calendar_list(tables: Tables, first: str, last: str) -> Done:
    """The events from one day to another."""
    first, last = _day(first), _day(last)
    told = [
        f"{id} | {row['date']} {row['start']}-{row['end']} | {row['title']} | place: {row['place'] or 'none'} | "
        f"guests: {', '.join(row['guests']) or 'none'}"
        for id, row in sorted(tables["events"].items(), key=lambda e: (e[1]["date"], e[1]["start"], e[0]))
        if first <= row["date"] <= last
    ]
    return tables, _lines(told, "No events.")


def calendar_add(
    tables: Tables, title: str, date: str, start: str, end: str, place: str = "", guests: list[str] | None = None
) -> Done:
    """A new event."""
    _span(start, end)
    row = {"title": _short(title, "title"), "date": _day(date), "start": start, "end": end}
    tables, id = _new(tables, "events", {**row, "place": _short(place, "place"), "guests": _addresses(guests or [], 0)})
    return tables, f"Added as event {id}."


def calendar_move(tables: Tables, id: int, date: str, start: str, end: str) -> Done:
    """Move an event to another day and time."""
    row = _row(tables, "events", id, "event")
    _span(start, end)
    return _put(tables, "events", id, {**row, "date": _day(date), "start": start, "end": end}), f"Event {id} was moved."


def calendar_cancel(tables: Tables, id: int) -> Done:
    """Delete an event; nobody is notified."""
    _row(tables, "events", id, "event")
    return _drop(tables, "events", id), f"Event {id} was cancelled. Nobody was told."


def files_list(tables: Tables) -> Done:
    """All paths."""
    return tables, _lines(sorted(tables["files"]), "No files.")


def _file(tables: Tables, path: str) -> Row:
    if path not in tables["files"]:
        raise Refused(f"There is no file {path[:100]!r}.{nearest(path[:100], tables['files'])}")
    return tables["files"][path]


def files_read(tables: Tables, path: str) -> Done:
    """The text of a file."""
    return tables, str(_file(tables, path)["text"])


def files_write(tables: Tables, path: str, text: str) -> Done:
    """Write a file, replacing its content."""
    if not re.fullmatch(r"[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*", _short(path, "path")):
        raise Refused("A path is made of names with letters, digits, and the signs _ . -, with / between them.")
    return _put(tables, "files", path, {"text": _short(text, "text", _LONGEST)}), f"{path} was written."


def files_delete(tables: Tables, path: str) -> Done:
    """Delete a file."""
    _file(tables, path)
    return _drop(tables, "files", path), f"{path} was deleted."


# -- bank and shop -----------------------------------------------------------------------------------------------------------


def bank_accounts(tables: Tables) -> Done:
    """Your own accounts."""
    return tables, _lines(
        [f"{name} | {euros(row['balance'])} euros" for name, row in tables["accounts"].items()], "None."
    )


def bank_list(tables: Tables, account: str) -> Done:
    """Incoming and outgoing transfers, newest first."""
    _row(tables, "accounts", account, "account")
    rows = [(row["date"], id, row) for id, row in tables["transfers"].items() if row["account"] == account]
    told = [
        f"{id} | {day} | {euros(row['amount'])} euros | {'to' if row['amount'] < 0 else 'from'} {row['iban']} | "
        f"{row['reference']}"
        for day, id, row in sorted(rows, key=_newest)
    ]
    return tables, _lines(told, "No transfers.")


def bank_send(tables: Tables, account: str, iban: str, cents: int, reference: str) -> Done:
    """Send money to an account."""
    row = _row(tables, "accounts", account, "account")
    iban = iban.replace(" ", "").upper()
    if not re.fullmatch(r"[A-Z]{2}[0-9]{8}", iban):
        raise Refused("An IBAN here is two letters and eight digits.")
    if not 0 < cents <= row["balance"]:
        raise Refused(f"From 1 to {row['balance']} cents can be sent from {account}, got {str(cents)[:20]}.")
    tables = _put(tables, "accounts", account, {**row, "balance": row["balance"] - cents})
    sent = {
        "account": account,
        "date": TODAY,
        "amount": -cents,
        "iban": iban,
        "reference": _short(reference, "reference"),
    }
    tables, id = _new(tables, "transfers", sent)
    return tables, f"{euros(cents)} euros were sent as transfer {id}."


def shop_find(tables: Tables, text: str) -> Done:
    """Products by a part of name or category."""
    told = [
        f"{id} | {row['name']} | {row['category']} | {euros(row['price'])} euros | {row['stars']} stars | "
        f"{row['stock']} in stock"
        for id, row in sorted(tables["products"].items())
        if text.lower() in row["name"].lower() or text.lower() in row["category"].lower()
    ]
    return tables, _lines(told, "No products.")


def shop_orders(tables: Tables) -> Done:
    """Your orders."""
    told = [
        f"{id} | {row['quantity']} x {row['name']} (product {row['product']}) | {row['status']}"
        for id, row in sorted(tables["orders"].items())
    ]
    return tables, _lines(told, "No orders.")


def shop_order(tables: Tables, product: int, quantity: int) -> Done:
    """Order a product."""
    row = _row(tables, "products", product, "product")
    if not 1 <= quantity <= row["stock"]:
        raise Refused(f"From 1 to {row['stock']} pieces of {row['name']} can be ordered, got {str(quantity)[:20]}.")
    tables = _put(tables, "products", product, {**row, "stock": row["stock"] - quantity})
    order = {"product": product, "name": row["name"], "quantity": quantity, "status": "placed"}
    tables, id = _new(tables, "orders", order)
    return tables, f"Ordered as order {id}: {quantity} x {row['name']}, {euros(quantity * row['price'])} euros."


def shop_cancel(tables: Tables, order: int) -> Done:
    """Cancel an order that has not shipped."""
    row = _row(tables, "orders", order, "order")
    if row["status"] != "placed":
        raise Refused(f"Order {order} is {row['status']} and cannot be cancelled.")
    # stock is not increased: it is the shop's affair
    return _put(tables, "orders", order, {**row, "status": "cancelled"}), f"Order {order} was cancelled."


ACTIONS: Final[dict[str, Callable[..., Done]]] = {
    action.__name__: action
    for action in (
        *(mail_list, mail_read, mail_send, mail_move, contacts_find, contacts_add, contacts_change),
        *(calendar_list, calendar_add, calendar_move, calendar_cancel),
        *(files_list, files_read, files_write, files_delete),
        *(bank_accounts, bank_list, bank_send, shop_find, shop_orders, shop_order, shop_cancel),
    )
}


def act(tables: Tables, name: str, arguments: Mapping[str, JSON]) -> Done:
    """Perform an action by name.

    Raises:
        Refused: The action is not possible.
    """
    return ACTIONS[name](tables, **arguments)
