"""``/docs``: the OpenAPI document as one static page.

It needs no internet access.

::

    html = page(app.openapi())
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final

from envhub.reports.html import standalone

_STYLE: Final = """
h2 { margin-top: 2.5rem; } details { border: 1px solid #dfe3e8; border-radius: 6px; margin: .5rem 0; padding: .4rem .8rem; }
summary { cursor: pointer; } summary code { font-weight: 600; } pre { background: #f5f7f9; padding: .6rem; overflow-x: auto; }
"""
_EXAMPLES: Final[Mapping[str, Any]] = {
    "create_episode": {"env_id": "sudoku-v0", "difficulty": 3, "seed": 1},
    "step_episode": {"turn": 0, "action": "<answer>...</answer>"},
    "fork_episode": {"turn": 1},
    "draw_tasks": {"env_id": "sudoku-v0", "difficulty": 3, "seeds": [1, 2]},
    "verify": {"items": [{"gold": "5/3", "kind": "rational", "responses": ["<answer>5/3</answer>"]}]},
    "batch": {"items": [{"op": "step", "episode_id": "e", "body": {"turn": 0, "action": "..."}}]},
}
Document = Mapping[str, Any]


def page(document: Document) -> str:
    """The page.

    Args:
        document: The OpenAPI 3.1 document of the application.
    """
    groups: dict[str, list[str]] = {}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            groups.setdefault((operation.get("tags") or ["other"])[0], []).append(
                _operation(document, method.upper(), path, operation)
            )
    parts = [f"<h2>{escape(tag)}</h2>{''.join(found)}" for tag, found in groups.items()]
    about = (
        f"<p>{escape(document['info'].get('description', ''))}</p>"
        "<p>The same as JSON: <a href='openapi.json'>openapi.json</a>.</p>"
    )
    return standalone(f"{document['info']['title']} {document['info']['version']}", about + "".join(parts), _STYLE)


def _operation(document: Document, method: str, path: str, operation: Document) -> str:
    """One request, collapsed: description, fields and answers."""
    head = f"<summary><code>{method} {escape(path)}</code> {escape(operation.get('summary', ''))}</summary>"
    about = "".join(f"<p>{escape(text)}</p>" for text in operation.get("description", "").split("\n\n") if text)
    fields = "".join(
        _row(each["name"], each["in"], each.get("required", False), each.get("description", ""))
        for each in (_resolved(document, parameter) for parameter in operation.get("parameters", ()))
    )
    for name, kind, required, description in _fields(document, operation):
        fields += _row(name, kind, required, description)
    table = f"<table><tr><th>field</th><th>type</th><th></th><th>meaning</th></tr>{fields}</table>" if fields else ""
    answers = ", ".join(escape(status) for status in operation["responses"])
    return f"<details>{head}{about}{_curl(method, path, operation)}{table}<p><small>Answers: {answers}</small></p></details>"


def _row(name: str, kind: str, required: bool, description: str) -> str:
    cells = (f"<code>{escape(name)}</code>", escape(kind), "required" if required else "", escape(description))
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _fields(document: Document, operation: Document) -> Iterator[tuple[str, str, bool, str]]:
    """Name, type, requiredness and meaning of each field of a JSON body."""
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    schema = _resolved(document, schema)
    for name, field in schema.get("properties", {}).items():
        yield name, _kind(document, field), name in schema.get("required", ()), field.get("description", "")


def _kind(document: Document, schema: Document) -> str:
    """The type of a field in words."""
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(_kind(document, each) for each in schema[several])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2].rpartition("__")[2]
    if schema.get("type") == "array":
        return f"array of {_kind(document, schema['items'])}" if "items" in schema else "array"
    return str(schema.get("type", "any"))


def _curl(method: str, path: str, operation: Document) -> str:
    """The request as a curl command, if there is an example."""
    example = _EXAMPLES.get(operation.get("operationId", ""))
    if example is None:
        return ""
    command = f"curl -X {method} http://127.0.0.1:8420{path} -H 'content-type: application/json' \\\n  -d "
    return f"<pre>{escape(command)}'{escape(json.dumps(example))}'</pre>"


def _resolved(document: Document, schema: Document) -> Document:
    """The target of a reference within the document."""
    found: Any = schema
    while "$ref" in found:
        target: Any = document
        for name in found["$ref"].removeprefix("#/").split("/"):
            target = target[name]
        found = target
    resolved: Document = found
    return resolved
