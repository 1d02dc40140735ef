r"""Sets of numbers on the line.

Intervals, inequalities in any unknown, unions and differences.

Extends :mod:`envhub.verifiers.math.intervals` by intersections, differences of any two sets, conditions in a list, and
unknowns such as ``f(x)``::

    region("x > 0, x \\neq 2")          # the same as region("(0, 2) \\cup (2, \\infty)")
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from envhub.verifiers.math.groups import enclosed
from envhub.verifiers.math.intervals import LINE, Segment, Segments, crossed, inequalities, segments_of
from envhub.verifiers.math.lexer import NotMath, Token, prepare, split, tokens_of
from envhub.verifiers.math.tree import INF, Num, Tree, app
from envhub.verifiers.undeclared.names import name_of
from envhub.verifiers.undeclared.values import Region

_SIGNS: Final = ("<", "<=", ">", ">=", "!=")
_BRACES: Final = ("{", "\\{")
_LOWEST: Final = app("neg", INF)
_ZERO: Final = Num(Fraction(0))
_MOST: Final = 12


def region(text: str) -> Region:
    """The set of numbers in a spelled text.

    Raises:
        NotMath: The text cannot be read as such.
    """
    tokens: Sequence[Token] = _short_unknown(tokens_of(prepare(text)))
    name = ""
    if len(tokens) > 2 and tokens[0].kind in ("word", "name") and tokens[1].text == "in":
        name, tokens = tokens[0].text, tokens[2:]
    segments, unknown = _read(tokens)
    if len(unknown) > 2 and unknown.startswith("|"):
        segments, unknown = _mirrored(segments), unknown.strip("|")
    return Region(segments, name or unknown)


def _mirrored(segments: Segments) -> Segments:
    """The numbers whose absolute values are in a set."""
    positive = crossed(segments, (Segment(_ZERO, True, INF, False),))
    negative = tuple(
        Segment(_negative(hi), hi_closed, _negative(lo), lo_closed) for lo, lo_closed, hi, hi_closed in positive
    )
    return _union([positive, negative[::-1]])


def _negative(end: Tree) -> Tree:
    if isinstance(end, Num):
        return Num(-end.value)
    return _LOWEST if end == INF else app("neg", end)


def _short_unknown(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, with an unknown such as ``f(x)`` as one name."""
    made: list[Token] = []
    for side in _sides(tokens):
        name = name_of(side) if len(side) > 1 and side[0].kind in ("word", "bar") else ""
        made += [side[0]._replace(kind="name", text=name)] if name else side
    return made


def _sides(tokens: Sequence[Token]) -> list[list[Token]]:
    """The runs between relation signs, and the signs."""
    sides: list[list[Token]] = [[]]
    for token in tokens:
        if token.kind in ("rel", "sep", "link", "join"):
            sides += [[token], []]
        else:
            sides[-1].append(token)
    return [side for side in sides if side]


def _read(tokens: Sequence[Token]) -> tuple[Segments, str]:
    tokens = _signed(tokens)
    unions = split(tokens, "cup", "or")
    if len(unions) > _MOST or any(not run for run in unions):
        raise NotMath("a set is expected")
    if len(unions) > 1:
        parts = [_read(run) for run in unions]
        return _union([part for part, _ in parts]), _one_name([name for _, name in parts])
    conditions = [run for run in split(tokens, "cap", "and", ",", ";") if run]
    if len(conditions) > 1:
        return _all_of(conditions)
    if any(token.kind == "rel" and token.text in _SIGNS for token in _outside(tokens)):
        return inequalities(tokens)
    whole, *taken = split(tokens, "minus")
    if not taken:
        return _piece(tokens)
    segments, name = _read(whole)
    for part in taken:
        segments = crossed(segments, _complement(_read(part)[0]))
    return segments, name


def _all_of(conditions: Sequence[Sequence[Token]]) -> tuple[Segments, str]:
    """The numbers that satisfy several conditions."""
    if len(conditions) > _MOST:
        raise NotMath("there are too many conditions")
    parts = [_read(run) for run in conditions]
    segments = parts[0][0]
    for part, _ in parts[1:]:
        segments = crossed(segments, part)
    if not segments:
        raise NotMath("the conditions exclude each other")
    return segments, _one_name([name for _, name in parts])


def _outside(tokens: Sequence[Token]) -> list[Token]:
    """The tokens outside all brackets."""
    depth, found = 0, []
    for token in tokens:
        depth += {"open": 1, "close": -1}.get(token.kind, 0)
        if not depth:
            found.append(token)
    return found


def _piece(tokens: Sequence[Token]) -> tuple[Segments, str]:
    if enclosed(tokens) in _BRACES:
        inner = tokens[1:-1]
        head = next((i for i, token in enumerate(inner[:8]) if token.text in ("|", ":")), 0)
        if head:
            name = inner[0].text
            real = [token.text for token in inner[1:head]] in ([], ["in", "R"])
            conditions = _real(inner[head + 1 :], name)
            segments, unknown = _read(conditions) if conditions else ((LINE,), name)
            if not real or unknown != name:
                raise NotMath("the condition is about something else")
            return segments, ""
    return segments_of(tokens), ""


def _real(tokens: Sequence[Token], name: str) -> Sequence[Token]:
    """Conditions without a leading ``x in R,``."""
    if [token.text for token in tokens[:3]] == [name, "in", "R"]:
        return tokens[4:]
    return tokens


def _signed(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with a minus sign between sets as a difference."""
    made: list[Token] = []
    for i, token in enumerate(tokens):
        before = tokens[i - 1] if i else None
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        is_set = before is not None and (before.text == "R" or (before.kind == "close" and before.text in _BRACES))
        if token.text == "-" and token.kind == "op" and is_set and after in (*_BRACES, "("):
            token = token._replace(kind="join", text="minus")
        made.append(token)
    return made


def _union(parts: Sequence[Segments]) -> Segments:
    """The union of sets: the complement of the intersection of their complements."""
    outside: Segments = (LINE,)
    for part in parts:
        outside = crossed(outside, _complement(part))
    return _complement(outside)


def _complement(segments: Segments) -> Segments:
    """The numbers outside a set."""
    found: Segments = (LINE,)
    for lo, lo_closed, hi, hi_closed in segments:
        gaps: list[Segment] = []
        if lo != _LOWEST:
            gaps.append(Segment(_LOWEST, False, lo, not lo_closed))
        if hi != INF:
            gaps.append(Segment(hi, not hi_closed, INF, False))
        found = crossed(found, tuple(gaps))
    return tuple(sorted(found, key=_place)) if all(isinstance(s.lo, Num) or s.lo == _LOWEST for s in found) else found


def _place(segment: Segment) -> tuple[bool, Fraction]:
    return (True, segment.lo.value) if isinstance(segment.lo, Num) else (False, Fraction(0))


def _one_name(names: Sequence[str]) -> str:
    found = {name for name in names if name}
    if len(found) > 1:
        raise NotMath("one unknown is expected")
    return found.pop() if found else ""
