r"""Sets of real numbers: intervals and unions.

Written as such or as inequalities. A value is a tuple of segments in order, no two of which touch::

    Interval().read("x < 1 or x > 3") == Interval().read(r"(-\infty, 1) \cup (3, \infty)")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any, ClassVar, Final, NamedTuple

from envhub.verifiers.math.grammar import parse
from envhub.verifiers.math.groups import enclosed, listed
from envhub.verifiers.math.identity import Trial, equal, exact_value, order
from envhub.verifiers.math.kind import DIFFERENT, SAME, Comparison, Kind, bare, judged, together
from envhub.verifiers.math.lexer import NotMath, Token, prepare, split, tokens_of
from envhub.verifiers.math.names import Names
from envhub.verifiers.math.reals import TooHard
from envhub.verifiers.math.tree import INF, Num, Tree, app, symbols

_MAX_SEGMENTS: Final = 12
_RELATIONS: Final = ("<", "<=", ">", ">=", "=", "!=")
_FLIPPED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="}
_LOWEST: Final = app("neg", INF)


class Segment(NamedTuple):
    """The numbers between two ends."""

    lo: Tree
    lo_closed: bool
    hi: Tree
    hi_closed: bool


LINE: Final = Segment(_LOWEST, False, INF, False)
Segments = tuple[Segment, ...]


@dataclass(frozen=True)
class Interval(Kind):
    """An interval, a union of intervals, or an equivalent inequality."""

    name: ClassVar[str] = "interval"
    noun: ClassVar[str] = "one interval or union of intervals"
    example: ClassVar[str] = "(17, 23]"

    def read(self, text: str) -> Segments:
        """The segments."""
        tokens: Sequence[Token] = tokens_of(prepare(bare(text)))
        if len(tokens) > 2 and tokens[0].kind in ("word", "name") and tokens[1].text == "in":
            tokens = tokens[2:]
        return segments_of(tokens)

    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether the segments have the same ends, each open or closed alike."""
        if len(gold) != len(answer):
            return DIFFERENT
        results = [SAME]
        for a, b in zip(gold, answer, strict=True):
            if (a.lo_closed, a.hi_closed) != (b.lo_closed, b.hi_closed):
                return DIFFERENT
            results += [_same_end(a.lo, b.lo, trial), _same_end(a.hi, b.hi, trial)]
        return together(results)


def _same_end(one: Tree, other: Tree, trial: Trial) -> Comparison:
    if one == other:
        return SAME
    if one in (INF, _LOWEST) or other in (INF, _LOWEST):
        return DIFFERENT
    return judged(equal(one, other, trial))


# -- reading -----------------------------------------------------------------------------------------------------------


def segments_of(tokens: Sequence[Token]) -> Segments:
    """The segments that some tokens write.

    Raises:
        NotMath: The tokens cannot be read as such.
    """
    if enclosed(tokens) in ("{", "\\{"):
        return _builder(tokens[1:-1])
    if any(token.text in _RELATIONS and token.kind == "rel" for token in tokens):
        return inequalities(tokens)[0]
    parts = split(tokens, "cup")
    if len(parts) == 1 and any(t.kind == "word" and t.text == "U" for t in tokens):
        parts = _by_letter(tokens)
    return _united([segment for part in parts for segment in _difference(part)])


def _by_letter(tokens: Sequence[Token]) -> list[Sequence[Token]]:
    """The parts between the letters U outside brackets."""
    parts: list[Sequence[Token]] = []
    start = 0
    for i, token in enumerate(tokens):
        if token.kind == "word" and token.text == "U" and i and tokens[i - 1].kind == "close":
            parts.append(tokens[start:i])
            start = i + 1
    return [*parts, tokens[start:]]


def _difference(tokens: Sequence[Token]) -> Segments:
    whole, *taken = split(tokens, "minus")
    segments = _piece(whole)
    for part in taken:
        if enclosed(part) not in ("{", "\\{"):
            raise NotMath("only single numbers are taken out")
        for run in listed(part[1:-1], ","):
            segments = crossed(segments, _without(_number(run)))
    return segments


def _piece(tokens: Sequence[Token]) -> Segments:
    if len(tokens) == 1 and tokens[0].kind == "const" and tokens[0].text in ("R", "empty"):
        return (LINE,) if tokens[0].text == "R" else ()
    if len(tokens) == 1 and tokens[0].text == "R":
        return (LINE,)
    bracket = enclosed(tokens)
    if bracket in ("{", "\\{"):
        return _builder(tokens[1:-1])
    if bracket not in ("(", "[", "([", "[("):
        raise NotMath("an interval is expected, as (1, 2]")
    ends = split(tokens[1:-1], ",", ";")
    if len(ends) != 2:
        raise NotMath("an interval has two ends")
    segment = Segment(_number(ends[0]), bracket[0] == "[", _number(ends[1]), bracket[-1] == "[")
    if (segment.lo_closed and segment.lo == _LOWEST) or (segment.hi_closed and segment.hi == INF):
        raise NotMath("infinity is not a number of an interval")
    if _compare(segment.lo, segment.hi) > 0:
        raise NotMath("the ends of an interval are in the wrong order")
    return _some(segment)


def _builder(tokens: Sequence[Token]) -> Segments:
    """The content of ``{x | x < 3}``; for ``{1, 2}`` single numbers."""
    if len(tokens) > 3 and tokens[0].kind in ("word", "name"):
        at = 3 if tokens[1].text == "in" and tokens[2].text == "R" else 1
        if tokens[at].text in ("|", ":"):
            segments, name = inequalities(tokens[at + 1 :])
            if name != tokens[0].text:
                raise NotMath("the condition is about something else")
            return segments
    return _united([Segment(end, True, end, True) for end in map(_number, listed(tokens, ",") if tokens else [])])


def inequalities(tokens: Sequence[Token]) -> tuple[Segments, str]:
    """The solutions of inequalities, and the name of the unknown."""
    names: set[str] = set()
    united: list[Segment] = []
    choices = listed(tokens, "or", "cup")
    if len(choices) > _MAX_SEGMENTS:
        raise NotMath("there are too many conditions")
    for choice in choices:
        segments: Segments = (LINE,)
        conditions = listed(choice, "and")
        if len(conditions) > 4:
            raise NotMath("there are too many conditions")
        for condition in conditions:
            found, name = _chain(condition)
            segments = crossed(segments, found)
            names.add(name)
        united += segments
    if len(names) != 1:
        raise NotMath("one unknown is expected")
    return _united(united), names.pop()


def _chain(tokens: Sequence[Token]) -> tuple[Segments, str]:
    signs = [token.text for token in tokens if token.kind == "rel"]
    sides = split(tokens, *_RELATIONS)
    if len(sides) != len(signs) + 1 or not 2 <= len(sides) <= 3 or any(not side for side in sides):
        raise NotMath("an inequality is expected")
    at = next((i for i, side in enumerate(sides) if len(side) == 1 and side[0].kind in ("word", "name")), -1)
    if at < 0 or (len(sides[at][0].text) > 1 and sides[at][0].kind == "word") or sides[at][0].text in ("e", "i"):
        raise NotMath("an unknown is expected")
    if len(sides) == 3 and (at != 1 or {sign[0] for sign in signs} not in ({"<"}, {">"})):
        raise NotMath("a chain of inequalities runs one way, about the unknown")
    segments: Segments = (LINE,)
    for i, side in enumerate(sides):
        if i != at:
            sign = signs[i - 1] if i > at else _FLIPPED[signs[i]]
            segments = crossed(segments, _half(sign, _number(side)))
    return segments, sides[at][0].text


def _half(sign: str, end: Tree) -> Segments:
    if end in (INF, _LOWEST):
        if (sign, end) in (("<", INF), (">", _LOWEST)):
            return (LINE,)
        raise NotMath("a number is expected")
    if sign == "!=":
        return _without(end)
    if sign == "=":
        return (Segment(end, True, end, True),)
    if sign[0] == "<":
        return (Segment(_LOWEST, False, end, sign == "<="),)
    return (Segment(end, sign == ">=", INF, False),)


def _without(end: Tree) -> Segments:
    return (Segment(_LOWEST, False, end, False), Segment(end, False, INF, False))


def _number(tokens: Sequence[Token]) -> Tree:
    tree = parse(tokens, Names(frozenset()))
    if symbols(tree):
        raise NotMath("the ends of an interval are numbers")
    if tree in (INF, _LOWEST):
        return tree
    try:
        value = exact_value(tree)
    except TooHard as problem:
        raise NotMath(f"it is too much to work out: {problem}") from None
    return tree if value is None else Num(value)


# -- normal form -------------------------------------------------------------------------------------------------------


def _compare(one: Tree, other: Tree) -> int:
    if one == other:
        return 0
    if one == _LOWEST or other == INF:
        return -1
    if one == INF or other == _LOWEST:
        return 1
    if isinstance(one, Num) and isinstance(other, Num):
        return (one.value > other.value) - (one.value < other.value)
    result = order(one, other)
    if result is None:
        raise NotMath("the order of two ends cannot be told")
    return result


def _some(segment: Segment) -> Segments:
    """The segment, or nothing if it is empty."""
    order_ = _compare(segment.lo, segment.hi)
    return (segment,) if order_ < 0 or (order_ == 0 and segment.lo_closed and segment.hi_closed) else ()


def crossed(one: Segments, other: Segments) -> Segments:
    """The intersection of two sets."""
    found: list[Segment] = []
    for a in one:
        for b in other:
            low, high = _compare(a.lo, b.lo), _compare(a.hi, b.hi)
            lo, lo_closed = (a.lo, a.lo_closed) if low > 0 else (b.lo, b.lo_closed)
            hi, hi_closed = (a.hi, a.hi_closed) if high < 0 else (b.hi, b.hi_closed)
            found += _some(
                Segment(
                    lo,
                    a.lo_closed and b.lo_closed if low == 0 else lo_closed,
                    hi,
                    a.hi_closed and b.hi_closed if high == 0 else hi_closed,
                )
            )
    if len(found) > _MAX_SEGMENTS:
        raise NotMath("there are too many intervals")
    return tuple(found)


def _united(segments: list[Segment]) -> Segments:
    """Segments in order, touching ones joined."""
    if len(segments) > _MAX_SEGMENTS:
        raise NotMath("there are too many intervals")

    def before(a: Segment, b: Segment) -> int:
        return _compare(a.lo, b.lo) or (not a.lo_closed) - (not b.lo_closed)

    joined: list[Segment] = []
    for segment in sorted(segments, key=cmp_to_key(before)):
        if joined:
            last = joined[-1]
            gap = _compare(last.hi, segment.lo)
            if gap > 0 or (gap == 0 and (last.hi_closed or segment.lo_closed)):
                end = _compare(last.hi, segment.hi)
                hi, closed = (segment.hi, segment.hi_closed) if end < 0 else (last.hi, last.hi_closed)
                joined[-1] = last._replace(hi=hi, hi_closed=closed or (end == 0 and segment.hi_closed))
                continue
        joined.append(segment)
    return tuple(joined)
