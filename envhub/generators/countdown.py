"""The countdown problem: reach a target from given numbers, each used at most once, with ``+ - * /`` and parentheses.

Intermediate results may be any rational numbers. :func:`solve`, :func:`needs` and :func:`proved` are exact: they find an
expression of the fewest numbers, or prove that there is none. They meet in the middle: the values of all small subsets
are closed forwards, and the target is carried backwards through the larger ones, so six numbers cost what three and
a half would. A generator plants a problem, which is cheap, and then has it proved::

    numbers, target, tree = plant(rng, count=6, needed=4, low=1, high=50, target_low=100, target_high=999, operators="+-*/")
    proved(numbers, target, 4, "+-*/")      # no three of the numbers reach it
    check(numbers, target, tree, "+-*/")    # None: right

Cost of a proof that nothing is there, six numbers of 1..100: up to 2 numbers 0.1 ms, up to 3 0.4 ms, up to 4 2 ms, up to
5 9 ms, all six 40 ms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import gcd
from typing import Final, TypeAlias

from envhub.generators.expression import (
    OPERATORS,
    Negation,
    Number,
    Operation,
    Tree,
    check_operators,
    evaluate,
    postorder,
)
from envhub.seeding import Stream

MAX_NUMBERS: Final = 7

_ATTEMPTS: Final = 2000
_PROOFS: Final = 200

# a rational: numerator and positive denominator without a common factor
_Value: TypeAlias = tuple[int, int]


# --- exact search -----------------------------------------------------------------------------------------------------


def solve(
    numbers: Sequence[int], target: int, *, operators: str = OPERATORS, at_most: int | None = None
) -> Tree | None:
    """An expression of value ``target`` that uses as few of ``numbers`` as possible; None proves that there is none.

    Args:
        numbers: 1 to 7 numbers of 0 or more; equal numbers may be used as often as they are given.
        target: Any integer.
        operators: Which of ``+-*/`` may be used.
        at_most: Look no further than expressions of this many numbers.

    Raises:
        ValueError: An argument is out of range.
    """
    search = _Search(numbers, target, operators)
    count = search.fewest(len(numbers) if at_most is None else at_most)
    return None if count is None else search.tree(count)


def needs(numbers: Sequence[int], target: int, operators: str = OPERATORS) -> int | None:
    """How many of ``numbers`` a shortest solution uses; None if there is no solution.

    Raises:
        ValueError: As :func:`solve`.
    """
    return _Search(numbers, target, operators).fewest(len(numbers))


def reachable_with(numbers: Sequence[int], target: int, *, at_most: int, operators: str = OPERATORS) -> bool:
    """Whether some expression of at most ``at_most`` of ``numbers`` has the value ``target``.

    Raises:
        ValueError: As :func:`solve`.
    """
    if at_most <= 1:  # the commonest question needs no tables
        return at_most == 1 and target in numbers
    return _Search(numbers, target, operators).fewest(at_most) is not None


def proved(numbers: Sequence[int], target: int, needed: int, operators: str = OPERATORS) -> bool:
    """Whether every solution uses at least ``needed`` numbers (there need not be one).

    Raises:
        ValueError: As :func:`solve`.
    """
    return not reachable_with(numbers, target, at_most=needed - 1, operators=operators)


class _Search:
    """One problem: the values of small subsets, closed as far as they were asked for.

    Subsets are bit masks over ``numbers``. ``values[mask]`` are the values of the expressions that use exactly those
    numbers; ``places[k][value]`` is a set of the masks of ``k`` numbers that have it, as a bit set (bit ``mask`` is set), so
    that "has it among the numbers still free" is one ``and``.

        Where ``+`` and ``-`` are both allowed and the target is positive, only sizes of values are kept: a sign can always be
    moved outwards by exchanging ``a - b`` for ``b - a`` and ``+`` for ``-``, up to the root, which is positive. Parts of
    value 0 are then of no use: the search goes by number, and ``x + 0`` is ``x`` with fewer numbers.
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
        """The least count of numbers, up to ``at_most``, that reaches the target."""
        for count in range(1, min(at_most, len(self.numbers)) + 1):
            while len(self.places) <= (count // 2 + 1 if count > 1 else 1):
                self._close()
            if self._reach(self.target, self.full, count) is not None:
                return count
        return None

    def tree(self, count: int) -> Tree:
        """An expression of ``count`` numbers for the target, which :meth:`fewest` has found to exist."""
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
        """The values of all subsets one larger than those closed so far."""
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
        """The one operation on two parts that gives ``value``."""
        for a, first, b, second in ((x, left, y, right), (y, right, x, left)):
            for op in self.operators:
                if _result(op, Fraction(*a), Fraction(*b)) == Fraction(*value):
                    return Operation(op, first, second)
        raise AssertionError("a value that was reached backwards is not reached forwards")


class _Mixer:
    """What one value and another make, in either direction.

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
        """What the operations can have started from."""
        add, subtract, multiply, divide = (op in operators for op in OPERATORS)
        return cls(
            plus=subtract, minus=add, reverse=subtract, times=divide, over=multiply, under=divide, absolute=absolute
        )

    def mix(self, x: _Value, y: _Value) -> list[_Value]:
        """The values, up to six; those of products and quotients with 0 are left out (see :class:`_Search`)."""
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
    """One part of every way to split ``mask`` in two, always the part with its lowest bit."""
    low = mask & -mask
    return tuple(part for part in range(1, mask) if part & ~mask == 0 and part & low)


# --- effort -----------------------------------------------------------------------------------------------------------


def effort(numbers: Sequence[int], target: int, operators: str = OPERATORS) -> float:
    """How many combinations a search forwards examines up to the first solution, fewest numbers first.

    The search closes the subsets of ``numbers`` by size, in the order given, keeping every value once; each number and each
    result of an operation on two kept values counts 1. Without a solution, the count of the whole search. Slow (up to
    seconds for six numbers): it is for measuring difficulty, not for generating.

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


# --- generation -------------------------------------------------------------------------------------------------------

# a number, or (operator, left, right)
_Recipe: TypeAlias = "int | tuple[str, _Recipe, _Recipe]"


def plant(
    rng: Stream,
    *,
    count: int,
    needed: int,
    low: int,
    high: int,
    target_low: int,
    target_high: int,
    operators: str = OPERATORS,
) -> tuple[list[int], int, Tree]:
    """Draw numbers, and a target that an expression of at least ``needed`` of them reaches.

    Every part of the planted expression is a positive integer, and the target is none of the numbers. There may be shorter
    solutions: see :func:`proved`.

    Args:
        rng: Where the draws come from.
        count: How many numbers, 2 to 7.
        needed: The least count of numbers that the planted expression uses, 2 to ``count``.
        low: The least number, 1 or more.
        high: The greatest number.
        target_low: The least target, 1 or more.
        target_high: The greatest target.
        operators: Which of ``+-*/`` may be used.

    Returns:
        The numbers in random order, the target and the expression.

    Raises:
        ValueError: An argument is out of range, or nothing was found in 2,000 attempts.
    """
    wanted = (
        f"count={count}, needed={needed}, numbers {low}..{high}, targets {target_low}..{target_high}, "
        f"operators={operators!r}"
    )
    if not 2 <= needed <= count <= MAX_NUMBERS:
        raise ValueError(f"needs 2 <= needed <= count <= {MAX_NUMBERS}, got {wanted}")
    if not 1 <= low <= high or not 1 <= target_low <= target_high:
        raise ValueError(f"needs 1 <= low <= high and 1 <= target_low <= target_high, got {wanted}")
    check_operators(operators)
    for _ in range(_ATTEMPTS):
        numbers = [rng.between(low, high) for _ in range(count)]
        # the numbers are independent, so the first of them are as good a choice as any
        planted = _combine(rng, numbers, rng.between(needed, count), target_low, target_high, operators)
        if planted is not None:
            rng.shuffle(numbers)
            return numbers, planted[0], _tree(planted[1])
    raise ValueError(f"found no countdown problem in {_ATTEMPTS} attempts with {wanted}")


def _combine(
    rng: Stream, numbers: list[int], used: int, target_low: int, target_high: int, operators: str
) -> tuple[int, _Recipe] | None:
    """Join the first ``used`` numbers two by two at random; None if that leads outside the range."""
    pool: list[tuple[int, _Recipe]] = [(number, number) for number in numbers[:used]]
    below, choices = rng.below, len(operators)
    while len(pool) > 1:
        x = pool.pop(below(len(pool)))
        y = pool.pop(below(len(pool)))
        if x[0] < y[0]:
            x, y = y, x
        a, b = x[0], y[0]
        for _ in range(6):
            op = operators[below(choices)]
            if op == "+":
                value = a + b
            elif op == "-":
                value = a - b
            elif b == 1 or (op == "/" and a % b):
                continue
            else:
                value = a * b if op == "*" else a // b
            if value > 0 and (pool or (target_low <= value <= target_high and value not in numbers)):
                pool.append((value, (op, x[1], y[1])))
                break
        else:
            return None
    return pool[0]


def _tree(recipe: _Recipe) -> Tree:
    if isinstance(recipe, int):
        return Number(recipe)
    return Operation(recipe[0], _tree(recipe[1]), _tree(recipe[2]))


def random_countdown(
    rng: Stream,
    *,
    count: int,
    needed: int,
    low: int,
    high: int,
    target_low: int,
    target_high: int,
    operators: str = OPERATORS,
) -> tuple[list[int], int, Tree]:
    """:func:`plant` until the problem is :func:`proved` to need ``needed`` numbers; arguments and result as there.

    Raises:
        ValueError: As :func:`plant`, or no planted problem of 200 was proved.
    """
    for _ in range(_PROOFS):
        numbers, target, tree = plant(
            rng,
            count=count,
            needed=needed,
            low=low,
            high=high,
            target_low=target_low,
            target_high=target_high,
            operators=operators,
        )
        if proved(numbers, target, needed, operators):
            return numbers, target, tree
    raise ValueError(
        f"none of {_PROOFS} problems with count={count}, numbers {low}..{high}, targets {target_low}..{target_high} and "
        f"operators={operators!r} needs as many as needed={needed} numbers"
    )


# --- verification -----------------------------------------------------------------------------------------------------


def check(
    numbers: Sequence[int], target: int, tree: Tree, operators: str = OPERATORS, *, claimed: int | None = None
) -> str | None:
    """Why ``tree`` is not a solution; None if it is one.

    A sign is refused even before a single number: it would be an operation more than the rules give. (A unary plus leaves no
    trace in a tree, and changes nothing.)

    Args:
        numbers: The given numbers; each may be used as often as it is listed.
        target: The value to reach.
        tree: The expression.
        operators: Which of ``+-*/`` may be used.
        claimed: What the answer says its value is, where it says so (:func:`~.expression_text.parse_equation`).

    Returns:
        One sentence about the given expression, which says nothing of any solution.
    """
    given = Counter(numbers)
    used: Counter[int] = Counter()
    for node in postorder(tree):
        if isinstance(node, Negation):
            return "A minus sign may only stand between two parts, not in front of one."
        if isinstance(node, Operation):
            if node.op not in operators:
                return f"The operator {node.op} is not allowed here."
            continue
        used[node.value] += 1
        if used[node.value] > given[node.value]:
            times = "is not one of the numbers" if node.value not in given else "is used more often than it is given"
            return f"The number {node.value} {times}."
    value = evaluate(tree)
    if value is None:
        return "The expression divides by zero."
    if value != target:
        return f"The expression is worth {value}, not {target}."
    if claimed is not None and claimed != value:
        return f"The expression is worth {value}, not {claimed} as the answer says."
    return None
