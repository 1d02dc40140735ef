"""Contract on reading.

Spelling and wrapping never change the judgement of an answer. The wrappings are
:data:`envhub.verifiers.answers.wrappings.WRAPPINGS`. An answer read as the same value is judged the same; answers read
differently are played, because a verifier may have several values for one answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from envhub.audit.applicability import applies_if
from envhub.audit.subject import Subject, play, require, where
from envhub.authoring import Environment, SingleTurn, ToolEnv
from envhub.core.types import Turn
from envhub.gymnasium.env import Env
from envhub.verifiers.answers.wrappings import Wrapping, wrappings_for

_SEED: Final = 31
_PLAYED: Final = 4


@applies_if(lambda subject: not isinstance(subject.environment, ToolEnv) and hasattr(subject.environment, "answer"))
def check_reading(subject: Subject) -> None:
    """Right answers are right in every usual wrapping, wrong answers wrong."""
    environment = subject.environment
    _check_spellings(environment)
    costly = bool(environment.required())
    for level in (1, 5, 10):
        env = subject.started(level, _SEED)
        right = inner(env)
        refused = [wrapping.name for wrapping in _misread(env, right, costly)]
        require(not refused, f"{right[:60]!r} is right, and refused as: {', '.join(refused)}: {where(env)}.")
        if isinstance(environment, SingleTurn):
            others = (
                inner(subject.started(level, seed)) for seed in range(_SEED + 1, _SEED + 1 + subject.depth.others)
            )
            wrong = next((text for text in others if not _solves(env, environment.answer.wrap(text))), None)
            if wrong is not None:
                passing = [wrapping.name for wrapping in _changed(env, wrong) if _solves(env, wrapping.wrap(wrong))]
                require(not passing, f"{wrong[:60]!r} is wrong, and passes as: {', '.join(passing)}: {where(env)}.")


def _check_spellings(environment: Environment) -> None:
    """The answer type's sample texts read as declared: equal, different or unreadable."""
    answer = environment.answer
    groups: list[list[Any]] = []
    for texts in answer.alike:
        readings = [(text, answer.read(answer.wrap(text))) for text in texts]
        unread = [text for text, reading in readings if reading.reason is not None]
        require(not unread, f"{type(answer).__name__} cannot read {unread}.")
        groups.append([reading.value for _, reading in readings])
    for number, (texts, values) in enumerate(zip(answer.alike, groups, strict=True)):
        first = values[0]
        require(all(answer.same(value, first) for value in values), f"{list(texts)} are read as different answers.")
        other = next((n for n in range(number) if answer.same(groups[n][0], first)), number)
        require(other == number, f"{answer.alike[other][0]!r} and {texts[0]!r} are read as one answer.")
    read = [text for text in answer.refused if answer.read(answer.wrap(text)).reason is None]
    require(not read, f"{type(answer).__name__} reads {read}, which are no answers.")


def inner(env: Env) -> str:
    """The next right answer, without tags."""
    environment: Any = env.environment
    instance, state = env.episode.instance, env.episode.state
    return str(
        environment.solve(instance) if isinstance(environment, SingleTurn) else environment.solve(instance, state)
    )


def dressed(environment: Environment, text: str) -> Iterator[Wrapping]:
    """The wrappings in which an answer can be written."""
    return wrappings_for(text, code=environment.answer.verbatim)


def _changed(env: Env, text: str) -> Iterator[Wrapping]:
    """The wrappings in which an answer is read differently than in tags."""
    answer = env.environment.answer
    plain = answer.read(answer.wrap(text))
    for wrapping in dressed(env.environment, text):
        reading = answer.read(wrapping.wrap(text))
        if reading.reason is not None or plain.reason is not None or not answer.same(reading.value, plain.value):
            yield wrapping


def _misread(env: Env, right: str, costly: bool) -> Iterator[Wrapping]:
    """The wrappings in which a right answer is rejected."""
    answer = env.environment.answer
    changed = {wrapping.name for wrapping in _changed(env, right)}
    expected = _seen(env, answer.wrap(right))
    for number, wrapping in enumerate(dressed(env.environment, right)):
        played = wrapping.name in changed or number < _PLAYED or not costly
        if played and _seen(env, wrapping.wrap(right)) != expected:
            yield wrapping


def _seen(env: Env, action: str) -> tuple[object, ...]:
    """Result of a turn: ended, solved, accepted, and the feedback."""
    turn: Turn = env.fork().episode.step(action)
    solved = None if turn.verdict is None else turn.verdict.solved
    return turn.verdict is None, solved, turn.info.get("rejected"), turn.observation


def _solves(env: Env, action: str) -> bool:
    return bool(play(env.fork(), iter([action])).solved)
