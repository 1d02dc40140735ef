"""The countdown problem: draw, prove and check.

The task: reach a target from given numbers, each used at most once, with ``+ - * /`` and parentheses. Generation has
two stages, so that a caller can test a problem between them: planting is cheap, proving that nothing shorter exists is
not. Grading an expression needs neither::

    numbers, target, tree = plant(rng, count=6, needed=4, low=1, high=50, target_low=100, target_high=999)
    proved(numbers, target, needed=4)       # whether no three of the numbers reach it
    check(numbers, target, tree)            # None: right

The order of the numbers is not part of a problem: sort them for a fingerprint. The exact search behind ``proved`` is
:mod:`envhub.envs.rule_based.countdown.search`, whose functions are also found here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeAlias

from envhub.core.seeding import Stream
from envhub.envs.rule_based.countdown.search import MAX_NUMBERS, effort, needs, proved, reachable_with, solve
from envhub.generators.expressions.trees import (
    OPERATORS,
    Negation,
    Number,
    Operation,
    Tree,
    check_operators,
    evaluate,
    postorder,
)

__all__ = [
    "MAX_NUMBERS",
    "check",
    "effort",
    "mirrored",
    "needs",
    "plant",
    "proved",
    "random_countdown",
    "reachable_with",
    "solve",
]

_ATTEMPTS: Final = 2000
_PROOFS: Final = 200

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
    """Draw numbers and a reachable target.

    An expression of at least ``needed`` of them reaches it. Every part of the planted expression is a positive integer,
    and the target is not one of the numbers. There may be shorter solutions: see :func:`proved`.

    Args:
        rng: Source of randomness.
        count: Number of numbers, 2 to 7.
        needed: Minimum count of numbers in the planted expression, 2 to ``count``.
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
        # the numbers are independent, so the first ones are as good a choice as any
        planted = _combine(rng, numbers, rng.between(needed, count), target_low, target_high, operators)
        if planted is not None:
            rng.shuffle(numbers)
            return numbers, planted[0], _tree(planted[1])
    raise ValueError(f"found no countdown problem in {_ATTEMPTS} attempts with {wanted}")


def _combine(
    rng: Stream, numbers: list[int], used: int, target_low: int, target_high: int, operators: str
) -> tuple[int, _Recipe] | None:
    """Join the first ``used`` numbers pairwise at random.

    None if that leaves the range.
    """
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
    """:func:`plant` until the problem is :func:`proved` to need ``needed`` numbers.

    Arguments and result as there.

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


def check(
    numbers: Sequence[int], target: int, tree: Tree, operators: str = OPERATORS, *, claimed: int | None = None
) -> str | None:
    """Why ``tree`` is not a solution; None if it is one.

    A sign is rejected even before a single number: it would be an operation that the rules do not allow. (A unary plus
    leaves no trace in a tree, and changes nothing.)

    Args:
        numbers: The given numbers; each may be used as often as it is listed.
        target: The value to reach.
        tree: The expression.
        operators: Which of ``+-*/`` may be used.
        claimed: The value stated in the answer, if any (:func:`~.expression_text.parse_equation`).

    Returns:
        One sentence about the given expression; it reveals no solution.
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


def mirrored(tree: Tree) -> Tree:
    """The expression with both sides of each sum and product exchanged."""
    built: list[Tree] = []
    for node in postorder(tree):
        if isinstance(node, Operation):
            right, left = built.pop(), built.pop()
            built.append(Operation(node.op, right, left) if node.op in "+*" else Operation(node.op, left, right))
        elif isinstance(node, Negation):
            built.append(Negation(built.pop()))
        else:
            built.append(node)
    return built[0]
