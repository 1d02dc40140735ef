"""Deduction: what follows from given values, and by how many steps.

A statement fires when its premises hold and all of its quantities but one are known. Each quantity is derived once, by the
first statement that can; the proof of a quantity is the set of all quantities that were derived for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from envhub.envs.pictures.geometry.equalities import Equalities
from envhub.envs.pictures.geometry.figure import Quantity
from envhub.envs.pictures.geometry.statements import Statement
from envhub.envs.pictures.geometry.surds import Surd


class Deduction:
    """Known values, and how each was found.

    Attributes:
        values: Every quantity that is known.
        reasons: The statement that gave each derived quantity.
    """

    def __init__(self, statements: Sequence[Statement], equalities: Equalities) -> None:
        self._statements, self._equalities = statements, equalities
        self._left = [len(one.terms) for one in statements]  # unknown terms of each statement
        self._terms: dict[Quantity, list[int]] = {}
        self._premises: dict[Quantity, list[int]] = {}
        for at, statement in enumerate(statements):
            for one, _ in statement.terms:
                self._terms.setdefault(one, []).append(at)
            for one in statement.premises():
                self._premises.setdefault(one, []).append(at)
        self.values: dict[Quantity, Surd] = {}
        self.reasons: dict[Quantity, Statement] = {}

    def run(self, given: Mapping[Quantity, Surd], always: bool = True) -> None:
        """Take values as given, and derive all that follows.

        ``always`` also tries the statements that need no value.
        """
        waiting = deque(at for at, left in enumerate(self._left) if left == 1) if always else deque[int]()
        for quantity, value in given.items():
            self._learn(quantity, value, waiting)
        while waiting:
            at = waiting.popleft()
            statement = self._statements[at]
            if self._left[at] != 1 or not self._holds(statement):
                continue
            unknown = next(one for one, _ in statement.terms if one not in self.values)
            found = solved(statement, unknown, self.values)
            if found is not None and float(found) > 0:
                self.reasons[unknown] = statement
                self._learn(unknown, found, waiting)

    def _learn(self, quantity: Quantity, value: Surd, waiting: deque[int]) -> None:
        self.values[quantity] = value
        for at in self._terms.get(quantity, ()):
            self._left[at] -= 1
            if self._left[at] == 1:
                waiting.append(at)
        waiting += [at for at in self._premises.get(quantity, ()) if self._left[at] == 1]

    def copied(self) -> Deduction:
        """A copy, to which other values can be given."""
        made = Deduction.__new__(Deduction)
        made._statements, made._equalities = self._statements, self._equalities
        made._terms, made._premises, made._left = self._terms, self._premises, [*self._left]
        made.values, made.reasons = {**self.values}, {**self.reasons}
        return made

    def proof(self, asked: Quantity) -> tuple[list[Quantity], list[Quantity]]:
        """The derived and the given quantities that a quantity rests on."""
        derived: list[Quantity] = []
        given: list[Quantity] = []
        waiting, seen = [asked], {asked}
        while waiting:
            one = waiting.pop()
            reason = self.reasons.get(one)
            (given if reason is None else derived).append(one)
            for other in self._needed(reason, one) if reason else ():
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return derived, given

    def _needed(self, reason: Statement, derived: Quantity) -> Iterable[Quantity]:
        yield from (one for one, _ in reason.terms if one != derived)
        yield from (one for one, _ in reason.known)
        for one, other in reason.same:
            if not self._equalities.same(one, other):
                yield from (one, other)

    def _holds(self, statement: Statement) -> bool:
        for quantity, value in statement.known:
            if self.values.get(quantity) != value:
                return False
        for one, other in statement.same:
            if not self._equalities.same(one, other) and (
                one not in self.values or self.values[one] != self.values.get(other)
            ):
                return False
        return True


def solved(statement: Statement, unknown: Quantity, values: Mapping[Quantity, Surd]) -> Surd | None:
    """The value of the only unknown of a statement.

    None if it is not one of our numbers.
    """
    own = next(factor for one, factor in statement.terms if one == unknown)
    rest = statement.constant
    for one, factor in statement.terms:
        if one == unknown:
            continue
        value = values[one]
        if statement.form == "sum":
            rest = rest.plus(value.scaled(-factor))
        elif statement.form == "squares":
            rest = rest.plus(value.times(value).scaled(-factor))
        else:
            turned = value.inverse() if factor > 0 else value
            if turned is None:
                return None
            for _ in range(abs(factor)):
                rest = rest.times(turned)
    if statement.form == "sum":
        return rest.scaled(Fraction(1, own))
    if statement.form == "squares":
        return rest.scaled(Fraction(1, own)).squared_root()
    if own < 0:
        inverse = rest.inverse()
        if inverse is None:
            return None
        rest = inverse
    return rest if abs(own) == 1 else rest.squared_root()
