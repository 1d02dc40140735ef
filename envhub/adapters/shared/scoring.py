"""Shared by the reward functions: rewards for responses to rows of ``envhub generate``.

The ground truth of a row is a task key, which suffices to judge a response. Responses are judged in this process or by a
server, with the same verdicts::

    score = Scorer(reward={"accuracy": 1.0, "format": 0.1}, url="http://127.0.0.1:8420")
    [scored] = score([RowResponse(row["ground_truth"], "<answer>42</answer>")])
    scored.reward                                     # None if it could not be judged

A trainer that supports missing rewards gets None; for others, :meth:`Scored.require_reward` raises. It is never a number.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from envhub.client.hub import Asked, Hub, connect
from envhub.core.errors import InvalidParameters, JudgementError
from envhub.core.types import JSON
from envhub.dataset import truth
from envhub.tasks.options import Options


class RowResponse(NamedTuple):
    """A response and the row it answers.

    Attributes:
        ground_truth: Ground truth of the row, a task key as JSON text.
        response: The policy's response.
        answer_format: Answer format of the row; None for the environment's default.
        fingerprint: Fingerprint of the row; a ground truth of another problem is refused.
    """

    ground_truth: str
    response: str
    answer_format: str | None = None
    fingerprint: str | None = None


class Scored(NamedTuple):
    """The score of a response.

    Attributes:
        reward: The weighted reward; None if it could not be judged.
        solved: Whether the problem is solved.
        no_answer: Whether there was nothing to grade.
        formatted: Whether the answer had the requested format.
        error: Why it could not be judged: a code and a reason.
    """

    reward: float | None
    solved: bool = False
    no_answer: bool = False
    formatted: bool = False
    error: str | None = None

    def require_reward(self) -> float:
        """The reward, for a trainer without missing rewards.

        Raises:
            JudgementError: The response could not be judged.
        """
        if self.reward is None:
            raise JudgementError(self.error or "the response could not be judged")
        return self.reward


class Scorer:
    """Judges responses to rows, in this process or on a server.

    Args:
        reward: Weights by name; accuracy alone by default.
        url: Address of a server; without it this process judges.
        api_key: Key for a server that needs one; by default the value of ``ENVHUB_API_KEY``.
        tries: Maximum number of attempts to judge a response.

    Raises:
        InvalidParameters: A weight is not a number, or ``tries`` is less than 1.
    """

    def __init__(
        self,
        reward: Mapping[str, float] | None = None,
        *,
        url: str | None = None,
        api_key: str | None = None,
        tries: int = 1,
    ) -> None:
        if tries < 1:
            raise InvalidParameters(f"tries must be at least 1, got {tries}.")
        self._weights, self._tries = reward, tries
        self._options = Options.read({"reward": reward})
        self._hub = connect(url, api_key=api_key) if url is not None else None
        if self._hub is not None:
            weakref.finalize(self, self._hub.close)  # trainers do not close it

    def __call__(self, answered: Sequence[RowResponse]) -> list[Scored]:
        """Score each response, in order.

        Raises:
            InvalidParameters: A ground truth is not valid, draws a different problem, or is of an episode of several turns; or
                a weight names no component.
            UnknownEnvironment: The environment of a row does not exist.
            EnvhubError: The server could not be reached.
        """
        found = self._once(answered)
        for _ in range(self._tries - 1):
            lost = [place for place, scored in enumerate(found) if scored.reward is None]
            again = self._once([answered[place] for place in lost]) if lost else []
            for place, scored in zip(lost, again, strict=True):
                found[place] = scored
        return found

    def _once(self, answered: Sequence[RowResponse]) -> list[Scored]:
        if self._hub is None:
            return [self._here(each) for each in answered]
        return self._there(self._hub, answered)

    def _here(self, each: RowResponse) -> Scored:
        judge = truth.judge(each.ground_truth, each.answer_format, each.fingerprint)
        _one_turn(truth.read(each.ground_truth).env_id, judge.max_turns)
        self._options.check(judge.components)
        verdict = judge(each.response)
        if verdict.error is not None:
            return Scored(None, error=f"{verdict.error.code}: {verdict.error.reason}")
        formatted = verdict.components.get("format", 0.0) == 1.0
        return Scored(self._options.reward(verdict), bool(verdict.solved), verdict.status == "no_answer", formatted)

    def _there(self, hub: Hub, answered: Sequence[RowResponse]) -> list[Scored]:
        # the samples of a group form one item, so its problem is drawn once
        asked: dict[tuple[str, str | None, str | None], list[int]] = {}
        for place, each in enumerate(answered):
            asked.setdefault((each.ground_truth, each.fingerprint, each.answer_format), []).append(place)
        rows = [Asked(truth.read(text), fingerprint, form) for text, fingerprint, form in asked]
        for env_id in {row.key.env_id for row in rows}:
            _one_turn(env_id, _max_turns(hub, env_id))
        responses = [[answered[place].response for place in places] for places in asked.values()]
        verdicts = hub.verify(list(zip(rows, responses, strict=True)), reward=self._weights)
        found: dict[int, Scored] = {}
        for places, of in zip(asked.values(), verdicts, strict=True):
            found |= {place: _scored(verdict) for place, verdict in zip(places, of, strict=True)}
        return [found[place] for place in range(len(answered))]


def _scored(verdict: JSON) -> Scored:
    """The score for a verdict of the server."""
    if verdict["error"] is not None:
        return Scored(None, error=f"{verdict['error']['code']}: {verdict['error']['reason']}")
    formatted = verdict["components"].get("format", 0.0) == 1.0
    return Scored(verdict["reward"], bool(verdict["solved"]), verdict["status"] == "no_answer", formatted)


@lru_cache(maxsize=1024)
def _max_turns(hub: Hub, env_id: str) -> int:
    return int(hub.info(env_id)["max_turns"])


def _one_turn(env_id: str, max_turns: int) -> None:
    if max_turns > 1:
        raise InvalidParameters(
            f"{env_id} is an episode of up to {max_turns} turns, so a single response cannot be judged. Play it "
            "through an environment, or leave it out of the data of a reward function."
        )
