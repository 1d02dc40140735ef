"""Answer type for mathematical objects whose equality is proved, not sampled.

It reads what :class:`Typed` reads and compares with :mod:`envhub.verifiers.math.proof`: equal and different both take a
proof, and everything else is undecided::

    answer = Exact(kind="expression", options={"variables": ["x"]}, called="one polynomial", shown="17x^5 - 3")
    answer.compare(answer.parse("(x+1)^2"), answer.parse("x^2 + 2x + 1"))       # True
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from envhub.core.seeding import Stream
from envhub.generators.algebra.normal_form import KNOWN
from envhub.verifiers.answers.typed import Given, Typed
from envhub.verifiers.answers.types import Unreadable
from envhub.verifiers.math import Comparison, Kind
from envhub.verifiers.math.forms import is_bounded
from envhub.verifiers.math.groups import Matrix, Multi, Set, Tuple
from envhub.verifiers.math.intervals import Interval, Segment
from envhub.verifiers.math.proof import Prover
from envhub.verifiers.math.tree import App, Num, Sym, Tree, operations, variables

_ARITHMETIC: Final = re.compile(
    r"[0-9)]\s*[-+*^!(\u2212\u00b7\u00d7]|(?<!matrix)\}\s*[-+*^(]|\\(?:cdot|times)|sqrt|\u221a"
)
_MARKUP: Final = re.compile(r"\\(?:left|right|operatorname|mathrm|text|cdot|times|,)|[\s\\{}()$\u00b7]")


@dataclass(frozen=True)
class Exact(Typed):
    """An answer of a declared kind, compared by proof.

    Its value is a ``Given``.

    Attributes:
        called: Describes the answer in the prompt; by default as the kind does.
        shown: A well-formed answer; by default the kind's.
        positive: Variables stand for positive numbers only.
        literal: Numbers must be integers, fractions or decimals; arithmetic that is left to do is refused.
        names: Names of the asked quantity, as :meth:`named` spells them; ``z = 1 + 2i`` is then ``1 + 2i``.
    """

    called: str = ""
    shown: str = ""
    positive: bool = False
    literal: bool = False
    names: tuple[str, ...] = ()

    @property
    def noun(self) -> str:  # type: ignore[override]
        """Describes the answer in the prompt."""
        return self.called or super().noun

    @property
    def example(self) -> str:  # type: ignore[override]
        """A well-formed answer."""
        return self.shown or super().example

    def parse(self, text: str) -> Given:
        """The value of a span.

        Numbers and exponents beyond the limits are refused.
        """
        name, value = self.named(text)
        given = _parsed(self, value)
        return Given(text, given.value) if name else given

    def named(self, text: str) -> tuple[str, str]:
        r"""The name before a value, and the value.

        The name is empty if the text has no such name. Spaces, brackets and backslashes do not count: ``A^{-1}`` is
        ``A^-1``, and ``\det(A)`` is ``detA``.
        """
        head, _, value = text.partition("=")
        name = _MARKUP.sub("", head)
        return (name, value.strip()) if name in self.names else ("", text)

    def random(self, rng: Stream) -> str:
        """The example with other numbers, independent of the problem."""
        if self.kind == "interval":
            return super().random(rng)
        return re.sub("[0-9]+", lambda _: str(rng.between(2, 9)), self.example)

    def compare(self, one: Given, other: Given) -> bool | None:
        """Whether two answers are equal; None if that is undecided."""
        if one.text == other.text:
            return True
        return _same(self._kind(), one.value, other.value, Prover(positive=self.positive))

    def same(self, one: Any, other: Any) -> bool:
        """Whether two answers are proved equal."""
        return self.compare(one, other) is True

    def matches(self, gold: str, given: Given) -> Comparison:
        """How an answer compares with the gold answer."""
        found = self.compare(self.parse(gold), given)
        return Comparison(found is True, "undecided" if found is None else "exact", "" if found else "it is different")


@dataclass(frozen=True)
class ExactMatrix(Exact):
    """A matrix, or a number in place of a 1x1 matrix."""

    kind: str = "matrix"

    def parse(self, text: str) -> Given:
        """The rows of a matrix, or one number."""
        try:
            number = _parsed(_NUMBER, self.named(text)[1])
        except Unreadable:
            return super().parse(text)
        return Given(text, ((number.value,),))


@lru_cache(maxsize=512)
def _parsed(answer: Exact, text: str) -> Given:
    if answer.literal and _ARITHMETIC.search(text):
        raise Unreadable("write each number as an integer or a fraction, without further arithmetic.")
    given = Typed.parse(answer, text)
    for tree in _trees(given.value):
        unknown = sorted({op for op in operations(tree) if not op.endswith("~")} - KNOWN)
        if unknown:
            raise Unreadable(f"the operation {unknown[0]!r} is not supported.")
        if "inf~" in operations(tree) and answer.kind != "interval":
            raise Unreadable("infinity is not a number.")
        if answer.kind == "expression" and variables(tree) - set(answer.options.get("variables", ())):
            raise Unreadable("it contains a variable that does not occur in the problem.")
        if not is_bounded(tree):
            raise Unreadable("a number or an exponent is too large.")
    return given


def _trees(value: Any) -> Iterator[Tree]:
    """The expressions in a value of any kind."""
    if isinstance(value, (Num, Sym, App)):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _trees(one)


def _same(kind: Kind, one: Any, other: Any, prover: Prover) -> bool | None:
    """Whether two values of a kind are equal."""
    if isinstance(kind, Set):
        table = [[_same(kind.of, a, b, prover) for b in other] for a in one]
        turned = [[row[at] for row in table] for at in range(len(other))]
        return _all(_any(line) for line in (*table, *turned))
    if isinstance(kind, Interval):
        return len(one) == len(other) and _all(_ends(one, other, prover))
    if isinstance(kind, Matrix):
        if (len(one), len(one[0])) != (len(other), len(other[0])):
            return False
        pairs = zip((cell for row in one for cell in row), (cell for row in other for cell in row), strict=True)
        return _all(_same(kind.of, a, b, prover) for a, b in pairs)
    if isinstance(kind, (Tuple, Multi)):
        inner = kind.parts if isinstance(kind, Multi) else kind.of
        kinds = inner if isinstance(inner, tuple) else (inner,) * len(one)
        return len(one) == len(other) and _all(_same(*parts, prover) for parts in zip(kinds, one, other, strict=True))
    return prover.equal(one, other)


_NUMBER: Final = Exact(kind="rational", literal=True)


def _ends(one: Sequence[Segment], other: Sequence[Segment], prover: Prover) -> Iterable[bool | None]:
    """Whether two unions of intervals have equal ends.

    Ends must also be open or closed alike.
    """
    for a, b in zip(one, other, strict=True):
        yield (a.lo_closed, a.hi_closed) == (b.lo_closed, b.hi_closed)
        for mine, theirs in ((a.lo, b.lo), (a.hi, b.hi)):
            endless = "inf~" in operations(mine) | operations(theirs)
            yield mine == theirs if endless else prover.equal(mine, theirs)


def _all(found: Iterable[bool | None]) -> bool | None:
    """Conjunction in which a difference outweighs doubt."""
    seen = {*found}
    return False if False in seen else None if None in seen else True


def _any(found: Iterable[bool | None]) -> bool | None:
    """Disjunction in which a match outweighs doubt."""
    seen = {*found}
    return True if True in seen else None if None in seen else False
