"""A calendar: months, days, events, guests and confirmation dialogs."""

from __future__ import annotations

from calendar import Calendar as Weeks
from collections.abc import Mapping
from html import escape
from typing import Any, ClassVar, Final

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.form import Field
from envhub.envs.tools.gui.kind import Step, button, note, table
from envhub.envs.tools.gui.words import MONTHS, PEOPLE, SUBJECTS
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
    pick,
    press,
    write,
)

_FIRST, _LAST = 3, 6
_YEAR: Final = 2026
_HOURS: Final = tuple(range(8, 17))
_LENGTHS: Final = (1, 2, 3)
_CLOSING: Final = 18
_WEEK: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_DATES: Final = frozenset(
    f"{_YEAR}-{month:02}-{day:02}" for month in range(1, 13) for day in Weeks().itermonthdays(_YEAR, month) if day
)


class Calendar(App):
    """The events of March to June.

    At first, no two events overlap. Titles are unique on a day.
    The state holds the events. A new event gets the first free number.
    """

    name: ClassVar[str] = "calendar"
    title: ClassVar[str] = "Calendar"
    menu: ClassVar = (("This month", "/"),)

    @property
    def goals(self) -> Mapping[str, Draw]:
        """New events, other times, cancellations, invitations, a question."""
        return {
            "create": self._create,
            "postpone": self._postpone,
            "cancel": self._cancel,
            "invite": self._invite,
            "ask": self._ask,
        }

    def build(self, rng: Stream, size: int) -> Any:
        """Twelve to sixty-six events; days hold several."""
        months, events = 2 + size // 5, list[Any]()
        days = [
            f"{_YEAR}-{rng.between(_FIRST, _FIRST + months - 1):02}-{rng.between(1, 28):02}"
            for _ in range(4 + 2 * size)
        ]
        for at in range(6 + 6 * size):
            date, start, hours = rng.choice(days), rng.choice(_HOURS), rng.choice(_LENGTHS)
            same = [each for each in events if each["date"] == date]
            title = rng.choice(SUBJECTS)
            clear = start + hours <= _CLOSING and not any(_overlap(each, start, hours) for each in same)
            if clear and not any(each["title"] == title for each in same):
                guests = sorted(rng.sample(PEOPLE[:8], rng.below(3)))
                events.append(
                    {"id": str(at), "title": title, "date": date, "start": start, "hours": hours, "guests": guests}
                )
        return {"events": events, "people": sorted(PEOPLE[:8])}

    def start(self, data: Any) -> Any:
        """All events as they are."""
        return {"events": {each["id"]: _record(each) for each in data["events"]}}

    # -- pages -------------------------------------------------------------------------------------------------------

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Create, save, invite, remove or delete."""
        if request.method != "POST":
            return state
        given, events, number = _entered(request), state["events"], request.value("id")
        if request.path == "/created":
            free = next(f"new-{at}" for at in range(len(events) + 1) if f"new-{at}" not in events)
            return state if given is None else {"events": {**events, free: [*given, []]}}
        if number not in events:
            return state
        *times, guests = events[number]
        person = request.value("Guest")
        if request.path == "/saved" and given is not None:
            return {"events": {**events, number: [*given, guests]}}
        if request.path == "/invite" and person in data["people"]:
            return {"events": {**events, number: [*times, sorted({*guests, person})]}}
        if request.path == "/remove" and person in guests:
            return {"events": {**events, number: [*times, [each for each in guests if each != person]]}}
        if request.path == "/delete":
            return {"events": {key: value for key, value in events.items() if key != number}}
        return state

    def body(self, data: Any, state: Any, request: Request) -> str:
        """A month, a day, or an event."""
        number, events = request.value("id"), state["events"]
        if request.path == "/delete":
            return note("Deleted.") + _month(state, request)
        if number in events:
            return _opened(data, number, events[number], request)
        date = request.value("date")
        if request.path == "/new" and _is_date(date):
            return f"<h2>New event</h2>{form('./created', fields(_fields('', date, 9, 1)), 'Create')}"
        if request.path == "/created":
            return note("Created." if _entered(request) else "Not created.") + _month(state, request)
        return _day(state, date) if request.path == "/day" and _is_date(date) else _month(state, request)

    # -- goals -------------------------------------------------------------------------------------------------------

    def _create(self, scene: Scene) -> Goal | None:
        rng, events = scene.rng, scene.state["events"]
        date, title = _some_day(rng), rng.choice(SUBJECTS)
        hours, start = rng.choice(_LENGTHS), rng.choice(_HOURS)
        if date in scene.taken or any(each[0] == title and each[1] == date for each in events.values()):
            return None
        free = next(f"new-{at}" for at in range(len(events) + 1) if f"new-{at}" not in events)
        steps = (write("Title", title), pick("Start", f"{start}:00"), pick("Hours", str(hours)), press("Create"))
        plan = (*_to_day(date), click("New event"), *steps)
        words = f'Create the event "{title}" on {_said(date)}, from {start}:00 to {start + hours}:00.'
        after = {"events": {**events, free: [title, date, start, hours, []]}}
        return Goal(words, plan, after, touched=frozenset({date}))

    def _postpone(self, scene: Scene) -> Goal | None:
        found, events = _some_event(scene), scene.state["events"]
        date = _some_day(scene.rng)
        if found is None or date in scene.taken:
            return None
        title, before, _, hours, guests = events[found]
        there = [each for each in events.values() if each[1] == date]
        busy = [range(each[2], each[2] + each[3]) for each in there]
        free = [
            s for s in _HOURS if s + hours <= _CLOSING and not any(set(range(s, s + hours)) & {*each} for each in busy)
        ]
        if before == date or not free or any(each[0] == title for each in there):
            return None
        steps = (write("Date", date, "Date"), pick("Start", f"{free[0]}:00"), press("Save"))
        plan = (*_to_day(date), *_to_event(title, before), *steps)
        words = (
            f'Move the event "{title}" of {_said(before)} to {_said(date)}. It keeps its length and starts at the first full '
            f"hour, from 8:00 on, at which it overlaps no other event of that day."
        )
        after = {"events": {**events, found: [title, date, free[0], hours, guests]}}
        return Goal(words, plan, after, touched=frozenset({before, date}))

    def _cancel(self, scene: Scene) -> Goal | None:
        found, events = _some_event(scene), scene.state["events"]
        if found is None:
            return None
        title, date, *_ = events[found]
        plan = (*_to_event(title, date), click("Delete"), press("Confirm"))
        after = {"events": {key: value for key, value in events.items() if key != found}}
        return Goal(f'Delete the event "{title}" of {_said(date)}.', plan, after, touched=frozenset({date}))

    def _invite(self, scene: Scene) -> Goal | None:
        found, events = _some_event(scene), scene.state["events"]
        if found is None:
            return None
        date = events[found][1]
        person = scene.rng.choice(scene.data["people"])
        chosen = {key: each for key, each in events.items() if each[1] == date and person not in each[4]}
        if not chosen or len(chosen) > 4:
            return None
        after = {"events": {**events, **{key: [*each[:4], sorted([*each[4], person])] for key, each in chosen.items()}}}
        order = sorted(chosen.values(), key=lambda each: int(each[2]))
        plan = tuple(
            step for each in order for step in (*_to_event(each[0], date), pick("Guest", person), press("Invite"))
        )
        words = f"Make sure that {person} is a guest of each event of {_said(date)}."
        return Goal(words, plan, after, touched=frozenset({date}))

    def _ask(self, scene: Scene) -> Goal | None:
        found, events = _some_event(scene), scene.state["events"]
        if found is None:
            return None
        date = events[found][1]
        total = sum(each[3] for each in events.values() if each[1] == date)
        words = f"Report how many hours the events of {_said(date)} take together, as a number."
        return Goal(words, _to_day(date), scene.state, str(total), frozenset({date}))


def _record(event: Any) -> list[Any]:
    return [event[name] for name in ("title", "date", "start", "hours", "guests")]


def _overlap(event: Any, start: int, hours: int) -> bool:
    return bool(event["start"] < start + hours and start < event["start"] + event["hours"])


def _is_date(text: str) -> bool:
    return text in _DATES


def _said(date: str) -> str:
    _, month, day = date.split("-")
    return f"{int(day)} {MONTHS[int(month) - 1]}"


def _some_day(rng: Stream) -> str:
    return f"{_YEAR}-{rng.between(_FIRST, _LAST):02}-{rng.between(1, 28):02}"


def _some_event(scene: Scene) -> str | None:
    """An event on a day that no other goal is about."""
    known = [number for number, each in scene.state["events"].items() if each[1] not in scene.taken]
    return scene.rng.choice(known) if known else None


def _field(kind: str, name: str, value: str, options: tuple[str, ...] = ()) -> Field:
    return {"type": kind, "name": name, "value": value, "options": list(options)}


def _fields(title: str, date: str, start: int, hours: int) -> list[Field]:
    return [
        _field("text", "Title", title),
        _field("date", "Date", date),
        _field("select", "Start", f"{start}:00", tuple(f"{hour}:00" for hour in _HOURS)),
        _field("select", "Hours", str(hours), tuple(map(str, _LENGTHS))),
    ]


def _entered(request: Request) -> list[Any] | None:
    """A form's title, date, start and length; None if they are invalid."""
    title, date, start, hours = (bounded(request.value(name)) for name in ("Title", "Date", "Start", "Hours"))
    known = _is_date(date) and start in {f"{hour}:00" for hour in _HOURS} and hours in set(map(str, _LENGTHS))
    return [title, date, int(start.split(":")[0]), int(hours)] if known and title else None


def _to_day(date: str) -> tuple[Step, ...]:
    """The steps from any page to a day."""
    further = int(date.split("-")[1]) - _FIRST
    return (click("This month"), *(click("Next month"),) * further, click(_said(date)))


def _to_event(title: str, date: str) -> tuple[Step, ...]:
    return (*_to_day(date), click(title))


def _month(state: Any, request: Request) -> str:
    month = next((at for at in range(1, 13) if request.value("month") == str(at)), _FIRST)
    counts: dict[str, int] = {}
    for each in state["events"].values():
        counts[each[1]] = counts.get(each[1], 0) + 1
    rows = [[_cell(month, day, counts) for day in week] for week in Weeks().monthdayscalendar(_YEAR, month)]
    beside = (("Previous month", month - 1), ("Next month", month + 1))
    links = "".join(anchor(text, "/", month=at) for text, at in beside if 1 <= at <= 12)
    return f"<h2>{MONTHS[month - 1]} {_YEAR}</h2><nav>{links}</nav>{table(_WEEK, rows)}"


def _cell(month: int, day: int, counts: Mapping[str, int]) -> str:
    if not day:
        return ""
    date = f"{_YEAR}-{month:02}-{day:02}"
    count = counts.get(date, 0)
    return anchor(_said(date), "/day", date=date) + (f" {count} event{'s' * (count > 1)}" if count else "")


def _day(state: Any, date: str) -> str:
    events = sorted(
        ((key, each) for key, each in state["events"].items() if each[1] == date), key=lambda item: item[1][2]
    )
    rows = [
        [f"{each[2]}:00 to {each[2] + each[3]}:00", anchor(each[0], "/event", id=key), escape(", ".join(each[4]))]
        for key, each in events
    ]
    return f"<h2>{_said(date)}</h2>{table(('Time', 'Event', 'Guests'), rows)}{anchor('New event', '/new', date=date)}"


def _opened(data: Any, number: str, event: Any, request: Request) -> str:
    """An event, with what can be done with it."""
    title, date, start, hours, guests = event
    here = href("/event", id=number)
    window = dialog(f"Delete {title}?", here, "/delete", id=number) if request.path == "/ask" else ""
    fault = request.path == "/saved" and _entered(request) is None
    said = note("Not saved." if fault else "Saved.") if request.method == "POST" else ""
    invite = form("./invite", fields([_field("select", "Guest", "", tuple(data["people"]))]), "Invite", id=number)
    removed = "".join(button(f"Remove {each}", "/remove", id=number, Guest=each) for each in guests)
    saved = form("./saved", fields(_fields(title, date, start, hours)), "Save", id=number)
    return (
        f"{said}{window}<h2>{escape(title)}</h2>{saved}<p>Guests: {escape(', '.join(guests)) or 'none'}</p>{removed}{invite}"
        f"{anchor('Delete', '/ask', id=number)}"
    )
