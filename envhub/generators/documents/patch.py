"""JSON Patch and JSON Pointer, on copies and with bounds.

::

    apply([{"op": "replace", "path": "/a/0", "value": 2}], {"a": [1]})     # {"a": [2]}
"""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any, Final

from envhub.core.types import JSON
from envhub.generators.documents.strict import same_json

MAX_OPERATIONS: Final = 64
MAX_VALUES: Final = 5_000
_BAD_ESCAPE: Final = re.compile("~(?![01])")
_FIELDS: Final = {
    "add": {"path", "value"},
    "remove": {"path"},
    "replace": {"path", "value"},
    "move": {"path", "from"},
    "copy": {"path", "from"},
    "test": {"path", "value"},
}


class BadPatch(ValueError):
    """A patch that is not valid or cannot be applied."""


def apply(patch: JSON, document: JSON) -> JSON:
    """The document after all operations.

    Raises:
        BadPatch: The patch is not a list of valid operations, or one fails.
    """
    if not isinstance(patch, list) or len(patch) > MAX_OPERATIONS:
        raise BadPatch(f"a patch must be a list of at most {MAX_OPERATIONS} operations")
    root: dict[str, JSON] = {"": deepcopy(document)}  # the document as a member, so that it can be replaced as well
    for number, operation in enumerate(patch, 1):
        try:
            _operate(operation, root)
        except BadPatch as error:
            raise BadPatch(f"operation {number}: {error}") from None
    return root[""]


def _operate(operation: JSON, root: dict[str, JSON]) -> None:
    if not isinstance(operation, dict):
        raise BadPatch("it must be an object")
    name = operation.get("op")
    if not isinstance(name, str) or name not in _FIELDS or not _FIELDS[name] <= operation.keys():
        raise BadPatch("it needs op, path, and value or from as RFC 6902 says")
    path = _tokens(operation["path"])
    if name == "test":
        if not same_json(_get(root, path), operation["value"]):
            raise BadPatch("the test fails")
    elif name == "remove":
        _remove(root, path)
    elif name == "replace":
        _get(root, path)
        _put(root, path, deepcopy(operation["value"]), insert=False)
    elif name == "add":
        _put(root, path, deepcopy(operation["value"]), insert=True)
    else:
        _transfer(root, _tokens(operation["from"]), path, move=name == "move")


def _transfer(root: dict[str, JSON], source: list[str], path: list[str], move: bool) -> None:
    value = deepcopy(_get(root, source))
    if not move and _count(root) + _count(value) > MAX_VALUES:
        raise BadPatch(f"the document would have more than {MAX_VALUES} values")
    if move:
        if path[: len(source)] == source and len(path) > len(source):
            raise BadPatch("a value cannot be moved into itself")
        _remove(root, source)
    _put(root, path, value, insert=True)


def _count(value: JSON) -> int:
    """The number of values in a value, itself included."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_count, inner))


def _tokens(pointer: Any) -> list[str]:
    """The parts of a pointer, an empty one first."""
    if not isinstance(pointer, str) or (pointer and pointer[0] != "/"):
        raise BadPatch("a path must be empty or begin with /")
    if _BAD_ESCAPE.search(pointer):
        raise BadPatch("in a path, ~ must be followed by 0 or 1")
    parts = pointer.split("/")[1:]
    return ["", *(part.replace("~1", "/").replace("~0", "~") for part in parts)]


def _get(root: dict[str, JSON], path: list[str]) -> JSON:
    value: JSON = root
    for token in path:
        value = value[_place(value, token)]
    return value


def _place(container: JSON, token: str, beyond: int = 0) -> Any:
    """The existing key or index that a token names."""
    if isinstance(container, dict):
        if token not in container:
            raise BadPatch(f"there is no {token[:40]!r}")
        return token
    digits = token.isascii() and token.isdigit() and (token == "0" or token[0] != "0") and len(token) < 9
    if not isinstance(container, list) or not digits or int(token) >= len(container) + beyond:
        raise BadPatch(f"there is no place {token[:40]!r}")
    return int(token)


def _remove(root: dict[str, JSON], path: list[str]) -> None:
    if len(path) == 1:
        raise BadPatch("the whole document cannot be removed")
    container = _get(root, path[:-1])
    del container[_place(container, path[-1])]


def _put(root: dict[str, JSON], path: list[str], value: JSON, insert: bool) -> None:
    container = _get(root, path[:-1]) if len(path) > 1 else root
    if isinstance(container, dict):
        container[path[-1]] = value
    elif not isinstance(container, list):
        raise BadPatch("a text, a number, a boolean or null has no members")
    elif insert:
        at = len(container) if path[-1] == "-" else _place(container, path[-1], beyond=1)
        container.insert(at, value)
    else:
        container[_place(container, path[-1])] = value
