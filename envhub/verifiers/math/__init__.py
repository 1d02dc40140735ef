r"""Compares an answer with the gold answer, for any declared kind.

In plain text or LaTeX. A ladder, cheapest first: the same text (``canonical``), the same exact number (``exact``),
values compared by their kind (``typed``), an identity test at random exact points (``identity``, see
:mod:`envhub.verifiers.math.identity` for what it promises). Otherwise the result is ``undecided`` and counts as wrong,
unless :mod:`envhub.verifiers.math.symbolic` is also used, in a process that can be killed. Nothing evaluates text as
code, nothing raises on any answer, and work is counted and limited::

    compare(r"(-\infty, -5)", "k < -5", "interval").same                # True
    compare("1-1/e", "1+1/e").same                                      # False
    kind_of("set", {"of": "integer"}).read("{1, 2}")
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from envhub.core.errors import InvalidParameters, nearest
from envhub.core.seeding import canonical_json
from envhub.verifiers.math.expressions import Expression
from envhub.verifiers.math.groups import List, Matrix, Multi, Set, Tuple
from envhub.verifiers.math.identity import Trial
from envhub.verifiers.math.intervals import Interval
from envhub.verifiers.math.kind import Comparison, Kind, built, named, need
from envhub.verifiers.math.lexer import NotMath
from envhub.verifiers.math.plain import Choice, Date, Text
from envhub.verifiers.math.relations import Function, Relation
from envhub.verifiers.math.scalars import Complex, Decimal, Integer, Rational
from envhub.verifiers.math.units import Quantity
from envhub.verifiers.undeclared.auto import Auto, is_words
from envhub.verifiers.undeclared.gold import Gold

__all__ = ["KINDS", "Comparison", "Gold", "Kind", "NotMath", "compare", "gold_of", "is_text", "kind_of", "read"]


def _group(kind: type[Set] | type[Matrix]) -> Callable[[Mapping[str, Any]], Kind]:
    def make(options: Mapping[str, Any]) -> Kind:
        return built(kind, {**options, "of": _inner(options.get("of", "expression"))})

    return make


def _row(kind: type[Tuple]) -> Callable[[Mapping[str, Any]], Kind]:
    def make(options: Mapping[str, Any]) -> Kind:
        of = options.get("of", "expression")
        several = isinstance(of, (list, tuple))
        return built(kind, {**options, "of": tuple(map(_inner, of)) if several else _inner(of)})

    return make


def _multi(options: Mapping[str, Any]) -> Kind:
    parts, names = options.get("parts"), named(options.get("names") or (), "names")
    need(isinstance(parts, (list, tuple)) and len(parts) > 0, f"parts is a list of kinds, got {parts!r}.")
    need(set(options) <= {"parts", "names"}, "The kind multi has the options parts and names.")
    kinds = tuple(map(_inner, parts or ()))
    need(not names or len(set(names)) == len(names) == len(kinds), "There are as many different names as parts.")
    return Multi(kinds, names)


def _inner(spec: Any) -> Kind:
    """A kind within a kind: a name, or ``{"kind": name, ...options}``."""
    if isinstance(spec, Mapping):
        options = dict(spec)
        return _made(str(options.pop("kind", "")), options)
    return _made(spec, {})


def _options_of(kind: type[Kind], known: tuple[str, ...], of: Callable[[Mapping[str, Any]], Kind]) -> Any:
    def make(options: Mapping[str, Any]) -> Kind:
        for name in options:
            need(name in known, f"The kind {kind.name} has no option {name!r}; there are {', '.join(known)}.")
        return of(options)

    return make


def _simple(kind: type[Kind]) -> Callable[[Mapping[str, Any]], Kind]:
    return lambda options: built(kind, options)


_MAKERS: Final[dict[str, Callable[[Mapping[str, Any]], Kind]]] = {
    **{kind.name: _simple(kind) for kind in (Integer, Rational, Decimal, Complex, Interval, Relation, Function)},
    **{kind.name: _simple(kind) for kind in (Date, Quantity)},
    "set": _group(Set),
    "matrix": _group(Matrix),
    "tuple": _row(Tuple),
    "list": _row(List),
    "multi": _multi,
    "expression": _options_of(Expression, ("variables", "domain", "bound", "names", "angle", "log"), Expression.of),
    "choice": _options_of(Choice, ("options",), Choice.of),
    "text": _options_of(Text, ("aliases",), Text.of),
    "auto": Auto.of,
}
KINDS: Final = tuple(_MAKERS)


def _made(name: Any, options: Mapping[str, Any]) -> Kind:
    make = _MAKERS.get(name) if isinstance(name, str) else None
    if make is None:
        raise InvalidParameters(f"No kind of answer {name!r}; there are {', '.join(KINDS)}.{nearest(str(name), KINDS)}")
    return make(options)


@lru_cache(maxsize=512)
def _cached(name: str, options: bytes) -> Kind:
    return _made(name, json.loads(options))


def kind_of(name: str, options: Mapping[str, Any] | None = None) -> Kind:
    """Create a kind of answer; checks its options.

    Args:
        name: One of :data:`KINDS`.
        options: Its options, as JSON.

    Raises:
        InvalidParameters: There is no such kind or option.
    """
    try:
        return _cached(name, canonical_json(dict(options or {})))
    except (TypeError, ValueError) as problem:
        if isinstance(problem, InvalidParameters):
            raise
        raise InvalidParameters(f"The options of a kind are JSON: {problem}.") from None


def read(text: str, kind: Kind) -> Any:
    """The value of a text.

    Raises:
        NotMath: No value; the message says why.
    """
    return kind.read(text)


@lru_cache(maxsize=4096)
def _gold(gold: str, name: str, options: bytes) -> tuple[Kind, Any]:
    if name == "auto":
        read_once = Gold.of(gold, json.loads(options))
        return read_once.kind, read_once.readings
    kind = _cached(name, options)
    known = kind.knowing(kind.names(kind.read(gold)))
    return known, known.read(gold)


def gold_of(gold: str, kind: str = "auto", options: Mapping[str, Any] | None = None) -> tuple[Kind, Any]:
    """The kind of a gold answer, and the gold's value.

    The kind's variables are bound.

    Raises:
        InvalidParameters: There is no such kind or option, or the gold cannot be read.
    """
    kind_of(kind, options)
    try:
        return _gold(gold, kind, canonical_json(dict(options or {})))
    except NotMath as problem:
        shown = gold if len(gold) <= 80 else gold[:80] + "..."
        raise InvalidParameters(f"The gold answer {shown!r} cannot be read as {kind}: {problem}.") from None


def compare(gold: str, answer: str, kind: str = "auto", **options: Any) -> Comparison:
    """Whether an answer is the gold answer.

    Args:
        gold: The right answer.
        answer: Any text.
        kind: Kind of the gold, one of :data:`KINDS`.
        **options: Options of the kind.

    Raises:
        InvalidParameters: There is no such kind or option, or the *gold* cannot be read.
    """
    known, value = gold_of(gold, kind, options)
    if answer == gold:
        return Comparison(True, "canonical")
    try:
        given = known.read(answer)
    except NotMath as problem:
        return Comparison(False, "unreadable", str(problem))
    return known.same(value, given, trial_of(gold, answer))


def is_text(kind: Kind, value: Any) -> bool:
    """Whether a gold is compared as a text, word by word."""
    return isinstance(kind, Text) or (isinstance(kind, Auto) and is_words(value))


def trial_of(gold: str, answer: str) -> Trial:
    """The random points and the work limit of one comparison."""
    return Trial(f"{len(gold)} {gold}{answer}".encode("utf-8", "surrogatepass"))
