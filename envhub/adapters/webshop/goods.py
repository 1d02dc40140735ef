"""WebShop's products and instructions, read from the user's files.

Three JSON files, as WebShop's ``setup.sh`` downloads them: products (``items_shuffle_1000.json``), attributes with synthetic
instructions (``items_ins_v2_1000.json``) and instructions written by people (``items_human_ins.json``)::

    store = store_of(Files(items, digest, attributes, digest, people, digest))
    store.search("red tea")[0]       # codes of products, the best match first

A price that is a range is its middle here; WebShop draws it. Products whose code is longer than ten characters are left out,
as there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

from envhub.adapters.webshop.matching import Goal, Item
from envhub.core.errors import InvalidParameters
from envhub.core.types import encodable
from envhub.generators.retrieval import Document, Index
from envhub.generators.user_files.files import content_at, place_of

FOUND: Final = 50
"""Number of products that a search finds."""
_PRICE: Final = re.compile(r"\$\s*([\d,]+(?:\.\d+)?)")
_UNPRICED: Final = 10_000
_LONGEST_CODE: Final = 10
_STEP: Final = 1000
_STEPS: Final = 99


class Files(NamedTuple):
    """Paths and SHA-256 of the files."""

    items: str
    items_digest: str
    attributes: str
    attributes_digest: str
    people: str
    people_digest: str


@dataclass(frozen=True)
class Store:
    """The goods.

    Attributes:
        items: Products by their code, in the order of the file.
        details: Description and features of each product.
        synthetic: Goals of generated instructions.
        human: Goals of instructions that people wrote.
    """

    items: Mapping[str, Item]
    details: Mapping[str, tuple[str, tuple[str, ...]]]
    synthetic: Sequence[Goal]
    human: Sequence[Goal]

    @cached_property
    def _index(self) -> Index:
        found = []
        for code, item in self.items.items():
            description, features = self.details[code]
            options = ", and ".join(f"{group}: {', '.join(values)}" for group, values in item.options.items())
            found.append(Document(code, item.name, f"{description} {features[0] if features else ''} {options}"))
        return Index(found)

    def search(self, query: str) -> list[str]:
        """The codes of the best matches, at most 50."""
        return [document.id for document in self._index.search(query, FOUND)]


def store_of(files: Files) -> Store:
    """The goods of three files; read once per process and content.

    Raises:
        InvalidParameters: A file is not there, or is of another form.
    """
    pairs = zip(files[::2], files[1::2], strict=True)
    return _store(*((place_of(path, digest), digest) for path, digest in pairs))


@lru_cache(maxsize=2)
def _store(items: tuple[str, str], attributes: tuple[str, str], people: tuple[str, str]) -> Store:
    rows, about, asked = _json(*items), _json(*attributes), _json(*people)
    if not isinstance(rows, list) or not isinstance(about, dict) or not isinstance(asked, dict):
        raise InvalidParameters(
            "Expected a list of products, and attributes and instructions by the codes of products."
        )
    found: dict[str, Item] = {}
    details: dict[str, tuple[str, tuple[str, ...]]] = {}
    for number, row in enumerate(rows, 1):
        try:
            code = str(row["asin"])
            if code != "nan" and len(code) <= _LONGEST_CODE and code not in found:
                found[code], details[code] = _item(row, about.get(code) or {})
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise InvalidParameters(f"{items[0]}, product {number}: {type(error).__name__}: {error}") from None
    if not found:
        raise InvalidParameters(f"There are no products in {items[0]!r}.")
    synthetic = [goal for code in found for goal in _generated(code, found[code], about.get(code) or {})]
    human = [goal for code in found for goal in _written(code, asked.get(code) or ())]
    return Store(found, details, synthetic, human)


def _json(place: str, digest: str) -> Any:
    try:
        return json.loads(content_at(place, digest))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidParameters):
            raise
        raise InvalidParameters(f"{place} is not JSON: {error}") from None


def _item(row: Mapping[str, Any], about: Mapping[str, Any]) -> tuple[Item, tuple[str, tuple[str, ...]]]:
    given = row["small_description"]
    features = tuple(_text(each) for each in (given if isinstance(given, list) else [given]) if each)
    description = _text(row["full_description"])
    options: dict[str, tuple[str, ...]] = {}
    for group, values in (row.get("customization_options") or {}).items():
        if values:
            named = (_text(value["value"]).replace("/", " | ").lower() for value in values)
            options[_text(group).lower()] = tuple(dict.fromkeys(filter(None, named)))
    item = Item(
        _text(row["name"]),
        _text(row["query"]).lower(),
        _text(row["product_category"]),
        tuple(_text(each) for each in about.get("attributes") or ()),
        (" ".join(features).lower(), description.lower()),
        options,
        _cents(row.get("pricing")),
    )
    return item, (description, features)


def _text(value: Any) -> str:
    return encodable(" ".join(str(value).split())) if value is not None else ""


def _cents(pricing: Any) -> int:
    """A price, or the middle of a range; 100 dollars by default."""
    found = [round(float(each.replace(",", "")) * 100) for each in _PRICE.findall(str(pricing or ""))][:2]
    return sum(found) // len(found) if found else _UNPRICED


def _generated(code: str, item: Item, about: Mapping[str, Any]) -> list[Goal]:
    """The goal of a generated instruction; a draw adds options."""
    text, attributes = about.get("instruction"), about.get("instruction_attributes")
    if not text or not attributes:
        return []
    return [Goal(code, _text(text).rstrip("."), tuple(map(_text, attributes)), (), None)]


def _written(code: str, rows: Sequence[Mapping[str, Any]]) -> list[Goal]:
    goals = []
    for row in rows:
        options = row.get("instruction_options") or []
        values = options.values() if isinstance(options, Mapping) else options
        attributes = tuple(_text(each) for each in row.get("instruction_attributes") or ())
        if attributes and row.get("instruction"):
            text = _text(row["instruction"]).strip(".")
            goals.append(Goal(code, text, attributes, tuple(_text(each).lower() for each in values), None))
    return goals


def bounds(cents: int) -> list[int]:
    """WebShop's price bounds: the next four multiples of ten dollars."""
    return [step * _STEP for step in range(1, _STEPS + 1) if step * _STEP > cents][:4]
