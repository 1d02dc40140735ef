"""Kinds that are small applications: mail, bookings, a shop, flights."""

from __future__ import annotations

from html import escape
from typing import Any, ClassVar

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.kind import LONGEST, Draft, Kind, Step, button, link, note, one_of, table
from envhub.envs.tools.gui.words import GOODS, PEOPLE, SUBJECTS, TOWNS


class Mail(Kind):
    """Star, delete, answer or forward one of several mails.

    The state lists the actions.
    """

    name: ClassVar[str] = "mail"
    titles: ClassVar = ("Inbox", "Mailbox", "Messages")

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """Several mails share a sender or a subject."""
        people, subjects = rng.sample(PEOPLE, 2 + size // 2), rng.sample(SUBJECTS, 2 + size // 3)
        pairs = [[person, subject] for person in people for subject in subjects]
        mails = rng.sample(pairs, min(len(pairs), 3 + size))
        number = rng.below(len(mails))
        sender, subject = mails[number]
        act = rng.choice(("Star", "Delete", "Reply", "Forward"))
        text = f"{rng.choice(GOODS)} {rng.between(10, 999)}" if act == "Reply" else rng.choice(PEOPLE)
        data = {"title": title, "mails": mails}
        mail = f"the mail {subject!r} from {sender}"
        opened: Step = ("click", "link", f"{sender}: {subject}")
        pressed: Step = ("click", "button", act)
        if act in ("Star", "Delete"):
            goal = f"In {title!r}, {act.lower()} {mail}, once."
            return Draft(data, goal, {"done": [[act, number, ""]]}, (opened, pressed), items=2 * len(mails))
        asked = f"reply to {mail} with the text {text!r}" if act == "Reply" else f"forward {mail} to {text}"
        plan = (
            opened,
            ("type", "textbox", f"{act} with" if act == "Reply" else f"{act} to", text),
            pressed,
        )
        return Draft(data, f"In {title!r}, {asked}, once.", {"done": [[act, number, text]]}, plan, items=2 * len(mails))

    def start(self, data: Any) -> Any:
        """Nothing was done."""
        return {"done": []}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Note what was done with which mail."""
        number = one_of(request.value("mail"), [str(at) for at in range(len(data["mails"]))])
        act, text = request.value("act"), request.value("text").strip()[:LONGEST]
        known = act in ("Star", "Delete") or (act in ("Reply", "Forward") and bool(text))
        if request.method != "POST" or request.path != "/act" or number is None or not known:
            return state
        return {"done": [*state["done"], [act, number, "" if act in ("Star", "Delete") else text]]}

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The list, or one mail."""
        known = [str(at) for at in range(len(data["mails"]))]
        number = one_of(request.value("mail"), known) if request.path == "/read" else None
        said = "".join(note(f"Done: {act}.") for act, _, _ in state["done"][-1:])
        if number is None:
            rows = "".join(
                f"<li>{link(f'{sender}: {subject}', '/read', f'mail={at}')}</li>"
                for at, (sender, subject) in enumerate(data["mails"])
            )
            return f"{said}<ul>{rows}</ul>"
        sender, subject = data["mails"][number]
        plain = "".join(button(act, "/act", mail=str(number), act=act) for act in ("Star", "Delete"))
        written = "".join(
            f'<form method="post" action="./act"><input type="hidden" name="mail" value="{number}"><input type="hidden" '
            f'name="act" value="{act}"><label>{label} <input name="text" autocomplete="off"></label>'
            f"<button>{act}</button></form>"
            for act, label in (("Reply", "Reply with"), ("Forward", "Forward to"))
        )
        return f"<h2>{escape(subject)}</h2><p>From {escape(sender)}</p>{plain}{written}<nav>{link('Back', '/')}</nav>"


class Booking(Kind):
    """Book the first free time for a meeting."""

    name: ClassVar[str] = "booking"
    titles: ClassVar = ("Meeting rooms", "Court booking", "Studio")
    _HOURS: ClassVar = tuple(range(8, 20))

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """Some hours of each room are taken."""
        rooms = rng.sample(TOWNS, 2 + size // 3)
        taken = {room: sorted(rng.sample(self._HOURS, 5)) for room in rooms}
        room = rng.choice(rooms)
        earliest = rng.between(8, 12)
        hour = min(hour for hour in self._HOURS if hour >= earliest and hour not in taken[room])
        data = {"title": title, "rooms": rooms, "taken": taken}
        goal = f"In {title!r}, book {room} for the first free hour that does not begin before {earliest}:00, once."
        plan: tuple[Step, ...] = (
            ("select", "combobox", "Room", room),
            ("select", "combobox", "Hour", f"{hour}:00"),
            ("click", "button", "Book"),
        )
        return Draft(data, goal, {"booked": [[room, hour]]}, plan, items=12 * len(rooms))

    def start(self, data: Any) -> Any:
        """Nothing was booked."""
        return {"booked": []}

    def _asked(self, data: Any, request: Request) -> list[Any] | None:
        hour = one_of(request.value("Hour"), [f"{each}:00" for each in self._HOURS])
        room = request.value("Room")
        free = hour is not None and room in data["rooms"] and self._HOURS[hour] not in data["taken"][room]
        return [room, self._HOURS[hour]] if free and hour is not None else None

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Book what is free."""
        asked = self._asked(data, request)
        if request.method != "POST" or request.path != "/book" or asked is None or asked in state["booked"]:
            return state
        return {"booked": [*state["booked"], asked]}

    def body(self, data: Any, state: Any, request: Request) -> str:
        """What is taken, and the form."""
        said = ""
        if request.path == "/book":
            said = note("Booked." if self._asked(data, request) else "Not booked: this hour is taken.")
        rows = [[escape(room), ", ".join(f"{hour}:00" for hour in data["taken"][room])] for room in data["rooms"]]
        rooms = "".join(f"<option>{escape(room)}</option>" for room in data["rooms"])
        hours = "".join(f"<option>{hour}:00</option>" for hour in self._HOURS)
        return (
            f'{said}{table(("Room", "Taken hours"), rows)}<form method="post" action="./book"><label>Room <select name="Room">'
            f'{rooms}</select></label><label>Hour <select name="Hour">{hours}</select></label><button>Book</button></form>'
        )


class Basket(Kind):
    """Buy the dearest things that a budget allows."""

    name: ClassVar[str] = "basket"
    titles: ClassVar = ("Shop", "Market", "Kiosk")

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """Exactly one pair of articles costs as much as the budget."""
        goods = rng.sample(GOODS, min(len(GOODS), 4 + size))
        while True:
            prices = rng.sample(range(5, 150), len(goods))
            first, second = rng.sample(range(len(goods)), 2)
            budget = prices[first] + prices[second]
            pairs = sum(a + b == budget for at, a in enumerate(prices) for b in prices[at + 1 :])
            if pairs == 1:
                break
        chosen = sorted((goods[first], goods[second]))
        data = {"title": title, "goods": goods, "prices": prices}
        goal = (
            f"In {title!r}, put the two articles into the basket that together cost exactly {budget}, and order them."
        )
        plan = (*(("click", "button", f"Add {name}") for name in chosen), ("click", "button", "Order"))
        return Draft(data, goal, {"basket": chosen, "ordered": True}, plan, items=2 * len(goods))

    def start(self, data: Any) -> Any:
        """An empty basket."""
        return {"basket": [], "ordered": False}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Add, remove, order; after the order nothing changes."""
        name, basket = request.value("name"), state["basket"]
        if request.method != "POST" or state["ordered"]:
            return state
        if request.path == "/add" and name in data["goods"] and len(basket) < 20:
            return {**state, "basket": sorted([*basket, name])}
        if request.path == "/remove" and name in basket:
            at = basket.index(name)
            return {**state, "basket": basket[:at] + basket[at + 1 :]}
        return {**state, "ordered": True} if request.path == "/order" and basket else state

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The articles and the basket."""
        rows = [
            [escape(name), str(price), button(f"Add {name}", "/add", name=name)]
            for name, price in zip(data["goods"], data["prices"], strict=True)
        ]
        basket = "".join(
            f"<li>{escape(name)} {button(f'Remove {name}', '/remove', name=name)}</li>" for name in state["basket"]
        )
        said = note("Ordered.") if state["ordered"] else button("Order", "/order")
        return f"<h2>Basket</h2><ul>{basket}</ul>{said}{table(('Article', 'Price', ''), rows)}"


class Flight(Kind):
    """Search flights and book the cheapest or the earliest."""

    name: ClassVar[str] = "flight"
    titles: ClassVar = ("Flights", "Airline", "Air travel")

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """Flights between a few towns; each has a number."""
        towns = rng.sample(TOWNS, 3 + size // 4)
        routes = [(a, b) for a in towns for b in towns if a != b]
        flights: list[tuple[str, str, str, int, int]] = []
        for origin, target in rng.sample(routes, min(len(routes), 2 + size // 2)):
            prices, hours = rng.sample(range(40, 400), 3), rng.sample(range(6, 23), 3)
            for price, hour in zip(prices, hours, strict=True):
                flights.append((f"EH{101 + len(flights)}", origin, target, hour, price))
        _, origin, target, _, _ = rng.choice(flights)
        by, word = rng.choice((("price", "cheapest"), ("hour", "earliest")))
        fitting = [row for row in flights if row[1:3] == (origin, target)]
        number = min(fitting, key=lambda row: (row[4], row[3]) if by == "price" else (row[3], row[4]))[0]
        goal = f"In {title!r}, book the {word} flight from {origin} to {target}, once."
        plan: tuple[Step, ...] = (
            ("select", "combobox", "From", origin),
            ("select", "combobox", "To", target),
            ("click", "button", "Search"),
            ("click", "button", f"Book {number}"),
        )
        data = {"title": title, "towns": towns, "flights": [list(row) for row in flights]}
        return Draft(data, goal, {"booked": [number]}, plan, items=3 * len(flights))

    def start(self, data: Any) -> Any:
        """Nothing was booked."""
        return {"booked": []}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Book a flight."""
        number = request.value("flight")
        known = (
            request.method == "POST" and request.path == "/book" and any(number == row[0] for row in data["flights"])
        )
        return {"booked": [*state["booked"], number]} if known else state

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The search, and what it found."""
        said = "".join(note(f"Booked: {each}.") for each in state["booked"][-1:])
        towns = "".join(f"<option>{escape(town)}</option>" for town in data["towns"])
        form = "".join(f'<label>{name} <select name="{name}">{towns}</select></label>' for name in ("From", "To"))
        asked = [request.value("From"), request.value("To")]
        rows = [
            [row[0], f"{row[3]}:00", str(row[4]), button(f"Book {row[0]}", "/book", flight=row[0])]
            for row in data["flights"]
            if request.path == "/search" and row[1:3] == asked
        ]
        found = table(("Flight", "Departure", "Price", ""), rows) if rows else ""
        return f'{said}<form action="./search">{form}<button>Search</button></form>{found}'


APPS = (Mail(), Booking(), Basket(), Flight())
