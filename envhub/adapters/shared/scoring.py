"""What the reward functions of trainers share: from rows of ``envhub generate`` and responses to rewards.

A row says which task was asked by its ground truth, a task key; who holds it needs nothing else. Responses are judged in this
process, or by a server, whose verdicts are the same::

    score = Scorer(reward={"accuracy": 1.0, "format": 0.1}, url="http://127.0.0.1:8420")
    [scored] = score([Answered(row["ground_truth"], "<answer>42</answer>")])
    scored.reward                                     # None where it could not be judged

A trainer that knows missing rewards is handed None; for the others :meth:`Scored.demanded` raises. Never a number.
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


class Answered(NamedTuple):
    """A response and the row that it answers.

    Attributes:
        ground_truth: The row's: a task key as JSON text.
        response: What the policy wrote.
        answer_format: The row's; None for the environment's own.
        fingerprint: The row's; a ground truth of another problem is then refused.
    """

    ground_truth: str
    response: str
    answer_format: str | None = None
    fingerprint: str | None = None


class Scored(NamedTuple):
    """What a response earned.

    Attributes:
        reward: By the weights; None where it could not be judged.
        solved: Whether the problem is solved.
        no_answer: Whether there was nothing to grade.
        formatted: Whether the answer came in the form that was asked for.
        error: Why it could not be judged: a code and a reason.
    """

    reward: float | None
    solved: bool = False
    no_answer: bool = False
    formatted: bool = False
    error: str | None = None

    def demanded(self) -> float:
        """The reward, for a trainer that knows no missing one.

        Raises:
            JudgementError: It could not be judged.
        """
        if self.reward is None:
            raise JudgementError(self.error or "the response could not be judged")
        return self.reward


class Scorer:
    """Judges responses to rows, here or by a server.

    Args:
        reward: Weights by name; accuracy alone if not given.
        url: Of a server; without it this process judges.
        api_key: For a server that needs one; that of the variable ``ENVHUB_API_KEY`` by default.
        tries: How often a response is judged before it counts as one that cannot be.

    Raises:
        InvalidParameters: A weight is not a number, or there is no try.
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
            raise InvalidParameters(f"A response is judged at least once, got tries={tries}.")
        self._weights, self._tries = reward, tries
        self._options = Options.read({"reward": reward})
        self._hub = connect(url, api_key=api_key) if url is not None else None
        if self._hub is not None:
            weakref.finalize(self, self._hub.close)  # no trainer says when it needs it no more

    def __call__(self, answered: Sequence[Answered]) -> list[Scored]:
        """What each response earned, in their order.

        Raises:
            InvalidParameters: A ground truth is none, draws another problem than was asked, or is of an episode of several
                turns, which one response cannot end; or a weight is of nothing.
            UnknownEnvironment: The environment of a row is not there.
            EnvhubError: The server could not be reached.
        """
        found = self._once(answered)
        for _ in range(self._tries - 1):
            lost = [place for place, scored in enumerate(found) if scored.reward is None]
            again = self._once([answered[place] for place in lost]) if lost else []
            for place, scored in zip(lost, again, strict=True):
                found[place] = scored
        return found

    def _once(self, answered: Sequence[Answered]) -> list[Scored]:
        if self._hub is None:
            return [self._here(each) for each in answered]
        return self._there(self._hub, answered)

    def _here(self, each: Answered) -> Scored:
        judge = truth.judge(each.ground_truth, each.answer_format, each.fingerprint)
        _one_turn(truth.read(each.ground_truth).env_id, judge.max_turns)
        self._options.check(judge.components)
        verdict = judge(each.response)
        if verdict.error is not None:
            return Scored(None, error=f"{verdict.error.code}: {verdict.error.reason}")
        formatted = verdict.components.get("format", 0.0) == 1.0
        return Scored(self._options.reward(verdict), bool(verdict.solved), verdict.status == "no_answer", formatted)

    def _there(self, hub: Hub, answered: Sequence[Answered]) -> list[Scored]:
        # the samples of a group are one item, whose problem is drawn once
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
    """What the server's verdict on a response means."""
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
            f"{env_id} is an episode of up to {max_turns} turns: one response cannot be judged. Play it through "
            "an environment, or leave it out of what a reward function is for."
        )
