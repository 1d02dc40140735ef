"""Kinds that are one form, by the type of its fields."""

from __future__ import annotations

from typing import Any, ClassVar

from envhub.core.seeding import Stream
from envhub.envs.tools.gui.form import Field, Form
from envhub.envs.tools.gui.words import COLOURS, FILES, GOODS, MONTHS, PEOPLE, TOWNS


def _text(name: str, value: str = "") -> Field:
    return {"type": "text", "name": name, "value": value}


class Text(Form):
    """Text fields, some of which are filled in already."""

    name: ClassVar[str] = "text"
    titles: ClassVar = ("Registration", "Visitor", "Address")
    _NAMES: ClassVar = (
        "First name",
        "Town",
        "Street",
        "Company",
        "Phone",
        "Room",
        "Nickname",
        "Reference",
        "Badge",
        "Host",
    )

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """Up to ten fields; a third of them hold something."""
        names = rng.sample(self._NAMES, min(len(self._NAMES), 2 + size))
        return [_text(name, rng.choice(GOODS) if rng.below(3) == 0 else "") for name in names]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """One to four of them."""
        chosen = rng.sample(fields, min(len(fields) - 1, 1 + size // 3))
        return {field["name"]: f"{rng.choice(PEOPLE)} {rng.between(2, 99)}" for field in chosen}


class Dates(Form):
    """A date among others."""

    name: ClassVar[str] = "date"
    titles: ClassVar = ("Holiday request", "Rental", "Appointment")
    _NAMES: ClassVar = ("Start", "End", "Reminder", "Deadline", "Review", "Delivery", "Renewal")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """Dates of 2026."""
        names = rng.sample(self._NAMES, min(len(self._NAMES), 2 + size // 2))
        return [{"type": "date", "name": name, "value": _day(rng)} for name in names]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """One other date, two at higher sizes."""
        return {field["name"]: _other(rng, field["value"]) for field in rng.sample(fields, 1 + (size > 5))}

    def words(self, name: str, field: Field, value: Any) -> str:
        """The date with the month's name."""
        year, month, day = value.split("-")
        return f"{name} to {int(day)} {MONTHS[int(month) - 1]} {year}"


def _day(rng: Stream) -> str:
    return f"2026-{rng.between(1, 12):02}-{rng.between(1, 28):02}"


def _other(rng: Stream, now: str) -> str:
    while (drawn := _day(rng)) == now:
        pass
    return drawn


class Times(Form):
    """A time of day among others."""

    name: ClassVar[str] = "time"
    titles: ClassVar = ("Opening hours", "Alarm", "Shift")
    _NAMES: ClassVar = ("Opens", "Closes", "Break", "Cleaning", "Backup", "Delivery")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """Full hours."""
        names = rng.sample(self._NAMES, min(len(self._NAMES), 2 + size // 2))
        return [{"type": "time", "name": name, "value": f"{rng.between(6, 20):02}:00"} for name in names]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """Times that are no full hour."""
        return {
            field["name"]: f"{rng.between(0, 23):02}:{rng.between(1, 59):02}"
            for field in rng.sample(fields, 1 + (size > 5))
        }

    def words(self, name: str, field: Field, value: Any) -> str:
        """The time on a clock of twelve hours."""
        hour, minute = map(int, value.split(":"))
        return f"{name} to {(hour - 1) % 12 + 1}:{minute:02} {'a.m.' if hour < 12 else 'p.m.'}"


class Numbers(Form):
    """Numbers to enter, some as sums of what is there."""

    name: ClassVar[str] = "spinner"
    titles: ClassVar = ("Order quantities", "Stock", "Seats")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """A number for each of some goods."""
        return [
            {"type": "number", "name": name, "value": str(rng.between(0, 40))}
            for name in rng.sample(GOODS, min(12, 2 + size))
        ]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """More of one or two of them."""
        return {
            field["name"]: str(int(field["value"]) + rng.between(1, 50)) for field in rng.sample(fields, 1 + (size > 5))
        }

    def words(self, name: str, field: Field, value: Any) -> str:
        """The number, or the increase."""
        more = int(value) - int(field["value"])
        return f"{name} to {more} more than the number that is there now"


class Password(Form):
    """A new password, entered twice."""

    name: ClassVar[str] = "password"
    titles: ClassVar = ("Change password", "New account", "Reset")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """Two fields, and some others."""
        names = rng.sample(("User", "Hint", "Question", "Mail", "Device"), min(5, 1 + size // 2))
        twice = [{"type": "password", "name": name, "value": ""} for name in ("Password", "Repeat it")]
        return [*twice, *(_text(name, rng.choice(TOWNS)) for name in names)]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """The same password in both."""
        word = f"{rng.choice(TOWNS).replace(' ', '')}-{rng.between(100, 99_999)}"
        return {"Password": word, "Repeat it": word}

    def fault(self, saved: dict[str, Any]) -> str:
        """They must agree."""
        return "" if saved["Password"] and saved["Password"] == saved["Repeat it"] else "The passwords do not agree."


class Autocomplete(Form):
    """A field that takes one of its suggestions."""

    name: ClassVar[str] = "autocomplete"
    titles: ClassVar = ("Find a station", "Delivery town", "Home town")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """One such field and some texts."""
        towns = sorted(rng.sample(TOWNS, min(len(TOWNS), 4 + size)))
        others = [_text(name, rng.choice(GOODS)) for name in ("Remark", "Code", "Line")[: 1 + size // 4]]
        return [{"type": "datalist", "name": "Town", "options": ["", *towns], "value": ""}, *others]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """One town."""
        (field,) = (each for each in fields if each["name"] == "Town")
        return {"Town": rng.choice(field["options"][1:])}

    def words(self, name: str, field: Field, value: Any) -> str:
        """Its beginning and its end, as far as they single it out."""
        for length in range(1, len(value)):
            start, end = value[:length], value[-length:]
            if sum(each.startswith(start) and each.endswith(end) for each in field["options"]) == 1:
                return f'{name} to the suggestion that starts with "{start}" and ends with "{end}"'
        return f'{name} to "{value}"'


class Choice(Form):
    """Drop-down lists."""

    name: ClassVar[str] = "select"
    titles: ClassVar = ("Preferences", "Display", "Ticket")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """Lists of goods, colours and towns."""
        drawn = (("Gift", GOODS), ("Colour", COLOURS), ("Branch", TOWNS), ("Contact", PEOPLE), ("Format", FILES))
        return [_listed(rng, "select", name, known, 3 + size) for name, known in drawn[: 2 + size // 3]]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """Other choices in one or two lists."""
        return {field["name"]: _another(rng, field) for field in rng.sample(fields, 1 + (size > 4))}


def _listed(rng: Stream, kind: str, name: str, known: Any, count: int) -> Field:
    options = rng.sample(known, min(len(known), count))
    return {"type": kind, "name": name, "options": options, "value": options[0]}


def _another(rng: Stream, field: Field) -> str:
    others: list[str] = [each for each in field["options"] if each != field["value"]]
    return rng.choice(others)


class Multiple(Form):
    """A list in which several things are chosen."""

    name: ClassVar[str] = "multi-select"
    titles: ClassVar = ("Packing list", "Subscriptions", "Invitees")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """One list, with something chosen already."""
        options = rng.sample(GOODS, min(16, 4 + size))
        return [{"type": "multiple", "name": "Things", "options": options, "value": sorted(rng.sample(options, 1))}]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """Exactly two to five of them."""
        (field,) = fields
        while (chosen := sorted(rng.sample(field["options"], 2 + size // 3))) == field["value"]:
            pass
        return {"Things": chosen}

    def words(self, name: str, field: Field, value: Any) -> str:
        """All that must be chosen."""
        return f"{name} to exactly these: {', '.join(value)}"


class Radio(Form):
    """One of several buttons."""

    name: ClassVar[str] = "radio"
    titles: ClassVar = ("Delivery", "Seat", "Vote")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """Groups of options."""
        drawn = (("Town", TOWNS), ("Item", GOODS), ("Person", PEOPLE))
        return [_listed(rng, "radio", name, known, 3 + size // 2) for name, known in drawn[: 1 + size // 4]]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """Another option in each group."""
        return {field["name"]: _another(rng, field) for field in fields}


class Checkboxes(Form):
    """Boxes, some of which are ticked."""

    name: ClassVar[str] = "checkboxes"
    titles: ClassVar = ("Notifications", "Shopping list", "Equipment")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """A box for each of some goods."""
        return [
            {"type": "checkbox", "name": name, "value": rng.below(3) == 0}
            for name in rng.sample(GOODS, min(16, 4 + size))
        ]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """The others of two to five boxes."""
        return {field["name"]: not field["value"] for field in rng.sample(fields, 2 + size // 3)}

    def words(self, name: str, field: Field, value: Any) -> str:
        """Ticked or not."""
        return f"{name} to {'ticked' if value else 'not ticked'}"


class Colour(Form):
    """A colour, given by its parts."""

    name: ClassVar[str] = "colour"
    titles: ClassVar = ("Theme", "Label", "Paint")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """Some colours."""
        names = ("Border", "Text", "Background", "Shadow", "Link")[: 2 + size // 3]
        return [{"type": "color", "name": name, "value": f"#{rng.below(1 << 24):06x}"} for name in names]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """Another colour for one of them."""
        field = rng.choice(fields)
        return {field["name"]: f"#{(int(field['value'][1:], 16) + 1 + rng.below(1 << 23)) % (1 << 24):06x}"}

    def words(self, name: str, field: Field, value: Any) -> str:
        """Red, green and blue as numbers."""
        red, green, blue = (int(value[at : at + 2], 16) for at in (1, 3, 5))
        return f"{name} to the colour with red {red}, green {green} and blue {blue} (each from 0 to 255)"


class Slider(Form):
    """Sliders."""

    name: ClassVar[str] = "slider"
    titles: ClassVar = ("Sound", "Heating", "Lights")

    def fields(self, rng: Stream, size: int) -> list[Field]:
        """Some sliders from 0 to 100."""
        names = rng.sample(("Volume", "Bass", "Treble", "Balance", "Echo", "Gain"), min(6, 2 + size // 2))
        return [{"type": "range", "name": name, "value": str(rng.between(0, 100))} for name in names]

    def wish(self, rng: Stream, fields: list[Field], size: int) -> dict[str, Any]:
        """Other positions of one or two."""
        return {
            field["name"]: str((int(field["value"]) + rng.between(1, 100)) % 101)
            for field in rng.sample(fields, 1 + (size > 5))
        }


FORMS = (
    Text(),
    Dates(),
    Times(),
    Numbers(),
    Password(),
    Autocomplete(),
    Choice(),
    Multiple(),
    Radio(),
    Checkboxes(),
    Colour(),
    Slider(),
)
