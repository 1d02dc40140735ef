"""Comparisons of the values and outputs of programs with the expected ones."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final


def exactly(value: object, expected: object) -> bool:
    """Equal with equal built-in types.

    True is not 1, a tuple is not a list.
    """
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
    """A value with its types.

    Python equates keys such as 1, 1.0 and True.
    """
    if isinstance(value, tuple):
        return tuple, tuple(map(_typed, value))
    if isinstance(value, set | frozenset):
        return type(value), frozenset(map(_typed, value))
    return type(value), "nan" if value != value else value


@dataclass(frozen=True, slots=True)
class Closely:
    """:func:`exactly`, but floats may differ slightly and may be given as integers.

    Attributes:
        relative: Tolerance relative to the expected number.
        absolute: Minimum tolerance.
    """

    relative: float = 1e-6
    absolute: float = 1e-9

    def __call__(self, value: object, expected: object) -> bool:
        """Whether the value is accepted."""
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
    """Equal lines, ignoring trailing spaces and blank lines at the end."""
    return _lines(output) == _lines(expected)


def same_tokens(output: str, expected: str) -> bool:
    """Equal words in the same order, ignoring spacing."""
    return output.split() == expected.split()


def close_tokens(relative: float = 1e-6, absolute: float = 1e-9) -> Callable[[str, str], bool]:
    """Compares texts word by word, with a tolerance for numbers.

    Only for those with a point or exponent.
    """
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
