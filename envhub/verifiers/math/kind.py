"""Base class of the kinds of answers.

Reads their text and compares their values. A kind is a frozen dataclass whose fields are its options; :func:`built`
makes one from JSON and checks every option once::

    class Rational(Kind):
        name = "rational"
        def read(self, text): ...              # raises NotMath
        def same(self, gold, answer, trial): ...
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

from envhub.core.errors import InvalidParameters, nearest
from envhub.verifiers.answers.unwrapping import undecorated
from envhub.verifiers.math.identity import Decision, Trial
from envhub.verifiers.math.lexer import MAX_CHARS, NotMath

_K = TypeVar("_K", bound="Kind")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether an answer is the gold answer.

    Attributes:
        same: True if it is.
        stage: The deciding stage: ``canonical`` (the same text or tree), ``exact``, ``typed``, ``identity``, ``symbolic``,
            ``unreadable``, ``undecided``; ``unclear`` for a text with more than a short answer.
        reason: In words, if it is not the same.
    """

    same: bool
    stage: str
    reason: str = ""


SAME: Final = Comparison(True, "typed")
DIFFERENT: Final = Comparison(False, "typed", "it is not the same")


def judged(decision: Decision) -> Comparison:
    """A decision about two expressions as a comparison."""
    if decision.same is None:
        return Comparison(False, "undecided", "undecided")
    return Comparison(decision.same, decision.stage, "" if decision.same else "the values differ")


def together(comparisons: list[Comparison]) -> Comparison:
    """Combines the comparisons of parts: all must match; a difference outweighs undecided."""
    wrong = [c for c in comparisons if not c.same]
    if not wrong:
        return max(comparisons, key=lambda c: _RANK.index(c.stage), default=SAME)
    return next((c for c in wrong if c.stage != "undecided"), wrong[0])


_RANK: Final = ("canonical", "exact", "typed", "identity", "symbolic", "unreadable", "undecided")


@dataclass(frozen=True)
class Kind(ABC):
    """A kind of answer; its fields are its options."""

    name: ClassVar[str]
    noun: ClassVar[str]
    """Describes the answer in the prompt: "one integer"."""
    example: ClassVar[str]
    """A well-formed answer."""

    @abstractmethod
    def read(self, text: str) -> Any:
        """The value of a text.

        Raises:
            NotMath: It has none.
        """

    @abstractmethod
    def same(self, gold: Any, answer: Any, trial: Trial) -> Comparison:
        """Whether two values are the same."""

    def several(self, text: str) -> list[Any]:
        """All values of a text, if it may have several (plus-minus sign).

        Raises:
            NotMath: It has none.
        """
        return [self.read(text)]

    def names(self, value: Any) -> frozenset[str]:
        """The variables of a value."""
        return frozenset()

    def knowing(self, names: frozenset[str]) -> Kind:
        """This kind, given the variables that may be adjacent."""
        return self


def bare(text: str) -> str:
    """A text without surrounding decoration.

    Raises:
        NotMath: Nothing is left, or it is too long.
    """
    if len(text) > MAX_CHARS:
        raise NotMath(f"it has more than {MAX_CHARS} characters")
    text = undecorated(text)
    if text.startswith(("\\(", "\\[")) and text.endswith(("\\)", "\\]")) and len(text) > 4:
        text = text[2:-2].strip()
    if not text:
        raise NotMath("it is empty")
    return text


def built(kind: type[_K], options: Mapping[str, Any]) -> _K:
    """A kind with options.

    Raises:
        InvalidParameters: Unknown option or invalid value.
    """
    known = [
        name for name in kind.__dataclass_fields__ if not name.startswith("_") and name not in ("letters", "words")
    ]
    for name in options:
        if name not in known:
            there = f"there are {', '.join(known)}" if known else "there are none"
            raise InvalidParameters(f"The kind {kind.name} has no option {name!r}; {there}.{nearest(str(name), known)}")
    return kind(**options)


def need(condition: bool, message: str) -> None:
    """Raise :class:`~envhub.core.errors.InvalidParameters` unless a condition on an option holds."""
    if not condition:
        raise InvalidParameters(message)


def named(names: Any, what: str) -> tuple[str, ...]:
    """A list of names as a tuple.

    Raises:
        InvalidParameters: Not such a list.
    """
    need(
        isinstance(names, (list, tuple)) and all(isinstance(name, str) and name for name in names),
        f"{what} is a list of names, got {names!r}.",
    )
    return tuple(names)
