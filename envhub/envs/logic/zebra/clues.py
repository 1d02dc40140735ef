"""Clues of zebra puzzles: meaning and canonical form.

``houses`` houses stand in a row and ``attributes`` attributes give each of them a value. Houses and values are numbers from 0;
value ``v`` of attribute ``a`` is the item ``a * houses + v``. A clue is a JSON list: ``["at", x, h]``, ``["not_at", x, h]``,
``["either", x, h, k]`` place one item; ``["same", x, y]``, ``["differ", x, y]``, ``["apart", x, y]`` (different houses that are
not next to each other), ``["left", x, y]`` (directly), ``["before", x, y]`` (somewhere left), ``["next", x, y]`` and
``["gap", x, y]`` (one house between) relate two::

    holds(["left", 0, 4], (0, 1, 2, 0, 1, 2))      # True: item 0 is in house 0, item 4 in house 1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations, product
from typing import Any, Final

from envhub.core.types import JSON

RELATIONS: Final = ("left", "next", "before", "gap")
PLACES: Final = ("at", "not_at", "either")
BASIC: Final = ("left", "next", "at", "not_at", "same")
ALL: Final = ("left", "next", "before", "gap", "at", "not_at", "either", "same", "differ", "apart")
INDIRECT: Final = tuple(kind for kind in ALL if kind != "at")

Clue = Sequence[Any]
Where = tuple[int, ...]


def holds(clue: Clue, where: Sequence[int]) -> bool:
    """Whether a clue is true, evaluated directly.

    ``where`` gives the house of every item.
    """
    kind, x, *rest = clue
    house = where[x]
    if kind == "at":
        return bool(house == rest[0])
    if kind == "not_at":
        return bool(house != rest[0])
    if kind == "either":
        return house in rest
    return relates(kind, house, where[rest[0]])


def relates(kind: str, one: int, other: int) -> bool:
    """Whether two houses satisfy a clue of a relating kind.

    Raises:
        ValueError: The kind is unknown.
    """
    match kind:
        case "same":
            return one == other
        case "differ":
            return one != other
        case "apart":
            return abs(one - other) > 1
        case "left":
            return one + 1 == other
        case "before":
            return one < other
        case "next":
            return abs(one - other) == 1
        case "gap":
            return abs(one - other) == 2
    raise ValueError(f"no clue is of the kind {kind!r}")


def relabelled(clue: Clue, labels: Sequence[int]) -> JSON:
    """A clue with each item ``x`` renamed to ``labels[x]``."""
    kind, x, *rest = clue
    return [kind, labels[x], *(rest if kind in PLACES else [labels[y] for y in rest])]


def canonical(houses: int, attributes: int, clues: Sequence[Clue]) -> JSON:
    """Canonical clues up to the order of attributes and clues, and reflection.

    Expects every value ``v`` in house ``v``. Exact: attributes that the clues do not distinguish are tried in every
    order.
    """
    forms = []
    for mirrored in (False, True):
        turned = [_turned(clue, houses) if mirrored else _parts(clue, houses) for clue in clues]
        for rank in _rankings(turned, attributes):
            forms.append(sorted(_ranked(clue, rank) for clue in turned))
    return [houses, attributes, [list(clue) for clue in min(forms)]]


def _parts(clue: Clue, houses: int) -> list[Any]:
    """A clue as its kind and its ends.

    An end is ``(attribute, house)`` for a value, ``(-1, house)`` for a house.
    """
    kind, x, *rest = clue
    placed = kind in PLACES
    return [kind, divmod(x, houses), *((-1, h) if placed else divmod(h, houses) for h in rest)]


def _turned(clue: Clue, houses: int) -> list[Any]:
    """:func:`_parts` of a clue on the reflected street."""
    kind, *ends = _parts(clue, houses)
    ends = [(attribute, houses - 1 - h) for attribute, h in ends]
    return [kind, *(reversed(ends) if kind in ("left", "before") else ends)]


def _ranked(clue: list[Any], rank: Sequence[int]) -> tuple[Any, ...]:
    """A clue with attributes renamed and unordered parts sorted."""
    kind, *ends = clue
    named = [(rank[attribute] if attribute >= 0 else -1, h) for attribute, h in ends]
    if kind not in ("left", "before"):
        named.sort()
    return (kind, *(number for end in named for number in end))


def _rankings(clues: list[list[Any]], attributes: int) -> Iterator[Sequence[int]]:
    """Every attribute naming that colour refinement leaves open."""
    colours = [0] * attributes
    while True:
        views = []
        for attribute in range(attributes):
            seen = [2 * colour + (i == attribute) for i, colour in enumerate(colours)]
            own = [_ranked(c, seen) for c in clues if any(end[0] == attribute for end in c[1:])]
            views.append((colours[attribute], sorted(own)))
        order = sorted(range(attributes), key=views.__getitem__)
        fresh = [0] * attributes
        for before, i in pairwise(order):
            fresh[i] = fresh[before] + (views[before] != views[i])
        settled = max(fresh) == max(colours)
        colours = fresh
        if settled:
            break
    mentioned = {end[0] for clue in clues for end in clue[1:]}
    classes = [[i for i in range(attributes) if colours[i] == c] for c in range(max(colours) + 1)]
    orders = [list(permutations(group)) if group[0] in mentioned else [tuple(group)] for group in classes]
    for chosen in product(*orders):
        rank = [0] * attributes
        for place, attribute in enumerate(i for group in chosen for i in group):
            rank[attribute] = place
        yield rank
