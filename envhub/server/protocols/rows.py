"""Episodes for rows of a dataset, and verdicts on responses.

Shared by the protocols. A row names its task by its ground truth, a task key as :mod:`envhub.dataset.truth` writes it.
The problem and its solution are drawn again from the key; nothing else that a client posts affects what is right. ::

    opening = await create_episode(operations, caller, row.creation(), row)
    answer = require_reward(await operations.episodes(caller).step(opening["episode_id"], 0, action))
    [verdict] = await verify_rows(operations, [row], ["<answer>42</answer>"])

A turn or response that could not be judged has no reward: :func:`require_reward` and :func:`require_rewards` raise, and each
protocol reports that in its own way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from envhub.authoring.wording import wording_number
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
    """The fields of a row that are read.

    The rest belongs to the trainer.

    Attributes:
        key: Key of the task.
        answer_format: Answer format of its prompt, if not the environment's default.
        fingerprint: Fingerprint of the problem, if the row has one.
        wording: Wording of its prompt, if not the task's own.
    """

    key: TaskKey
    answer_format: str | None = None
    fingerprint: str | None = None
    wording: int | str | None = None

    @classmethod
    def read(
        cls,
        ground_truth: Any,
        answer_format: str | None = None,
        fingerprint: str | None = None,
        wording: str | None = None,
    ) -> Row:
        """Read a row of a dataset.

        Args:
            ground_truth: The task key as text, or an object with it as ``ground_truth``, like verl's ``reward_model``.
            answer_format: Answer format of the row.
            fingerprint: Fingerprint of the row.
            wording: Wording of the row, as text.

        Raises:
            InvalidParameters: The ground truth or the answer format is not valid.
        """
        if answer_format not in (None, *FORMS):
            raise InvalidParameters(f"answer_format must be one of {', '.join(FORMS)}, got {answer_format!r}.")
        if isinstance(ground_truth, Mapping):
            ground_truth = ground_truth.get("ground_truth")
        return cls(truth.read(ground_truth), answer_format, fingerprint, wording_number(wording))

    @property
    def max_turns(self) -> int:
        """Maximum number of turns of its episode."""
        return load(spec(self.key.env_id)).max_turns

    def check_env(self, env_id: str) -> None:
        """Check that the row is of the environment that the path names.

        Raises:
            InvalidParameters: It is not.
        """
        if self.key.env_id != env_id:
            raise InvalidParameters(
                f"The row is of {self.key.env_id}, but this path of {env_id}; use the path of the row's environment."
            )

    def creation(self, reward: Mapping[str, float] | None = None) -> CreateEpisode:
        """The request that creates its episode."""
        key = self.key.to_json()
        options = {
            "answer_format": self.answer_format,
            "wording": self.wording,
            "reward": None if reward is None else dict(reward),
        }
        body = {name: key[name] for name in ("env_id", "params", "split", "seed")}
        return validated(CreateEpisode, {**body, "difficulty": None, "options": options})


async def create_episode(
    operations: Operations, caller: Caller, creation: CreateEpisode, row: Row | None = None
) -> JSON:
    """Create an episode.

    Args:
        operations: The server's operations.
        caller: The owner of the episode.
        creation: The request.
        row: The row of the episode, if any.

    Raises:
        InvalidParameters: The key of the row draws a different problem than the row's.
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
    """Whether turns were taken.

    Then an earlier request created the episode, and this one only repeats its id.
    """
    _, whole = await operations.perform(caller, "get", episode_id, None)
    return bool(whole["turn"])


def require_reward(answer: JSON) -> JSON:
    """Return the answer to a turn if it has a reward.

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
    """Judge one response per row.

    The ``reward`` of a verdict is None if its ``status`` is ``error``. A response that could not be judged is tried
    once more, because the failure may be temporary.

    Raises:
        InvalidParameters: A row has several turns, or its key draws a different problem.
        EnvhubError: As :meth:`envhub.server.episodes.operations.Operations.verify`; for the first row that fails.
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
    """The rewards of verdicts, for a protocol without missing rewards.

    Raises:
        NotJudged: A verdict has no reward.
    """
    for place, verdict in enumerate(verdicts):
        if verdict["error"] is not None:
            fault = verdict["error"]
            raise NotJudged(f"Response {place} could not be judged: {fault['code']}: {fault['reason']}")
    return [verdict["reward"] for verdict in verdicts]


def check_one_turn(row: Row) -> None:
    """Check that one response ends the episode of a row.

    Raises:
        InvalidParameters: The episode has several turns.
        UnknownEnvironment: There is no such environment.
    """
    if row.max_turns > 1:
        raise InvalidParameters(
            f"{row.key.env_id} is an episode of up to {row.max_turns} turns, so a single response cannot be judged. "
            "Play it through /v1/episodes, /openenv or /nemo, or leave it out of the data of a reward function."
        )


def tool_call_action(name: str, arguments: Mapping[str, JSON]) -> str:
    """A tool call as an action, whatever text its arguments contain."""
    return tool_calls_action([(name, arguments)])


def tool_calls_action(calls: Sequence[tuple[str, JSON]]) -> str:
    """Tool calls as one action.

    Each has a name, and arguments as a JSON value or as the model's text.
    """
    listed = [{"function": {"name": name, "arguments": arguments}} for name, arguments in calls]
    # so that a tag in the arguments is not read as markup
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
