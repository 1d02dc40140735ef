"""Reaches the goals of gui-site-v0 by their words and the pages alone, without a browser and without the engine."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tests.support.visitor import Visitor

FOLDERS = ("Inbox", "Archive", "Projects", "Receipts")
MONTHS = ("January", "February", "March", "April", "May", "June", "July")
_CALLED = r'"(?P<subject>[^"]+)" from (?P<person>\w+ \w+)'


def reach(visitor: Visitor, goal: str) -> str | None:
    """Reach a goal; the answer, if it asks for one."""
    ((pattern, solver),) = [(pattern, solver) for pattern, solver in SOLVERS.items() if re.search(pattern, goal)]
    found = re.search(pattern, goal)
    assert found is not None
    return solver(visitor, {key: value or "" for key, value in found.groupdict().items()})


Given = dict[str, str]


# -- mail ----------------------------------------------------------------------------------------------------------------


def _messages(visitor: Visitor, folder: str) -> list[list[str]]:
    visitor.follow(folder)
    return visitor.list()


def _open(visitor: Visitor, given: Given) -> None:
    line = f"{given['subject']} ({given['person']})"
    for folder in FOLDERS:
        if any(row[0] == line for row in _messages(visitor, folder)):
            visitor.follow(folder)
            visitor.turn_to(line)
            return
    raise AssertionError(line)


def _number(visitor: Visitor) -> str:
    found = re.search(r"reference number is (\d+)", visitor.text)
    assert found is not None
    return found[1]


def move(visitor: Visitor, given: Given) -> None:
    _open(visitor, given)
    visitor.send("Move", Folder=given["folder"])


def star(visitor: Visitor, given: Given) -> None:
    for row in _messages(visitor, "Inbox"):
        if row[0].endswith(f"({given['person']})"):
            visitor.follow("Inbox")
            visitor.turn_to(row[0])
            visitor.send("Star")


def reply(visitor: Visitor, given: Given) -> None:
    _open(visitor, given)
    visitor.follow("Reply")
    visitor.send("Send", Text=given["text"])


def report(visitor: Visitor, given: Given) -> None:
    _open(visitor, given)
    number = _number(visitor)
    visitor.follow("New message")
    visitor.send("Send", To=given["to"], Subject=given["new"], Text=number)


def delete_oldest(visitor: Visitor, given: Given) -> None:
    oldest = min(_messages(visitor, given["folder"]), key=lambda row: row[1])
    visitor.follow(given["folder"])
    visitor.turn_to(oldest[0])
    visitor.follow("Delete")
    visitor.send("Confirm")


def newest_number(visitor: Visitor, given: Given) -> str:
    theirs = [row for row in _messages(visitor, "Inbox") if row[0].endswith(f"({given['person']})")]
    visitor.follow("Inbox")
    visitor.turn_to(max(theirs, key=lambda row: row[1])[0])
    return _number(visitor)


# -- calendar ------------------------------------------------------------------------------------------------------------


def _day(visitor: Visitor, date: str) -> list[list[str]]:
    visitor.follow("This month")
    while date not in visitor.links():
        visitor.follow("Next month")
    visitor.follow(date)
    return visitor.rows[1:]


def _hours(row: list[str]) -> set[int]:
    start, end = (int(hour) for hour in re.findall(r"(\d+):00", row[0]))
    return set(range(start, end))


def _iso(date: str) -> str:
    day, month = date.split()
    return f"2026-{MONTHS.index(month) + 1:02}-{int(day):02}"


def create(visitor: Visitor, given: Given) -> None:
    _day(visitor, given["date"])
    visitor.follow("New event")
    hours = int(given["end"]) - int(given["start"])
    visitor.send("Create", Title=given["title"], Start=f"{given['start']}:00", Hours=str(hours))


def postpone(visitor: Visitor, given: Given) -> None:
    busy: set[int] = set().union(*map(_hours, _day(visitor, given["to"])))
    row = next(row for row in _day(visitor, given["date"]) if row[1] == given["title"])
    length = len(_hours(row))
    start = next(hour for hour in range(8, 18) if not busy & set(range(hour, hour + length)))
    visitor.follow(given["title"])
    visitor.send("Save", Date=_iso(given["to"]), Start=f"{start}:00")


def cancel_event(visitor: Visitor, given: Given) -> None:
    _day(visitor, given["date"])
    visitor.follow(given["title"], "Delete")
    visitor.send("Confirm")


def invite(visitor: Visitor, given: Given) -> None:
    for row in _day(visitor, given["date"]):
        if given["person"] not in row[2].split(", "):
            _day(visitor, given["date"])
            visitor.follow(row[1])
            visitor.send("Invite", Guest=given["person"])


def hours(visitor: Visitor, given: Given) -> str:
    return str(sum(len(_hours(row)) for row in _day(visitor, given["date"])))


# -- shop ----------------------------------------------------------------------------------------------------------------


def _products(visitor: Visitor, category: str) -> list[list[str]]:
    visitor.follow("Products")
    return [row for row in visitor.list() if row[1] == category]


def _product(visitor: Visitor, name: str) -> None:
    visitor.follow("Products")
    visitor.turn_to(name)


def add(visitor: Visitor, given: Given) -> None:
    fitting = [row for row in _products(visitor, given["category"]) if float(row[3]) >= float(given["rating"])]
    _product(visitor, min(fitting, key=lambda row: int(row[2]))[0])
    visitor.send("Add to basket", Colour=given["colour"], Quantity=given["count"])


def take_out(visitor: Visitor, given: Given) -> None:
    visitor.follow("Basket")
    visitor.send(f"Remove {given['line']}")


def wish(visitor: Visitor, given: Given) -> None:
    for row in _products(visitor, given["category"]):
        if int(row[2]) <= int(given["bound"]):
            _product(visitor, row[0])
            visitor.send("Add to wish list")


def price(visitor: Visitor, given: Given) -> str:
    return max(_products(visitor, given["category"]), key=lambda row: float(row[3]))[2]


def order(visitor: Visitor, given: Given) -> None:
    visitor.follow("Basket", "Checkout")
    visitor.send("Order", Address=given["address"], Delivery=given["speed"])


# -- flights -------------------------------------------------------------------------------------------------------------


def _flights(visitor: Visitor, given: Given) -> list[list[str]]:
    visitor.follow("Search")
    day, month = given["date"].split()
    date = _iso(f"{day} {month}")
    visitor.send("Find flights", From=given["start"], To=given["end"], Date=date)
    return visitor.list()


def _seat(visitor: Visitor, given: Given, prefix: str) -> str:
    rows = [row for row in visitor.rows if row and row[0].isdigit() and len(row) == 7]
    columns = (1, 6) if given["side"] == "window" else (3, 4)
    free = [[row[column] for column in columns if row[column] != "taken"] for row in rows]
    found = [each for each in free if each]
    seat = (found[0] if given["row"] == "lowest" else found[-1])[0]
    assert seat.startswith(prefix)
    return seat


def book(visitor: Visitor, given: Given) -> None:
    found = [row for row in _flights(visitor, given) if not given["direct"] or row[2] == "direct"]
    _flights_page(visitor, given, min(found, key=lambda row: int(row[3]))[0])
    visitor.follow(_seat(visitor, given, "Seat "))
    visitor.send("Continue", Passenger=given["person"], Bags=given["bags"])
    visitor.send("Confirm")


def _flights_page(visitor: Visitor, given: Given, number: str) -> None:
    visitor.follow("Search")
    visitor.send("Find flights", From=given["start"], To=given["end"], Date=_iso(given["date"]))
    visitor.turn_to(number)


def _booking(visitor: Visitor, person: str) -> None:
    visitor.follow("Bookings")
    visitor.follow(next(row[0] for row in visitor.rows[1:] if row[2] == person))


def cancel_booking(visitor: Visitor, given: Given) -> None:
    _booking(visitor, given["person"])
    visitor.follow("Cancel this booking")
    visitor.send("Confirm")


def reseat(visitor: Visitor, given: Given) -> None:
    _booking(visitor, given["person"])
    visitor.send(_seat(visitor, given, "Move to "))


def bags(visitor: Visitor, given: Given) -> None:
    _booking(visitor, given["person"])
    visitor.send("Save", Bags=given["bags"])


def first_flight(visitor: Visitor, given: Given) -> str:
    return min(_flights(visitor, given), key=lambda row: row[1])[0]


# -- admin ---------------------------------------------------------------------------------------------------------------


def _users(visitor: Visitor) -> list[list[str]]:
    visitor.follow("Users")
    return visitor.list()


def _user(visitor: Visitor, email: str) -> list[str]:
    row = next(row for row in _users(visitor) if row[2] == email)
    visitor.follow("Users")
    visitor.turn_to(email)
    return row


def role(visitor: Visitor, given: Given) -> None:
    _user(visitor, given["email"])
    visitor.send("Save", Role=given["role"])


def quota(visitor: Visitor, given: Given) -> None:
    row = _user(visitor, given["email"])
    visitor.send("Save", Quota=str(int(row[7]) + int(given["more"])))


def _apply(visitor: Visitor, action: str, emails: list[str]) -> None:
    for email in emails:  # one after the other, on whichever page they are
        visitor.follow("Users")
        while email not in visitor.links():
            visitor.follow("Next page")
        visitor.send("Apply", (email,), Action=action)
        visitor.send("Confirm")


def suspend(visitor: Visitor, given: Given) -> None:
    old = [
        row[2]
        for row in _users(visitor)
        if row[3] == given["department"] and row[5] == "Active" and row[6] < given["bound"]
    ]
    _apply(visitor, "Suspend", old)


def remove_user(visitor: Visitor, given: Given) -> None:
    invited = [row for row in _users(visitor) if row[4] == given["role"] and row[5] == "Invited"]
    _apply(visitor, "Remove", [max(invited, key=lambda row: int(row[7]))[2]])


def last_login(visitor: Visitor, given: Given) -> str:
    return max((row for row in _users(visitor) if row[3] == given["department"]), key=lambda row: row[6])[2]


# -- wiki ----------------------------------------------------------------------------------------------------------------


def _article(visitor: Visitor, title: str) -> dict[str, str]:
    for kind in ("Towns", "Regions", "Rivers"):
        visitor.follow(kind)
        if any(row[0] == title for row in visitor.list()):
            visitor.follow(kind)
            visitor.turn_to(title)
            return {row[0]: row[1] for row in visitor.rows if len(row) == 2}
    raise AssertionError(title)


def _edit(visitor: Visitor, given: Given) -> None:
    visitor.follow("Edit")
    visitor.send("Save", **{given["name"]: given["value"], "Summary": given["summary"]})


def edit(visitor: Visitor, given: Given) -> None:
    _article(visitor, given["title"])
    _edit(visitor, given)


def chain(visitor: Visitor, given: Given) -> None:
    region = _article(visitor, given["town"])["Region"]
    capital = _article(visitor, region)["Capital"]
    _article(visitor, _article(visitor, capital)["River"])
    _edit(visitor, given)


def undo(visitor: Visitor, given: Given) -> None:
    _article(visitor, given["title"])
    visitor.follow("History")
    visitor.send(f"Restore version {int(visitor.rows[-1][0]) - 1}")


def watch(visitor: Visitor, given: Given) -> None:
    visitor.follow("Towns")
    for (title,) in visitor.list():
        if _article(visitor, title)["Region"] == given["region"]:
            visitor.send("Watch")


def mayor(visitor: Visitor, given: Given) -> str:
    source = _article(visitor, given["river"])["Source"]
    capital = _article(visitor, _article(visitor, source)["Region"])["Capital"]
    return _article(visitor, capital)["Mayor"]


_SEAT = r"the free (?P<side>\w+) seat in the row with the (?P<row>\w+) number"
_ROUTE = r"flight from (?P<start>[\w ]+) to (?P<end>[\w ]+) on (?P<date>\d+ \w+) 2026"
_CHANGE = r'change "(?P<name>\w+)" to (?P<value>\d+), with the summary "(?P<summary>[^"]+)"'
SOLVERS: dict[str, Callable[[Visitor, Given], Any]] = {
    rf"^Move the message {_CALLED} from the folder Inbox to the folder (?P<folder>\w+)\.$": move,
    r"^Star each message from (?P<person>\w+ \w+) that is in the folder Inbox\.$": star,
    rf'^Reply to the message {_CALLED}\. The text of the reply is "(?P<text>[^"]+)"\.$': reply,
    rf'^Send (?P<to>\w+ \w+) a new message with the subject "(?P<new>[^"]+)"\. .* message {_CALLED}, and nothing': report,
    r"^Delete the oldest message of the folder (?P<folder>\w+)\.$": delete_oldest,
    r"^Report the reference number stated in the newest message from (?P<person>\w+ \w+) in": newest_number,
    r'^Create the event "(?P<title>[^"]+)" on (?P<date>\d+ \w+), from (?P<start>\d+):00 to (?P<end>\d+):00\.$': create,
    r'^Move the event "(?P<title>[^"]+)" of (?P<date>\d+ \w+) to (?P<to>\d+ \w+)\. It keeps its length and': postpone,
    r'^Delete the event "(?P<title>[^"]+)" of (?P<date>\d+ \w+)\.$': cancel_event,
    r"^Make sure that (?P<person>\w+ \w+) is a guest of each event of (?P<date>\d+ \w+)\.$": invite,
    r"^Report how many hours the events of (?P<date>\d+ \w+) take": hours,
    r"^Add (?P<count>\d+) pieces, in (?P<colour>\w+), of the cheapest (?P<category>\w+) .* at least (?P<rating>[\d.]+) to": add,
    r"^Remove the (?P<line>.+\)) from the basket\.$": take_out,
    r"^Add each (?P<category>\w+) that costs at most (?P<bound>\d+) to the wish list\.$": wish,
    r"^Report the price of the (?P<category>\w+) with the highest rating": price,
    r'^Finally, order .* address "(?P<address>[^"]+)" with the delivery "(?P<speed>[^"]+)"\.$': order,
    rf"^Book the cheapest (?P<direct>direct )?{_ROUTE} for (?P<person>\w+ \w+), with (?P<bags>\d) bags?\. .*{_SEAT}": book,
    r"^Cancel the booking of (?P<person>\w+ \w+)\.$": cancel_booking,
    rf"^Move (?P<person>\w+ \w+), who has a booking, .*{_SEAT}": reseat,
    r"^Change the number of bags in the booking of (?P<person>\w+ \w+) to (?P<bags>\d)\.$": bags,
    rf"^Report the number, such as EN007, of the {_ROUTE} that departs first": first_flight,
    r"^Change the role of .*\((?P<email>[^)]+)\) to (?P<role>\w+)\.$": role,
    r"^Raise the quota of .*\((?P<email>[^)]+)\) by (?P<more>\d+)\.$": quota,
    r"^Suspend each active user of the department (?P<department>\w+) whose last login was before (?P<bound>[\d-]+)": suspend,
    r"^Of the users with the role (?P<role>\w+) and the status Invited, remove": remove_user,
    r"^Report the e-mail address of the user of the department (?P<department>\w+) who": last_login,
    rf"^In the article (?P<title>(?!on the river)[\w ]+), {_CHANGE}": edit,
    rf"^In the article on the river of the capital of the region in which (?P<town>[\w ]+) lies, {_CHANGE}": chain,
    r"^Undo the last edit of the article (?P<title>[\w ]+): restore": undo,
    r"^Watch the article of each town in (?P<region>\w+), and no other": watch,
    r"^Report the mayor of the capital of the region in which the source of the river (?P<river>\w+) lies\.$": mayor,
}
"""How each kind of goal is reached, by its words."""
