"""Kinds with a table of products: sort, filter, copy, edit, count.

Data: ``rows``, each with a name, a colour, a town, a price and a stock.
"""

from __future__ import annotations

from html import escape
from typing import Any, ClassVar

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.kind import LONGEST, Draft, Kind, Step, button, link, note, table
from envhub.envs.tools.gui.words import COLOURS, GOODS, TOWNS

_COLUMNS = ("name", "colour", "town", "price", "stock")
_HEADS = ("Product", "Colour", "Town", "Price", "Stock")
Row = dict[str, Any]


def _rows(rng: Stream, size: int) -> list[Row]:
    """Products with different names and prices."""
    count = min(len(GOODS), 4 + size)
    prices = rng.sample(range(3, 200), count)
    return [
        {
            "name": name,
            "colour": rng.choice(COLOURS[:4]),
            "town": rng.choice(TOWNS[:4]),
            "price": price,
            "stock": rng.below(40),
        }
        for name, price in zip(rng.sample(GOODS, count), prices, strict=True)
    ]


def _cells(row: Row) -> list[str]:
    return [escape(str(row[column])) for column in _COLUMNS]


class Pick(Kind):
    """A table in which one row is picked.

    The state lists the picked rows.
    """

    def start(self, data: Any) -> Any:
        """Nothing was picked."""
        return {"picked": []}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Note what was picked."""
        row = request.value("row")
        known = (
            request.method == "POST" and request.path == "/pick" and any(row == each["name"] for each in data["rows"])
        )
        return {"picked": [*state["picked"], row]} if known else state

    def listed(self, state: Any, rows: list[Row]) -> str:
        """The rows, each with its button."""
        said = "".join(note(f"Picked: {each}.") for each in state["picked"][-1:])
        cells = [[*_cells(row), button(f"Pick {row['name']}", "/pick", row=row["name"])] for row in rows]
        return said + table([*_HEADS, ""], cells)


class Sort(Pick):
    """Pick the row at a place of an order."""

    name: ClassVar[str] = "sort-table"
    titles: ClassVar = ("Price list", "Stock list", "Products")
    _PLACES: ClassVar = ("lowest", "second lowest", "third lowest", "highest", "second highest", "third highest")

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """The order is that of prices."""
        rows, place = _rows(rng, size), rng.below(6)
        ordered = sorted(rows, key=lambda row: row["price"], reverse=place >= 3)
        name = ordered[place % 3]["name"]
        goal = f"In {title!r}, pick the product with the {self._PLACES[place]} price, once."
        plan: tuple[Step, ...] = (("click", "link", "Sort by price"), ("click", "button", f"Pick {name}"))
        return Draft({"title": title, "rows": rows}, goal, {"picked": [name]}, plan, items=5 * len(rows))

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The table, sorted if that was asked for."""
        rows = sorted(data["rows"], key=lambda row: row["price"]) if request.path == "/sort" else data["rows"]
        return f"<nav>{link('Sort by price', '/sort')}{link('As entered', '/list')}</nav>{self.listed(state, rows)}"


class Filter(Pick):
    """Pick the only row with two properties."""

    name: ClassVar[str] = "filter-table"
    titles: ClassVar = ("Warehouse", "Offers", "Stockroom")

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """No other row shares both; some share one."""
        rows = _rows(rng, size)
        row = rng.choice(rows)
        for other in rows:
            if other is not row and (other["colour"], other["town"]) == (row["colour"], row["town"]):
                other["town"] = rng.choice([town for town in TOWNS[:4] if town != row["town"]])
        goal = f"In {title!r}, pick the only {row['colour']} product from {row['town']}, once."
        plan: tuple[Step, ...] = (
            ("select", "combobox", "Colour", row["colour"]),
            ("click", "button", "Filter"),
            ("click", "button", f"Pick {row['name']}"),
        )
        return Draft({"title": title, "rows": rows}, goal, {"picked": [row["name"]]}, plan, items=5 * len(rows))

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The filter, and the rows that pass it."""
        colour = request.value("Colour")
        rows = [row for row in data["rows"] if colour in ("", "all", row["colour"])]
        options = "".join(f"<option>{each}</option>" for each in ("all", *COLOURS[:4]))
        field = f'<label>Colour <select name="Colour">{options}</select></label>'
        return f'<form action="./filter">{field}<button>Filter</button></form>{self.listed(state, rows)}'


class Copy(Kind):
    """Copy a cell of a table into a field."""

    name: ClassVar[str] = "copy-cell"
    titles: ClassVar = ("Report", "Ledger", "Delivery note")

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """A price, a stock, or a town."""
        rows, column = _rows(rng, size), rng.choice(("town", "price", "stock"))
        row = rng.choice(rows)
        goal = f"In {title!r}, enter the {column} of the {row['name']} into the field 'Value' and save it."
        plan: tuple[Step, ...] = (("type", "textbox", "Value", str(row[column])), ("click", "button", "Save"))
        return Draft({"title": title, "rows": rows}, goal, {"value": str(row[column])}, plan, items=5 * len(rows))

    def start(self, data: Any) -> Any:
        """Nothing was saved."""
        return {"value": None}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Save the value."""
        if request.method != "POST" or request.path != "/save":
            return state
        return {"value": request.value("Value").strip()[:LONGEST]}

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The field and the table."""
        value = escape(state["value"] or "")
        said = note("Saved.") if request.path == "/save" else ""
        form = (
            f'<form method="post" action="./save"><label>Value <input name="Value" value="{value}" autocomplete="off">'
            "</label><button>Save</button></form>"
        )
        return said + form + table(_HEADS, [_cells(row) for row in data["rows"]])


class Edit(Kind):
    """Mark all rows with a property."""

    name: ClassVar[str] = "edit-rows"
    titles: ClassVar = ("Discounts", "Clearance", "Reorders")

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """All of a colour, or all that cost less than a bound."""
        rows = _rows(rng, size)
        if rng.below(2):
            colour = rng.choice(rows)["colour"]
            chosen, words = [row["name"] for row in rows if row["colour"] == colour], f"each {colour} product"
        else:
            bound = sorted(row["price"] for row in rows)[rng.between(1, 2 + size // 3)]
            chosen = [row["name"] for row in rows if row["price"] < bound]
            words = f"each product whose price is below {bound}"
        goal = f"In {title!r}, tick {words}, no other product, and save it."
        plan = [*(("click", "checkbox", name) for name in chosen), ("click", "button", "Save")]
        return Draft({"title": title, "rows": rows}, goal, {"ticked": sorted(chosen)}, tuple(plan), items=5 * len(rows))

    def start(self, data: Any) -> Any:
        """Nothing was saved."""
        return {"ticked": None}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Save what is ticked."""
        chosen = request.values("tick")
        known = set(chosen) <= {row["name"] for row in data["rows"]}
        return (
            {"ticked": sorted(set(chosen))} if request.method == "POST" and request.path == "/save" and known else state
        )

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The table with a box in each row."""
        now = state["ticked"] or ()
        rows = [
            [
                f'<input type="checkbox" name="tick" value="{row["name"]}" aria-label="{row["name"]}"'
                f"{' checked' * (row['name'] in now)}>",
                *_cells(row),
            ]
            for row in data["rows"]
        ]
        said = note("Saved.") if request.path == "/save" else ""
        return f'{said}<form method="post" action="./save">{table(["", *_HEADS], rows)}<button>Save</button></form>'


class Count(Kind):
    """Report a number that the table implies. Nothing can be changed."""

    name: ClassVar[str] = "answer"
    titles: ClassVar = ("Statistics", "Census", "Overview")

    def draw(self, rng: Stream, size: int, title: str) -> Draft:
        """The total stock of a town."""
        rows = _rows(rng, size)
        town = rng.choice(rows)["town"]
        total = sum(row["stock"] for row in rows if row["town"] == town)
        goal = f"Read {title!r} and report the total stock of all products from {town}, as a number."
        return Draft({"title": title, "rows": rows}, goal, {}, (), str(total), items=5 * len(rows))

    def start(self, data: Any) -> Any:
        """There is nothing to change."""
        return {}

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Nothing changes."""
        return state

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The table."""
        return table(_HEADS, [_cells(row) for row in data["rows"]])


TABLES = (Sort(), Filter(), Copy(), Edit(), Count())
