"""``/v1/verify``: verdicts without an episode."""

from __future__ import annotations

from fastapi import APIRouter, Response

from envhub.server.http.requests import Verify
from envhub.server.http.responses import Judged
from envhub.server.routers.replies import OperationsDep, reply

router = APIRouter(prefix="/v1/verify", tags=["verify"])


@router.post("", responses={200: {"model": Judged}})
async def verify(body: Verify, operations: OperationsDep) -> Response:
    """A verdict and a reward for each response, in order.

    A task that cannot be rebuilt, or a gold answer that cannot be read, has an ``error`` in its place; the others are
    still judged.
    """
    return reply(await operations.verify(body))
