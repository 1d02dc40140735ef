"""Forward chaining: everything that rules derive, in rounds, and minimal interpretations.

An atom is a predicate with elements. A rule derives one atom from others, with variables, perhaps with a new element.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

Atom = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule from atoms to an atom.

    Attributes:
        body: Premises, with variables.
        head: The conclusion.
        there: The existential variable of ``head``; empty if it has no such variable.
    """

    body: tuple[Atom, ...]
    head: Atom
    there: str = ""


def rounds(rules: Sequence[Rule], given: Iterable[Atom], goal: Callable[[Atom], bool], most: int, room: int) -> int:
    """The round that derives a goal atom.

    ``most`` if later or out of room.
    """
    known: dict[str, set[Atom]] = {}
    for atom in given:
        if goal(atom):
            return 0
        known.setdefault(atom[0], set()).add(atom)
    fired: set[tuple[int, Atom]] = set()
    for number in range(1, most):
        new: set[Atom] = set()
        for at, rule in enumerate(rules):
            for values in _matches(rule.body, known):
                if rule.there:
                    trigger = (at, tuple(values[name] for name in rule.head[1:] if name != rule.there))
                    if trigger in fired:
                        continue
                    fired.add(trigger)
                    values[rule.there] = f"_{len(fired)}"
                atom = _instance(rule.head, values)
                if atom not in known.get(atom[0], ()):
                    new.add(atom)
        if any(goal(atom) for atom in new):
            return number
        for atom in new:
            known.setdefault(atom[0], set()).add(atom)
        if not new or sum(map(len, known.values())) > room:
            return most
    return most


def least(
    rules: Sequence[Rule], given: Iterable[Atom], choose: Callable[[], str], wrong: Callable[[Atom], bool]
) -> set[Atom] | None:
    """Atoms that satisfy the rules with elements from ``choose``.

    None if one is wrong.
    """
    known: dict[str, set[Atom]] = {}
    new = set(given)
    while new:
        if any(wrong(atom) for atom in new):
            return None
        for atom in new:
            known.setdefault(atom[0], set()).add(atom)
        new = set()
        for rule in rules:
            for values in _matches(rule.body, known):
                if rule.there and any(True for _ in _unified(rule.head, known, dict(values))):
                    continue
                if rule.there:
                    values[rule.there] = choose()
                atom = _instance(rule.head, values)
                if atom not in known.get(atom[0], ()):
                    new.add(atom)
                    if rule.there:
                        known.setdefault(atom[0], set()).add(atom)
    return {atom for atoms in known.values() for atom in atoms}


def _instance(atom: Atom, values: dict[str, str]) -> Atom:
    return (atom[0], *(values[name] for name in atom[1:]))


def _matches(body: Sequence[Atom], known: dict[str, set[Atom]]) -> Iterator[dict[str, str]]:
    found: list[dict[str, str]] = [{}]
    for atom in body:
        found = [values for each in found for values in _unified(atom, known, each)]
    return iter(found)


def _unified(atom: Atom, known: dict[str, set[Atom]], values: dict[str, str]) -> Iterator[dict[str, str]]:
    for other in sorted(known.get(atom[0], ())):
        extended = dict(values)
        if all(extended.setdefault(name, value) == value for name, value in zip(atom[1:], other[1:], strict=True)):
            yield extended
