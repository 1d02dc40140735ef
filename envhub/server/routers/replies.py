"""How routes answer, and what they find in the application."""

from __future__ import annotations

from typing import Annotated, Any

import orjson
from fastapi import Depends, Request, Response

from envhub.server.service import Episodes
from envhub.settings import ServerSettings


def reply(body: Any, status: int = 200) -> Response:
    """A JSON answer; NaN becomes null."""
    return Response(orjson.dumps(body), status_code=status, media_type="application/json")


def _episodes(request: Request) -> Episodes:
    episodes: Episodes = request.app.state.episodes
    return episodes


def _settings(request: Request) -> ServerSettings:
    settings: ServerSettings = request.app.state.settings
    return settings


EpisodesDep = Annotated[Episodes, Depends(_episodes)]
SettingsDep = Annotated[ServerSettings, Depends(_settings)]
