"""Statements about knights and knaves: truth, English, and puzzles.

A statement is a JSON list: ``["knight", i]``, ``["knave", i]``, ``["same", i, j]``, ``["differ", i, j]``, ``["exactly",
k, [i, j, ...]]`` (``k`` of them are knights), ``["not", s]``, ``["and", s, t]``, ``["or", s, t]``, ``["if", s, t]``,
``["iff", s, t]``; people are numbers. The truth of a statement in all ``2**n`` worlds is one integer, bit ``w`` being
world ``w`` and bit ``i`` of ``w`` saying that person ``i`` is a knight; so trying all worlds is cheap, and proves
uniqueness::

    statements = plant(rng, roles=[True, False, True], depth=1, connectives=BASIC)     # None: try again
    solutions(statements)                                                             # [0b101]
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.core.types import JSON

BASIC: Final = ("and", "or", "not", "same")
ALL: Final = ("and", "or", "if", "iff", "same", "exactly", "not")
_PAIRS: Final = ("and", "or", "if", "iff")
_TRIES: Final = 60
_FILLS: Final = 24


@cache
def _people(count: int) -> tuple[int, ...]:
    """For each person the worlds in which that person is a knight."""
    return tuple(sum(1 << w for w in range(1 << count) if w >> i & 1) for i in range(count))


def truth(statement: JSON, count: int) -> int:
    """The worlds of ``count`` people in which a statement is true."""
    kind, *parts = statement
    people, every = _people(count), (1 << (1 << count)) - 1
    if kind in ("knight", "knave"):
        known = people[int(parts[0])]
        return known if kind == "knight" else every ^ known
    if kind in ("same", "differ"):
        differ = people[int(parts[0])] ^ people[int(parts[1])]
        return differ if kind == "differ" else every ^ differ
    if kind == "exactly":
        counts = [every] + [0] * len(parts[1])  # counts[k]: worlds with k knights among those seen
        for i in parts[1]:
            for k in range(len(parts[1]), -1, -1):
                counts[k] = counts[k] & ~people[i] | (counts[k - 1] & people[i] if k else 0)
        return counts[int(parts[0])]
    one = truth(parts[0], count)
    if kind == "not":
        return every ^ one
    other = truth(parts[1], count)
    if kind == "and":
        return one & other
    if kind == "or":
        return one | other
    return (every ^ one) | other if kind == "if" else every ^ one ^ other


def holds(statement: JSON, world: Sequence[bool]) -> bool:
    """Whether a statement is true in one world, evaluated directly, without :func:`truth`."""
    kind, *parts = statement
    match kind:
        case "knight":
            return world[int(parts[0])]
        case "knave":
            return not world[int(parts[0])]
        case "same":
            return world[int(parts[0])] == world[int(parts[1])]
        case "differ":
            return world[int(parts[0])] != world[int(parts[1])]
        case "exactly":
            return bool(sum(world[i] for i in parts[1]) == int(parts[0]))
        case "not":
            return not holds(parts[0], world)
        case "and":
            return holds(parts[0], world) and holds(parts[1], world)
        case "or":
            return holds(parts[0], world) or holds(parts[1], world)
        case "if":
            return not holds(parts[0], world) or holds(parts[1], world)
        case _:
            return holds(parts[0], world) == holds(parts[1], world)


def _consistent(statements: Sequence[JSON]) -> list[int]:
    """For each person the worlds in which statement and role agree."""
    count = len(statements)
    every = (1 << (1 << count)) - 1
    return [every ^ person ^ truth(said, count) for person, said in zip(_people(count), statements, strict=True)]


def solutions(statements: Sequence[JSON]) -> list[int]:
    """Every world consistent with all statements.

    Each knight's statement is true and each knave's false.
    """
    worlds = (1 << (1 << len(statements))) - 1
    for fit in _consistent(statements):
        worlds &= fit
    return [w for w in range(1 << len(statements)) if worlds >> w & 1]


def size(statement: JSON) -> int:
    """People and connectives in a statement."""
    kind, *parts = statement
    if kind in ("knight", "knave"):
        return 1
    if kind in ("same", "differ"):
        return 3
    return 1 + (len(parts[1]) if kind == "exactly" else sum(map(size, parts)))


def work(statements: Sequence[JSON]) -> int:
    """Statement parts checked when trying every world.

    Statement by statement, until one fails.
    """
    alive, total = (1 << (1 << len(statements))) - 1, 0
    for statement, fit in zip(statements, _consistent(statements), strict=True):
        total += alive.bit_count() * size(statement)
        alive &= fit
    return total


def plant(rng: Stream, *, roles: Sequence[bool], depth: int, connectives: Sequence[str]) -> list[JSON] | None:
    """One statement per person that together allow only ``roles``.

    None when tries ran out. The shape of a statement is drawn before its people and without regard to the role, so that
    it hardly reveals the role.
    """
    count = len(roles)
    planted = sum(1 << i for i, knight in enumerate(roles) if knight)
    every = (1 << (1 << count)) - 1
    for _ in range(_TRIES):
        statements: list[JSON] = []
        for speaker, knight in enumerate(roles):
            shape = _shape(rng, depth, connectives)
            for _ in range(_FILLS):
                said = _fill(rng, shape, count, speaker)
                worlds = truth(said, count)
                if 0 < worlds < every and bool(worlds >> planted & 1) == knight:
                    statements.append(said)
                    break
            else:
                break
        if len(statements) == count and solutions(statements) == [planted]:
            return statements
    return None


def _shape(rng: Stream, depth: int, connectives: Sequence[str], barred: str = "") -> Any:
    """A statement without its people.

    ``barred`` is not outermost, so that nothing is negated twice.
    """
    if depth == 0:
        return ["is"]
    kind = rng.choice([c for c in connectives if c != barred and (depth == 1 or c not in ("same", "exactly"))])
    if kind in _PAIRS:
        parts = [_shape(rng, depth - 1, connectives), _shape(rng, rng.below(depth), connectives)]
        rng.shuffle(parts)
        return [kind, *parts]
    return [kind, _shape(rng, depth - 1, connectives, "not")] if kind == "not" else [kind]


def _fill(rng: Stream, shape: Any, count: int, speaker: int) -> JSON:
    """A shape with people; a speaker never states only his own role."""
    kind = shape[0]
    if kind == "is":
        others = [i for i in range(count) if i != speaker]
        return [rng.choice(("knight", "knave")), rng.choice(others)]
    if kind == "same":
        return [rng.choice(("same", "differ")), *sorted(rng.sample(range(count), 2))]
    if kind == "exactly":
        among = sorted(rng.sample(range(count), rng.between(2, min(4, count))))
        return ["exactly", rng.between(0, len(among)), among]
    parts = [_fill(rng, part, count, speaker) for part in shape[1:]]
    for _ in range(3):  # in "A and A" the second half is redundant
        if len(parts) == 1 or parts[0][1:] != parts[1][1:]:
            break
        parts[1] = _fill(rng, shape[2], count, speaker)
    return [kind, *parts]


def english(statement: JSON, names: Sequence[str], speaker: int) -> str:
    """The statement of ``speaker`` without capital and full stop.

    Nested compound parts are in brackets.
    """
    kind, *parts = statement
    if kind in ("knight", "knave"):
        return f"I am a {kind}" if parts[0] == speaker else f"{names[parts[0]]} is a {kind}"
    if kind in ("same", "differ"):
        one, other = (names[i] for i in sorted(parts, key=lambda i: i == speaker))
        other = "I" if speaker in parts else other
        return f"{one} and {other} are {'both of the same kind' if kind == 'same' else 'of different kinds'}"
    if kind == "exactly":
        among = [names[i] for i in parts[1] if i != speaker] + ["me"] * (speaker in parts[1])
        verb = "is a knight" if parts[0] == 1 else "are knights"
        return f"exactly {parts[0]} of {', '.join(among[:-1])} and {among[-1]} {verb}"
    inner = [english(part, names, speaker) for part in parts]
    inner = [text if part[0] in ("knight", "knave") else f"({text})" for part, text in zip(parts, inner, strict=True)]
    if kind == "not":
        return f"it is not the case that {inner[0]}"
    if kind == "or":
        return f"either {inner[0]} or {inner[1]}, or both"
    if kind == "if":
        return f"if {inner[0]}, then {inner[1]}"
    return f"{inner[0]} {'and' if kind == 'and' else 'if and only if'} {inner[1]}"


def _relabelled(statement: JSON, names: Sequence[Any]) -> JSON:
    """A statement with people renamed and unordered parts sorted."""
    kind, *parts = statement
    if kind in ("knight", "knave"):
        return [kind, names[parts[0]]]
    if kind in ("same", "differ"):
        return [kind, *sorted(names[i] for i in parts)]
    if kind == "exactly":
        return [kind, parts[0], sorted(names[i] for i in parts[1])]
    inner = [_relabelled(part, names) for part in parts]
    return [kind, *(inner if kind in ("if", "not") else sorted(inner, key=json.dumps))]


def canonical(statements: Sequence[JSON]) -> JSON:
    """The statements with people in canonical order.

    People are ordered by their statements, then by those of the people they mention. Ties keep the given order.
    """
    count = len(statements)
    colours = [0] * count
    for _ in range(count):
        views = []
        for speaker, statement in enumerate(statements):
            seen = [2 * colour + (i == speaker) for i, colour in enumerate(colours)]
            said = [
                (colours[other], _mention(speech, speaker))
                for other, speech in enumerate(statements)
                if other != speaker
            ]
            views.append(json.dumps([colours[speaker], _relabelled(statement, seen), sorted(said)]))
        ranks = sorted(set(views))
        refined = [ranks.index(view) for view in views]
        if len(ranks) == len(set(colours)):
            break
        colours = refined
    order = sorted(range(count), key=lambda i: (colours[i], i))
    names = [order.index(i) for i in range(count)]
    return [_relabelled(statements[i], names) for i in order]


def _mention(statement: JSON, person: int) -> int:
    """How often a statement mentions a person."""
    kind, *parts = statement
    if kind in ("knight", "knave", "same", "differ"):
        return int(parts.count(person))
    if kind == "exactly":
        return int(person in parts[1])
    return sum(_mention(part, person) for part in parts)
