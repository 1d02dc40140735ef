"""The protocol of a judgement, independent of transport.

Prompts out and replies in. A judgement is a generator: it yields each prompt, is sent the reply, and returns a
:class:`Judgement`. So threads and event loops share it, and rule-breaking models are handled in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Final

from envhub.core.errors import InvalidParameters, ResourceError
from envhub.core.types import JSON
from envhub.verifiers.judge import prompts
from envhub.verifiers.judge.endpoint import Prompt, Reply

Dialogue = Generator[Prompt, Reply, "Judgement"]
Made = Callable[[int], prompts.Request]

_FIELDS: Final[Mapping[str, Mapping[str, type]]] = {
    "equivalence": {"question": str, "reference": str, "candidate": str},
    "rubric": {"question": str, "criteria": list, "candidate": str},
    "pair": {"question": str, "first": str, "second": str},
}
_PROBES: Final = (("eight", True), ("nine", False))


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision of a judge.

    Attributes:
        decision: Of an ``equivalence`` whether they are equivalent; of a ``rubric`` a list of whether each criterion is
            met; of a ``pair`` ``first``, ``second`` or ``tie``. Else None.
        refused: Why the text was not sent: ``empty``, ``no_content``, ``too_long``.
        abuse: The text broke the judgement, though the judge works.
        reason: The model's reason. It may contain the solution, so it is never passed on automatically.
    """

    decision: JSON = None
    refused: str | None = None
    abuse: bool = False
    reason: str = field(default="", repr=False, compare=False)

    def to_json(self) -> dict[str, JSON]:
        """All fields except the reason."""
        return {"decision": self.decision, "refused": self.refused, "abuse": self.abuse}


def check_case(kind: str, fields: Mapping[str, JSON]) -> None:
    """Check that a case can be judged.

    Raises:
        InvalidParameters: There is no such kind, or its fields do not fit.
    """
    expected = _FIELDS.get(kind)
    if expected is None:
        raise InvalidParameters(f"A judge decides {', '.join(_FIELDS)}; got {kind!r}.")
    if set(fields) != set(expected) or not all(isinstance(fields[name], of) for name, of in expected.items()):
        raise InvalidParameters(f"A judgement of kind {kind} takes {', '.join(expected)}.")
    criteria = fields.get("criteria", [""])
    if not criteria or not all(isinstance(text, str) for text in criteria):
        raise InvalidParameters("A rubric is a list of at least one criterion, each a text.")


def judging(kind: str, fields: Mapping[str, JSON], max_chars: int, control: bool) -> Dialogue:
    """The judgement of a case; arguments as for :class:`envhub.verifiers.judge.judge.Judge` and its ``decide``.

    Raises:
        InvalidParameters: There is no such kind, or its fields do not fit.
    """
    check_case(kind, fields)
    if kind == "pair":
        refused = [prompts.refusal(fields[name], max_chars) for name in ("first", "second")]
        return _pair(fields, *refused)
    why = prompts.refusal(fields["candidate"], max_chars)
    if why is not None:
        return _settled(Judgement(refused=why))
    return _guarded(_equivalence(fields, control) if kind == "equivalence" else _rubric(fields, control))


class _Suspect(Exception):
    """The judgement failed, because of the text or of the judge."""


def _answered(made: Made) -> Generator[Prompt, Reply, dict[str, JSON]]:
    """The decisions of a reply.

    Asked at most twice, with new codes each time.
    """
    problem = ""
    for attempt in range(2):
        request = made(attempt)
        reply = yield request.prompt
        found = None if reply.content is None else request.read(reply.content)
        if found is not None:
            return found
        problem = reply.problem or "the model's reply is not the object that was asked for"
    raise _Suspect(problem)


def _guarded(dialogue: Dialogue) -> Dialogue:
    """The dialogue's judgement; ``abuse`` if it failed and the judge works.

    Raises:
        ResourceError: The judge is broken.
    """
    try:
        return (yield from dialogue)
    except _Suspect as suspect:
        problem = str(suspect)
    try:
        for candidate, equivalent in _PROBES:
            made = prompts.maker("How many legs does a spider have?", "8", candidate)
            if (yield from _answered(made))["equivalent"] is not equivalent:
                raise _Suspect
    except _Suspect:
        raise ResourceError(f"The judge cannot judge: {problem}, and it fails an easy case as well.") from None
    return Judgement(abuse=True)


def _settled(judgement: Judgement) -> Dialogue:
    """A judgement without questions."""
    return judgement
    yield


def _equivalence(case: Mapping[str, JSON], control: bool) -> Dialogue:
    question, reference, candidate = case["question"], case["reference"], case["candidate"]
    found = yield from _answered(prompts.maker(question, reference, candidate))
    if found["equivalent"] and control:
        wrong = prompts.control_reference(question, reference, candidate)
        if (yield from _answered(prompts.maker(question, wrong, candidate)))["equivalent"]:
            raise _Suspect("it takes an answer for the reference and for a wrong one")
    return Judgement(found["equivalent"], reason=found["reason"])


def _rubric(case: Mapping[str, JSON], control: bool) -> Dialogue:
    question, criteria, candidate = case["question"], case["criteria"], case["candidate"]
    _, names, extra = prompts.rubric(question, criteria, candidate)
    found = yield from _answered(lambda attempt: prompts.rubric(question, criteria, candidate, attempt)[0])
    if found[extra] and control:
        raise _Suspect("it finds in a text what is not there")
    return Judgement([found[name] for name in names], reason=found["reason"])


def _pair(case: Mapping[str, JSON], refused: str | None, other: str | None) -> Dialogue:
    """Asks in both orders.

    A preference must hold in both, otherwise it is a tie.
    """
    if refused or other:
        return Judgement("tie" if refused and other else "second" if refused else "first", refused or other)
    return (yield from _guarded(_swapped(case["question"], case["first"], case["second"])))


def _swapped(question: str, first: str, second: str) -> Dialogue:
    one = yield from _answered(lambda attempt: prompts.pair(question, first, second, attempt))
    two = yield from _answered(lambda attempt: prompts.pair(question, second, first, attempt))
    preferred = (one["better"], two["better"])
    decision = {("A", "B"): "first", ("B", "A"): "second"}.get(preferred, "tie")
    return Judgement(decision, reason=f"{one['reason']}\n{two['reason']}")
