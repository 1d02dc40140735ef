"""Collections whose order does not count.

Each member needs a partner. Families with an arbitrary integer are compared as sets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from envhub.verifiers.math.identity import Trial
from envhub.verifiers.math.kind import DIFFERENT, SAME, Comparison, together
from envhub.verifiers.math.tree import DEGREE, PI, Num, Sym, Tree, mapped, operations, renamed, symbols, variables
from envhub.verifiers.undeclared.families import Line, line_of, same_families
from envhub.verifiers.undeclared.values import Amount, Value

_MOST_PAIRS: Final = 2500
_LETTERS: Final = frozenset("kmnlj")
_UNDECIDED: Final = Comparison(False, "undecided", "undecided")

Same = Callable[[Value, Value], Comparison]


def same_members(gold: Sequence[Value], answer: Sequence[Value], same: Same, trial: Trial) -> Comparison:
    """Whether two collections have the same members.

    Repetitions count only if the gold has some.
    """
    if not gold or not answer:
        return SAME if not gold and not answer else DIFFERENT
    if len(gold) * len(answer) > _MOST_PAIRS:
        return _UNDECIDED
    mine, theirs = _rational(gold), _rational(answer)
    if mine is not None and theirs is not None:
        repeated = len(set(mine)) < len(mine)
        same_numbers = sorted(mine) == sorted(theirs) if repeated else set(mine) == set(theirs)
        return SAME if same_numbers else DIFFERENT
    families = _lines(gold, answer, trial)
    if families is not None:
        decided = same_families(*families)
        if decided:
            return SAME
        return _UNDECIDED if decided is None else DIFFERENT
    return _paired(gold, _with_integer_of(gold, answer), same)


def _with_integer_of(gold: Sequence[Value], answer: Sequence[Value]) -> Sequence[Value]:
    """The answer with its arbitrary integer named as in the gold."""
    amounts = [[value for value in values if isinstance(value, Amount)] for values in (gold, answer)]
    if len(amounts[0]) < len(gold) or len(amounts[1]) < len(answer) or not any(map(_is_integer, amounts)):
        return answer
    mine, theirs = map(_parameter, amounts)
    if not mine or not theirs or mine == theirs:
        return answer
    return [replace(value, tree=renamed(value.tree, {theirs: mine})) for value in amounts[1]]


def _rational(values: Sequence[Value]) -> list[Fraction] | None:
    """The values of plain rational numbers; None if there are others."""
    plain = [
        value.tree.value
        for value in values
        if isinstance(value, Amount) and isinstance(value.tree, Num) and not _is_marked(value)
    ]
    return plain if len(plain) == len(values) else None


def _is_marked(value: Amount) -> bool:
    return bool(value.unit or value.noun or value.percent or value.shown or value.approximation)


def _paired(gold: Sequence[Value], answer: Sequence[Value], same: Same) -> Comparison:
    """Whether each member has an equal one in the other collection."""
    table = [[same(mine, theirs) for theirs in answer] for mine in gold]
    if len(set(map(repr, gold))) < len(gold):
        return _one_to_one(table)
    lines = [*table, *([row[i] for row in table] for i in range(len(answer)))]
    return together([_any(line) for line in lines])


def _one_to_one(table: list[list[Comparison]]) -> Comparison:
    """Whether the members pair off.

    Equality is transitive, so the first free partner is as good as any.
    """
    if len(table) != len(table[0]):
        return DIFFERENT
    free = set(range(len(table)))
    for row in table:
        partner = next((i for i in sorted(free) if row[i].same), None)
        if partner is None:
            return _any(row) if not _any(row).same else DIFFERENT
        free.remove(partner)
    return SAME


def _any(comparisons: list[Comparison]) -> Comparison:
    return next((c for c in comparisons if c.same), next((c for c in comparisons if c.stage == "undecided"), DIFFERENT))


def _lines(gold: Sequence[Value], answer: Sequence[Value], trial: Trial) -> tuple[list[Line], list[Line]] | None:
    """The families of both collections.

    None if they are not families of one arbitrary integer.
    """
    amounts = [[value for value in values if isinstance(value, Amount)] for values in (gold, answer)]
    if len(amounts[0]) < len(gold) or len(amounts[1]) < len(answer):
        return None
    named = [_parameter(values) for values in amounts]
    degrees = [all(DEGREE in symbols(value.tree) for value in values) for values in amounts]
    if (
        not all(named)
        or degrees[0] != degrees[1]
        or not (any(_is_integer(values) for values in amounts) or len(gold) > 1)
    ):
        return None
    found: list[list[Line]] = []
    for values, name in zip(amounts, named, strict=True):
        lines = [line_of(_without_degrees(value.tree), name, trial) for value in values]
        kept = [line for line in lines if line is not None]
        if len(kept) < len(lines):
            return None
        found.append(kept)
    return found[0], found[1]


def _without_degrees(tree: Tree) -> Tree:
    return mapped(tree, lambda node: Num(Fraction(1)) if node == Sym(DEGREE) else node)


def _parameter(values: Sequence[Amount]) -> str:
    """The variable that may stand for any integer, else empty."""
    names = [variables(value.tree) for value in values]
    found = set[str]().union(*names)
    bound = {value.bound for value in values if value.bound}
    if len(found) != 1 or not all(names) or any(_is_marked(value) for value in values):
        return ""
    name = found.pop()
    return name if bound == {name} or (not bound and name in _LETTERS) else ""


def _is_integer(values: Sequence[Amount]) -> bool:
    """Whether the variable stands for an integer.

    The text says so, or it counts multiples of pi or of degrees.
    """
    return any(value.bound for value in values) or all(
        PI.name in operations(value.tree) or DEGREE in symbols(value.tree) for value in values
    )
