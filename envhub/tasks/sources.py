"""Turns an id and settings into a task source and episode options.

::

    source, options = prepare("sudoku-v0", 3, "train", {"clues": 30}, {"answer_format": "boxed"})
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from envhub.authoring import Environment, ToolEnv
from envhub.authoring.observation import check_observation
from envhub.core.errors import InvalidParameters, nearest
from envhub.registry.registry import lacking, load, spec
from envhub.tasks.options import Options
from envhub.tasks.sampling import TaskSource

_OPTIONS: Final = Options.__slots__


def split_settings(settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Keyword arguments as parameters of the environment and options of the episode."""
    params = {name: value for name, value in settings.items() if name not in _OPTIONS}
    return params, {name: value for name, value in settings.items() if name in _OPTIONS}


def prepare(
    id: str, difficulty: Any, split: str, params: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[TaskSource, Options]:
    """The source and options behind :func:`make`; raises the same errors."""
    found = spec(id)
    cls = load(found)
    for name in params:
        if name not in cls.Params.model_fields:
            known = [*cls.Params.model_fields, *_OPTIONS, "difficulty", "split"]
            raise InvalidParameters(
                f"{id} has no parameter or option {name!r}; there are {', '.join(known)}.{nearest(name, known)}"
            )
    lacks = lacking(found, params)
    if lacks is not None:
        raise InvalidParameters(lacks)
    wanted = Options.read(options)
    wanted.check(cls.components)
    check_observation(id, cls, wanted.observation)
    if wanted.tool_format is not None:
        _check_tool_format(id, cls, wanted.tool_format)
    return TaskSource(found, wanted.environment(cls), difficulty, split, params), wanted


def _check_tool_format(id: str, cls: type[Environment], given: Any) -> None:
    """Reject a format of tool calls that an environment does not have.

    Raises:
        InvalidParameters: The format is unknown, or the environment has no tools.
    """
    if not issubclass(cls, ToolEnv):
        raise InvalidParameters(f"{id} has no tools, so it takes no tool_format.")
    if given not in cls.formats:
        known = ", ".join(cls.formats)
        raise InvalidParameters(f"tool_format must be one of {known}, got {given!r}.{nearest(str(given), cls.formats)}")
