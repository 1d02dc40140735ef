"""Random changes of a JSON document, as a patch."""

from __future__ import annotations

from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON
from envhub.generators.documents.patch import BadPatch, apply
from envhub.generators.documents.records import KEYS, draw_scalar

_HOSTILE: Final = 20


def draw_patch(rng: Stream, document: JSON, count: int) -> tuple[list[JSON], JSON]:
    """Operations, and the document after them."""
    patch: list[JSON] = []
    while len(patch) < count:
        operation = _operation(rng, document)
        try:
            document = apply([operation], document)
        except BadPatch:  # a move within a list, whose places have shifted
            continue
        patch.append(operation)
    return patch, document


def _operation(rng: Stream, document: JSON) -> JSON:
    """An operation of any kind except a test."""
    places = list(_places(document, ""))
    containers = [("", document), *((path, value) for path, value in places if isinstance(value, (dict, list)))]
    path, value = rng.choice(places)
    kind = rng.choice(("replace", "replace", "add", "remove", "move", "copy"))
    if kind == "replace" and not isinstance(value, (dict, list)):
        return {"op": "replace", "path": path, "value": draw_scalar(rng, _HOSTILE)}
    if kind == "remove":
        return {"op": "remove", "path": path}
    outside = [(other, inner) for other, inner in containers if not other.startswith(path)]
    target = _free(rng, *rng.choice(outside or containers[:1]))
    if kind in ("move", "copy"):
        return {"op": kind, "from": path, "path": target}
    return {"op": "add", "path": target, "value": draw_scalar(rng, _HOSTILE)}


def _free(rng: Stream, path: str, container: Any) -> str:
    """A place in a container where a value can be added."""
    if isinstance(container, list):
        return f"{path}/{rng.below(len(container)) if container else 0}"
    return f"{path}/{rng.choice([key for key in KEYS if key not in container])}"


def _places(value: JSON, path: str) -> Any:
    """Every place of a document with its value, the document itself excepted."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield f"{path}/{key}", inner
        yield from _places(inner, f"{path}/{key}")
