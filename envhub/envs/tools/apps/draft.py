"""Draft of an app world: unnumbered rows, unique people, and distractor rows.

A task adds the rows it is about through a :class:`Draft`; names, days, groups and products that it receives belong to
it alone, so tasks of one world do not interfere. ``finish`` adds the rest and gives every row a number that reveals
nothing::

    draft = Draft(rng)
    boss = draft.person("work")
    mail = draft.mail(boss, "Budget", "Please send 12.50 euros.")     # a Ref: the number comes later
    tables, numbers = draft.finish(noise=10)
    resolved(["mail_move", {"id": mail, "folder": "archive"}], numbers)
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.envs.tools.apps.tables import LAST_NUMBER, TODAY, Row, Tables, later
from envhub.generators.values import FIRST, LAST


class Ref(NamedTuple):
    """A row without a number yet."""

    table: str
    place: int


class Person(NamedTuple):
    """A person with the fields of a contact."""

    name: str
    email: str
    phone: str
    group: str
    birthday: str
    iban: str


GROUPS: Final = ("family", "choir", "club", "office", "clients", "school", "neighbours", "gym", "board", "workshop")
_PLACES: Final = ("Room 4", "Cafe Lindt", "the library", "Hall B", "the town hall", "Studio 2", "the station")
_TOPICS: Final = (
    *("budget", "garden", "roof", "concert", "newsletter", "heating", "summer party", "website", "new printer"),
    *("survey", "parking", "kitchen", "trip to the coast", "spring fair", "insurance", "bookshelf", "old archive"),
    *("shuttle bus", "tax papers", "photo wall", "bike shed", "safety drill", "language course", "chess evening"),
)
_SHAPES: Final = (
    "meeting",
    "plan",
    "review",
    "talk",
    "evening",
    "check",
    "call",
    "visit",
    "draft",
    "list",
    "offer",
    "day",
)
CATEGORIES: Final = (
    "lamps",
    "bags",
    "cups",
    "chairs",
    "pens",
    "books",
    "tools",
    "toys",
    "shoes",
    "clocks",
    "ropes",
    "bells",
)
_ADJECTIVES: Final = (
    "Blue",
    "Tall",
    "Round",
    "Swift",
    "Plain",
    "Royal",
    "Soft",
    "Bright",
    "Little",
    "Grand",
    "Calm",
    "Bold",
)
_MODELS: Final = ("Arno", "Bina", "Ceto", "Dori", "Esko", "Fino", "Gala", "Hexa", "Iris", "Juno", "Kalo", "Lumo")
COMPANIES: Final = (
    "Norda Power",
    "Velt Water",
    "Ostra Phones",
    "Kappa Rent",
    "Mira Print",
    "Tolva Repairs",
    "Senn Travel",
)
_TITLES: Final = tuple(f"{topic[0].upper()}{topic[1:]} {shape}" for topic in _TOPICS for shape in _SHAPES)
_PRODUCTS: Final = tuple(f"{adjective} {model}" for adjective in _ADJECTIVES for model in _MODELS)


class Draft:
    """A world while it is drawn.

    Args:
        rng: Source of randomness.
    """

    def __init__(self, rng: Stream) -> None:
        self.rng = rng
        self.rows: dict[str, list[Row]] = {
            name: [] for name in ("mail", "contacts", "events", "transfers", "products", "orders")
        }
        self.files: dict[str, Row] = {}
        self._pools: dict[str, list[Any]] = {}
        self._names: set[str] = set()
        self._days = set[str]()

    # -- what belongs to one task alone ------------------------------------------------------------------------------------

    def fresh(self, pool: str, items: tuple[Any, ...]) -> Any:
        """An unused item from a list."""
        left = self._pools.setdefault(pool, list(items))
        at = self.rng.below(len(left))
        left[at], left[-1] = left[-1], left[at]
        return left.pop()

    def group(self) -> str:
        """A group of contacts."""
        return str(self.fresh("group", GROUPS))

    def topic(self) -> str:
        """A title that no other mail, event or file has."""
        return str(self.fresh("topic", _TITLES))

    def day(self, spread: int = 120) -> str:
        """A future day without other events."""
        while True:
            day = later(TODAY, self.rng.between(2, spread))
            if self.free(day):
                return day

    def free(self, day: str) -> bool:
        """Whether a day is free; marks it as used."""
        free = day not in self._days
        self._days.add(day)
        return free

    def days_in_a_row(self, count: int) -> list[str]:
        """Future days without other events, marked as used."""
        while True:
            first = self.rng.between(2, 120)
            days = [later(TODAY, first + i) for i in range(count)]
            if self._days.isdisjoint(days):
                self._days.update(days)
                return days

    def past(self) -> str:
        """A day of the last weeks."""
        return later(TODAY, -self.rng.between(2, 40))

    def iban(self) -> str:
        """The number of an account."""
        return f"EU{self.rng.between(10**7, 10**8 - 1)}"

    def phone(self) -> str:
        """A phone number."""
        return f"0{self.rng.between(100, 999)} {self.rng.between(10_000, 99_999)}"

    def stranger(self, group: str = "", name: str | None = None) -> Person:
        """A person in no list.

        With a unique name unless one is given.
        """
        rng = self.rng
        while name is None:
            drawn = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
            name = None if drawn in self._names else drawn
        self._names.add(name)
        email = f"{name.lower().replace(' ', '.')}{rng.between(10, 99)}@{rng.choice(('mail', 'post', 'net'))}.example"
        born = f"{rng.between(1950, 2005)}-{rng.between(1, 12):02}-{rng.between(1, 28):02}"
        return Person(name, email, self.phone(), group or rng.choice(GROUPS), born, self.iban())

    def person(self, group: str = "") -> Person:
        """A new contact."""
        return self.listed(self.stranger(group))

    def listed(self, person: Person) -> Person:
        """Add a person to the contacts."""
        self.rows["contacts"].append(person._asdict())
        return person

    def contact(self, person: Person) -> Ref:
        """The contact of a person."""
        return Ref("contacts", self.rows["contacts"].index(person._asdict()))

    def product(self, category: str, price: int, stars: int) -> Ref:
        """A product with a name of its own."""
        row = {"name": self.fresh("product", _PRODUCTS), "category": category, "price": price, "stars": stars}
        return self.add("products", {**row, "stock": self.rng.between(20, 60)})

    # -- rows --------------------------------------------------------------------------------------------------------------

    def add(self, table: str, row: Row) -> Ref:
        """A row."""
        self.rows[table].append(row)
        return Ref(table, len(self.rows[table]) - 1)

    def row(self, ref: Ref) -> Row:
        """The row of a reference."""
        return self.rows[ref.table][ref.place]

    def mail(self, sender: Person, subject: str, body: str, day: str | None = None) -> Ref:
        """A mail in the inbox."""
        row = {"folder": "inbox", "date": day or self.past(), "from": sender.email, "to": ["me@home.example"]}
        return self.add("mail", {**row, "subject": subject, "body": body})

    def event(self, title: str, day: str, start: int, guests: list[Person], hours: int = 1) -> Ref:
        """An event at a full hour."""
        times = {"start": f"{start:02}:00", "end": f"{start + hours:02}:00", "place": self.rng.choice(_PLACES)}
        emails = sorted(guest.email for guest in guests)
        return self.add("events", {"title": title, "date": day, **times, "guests": emails})

    def place(self) -> str:
        """Somewhere to meet."""
        return self.rng.choice(_PLACES)

    def file(self, folder: str, title: str, lines: list[str]) -> str:
        """Add a text file; returns its path."""
        path = f"{folder}/{title.lower().replace(' ', '_')}.txt"
        self.files[path] = {"text": "\n".join(lines)}
        return path

    def transfer(self, account: str, cents: int, iban: str, reference: str, day: str | None = None) -> Ref:
        """Money received (positive) or sent (negative)."""
        row = {"account": account, "date": day or self.past(), "amount": cents, "iban": iban, "reference": reference}
        return self.add("transfers", row)

    # -- the rest ------------------------------------------------------------------------------------------------------------

    def finish(self, noise: int) -> tuple[Tables, dict[Ref, int]]:
        """The tables with this many more rows, and every row's number.

        The counts are per app.
        """
        for _ in range(noise):
            self._noise()
        rng = self.rng
        numbers: dict[Ref, int] = {}
        tables: dict[str, dict[Any, Row]] = {}
        for name, rows in self.rows.items():
            order = rng.sample(range(len(rows)), len(rows))
            ids = sorted(rng.sample(range(101, LAST_NUMBER), len(rows)))
            tables[name] = {id: rows[place] for id, place in zip(ids, order, strict=True)}
            numbers.update({Ref(name, place): id for id, place in zip(ids, order, strict=True)})
        for order_row in self.rows["orders"]:
            order_row["product"] = numbers[order_row["product"]]
        tables["files"] = {path: self.files[path] for path in sorted(self.files)}
        tables["accounts"] = {
            "checking": {"balance": rng.between(900_000, 2_000_000)},
            "savings": {"balance": rng.between(900_000, 2_000_000)},
        }
        return tables, numbers

    def _noise(self) -> None:
        """Add one distractor row to every app."""
        rng = self.rng
        somebody = self.person()
        topic = self.topic()
        self.mail(
            somebody, topic, f"Hello,\nabout the {topic.lower()}: it costs {rng.between(5, 90)} euros. Any thoughts?"
        )
        self.event(self.topic(), self.day(300), rng.between(8, 18), [somebody] if rng.below(2) else [])
        self.file(
            rng.choice(("notes", "papers")), self.topic(), [f"call {somebody.name}", f"about {rng.between(5, 90)}"]
        )
        self.transfer(rng.choice(("checking", "savings")), rng.between(-9_000, 9_000) or 1, self.iban(), self.topic())
        product = self.product("things", rng.between(100, 9_000), rng.between(1, 5))
        status = rng.choice(("placed", "sent", "delivered"))
        name = self.row(product)["name"]
        self.add("orders", {"product": product, "name": name, "quantity": rng.between(1, 9), "status": status})


def resolved(value: Any, numbers: dict[Ref, int]) -> JSON:
    """The value with references replaced by numbers."""
    if isinstance(value, Ref):
        return numbers[value]
    if isinstance(value, dict):
        return {name: resolved(inner, numbers) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [resolved(inner, numbers) for inner in value]
    return value
