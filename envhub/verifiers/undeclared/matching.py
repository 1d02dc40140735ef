"""Whether two values of undeclared answers are the same.

The type of the gold decides what may be compared with it; ``docs/verifiers.md`` has the table. Names are matched or
dropped, units are converted or missing on one side, and the order of a bracketed group counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from envhub.verifiers.math.expressions import Expression
from envhub.verifiers.math.identity import Trial, equal
from envhub.verifiers.math.intervals import Interval
from envhub.verifiers.math.kind import DIFFERENT, SAME, Comparison, judged, together
from envhub.verifiers.math.relations import Relation
from envhub.verifiers.math.tree import PI, Num, Tree, app, operations, renamed, variables
from envhub.verifiers.math.units import Unit, unit_of
from envhub.verifiers.undeclared.arrays import flat
from envhub.verifiers.undeclared.collections import same_members
from envhub.verifiers.undeclared.lists import is_assignment
from envhub.verifiers.undeclared.names import base_name
from envhub.verifiers.undeclared.questions import NOTHING, Wanted
from envhub.verifiers.undeclared.rounding import accepted
from envhub.verifiers.undeclared.values import Amount, Chain, Grid, Group, Label, Named, Ratio, Region, Value

_HUNDREDTH: Final = Num(Fraction(1, 100))
_EXPRESSION: Final = Expression()
_DEGREE: Final = unit_of("deg")
_CONSTANTS: Final = frozenset("abckmABCK")
_COORDINATES: Final = frozenset(("x", "y", "z"))
_ROUND: Final = ("(", "<", "")


@dataclass(frozen=True)
class Matcher:
    """Compares values for one pair of texts.

    Attributes:
        trial: The random points and the work limit.
        digits: The significant digits of an accepted rounded answer; None for no such answer.
        wanted: What the question asks for.
    """

    trial: Trial = field(default_factory=Trial)
    digits: int | None = 4
    wanted: Wanted = NOTHING

    def same(self, gold: Value, answer: Value) -> Comparison:
        """Whether two values are the same."""
        if isinstance(gold, Label) or isinstance(answer, Label):
            return SAME if gold == answer or _is_same_time(gold, answer) else DIFFERENT
        if isinstance(gold, Named):
            return self.named(gold, answer)
        if isinstance(gold, Group):
            return self.group(gold, answer)
        if isinstance(answer, Named):
            return DIFFERENT if _is_odd(answer) else self.same(gold, answer.value)
        if isinstance(answer, Group) and answer.bracket == "=" and isinstance(gold, Amount):
            return DIFFERENT
        if isinstance(gold, Amount) and isinstance(answer, Amount):
            return self.amounts(gold, answer)
        if isinstance(gold, Region) and isinstance(answer, Region):
            if gold.name and answer.name and gold.name != answer.name:
                return DIFFERENT
            return Interval().same(gold.segments, answer.segments, self.trial)
        if isinstance(gold, Chain) and isinstance(answer, Chain):
            return Relation().same(gold.compared, answer.compared, self.trial)
        if isinstance(gold, Grid):
            return self.grids(gold, answer)
        return self.ratios(gold, answer)

    # -- numbers and expressions -------------------------------------------------------------------------------------

    def amounts(self, gold: Amount, answer: Amount) -> Comparison:
        """Whether two amounts are the same, families as sets."""
        found = self.single(gold, answer)
        if found.same or not (variables(gold.tree) and variables(answer.tree)):
            return found
        return self.members([gold], [answer])

    def single(self, gold: Amount, answer: Amount) -> Comparison:
        """Whether two amounts are the same, exactly or by an accepted rounding."""
        if gold.percent or answer.percent:
            return self.percents(gold, answer)
        if self.wanted.percent and not gold.unit and not gold.noun and (answer.unit or answer.noun):
            return DIFFERENT
        if (gold.weak and not answer.unit) or (answer.weak and not gold.unit):
            return DIFFERENT
        if gold.unit and answer.unit:
            return self.quantities(gold, answer)
        if _is_angle(gold, answer):
            return judged(equal(_in_radians(gold), _in_radians(answer), self.trial))
        if (gold.unit and answer.noun) or (gold.noun and answer.unit):
            return DIFFERENT
        if gold.noun and answer.noun and gold.noun != answer.noun:
            return DIFFERENT
        return self.numbers(gold, answer)

    def numbers(self, gold: Amount, answer: Amount) -> Comparison:
        """Whether two expressions are equal, or one is an accepted rounding."""
        found = _EXPRESSION.same(gold.tree, answer.tree, self.trial)
        if found.same or found.stage == "undecided" or not accepted(gold, answer, self.digits, self.wanted):
            return found
        return SAME

    def percents(self, gold: Amount, answer: Amount) -> Comparison:
        """Whether a percentage and another amount are the same."""
        if gold.unit or answer.unit or gold.noun or answer.noun:
            return DIFFERENT
        if gold.percent and answer.percent:
            return self.numbers(gold, answer)
        if self.wanted.percent:
            plain = self.numbers(replace(gold, percent=False), replace(answer, percent=False))
            if plain.same:
                return plain
        return self.numbers(_as_fraction(gold), _as_fraction(answer))

    def quantities(self, gold: Amount, answer: Amount) -> Comparison:
        """Whether two amounts with units are the same."""
        mine, theirs = gold.unit, answer.unit
        assert mine is not None
        assert theirs is not None
        if mine.powers != theirs.powers:
            return Comparison(False, "typed", "the unit does not measure the same")
        if mine == theirs:
            return self.numbers(replace(gold, unit=None), replace(answer, unit=None))
        found = equal(_inbase_name(gold.tree, mine), _inbase_name(answer.tree, theirs), self.trial)
        return judged(found) if found.same is not True else SAME

    # -- names -------------------------------------------------------------------------------------------------------

    def named(self, gold: Named, answer: Value) -> Comparison:
        """Whether an answer is the value of a name."""
        if isinstance(answer, Named):
            if gold.name != answer.name or len(gold.arguments) != len(answer.arguments):
                return DIFFERENT
            value = _renamed(answer, gold.arguments)
            return self.same(gold.value, _with_constant_of(gold, value) if gold.arguments else value)
        if isinstance(answer, Chain) or (isinstance(answer, Group) and answer.bracket == "="):
            return DIFFERENT
        return self.same(gold.value, answer)

    # -- groups ------------------------------------------------------------------------------------------------------

    def group(self, gold: Group, answer: Value) -> Comparison:
        """Whether an answer is the same group."""
        if is_assignment(gold):
            return self.assignment(gold, answer)
        if isinstance(answer, Named):
            answer = answer.value
        items, name = _unnamed(gold)
        if gold.ordered or self.wanted.ordered:
            return self.row(gold, answer)
        if isinstance(answer, Group):
            if answer.ordered:
                fits = gold.bracket == "" and answer.bracket in _ROUND and not name
                whole = isinstance(items[0], Group)  # one tuple for a list of tuples
                return self.rows(items, answer.items) if fits and not whole else self.members(items, [answer])
            if is_assignment(answer) and not all(isinstance(item, Group) for item in items):
                return self.arranged(items, name, answer)
            theirs, their_name = _unnamed(answer)
            if name and their_name and base_name(name) != base_name(their_name):
                return DIFFERENT
            return self.members(items, theirs)
        if isinstance(answer, (Amount, Region)):
            return self.members(items, [answer])
        return DIFFERENT

    def members(self, gold: Sequence[Value], answer: Sequence[Value]) -> Comparison:
        """Whether two collections have the same members."""
        return same_members(gold, answer, self.same_item, self.trial)

    def same_item(self, gold: Value, answer: Value) -> Comparison:
        """Whether two members are the same, without regard to arbitrary integers."""
        if isinstance(gold, Amount) and isinstance(answer, Amount):
            return self.single(gold, answer)
        return self.same(gold, answer)

    def assignment(self, gold: Group, answer: Value) -> Comparison:
        """Whether an answer gives several names the same values."""
        mine = {item.name: item for item in gold.items if isinstance(item, Named)}
        if isinstance(answer, Named) and isinstance(answer.value, Group):
            return DIFFERENT
        if isinstance(answer, Group) and any(isinstance(item, Named) for item in answer.items):
            theirs = {item.name: item for item in answer.items if isinstance(item, Named)}
            if len(theirs) == len(answer.items) and theirs.keys() == mine.keys():
                return together([self.same(mine[name], theirs[name]) for name in mine])
            if len({*map(base_name, mine)} | {*map(base_name, theirs)}) == 1 and not all(
                _is_indexed(one) for one in (mine, theirs)
            ):
                return self.members(*(_values(one) for one in (gold, answer)))
            return DIFFERENT
        values = _values(gold)
        if isinstance(answer, Group):
            if len({*map(base_name, mine)}) == 1 and not answer.ordered:
                return self.members(values, answer.items)
            return self.rows(values, answer.items) if answer.bracket in _ROUND else DIFFERENT
        if gold.bracket == "=" and isinstance(answer, Amount):
            return self.same(values[0], answer)
        return DIFFERENT

    def arranged(self, items: Sequence[Value], name: str, answer: Group) -> Comparison:
        """Whether the values of several names are those of an unnamed list."""
        names = [item.name for item in answer.items if isinstance(item, Named)]
        values = _values(answer)
        if len({*map(base_name, names)}) == 1:
            return self.members(items, values) if not name or base_name(name) == base_name(names[0]) else DIFFERENT
        if name or answer.bracket == "=":
            return DIFFERENT
        return self.by_name(items, names, values)

    def by_name(self, items: Sequence[Value], names: Sequence[str], values: Sequence[Value]) -> Comparison:
        """Compares values in the order of their names.

        Also as written, if the names have no usual order.
        """
        sorted_ = [value for _, value in sorted(zip(names, values, strict=True), key=lambda pair: pair[0])]
        found = self.rows(items, sorted_)
        return found if found.same or _COORDINATES.issuperset(names) else self.rows(items, values)

    def row(self, gold: Group, answer: Value) -> Comparison:
        """Whether an answer has the values of an ordered group, in order."""
        if isinstance(answer, Grid):
            entries = flat(answer)
            return DIFFERENT if entries is None else self.rows(gold.items, list(map(Amount, entries)))
        if not isinstance(answer, Group):
            return DIFFERENT
        if answer.bracket == "{" and len(answer.items) == 1 and isinstance(answer.items[0], Group):
            answer = answer.items[0]
        if is_assignment(answer) and not any(isinstance(item, Group) for item in gold.items):
            names = [item.name for item in answer.items if isinstance(item, Named)]
            return self.by_name(_unnamed(gold)[0], names, _values(answer))
        if _has_names(answer) and not _has_names(gold):
            return DIFFERENT  # several values of a name are no tuple
        brackets = ("[",) if gold.bracket == "[" else _ROUND
        return self.rows(gold.items, answer.items) if answer.bracket in brackets else DIFFERENT

    def rows(self, gold: Sequence[Value], answer: Sequence[Value]) -> Comparison:
        """Whether values are the same one by one."""
        if len(gold) != len(answer):
            return DIFFERENT
        return together([self.same(mine, theirs) for mine, theirs in zip(gold, answer, strict=True)])

    # -- other types -------------------------------------------------------------------------------------------------

    def grids(self, gold: Grid, answer: Value) -> Comparison:
        """Whether two matrices are the same; a vector may be a tuple."""
        if isinstance(answer, Group):
            entries = flat(gold)
            fits = entries is not None and answer.bracket in ("(", "<", "[")
            return self.rows(list(map(Amount, entries or ())), answer.items) if fits else DIFFERENT
        if not isinstance(answer, Grid) or [*map(len, gold.rows)] != [*map(len, answer.rows)]:
            return DIFFERENT
        cells = zip(gold.rows, answer.rows, strict=True)
        pairs = [pair for mine, theirs in cells for pair in zip(mine, theirs, strict=True)]
        return together([self.amounts(Amount(a), Amount(b)) for a, b in pairs])

    def ratios(self, gold: Value, answer: Value) -> Comparison:
        """Whether two ratios are the same; a quotient is a ratio."""
        mine, theirs = _terms(gold), _terms(answer)
        if mine is None or theirs is None or len(mine) != len(theirs):
            return DIFFERENT
        return together(
            [
                judged(equal(app("*", mine[0], theirs[i]), app("*", theirs[0], mine[i]), self.trial))
                for i in range(1, len(mine))
            ]
        )


def _is_same_time(gold: Value, answer: Value) -> bool:
    """Whether an answer is the gold's time with am or pm added."""
    clocks = isinstance(gold, Label) and isinstance(answer, Label) and gold.kind == answer.kind == "clock"
    return clocks and answer.text in (f"{gold.text}a", f"{gold.text}p")  # type: ignore[union-attr]


def _terms(value: Value) -> tuple[Tree, ...] | None:
    """The terms of a ratio; a plain number is one to 1."""
    if isinstance(value, Ratio):
        return value.parts
    if isinstance(value, Amount) and not (value.unit or value.noun or value.percent or value.bound):
        return value.tree, Num(Fraction(1))
    return None


def _is_odd(named: Named) -> bool:
    """Whether the variables of a function are not its arguments."""
    found = variables(named.value.tree) if isinstance(named.value, Amount) else set[str]()
    return bool(named.arguments and found and not set(named.arguments) <= found)


def _renamed(answer: Named, arguments: tuple[str, ...]) -> Value:
    """The value of a function with the arguments renamed."""
    value = answer.value
    if not isinstance(value, Amount) or answer.arguments == arguments:
        return value
    others = variables(value.tree) - set(answer.arguments)
    if others & set(arguments):
        return Label("notation", "")
    return replace(value, tree=renamed(value.tree, dict(zip(answer.arguments, arguments, strict=True))))


def _with_constant_of(gold: Named, answer: Value) -> Value:
    """The value with its arbitrary constant named as in the gold."""
    if not isinstance(gold.value, Amount) or not isinstance(answer, Amount):
        return answer
    mine, theirs = (variables(one.tree) - set(gold.arguments) for one in (gold.value, answer))
    if len(mine) != 1 or len(theirs) != 1 or not mine | theirs <= _CONSTANTS:
        return answer
    return replace(answer, tree=renamed(answer.tree, {theirs.pop(): mine.pop()}))


def _unnamed(group: Group) -> tuple[tuple[Value, ...], str]:
    """The items without the one name that all of them have."""
    names = {base_name(item.name) for item in group.items if isinstance(item, Named) and not item.arguments}
    if len(names) == 1 and all(isinstance(item, Named) and not item.arguments for item in group.items):
        return tuple(_values(group)), names.pop()
    return group.items, ""


def _has_names(group: Group) -> bool:
    return any(isinstance(item, Named) for item in group.items)


def _values(group: Group) -> list[Value]:
    return [item.value if isinstance(item, Named) else item for item in group.items]


def _is_indexed(names: Iterable[str]) -> bool:
    """Whether a name has a number."""
    return any(base_name(name) != name for name in names)


def _as_fraction(amount: Amount) -> Amount:
    """A percentage as a number."""
    if not amount.percent:
        return amount
    shown = amount.shown and replace(amount.shown, value=amount.shown.value / 100, places=amount.shown.places + 2)
    tree = amount.tree
    return Amount(Num(tree.value / 100) if isinstance(tree, Num) else app("*", tree, _HUNDREDTH), shown=shown)


def _is_angle(gold: Amount, answer: Amount) -> bool:
    """Whether degrees are compared with an unmarked multiple of pi."""
    marked, other = (gold, answer) if gold.unit else (answer, gold)
    bare = not (other.unit or other.noun)
    return marked.unit == _DEGREE and bare and PI.name in operations(other.tree)


def _in_radians(amount: Amount) -> Tree:
    return _inbase_name(amount.tree, amount.unit) if amount.unit else amount.tree


def _inbase_name(tree: Tree, unit: Unit) -> Tree:
    """A number in base units."""
    number = app("+", tree, Num(unit.offset)) if unit.offset else tree
    return app("*", number, Num(unit.size), *([app("^", PI, Num(Fraction(unit.pi)))] if unit.pi else []))
