"""Orders: values in words, a schema for them, and its instance.

::

    order = draw_order(rng, fields=4, items=2, options=1, turned=50)
    order.told        # [("delivery date", "12 May 2027"), ("item 1, weight", "1.5 kg"), ...]
    order.schema      # requires grams, dates as DD.MM.YYYY ...
    order.instance    # conforms to the schema
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.values import KINDS, Form

_FIELDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "delivery date": ("date", ("due", "delivery_date", "deliver_on")),
    "order date": ("date", ("ordered", "order_date", "created")),
    "pick-up time": ("time", ("pickup", "pickup_time", "collected_at")),
    "customer": ("person", ("customer", "buyer", "client")),
    "driver": ("person", ("driver", "courier", "carrier")),
    "delivery address": ("address", ("address", "ship_to", "destination")),
    "total price": ("money", ("total", "price", "amount")),
    "deposit": ("money", ("deposit", "prepaid", "down_payment")),
    "discount": ("percent", ("discount", "rebate", "reduction")),
    "loading duration": ("duration", ("loading", "loading_time", "handling")),
    "storage duration": ("duration", ("storage", "storage_time", "stored_for")),
    "reference": ("text", ("reference", "ref", "note")),
    "number of parcels": ("count", ("parcels", "parcel_count", "pieces")),
    "priority": ("priority", ("priority", "urgency", "class")),
    "cost category": ("category", ("category", "account", "budget_line")),
    "depot": ("city", ("depot", "hub", "warehouse")),
}
_ITEM_FIELDS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "weight": ("mass", ("weight", "mass", "load")),
    "length": ("length", ("length", "size", "extent")),
    "label": ("text", ("label", "name", "title")),
    "quantity": ("count", ("quantity", "count", "units")),
    "price": ("money", ("price", "cost", "amount")),
}
_PAYMENTS: Final = {
    "card": ("card expiry date", "date", ("expires", "valid_until")),
    "invoice": ("payment deadline", "date", ("deadline", "pay_by")),
    "cash": ("cash amount", "money", ("handed_over", "cash")),
    "voucher": ("voucher code", "text", ("code", "voucher_code")),
}


class Order(NamedTuple):
    """An order in words and as a document.

    Attributes:
        told: Labels with their values in words.
        schema: The JSON Schema of the form.
        instance: The document.
    """

    told: list[list[str]]
    schema: JSON
    instance: JSON


def draw_order(rng: Stream, fields: int, items: int, options: int, turned: int, payment: bool) -> Order:
    """Draw an order.

    Args:
        rng: Source of randomness.
        fields: Number of plain values.
        items: Number of items, which share one definition; 0 for no list.
        options: Number of optional properties of the schema that the order does not state.
        turned: Per cent of values told or required in an unusual form.
        payment: Whether the form has alternatives of payment.
    """
    return _Drawing(rng, turned).order(fields, items, options, payment)


def _is_exact(form: Form, value: Any) -> bool:
    """Whether a form states a value without a float."""
    encoded = form.encode(value)
    parts = encoded.values() if isinstance(encoded, dict) else [encoded]
    return not form.lookup and not any(isinstance(part, float) for part in parts)


class _Drawing:
    """The state of one :func:`draw_order`."""

    def __init__(self, rng: Stream, turned: int) -> None:
        self.rng = rng
        self.turned = turned

    def order(self, fields: int, items: int, options: int, payment: bool) -> Order:
        labels = self.rng.sample(list(_FIELDS), fields + options)
        told: list[list[str]] = []
        properties: dict[str, JSON] = {}
        instance: dict[str, JSON] = {}
        required: list[str] = []
        for number, label in enumerate(labels):
            kind, names = _FIELDS[label]
            name = self.rng.choice([name for name in names if name not in properties])
            form, value = self.form(kind)
            properties[name] = _described(form, label)
            if number < fields:
                told.append([label, self.say(kind, value)])
                instance[name] = form.encode(value)
                required.append(name)
        schema: dict[str, JSON] = _closed(properties, required)
        if items:
            self.add_items(schema, instance, told, items)
        if payment:
            self.add_payment(schema, instance, told)
        self.rng.shuffle(told)
        return Order(told, schema, instance)

    def form(self, kind: str) -> tuple[Form, Any]:
        """A form of a kind, and a value that it states exactly."""
        value = KINDS[kind].draw(self.rng)
        forms = [form for form in KINDS[kind].forms if _is_exact(form, value)]
        return (self.rng.choice(forms) if self.chance() else forms[0]), value

    def say(self, kind: str, value: Any) -> str:
        return KINDS[kind].say(value, self.rng, self.chance())

    def chance(self) -> bool:
        return self.rng.below(100) < self.turned

    def add_items(self, schema: dict[str, JSON], instance: JSON, told: list[list[str]], count: int) -> None:
        """A list of objects of one definition, which the schema refers to."""
        labels = self.rng.sample(list(_ITEM_FIELDS), 2)
        properties: dict[str, JSON] = {}
        forms: dict[str, Form] = {}
        names: dict[str, str] = {}
        for label in labels:
            kind, options = _ITEM_FIELDS[label]
            forms[label] = self.item_form(kind)
            names[label] = self.rng.choice([name for name in options if name not in properties])
            properties[names[label]] = _described(forms[label], label)
        listed = []
        for number in range(1, count + 1):
            item = {}
            for label in labels:
                kind = _ITEM_FIELDS[label][0]
                value = KINDS[kind].draw(self.rng)
                told.append([f"{label} of item {number}", self.say(kind, value)])
                item[names[label]] = forms[label].encode(value)
            listed.append(item)
        schema["$defs"] = {"item": _closed(properties, list(properties))}
        schema["properties"]["items"] = {
            "type": "array",
            "description": "the items, in the order of their numbers",
            "items": {"$ref": "#/$defs/item"},
        }
        schema["required"].append("items")
        instance["items"] = listed

    def item_form(self, kind: str) -> Form:
        """A form that is exact for all values of a kind."""
        forms = [form for form in KINDS[kind].forms if form.schema["type"] in ("string", "integer")]
        return self.rng.choice(forms)

    def add_payment(self, schema: dict[str, JSON], instance: JSON, told: list[list[str]]) -> None:
        """One of several alternatives, which a constant distinguishes."""
        means = self.rng.sample(sorted(_PAYMENTS), 3)
        chosen = self.rng.choice(means)
        alternatives = []
        for name in means:
            label, kind, names = _PAYMENTS[name]
            form, value = self.form(kind)
            key = self.rng.choice(names)
            fields = {"method": {"const": name}, key: _described(form, label)}
            alternatives.append(_closed(fields, list(fields)))
            if name == chosen:
                told += [["payment method", name], [label, self.say(kind, value)]]
                instance["payment"] = {"method": name, key: form.encode(value)}
        schema["properties"]["payment"] = {"description": "how the order is paid", "oneOf": alternatives}
        schema["required"].append("payment")


def _described(form: Form, label: str) -> JSON:
    """The schema of a form, with a label in its description."""
    how = form.schema.get("description")
    closed = {"additionalProperties": False} if form.schema["type"] == "object" else {}
    return {**form.schema, **closed, "description": f"{label}, {how}" if how else label}


def _closed(properties: dict[str, JSON], required: list[str]) -> dict[str, JSON]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}
