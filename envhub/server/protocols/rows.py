"""What the protocols share: an episode for a row of a dataset, turns of it, and verdicts on responses to rows.

A row says which task was asked by its ground truth, a task key as :mod:`envhub.dataset.truth` writes it. The problem and
its solution are drawn again from that; nothing else that a client posts has a say in what is right. ::

    opening = await create_episode(operations, caller, row.creation(), row)
    answer = require_reward(await operations.episodes(caller).step(opening["episode_id"], 0, action))
    [verdict] = await verify_rows(operations, [row], ["<answer>42</answer>"])

What could not be judged has no reward here: :func:`given` and :func:`demanded` raise, and each protocol says what it
makes of that.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from envhub.core import errors
from envhub.core.errors import EnvhubError, InvalidParameters, JudgementError
from envhub.core.seeding import TaskKey, check_asked
from envhub.core.types import JSON
from envhub.dataset import truth
from envhub.registry.registry import load, spec
from envhub.server.auth.access import Caller
from envhub.server.episodes.operations import Operations, validated
from envhub.server.http.problems import NotJudged
from envhub.server.http.requests import CreateEpisode, Verify, VerifyItem
from envhub.verifiers.answers.extraction import FORMS


@dataclass(frozen=True, slots=True)
class Row:
    """What is read of a row; anything else in it is for the trainer.

    Attributes:
        key: Of the task that was asked.
        answer_format: The form its prompt asks for, if another than the environment's own.
        fingerprint: Of the problem that was asked, where the row says it.
    """

    key: TaskKey
    answer_format: str | None = None
    fingerprint: str | None = None

    @classmethod
    def read(cls, ground_truth: Any, answer_format: str | None = None, fingerprint: str | None = None) -> Row:
        """A row of a dataset.

        Args:
            ground_truth: Its task key as text; or an object that holds it as ``ground_truth``, as verl's ``reward_model`` does.
            answer_format: The row's.
            fingerprint: The row's.

        Raises:
            InvalidParameters: The ground truth is none, or there is no such form.
        """
        if answer_format not in (None, *FORMS):
            raise InvalidParameters(f"answer_format is one of {', '.join(FORMS)}; got {answer_format!r}.")
        if isinstance(ground_truth, Mapping):
            ground_truth = ground_truth.get("ground_truth")
        return cls(truth.read(ground_truth), answer_format, fingerprint)

    @property
    def max_turns(self) -> int:
        """How long its episode may be."""
        return load(spec(self.key.env_id)).max_turns

    def check_env(self, env_id: str) -> None:
        """Refuse a row of another environment than the path names.

        Raises:
            InvalidParameters: It is one.
        """
        if self.key.env_id != env_id:
            raise InvalidParameters(
                f"The row is of {self.key.env_id}, and this path of {env_id}; ask at the path of the row."
            )

    def creation(self, reward: Mapping[str, float] | None = None) -> CreateEpisode:
        """The request that begins its episode."""
        key = self.key.to_json()
        options = {"answer_format": self.answer_format, "reward": None if reward is None else dict(reward)}
        body = {name: key[name] for name in ("env_id", "params", "split", "seed")}
        return validated(CreateEpisode, {**body, "difficulty": None, "options": options})


async def create_episode(
    operations: Operations, caller: Caller, creation: CreateEpisode, row: Row | None = None
) -> JSON:
    """Begin an episode.

    Args:
        operations: What can be asked for.
        caller: Whose it will be.
        creation: What is asked for.
        row: That it is of, where there is one.

    Raises:
        InvalidParameters: The key of the row draws another problem than was asked.
        EnvhubError: As :meth:`envhub.server.episodes.service.Episodes.create`.
    """
    opening = await operations.create(caller, creation)
    if row is not None:
        try:
            task = opening["task"]
            check_asked(row.key, row.fingerprint, task["draw"], task["fingerprint"])
        except InvalidParameters:
            if not await _has_begun(operations, caller, opening["episode_id"]):
                await operations.episodes(caller).delete(opening["episode_id"])
            raise
    return opening


async def _has_begun(operations: Operations, caller: Caller, episode_id: str) -> bool:
    """Whether turns were taken: then an earlier request made the episode, and this one only repeats its id."""
    _, whole = await operations.perform(caller, "get", episode_id, None)
    return bool(whole["turn"])


def require_reward(answer: JSON) -> JSON:
    """The answer to a turn, if it has a reward.

    Raises:
        JudgementError: The turn could not be judged.
    """
    if answer["reward"] is None:
        fault = answer["info"]["error"]
        raise JudgementError(f"{fault['code']}: {fault['reason']}")
    return answer


async def verify_rows(
    operations: Operations,
    rows: Sequence[Row],
    responses: Sequence[str],
    reward: Mapping[str, float] | None = None,
) -> list[JSON]:
    """The verdict on one response to each row, with its ``reward``, which is None where ``status`` is ``error``.

    What could not be judged is tried once more, for that may have been a bad moment.

    Raises:
        InvalidParameters: A row is of an episode of several turns, or draws another problem than was asked.
        EnvhubError: As :meth:`envhub.server.episodes.operations.Operations.verify`; of the first row that cannot be judged.
    """
    for row in rows:
        check_one_turn(row)
    found = await _verdicts(operations, rows, responses, reward)
    again = [place for place, verdict in enumerate(found) if verdict["status"] == "error"]
    if again:
        rows, responses = [rows[place] for place in again], [responses[place] for place in again]
        for place, verdict in zip(again, await _verdicts(operations, rows, responses, reward), strict=True):
            found[place] = verdict
    return found


def require_rewards(verdicts: Sequence[JSON]) -> list[float]:
    """Their rewards, for a protocol that knows no missing one.

    Raises:
        NotJudged: One has none.
    """
    for place, verdict in enumerate(verdicts):
        if verdict["error"] is not None:
            fault = verdict["error"]
            raise NotJudged(f"Response {place} could not be judged: {fault['code']}: {fault['reason']}")
    return [verdict["reward"] for verdict in verdicts]


def check_one_turn(row: Row) -> None:
    """Refuse what one response cannot end.

    Raises:
        InvalidParameters: It is an episode of several turns.
        UnknownEnvironment: There is no such environment.
    """
    if row.max_turns > 1:
        raise InvalidParameters(
            f"{row.key.env_id} is an episode of up to {row.max_turns} turns: one response cannot be judged. Play it through "
            "/v1/episodes, /openenv or /nemo, or leave it out of what a reward function is for."
        )


def tool_call_action(name: str, arguments: Mapping[str, JSON]) -> str:
    """A tool call as an action, whatever text its arguments hold."""
    return tool_calls_action([(name, arguments)])


def tool_calls_action(calls: Sequence[tuple[str, JSON]]) -> str:
    """Tool calls as one action; each a name, and arguments as JSON values or as the text that a model wrote for them."""
    listed = [{"function": {"name": name, "arguments": arguments}} for name, arguments in calls]
    # text within arguments is no markup, which a tag would make of it
    return json.dumps({"tool_calls": listed}).replace("<", "\\u003c")


async def _verdicts(
    operations: Operations, rows: Sequence[Row], responses: Sequence[str], reward: Mapping[str, float] | None
) -> list[JSON]:
    items = [
        VerifyItem(
            task=row.key.to_json(), responses=[text], answer_format=row.answer_format, fingerprint=row.fingerprint
        )
        for row, text in zip(rows, responses, strict=True)
    ]
    answer = await operations.verify(Verify(items=items, reward=None if reward is None else dict(reward)))
    return [_verdict(place, result) for place, result in enumerate(answer["results"])]


def _verdict(place: int, result: JSON) -> JSON:
    if result["verdicts"] is not None:
        return result["verdicts"][0]
    code, detail = result["error"]["code"], result["error"]["detail"]
    if code == "InternalError":
        raise NotJudged(f"Response {place} could not be judged: {detail}")
    cls = getattr(errors, code, EnvhubError)
    raise cls(f"Response {place}: {detail}")
