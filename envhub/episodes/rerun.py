"""A turn that raised, taken again in a worker process, to see whether the answer or the environment is to blame.

The environment itself is the health probe. The worker rebuilds the task, folds the journal, and takes a control in the state
that results: the oracle's action. Where that raises too, or there is no such state, the environment is broken whatever is
answered. Only where the control passes and the answer raises once more is the answer to blame.

:mod:`envhub.episodes.blame` names :func:`again` to the pool and does not import it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import Literal

from envhub.authoring import Environment
from envhub.core.effects import Effect, Performed
from envhub.core.types import JSON, EnvSpec
from envhub.episodes.episode import Episode

Found = Literal["answer", "environment", "nothing"]


def again(payload: JSON) -> Found:
    """What made a turn raise: the ``answer``, the ``environment``, or ``nothing`` where it does not raise here.

    Args:
        payload: ``entry`` (module and name of the class), ``snapshot`` (before the turn), ``action``, and ``effects`` (what the
            world answered in the turn before it raised).
    """
    snapshot = payload["snapshot"]
    answers = [Performed.from_json(effect) for effect in payload["effects"]]
    try:
        module, name = payload["entry"]
        environment: Environment = getattr(import_module(module), name)(snapshot["answer_format"])
        spec = EnvSpec(snapshot["task"]["env_id"], f"{module}:{name}")
        episode = Episode.restore(spec, environment, snapshot)
        _take(episode, episode.oracle(), partial(_lent, iter(answers)))
    except Exception:
        return "environment"
    try:
        _take(episode, payload["action"], partial(_recorded, iter(answers)))
    except Exception:
        return "answer"
    return "nothing"


class _Unanswered(BaseException):
    """The turn asks the world for what it has not answered; no environment takes it for an exception of its own."""


def _take(episode: Episode, action: str, perform: partial[Performed]) -> None:
    """Take a turn, as far as the world has answered it."""
    with suppress(_Unanswered):
        episode.take(action, perform, [])


def _recorded(answers: Iterator[Performed], effect: Effect) -> Performed:
    """The world's answer to this very effect."""
    answer = next(answers, None)
    if answer is None or answer.digest != effect.digest():
        raise _Unanswered
    return answer


def _lent(answers: Iterator[Performed], effect: Effect) -> Performed:
    """What the world answered at this place of the turn that raised, whatever the control asks.

    Nothing is performed for a control. So an answer of the world that no turn could make sense of fails the control too.
    """
    answer = next(answers, None)
    if answer is None:
        raise _Unanswered
    return answer
