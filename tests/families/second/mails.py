"""Tool calls read from the sentences of an e-mail and from the descriptions of tools."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import jsonschema

from envhub.core.types import JSON

_TODAY: Final = date(2027, 3, 10)
_ASKED: Final = {
    r"Set the heating in the (?P<room>.+) to (?P<temperature>.+), for (?P<duration>[^.]+)\.": (
        "Sets the temperature that a room is heated to from now on."
    ),
    r"Pay (?P<money>.+) to (?P<person>.+) with the reference (?P<text>.+?)\.": "Sends money to a person at once.",
    r"Put (?P<text>.+) into my calendar on (?P<date>.+) at (?P<time>.+), for (?P<duration>[^.]+)\.": (
        "Puts a new event into the calendar."
    ),
    r"Have a parcel of (?P<mass>.+) that is (?P<length>.+) long picked up and taken to (?P<address>[^.]+)\.": (
        "Has a parcel picked up here and taken to an address."
    ),
    r"Set the lamps in the (?P<room>.+) to (?P<percent>.+) of their brightness over (?P<duration>.+)\.": (
        "Sets how bright the lamps of a room are."
    ),
    r"Give (?P<person>.+) the task (?P<text>.+) with (?P<choice>.+) priority, due on (?P<date>.+)\.": (
        "Gives a new task to a person."
    ),
    r"Book (?P<count>.+) seats on the train from (?P<start>.+) to (?P<city>.+) on (?P<date>.+), (?P<choice>.+) class\.": (
        "Books seats on a train, one way."
    ),
    r"Invite (?P<people>.+) to a meeting about (?P<text>.+) on (?P<date>.+) at (?P<time>[^.]+)\.": (
        "Invites people to a meeting."
    ),
    r"Hand in an expense of (?P<money>.+) for (?P<choice>.+), paid on (?P<date>.+)\.": (
        "Hands in an expense of yours, to be paid back."
    ),
    r"Let the alarm in the (?P<room>.+) ring on (?P<date>.+) at (?P<time>.+), with a volume of (?P<percent>.+)\.": (
        "Rings once, in a room, on a day at a time."
    ),
    r"Order (?P<count>.+) boards of (?P<length>.+), delivered to (?P<address>.+) on (?P<date>[^.]+)\.": (
        "Orders wooden boards, cut to length, for delivery."
    ),
    r"Let (?P<person>.+) into the (?P<room>.+?) from (?P<date>.+) on; every visit may last (?P<duration>.+)\.": (
        "Lets a person enter a room from a day on, for a time."
    ),
}
"""What a sentence asks for, and what the tool that does it says of itself; more words at the end set its flag."""
_ROLES: Final = {
    "room": ("the room",),
    "temperature": ("the temperature",),
    "duration": ("for how long", "how long it takes", "how long the change takes", "how long a visit may last"),
    "money": ("how much money", "how much it is"),
    "person": ("the other person", "the person"),
    "people": ("the people",),
    "text": ("the reference", "the title", "what it is about"),
    "date": ("the day of the meeting", "the day", "when it is due", "when it was paid", "the first day"),
    "time": ("when it begins", "when it rings"),
    "mass": ("how heavy the parcel is",),
    "length": ("how long the parcel is", "how long each is"),
    "address": ("the address",),
    "percent": ("the brightness or opening", "how loud or bright"),
    "choice": ("the priority", "the class", "what it was for"),
    "count": ("the number of seats", "the number of boards"),
    "start": ("the city it starts in",),
    "city": ("the city it goes to",),
}
"""How a schema describes each part of a request."""
_PART_OF: Final = {role: part for part, roles in _ROLES.items() for role in roles}


def _amount(text: str) -> Fraction:
    """A quantity in degrees Celsius, minutes, grams, centimetres, cents or per cent."""
    number, unit, *more = text.split(" ")
    value = Fraction(number)
    if unit == "degrees":
        return (value - 32) * 5 / 9 if more == ["Fahrenheit"] else value
    if unit in ("hour", "hours", "euros"):
        return value * (100 if unit == "euros" else 60) + (int(more[1]) if more else 0)
    return value * {"kg": 1000, "metre": 100, "metres": 100}.get(unit, 1)


def _day(text: str) -> date:
    ahead = re.fullmatch(r"the day that is (\d+) days from today", text)
    if ahead:
        return _TODAY + timedelta(int(ahead[1]))
    moved = re.fullmatch(r"the day (\d+) days (after|before) (.+)", text)
    spelt = datetime.strptime(moved[3] if moved else text, "%d %B %Y").date()
    days = timedelta(int(moved[1])) if moved else timedelta(0)
    return spelt - days if moved and moved[2] == "before" else spelt + days


def _clock(text: str) -> datetime:
    return datetime.strptime(text, "%I:%M %p" if text[-1] == "m" else "%H:%M")


def _choice(text: str, schema: JSON) -> str:
    """The code of an option: named in the description, or spelt like it."""
    named = {name: code for code, name in re.findall(r"(\w+) = ([^,]+)", schema["description"])}
    return named.get(text) or next(code for code in schema["enum"] if code.lower().replace("_", " ") == text.lower())


_SCALES: Final = {
    "in degrees Celsius": lambda v: v,
    "in degrees Fahrenheit (Celsius times 9/5, plus 32), not rounded": lambda v: v * 9 / 5 + 32,
    "in seconds": lambda v: 60 * v,
    "in kilograms, not rounded": lambda v: v / 1000,
    "in millimetres": lambda v: 10 * v,
    "in metres, not rounded": lambda v: v / 100,
    "in euros": lambda v: v / 100,
    "in euros with two decimals": lambda v: f"{int(v) // 100}.{int(v) % 100:02}",
    "as a fraction of one": lambda v: v / 100,
}


def _quantity(text: str, schema: JSON, form: str) -> Any:
    value = _amount(text)
    if schema["type"] == "object":
        return {"hours": value // 60, "minutes": value % 60}
    return _SCALES.get(form, lambda v: v)(value)


def _date(text: str, schema: JSON, form: str) -> Any:
    day = _day(text)
    if schema["type"] == "object":
        return {"year": day.year, "month": day.month, "day": day.day}
    return f"{day:%d.%m.%Y}" if form == "as DD.MM.YYYY" else f"{day:%Y-%m-%d}"


def _time(text: str, schema: JSON, form: str) -> Any:
    clock = _clock(text)
    if schema["type"] == "object":
        return {"hour": clock.hour, "minute": clock.minute}
    return f"{clock:%H:%M}" if schema["type"] == "string" else clock.hour * 60 + clock.minute


def _person(text: str, schema: JSON, form: str) -> Any:
    first, last = text.split(" ")
    if schema["type"] == "object":
        return {"first": first, "last": last}
    return f"{last}, {first}" if form.startswith("as LAST, FIRST") else text


def _address(text: str, schema: JSON, form: str) -> Any:
    if schema["type"] == "string":
        return text
    found = re.fullmatch(r"((\d+) (.+)), (.+)", text)
    assert found
    if "number" in schema["properties"]:
        return {"city": found[4], "number": int(found[2]), "street": found[3]}
    return {"city": found[4], "street": found[1]}


_WRITERS: Final[Mapping[str, Callable[[str, JSON, str], Any]]] = {
    **dict.fromkeys(("temperature", "duration", "money", "mass", "length", "percent", "count"), _quantity),
    **dict.fromkeys(("room", "choice", "start", "city"), lambda text, schema, form: _choice(text, schema)),
    "date": _date,
    "time": _time,
    "person": _person,
    "people": lambda text, schema, form: re.split(", | and ", text),
    "text": lambda text, schema, form: text.strip('"'),
    "address": _address,
}


def _written(schema: JSON, parts: Mapping[str, str], flagged: bool) -> Any:
    """The arguments of a call under a schema."""
    found = {}
    for name, inner in schema["properties"].items():
        if inner["type"] == "boolean":
            found[name] = flagged
            continue
        if "description" not in inner:
            found[name] = _written(inner, parts, flagged)
            continue
        role = max((role for role in _PART_OF if inner["description"].startswith(role)), key=len)
        part = _PART_OF[role]
        form = inner["description"].removeprefix(role).removeprefix(", ")
        found[name] = _WRITERS[part](parts[part] if part != "count" else f"{parts[part]} pieces", inner, form)
    return found


def calls(problem: JSON) -> Counter[str]:
    """The calls that the sentences ask for, in one form."""
    found = []
    for sentence in problem["sentences"]:
        [(parts, rest, does)] = [
            (said.groupdict(), sentence[said.end() :], does)
            for form, does in _ASKED.items()
            if (said := re.match(form, sentence))
        ]
        found += [
            (tool["name"], _written(tool["parameters"], parts, rest != ""))
            for tool in problem["tools"]
            if tool["description"] == does
        ]
    return Counter(map(_shown, found))


def _shown(value: Any) -> str:
    """A value in one form: numbers as fractions, keys and lists in order."""
    if isinstance(value, dict):
        return str(sorted((key, _shown(inner)) for key, inner in value.items()))
    if isinstance(value, (list, tuple)):
        return str(sorted(map(_shown, value)))
    return (
        str(Fraction(value))
        if isinstance(value, (int, Decimal, Fraction)) and not isinstance(value, bool)
        else repr(value)
    )


def accepts(problem: JSON, text: str) -> bool:
    """Whether a text is a JSON list of the right calls."""
    answer = json.loads(text, parse_float=Decimal)
    if not isinstance(answer, list):
        return False
    found = []
    for call in answer:
        tool = next((tool for tool in problem["tools"] if tool["name"] == call["name"]), None)
        if tool is None or not jsonschema.Draft202012Validator(tool["parameters"]).is_valid(call["arguments"]):
            return False
        flags = {name: False for name, inner in tool["parameters"]["properties"].items() if inner["type"] == "boolean"}
        found.append((call["name"], {**flags, **call["arguments"]}))
    return Counter(map(_shown, found)) == calls(problem)
