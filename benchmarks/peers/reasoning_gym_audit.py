"""Serves reasoning-gym's datasets over a pipe, one JSON message per line.

``["names"]``, ``["open", dataset, seed, size]`` -> number of items, ``["item", i]`` -> question and stored answer,
``["score", i, text]`` -> its own score. A response is ``["ok", value]``, or ``["failed", type of the exception]``.
"""

import contextlib
import json
import os
import sys
from typing import Any

import reasoning_gym
from reasoning_gym.factory import DATASETS

opened: Any = None
SETTINGS = {"composite": {"datasets": [{"name": "chain_sum", "weight": 1.0}, {"name": "gcd", "weight": 1.0}]}}


def answer(request: list[Any]) -> Any:
    """Handle one request."""
    global opened
    what, *about = request
    if what == "names":
        return sorted(DATASETS)
    if what == "open":
        name, seed, size = about
        opened = reasoning_gym.create_dataset(name, seed=seed, size=size, **_settings(name))
        return len(opened)
    entry = opened[about[0]]
    if what == "item":
        return [entry["question"], entry["answer"] if isinstance(entry["answer"], str) else None]
    return float(opened.score_answer(about[1], entry))


def _settings(name: str) -> dict[str, Any]:
    if name != "composite":
        return {}
    from reasoning_gym.composite import DatasetSpec

    return {"datasets": [DatasetSpec(name=part["name"], weight=1.0, config={}) for part in SETTINGS[name]["datasets"]]}


def main() -> None:
    """Answer until the pipe closes; the library's own output is redirected."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            with contextlib.redirect_stdout(sys.stderr):
                reply = ["ok", answer(json.loads(line))]
        except Exception as error:
            reply = ["failed", type(error).__name__]
        replies.write(json.dumps(reply) + "\n")
        replies.flush()


if __name__ == "__main__":
    main()
