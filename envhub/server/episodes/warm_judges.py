"""Judges of recent tasks, which are not drawn again for further responses.

A judge is found by all that determines its task, the whole key as text, and by the answer format. The text distinguishes ``1``,
``1.0`` and ``true``, which Python's equality does not. A fingerprint that a caller sends is not part of it; the caller compares
it with that of the judge, as if the task had just been drawn. Each judge is used by one request at a time::

    judge = judges.take(key, "tagged")
    verdict = judge(response)
    judges.keep(key, "tagged", judge)       # only if nothing failed
"""

from __future__ import annotations

import json
from collections import OrderedDict
from threading import Lock
from typing import Final, TypeAlias

from envhub.core.seeding import TaskKey
from envhub.making import Judge
from envhub.registry.registry import load, spec

_Name: TypeAlias = tuple[str, str | None]
_MAX_KEY_CHARS: Final = 4096


class WarmJudges:
    """Judges of the most recent tasks; for any number of threads.

    Args:
        most: Maximum number of judges.
    """

    def __init__(self, most: int) -> None:
        self._most, self._lock = most, Lock()
        self._judges: OrderedDict[_Name, Judge] = OrderedDict()

    def take(self, key: TaskKey, answer_format: str | None) -> Judge:
        """A judge for one request, kept or new.

        Raises:
            EnvhubError: As :class:`envhub.making.Judge`.
        """
        with self._lock:
            judge = self._judges.pop(_name(key, answer_format), None)
        return judge or Judge(key, answer_format)

    def keep(self, key: TaskKey, answer_format: str | None, judge: Judge) -> None:
        """Keep a judge for other requests.

        Tasks with files or live resources, which may change, are always drawn again.
        """
        name = _name(key, answer_format)
        cls = load(spec(key.env_id))
        if cls.files or cls.resources or len(name[0]) > _MAX_KEY_CHARS:
            return
        with self._lock:
            self._judges[name] = judge
            if len(self._judges) > self._most:
                self._judges.popitem(last=False)


def _name(key: TaskKey, answer_format: str | None) -> _Name:
    return json.dumps(key.to_json(), sort_keys=True), answer_format
