"""Reads the server settings for commands.

Errors name the source of a bad value.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from envhub.core.errors import InvalidParameters, nearest
from envhub.settings import ServerSettings


def read_settings(flags: Mapping[str, Any]) -> ServerSettings:
    """The settings of the server: flags, ``ENVHUB_*``, ``envhub.toml``, defaults.

    Raises:
        InvalidParameters: A value is invalid; the message names the flag, variable or file.
    """
    try:
        return ServerSettings(**flags)
    except ValidationError as error:
        problems = [_explain(dict(problem), flags) for problem in error.errors(include_url=False)]
        raise InvalidParameters(" ".join(problems)) from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidParameters(f"envhub.toml is not TOML: {error}.") from None


def _explain(problem: Mapping[str, Any], flags: Mapping[str, Any]) -> str:
    said = str(problem["msg"]).removeprefix("Value error, ")
    if not problem["loc"]:
        return f"{said}."
    name = str(problem["loc"][0])
    if problem["type"] == "extra_forbidden":
        known = ", ".join(ServerSettings.model_fields)
        return f"envhub.toml: no setting {name!r}; there are {known}.{nearest(name, ServerSettings.model_fields)}"
    variable = f"ENVHUB_{name.upper()}"
    where = variable if variable in map(str.upper, os.environ) else f"{name} in envhub.toml"
    if name in flags:
        where = f"--{name.replace('_', '-')}"
    return f"{where}: {said}, got {problem['input']!r}."
