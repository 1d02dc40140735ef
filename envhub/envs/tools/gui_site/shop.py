"""A shop: filters, product pages, basket, wish list and checkout."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, ClassVar, Final

from envhub.browser.site import Request
from envhub.core.seeding import Stream
from envhub.envs.tools.gui.form import Field
from envhub.envs.tools.gui.kind import Step, button, note, table
from envhub.envs.tools.gui.words import COLOURS, GOODS, TOWNS
from envhub.envs.tools.gui_site.app import (
    App,
    Draw,
    Goal,
    Scene,
    anchor,
    click,
    fields,
    form,
    listing,
    number_of,
    pick,
    press,
    turned,
    write,
)

_MATERIALS: Final = ("Oak", "Steel", "Glass", "Wool", "Clay", "Copper", "Paper", "Silk", "Stone", "Bamboo")
_SPEEDS: Final = ("Standard", "Express", "Pick-up")
_ORDERS: Final = ("Name", "Lowest price", "Highest rating")
_ALL: Final = "all"
_MOST: Final = 99


class Shop(App):
    """Products with different prices, and different ratings within a category.

    The state holds the basket, the wish list and the orders.
    """

    name: ClassVar[str] = "shop"
    title: ClassVar[str] = "Shop"
    menu: ClassVar = (("Products", "/"), ("Basket", "/basket"), ("Wish list", "/wishes"), ("Orders", "/orders"))
    last: ClassVar[str] = "order"

    @property
    def goals(self) -> Mapping[str, Draw]:
        """Add, remove, wish, answer a question, and order at the end."""
        return {"add": self._add, "remove": self._remove, "wish": self._wish, "ask": self._ask, "order": self._order}

    def build(self, rng: Stream, size: int) -> Any:
        """Twelve to fifty-seven products; a few are in the basket."""
        categories = rng.sample(GOODS, 3 + size // 3)
        pairs = [(material, category) for category in categories for material in _MATERIALS]
        drawn = rng.sample(pairs, min(len(pairs), 7 + 5 * size))
        prices, ratings = rng.sample(range(5, 300), len(drawn)), rng.sample(range(10, 50 + 20), len(drawn))
        products: list[dict[str, Any]] = [
            {
                "id": str(at),
                "name": f"{material} {category}",
                "category": category,
                "price": price,
                "rating": rating,
                "colours": sorted(rng.sample(COLOURS, 3)),
            }
            for at, ((material, category), price, rating) in enumerate(zip(drawn, prices, ratings, strict=True))
        ]
        basket = [[each["id"], each["colours"][0], 1 + rng.below(3)] for each in rng.sample(products, 2)]
        addresses = [
            f"{place}, {town}" for place, town in zip(("Home", "Office", "Workshop"), rng.sample(TOWNS, 3), strict=True)
        ]
        return {
            "products": products,
            "basket": sorted(basket),
            "addresses": addresses,
            "categories": sorted(categories),
        }

    def start(self, data: Any) -> Any:
        """Nothing was ordered."""
        return {"basket": data["basket"], "wishes": [], "orders": []}

    # -- pages -------------------------------------------------------------------------------------------------------

    def change(self, data: Any, state: Any, request: Request) -> Any:
        """Put in, take out, wish or order."""
        found = _product(data, request.value("id"))
        if request.method != "POST":
            return state
        if request.path == "/ordered":
            address, speed = request.value("Address"), request.value("Delivery")
            known = address in data["addresses"] and speed in _SPEEDS and bool(state["basket"])
            return (
                {**state, "basket": [], "orders": [*state["orders"], [state["basket"], address, speed]]}
                if known
                else state
            )
        if found is None:
            return state
        colour, count = request.value("Colour"), number_of(request.value("Quantity"), 0)
        if request.path == "/added" and colour in found["colours"] and 1 <= count <= _MOST:
            return {**state, "basket": _with(state["basket"], found["id"], colour, count)}
        if request.path == "/removed":
            return {**state, "basket": [line for line in state["basket"] if line[:2] != [found["id"], colour]]}
        if request.path == "/wished":
            kept = [each for each in state["wishes"] if each != found["id"]]
            return {**state, "wishes": kept if found["id"] in state["wishes"] else sorted([*kept, found["id"]])}
        return state

    def body(self, data: Any, state: Any, request: Request) -> str:
        """The products, one product, the basket, the wish list or the orders."""
        found = _product(data, request.value("id"))
        if request.path in ("/basket", "/removed", "/checkout"):
            return _basket(data, state, request.path == "/checkout")
        if request.path in ("/orders", "/ordered"):
            rows = [[_lines(data, basket), escape(address), speed] for basket, address, speed in state["orders"]]
            return f"<h2>Orders</h2>{table(('Products', 'Address', 'Delivery'), rows)}"
        if request.path == "/wishes":
            wished = (escape(each["name"]) for each in data["products"] if each["id"] in state["wishes"])
            return f"<h2>Wish list</h2><ul>{''.join(f'<li>{name}</li>' for name in wished)}</ul>"
        return _products(data, request) if found is None else _offered(found, state, request)

    # -- goals -------------------------------------------------------------------------------------------------------

    def _add(self, scene: Scene) -> Goal | None:
        rng, category = scene.rng, scene.rng.choice(scene.data["categories"])
        bound = rng.between(20, 50)
        fitting = [each for each in _of(scene.data, category) if each["rating"] >= bound]
        if not fitting:
            return None
        found = min(fitting, key=lambda each: int(each["price"]))
        colour, count = rng.choice(found["colours"]), rng.between(2, 9)
        plan = (
            *_open(scene.data, found, _ORDERS[1]),
            pick("Colour", colour),
            write("Quantity", str(count), "spinbutton"),
            press("Add to basket"),
        )
        words = (
            f"Add {count} pieces, in {colour}, of the cheapest {category} with a rating of at least {_rating(bound)} to the "
            "basket."
        )
        after = {**scene.state, "basket": _with(scene.state["basket"], found["id"], colour, count)}
        return Goal(words, plan, after, touched=frozenset({found["id"]})) if found["id"] not in scene.taken else None

    def _remove(self, scene: Scene) -> Goal | None:
        lines = [line for line in scene.state["basket"] if line[0] not in scene.taken]
        if not lines:
            return None
        line = scene.rng.choice(lines)
        found = _product(scene.data, line[0])
        words = f"Remove the {found['name']} ({line[1]}) from the basket."
        plan = (click("Basket"), press(f"Remove {found['name']} ({line[1]})"))
        after = {**scene.state, "basket": [each for each in scene.state["basket"] if each != line]}
        return Goal(words, plan, after, touched=frozenset({found["id"]}))

    def _wish(self, scene: Scene) -> Goal | None:
        category = scene.rng.choice(scene.data["categories"])
        bound = scene.rng.between(40, 200)
        found = [each for each in _of(scene.data, category) if each["price"] <= bound]
        if not 1 <= len(found) <= 4 or scene.state["wishes"]:
            return None
        plan = tuple(
            step for each in found for step in (*_open(scene.data, each, _ORDERS[1]), press("Add to wish list"))
        )
        words = f"Add each {category} that costs at most {bound} to the wish list."
        return Goal(words, plan, {**scene.state, "wishes": sorted(each["id"] for each in found)})

    def _ask(self, scene: Scene) -> Goal | None:
        category = scene.rng.choice(scene.data["categories"])
        rated = _of(scene.data, category)
        if len(rated) < 2:
            return None
        found = max(rated, key=lambda each: int(each["rating"]))
        words = f"Report the price of the {category} with the highest rating, as a number."
        return Goal(words, _list(category, _ORDERS[2]), scene.state, str(found["price"]))

    def _order(self, scene: Scene) -> Goal | None:
        if not scene.state["basket"]:
            return None
        address, speed = scene.rng.choice(scene.data["addresses"]), scene.rng.choice(_SPEEDS)
        plan = (click("Basket"), click("Checkout"), pick("Address", address), pick("Delivery", speed), press("Order"))
        words = f'Finally, order what is in the basket to the address "{address}" with the delivery "{speed}".'
        orders = [*scene.state["orders"], [scene.state["basket"], address, speed]]
        return Goal(words, plan, {**scene.state, "basket": [], "orders": orders})


def _product(data: Any, number: str) -> Any:
    return next((each for each in data["products"] if each["id"] == number), None)


def _of(data: Any, category: str) -> list[Any]:
    """The products of a category, the cheapest first."""
    found = [each for each in data["products"] if each["category"] == category]
    return sorted(found, key=lambda each: int(each["price"]))


def _rating(tenths: int) -> str:
    return f"{tenths / 10:.1f}"


def _with(basket: list[Any], number: str, colour: str, count: int) -> list[Any]:
    """A basket with more of a product."""
    held = sum(line[2] for line in basket if line[:2] == [number, colour])
    others = [line for line in basket if line[:2] != [number, colour]]
    return sorted([*others, [number, colour, min(_MOST, held + count)]])


def _found(data: Any, category: str, order: str) -> list[Any]:
    keys: dict[str, Any] = {
        _ORDERS[0]: lambda each: each["name"],
        _ORDERS[1]: lambda each: each["price"],
        _ORDERS[2]: lambda each: -each["rating"],
    }
    listed = [each for each in data["products"] if category in (_ALL, each["category"])]
    return sorted(listed, key=keys.get(order, keys[_ORDERS[0]]))


def _list(category: str, order: str) -> tuple[Step, ...]:
    return (click("Products"), pick("Category", category), pick("Sort by", order), press("Show"))


def _open(data: Any, product: Any, order: str) -> tuple[Step, ...]:
    """The steps that open a product's page."""
    position = _found(data, product["category"], order).index(product)
    return (*_list(product["category"], order), *turned(position), click(product["name"]))


def _choice(name: str, options: list[str] | tuple[str, ...], value: str = "") -> Field:
    return {"type": "select", "name": name, "options": list(options), "value": value}


def _products(data: Any, request: Request) -> str:
    category, order = request.value("Category"), request.value("Sort by")
    known = category if category in data["categories"] else _ALL
    chosen = [_choice("Category", (_ALL, *data["categories"]), known), _choice("Sort by", _ORDERS, order)]
    rows = [
        [
            anchor(each["name"], "/product", id=each["id"]),
            escape(each["category"]),
            str(each["price"]),
            _rating(each["rating"]),
        ]
        for each in _found(data, known, order)
    ]
    return form("./", fields(chosen), "Show", "get") + listing(
        ("Product", "Category", "Price", "Rating"), rows, request
    )


def _offered(product: Any, state: Any, request: Request) -> str:
    """A product's page."""
    number = product["id"]
    quantity: Field = {"type": "number", "name": "Quantity", "value": "1"}
    said = ""
    if request.path == "/added":
        valid = request.value("Colour") in product["colours"] and 1 <= number_of(request.value("Quantity"), 0) <= _MOST
        said = note("Added to the basket." if valid else "Not added.")
    put = form("./added", fields([_choice("Colour", product["colours"]), quantity]), "Add to basket", id=number)
    wished = "Remove from wish list" if number in state["wishes"] else "Add to wish list"
    return (
        f"{said}<h2>{escape(product['name'])}</h2><p>Price {product['price']}, rating {_rating(product['rating'])}</p>{put}"
        f"{button(wished, '/wished', id=number)}"
    )


def _basket(data: Any, state: Any, checkout: bool) -> str:
    rows = []
    for number, colour, count in state["basket"]:
        name = _product(data, number)["name"]
        remove = button(f"Remove {name} ({colour})", "/removed", id=number, Colour=colour)
        rows.append([escape(name), colour, str(count), remove])
    listed = f"<h2>Basket</h2>{table(('Product', 'Colour', 'Quantity', ''), rows)}"
    if not checkout or not rows:
        return listed + (anchor("Checkout", "/checkout") if rows else "")
    chosen = [_choice("Address", data["addresses"]), _choice("Delivery", _SPEEDS)]
    return listed + form("./ordered", fields(chosen), "Order")


def _lines(data: Any, basket: Any) -> str:
    return ", ".join(f"{count} {escape(_product(data, number)['name'])} ({colour})" for number, colour, count in basket)
