"""Exact search for countdown: the fewest numbers that reach a target.

An expression may use each number at most once, ``+ - * /``, parentheses, and any rational intermediate results. The
search meets in the middle: the values of all small subsets are computed forwards, and the target is carried backwards
through the larger ones. All answers are exact; values are pairs of integers::

    needs([1, 6, 6, 8], 24)                 # 4: 6 / (1 - 6 / 8)
    solve([2, 5, 7], 17)                    # the tree of 2 * 5 + 7
    proved([2, 5, 7], 17, needed=3)         # True: no two of them do

Cost of finding nothing, six numbers of 1..100: among expressions of up to 2 or 3 numbers 0.05 ms, of 4 0.5 ms, of 5 2 ms,
of 6 10 ms; seven numbers 0.15 s (0.25 s where signs matter: a target below 1, or no ``+`` or no ``-``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import gcd
from typing import Final, TypeAlias

from envhub.generators.expressions.trees import OPERATORS, Number, Operation, Tree, check_operators

MAX_NUMBERS: Final = 7

# a rational: numerator and positive denominator without a common factor
_Value: TypeAlias = tuple[int, int]


def solve(
    numbers: Sequence[int], target: int, *, operators: str = OPERATORS, at_most: int | None = None
) -> Tree | None:
    """A shortest expression of value ``target``; None proves that no solution exists.

    Args:
        numbers: 1 to 7 numbers of 0 or more; equal numbers may be used as often as they are given.
        target: Any integer.
        operators: Which of ``+-*/`` may be used.
        at_most: Maximum count of numbers in an expression.

    Raises:
        ValueError: An argument is out of range.
    """
    search = _Search(numbers, target, operators)
    count = search.fewest(len(numbers) if at_most is None else at_most)
    return None if count is None else search.tree(count)


def needs(numbers: Sequence[int], target: int, operators: str = OPERATORS) -> int | None:
    """Count of numbers in a shortest solution.

    None if there is no solution.

    Raises:
        ValueError: As :func:`solve`.
    """
    return _Search(numbers, target, operators).fewest(len(numbers))


def reachable_with(numbers: Sequence[int], target: int, *, at_most: int, operators: str = OPERATORS) -> bool:
    """Whether an expression of at most ``at_most`` ``numbers`` equals ``target``.

    Raises:
        ValueError: As :func:`solve`.
    """
    if at_most <= 1:  # the commonest query needs no tables
        return at_most == 1 and target in numbers
    return _Search(numbers, target, operators).fewest(at_most) is not None


def proved(numbers: Sequence[int], target: int, needed: int, operators: str = OPERATORS) -> bool:
    """Whether every solution uses at least ``needed`` numbers.

    There need not be one.

    Raises:
        ValueError: As :func:`solve`.
    """
    return not reachable_with(numbers, target, at_most=needed - 1, operators=operators)


def effort(numbers: Sequence[int], target: int, operators: str = OPERATORS) -> float:
    """Combinations that a forward search examines up to the first solution.

    The search expands the subsets of ``numbers`` by size, smallest first, in the order given, keeping every value once;
    each number and each result of an operation on two kept values counts 1. Without a solution, the count of the whole
    search. Slow (up to seconds for six numbers): it is for measuring difficulty, not for generating.

    Raises:
        ValueError: As :func:`solve`.
    """
    search = _Search(numbers, target, operators)
    goal, mix = search.target, search.forward.mix
    if target in numbers:
        return float(numbers.index(target) + 1)
    examined = len(numbers)
    closed: dict[int, Iterable[_Value]] = dict(search.values)
    for size in range(2, len(numbers) + 1):
        for mask in _masks(len(numbers), size):
            found: dict[_Value, None] = {}
            for part in _halves(mask):
                for x in closed[part]:
                    for y in closed[mask ^ part]:
                        for value in mix(x, y):
                            examined += 1
                            if value == goal:
                                return float(examined)
                            found[value] = None
            closed[mask] = found
    return float(examined)


class _Search:
    """One problem: the values of small subsets, computed on demand.

    Subsets are bit masks over ``numbers``. ``values[mask]`` are the values of the expressions that use exactly those
    numbers; ``places[k][value]`` is a set of the masks of ``k`` numbers that have it, as a bit set (bit ``mask`` is set), so
    that "has it among the numbers still free" is one ``and``.

    Where ``+`` and ``-`` are both allowed and the target is positive, only sizes of values are kept: a sign can always
    be moved outwards by exchanging ``a - b`` for ``b - a`` and ``+`` for ``-``, up to the root, which is positive.
    Parts of value 0 are then useless: the search goes by number, and ``x + 0`` is ``x`` with fewer numbers.
    """

    def __init__(self, numbers: Sequence[int], target: int, operators: str) -> None:
        if not 1 <= len(numbers) <= MAX_NUMBERS or min(numbers) < 0:
            raise ValueError(f"numbers is 1..{MAX_NUMBERS} numbers of 0 or more, got {list(numbers)}")
        check_operators(operators)
        self.numbers = numbers
        self.target: _Value = (target, 1)
        self.operators = operators
        self.absolute = target > 0 and "+" in operators and "-" in operators
        self.forward = _Mixer.forward(operators, self.absolute)
        self.backward = _Mixer.backward(operators, self.absolute)
        self.full = (1 << len(numbers)) - 1
        self.values: dict[int, Iterable[_Value]] = {}
        self.places: list[dict[_Value, int]] = [{}]
        self.inside: dict[int, int] = {}
        self._record(1, {1 << i: {(number, 1)} for i, number in enumerate(numbers)})

    def fewest(self, at_most: int) -> int | None:
        """The smallest count of numbers, up to ``at_most``, that reaches the target."""
        for count in range(1, min(at_most, len(self.numbers)) + 1):
            while len(self.places) <= (count // 2 + 1 if count > 1 else 1):
                self._close()
            if self._reach(self.target, self.full, count) is not None:
                return count
        return None

    def tree(self, count: int) -> Tree:
        """An expression of ``count`` numbers for the target.

        :meth:`fewest` has shown that it exists.
        """
        found = self._reach(self.target, self.full, count)
        assert found is not None
        return found

    def _record(self, size: int, values: dict[int, Iterable[_Value]]) -> None:
        index: dict[_Value, int] = {}
        for mask, found in values.items():
            bit = 1 << mask
            for value in found:
                index[value] = index.get(value, 0) | bit
        self.values.update(values)
        self.places.append(index)

    def _close(self) -> None:
        """The values of all subsets one larger than those computed so far."""
        size = len(self.places)
        mix = self.forward.mix
        closed: dict[int, Iterable[_Value]] = {}
        for mask in _masks(len(self.numbers), size):
            # a dict, not a set: its order is the order of discovery, on every machine
            found: dict[_Value, None] = {}
            for part in _halves(mask):
                for x in self.values[part]:
                    for y in self.values[mask ^ part]:
                        for value in mix(x, y):
                            found[value] = None
            closed[mask] = found
        self._record(size, closed)

    def _within(self, free: int) -> int:
        """The bit set of all masks that lie within ``free``."""
        bits = self.inside.get(free)
        if bits is None:
            bits = sum(1 << mask for mask in range(free + 1) if mask & ~free == 0)
            self.inside[free] = bits
        return bits

    def _reach(self, value: _Value, free: int, count: int) -> Tree | None:
        """An expression of ``value`` from exactly ``count`` of the numbers in ``free``."""
        if count < len(self.places):
            masks = self.places[count].get(value, 0) & self._within(free)
            return self._expand(value, _lowest(masks)) if masks else None
        mix = self.backward.mix
        for size in range(1, count // 2 + 1):
            # None: the other part is too large for the tables, and is split again
            index = self.places[count - size] if count - size < len(self.places) else None
            for mask in _masks(len(self.numbers), size):
                if mask & ~free:
                    continue
                rest = free ^ mask
                within = self._within(rest)
                for part in self.values[mask]:
                    for other in mix(value, part):
                        if index is not None and not index.get(other, 0) & within:
                            continue
                        tree = self._reach(other, rest, count - size)
                        if tree is not None:
                            return self._join(value, other, tree, part, self._expand(part, mask))
        return None

    def _expand(self, value: _Value, mask: int) -> Tree:
        """The expression behind ``value``, which is one of ``values[mask]``."""
        if mask & (mask - 1) == 0:
            return Number(value[0])
        for part in _halves(mask):
            others = self.values[mask ^ part]
            for x in self.values[part]:
                for y in self.backward.mix(value, x):
                    if y in others:
                        return self._join(value, x, self._expand(x, part), y, self._expand(y, mask ^ part))
        raise AssertionError("a closed value has no origin")

    def _join(self, value: _Value, x: _Value, left: Tree, y: _Value, right: Tree) -> Tree:
        """The operation on two parts that gives ``value``."""
        for a, first, b, second in ((x, left, y, right), (y, right, x, left)):
            for op in self.operators:
                if _result(op, Fraction(*a), Fraction(*b)) == Fraction(*value):
                    return Operation(op, first, second)
        raise AssertionError("a value that was reached backwards is not reached forwards")


class _Mixer:
    """Combines two values, forwards or backwards.

    Forwards, the results of the allowed operations on ``x`` and ``y``. Backwards, every ``z`` such that an allowed operation
    on ``z`` and ``y`` gives ``x``: ``+`` is undone by ``x - y``, ``-`` by ``x + y`` and ``y - x``, ``*`` by ``x / y``, ``/`` by
    ``x * y`` and ``y / x``. With all four operators the two are the same.
    """

    __slots__ = ("absolute", "minus", "over", "plus", "reverse", "times", "under")

    def __init__(
        self, *, plus: bool, minus: bool, reverse: bool, times: bool, over: bool, under: bool, absolute: bool
    ) -> None:
        self.plus, self.minus, self.reverse = plus, minus, reverse and not absolute
        self.times, self.over, self.under = times, over, under
        self.absolute = absolute

    @classmethod
    def forward(cls, operators: str, absolute: bool) -> _Mixer:
        """The results of the operations."""
        add, subtract, multiply, divide = (op in operators for op in OPERATORS)
        return cls(
            plus=add, minus=subtract, reverse=subtract, times=multiply, over=divide, under=divide, absolute=absolute
        )

    @classmethod
    def backward(cls, operators: str, absolute: bool) -> _Mixer:
        """The possible operands, given result and other operand."""
        add, subtract, multiply, divide = (op in operators for op in OPERATORS)
        return cls(
            plus=subtract, minus=add, reverse=subtract, times=divide, over=multiply, under=divide, absolute=absolute
        )

    def mix(self, x: _Value, y: _Value) -> list[_Value]:
        """The values, up to six.

        Products and quotients with 0 are left out (see :class:`_Search`).
        """
        a, b = x
        c, d = y
        left, right, below = a * d, c * b, b * d
        values: list[_Value] = []
        if self.plus:
            top = left + right
            common = gcd(top, below)
            values.append((top // common, below // common))
        if self.minus:
            top = left - right
            common = gcd(top, below)
            top //= common
            below_top = below // common
            if not self.absolute:
                values.append((top, below_top))
                if self.reverse:
                    values.append((-top, below_top))
            elif top:
                values.append((top, below_top) if top > 0 else (-top, below_top))
        elif self.reverse:
            top = right - left
            common = gcd(top, below)
            values.append((top // common, below // common))
        if not left or not right:
            return values
        if self.times:
            top = a * c
            common = gcd(top, below)
            values.append((top // common, below // common))
        if self.over or self.under:
            common = gcd(left, right)
            left //= common
            right //= common
            if self.over:
                values.append((left, right) if right > 0 else (-left, -right))
            if self.under:
                values.append((right, left) if left > 0 else (-right, -left))
        return values


def _result(op: str, left: Fraction, right: Fraction) -> Fraction | None:
    if op == "+":
        return left + right
    if op == "-":
        return left - right
    if op == "*":
        return left * right
    return left / right if right else None


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


@cache
def _masks(count: int, size: int) -> tuple[int, ...]:
    """The masks of ``size`` out of ``count`` numbers."""
    return tuple(sum(1 << i for i in chosen) for chosen in combinations(range(count), size))


@cache
def _halves(mask: int) -> tuple[int, ...]:
    """One part of every way to split ``mask`` in two.

    Always the part with its lowest bit.
    """
    low = mask & -mask
    return tuple(part for part in range(1, mask) if part & ~mask == 0 and part & low)
