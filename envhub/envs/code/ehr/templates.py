"""Queries written together with their near misses.

A template is SQL with places of the form ``[right~wrong~wrong]``, which may be nested. The reference query takes the first
alternative everywhere; each near miss takes another one at a single place::

    right("SELECT COUNT([DISTINCT ~]p.id) ...")      # "SELECT COUNT(DISTINCT p.id) ..."
    list(near_misses("... value [>~>=] 7"))          # ["... value >= 7"]
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

Node = str | tuple["Nodes", ...]
Nodes = tuple["str | tuple[Nodes, ...]", ...]


@lru_cache(maxsize=512)
def _parsed(template: str) -> Nodes:
    stack: list[list[list[Node]]] = [[[]]]
    text = ""
    for sign in template:
        if sign not in "[~]" or (sign == "~" and len(stack) == 1):
            text += sign
            continue
        if text:
            stack[-1][-1].append(text)
            text = ""
        if sign == "[":
            stack.append([[]])
        elif sign == "~":
            stack[-1].append([])
        else:
            place = tuple(tuple(each) for each in stack.pop())
            stack[-1][-1].append(place)
    if len(stack) != 1:
        raise ValueError(f"a place is not closed: {template}")
    return (*stack[0][0], *([text] if text else []))


def _right(nodes: Nodes) -> str:
    return "".join(node if isinstance(node, str) else _right(node[0]) for node in nodes)


def _wrong(nodes: Nodes) -> Iterator[str]:
    for at, node in enumerate(nodes):
        if isinstance(node, str):
            continue
        before, after = _right(nodes[:at]), _right(nodes[at + 1 :])
        for other in node[1:]:
            yield before + _right(other) + after
        for inner in _wrong(node[0]):
            yield before + inner + after


def right(template: str) -> str:
    """The reference query."""
    return _right(_parsed(template))


def near_misses(template: str) -> Iterator[str]:
    """Queries that differ from the reference at one place, each once."""
    seen = {right(template)}
    for query in _wrong(_parsed(template)):
        if query not in seen:
            seen.add(query)
            yield query
