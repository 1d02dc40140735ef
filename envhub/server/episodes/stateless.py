"""Requests without an episode: drawing tasks and judging responses.

Synchronous; they may take long.
"""

from __future__ import annotations

from typing import Any

from envhub.core.errors import EnvhubError, InvalidParameters
from envhub.core.seeding import TaskKey, check_asked
from envhub.core.types import JSON, Verdict
from envhub.making import Judge
from envhub.server.episodes.warm_judges import WarmJudges
from envhub.server.http.json_text import dumps
from envhub.server.http.limits import ByteBudget, Permissions, check_limits
from envhub.server.http.problems import describe
from envhub.server.http.requests import DrawTasks, Verify, VerifyItem
from envhub.server.telemetry.request_log import note_env, note_verdict
from envhub.settings import ServerSettings
from envhub.tasks.options import Options
from envhub.tasks.sources import prepare
from envhub.verifiers.answers.final_answer import AgainstGold
from envhub.verifiers.code.own_tests import TESTS, AgainstTests


def draw_tasks(body: DrawTasks, settings: ServerSettings) -> JSON:
    """Draw one task per seed, in order.

    Raises:
        InvalidParameters: There are too many seeds, the tasks are too long for one answer, or the environment does not accept
            the parameters.
        EnvhubError: As :func:`envhub.make`.
    """
    if len(body.seeds) > settings.max_batch:
        raise InvalidParameters(f"A request can have at most {settings.max_batch} seeds, got {len(body.seeds)}.")
    Permissions(settings.files, settings.opponents).check(body.env_id, body.params)
    names = ("answer_format", "tool_format", "wording", "observation")
    options = {name: getattr(body, name) for name in names}
    source, _ = prepare(body.env_id, body.difficulty, body.split, body.params, options)
    note_env(body.env_id)
    room = ByteBudget(settings.max_answer_bytes)
    tasks: list[JSON] = []
    for seed in body.seeds:
        task = source.draw(seed)[0].to_json()
        _fit(room, task, len(tasks), "seeds")
        tasks.append(task)
    return {"tasks": tasks}


def verify_responses(body: Verify, settings: ServerSettings, judges: WarmJudges) -> JSON:
    """Judge every response, in order.

    An item that cannot be judged has an error in its place.

    Raises:
        InvalidParameters: There are too many responses, the verdicts are too long for one answer, or the reward is not valid.
    """
    count = sum(max(1, len(item.responses)) for item in body.items)  # rebuilding a task costs time too
    if count > settings.max_batch:
        raise InvalidParameters(f"A request can have at most {settings.max_batch} responses, got {count}.")
    options = Options.read({"reward": body.reward})
    room = ByteBudget(settings.max_answer_bytes)
    results: list[JSON] = []
    for item in body.items:
        result = _judge(item, options, settings, judges)
        _fit(room, result, len(results), "items")
        results.append(result)
    return {"results": results}


def _fit(room: ByteBudget, part: JSON, before: int, what: str) -> None:
    if not room.takes(dumps(part)):
        raise InvalidParameters(
            f"The answer would be longer than {room.max_bytes} bytes; only the first {before} {what} fit. "
            "Send fewer per request."
        )


def _judge(item: VerifyItem, options: Options, settings: ServerSettings, judges: WarmJudges) -> dict[str, Any]:
    try:
        judge: Judge | AgainstGold | AgainstTests
        if item.task is not None:
            key = TaskKey.from_json(item.task)
            Permissions(settings.files, settings.opponents).check(key.env_id, key.params)
            judge = judges.take(key, item.answer_format)
            check_asked(key, item.fingerprint, key.draw, judge.fingerprint)
            note_env(key.env_id)
        elif item.kind == TESTS:
            judge = AgainstTests(item.gold, item.answer_format)
            check_limits(judge.limits, settings)
        else:
            judge = AgainstGold(item.gold or "", item.kind or "auto", item.options, item.answer_format)
        options.check(judge.components)
        verdicts = [_verdict(judge, response) for response in item.responses]
        env_id = "" if item.task is None else key.env_id
        for verdict in verdicts:
            note_verdict(env_id, verdict.status)
        if isinstance(judge, Judge) and all(verdict.error is None for verdict in verdicts):
            judges.keep(key, item.answer_format, judge)
    except Exception as error:  # also if the environment fails to sample: the other items must not fail
        return {"verdicts": None, "error": describe(error)}
    return {"verdicts": [{**verdict.to_json(), "reward": _reward(verdict, options)} for verdict in verdicts]}


def _verdict(judge: Judge | AgainstGold | AgainstTests, response: Any) -> Verdict:
    """The verdict on a response.

    An exception becomes a verdict without a score.
    """
    try:
        return judge(response)
    except EnvhubError:
        raise
    except Exception as error:
        return Verdict.failed("environment_failed", describe(error)["detail"])


def _reward(verdict: Verdict, options: Options) -> float | None:
    return None if verdict.error is not None else options.reward(verdict)
