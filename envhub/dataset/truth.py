"""Ground truth of a row: its task key as compact JSON.

Trainers pass the ground truth, about a hundred bytes of text, from the dataset to the reward function. It contains no
answer: the problem and its solution are drawn again from the key, so a row always matches its verifier::

    text = write(task.key)
    judge(text)("<answer>42</answer>")        # a Verdict; rebuilt once, then cached

Rows also contain the fingerprint of their problem. Pass both if available: a key that draws another problem than the
policy's, because one of the two was altered or the environment has changed, is refused.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, Final

from envhub.core.errors import InvalidParameters
from envhub.core.seeding import TaskKey, canonical_json, check_asked
from envhub.making import Judge

REMEMBERED: Final = 4096


def write(key: TaskKey) -> str:
    """The ground truth of a task."""
    return canonical_json(key.to_json()).decode()


def read(text: Any) -> TaskKey:
    """The task key of a ground truth.

    Raises:
        InvalidParameters: The text is not a ground truth.
    """
    if not isinstance(text, str):
        raise InvalidParameters(f"A ground truth of envhub is a task key as JSON text, got {type(text).__name__}.")
    try:
        return TaskKey.from_json(json.loads(text))
    except (ValueError, RecursionError) as error:
        if isinstance(error, InvalidParameters):
            raise
        raise InvalidParameters(f"A ground truth of envhub is a task key as JSON text, got {text[:80]!r}.") from None


@lru_cache(maxsize=REMEMBERED)
def judge(text: str, answer_format: str | None = None, fingerprint: str | None = None) -> Judge:
    """The judge of a ground truth; the last few thousand are cached.

    Args:
        text: The ground truth.
        answer_format: Format that counts as well formatted.
        fingerprint: Fingerprint of the requested problem, if known.

    Raises:
        InvalidParameters: The text is not a ground truth, its key is invalid, or it draws a different problem.
        UnknownEnvironment: Its environment does not exist.
    """
    key = read(text)
    made = Judge(key, answer_format)
    check_asked(key, fingerprint, key.draw, made.fingerprint)
    return made
