"""The worker pool as a resource.

For environments whose verifier may hang or crash. The environment declares a grader and delegates its verdict to it.
The check is an effect, so it is journaled, and a replay repeats the verdict without running anything::

    class Proofs(SingleTurn):
        resources = {"grader": Grader("my_package.proofs:judge")}
        def grade(self, inst, value):
            return judged_by("grader", {"claim": inst.problem["claim"], "proof": value})

    def judge(payload: JSON) -> Verdict: ...        # in a worker process, with a deadline

A payload that makes the check fail twice gets a verdict of score 0 with ``abuse``. If the pool has no healthy worker, the
effect fails and the episode ends in an ``error``.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from envhub.core.effects import Check, Effect, Live, Outcome, Resource
from envhub.core.errors import ResourceError
from envhub.core.types import JSON, Fault, Verdict
from envhub.workers.pool import Pool, default_pool


class Grader(Resource):
    """Judges payloads in the pool. Stateless, so rebuilds and forks lose nothing.

    Args:
        function: ``"module:function"``, called with the payload; returns a :class:`Verdict`. Imported in the workers.
        deadline_s: Maximum seconds per check. Defaults to the pool's deadline.
        pool: The pool to use. Defaults to the pool of the process.
    """

    def __init__(self, function: str, deadline_s: float | None = None, pool: Pool | None = None) -> None:
        super().__init__("replay")
        self.function = function
        self.deadline_s = deadline_s
        self._pool = pool

    @property
    def pool(self) -> Pool:
        """The pool in which it runs."""
        return self._pool or default_pool()

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Return at once: the pool starts with the first check."""
        return _Grading(self)


class _Grading(Live):
    def __init__(self, grader: Grader) -> None:
        self._grader = grader

    def perform(self, effect: Effect) -> Outcome:
        """Judge the payload of a ``Check``."""
        grader, payload = self._grader, _checked(effect)
        return _outcome(grader.pool.judge(grader.function, payload, deadline_s=grader.deadline_s))

    async def aperform(self, effect: Effect) -> Outcome:
        """:meth:`perform` on an event loop."""
        grader, payload = self._grader, _checked(effect)
        return _outcome(await grader.pool.ajudge(grader.function, payload, deadline_s=grader.deadline_s))


def judged_by(resource: str, payload: JSON) -> Generator[Effect, Outcome, Verdict]:
    """Delegate a verdict to a grader; ``grade`` returns this or uses ``yield from``.

    Args:
        resource: The name under which the environment declares the :class:`Grader`.
        payload: The payload to judge (JSON values).
    """
    outcome = yield Check(resource, payload)
    verdict = Verdict(**outcome.data)
    return replace(verdict, error=Fault(**outcome.data["error"])) if outcome.data["error"] else verdict


def _checked(effect: Effect) -> JSON:
    if not isinstance(effect, Check):
        raise ResourceError(f"A grader accepts Check effects, got {type(effect).__name__}.")
    return effect.payload


def _outcome(verdict: Verdict) -> Outcome:
    if verdict.error is not None and verdict.error.code == "pool":
        raise ResourceError(verdict.error.reason)
    return Outcome(verdict.feedback, verdict.to_json())
