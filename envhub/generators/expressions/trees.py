"""Integer expression trees: evaluate, canonicalise, measure, draw at random.

A tree is made of three frozen nodes, and every function here walks it with an explicit stack, so the shape of a tree
(a sum of a hundred terms is a hundred nodes deep) never meets the recursion limit. Text in and text out is
:mod:`envhub.generators.expressions.text`. Nothing is ever handed to ``eval``::

    tree = Operation("-", Number(9), Operation("*", Number(2), Number(3)))
    evaluate(tree)            # Fraction(3, 1)
    canonical(tree)           # ["+", [9], [["*", [2, 3], []]]]
    random_expression(rng, terms=4, digits=2, operators="+-*/", nesting=1)
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any, Final, TypeAlias

from envhub.core.seeding import Stream

OPERATORS: Final = "+-*/"
MAX_TERMS: Final = 100
MAX_DIGITS: Final = 50

_SHAPES: Final = 100
_FILLS: Final = 30


@dataclass(frozen=True, slots=True)
class Number:
    """A leaf: an integer of 0 or more.

    A negative number is the :class:`Negation` of one.

    Raises:
        ValueError: ``value`` is negative.
    """

    value: int

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError(f"A Number is 0 or more, got {self.value}; use Negation(Number({-self.value})).")


@dataclass(frozen=True, slots=True)
class Negation:
    """Unary minus."""

    operand: Tree


@dataclass(frozen=True, slots=True)
class Operation:
    """``left op right``, where ``op`` is one of ``+ - * /``."""

    op: str
    left: Tree
    right: Tree


Tree: TypeAlias = "Number | Negation | Operation"
Canonical: TypeAlias = "int | list[Any]"


def postorder(tree: Tree) -> list[Tree]:
    """Every node of ``tree``, operands before their operation, left before right."""
    stack: list[Tree] = [tree]
    nodes: list[Tree] = []
    while stack:
        node = stack.pop()
        nodes.append(node)
        if isinstance(node, Operation):
            stack.append(node.left)
            stack.append(node.right)
        elif isinstance(node, Negation):
            stack.append(node.operand)
    nodes.reverse()
    return nodes


def evaluate(tree: Tree) -> Fraction | None:
    """The exact value of ``tree``; None where it divides by zero."""
    values: list[Fraction] = []
    for node in postorder(tree):
        if isinstance(node, Number):
            values.append(Fraction(node.value))
        elif isinstance(node, Negation):
            values[-1] = -values[-1]
        else:
            right = values.pop()
            if node.op == "/" and not right:
                return None
            values[-1] = _apply(node.op, values[-1], right)
    return values[0]


def _apply(op: str, left: Fraction, right: Fraction) -> Fraction:
    if op == "+":
        return left + right
    if op == "-":
        return left - right
    return left * right if op == "*" else left / right


def leaves(tree: Tree) -> list[int]:
    """The numbers of ``tree`` from left to right."""
    return [node.value for node in postorder(tree) if isinstance(node, Number)]


def work(tree: Tree) -> int:
    """Digit operations to evaluate ``tree`` by hand, as taught at school.

    An addition or subtraction costs the sum of its operands' lengths in digits, a multiplication or division their
    product. A fraction is as long as its numerator and denominator together; signs are free.

    Raises:
        ValueError: ``tree`` divides by zero.
    """
    total = 0
    values: list[Fraction] = []
    for node in postorder(tree):
        if isinstance(node, Number):
            values.append(Fraction(node.value))
        elif isinstance(node, Negation):
            values[-1] = -values[-1]
        else:
            right, left = values.pop(), values.pop()
            if node.op == "/" and not right:
                raise ValueError("The work of an expression that divides by zero is not defined.")
            lengths = _length(left), _length(right)
            total += sum(lengths) if node.op in "+-" else lengths[0] * lengths[1]
            values.append(_apply(node.op, left, right))
    return total


def _length(value: Fraction) -> int:
    parts = (value.numerator,) if value.denominator == 1 else (value.numerator, value.denominator)
    return sum(map(_digits, parts))


def _digits(value: int) -> int:
    # str() refuses integers of more than 4300 digits; for long ones log10(2) as a ratio is right to within one digit
    bits = value.bit_length()
    return len(str(abs(value))) if bits < 2000 else bits * 30103 // 100000 + 1


# --- canonical form ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Sum:
    plus: list[Canonical]
    minus: list[Canonical]

    def finish(self) -> Canonical:
        if len(self.plus) == 1 and not self.minus:
            return self.plus[0]
        return ["+", sorted(self.plus, key=repr), sorted(self.minus, key=repr)]

    def as_product(self) -> _Product:
        if self.plus:
            return _Product(False, [self.finish()], [])
        return _Product(True, [_Sum(self.minus, []).finish()], [])


@dataclass(slots=True)
class _Product:
    negative: bool
    factors: list[Canonical]
    divisors: list[Canonical]

    def finish(self) -> Canonical:
        if len(self.factors) == 1 and not self.divisors:
            return self.factors[0]
        return ["*", sorted(self.factors, key=repr), sorted(self.divisors, key=repr)]

    def as_sum(self) -> _Sum:
        return _Sum([], [self.finish()]) if self.negative else _Sum([self.finish()], [])


def canonical(tree: Tree) -> Canonical:
    """The form shared by trees that differ only by order.

    Grouping does not count either, in sums and in products.

    A number is itself, a sum ``["+", added, subtracted]``, a product ``["*", factors, divisors]``, each list sorted.
    Chains are flattened through parentheses (``a - (b - c)`` is ``c + a - b``; ``a / (b / c)`` is ``c * a / b`` unless
    ``b / c`` has no value) and signs move out of products. Not folded: distributivity, arithmetic on numbers, and the sign
    inside a product of two differences.

    Returns:
        JSON values: an integer, or nested lists of text and integers. Trees with equal forms have equal values.
    """
    forms: list[_Sum | _Product] = []
    for node in postorder(tree):
        if isinstance(node, Number):
            forms.append(_Product(False, [node.value], []))
            continue
        form = forms.pop()
        if isinstance(node, Negation):
            forms.append(
                _Sum(form.minus, form.plus)
                if isinstance(form, _Sum)
                else _Product(not form.negative, form.factors, form.divisors)
            )
        elif node.op in "+-":
            forms.append(_add(_as_sum(forms.pop()), _as_sum(form), node.op))
        else:
            right = form if isinstance(form, _Product) else form.as_product()
            if node.op == "/" and right.divisors and evaluate(node.right) is None:
                # a / (b / 0) has no value but a * 0 / b has: the two must not meet
                right = _Product(right.negative, [right.finish()], [])
            left = forms.pop()
            forms.append(_multiply(left if isinstance(left, _Product) else left.as_product(), right, node.op))
    return _as_sum(forms[0]).finish()


def _as_sum(form: _Sum | _Product) -> _Sum:
    return form if isinstance(form, _Sum) else form.as_sum()


def _add(left: _Sum, right: _Sum, op: str) -> _Sum:
    plus, minus = (right.plus, right.minus) if op == "+" else (right.minus, right.plus)
    left.plus += plus
    left.minus += minus
    return left


def _multiply(left: _Product, right: _Product, op: str) -> _Product:
    factors, divisors = (right.factors, right.divisors) if op == "*" else (right.divisors, right.factors)
    left.negative ^= right.negative
    left.factors += factors
    left.divisors += divisors
    return left


# --- random expressions -----------------------------------------------------------------------------------------------

# a leaf is None; an operation is (op, left, right)
_Shape: TypeAlias = "tuple[str, _Shape, _Shape] | None"
_Filled: TypeAlias = "tuple[Tree, int] | None"


def random_expression(rng: Stream, *, terms: int, digits: int, operators: str, nesting: int) -> Tree:
    """Draw an expression whose every part is an integer.

    The layout is drawn first (operators uniformly and independently, groups in parentheses up to ``nesting`` deep),
    then the numbers: a divisor is drawn before its dividend, and the dividend is drawn from the multiples of it, so
    divisions come out exact without being rare. Divisors are never 0, 1 or -1, no quotient is 0, 1 or -1, no factor is 0.

    No part exceeds ``10 ** (2 * digits + 2)`` in size, unless ``operators`` has neither ``+`` nor ``-``.

    Args:
        rng: Source of randomness.
        terms: Number of numbers, 1 to 100.
        digits: The length of the numbers, 1 to 50. Added, subtracted and divided numbers have exactly that many digits
            (less if only a shorter one divides); factors and divisors have 1 to ``digits`` and are at least 2. No
            number is 0.
        operators: Which of ``+-*/`` may occur. ``/`` alone allows only a few terms.
        nesting: Maximum depth of parentheses in the text; 0 leaves the order to precedence.

    Raises:
        ValueError: An argument is out of range, or no such expression was found in 3,000 attempts.
    """
    if not 1 <= terms <= MAX_TERMS:
        raise ValueError(f"terms is 1..{MAX_TERMS}, got {terms}")
    if not 1 <= digits <= MAX_DIGITS:
        raise ValueError(f"digits is 1..{MAX_DIGITS}, got {digits}")
    if nesting < 0:
        raise ValueError(f"nesting is 0 or more, got {nesting}")
    check_operators(operators)
    bound = 10 ** (2 * digits + 2 if "+" in operators or "-" in operators else terms * digits)
    for _ in range(_SHAPES):
        shape = _layout(rng, terms, nesting, operators)
        # layouts that are hard to fill get many attempts, or divisions would be rarer
        for _ in range(_FILLS):
            filled = _fill(rng, shape, "term", 1, 0, digits, bound)
            if filled is not None:
                return filled[0]
    wanted = f"terms={terms}, digits={digits}, operators={operators!r}, nesting={nesting}"
    raise ValueError(f"found no expression with {wanted}")


def check_operators(operators: str) -> None:
    """Raise ``ValueError`` unless ``operators`` is one or more of ``+-*/``, none twice."""
    if not operators or len(set(operators)) != len(operators) or not set(operators) <= set(OPERATORS):
        raise ValueError(f"operators is one or more of {OPERATORS}, none twice, got {operators!r}")


def _layout(rng: Stream, terms: int, depth: int, operators: str) -> _Shape:
    """A chain of numbers and, while ``depth`` allows, of groups.

    Precedence decides what binds what.
    """
    if terms == 1:
        return None
    # at most half of the terms plus one, to leave some for deeper groups
    items = rng.between(2, (terms + 1) // 2 + 1) if depth and terms > 2 else terms
    sizes = [1] * items
    for _ in range(terms - items):
        sizes[rng.below(items)] += 1
    summands = [_layout(rng, sizes[0], depth - 1, operators)]
    signs: list[str] = []
    for size in sizes[1:]:
        op = rng.choice(operators)
        item = _layout(rng, size, depth - 1, operators)
        if op in "*/":
            summands[-1] = (op, summands[-1], item)
        else:
            signs.append(op)
            summands.append(item)
    shape = summands[0]
    for op, summand in zip(signs, summands[1:], strict=True):
        shape = (op, shape, summand)
    return shape


def _fill(rng: Stream, shape: _Shape, role: str, modulus: int, residue: int, digits: int, bound: int) -> _Filled:
    """Numbers for ``shape`` with value ``residue`` modulo ``modulus``.

    None if the draw got stuck.

    ``role`` says what the value is for: ``term``, ``factor`` or ``divisor`` (whose ``modulus`` is the one that the
    quotient has to keep, and limits its size).
    """
    if shape is None:
        leaf = _draw_leaf(rng, role, modulus, residue, digits)
        return None if leaf is None else (Number(leaf), leaf)
    if role == "divisor":
        modulus, residue = 1, 0
    op, left_shape, right_shape = shape
    if op == "/":
        right = _fill(rng, right_shape, "divisor", modulus, 0, digits, bound)
        if right is None or abs(right[1]) < 2:
            return None
        step = modulus * abs(right[1])
        left = _fill(rng, left_shape, "term", step, residue * right[1] % step, digits, bound)
        if left is None or abs(left[1]) in (0, abs(right[1])):
            return None
        return Operation("/", left[0], right[0]), left[1] // right[1]
    if op == "*":
        left = _fill(rng, left_shape, "factor", 1, 0, digits, bound)
        if left is None or left[1] == 0:
            return None
        common = gcd(left[1], modulus)
        if residue % common:
            return None
        step = modulus // common
        wanted = residue // common * pow(left[1] // common, -1, step) % step
        right = _fill(rng, right_shape, "factor", step, wanted, digits, bound)
        if right is None or right[1] == 0:
            return None
        value = left[1] * right[1]
    elif left_shape is None and right_shape is not None:
        # the single number takes the constraint: it can always meet it, a product rarely
        right = _fill(rng, right_shape, "term", 1, 0, digits, bound)
        if right is None:
            return None
        wanted = residue - right[1] if op == "+" else residue + right[1]
        left = _fill(rng, None, "term", modulus, wanted % modulus, digits, bound)
        if left is None:
            return None
        value = left[1] + right[1] if op == "+" else left[1] - right[1]
    else:
        left = _fill(rng, left_shape, "term", 1, 0, digits, bound)
        if left is None:
            return None
        wanted = residue - left[1] if op == "+" else left[1] - residue
        right = _fill(rng, right_shape, "term", modulus, wanted % modulus, digits, bound)
        if right is None:
            return None
        value = left[1] + right[1] if op == "+" else left[1] - right[1]
    return (Operation(op, left[0], right[0]), value) if abs(value) <= bound else None


def _draw_leaf(rng: Stream, role: str, modulus: int, residue: int, digits: int) -> int | None:
    top: int = 10**digits - 1
    low: int
    high: int
    if role == "term":
        low, high = 10 ** (digits - 1), top
    else:
        length = rng.between(1, digits)
        low, high = max(2, 10 ** (length - 1)), 10**length - 1
        if role == "divisor":
            # a single number is a multiple of it, rarely the double: 2 would be the best guess of quotients
            limit = top // (5 * modulus)
            limit = limit if limit >= 2 else top // (2 * modulus)
            low, high, modulus = (low if low <= limit else 2), min(high, limit), 1
    if modulus == 1:
        return rng.between(low, high) if low <= high else None
    first = low + (residue - low) % modulus
    if first > high:
        low, high = (1 if role == "term" else 2), top
        first = low + (residue - low) % modulus
        if first > high:
            return None
    return first + modulus * rng.below((high - first) // modulus + 1)
