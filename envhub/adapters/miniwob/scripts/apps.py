"""Scripts of pages that are small applications."""

from __future__ import annotations

import re
from typing import Final

from envhub.adapters.miniwob.scripts.clicking import pick_date
from envhub.adapters.miniwob.scripts.view import (
    Item,
    Lost,
    Script,
    Scripted,
    View,
    click,
    drag,
    fill,
    first,
    wait,
)


def _thread(view: View, sender: str) -> int:
    """The place of a sender's mail in the list of items."""
    return first(at for at, each in enumerate(view.items) if each.text == sender and "email-sender" in each.classes)


def _after(view: View, at: int, name: str) -> Item:
    """The next item with a class."""
    return first(each for each in view.items[at:] if name in each.classes)


def _mail(view: View) -> Script:
    goal = view.goal
    task, sender, other = _mail_task(goal)
    if task in ("delete", "important"):
        yield click(_after(view, _thread(view, sender), "trash" if task == "delete" else "star"))
        return
    view = yield click(view.items[_thread(view, sender)])
    view = yield click(view.one(cls="email-reply" if task == "reply" else "email-forward"))
    if task == "reply":
        view = yield fill(view.one("textarea"), other)
        yield click(view.one(ident="send-reply"))
    else:
        view = yield fill(view.one("input", cls="forward-sender"), other)
        yield click(view.one(ident="send-forward"))


_MAIL: Final = (
    ("important", r"email by (\w+) and click the star"),
    ("delete", r"email by (\w+) and click the trash"),
    ("reply", r'email by (\w+) and reply to them with the text "(.*)"'),
    ("forward", r"email by (\w+) and forward that email to (\w+)"),
)


def _mail_task(goal: str) -> tuple[str, str, str]:
    for task, pattern in _MAIL:
        if match := re.search(pattern, goal):
            return task, match[1], match[2] if match.lastindex == 2 else ""
    raise Lost(goal)


def _mail_words(view: View) -> Script:
    """Goals in people's words: the names that occur, and a verb."""
    senders = [each.text for each in view.all("div", cls="email-sender")]
    words = re.findall(r"\w+", view.goal)
    named = [word for word in words if word[0].isupper()]
    low = view.goal.lower()
    sender = first(word for word in named if word in senders)
    if re.search(r"delete|trash|remove|get rid|erase|bin\b", low):
        yield click(_after(view, _thread(view, sender), "trash"))
        return
    if re.search(r"star|important|favou?rite|flag", low):
        yield click(_after(view, _thread(view, sender), "star"))
        return
    reply = re.search(r"""(?:reply|respond|answer|write back|say|tell).*?["'](.+)["']""", view.goal, re.IGNORECASE)
    if reply:
        view = yield click(view.items[_thread(view, sender)])
        view = yield click(view.one(cls="email-reply"))
        view = yield fill(view.one("textarea"), reply[1])
        yield click(view.one(ident="send-reply"))
        return
    names = [word for at, word in enumerate(words) if word[0].isupper() and len(word) > 2 and (at or word in senders)]
    to = re.search(r"\b(?:to|for) ([A-Z]\w+)", view.goal)
    by = re.search(r"\b(?:by|from|of) ([A-Z]\w+)", view.goal)
    if by and by[1] in senders:
        sender = by[1]
    elif to:
        sender = first(name for name in names if name != to[1] and name in senders)
    receiver = to[1] if to and to[1] != sender else first(name for name in names if name != sender)
    view = yield click(view.items[_thread(view, sender)])
    view = yield click(view.one(cls="email-forward"))
    view = yield fill(view.one("input", cls="forward-sender"), receiver)
    yield click(view.one(ident="send-forward"))


def _posts(view: View, user: str) -> list[int]:
    return [at for at, each in enumerate(view.items) if each.text == user and "username" in each.classes]


def _social(view: View) -> Script:
    (user,) = view.found(r"user (@\w+)")
    name = view.quoted[0]
    place = {"Reply": "reply", "Retweet": "retweet", "Like": "like"}.get(name)
    at = _posts(view, user)[0]
    if place:
        yield click(_after(view, at, place))
        return
    view = yield click(_after(view, at, "more"))
    yield click(first(each for each in view.items if each.text.startswith(name) and each.y > 50))


def _social_some(view: View) -> Script:
    name = view.quoted[0].lower()
    (user,) = view.found(r"by (@\w+)")
    count = re.search(r"on (\d+) post", view.goal)
    posts = _posts(view, user)
    for number in range(int(count[1]) if count else len(posts)):
        view = yield click(_after(view, _posts(view, user)[number], name))
    yield click(view.button("submit"))


def _search(view: View) -> Script:
    (number,) = view.found(r"the (\d+)\w\w search result")
    view = yield fill(view.fields[0], view.quoted[0])
    view = yield click(view.button("search"))
    for _ in range((int(number) - 1) // 3):
        view = yield click(first(each for each in view.all("a") if each.text == ">"))
    results = [each for each in view.all("a") if "search-title" in each.classes or each.has.get("data-result")]
    links = results or [each for each in view.all("a") if "page-link" not in each.classes]
    yield click(links[(int(number) - 1) % 3])


def _contacts(view: View) -> Script:
    name, kind = view.found(r"Find (\S+) in the contact book and click on their (\w+)")
    for _ in range(14):
        if view.all("h2", name):
            yield click(view.one("a", cls=kind.lower()))
            return
        view = yield click(first(each for each in view.all("a") if each.text == ">"))


def _food(view: View) -> Script:
    if match := re.search(r"one of each item: (.+)", view.goal):
        names = [name.strip() for name in match[1].split(",")]
    else:
        count, kind = view.found(r"Order (\d+) items? that (?:is|are) (\S+)")
        at = first(at for at, each in enumerate(view.items) if each.tag == "img" and each.has.get("title") == kind)
        names = [first(each.text for each in reversed(view.items[:at]) if "item-name" in each.classes)] * int(count)
    for name in names:
        at = first(at for at, each in enumerate(view.items) if each.text == name)
        view = yield click(_after(view, at, "add"))
    yield click(view.button("order!"))


def _stock(view: View) -> Script:
    (limit,) = view.found(r"less than \$([\d.]+\d)")
    for _ in range(80):
        price = re.findall(r"\$([\d.]+)", " ".join(each.text for each in view.items))
        if price and float(price[-1]) <= float(limit):
            view = yield click(view.button("buy"))
        else:
            view = yield wait(100)


def _simon(view: View) -> Script:
    pushed: list[str] = []
    quiet, before = 0, ""
    while quiet < 6:
        lit = first((str(each.has["id"]) for each in view.all("button") if "push" in each.classes), "")
        if lit and lit != before:
            pushed.append(lit)
        before, quiet = lit, 0 if lit else quiet + 1
        view = yield wait(150)
    for name in pushed:
        view = yield click(view.one("button", ident=name))


def _flight(view: View) -> Script:
    best, start, end = view.found(r"Book the (\w+) one-way flight from: (.+?) to: (.+?) on")
    for name, place in (("flight-from", start), ("flight-to", end)):
        view = yield fill(view.one("input", ident=name), place)
        view = yield wait(500)
        listed = [each for each in view.items if each.tag in ("div", "li", "a") and place in each.text]
        exact = [each for each in listed if each.text.startswith(f"{place} (") or f"({place})" in each.text]
        view = yield click((exact or listed)[0])
    box = view.one("input", ident="datepicker")
    view = yield click(box)
    view = yield from pick_date(view)
    view = yield click(view.button("search"))
    view = yield wait(1500)
    prices = view.all("button", cls="flight-price")
    durations = [re.findall(r"\d+", each.text) for each in view.all("div", cls="time-duration")]
    if best == "cheapest":
        costs = [int(re.findall(r"\d+", each.text)[-1]) for each in prices]
    else:
        costs = [int(hours) * 60 + int(minutes) for hours, minutes in durations]
    yield click(prices[costs.index(min(costs))])


_SLOTS: Final = {"8AM": range(16, 24), "12PM": range(24, 32), "4PM": range(32, 40)}


def _calendar(view: View) -> Script:
    length, unit, name, start = view.found(r'Create a ([\d.]+) (hour|min)\w* event named "(.+?)", between (\w+)')
    count = round(float(length) * 2) if unit == "hour" else int(length) // 30
    taken = [(each.y - each.size[1] / 2, each.y + each.size[1] / 2) for each in view.all(cls="event event")]
    slots = _SLOTS[start]
    for begin in slots[: len(slots) - count + 1]:
        run = [view.one("div", ident=f"hh-{at}") for at in range(begin, begin + count)]
        if all(each.y + 9 < low or each.y - 9 > high for each in run for low, high in taken):
            break
    view = yield "hover", {"id": run[-1].id}
    view = yield "hover", {"id": view.one("div", ident=f"hh-{begin}").id}
    one = view.one("div", ident=f"hh-{begin}")
    other = view.one("div", ident=f"hh-{begin + count - 1}")
    view = yield drag(one.x, one.y - 4, other.x + 12, other.y + 4)
    view = yield fill(view.one("input"), name)
    yield click(view.one("button", cls="create"))


APPS: Final[dict[str, Scripted]] = {
    **dict.fromkeys(
        ("email-inbox", "email-inbox-delete", "email-inbox-forward", "email-inbox-important", "email-inbox-noscroll",
         "email-inbox-reply", "email-inbox-star-reply"), _mail,
    ),
    **dict.fromkeys(("email-inbox-forward-nl", "email-inbox-forward-nl-turk", "email-inbox-nl-turk"), _mail_words),
    "social-media": _social,
    **dict.fromkeys(("social-media-all", "social-media-some"), _social_some),
    "search-engine": _search,
    "phone-book": _contacts,
    "order-food": _food,
    "stock-market": _stock,
    "simon-says": _simon,
    "daily-calendar": _calendar,
    **dict.fromkeys(("book-flight", "book-flight-nodelay"), _flight),
}  # fmt: skip
