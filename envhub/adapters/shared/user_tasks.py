"""Levels and unchecked arguments for adapters of a user's benchmark.

::

    tenth(sorted(tasks, key=steps), difficulty)       # the tasks of a level
    Tool("lend", "", AnyArguments, schema)            # a call's arguments are in arguments["given"]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from pydantic import BaseModel, model_validator

Row = TypeVar("Row")
_LEVELS: Final = 10


class AnyArguments(BaseModel):
    """Accepts any arguments: the benchmark's code or rules check them."""

    given: dict[str, Any]

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, data: Any) -> Any:
        return {"given": data}


def tenth(ordered: Sequence[Row], level: int) -> Sequence[Row]:
    """The rows of a level from 1 to 10; at least one."""
    start, end = (part * len(ordered) // _LEVELS for part in (level - 1, level))
    return ordered[start : max(end, start + 1)]
