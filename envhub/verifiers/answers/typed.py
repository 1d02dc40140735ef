"""Answer type for every kind of :mod:`envhub.verifiers.math`.

Sets, intervals, matrices, expressions, ... An environment declares the kind and compares in ``grade``; parsing has
already rejected other kinds::

    class Solve(SingleTurn):
        answer = Typed(kind="set", options={"of": "rational"})
        def grade(self, inst, value): return Verdict.exact(self.answer.matches(inst.key, value))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from envhub.core.errors import InvalidParameters
from envhub.core.seeding import Stream
from envhub.verifiers.answers.final_answer import compare_answer
from envhub.verifiers.answers.types import AnswerType, Unreadable
from envhub.verifiers.math import Comparison, Kind, NotMath, kind_of
from envhub.verifiers.math.plain import Choice

_WORDS: Final = ("apple", "bridge", "candle", "desert", "engine", "forest", "garden", "harbour")
_UNSET: Final = "text"


@dataclass(frozen=True)
class Given:
    """A parsed answer.

    Attributes:
        text: Its text, as given.
        value: Its value, by its kind.
    """

    text: str
    value: Any


@dataclass(frozen=True)
class Typed(AnswerType):
    """An answer of a declared kind. Its value is a :class:`Given`.

    Attributes:
        kind: One of ``envhub.verifiers.math.KINDS``, ``auto`` excepted.
        options: Options of the kind.

    Raises:
        InvalidParameters: Unknown kind or option.
    """

    kind: str = _UNSET
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.kind == "auto":
            raise InvalidParameters(
                "Typed needs a declared kind. For data that declares none, use FinalAnswer and compare with compare_answer."
            )
        self._kind()

    @property
    def noun(self) -> str:  # type: ignore[override]
        """Describes the answer in the prompt."""
        return self._kind().noun

    @property
    def example(self) -> str:  # type: ignore[override]
        """A well-formed answer."""
        return _example(self._kind())

    def parse(self, text: str) -> Given:
        """The value of a span."""
        try:
            return Given(text, self._kind().read(text))
        except NotMath as problem:
            raise Unreadable(f"{problem}.") from None

    def matches(self, gold: str, given: Given) -> Comparison:
        """How an answer compares with the gold answer.

        Raises:
            InvalidParameters: The gold cannot be read as the kind.
        """
        return compare_answer(gold, given.text, self.kind, self.options)

    def same(self, one: Any, other: Any) -> bool:
        """Whether two spans are equal, so that giving both is not hedging."""
        if one.text == other.text:
            return True
        try:
            return compare_answer(one.text, other.text, self.kind, self.options).same
        except InvalidParameters:
            return False

    def random(self, rng: Stream) -> str:
        """A well-formed answer with random numbers or words, independent of the problem."""
        text = _example(self._kind())
        kind = self._kind()
        if isinstance(kind, Choice):
            return rng.choice([label for label, _ in kind.options_])
        if self.kind == "text":
            return rng.choice(_WORDS)
        if self.kind == "date":
            return f"{rng.between(1900, 2030)}-{rng.between(1, 12):02}-{rng.between(1, 28):02}"
        if self.kind == "interval":
            low = rng.between(-20, 20)
            return f"({low}, {low + rng.between(1, 20)}]"
        text = text.replace("seventeen swans", rng.choice(_WORDS))
        return text.replace("17", str(rng.between(2, 99))).replace("5", str(rng.between(2, 9)))

    def _kind(self) -> Kind:
        return kind_of(self.kind, self.options)


def _example(kind: Kind) -> str:
    """A well-formed answer of a kind with its options."""
    if isinstance(kind, Choice):
        return kind.options_[-1][0]
    inner = getattr(kind, "parts", None) or getattr(kind, "of", None)
    name = type(kind).name
    if name == "quantity":
        unit = getattr(kind, "unit", None)
        return f"17.5 {unit}" if unit else kind.example
    if name == "matrix" and isinstance(inner, Kind):
        item = _example(inner)
        return f"[[{item}, {item}], [{item}, {item}]]"
    if name in ("set", "tuple", "list", "multi") and inner is not None:
        items = [_example(one) for one in (inner if isinstance(inner, tuple) else (inner, inner))]
        brackets = {"set": "{}", "list": "[]"}.get(name, "()")
        return f"{brackets[0]}{', '.join(items)}{brackets[1]}" if len(items) > 1 else items[0]
    return kind.example
