"""Flight booking: search by date, results, seats, confirmation and bookings."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, ClassVar, Final

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.form import Field
from envhub.envs.tools.gui.kind import Step, button, note, table
from envhub.envs.tools.gui.words import MONTHS, PEOPLE, TOWNS
from envhub.envs.tools.gui_site.app import (
    App,
    Draw,
    Goal,
    Scene,
    anchor,
    bounded,
    click,
    dialog,
    fields,
    form,
    href,
    listing,
    pick,
    press,
    turned,
    write,
)

_BAGS: Final = ("0", "1", "2")
_LETTERS: Final = "ABCDEF"
_ORDERS: Final = ("Departure", "Lowest price")
_STOPS: Final = ("any", "direct only")
_CHANGES: Final = ("direct", "1 stop", "2 stops")


class Flights(App):
    """Flights between towns in June, and bookings.

    The state holds the bookings: flight, passenger, seat and bags. A new booking gets the first free code.
    """

    name: ClassVar[str] = "flights"
    title: ClassVar[str] = "Flights"
    menu: ClassVar = (("Search", "/"), ("Bookings", "/bookings"))

    @property
    def goals(self) -> Mapping[str, Draw]:
        """Bookings, cancellations, other seats, more bags, a question."""
        return {"book": self._book, "cancel": self._cancel, "seat": self._seat, "bags": self._bags, "ask": self._ask}

    def build(self, rng: Stream, size: int) -> Any:
        """Many flights on few routes, with different prices and departures."""
        towns, count = rng.sample(TOWNS, 3 + size // 4), 10 + 6 * size
        days = rng.sample(range(1, 29), 2 + size // 5)
        prices, minutes = rng.sample(range(40, 400), count), rng.sample(range(300, 1300), count)
        flights: list[dict[str, Any]] = []
        for at in range(count):
            start, end = rng.sample(towns, 2)
            rows = 4 + size // 3
            seats = [f"{row}{letter}" for row in range(1, rows + 1) for letter in _LETTERS]
            flights.append(
                {
                    "id": f"EN{100 + at}",
                    "from": start,
                    "to": end,
                    "date": f"2026-06-{rng.choice(days):02}",
                    "minute": minutes[at],
                    "price": prices[at],
                    "stops": rng.below(3),
                    "rows": rows,
                    "taken": sorted(rng.sample(seats, 2 * rows)),
                }
            )
        bookings: dict[str, list[str]] = {}
        for at, person in enumerate(rng.sample(PEOPLE, 2 + size // 2)):
            flight = rng.choice(flights)
            seat = rng.choice(_free(flight, bookings))
            bookings[f"B{at + 1}"] = [flight["id"], person, seat, "0"]
        return {"flights": flights, "towns": sorted(towns), "bookings": bookings}

    def start(self, data: Any) -> Any:
        """The bookings as they are."""
        return {"bookings": data["bookings"]}

    # -- pages -------------------------------------------------------------------------------------------------------

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Book, cancel, or change a booking."""
        bookings, code = state["bookings"], request.value("code")
        if request.method != "POST":
            return state
        if request.path == "/booked":
            asked = _asked(data, bookings, request)
            return state if asked is None else {"bookings": {**bookings, _next_code(bookings): asked}}
        if code not in bookings:
            return state
        number, person, seat, bags = bookings[code]
        if request.path == "/cancelled":
            return {"bookings": {key: value for key, value in bookings.items() if key != code}}
        if request.path == "/moved" and request.value("seat") in _free(_flight(data, number), bookings):
            seat = request.value("seat")
        if request.path == "/packed" and request.value("Bags") in _BAGS:
            bags = request.value("Bags")
        return {"bookings": {**bookings, code: [number, person, seat, bags]}}

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The search, its results, a flight, or bookings."""
        bookings, code = state["bookings"], request.value("code")
        flight = _flight(data, request.value("id"))
        if code in bookings:
            return _booking(data, bookings, request)
        if request.path in ("/bookings", "/cancelled", "/booked"):
            said = {"/cancelled": note("Cancelled."), "/booked": note("See the bookings below.")}.get(request.path, "")
            rows = [[anchor(key, "/booking", code=key), *map(escape, each)] for key, each in bookings.items()]
            return f"{said}<h2>Bookings</h2>{table(('Booking', 'Flight', 'Passenger', 'Seat', 'Bags'), rows)}"
        if flight is None:
            return _search(data, request)
        if request.path in ("/passenger", "/check"):
            return _passenger(data, bookings, flight, request)
        seats = _seats(flight, bookings, "/passenger", id=flight["id"])
        return f"<h2>Flight {flight['id']}</h2><p>{_described(flight)}</p><h2>Free seats</h2>{seats}"

    # -- goals -------------------------------------------------------------------------------------------------------

    def _book(self, scene: Scene) -> Goal | None:
        rng, bookings = scene.rng, scene.state["bookings"]
        same = _between(scene.data, rng.choice(scene.data["flights"]))
        direct, side = bool(rng.below(2)) and any(not each["stops"] for each in same), rng.choice(tuple(_SIDES))
        found = min((each for each in same if not (direct and each["stops"])), key=lambda each: int(each["price"]))
        free = [seat for seat in _free(found, bookings) if seat[-1] in _SIDES[side]]
        if not free or found["id"] in scene.taken:
            return None
        person = rng.choice([each for each in PEOPLE if all(each != booked[1] for booked in bookings.values())])
        seat, bags = free[0], rng.choice(_BAGS)
        plan = (
            *_to_flight(scene.data, found),
            click(f"Seat {seat}"),
            write("Passenger", person),
            pick("Bags", bags),
            press("Continue"),
            press("Confirm"),
        )
        words = (
            f"Book the cheapest {'direct ' if direct else ''}flight {_route(found)} for {person}, with "
            f"{bags} bag{'s' * (bags != '1')}. {_which(side, 'lowest')}"
        )
        after = {"bookings": {**bookings, _next_code(bookings): [found["id"], person, seat, bags]}}
        return Goal(words, plan, after, touched=frozenset({found["id"]}))

    def _cancel(self, scene: Scene) -> Goal | None:
        code = self._some(scene)
        if code is None:
            return None
        number, person, *_ = scene.state["bookings"][code]
        plan = (click("Bookings"), click(code), click("Cancel this booking"), press("Confirm"))
        after = {"bookings": {key: each for key, each in scene.state["bookings"].items() if key != code}}
        return Goal(f"Cancel the booking of {person}.", plan, after, touched=frozenset({code, number}))

    def _seat(self, scene: Scene) -> Goal | None:
        code, bookings = self._some(scene), scene.state["bookings"]
        if code is None:
            return None
        number, person, _, bags = bookings[code]
        side = scene.rng.choice(tuple(_SIDES))
        free = [seat for seat in _free(_flight(scene.data, number), bookings) if seat[-1] in _SIDES[side]]
        if not free:
            return None
        seat = next(each for each in free if each[:-1] == free[-1][:-1])
        plan = (click("Bookings"), click(code), press(f"Move to {seat}"))
        words = f"Move {person}, who has a booking, to another seat of the same flight. {_which(side, 'highest')}"
        after = {"bookings": {**bookings, code: [number, person, seat, bags]}}
        return Goal(words, plan, after, touched=frozenset({code, number}))

    def _bags(self, scene: Scene) -> Goal | None:
        code, bookings = self._some(scene), scene.state["bookings"]
        if code is None:
            return None
        number, person, seat, before = bookings[code]
        bags = scene.rng.choice([each for each in _BAGS if each != before])
        plan = (click("Bookings"), click(code), pick("Bags", bags), press("Save"))
        words = f"Change the number of bags in the booking of {person} to {bags}."
        after = {"bookings": {**bookings, code: [number, person, seat, bags]}}
        return Goal(words, plan, after, touched=frozenset({code, number}))

    def _ask(self, scene: Scene) -> Goal | None:
        several = [each for each in scene.data["flights"] if len(_between(scene.data, each)) > 1]
        if not several:
            return None
        found = _between(scene.data, scene.rng.choice(several))
        first = min(found, key=lambda each: int(each["minute"]))
        words = f"Report the number, such as EN007, of the flight {_route(first)} that departs first."
        return Goal(words, _searched(first, _ORDERS[0]), scene.state, str(first["id"]))

    @staticmethod
    def _some(scene: Scene) -> str | None:
        """A booking that no other goal is about."""
        known = [
            key
            for key, each in scene.state["bookings"].items()
            if key in scene.data["bookings"] and not {key, each[0]} & scene.taken
        ]
        return scene.rng.choice(known) if known else None


_SIDES: Final = {"window": "AF", "aisle": "CD"}


def _which(side: str, row: str) -> str:
    """The sentence that names a seat."""
    return (
        f"The seat is the free {side} seat in the row with the {row} number that has one; if this row has two, the one "
        f"whose letter comes first. The letters of {side} seats are {' and '.join(_SIDES[side])}."
    )


def _flight(data: Any, number: str) -> Any:
    return next((each for each in data["flights"] if each["id"] == number), None)


def _free(flight: Any, bookings: Mapping[str, Any]) -> list[str]:
    """The free seats of a flight, front to back."""
    booked = {each[2] for each in bookings.values() if each[0] == flight["id"]}
    seats = [f"{row}{letter}" for row in range(1, flight["rows"] + 1) for letter in _LETTERS]
    return [seat for seat in seats if seat not in flight["taken"] and seat not in booked]


def _next_code(bookings: Mapping[str, Any]) -> str:
    return next(f"N{at}" for at in range(1, len(bookings) + 2) if f"N{at}" not in bookings)


def _asked(data: Any, bookings: Mapping[str, Any], request: Request) -> list[str] | None:
    """The booking that a form asks for; None if it is impossible."""
    flight, person = _flight(data, request.value("id")), bounded(request.value("Passenger"))
    seat, bags = request.value("seat"), request.value("Bags")
    possible = flight is not None and person and bags in _BAGS and seat in _free(flight, bookings)
    return [flight["id"], person, seat, bags] if possible else None


def _time(minute: int) -> str:
    return f"{minute // 60:02}:{minute % 60:02}"


def _described(flight: Any) -> str:
    route = f"{flight['from']} to {flight['to']}, {flight['date']} at {_time(flight['minute'])}"
    return f"{route}, {_CHANGES[flight['stops']]}, price {flight['price']}"


def _route(flight: Any) -> str:
    _, month, day = flight["date"].split("-")
    return f"from {flight['from']} to {flight['to']} on {int(day)} {MONTHS[int(month) - 1]} 2026"


def _between(data: Any, flight: Any) -> list[Any]:
    """The flights of a route and date."""
    return [each for each in data["flights"] if all(each[key] == flight[key] for key in ("from", "to", "date"))]


def _searched(flight: Any, order: str) -> tuple[Step, ...]:
    """The steps that list the flights of a route and date."""
    return (
        click("Search"),
        pick("From", flight["from"]),
        pick("To", flight["to"]),
        write("Date", flight["date"], "Date"),
        pick("Sort by", order),
        press("Find flights"),
    )


def _to_flight(data: Any, flight: Any) -> tuple[Step, ...]:
    listed = sorted(_between(data, flight), key=lambda each: int(each["price"]))
    return (*_searched(flight, _ORDERS[1]), *turned(listed.index(flight)), click(flight["id"]))


def _choice(name: str, options: Any, value: str = "") -> Field:
    return {"type": "select", "name": name, "options": list(options), "value": value}


def _search(data: Any, request: Request) -> str:
    asked = {name: request.value(name) for name in ("From", "To", "Date", "Sort by", "Stops")}
    given = [
        _choice("From", data["towns"]),
        _choice("To", data["towns"]),
        {"type": "date", "name": "Date", "value": "2026-06-01"},
        _choice("Sort by", _ORDERS),
        _choice("Stops", _STOPS),
    ]
    search = form("./", fields(given, {name: value for name, value in asked.items() if value}), "Find flights", "get")
    if not asked["From"]:
        return search
    key = "price" if asked["Sort by"] == _ORDERS[1] else "minute"
    pattern = {"from": asked["From"], "to": asked["To"], "date": asked["Date"]}
    listed = [each for each in _between(data, pattern) if asked["Stops"] != _STOPS[1] or not each["stops"]]
    rows = [
        [
            anchor(each["id"], "/flight", id=each["id"]),
            _time(each["minute"]),
            _CHANGES[each["stops"]],
            str(each["price"]),
        ]
        for each in sorted(listed, key=lambda each: int(each[key]))
    ]
    return search + listing(("Flight", "Departure", "Stops", "Price"), rows, request)


def _seats(flight: Any, bookings: Mapping[str, Any], path: str, **query: str) -> str:
    """The free seats: links, or buttons for a booking."""
    free = _free(flight, bookings)
    rows = []
    for row in range(1, flight["rows"] + 1):
        seats = [f"{row}{letter}" for letter in _LETTERS]
        made = [
            ("taken" if seat not in free else anchor(f"Seat {seat}", path, **query, seat=seat))
            if path == "/passenger"
            else ("taken" if seat not in free else button(f"Move to {seat}", path, **query, seat=seat))
            for seat in seats
        ]
        rows.append([str(row), *made])
    return table(("Row", *_LETTERS), rows)


def _passenger(data: Any, bookings: Mapping[str, Any], flight: Any, request: Request) -> str:
    """The form for a passenger, and the window that confirms it."""
    seat, asked = request.value("seat"), _asked(data, bookings, request)
    given: list[Field] = [{"type": "text", "name": "Passenger", "value": ""}, _choice("Bags", _BAGS)]
    values = {name: request.value(name) for name in ("Passenger", "Bags") if request.value(name)}
    window = ""
    if request.path == "/check" and asked is not None:
        number, person, place, bags = asked
        question = f"Book {number}, seat {place}, for {person} with {bags} bags?"
        cancel = href("/passenger", id=number, seat=place)
        window = dialog(question, cancel, "/booked", id=number, seat=place, Passenger=person, Bags=bags)
    inner = fields(given, values)
    filled = form("./check", inner, "Continue", "get", id=flight["id"], seat=seat)
    return f"{window}<h2>Flight {flight['id']}, seat {escape(seat)}</h2><p>{_described(flight)}</p>{filled}"


def _booking(data: Any, bookings: Mapping[str, Any], request: Request) -> str:
    code = request.value("code")
    number, person, seat, bags = bookings[code]
    window = ""
    if request.path == "/ask":
        window = dialog(f"Cancel booking {code}?", href("/booking", code=code), "/cancelled", code=code)
    said = note("Saved.") if request.method == "POST" else ""
    packed = form("./packed", fields([_choice("Bags", _BAGS, bags)]), "Save", code=code)
    return (
        f"{said}{window}<h2>Booking {code}</h2><p>{escape(person)}, flight {number}, seat {seat}</p>{packed}"
        f"{anchor('Cancel this booking', '/ask', code=code)}<h2>Free seats</h2>"
        f"{_seats(_flight(data, number), bookings, '/moved', code=code)}"
    )
