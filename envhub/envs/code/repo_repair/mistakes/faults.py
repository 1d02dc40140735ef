"""Faults of applications: what may be wrong with a function or setting.

A fault is one of the :data:`~envhub.envs.code.repo_repair.mistakes.slips.SLIPS`, a small change of the syntax tree, or a
setting with another value. It is named in terms of the library, so it is the same in every application with its function::

    faults = draw(rng, app, count=2)
    texts, values = spoilt(app, faults)
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from envhub.core.seeding import Stream, fingerprint, split_of
from envhub.envs.code.repo_repair.application import Application
from envhub.envs.code.repo_repair.mistakes.mutations import Change, changes
from envhub.envs.code.repo_repair.mistakes.slips import SLIPS
from envhub.envs.code.repo_repair.nouns import renamed

FAMILY: Final = "repo-repair-fault"
_GENERATED: Final = frozenset({"report", "price_of"})
"""Functions that the library does not have; changes of them are not the same fault in two applications."""
_SHIFTS: Final = (-5, -1, 1, 5)
_SLIPS_OF_FOUR: Final = 3


class Fault(NamedTuple):
    """A fault.

    Attributes:
        place: The function or setting.
        start: Where the piece begins in the function's source; -1 for a setting.
        right: The piece.
        wrong: What replaces it; for a setting, what is added to its value.
    """

    place: str
    start: int
    right: str
    wrong: str

    @property
    def split(self) -> str:
        """The only split in whose tasks the fault occurs."""
        return _split(self)

    def of_text(self, text: str) -> str:
        """The source of the function with the fault."""
        return text[: self.start] + self.wrong + text[self.start + len(self.right) :]


@lru_cache(maxsize=1 << 16)
def _split(fault: Fault) -> str:
    return split_of(fingerprint(FAMILY, list(fault)))


def draw(rng: Stream, app: Application, count: int, places: Collection[str]) -> list[Fault] | None:
    """Faults in different places, all of one split.

    None if there are too few.
    """
    slips, others = ([fault for fault in kind if fault.place in places] for kind in _possible(app))
    if not slips or not others:
        return None
    first = rng.choice(slips if rng.below(4) < _SLIPS_OF_FOUR else others)
    found = [first]
    while len(found) < count:
        taken = {fault.place for fault in found}
        left = [fault for fault in (*slips, *others) if fault.place not in taken and fault.split == first.split]
        if not left:
            return None
        found.append(rng.choice(left))
    return found


def spoilt(app: Application, faults: Iterable[Fault]) -> tuple[dict[str, str], dict[str, Any]]:
    """The functions and settings of an application with these faults."""
    texts, values = dict(app.texts), dict(app.values)
    for fault in faults:
        if fault.start < 0:
            values[fault.place] += int(fault.wrong)
        else:
            texts[fault.place] = renamed(fault.of_text(app.library[fault.place]), app.domain)
    return texts, values


def _possible(app: Application) -> tuple[list[Fault], list[Fault]]:
    """The slips of an application, and its other faults."""
    slips: list[Fault] = []
    others: list[Fault] = []
    for name, text in app.library.items():
        if name not in _GENERATED:
            slips += _slips(name, text)
            others += _mutations(name, text)
    numbers = [name for name, value in app.values.items() if type(value) is int and name != "UNIT"]
    others += [Fault(name, -1, "", str(by)) for name in numbers for by in _SHIFTS if app.values[name] + by > 0]
    return slips, others


@lru_cache(maxsize=1024)
def _slips(name: str, text: str) -> Sequence[Fault]:
    """The slips of this variant of a function."""
    return [Fault(name, text.index(s.right), s.right, s.wrong) for s in SLIPS if s.function == name and s.right in text]


@lru_cache(maxsize=1024)
def _mutations(name: str, text: str) -> Sequence[Fault]:
    return [Fault(name, _offset(text, change), change.old, change.new) for change in changes(text)]


def _offset(text: str, change: Change) -> int:
    """Where a change begins in the text."""
    return sum(len(line) + 1 for line in text.split("\n")[: change.line]) + change.start
