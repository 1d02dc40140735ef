"""Breaks proofs deliberately, in ways that cannot leave a valid proof.

Every fault makes a name unknown where it is used, or leaves goals: a step that names something is removed, comes too
late or omits a name; a lemma is misspelt; the end is missing. A name is only removed if nothing else introduces it::

    broken(rng, theorem.lean.steps, faults=2)       # the steps with two faults, or None if there is no room for them
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from envhub.core.seeding import Stream

_WORD: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9']*(?:\.[A-Za-z_][A-Za-z_0-9']*)*")
_NAMES: Final = re.compile(r"(?:intro|rename_i) (.+)|have (\w+) :.*|have (\w+) :=.*")
_LEMMA: Final = re.compile(r"\b(?:Nat|List|And|Or|Iff|Exists|Eq)\.[A-Za-z_]{4,}\b")
Lines = list[str]


def broken(rng: Stream, steps: Sequence[str], faults: int) -> tuple[str, ...] | None:
    """A proof's lines with the given number of faults.

    None if they do not fit.

    Args:
        rng: Source of randomness.
        steps: Lines of tactics of a proof, all of them necessary.
        faults: Number of faults, placed from the end to the beginning.
    """
    lines = list(steps)
    kinds: list[Callable[[Stream, Lines], Lines | None]] = [_lost, _late, _forgotten, _misspelt, _cut]
    seen = [lines]
    for _ in range(20 * faults):
        spoilt = rng.choice(kinds)(rng, lines)
        if spoilt and spoilt not in seen:  # a second fault in a place must not restore it
            lines = spoilt
            seen.append(lines)
        if len(seen) > faults:
            return tuple(lines)
    return None


def _named(line: str) -> list[str]:
    """The names that a line introduces."""
    found = _NAMES.fullmatch(line.strip())
    return (found[1] or found[2] or found[3]).split() if found else []


def _used(name: str, lines: Lines) -> bool:
    return any(name in _WORD.findall(line) for line in lines)


def _alone(lines: Lines, at: int) -> list[str]:
    """The names that only this line introduces, and that are used later."""
    others = [name for number, line in enumerate(lines) if number != at for name in _named(line)]
    return [name for name in _named(lines[at]) if name not in others and _used(name, lines[at + 1 :])]


def _some(rng: Stream, places: list[int]) -> int | None:
    return rng.choice(places) if places else None


def _lost(rng: Stream, lines: Lines) -> Lines | None:
    """Removes a step whose name is used later."""
    at = _some(rng, [at for at in range(1, len(lines)) if _alone(lines, at)])
    return None if at is None else lines[:at] + lines[at + 1 :]


def _late(rng: Stream, lines: Lines) -> Lines | None:
    """Moves a step after the one that uses its name."""
    places = [at for at in range(1, len(lines) - 1) if any(_used(name, [lines[at + 1]]) for name in _alone(lines, at))]
    at = _some(rng, places)
    return None if at is None else [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def _forgotten(rng: Stream, lines: Lines) -> Lines | None:
    """Removes one of the introduced names."""
    places = [at for at in range(len(lines)) if lines[at].startswith("intro ") and _alone(lines, at)]
    at = _some(rng, places)
    if at is None:
        return None
    name = rng.choice(_alone(lines, at))
    left = [word for word in lines[at].split() if word != name]
    return [*lines[:at], *([" ".join(left)] if len(left) > 1 else []), *lines[at + 1 :]]


def _misspelt(rng: Stream, lines: Lines) -> Lines | None:
    """Misspells the name of a lemma."""
    at = _some(rng, [at for at, line in enumerate(lines) if _LEMMA.search(line)])
    if at is None:
        return None
    lemma = rng.choice(_LEMMA.findall(lines[at]))
    wrong = rng.choice((f"{lemma}_of", f"{lemma[:-1]}", lemma.replace(".", ".of_", 1)))
    return [*lines[:at], lines[at].replace(lemma, wrong, 1), *lines[at + 1 :]]


def _cut(rng: Stream, lines: Lines) -> Lines | None:
    """Removes the last steps."""
    if len(lines) < 3:
        return None
    return lines[: len(lines) - rng.between(1, max(1, len(lines) // 4))]
