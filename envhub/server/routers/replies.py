"""How routes answer, and what they find in the application."""

from __future__ import annotations

import json
from typing import Annotated, Any

import orjson
from fastapi import Depends, Request, Response

from envhub.server.service import Episodes
from envhub.settings import ServerSettings


def reply(body: Any, status: int = 200) -> Response:
    """A JSON answer."""
    return Response(_encoded(body), status_code=status, media_type="application/json")


def _encoded(body: Any) -> bytes:
    try:
        return orjson.dumps(body)
    except TypeError:  # an integer past 64 bits, or nesting past its limit: slower, but exact
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def _episodes(request: Request) -> Episodes:
    episodes: Episodes = request.app.state.episodes
    return episodes


def _settings(request: Request) -> ServerSettings:
    settings: ServerSettings = request.app.state.settings
    return settings


EpisodesDep = Annotated[Episodes, Depends(_episodes)]
SettingsDep = Annotated[ServerSettings, Depends(_settings)]
