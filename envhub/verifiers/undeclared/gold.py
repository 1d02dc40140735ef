r"""A gold answer of no declared kind, read once.

Reports how it is read, whether it is ambiguous, and the kind to declare::

    gold = Gold.of(r"(0, 1)")
    gold.types          # ("tuple", "interval")
    gold.compare("0 < x < 1").same          # True
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from envhub.core.seeding import canonical_json
from envhub.verifiers.math.identity import Trial
from envhub.verifiers.math.kind import Comparison, Kind
from envhub.verifiers.math.lexer import NotMath
from envhub.verifiers.math.tree import Num, variables
from envhub.verifiers.undeclared.auto import Auto
from envhub.verifiers.undeclared.values import Amount, Chain, Grid, Group, Label, Named, Ratio, Region, Value

_LABELS: Final = {"choice": "choice", "date": "date", "words": "text"}


@dataclass(frozen=True)
class Gold:
    """A gold answer and its readings.

    Attributes:
        text: The gold as written.
        kind: The kind that reads the answers.
        readings: Its values, the likeliest first.
    """

    text: str
    kind: Kind
    readings: tuple[Value, ...]

    @classmethod
    def of(cls, text: str, options: Mapping[str, Any] | None = None) -> Gold:
        """The gold of a text; equal arguments give one cached object.

        Args:
            text: The gold answer.
            options: ``question``, ``accept_rounded`` and ``choices``.

        Raises:
            NotMath: The text is empty, too long, or has no value.
            InvalidParameters: An option is unknown or invalid.
        """
        return _cached(text, canonical_json(dict(options or {})))

    @property
    def types(self) -> tuple[str, ...]:
        """The types of its readings, itself as a text apart."""
        found = [type_of(value) for value in self.readings if not isinstance(value, Label)]
        return tuple(dict.fromkeys(found)) or (type_of(self.readings[0]),)

    @property
    def readable(self) -> bool:
        """Whether it is read as more than notation."""
        first = self.readings[0]
        return not (isinstance(first, Label) and first.kind == "notation")

    @property
    def ambiguous(self) -> bool:
        """Whether it has several types, or is a list of unknown order."""
        first = self.readings[0]
        bare = isinstance(first, Group) and not first.ordered and not first.bracket and _is_unnamed(first)
        return bare or len(set(self.types) - {"relation"}) > 1

    @property
    def suggestion(self) -> str:
        """The kind to declare for it, or an empty text."""
        return _suggested(self.readings[0])

    def compare(self, answer: str) -> Comparison:
        """Whether an answer is the gold."""
        try:
            given = self.kind.read(answer)
        except NotMath as problem:
            return Comparison(False, "unreadable", str(problem))
        return self.kind.same(self.readings, given, Trial(f"{self.text}\n{answer}".encode("utf-8", "surrogatepass")))


@lru_cache(maxsize=4096)
def _cached(text: str, options: bytes) -> Gold:
    kind = Auto.of(json.loads(options))
    readings = kind.read(text)
    return Gold(text, kind.knowing(kind.names(readings)), readings)


def type_of(value: Value) -> str:
    """The type of a value, in a word."""
    match value:
        case Amount(unit=unit, noun=noun, percent=percent, bound=bound):
            kinds = {"percentage": percent, "family": bool(bound), "quantity": unit is not None or bool(noun)}
            return next((name for name, holds in kinds.items() if holds), _arithmetic(value))
        case Named():
            return "function" if value.arguments else "named value"
        case Group():
            return {"(": "tuple", "<": "tuple", "[": "list", "{": "set"}.get(value.bracket, _bare(value))
        case Region():
            return "interval"
        case Chain():
            return "relation"
        case Grid():
            return "matrix"
        case Ratio():
            return "ratio"
        case Label(kind=kind):
            return kind


def _arithmetic(value: Amount) -> str:
    if isinstance(value.tree, Num):
        return "decimal" if value.shown else "number"
    return "expression" if variables(value.tree) else "number"


def _is_unnamed(group: Group) -> bool:
    return not any(isinstance(item, (Named, Group)) for item in group.items)


def _bare(group: Group) -> str:
    return "unordered list" if not any(isinstance(item, Named) for item in group.items) else "named values"


def _suggested(value: Value) -> str:
    """The declared kind that reads a value in the same way.

    Empty if no kind does.
    """
    if isinstance(value, Label):
        return _LABELS.get(value.kind, "")
    if isinstance(value, Named):
        return "function" if value.arguments else _suggested(value.value)
    if isinstance(value, Amount):
        if value.unit is not None:
            return "quantity"
        whole = isinstance(value.tree, Num) and value.tree.value.denominator == 1
        return {"number": "integer" if whole else "rational", "decimal": "decimal"}.get(type_of(value), "expression")
    kinds = {"tuple": "tuple", "list": "list", "set": "set", "unordered list": "set", "named values": "multi"}
    return {**kinds, "interval": "interval", "relation": "relation", "matrix": "matrix"}.get(type_of(value), "")
