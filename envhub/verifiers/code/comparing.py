"""Comparisons of the values and outputs of programs with the expected ones."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final


def exactly(value: object, expected: object) -> bool:
    """Equal and of the same built-in types throughout: True is not 1, 1 is not 1.0, a tuple is not a list."""
    if type(value) is not type(expected):
        return False
    if isinstance(value, list | tuple):
        assert isinstance(expected, list | tuple)
        return len(value) == len(expected) and all(map(exactly, value, expected))
    if isinstance(value, dict):
        assert isinstance(expected, dict)
        found, wanted = _by_typed_key(value), _by_typed_key(expected)
        return found.keys() == wanted.keys() and all(exactly(item, wanted[key]) for key, item in found.items())
    return bool(_typed(value) == _typed(expected))


def _by_typed_key(items: Mapping[Any, Any]) -> dict[Any, Any]:
    return {_typed(key): item for key, item in items.items()}


def _typed(value: Any) -> Any:
    """A value with its types, for Python takes 1, 1.0 and True for one key, and (1,) and (True,); NaN is itself."""
    if isinstance(value, tuple):
        return tuple, tuple(map(_typed, value))
    if isinstance(value, set | frozenset):
        return type(value), frozenset(map(_typed, value))
    return type(value), "nan" if value != value else value


@dataclass(frozen=True, slots=True)
class Closely:
    """:func:`exactly`, but numbers where a float is expected may differ a little, and may be integers.

    Attributes:
        relative: By which share of the expected number.
        absolute: By how much at least.
    """

    relative: float = 1e-6
    absolute: float = 1e-9

    def __call__(self, value: object, expected: object) -> bool:
        """Whether the value will do."""
        if type(expected) is float and type(value) in (int, float):
            assert isinstance(value, int | float)
            try:
                number = float(value)
            except OverflowError:
                return False
            if math.isnan(expected):
                return math.isnan(number)
            return math.isclose(number, expected, rel_tol=self.relative, abs_tol=self.absolute)
        if isinstance(expected, list | tuple) and type(value) is type(expected):
            assert isinstance(value, list | tuple)
            return len(value) == len(expected) and all(map(self, value, expected))
        if isinstance(expected, dict) and type(value) is dict:
            found, wanted = _by_typed_key(value), _by_typed_key(expected)
            return found.keys() == wanted.keys() and all(self(item, wanted[key]) for key, item in found.items())
        return exactly(value, expected)


def same_lines(output: str, expected: str) -> bool:
    """The same lines, but for spaces at their ends and blank lines at the end of the text."""
    return _lines(output) == _lines(expected)


def same_tokens(output: str, expected: str) -> bool:
    """The same words in the same order, however they are spaced."""
    return output.split() == expected.split()


def close_tokens(relative: float = 1e-6, absolute: float = 1e-9) -> Callable[[str, str], bool]:
    """A comparison of texts word by word, in which numbers with a point or an exponent may differ a little."""
    closely = Closely(relative, absolute)

    def same(output: str, expected: str) -> bool:
        found, wanted = output.split(), expected.split()
        if len(found) != len(wanted):
            return False
        return all(one == other or _near(one, other, closely) for one, other in zip(found, wanted, strict=True))

    return same


def _near(one: str, other: str, closely: Closely) -> bool:
    plain = max(len(one), len(other)) < 400 and _NUMBER.fullmatch(one) and _NUMBER.fullmatch(other)
    return bool(plain) and not _WHOLE.fullmatch(other) and closely(float(one), float(other))


_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
_WHOLE: Final = re.compile(r"[+-]?[0-9]+")


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]
