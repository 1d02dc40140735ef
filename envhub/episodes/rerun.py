"""Reruns a failed turn in a worker process, to find the cause.

The environment itself is the health probe. The worker rebuilds the task, replays the journal and takes a control turn
from the resulting state: the oracle's action. If that raises too, or the state cannot be rebuilt, the environment is
broken. The answer is to blame only if the control passes and the answer raises again.

Pass the checker when creating an episode::

    episode = Episode(environment, task, instance, checker=CHECKER)
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal

from envhub.authoring import Environment
from envhub.authoring.wording import read_wording
from envhub.core.effects import Effect, Outcome, Performed
from envhub.core.types import JSON, EnvSpec, Fault
from envhub.episodes.blame import AGAIN
from envhub.episodes.episode import Episode

if TYPE_CHECKING:
    from envhub.workers.pool import Pool
    from envhub.workers.worker import CallResult

DEADLINE_S: Final = 60.0
"""Time limit for rebuilding the task, the control and the answer together. A timeout does not blame the answer."""
Found = Literal["answer", "environment", "nothing"]


def again(payload: JSON) -> Found:
    """What made a turn raise: ``answer``, ``environment`` or ``nothing``.

    ``nothing`` if it does not raise here.

    Args:
        payload: ``entry`` (module and name of the class), ``snapshot`` (before the turn), ``action``, and ``effects`` (the
            outcomes of the turn's effects before it raised).
    """
    snapshot = payload["snapshot"]
    answers = [Performed.from_json(effect) for effect in payload["effects"]]
    try:
        module, name = payload["entry"]
        environment: Environment = getattr(import_module(module), name)(
            snapshot["answer_format"], read_wording(snapshot["wording"]), snapshot.get("observation", "text")
        )
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


class WorkerChecker:
    """Runs :func:`again` in a fresh worker process.

    Worker failures never blame the answer.
    """

    def check(self, effect: Effect) -> Performed:
        """The finding about a turn; a fault if it cannot be determined.

        Never raises.
        """
        try:
            return _found(_workers().call(_FUNCTION, effect.payload))
        except Exception as error:
            return _unknown(type(error).__name__)

    async def acheck(self, effect: Effect) -> Performed:
        """:meth:`check` on an event loop."""
        try:
            return _found(await _workers().acall(_FUNCTION, effect.payload))
        except Exception as error:
            return _unknown(type(error).__name__)


CHECKER: Final = WorkerChecker()
"""The checker of this process; starts no worker before a turn raises."""
_FUNCTION: Final = f"{again.__module__}:{again.__qualname__}"


@cache
def _workers() -> Pool:
    """Pool of workers that run one turn each.

    Side effects must not affect the next.
    """
    from envhub.workers.pool import Pool  # not needed until a turn raises

    return Pool(deadline_s=DEADLINE_S, max_tasks=1)


def _found(ran: CallResult) -> Performed:
    return Performed(AGAIN, Outcome(ran.value)) if ran.ok else _unknown(ran.detail)


def _unknown(reason: str) -> Performed:
    return Performed(AGAIN, fault=Fault("pool", reason))


class _Unanswered(BaseException):
    """The turn requests an effect without a recorded outcome.

    Not an Exception, so that no environment catches it.
    """


def _take(episode: Episode, action: str, perform: partial[Performed]) -> None:
    """Take a turn, as far as its effects' outcomes are known."""
    with suppress(_Unanswered):
        episode.take(action, perform, [])


def _recorded(answers: Iterator[Performed], effect: Effect) -> Performed:
    """The recorded outcome of exactly this effect."""
    answer = next(answers, None)
    if answer is None or answer.digest != effect.digest():
        raise _Unanswered
    return answer


def _lent(answers: Iterator[Performed], effect: Effect) -> Performed:
    """The recorded outcome at this position, whatever effect the control requests.

    A control performs nothing, so an outcome that no turn could handle fails the control too.
    """
    answer = next(answers, None)
    if answer is None:
        raise _Unanswered
    return answer
