"""The pool as a resource: an environment whose answers are checked by something that can run away.

The environment declares a grader and hands its judgement over; the check is an effect like any other, so it is journaled, and a
replay repeats its verdict without running anything::

    class Proofs(SingleTurn):
        resources = {"grader": Grader("my_package.proofs:judge")}
        def grade(self, inst, value):
            return judged_by("grader", {"claim": inst.problem["claim"], "proof": value})

    def judge(payload: JSON) -> Verdict: ...        # in a worker process, with a deadline

What the payload causes is the check's outcome: a verdict, of score 0 with ``abuse`` when it made the check fail twice. When the
pool has no healthy worker, the effect fails and the episode ends in an ``error``.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from envhub.core.effects import Check, Effect, Live, Outcome, Resource
from envhub.core.errors import ResourceError
from envhub.core.types import JSON, Fault, Verdict
from envhub.workers.pool import Pool, default_pool


class Grader(Resource):
    """Judges payloads in the pool. It keeps nothing, so there is nothing that a rebuild or a fork could lose.

    Args:
        function: ``"module:function"``, from a payload to a :class:`Verdict`; its module is imported in the workers.
        deadline_s: How long one check may take; the pool's deadline unless given.
        pool: Where it runs; the default pool of the process unless given.
    """

    def __init__(self, function: str, deadline_s: float | None = None, pool: Pool | None = None) -> None:
        super().__init__("replay")
        self.function = function
        self.deadline_s = deadline_s
        self._pool = pool

    @property
    def pool(self) -> Pool:
        """Where it runs."""
        return self._pool or default_pool()

    def open(self, problem: JSON, token: JSON = None) -> Live:
        """Nothing is started: the pool does that with the first check."""
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
    """The verdict of a grader, for ``grade`` to return or to ``yield from``.

    Args:
        resource: The name under which the environment declares the :class:`Grader`.
        payload: What is judged (JSON values).
    """
    outcome = yield Check(resource, payload)
    verdict = Verdict(**outcome.data)
    return replace(verdict, error=Fault(**outcome.data["error"])) if outcome.data["error"] else verdict


def _checked(effect: Effect) -> JSON:
    if not isinstance(effect, Check):
        raise ResourceError(f"A grader takes Check effects, got {type(effect).__name__}.")
    return effect.payload


def _outcome(verdict: Verdict) -> Outcome:
    if verdict.error is not None and verdict.error.code == "pool":
        raise ResourceError(verdict.error.reason)
    return Outcome(verdict.feedback, verdict.to_json())
