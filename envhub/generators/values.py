"""Values with a spoken form and a form for tools.

Temperatures, amounts, dates, rooms, persons. A :class:`Kind` draws a value (JSON, in one base unit), says it in words,
and has several forms that the schema of a tool may require. All conversions are exact::

    kind = KINDS["duration"]
    value = kind.draw(rng)                   # 95, in minutes
    kind.say(value, rng, True)               # "1 hour and 35 minutes"
    form = rng.choice(kind.forms)            # form.schema and form.encode(value)
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON

TODAY: Final = date(2027, 3, 10)
FIRST: Final = (
    "Ada",
    "Bela",
    "Cora",
    "Dario",
    "Elin",
    "Farid",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Kira",
    "Luis",
    "Mona",
)
LAST: Final = (
    "Alder",
    "Brook",
    "Castle",
    "Drake",
    "Ember",
    "Frost",
    "Garner",
    "Hale",
    "Irwin",
    "Keller",
    "Lowe",
    "Marsh",
)
_WORDS: Final = (
    "quiet",
    "green",
    "paper",
    "north",
    "river",
    "amber",
    "early",
    "glass",
    "seven",
    "cedar",
    "upper",
    "round",
)
_NOUNS: Final = ("garden", "ladder", "signal", "harbour", "window", "meeting", "lantern", "report", "bridge", "orchard")
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_STREETS: Final = ("Mill Lane", "Station Road", "Church Street", "Park Row", "Bridge Street", "High Street", "Elm Walk")
_CITIES: Final = ("Bath", "Cork", "Derby", "Ghent", "Leeds", "Malmo", "Porto", "Turin", "Vienna", "York")


class Form(NamedTuple):
    """A tool's form of a value: schema and encoder.

    ``lookup``: an id to be found out.
    """

    schema: JSON
    encode: Callable[[Any], JSON]
    lookup: bool = False


class Kind(NamedTuple):
    """Draws and words a value; has its forms, the easiest first."""

    draw: Callable[[Stream], JSON]
    say: Callable[[Any, Stream, bool], str]
    forms: tuple[Form, ...]


def _plain(kind: str, description: str, **more: JSON) -> JSON:
    return {"type": kind, "description": description, **more}


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else value


# -- quantities: the base is an integer, so every division below gives the float nearest to the exact value ----------------


def _say_temperature(halves: int, rng: Stream, turned: bool) -> str:
    if turned and rng.below(2):
        return f"{_number((9 * halves + 320) / 10)} degrees Fahrenheit"
    return f"{_number(halves / 2)} degrees Celsius"


def _say_duration(minutes: int, rng: Stream, turned: bool) -> str:
    hours, rest = divmod(minutes, 60)
    if not turned or not hours or rng.below(3) == 0:
        return f"{minutes} minutes"
    return f"{hours} hour{'s' * (hours > 1)}" + (f" and {rest} minutes" if rest else "")


def _say_mass(grams: int, rng: Stream, turned: bool) -> str:
    return f"{_number(grams / 1000)} kg" if turned and rng.below(2) else f"{grams} grams"


def _say_length(cm: int, rng: Stream, turned: bool) -> str:
    return f"{_number(cm / 100)} metre{'s' * (cm != 100)}" if turned and rng.below(2) else f"{cm} centimetres"


def _say_money(cents: int, rng: Stream, turned: bool) -> str:
    if turned and rng.below(2):
        return f"{cents // 100} euros and {cents % 100} cent{'s' * (cents % 100 != 1)}"
    return f"{cents // 100}.{cents % 100:02} euros"


def _say_percent(value: int, rng: Stream, turned: bool) -> str:
    return f"{value} hundredths" if turned and rng.below(4) == 0 else f"{value} percent"


# -- dates and times -----------------------------------------------------------------------------------------------------


def spelt(day: date) -> str:
    """A date in words, independent of the locale."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _say_date(text: str, rng: Stream, turned: bool) -> str:
    day = date.fromisoformat(text)
    if not turned:
        return spelt(day)
    ahead, some = (day - TODAY).days, rng.between(3, 40)
    return (
        spelt(day),
        f"the day that is {ahead} days from today",
        f"the day {some} days after {spelt(day - timedelta(some))}",
        f"the day {some} days before {spelt(day + timedelta(some))}",
    )[rng.below(4)]


def _say_time(minutes: int, rng: Stream, turned: bool) -> str:
    hour, minute = divmod(minutes, 60)
    if turned and rng.below(3):
        return f"{(hour + 11) % 12 + 1}:{minute:02} {'am' if hour < 12 else 'pm'}"
    return f"{hour:02}:{minute:02}"


# -- names ---------------------------------------------------------------------------------------------------------------


def draw_person(rng: Stream) -> str:
    """The full name of a person."""
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def _say_people(names: list[str], rng: Stream, turned: bool) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1]


def _draw_people(rng: Stream) -> list[str]:
    first, last = rng.sample(FIRST, 3), rng.sample(LAST, 3)
    return [f"{a} {b}" for a, b in list(zip(first, last, strict=True))[: rng.between(2, 3)]]


def _plainly(value: Any, rng: Stream, turned: bool) -> str:
    return str(value)


def _quoted(value: Any, rng: Stream, turned: bool) -> str:
    return f'"{value}"'


def choice_of(options: tuple[str, ...]) -> Kind:
    """One of several things, each with a code."""

    def coded(codes: list[str], told: bool) -> Form:
        meaning = "one of: " + ", ".join(f"{code} = {option}" for code, option in zip(codes, options, strict=True))
        by_name = dict(zip(options, codes, strict=True))
        return Form(_plain("string", meaning if told else "which one", enum=codes), lambda value: by_name[value])

    snake = [option.replace(" ", "_") for option in options]
    numbered = [f"{options[0][0].upper()}{number}" for number in range(1, len(options) + 1)]
    forms = (coded(snake, False), coded([s.upper() for s in snake], False), coded(numbered, True))
    return Kind(lambda rng: rng.choice(options), _plainly, forms)


_TIME: Final = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"
_BY_NAME: Final = Form(_plain("string", "full name, first name first"), str)
_BY_ID: Final = Form(_plain("string", "id of the person, as find_person or find_manager gives it"), str, lookup=True)
_TEXT: Final = (Form(_plain("string", "the exact text, without quotation marks"), str),)


def _integer(description: str, low: int = 0, high: int = 1_000_000) -> JSON:
    return _plain("integer", description, minimum=low, maximum=high)


def _parts(**properties: JSON) -> JSON:
    return {"type": "object", "properties": properties, "required": list(properties)}


KINDS: Final[dict[str, Kind]] = {
    "temperature": Kind(
        lambda rng: rng.between(20, 60),
        _say_temperature,
        (
            Form(_plain("number", "in degrees Celsius"), lambda v: _number(v / 2)),
            Form(
                _plain("number", "in degrees Fahrenheit (Celsius times 9/5, plus 32), not rounded"),
                lambda v: _number((9 * v + 320) / 10),
            ),
        ),
    ),
    "duration": Kind(
        lambda rng: 5 * rng.between(2, 60),
        _say_duration,
        (
            Form(_integer("in minutes"), int),
            Form(_integer("in seconds"), lambda v: 60 * v),
            Form(
                _parts(hours=_integer("whole hours"), minutes=_integer("the rest in minutes", 0, 59)),
                lambda v: {"hours": v // 60, "minutes": v % 60},
            ),
        ),
    ),
    "mass": Kind(
        lambda rng: 50 * rng.between(3, 180),
        _say_mass,
        (
            Form(_integer("in grams"), int),
            Form(_plain("number", "in kilograms, not rounded"), lambda v: _number(v / 1000)),
        ),
    ),
    "length": Kind(
        lambda rng: rng.between(15, 240),
        _say_length,
        (
            Form(_integer("in centimetres"), int),
            Form(_integer("in millimetres"), lambda v: 10 * v),
            Form(_plain("number", "in metres, not rounded"), lambda v: _number(v / 100)),
        ),
    ),
    "money": Kind(
        lambda rng: rng.between(300, 99_999),
        _say_money,
        (
            Form(_plain("number", "in euros"), lambda v: _number(v / 100)),
            Form(_integer("in cents"), int),
            Form(
                _plain("string", "in euros with two decimals", pattern=r"^[0-9]+\.[0-9]{2}$"),
                lambda v: f"{v // 100}.{v % 100:02}",
            ),
        ),
    ),
    "percent": Kind(
        lambda rng: rng.between(3, 97),
        _say_percent,
        (
            Form(_integer("in percent", 0, 100), int),
            Form(_plain("number", "as a fraction of one", minimum=0, maximum=1), lambda v: _number(v / 100)),
        ),
    ),
    "date": Kind(
        lambda rng: (TODAY + timedelta(rng.between(4, 200))).isoformat(),
        _say_date,
        (
            Form(_plain("string", "as YYYY-MM-DD", pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), str),
            Form(
                _plain("string", "as DD.MM.YYYY", pattern=r"^[0-9]{2}\.[0-9]{2}\.[0-9]{4}$"),
                lambda v: date.fromisoformat(v).strftime("%d.%m.%Y"),
            ),
            Form(
                _parts(year=_integer("year"), month=_integer("month", 1, 12), day=_integer("day", 1, 31)),
                lambda v: dict(zip(("year", "month", "day"), map(int, v.split("-")), strict=True)),
            ),
        ),
    ),
    "time": Kind(
        lambda rng: 5 * rng.between(6 * 12, 23 * 12),
        _say_time,
        (
            Form(_plain("string", "as HH:MM, 24 hours", pattern=_TIME), lambda v: f"{v // 60:02}:{v % 60:02}"),
            Form(_integer("in minutes since midnight", 0, 1439), int),
            Form(
                _parts(hour=_integer("0 to 23", 0, 23), minute=_integer("0 to 59", 0, 59)),
                lambda v: {"hour": v // 60, "minute": v % 60},
            ),
        ),
    ),
    "person": Kind(
        draw_person,
        _plainly,
        (
            _BY_NAME,
            Form(
                _parts(first=_plain("string", "first name"), last=_plain("string", "last name")),
                lambda v: dict(zip(("first", "last"), v.split(), strict=True)),
            ),
            Form(_plain("string", "as LAST, FIRST, such as Doe, Jane"), lambda v: ", ".join(reversed(v.split()))),
            _BY_ID,
        ),
    ),
    "people": Kind(
        _draw_people,
        _say_people,
        (
            Form(
                {
                    "type": "array",
                    "description": "full names, in any order",
                    "items": {"type": "string"},
                    "uniqueItems": True,
                },
                lambda v: sorted(v),
            ),
        ),
    ),
    "text": Kind(lambda rng: f"{rng.choice(_WORDS)} {rng.choice(_WORDS)} {rng.choice(_NOUNS)}", _quoted, _TEXT),
    "address": Kind(
        lambda rng: [f"{rng.between(1, 99)} {rng.choice(_STREETS)}", rng.choice(_CITIES)],
        lambda value, rng, turned: f"{value[0]}, {value[1]}",
        (
            Form(_plain("string", "as NUMBER STREET, CITY, such as 5 Long Street, Rome"), ", ".join),
            Form(
                _parts(street=_plain("string", "number and street"), city=_plain("string", "city")),
                lambda v: {"street": v[0], "city": v[1]},
            ),
            Form(
                _parts(
                    city=_plain("string", "city"),
                    street=_plain("string", "street without the number"),
                    number=_integer("number of the house"),
                ),
                lambda v: {"city": v[1], "number": int(v[0].split(" ")[0]), "street": v[0].split(" ", 1)[1]},
            ),
        ),
    ),
    "count": Kind(lambda rng: rng.between(2, 60), _plainly, (Form(_integer("how many"), int),)),
    "room": choice_of(("kitchen", "living room", "bathroom", "bedroom", "study", "hall", "attic", "cellar")),
    "city": choice_of(_CITIES),
    "category": choice_of(("travel", "office", "meals", "repairs", "training", "rent")),
    "priority": choice_of(("low", "normal", "high", "urgent")),
    "class": choice_of(("economy", "comfort", "first")),
}
