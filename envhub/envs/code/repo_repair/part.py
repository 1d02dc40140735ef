"""Building blocks of :mod:`envhub.envs.code.repo_repair.package`: modules of pure functions, and their arguments.

The text of a module is a template: ``$pkg`` is the name of the package, the other placeholders are drawn constants. The
docstring of every function says exactly what it does. Loops run over existing values only, so that a changed program
ends too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from envhub.core.seeding import Stream

Constants = dict[str, int]


@dataclass(frozen=True, slots=True)
class Part:
    """Some modules with one entry point.

    Attributes:
        modules: Their texts by name, each after those it imports.
        entry: Module and function of the entry point.
        ranges: The range of each constant.
        case: Draws the arguments of one call.
    """

    modules: Mapping[str, str]
    entry: tuple[str, str]
    ranges: Mapping[str, tuple[int, int]]
    case: Callable[[Stream, Constants], tuple[Any, ...]]


COMMON: Final = '''"""What the other modules share."""


def share(amount, percent):
    """So many per cent of an amount (both at least 0), rounded to an integer, halves up."""
    return (2 * amount * percent + 100) // 200


def clamp(value, low, high):
    """The number of low .. high that is nearest to the value."""
    return max(low, min(value, high))


def ranked(names, score):
    """The names by their score, the highest first; names of one score in alphabetical order."""
    return sorted(names, key=lambda name: (-score(name), name))


def grouped(pairs):
    """A dict from every key to the list of its values, in the order of the pairs."""
    found = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
'''
