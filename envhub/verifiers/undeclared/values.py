"""Types of values that undeclared answers have."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from envhub.verifiers.math.intervals import Segments
from envhub.verifiers.math.relations import Compared
from envhub.verifiers.math.tree import Tree
from envhub.verifiers.math.units import Unit


@dataclass(frozen=True, slots=True)
class Shown:
    """The digits of a number written as a plain decimal.

    Attributes:
        value: The number.
        places: Digits after the point.
        digits: Significant digits.
    """

    value: Fraction
    places: int
    digits: int


@dataclass(frozen=True, slots=True)
class Amount:
    """An expression with an optional unit, noun or percent sign.

    Attributes:
        tree: The expression.
        unit: A known unit.
        noun: Other words after the number.
        percent: Whether a percent sign follows.
        shown: The digits of a plain decimal.
        weak: The unit might be a variable.
        bound: The name of an arbitrary integer.
        approximation: A rounded value that was given beside it.
    """

    tree: Tree
    unit: Unit | None = None
    noun: str = ""
    percent: bool = False
    shown: Shown | None = None
    weak: bool = False
    bound: str = ""
    approximation: Shown | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """A value of a name: ``t = 8``, ``f(x) = 5x``.

    Attributes:
        name: The name, without its arguments.
        value: The value.
        arguments: The variables of a function.
    """

    name: str
    value: Value
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Several values.

    Attributes:
        items: The values.
        ordered: Whether their order counts.
        bracket: The bracket around them, or nothing.
    """

    items: tuple[Value, ...]
    ordered: bool
    bracket: str = ""


@dataclass(frozen=True, slots=True)
class Region:
    """A set of numbers on the line.

    Attributes:
        segments: Its intervals.
        name: The unknown of an inequality.
    """

    segments: Segments
    name: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """An equation or an inequality, or a chain of them.

    Attributes:
        compared: The comparisons, as :class:`envhub.verifiers.math.relations.Relation` reads them.
    """

    compared: tuple[Compared, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A matrix."""

    rows: tuple[tuple[Tree, ...], ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of two or more expressions."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """A value that is only equal to itself.

    Attributes:
        kind: ``choice``, ``clock``, ``date``, ``words`` or ``notation``.
        text: Its normal form.
    """

    kind: str
    text: str


Value = Amount | Named | Group | Region | Chain | Grid | Ratio | Label
