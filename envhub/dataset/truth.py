"""The ground truth of a row: its task key as compact JSON, and the judge that is rebuilt from it.

What trainers carry from the dataset to the reward function is a text of a hundred bytes. It holds no answer: the problem and
its solution are drawn again from the key, so a row cannot be out of step with its verifier::

    text = write(task.key)
    judge(text)("<answer>42</answer>")        # a Verdict; rebuilt once, then remembered

Rows also name the fingerprint of their problem. Whoever has both gives both: a key that draws another problem than the policy
was asked, because one of the two was altered or the environment draws otherwise by now, is refused and judges nothing.
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
        InvalidParameters: It is not one.
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
    """The judge of a ground truth; the last few thousand are remembered.

    Args:
        text: The ground truth.
        answer_format: Which form counts as well formatted.
        fingerprint: Of the problem that was asked, where it is known.

    Raises:
        InvalidParameters: It is not one, its key does not fit, or its problem is not the one that was asked.
        UnknownEnvironment: Its environment is not here.
    """
    key = read(text)
    made = Judge(key, answer_format)
    check_asked(key, fingerprint, key.draw, made.fingerprint)
    return made
