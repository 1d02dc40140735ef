"""Schemas of extract-v0: how they are written, and answers as documents.

::

    object_of(age={"type": "integer"})
    document({"dose_mg": "0.5"})        # {"dose_mg": 0.5}: decimals as numbers, ready for json.dumps
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from envhub.core.types import JSON

IDENTITY: Final[Mapping[str, str]] = {
    "symptoms": "name",
    "conditions": "name",
    "family_history": "relative",
    "medications": "drug",
    "allergies": "substance",
    "labs": "test",
    "procedures": "name",
    "people": "name",
    "injuries": "person",
    "equipment": "id",
    "costs": "what",
    "spills": "substance",
    "actions": "action",
}
"""The property that identifies an item of each list of objects."""
_DECIMALS: Final = frozenset({"dose_mg", "value", "temperature_c", "litres"})
_DATE: Final = r"^\d{4}-\d{2}-\d{2}$"
DAY: Final = {"type": "string", "pattern": _DATE}
MAYBE_DAY: Final = {"type": ["string", "null"], "pattern": _DATE}


def object_of(**properties: JSON) -> JSON:
    """An object that has exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def list_of(item: JSON, note: str) -> JSON:
    """A list without duplicates."""
    return {"type": "array", "items": item, "uniqueItems": True, "description": note}


def one_of(values: Iterable[str]) -> JSON:
    """One of these texts."""
    return {"enum": list(values)}


def maybe(kind: str, note: str) -> JSON:
    """A value of a type, or null."""
    return {"type": [kind, "null"], "description": note}


def document(value: Any, name: str = "") -> JSON:
    """An answer with numbers in place of the texts of decimals."""
    if isinstance(value, dict):
        return {key: document(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [document(inner) for inner in value]
    if name in _DECIMALS and isinstance(value, str):
        return int(value) if value.isdigit() else float(value)
    return value
