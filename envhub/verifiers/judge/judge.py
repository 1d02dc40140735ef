"""A language model as judge.

Second stage for unparsed answers, rubrics, and comparisons. The judge is a resource; a judgement is an ``Ask``, so it
is journaled, and a replay repeats it without a request::

    class Mine(SingleTurn):
        resources = {"judge": Judge(Endpoint("http://127.0.0.1:8000/v1", "my-judge"))}
        second = SecondStage("judge")

        def advance(self, inst, state, action, rng):
            turn = super().advance(inst, state, action, rng)
            verdict = yield from self.second.review(
                turn.verdict, self.answer, action, question=self.prompt(inst.problem), reference=self.solve(inst))
            return Turn.end(state, verdict)

A judge can be persuaded by texts that nobody has thought of yet; no fence prevents that. So it decides little, and its
decisions are marked: :class:`SecondStage` passes it only answers that were ``unreadable`` to the rule, never graded
ones. Before a candidate's answer is accepted it is compared with a *control*, a wrong answer: a text that is equivalent
to that as well is rejected. Every verdict that a judge had a part in has ``components["judged"] = 1.0``.

Blame: failures of the endpoint are an ``error``. A model whose reply is not a verdict (twice), or which accepts the
control, is asked about two answers of our own: if it judges them right, the *text* broke the judgement, which scores 0
and has ``components["abuse"] = 1.0``; else the judge is unfit, an ``error``.

The model's reasons may reveal the solution: they are returned to a direct caller (:meth:`Judge.decide`) and kept out of
outcomes, journals and verdicts. ``reference`` and ``criteria`` are left out of a request's digest in a journal.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any, Final

from envhub.core.effects import Ask, Effect, Live, Outcome, Resource
from envhub.core.errors import InvalidParameters, ResourceError
from envhub.core.seeding import canonical_json
from envhub.core.types import JSON, Verdict
from envhub.verifiers.answers.extraction import find_spans
from envhub.verifiers.answers.types import AnswerType
from envhub.verifiers.judge.dialogue import Judgement, check_case, judging
from envhub.verifiers.judge.endpoint import Endpoint

__all__ = ["Criterion", "Endpoint", "Judge", "Judgement", "SecondStage", "ask", "scored"]

_SECRET: Final = ("reference", "criteria")
_SHOWN: Final = 200


class Judge(Resource):
    """A model that judges.

    Stateless, so a rebuild or a fork loses nothing.

    Args:
        endpoint: The model's endpoint.
        max_chars: Maximum length of a candidate's text.
        control: Also compare accepted answers with a wrong answer (one more request per acceptance).
        sleep: Waits between attempts.
        asleep: The same on an event loop.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        *,
        max_chars: int = 4_000,
        control: bool = True,
        sleep: Callable[[float], None] = time.sleep,
        asleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        super().__init__("replay")
        self.endpoint = endpoint
        self.max_chars = max_chars
        self.control = control
        self._sleep = sleep
        self._asleep = asleep

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Nothing to connect: each judgement opens its own connection."""
        return _Judging(self)

    def decide(self, kind: str, **fields: JSON) -> Judgement:
        """Judge now, outside an environment.

        Args:
            kind: ``equivalence`` (``question``, ``reference``, ``candidate``), ``rubric`` (``question``, ``criteria``: a
                list of texts, ``candidate``) or ``pair`` (``question``, ``first``, ``second``).
            fields: The fields of the kind.

        Raises:
            InvalidParameters: There is no such kind, or its fields do not fit.
            ResourceError: The endpoint failed, or its model cannot judge.
        """
        dialogue = judging(kind, fields, self.max_chars, self.control)
        try:
            prompt = next(dialogue)
            with self.endpoint.connect(self._sleep) as connection:
                while True:
                    prompt = dialogue.send(connection.ask(prompt))
        except StopIteration as stop:
            return _found(stop)

    async def adecide(self, kind: str, **fields: JSON) -> Judgement:
        """:meth:`decide` on an event loop."""
        dialogue = judging(kind, fields, self.max_chars, self.control)
        try:
            prompt = next(dialogue)
            async with self.endpoint.aconnect(self._asleep) as connection:
                while True:
                    prompt = dialogue.send(await connection.ask(prompt))
        except StopIteration as stop:
            return _found(stop)


def _found(stop: StopIteration) -> Judgement:
    judgement: Judgement = stop.value
    return judgement


class _Judging(Live):
    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def perform(self, effect: Effect) -> Outcome:
        """Judge the payload of an ``Ask``."""
        return Outcome("", self._judge.decide(**_asked(effect)).to_json())

    async def aperform(self, effect: Effect) -> Outcome:
        """:meth:`perform` on an event loop."""
        return Outcome("", (await self._judge.adecide(**_asked(effect))).to_json())


def _asked(effect: Effect) -> dict[str, Any]:
    if not isinstance(effect, Ask) or not isinstance(effect.payload, dict) or "kind" not in effect.payload:
        raise ResourceError(f"A judge takes Ask effects made by ask(), got {type(effect).__name__}.")
    return effect.payload


# -- what environments use -------------------------------------------------------------------------------------------------


class _AskJudge(Ask):
    """An ``Ask`` whose digest reveals nothing of the solution.

    Journals may be shared.
    """

    __slots__ = ()

    def digest(self) -> str:
        shown = {name: value for name, value in self.payload.items() if name not in _SECRET}
        return blake2b(canonical_json(["Ask", self.resource, shown]), digest_size=8).hexdigest()


def ask(resource: str, kind: str, **fields: JSON) -> Generator[Effect, Outcome, Judgement]:
    """A judgement, for an environment to ``yield from``; arguments as for :meth:`Judge.decide`.

    Args:
        resource: The name under which the environment declares the :class:`Judge`.
        kind: ``equivalence``, ``rubric`` or ``pair``.
        fields: The fields of the kind.

    Raises:
        InvalidParameters: There is no such kind, or its fields do not fit.
    """
    check_case(kind, fields)
    outcome = yield _AskJudge(resource, {"kind": kind, **fields})
    return Judgement(**outcome.data)


@dataclass(frozen=True, slots=True)
class SecondStage:
    """Sends a judge only what the rule could not read. Opt-in.

    Attributes:
        resource: The name under which the environment declares the :class:`Judge`.
        credit: The score of an answer that the judge accepts.
    """

    resource: str
    credit: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.credit <= 1:
            raise InvalidParameters(f"The credit of a judged answer is in (0, 1], got {self.credit}.")

    def takes(self, verdict: Verdict) -> bool:
        """Whether a judge may be asked.

        The text must have exactly one answer, unreadable to the rule.
        """
        return verdict.status == "no_answer" and verdict.reason == "unreadable"

    def review(
        self, verdict: Verdict, answer: AnswerType, text: str, *, question: str, reference: str
    ) -> Generator[Effect, Outcome, Verdict]:
        """The judge's verdict on what the rule could not read.

        Other verdicts unchanged.

        Args:
            verdict: The rule's.
            answer: The answer type of the rule.
            text: The policy's text; only its final answer is sent.
            question: The question.
            reference: A right answer, as text. It is sent only to the judge.
        """
        candidate = _final(answer, text) if self.takes(verdict) else None
        if candidate is None:
            return verdict
        judgement = yield from ask(
            self.resource, "equivalence", question=question, reference=reference, candidate=candidate
        )
        if judgement.refused is not None:
            return verdict
        components = {**verdict.components, "judged": 1.0}
        if judgement.decision is None:
            return replace(verdict, components={**components, "abuse": 1.0})
        right = judgement.decision is True
        return Verdict(
            score=self.credit if right else 0.0,
            solved=right,
            components=components,
            answer=candidate[:_SHOWN],
            feedback="Correct." if right else "That is not correct.",
        )


def _final(answer: AnswerType, text: str) -> str | None:
    """The only final answer of a text, uncut.

    None if there are several.
    """
    spans = {span.strip() for span in find_spans(text, answer.tail)[1]}
    return spans.pop() if len(spans) == 1 else None


@dataclass(frozen=True, slots=True)
class Criterion:
    """One line of a rubric: component name, requirement and weight."""

    name: str
    text: str
    weight: float = 1.0


def scored(
    resource: str, question: str, criteria: Sequence[Criterion], candidate: str
) -> Generator[Effect, Outcome, Verdict]:
    """The verdict of a rubric, for ``grade``.

    The weighted share of the criteria met. Every criterion is a component of the verdict, 1.0 or 0.0, beside
    ``judged``.

    Raises:
        InvalidParameters: No criteria, two share a name or use one of ours, or a weight is not positive.
    """
    names = [criterion.name for criterion in criteria]
    if not names or len({*names, "judged", "abuse", "format"}) != len(names) + 3:
        raise InvalidParameters("A rubric needs criteria with names of their own; judged, abuse and format are taken.")
    if any(not 0 < criterion.weight < 1e9 or not criterion.text.strip() for criterion in criteria):
        raise InvalidParameters("A criterion needs a text and a positive, finite weight.")
    return _scored(resource, question, criteria, candidate)


def _scored(
    resource: str, question: str, criteria: Sequence[Criterion], candidate: str
) -> Generator[Effect, Outcome, Verdict]:
    texts = [criterion.text for criterion in criteria]
    judgement = yield from ask(resource, "rubric", question=question, criteria=texts, candidate=candidate)
    if judgement.refused is not None:
        reason = "too_long" if judgement.refused == "too_long" else "empty"
        return Verdict.no_answer(reason, "There is nothing to judge." if reason == "empty" else "The text is too long.")
    if judgement.decision is None:
        return Verdict(score=0.0, solved=False, components={"judged": 1.0, "abuse": 1.0})
    met = [float(passed) for passed in judgement.decision]
    total = sum(criterion.weight for criterion in criteria)
    score = sum(criterion.weight * one for criterion, one in zip(criteria, met, strict=True)) / total
    parts = {criterion.name: one for criterion, one in zip(criteria, met, strict=True)}
    return Verdict(score=min(score, 1.0), solved=all(met), components={"judged": 1.0, **parts})
