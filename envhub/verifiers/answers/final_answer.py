r"""Judges the final answer of any text against a gold answer.

For imported questions. The data declares the kind of answer, or ``auto`` reads the gold as it is typed.
:mod:`envhub.verifiers.math` compares, and :mod:`envhub.verifiers.answers.extraction` finds the answer in the text, as
for every environment::

    judge("42", "So the answer is \\boxed{42}.")                      # a Verdict: solved
    judge("(-\\infty, -5)", "<answer>k < -5</answer>", "interval")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any, ClassVar, Final

from envhub.core.errors import InvalidAction, InvalidParameters
from envhub.core.seeding import Stream
from envhub.core.types import Verdict
from envhub.verifiers.answers.extraction import Form
from envhub.verifiers.answers.golds import WORKED, is_worked
from envhub.verifiers.answers.phrases import is_unclear
from envhub.verifiers.answers.types import AnswerType, Rational, Unreadable
from envhub.verifiers.answers.unwrapping import further_views, plainest
from envhub.verifiers.math import Comparison, compare, gold_of, is_text
from envhub.verifiers.math.verdict import verdict_of

SYMBOLIC: Final = "envhub.verifiers.math.fallback:symbolic"
SYMBOLIC_SECONDS: Final = 5.0
COMPONENTS: Final = frozenset({"format", "undecided", "abuse"})
"""Components of these verdicts that a reward may weigh besides ``accuracy``."""
ANY_FORM: Final = "auto"
"""The answer format of responses to prompts that ask for no form."""

_MAX_CHARS: Final = 4_000
_LEAD_IN: Final = Rational().lead_in()


@dataclass(frozen=True)
class FinalAnswer(AnswerType):
    """An answer of any kind.

    Its value is the text of the span, without decoration.

    Attributes:
        shown: The example in the prompt.
        any_form: Every form is well formatted, for responses to prompts that ask for none.
    """

    shown: str = "your answer"
    any_form: bool = False

    noun: ClassVar[str] = "the answer alone, without explanation,"

    @property
    def example(self) -> str:  # type: ignore[override]
        """The example in the prompt."""
        return self.shown

    def counts(self, form: Form) -> bool:
        """Whether an answer in this form is well formatted."""
        return self.any_form or super().counts(form)

    def parse(self, text: str) -> str:
        """The span itself."""
        if len(text) > _MAX_CHARS:
            raise Unreadable(f"it has more than {_MAX_CHARS} characters.")
        return text

    def same(self, one: Any, other: Any) -> bool:
        """Whether two spans are equal as texts or by comparison."""
        try:
            return bool(one == other) or compare_answer(plainest(one), other).same
        except InvalidParameters:  # a span of only punctuation cannot be a gold answer
            return False

    def random(self, rng: Stream) -> str:
        """A small number."""
        return str(rng.between(-20, 200))


def compare_answer(gold: str, answer: str, kind: str = "auto", options: Mapping[str, Any] | None = None) -> Comparison:
    """Compare an answer with a gold answer, as written or without decoration.

    Raises:
        InvalidParameters: The kind or an option is unknown, or the gold is not of the kind.
    """
    return compare_views(gold, answer, kind, options)[0]


def compare_views(
    gold: str, answer: str, kind: str = "auto", options: Mapping[str, Any] | None = None
) -> tuple[Comparison, str]:
    """Like :func:`compare_answer`, with the text that it read.

    The answer, or its first readable view.
    """
    options = dict(options or {})
    found = compare(gold, answer, kind, **options)
    text = not found.same and is_text(*gold_of(gold, kind, options))
    if found.stage == "unreadable" or text:
        for view in further_views(answer, answer, _LEAD_IN):
            again = compare(gold, view, kind, **options)
            if again.same or (again.stage != "unreadable" and not text):
                return again, view
    if text and is_unclear(answer, (gold, *options.get("aliases", ()))):
        return Comparison(False, "unclear", "it holds more than a short answer"), answer
    return found, answer


def judge(
    gold: str,
    response: str,
    kind: str = "auto",
    options: Mapping[str, Any] | None = None,
    answer_format: str | None = None,
) -> Verdict:
    """The verdict on one response. Arguments and errors are those of :class:`AgainstGold`."""
    return AgainstGold(gold, kind, options, answer_format)(response)


class AgainstGold:
    """Judges any number of responses to one question with a gold answer.

    Args:
        gold: The correct answer.
        kind: The kind of the gold, one of :data:`envhub.verifiers.math.KINDS`.
        options: Options of the kind.
        answer_format: The form that counts as well formatted, ``tag`` by default; ``auto`` for the form that a response
            uses, if it uses it once.

    Raises:
        InvalidParameters: The kind, an option or the form is unknown, or the gold is not of the kind.
    """

    components: ClassVar[frozenset[str]] = COMPONENTS

    def __init__(
        self,
        gold: str,
        kind: str = "auto",
        options: Mapping[str, Any] | None = None,
        answer_format: str | None = None,
    ) -> None:
        if is_worked(gold):
            raise InvalidParameters(f"{WORKED} Give the answer alone.")
        gold_of(gold, kind, options)  # raises for a bad question before any response
        self._key: dict[str, Any] = {"gold": gold, "kind": kind, "options": dict(options or {})}
        any_form = answer_format == ANY_FORM
        plain = answer_format is None or any_form
        self._answer = FinalAnswer(any_form=any_form) if plain else FinalAnswer().asking(answer_format)

    def __call__(self, response: Any) -> Verdict:
        """The verdict on one response.

        Raises:
            InvalidAction: The response is not a string.
        """
        if not isinstance(response, str):
            raise InvalidAction(f"The response must be one string, got {type(response).__name__}.")
        reading = self._answer.read(response)
        if reading.reason is not None:
            return Verdict.no_answer(reading.reason, reading.feedback)
        found, said = compare_views(answer=reading.value, **self._key)
        verdict = verdict_of(found)
        if found.stage == "undecided" and has_sympy():
            from envhub.workers.pool import default_pool

            payload = {"answer": said, **self._key}
            verdict = default_pool().judge(SYMBOLIC, payload, deadline_s=SYMBOLIC_SECONDS)
        return verdict.noting(reading.text, format=float(reading.formatted))


@cache
def has_sympy() -> bool:
    """Whether SymPy is installed."""
    return find_spec("sympy") is not None
