"""``/v1/verify``: verdicts without an episode."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from envhub.errors import InvalidParameters
from envhub.making import Judge
from envhub.options import Options
from envhub.seeding import TaskKey
from envhub.server.problems import describe
from envhub.server.routers.replies import SettingsDep, reply
from envhub.server.wire import Verify, VerifyItem
from envhub.types import Verdict

router = APIRouter(prefix="/v1/verify", tags=["verify"])


@router.post("")
def verify(body: Verify, settings: SettingsDep) -> Response:
    """A verdict and a reward for every response, in their order.

    A task that cannot be rebuilt answers ``error`` in its place; the others are judged all the same.
    """
    count = sum(max(1, len(item.responses)) for item in body.items)  # rebuilding a task is work as well
    if count > settings.max_batch:
        raise InvalidParameters(f"At most {settings.max_batch} responses fit in one request, got {count}.")
    options = Options.read({"reward": body.reward})
    return reply({"results": [_judge(item, options) for item in body.items]})


def _judge(item: VerifyItem, options: Options) -> dict[str, Any]:
    try:
        judge = Judge(TaskKey.from_json(item.task), item.answer_format)
        options.check(judge.components)
        verdicts = [judge(response) for response in item.responses]
    except Exception as error:  # of an environment that fails to sample, too: the other items are innocent
        return {"verdicts": None, "error": describe(error)}
    return {"verdicts": [{**verdict.to_json(), "reward": _reward(verdict, options)} for verdict in verdicts]}


def _reward(verdict: Verdict, options: Options) -> float | None:
    return None if verdict.error is not None else options.reward(verdict)
