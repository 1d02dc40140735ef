"""What the fuzzing of ``/v1/ws`` shares: an episode that must go on whatever else is said."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import HealthCheck, settings

from tests.server.raw import Frames, frames
from tests.server.serving import GUESS, local

SEED = 7
GUESS_100 = "<answer>100</answer>"
NUMBERS = itertools.count()
ENOUGH = settings(deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


class Control:
    """An episode that goes on whatever else is said, as long as the connection is a good one."""

    def __init__(self, line: Frames) -> None:
        self._line, self._turn = line, 0
        self._id = f"control-{next(NUMBERS)}"
        self._here = local(GUESS, SEED, difficulty=1)
        body = {"env_id": GUESS, "episode_id": self._id, "difficulty": 1, "seed": SEED}
        line.say({"id": self._id, "op": "create", "body": body})
        assert line.answer()["status"] == 201

    def step(self) -> None:
        """Take a turn; the next answer is to it, and is right."""
        body = {"turn": self._turn, "action": GUESS_100}
        self._line.say({"id": f"{self._id}/{self._turn}", "op": "step", "episode_id": self._id, "body": body})
        answer = self._line.answer()
        assert (answer["id"], answer["status"]) == (f"{self._id}/{self._turn}", 200)
        assert answer["body"]["observation"] == self._here.step(GUESS_100)[0]
        self._turn += 1


def usable(url: str) -> None:
    """Somebody else can connect and play."""
    with frames(url) as line:
        Control(line).step()


def check(answer: Any) -> None:
    """An answer says what it should and nothing about the server."""
    assert {"id", "status", "body"} <= set(answer) <= {"id", "status", "body", "retry_after"}
    assert answer["status"] in (200, 201, 204, 403, 404, 409, 413, 422, 429, 501), answer
    if answer["status"] >= 400:
        assert set(answer["body"]) == {"type", "title", "status", "code", "detail"}
    assert "Traceback" not in str(answer)
    assert 'File "' not in str(answer)
