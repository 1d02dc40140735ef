"""Lists of values: flattening, and names that stand for all items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from envhub.verifiers.math.lexer import NotMath
from envhub.verifiers.undeclared.values import Amount, Group, Label, Named, Value


def assembled(items: Sequence[Value], *, mixed: bool) -> Value:
    """The group of some items.

    Args:
        items: The items, in order.
        mixed: The items are lists themselves, between stronger separators.

    Raises:
        NotMath: An item is a label.
    """
    if any(isinstance(item, Label) for item in items):
        raise NotMath("an item cannot be read")
    items = _distributed(_counted(items))
    solutions = all(is_assignment(item) and not _is_chain(item) for item in items)
    if solutions or (mixed and any(is_assignment(item) for item in items)):
        return Group(tuple(items), False)
    if mixed and all(_is_bare(item) and not _is_chain(item) for item in items):
        return Group(tuple(items), False)  # lists of lists
    flat: list[Value] = []
    for item in items:
        flat += item.items if isinstance(item, Group) and _is_bare(item) else _spread(item)
    return Group(tuple(flat), False)


def _counted(items: Sequence[Value]) -> list[Value]:
    """The items, with different counted nouns as names: ``6 apples and 5 pears``."""
    amounts = [item for item in items if isinstance(item, Amount) and item.noun]
    if len(amounts) < len(items) or len({item.noun for item in amounts}) < max(len(items), 2):
        return list(items)
    return [Named(item.noun, replace(item, noun="")) for item in amounts]


def _is_bare(item: Value) -> bool:
    return isinstance(item, Group) and not item.ordered and item.bracket in ("", "=")


def _is_chain(item: Value) -> bool:
    return isinstance(item, Group) and item.bracket == "="


def _spread(item: Value) -> list[Value]:
    """The values of a name with several values, each with its name."""
    if isinstance(item, Named) and isinstance(item.value, Group) and not item.value.ordered:
        return [Named(item.name, value, item.arguments) for value in item.value.items]
    return [item]


def _distributed(items: list[Value]) -> list[Value]:
    """Gives the name of the first item to the unnamed others: ``x = 1, 2``."""
    first = items[0]
    others = items[1:]
    if isinstance(first, Named) and not first.arguments:
        unnamed = all(isinstance(item, (Amount, Group)) and not is_assignment(item) for item in others)
        return [first, *(Named(first.name, item) for item in others)] if unnamed else items
    if is_assignment(first) and others and all(isinstance(item, Group) and item.ordered for item in others):
        names = [item.name for item in first.items if isinstance(item, Named)] if isinstance(first, Group) else []
        if all(isinstance(item, Group) and len(item.items) == len(names) for item in items):
            return [
                first,
                *(
                    Group(tuple(Named(name, value) for name, value in zip(names, item.items, strict=True)), False)
                    for item in items[1:]
                    if isinstance(item, Group)
                ),
            ]
    return items


def is_assignment(value: Value) -> bool:
    """Whether a value gives several different names their values."""
    if not isinstance(value, Group) or value.ordered or len(value.items) < 2:
        return False
    names = [item.name for item in value.items if isinstance(item, Named)]
    return len(names) == len(value.items) == len(set(names))
