"""Pages as trees of nodes, shown as accessibility tree or HTML.

Controls (links, buttons and fields) are numbered in their order on the page; a number is how the policy names one::

    page = Node("main", inside=(heading("Goods"), link("Next page", "/goods?page=2")))
    shown(page, "tree"); controls(page)[0].leads     # "/goods?page=2"
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final, NamedTuple

CONTROLS: Final = frozenset({"link", "button", "textbox", "combobox", "checkbox"})
_TAGS: Final = {"main": "main", "navigation": "nav", "list": "ul", "listitem": "li", "form": "form", "text": "p"}


class Node(NamedTuple):
    """A part of a page.

    Attributes:
        role: Its role, as assistive technology names it.
        name: Its name or text.
        value: The value of a field.
        options: What can be selected in a combobox.
        leads: The path of a link, the action of a button, or the name of a field.
        inside: Its parts.
    """

    role: str
    name: str = ""
    value: str = ""
    options: tuple[str, ...] = ()
    leads: str = ""
    inside: tuple[Node, ...] = ()


def heading(text: str) -> Node:
    """A heading."""
    return Node("heading", text)


def text(words: str) -> Node:
    """A paragraph."""
    return Node("text", words)


def link(name: str, path: str) -> Node:
    """A link to a path."""
    return Node("link", name, leads=path)


def button(name: str, action: str) -> Node:
    """A button with its action."""
    return Node("button", name, leads=action)


def controls(page: Node) -> list[Node]:
    """The controls of a page, in the order of their numbers."""
    found = [page] if page.role in CONTROLS else []
    return found + [control for part in page.inside for control in controls(part)]


def shown(page: Node, form: str) -> str:
    """A page as ``tree`` or as ``html``."""
    numbers = iter(range(1, len(controls(page)) + 1))
    return "\n".join(_tree(page, numbers, 0) if form == "tree" else _html(page, numbers, 0))


def _tree(node: Node, numbers: Iterator[int], depth: int) -> Iterator[str]:
    mark = f"[{next(numbers)}] " if node.role in CONTROLS else ""
    name = f' "{node.name}"' if node.name else ""
    value = f' value: "{node.value}"' if node.role in ("textbox", "combobox") else ""
    checked = f" {'checked' if node.value else 'not checked'}" if node.role == "checkbox" else ""
    options = f" options: {', '.join(node.options)}" if node.options else ""
    yield f"{'  ' * depth}{mark}{node.role}{name}{value}{checked}{options}"
    for part in node.inside:
        yield from _tree(part, numbers, depth + 1)


def _html(node: Node, numbers: Iterator[int], depth: int) -> Iterator[str]:
    pad, name = "  " * depth, escape(node.name)
    number = next(numbers) if node.role in CONTROLS else 0
    if node.inside or node.role in ("main", "navigation", "list", "form"):
        tag = _TAGS[node.role]
        label = f' aria-label="{name}"' if name else ""
        yield f"{pad}<{tag}{label}>"
        for part in node.inside:
            yield from _html(part, numbers, depth + 1)
        yield f"{pad}</{tag}>"
    elif number:
        yield pad + _control(node, number, name)
    elif node.role == "heading":
        yield f"{pad}<h1>{name}</h1>"
    elif node.role == "alert":
        yield f'{pad}<p role="alert">{name}</p>'
    else:
        tag = _TAGS[node.role]
        yield f"{pad}<{tag}>{name}</{tag}>"


def _control(node: Node, number: int, name: str) -> str:
    """A control as HTML."""
    value = escape(node.value)
    if node.role == "link":
        return f'<a id="{number}" href="{escape(node.leads)}">{name}</a>'
    if node.role == "button":
        return f'<button id="{number}">{name}</button>'
    if node.role == "textbox":
        return f'<label>{name} <input id="{number}" type="text" value="{value}"></label>'
    if node.role == "checkbox":
        return f'<label><input id="{number}" type="checkbox"{" checked" if node.value else ""}> {name}</label>'
    rows = "".join(
        f"<option{' selected' if option == node.value else ''}>{escape(option)}</option>" for option in node.options
    )
    return f'<label>{name} <select id="{number}">{rows}</select></label>'
